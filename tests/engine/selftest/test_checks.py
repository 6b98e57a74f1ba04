"""The self-test finds what works, and what does not."""

from __future__ import annotations

import gguf
import numpy as np
import pytest

from engine.models.header import read_header
from engine.selftest.checks import EngineChecks, Fault, check_engine, run
from engine.selftest.gguf import q8_0, write_gguf
from engine.selftest.pair import write_pair
from tests.support.workers import frail


def test_a_whole_engine_passes(own_folders) -> None:
    said: list[str] = []
    assert check_engine(said.append), said
    names = [line.partition(":")[0].split(maxsplit=1) for line in said]
    assert [name for _ok, name in names] == [
        "libraries",
        "tiny pair",
        "loading",
        "drafting and verifying",
        "same as plain",
        "downloads",
    ]
    assert {ok for ok, _name in names} == {"ok"}


def test_an_engine_that_dies_fails_what_needs_it_and_no_more(own_folders, tmp_path) -> None:
    said: list[str] = []
    checks = EngineChecks(tmp_path, frail("abort"))
    passed = run(checks, said.append)
    checks.close()
    assert not passed
    words = {line.split(maxsplit=1)[1].partition(":")[0]: line.split()[0] for line in said}
    assert words["libraries"] == words["tiny pair"] == words["downloads"] == "ok"
    assert words["drafting and verifying"] == words["same as plain"] == "FAILED"


def test_a_folder_that_cannot_be_written_is_a_sentence(own_folders, tmp_path) -> None:
    said: list[str] = []
    checks = EngineChecks(tmp_path / "missing")
    passed = run(checks, said.append)
    checks.close()
    assert not passed
    assert said[1].startswith("FAILED  tiny pair: [Errno 2] No such file or directory")
    assert said[2] == "FAILED  loading: there is no pair to load"


def test_every_check_is_run_whatever_the_others_found() -> None:
    def fault() -> str:
        raise Fault("it does not work")

    def mistake() -> str:
        raise KeyError("oops")

    said: list[str] = []
    assert not run([("one", fault), ("two", mistake), ("three", lambda: "fine")], said.append)
    assert said == [
        "FAILED  one: it does not work",
        "FAILED  two: KeyError: 'oops'",
        "ok      three: fine",
    ]


def test_the_pair_is_two_models_of_one_vocabulary(tmp_path) -> None:
    target, draft = (read_header(path) for path in write_pair(tmp_path))
    assert target.architecture == draft.architecture == "llama"
    assert target.vocabulary() == draft.vocabulary()
    assert target.chat_template is not None


def test_what_is_written_is_what_a_reader_of_others_reads(tmp_path) -> None:
    values = np.linspace(-1, 1, 128, dtype=np.float32).reshape(2, 64)
    words = {"general.architecture": "llama", "a.flag": True, "a.number": 0.5, "a.list": ["x", "é"]}
    path = write_gguf(tmp_path / "x.gguf", words, {"m.weight": values, "n.weight": values[0]})
    reader = gguf.GGUFReader(path)
    assert {name: reader.get_field(name).contents() for name in words} == words
    matrix, vector = reader.tensors
    np.testing.assert_allclose(
        gguf.quants.dequantize(matrix.data, matrix.tensor_type), values, atol=1 / 127
    )
    np.testing.assert_array_equal(vector.data, values[0])


@pytest.mark.parametrize("scale", [0.0, 1e-3, 10.0])
def test_a_block_is_rounded_as_llama_cpp_rounds_it(scale) -> None:
    values = (scale * np.random.default_rng(1).standard_normal((4, 64))).astype(np.float32)
    theirs = gguf.quants.quantize(values, gguf.GGMLQuantizationType.Q8_0).tobytes()
    ours = q8_0(values)
    kinds = {len(ours) == len(theirs)}
    there, here = (np.frombuffer(each, np.int8).astype(int) for each in (theirs, ours))
    # They divide by the scale, and we by its float16: one step apart where both are halfway.
    assert kinds == {True}
    assert np.abs(there - here).max() <= 1
