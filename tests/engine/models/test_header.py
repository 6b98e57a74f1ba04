"""What a GGUF file says of itself, and what is said of files that are none or broken."""

from __future__ import annotations

import ctypes
import os
import struct
import time
from contextlib import suppress
from pathlib import Path

import gguf
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from llama_cpp import _ggml

from engine.errors import (
    FileIsFolder,
    FileMissing,
    FileUnreadable,
    ForewordError,
    GgufDamaged,
    GgufTruncated,
    NotGguf,
)
from engine.models.cursor import _LONGEST_HEADER, ArrayInFile
from engine.models.header import REMOVED_TYPES, TENSOR_TYPES, Header, TensorInfo, read_header

U8, BOOL, U32, I32, F32, TEXT, ARRAY, U64 = 0, 7, 4, 5, 6, 8, 9, 10
F32_TENSOR, Q8_0_TENSOR, UNKNOWN_TENSOR = 0, 8, 99


def text(value: str | bytes) -> bytes:
    raw = value.encode() if isinstance(value, str) else value
    return struct.pack("<Q", len(raw)) + raw


def key(name: str, kind: int, value: bytes) -> bytes:
    return text(name) + struct.pack("<I", kind) + value


def array(name: str, kind: int, items: list[bytes], count: int | None = None) -> bytes:
    size = len(items) if count is None else count
    return key(name, ARRAY, struct.pack("<IQ", kind, size) + b"".join(items))


def tensor(name: str, shape: tuple[int, ...], kind: int, offset: int) -> bytes:
    dimensions = struct.pack(f"<I{len(shape)}q", len(shape), *shape)
    return text(name) + dimensions + struct.pack("<IQ", kind, offset)


def build(
    keys: list[bytes],
    tensors: list[bytes] | None = None,
    data: int = 0,
    *,
    version: int = 3,
    counts: tuple[int, int] | None = None,
) -> bytes:
    """A GGUF with ``data`` bytes after its padded table; ``counts`` (tensors, keys) may lie."""
    tensors = tensors or []
    told = counts or (len(tensors), len(keys))
    table = struct.pack("<4sIQQ", b"GGUF", version, *told) + b"".join(keys + tensors)
    return table + b"\0" * (-len(table) % 32 + data if tensors else 0)


KEYS = [
    key("general.architecture", TEXT, text("qwen2")),
    key("general.name", TEXT, text("Tiny")),
    key("qwen2.context_length", U32, struct.pack("<I", 4096)),
    key("qwen2.block_count", U32, struct.pack("<I", 2)),
    key("tokenizer.ggml.model", TEXT, text("gpt2")),
    array("tokenizer.ggml.tokens", TEXT, [text(b"a"), text(b"\xff\x00b"), text("Ġc")]),
    array("tokenizer.ggml.merges", TEXT, [text(f"a b{i}") for i in range(300)]),
    array("tokenizer.ggml.scores", F32, [struct.pack("<f", i) for i in range(300)]),
    array("general.tags", TEXT, [text("code"), text("chat")]),
    key("tokenizer.ggml.bos_token_id", U32, struct.pack("<I", 1)),
    key("tokenizer.ggml.add_bos_token", BOOL, b"\0"),
    key("tokenizer.chat_template", TEXT, text("{{ messages }}")),
]
TENSORS = [
    tensor("a.weight", (32, 3), Q8_0_TENSOR, 0),  # 102 bytes, padded to 128
    tensor("b.weight", (5,), F32_TENSOR, 128),
]
WHOLE = build(KEYS, TENSORS, data=148)


@pytest.fixture
def read(tmp_path):
    def read_bytes(content: bytes) -> Header:
        path = tmp_path / "some model.gguf"
        path.write_bytes(content)
        return read_header(path)

    return read_bytes


# What it reads ---------------------------------------------------------------------------------


def test_it_reads_what_the_file_says(read):
    header = read(WHOLE)
    assert (header.version, header.architecture, header.name) == (3, "qwen2", "Tiny")
    assert (header.context_length, header.block_count) == (4096, 2)
    assert header.chat_template == "{{ messages }}"
    assert header.metadata["general.tags"] == ("code", "chat")
    assert header.tensors == (
        TensorInfo("a.weight", (32, 3), Q8_0_TENSOR, 0),
        TensorInfo("b.weight", (5,), F32_TENSOR, 128),
    )
    assert header.data_offset % header.alignment == 0
    assert header.size == header.file_size == len(WHOLE)


def test_the_vocabulary_is_bytes_and_what_is_left_out_is_unknown(read):
    facts = read(WHOLE).vocabulary()
    assert facts.texts == [b"a", b"\xff\x00b", "Ġc".encode()]
    assert (facts.kind, facts.size) == ("gpt2", 3)
    assert (facts.add_bos, facts.bos, facts.add_eos, facts.eos) == (False, 1, None, None)


def test_long_arrays_stay_in_the_file(read):
    merges = read(WHOLE).metadata["tokenizer.ggml.merges"]
    assert isinstance(merges, ArrayInFile)
    assert merges.count == 300
    assert WHOLE[merges.offset : merges.offset + 13] == text("a b0") + b"\x04"


def test_a_file_that_says_little_has_defaults(read):
    header = read(build([key("general.architecture", U32, struct.pack("<I", 7))]))
    assert (header.architecture, header.name) == ("", "some model")
    assert (header.context_length, header.chat_template, header.tokens) == (None, None, [])
    assert header.vocabulary().kind == ""


def test_tokens_that_are_no_texts_are_no_tokens(read):
    assert read(build([array("tokenizer.ggml.tokens", U8, [b"a"])])).tokens == []


def test_it_agrees_with_the_gguf_package(tmp_path):
    path = tmp_path / "written.gguf"
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_context_length(512)
    writer.add_custom_alignment(64)
    writer.add_tokenizer_model("llama")
    writer.add_token_list([b"<s>", b"\xe2\x96\x81the"])
    writer.add_token_scores([0.0, -1.0])
    writer.add_tensor("x", np.ones((3, 5), dtype=np.float32))
    writer.add_tensor("y", np.ones((2, 7), dtype=np.float16))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    ours, theirs = read_header(path), gguf.GGUFReader(path)
    assert ours.tokens == [b"<s>", b"\xe2\x96\x81the"]
    assert (ours.alignment, ours.data_offset) == (64, theirs.data_offset)
    assert [t.offset + ours.data_offset for t in ours.tensors] == [
        t.data_offset for t in theirs.tensors
    ]
    assert [t.nbytes for t in ours.tensors] == [t.n_bytes for t in theirs.tensors]


def test_the_table_of_types_is_that_of_the_ggml_we_run():
    ggml = _ggml.libggml
    ggml.ggml_blck_size.restype = ctypes.c_int64
    ggml.ggml_type_size.restype = ctypes.c_size_t
    for kind, block in TENSOR_TYPES.items():
        assert (ggml.ggml_blck_size(kind), ggml.ggml_type_size(kind)) == block, kind


def test_the_types_that_were_removed_have_no_size_any_more():
    ggml = _ggml.libggml
    ggml.ggml_blck_size.restype = ctypes.c_int64
    assert {kind: ggml.ggml_blck_size(kind) for kind in REMOVED_TYPES} == dict.fromkeys(
        REMOVED_TYPES, 0
    )
    assert sorted([*TENSOR_TYPES, *REMOVED_TYPES]) == list(range(43))


def test_every_type_that_files_are_written_with_is_known():
    assert {int(kind) for kind in gguf.GGML_QUANT_SIZES} <= TENSOR_TYPES.keys()


def test_a_vocabulary_of_152_000_tokens_is_read_in_a_moment(tmp_path):
    tokens = [text(b"token %d" % i) for i in range(152_064)]
    path = tmp_path / "large.gguf"
    path.write_bytes(
        build(
            [
                key("tokenizer.ggml.model", TEXT, text("gpt2")),
                array("tokenizer.ggml.tokens", TEXT, tokens),
                array("tokenizer.ggml.merges", TEXT, tokens),
            ]
        )
    )
    begin = time.perf_counter()
    facts = read_header(path).vocabulary()
    assert time.perf_counter() - begin < 2  # a tenth of a second, on a machine at rest
    assert (facts.size, facts.texts[-1]) == (152_064, b"token 152063")


def test_a_path_in_any_script_is_read(tmp_path):
    path = tmp_path / "田中　Žel a b.gguf"
    path.write_bytes(WHOLE)
    assert read_header(path).path == path


def test_tokens_of_a_file_that_went_away_are_missed_in_words(tmp_path):
    path = tmp_path / "x.gguf"
    path.write_bytes(WHOLE)
    header = read_header(path)
    path.unlink()
    with pytest.raises(FileMissing):
        header.vocabulary()


def test_tokens_of_a_file_that_changed_since_are_not_made_up(tmp_path):
    path = tmp_path / "x.gguf"
    path.write_bytes(WHOLE)
    header = read_header(path)
    path.write_bytes(b"\xff" * len(WHOLE))
    with pytest.raises(GgufDamaged):
        header.vocabulary()


# What is no model ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "it is empty"),
        (b"GGUF", "it has only 4 bytes"),
        (b"<!DOCTYPE html><html><body>Not found", "it looks like a web page"),
        (b"\xef\xbb\xbf\n  <html lang=en><head>", "it looks like a web page"),
        (b'{"error": "Repository not found"}', "it looks like JSON"),
        (b"version https://git-lfs.example/spec/v1\noid sha256:00", "a Git LFS pointer"),
        (b"PK\x03\x04" + b"\0" * 60, "a zip archive or a PyTorch checkpoint"),
        (b"\x80\x02}q\x00(X\x03\x00\x00\x00", "a Python pickle"),
        (struct.pack("<Q", 900) + b'{"__metadata__":{}', "a safetensors file"),
        (b"tjgg\x03\0\0\0\0\0\0\0", "the old GGJT format"),
        (b"\0" * 64, "it begins with zeros"),
        (b"some other file", "it does not begin as a GGUF file does"),
        (build(KEYS, version=1), "version 1 of the format"),
        (build(KEYS, version=9), "version 9 of the format"),
        (b"GGUF\0\0\0\x03" + b"\0" * 16, "big-endian"),
    ],
)
def test_a_file_that_is_no_gguf_is_named_for_what_it_is(read, content, words):
    with pytest.raises(NotGguf, match=words):
        read(content)


def test_a_path_to_nothing_is_missing(tmp_path):
    for path in (tmp_path / "no.gguf", tmp_path / "a\0b.gguf"):
        with pytest.raises(FileMissing):
            read_header(path)
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(FileMissing):
        read_header(tmp_path / "file" / "x.gguf")


def test_a_folder_is_named_as_one(tmp_path):
    with pytest.raises(FileIsFolder):
        read_header(tmp_path)


def test_a_pipe_or_a_device_is_refused_at_once(tmp_path):
    os.mkfifo(tmp_path / "pipe.gguf")
    for path in (tmp_path / "pipe.gguf", Path("/dev/zero")):
        with pytest.raises(FileUnreadable, match="not a regular file"):
            read_header(path)


def test_a_file_one_may_not_open_is_unreadable(tmp_path, monkeypatch):
    path = tmp_path / "x.gguf"
    path.write_bytes(WHOLE)

    def refuse(*_args: object) -> None:  # permissions do not hold root back
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("engine.models.header.open", refuse, raising=False)
    with pytest.raises(FileUnreadable, match=r"\(Permission denied\)"):
        read_header(path)


# What is broken --------------------------------------------------------------------------------


def test_a_file_cut_in_its_weights_is_truncated_and_both_sizes_are_given(read):
    with pytest.raises(GgufTruncated, match=f"{len(WHOLE) - 40:,} bytes .* needs {len(WHOLE):,}"):
        read(WHOLE[:-40])


def test_missing_padding_after_the_last_tensor_is_no_fault(read):
    assert read(WHOLE + b"\0" * 12).size == len(WHOLE)


@pytest.mark.parametrize("name", ["context_length", "block_count"])
@pytest.mark.parametrize(("kind", "value"), [(U64, b"\xff" * 8), (I32, b"\xff" * 4)])
def test_a_count_that_llama_cpp_has_no_room_for_is_damaged(read, name, kind, value):
    keys = [key("general.architecture", TEXT, text("llama")), key(f"llama.{name}", kind, value)]
    with pytest.raises(GgufDamaged, match=f"its {name} is .*, which no model has"):
        read(build(keys))


def sparse(path: Path, keys: list[bytes], holes: int, size: int) -> Path:
    """A GGUF whose ``holes`` last keys are texts of ``size`` zeros, which take no room on disk."""
    with path.open("wb") as file:
        file.write(struct.pack("<4sIQQ", b"GGUF", 3, 0, len(keys) + holes) + b"".join(keys))
        for number in range(holes):
            file.write(key(f"hole.{number}", TEXT, struct.pack("<Q", size)))
            file.seek(size, os.SEEK_CUR)
        file.truncate()
    return path


def test_a_header_of_many_long_texts_is_read_to_a_limit(tmp_path, monkeypatch):
    monkeypatch.setattr("engine.models.cursor._LONGEST_HEADER", 8 << 20)
    path = sparse(tmp_path / "texts.gguf", KEYS, holes=100, size=1 << 20)
    with pytest.raises(GgufDamaged, match="takes more than 8 MiB"):
        read_header(path)


@pytest.mark.parametrize(("kind", "each"), [(TEXT, 1 << 20), (U8, 1)])
def test_a_list_is_passed_over_to_a_limit(tmp_path, monkeypatch, kind, each):
    monkeypatch.setattr("engine.models.cursor._LONGEST_HEADER", 8 << 20)
    path, count = tmp_path / "list.gguf", 300 if kind == TEXT else 300 << 20
    with path.open("wb") as file:
        start = key("tokenizer.ggml.tokens", ARRAY, struct.pack("<IQ", kind, count))
        file.write(struct.pack("<4sIQQ", b"GGUF", 3, 0, 1) + start)
        for _ in range(300):
            if kind == TEXT:
                file.write(struct.pack("<Q", each))
            file.seek(1 << 20, os.SEEK_CUR)
        file.truncate()
    with pytest.raises(GgufDamaged, match="takes more than 8 MiB"):
        read_header(path)


def test_the_limit_is_far_above_the_largest_vocabularies():
    assert _LONGEST_HEADER >= 262_144 * 2 * 64


def test_a_tensor_of_an_unknown_type_cannot_be_measured_and_is_let_pass(read):
    tensors = [tensor("new", (32,), UNKNOWN_TENSOR, 0), tensor("after", (4,), F32_TENSOR, 999)]
    assert [t.nbytes for t in read(build(KEYS, tensors)).tensors] == [None, 16]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (WHOLE[:200], "ends inside"),
        (build(KEYS, counts=(0, 10_000)), "promises 10,000 keys"),
        (build(KEYS, counts=(0, 1 << 62)), "more than can be in it"),
        (build(KEYS, counts=(1 << 63, len(KEYS))), "tensors, more than can be in it"),
        (build([KEYS[0], KEYS[0]]), "'general.architecture' is given twice"),
        (build([key("", BOOL, b"\1")]), "a key has no name"),
        (build([key("k", 77, b"\1")]), "unknown type 77"),
        (build([array("k", ARRAY, [])]), "'k' has items of the unknown type 9"),
        (build([array("k", TEXT, [text("x")], count=1 << 40)]), "promises 1,099,511,627,776 texts"),
        (build([array("k", U64, [b"\0" * 8], count=1 << 61)]), "items in 'k'"),
        (build([key("k", TEXT, struct.pack("<Q", 1 << 50))]), "a text or name of"),
        (build([array("k", TEXT, [text("x") * 299, b"\xff" * 9], count=300)]), "inside a list"),
        (build([key("general.alignment", U32, struct.pack("<I", 24))]), "not a power of two"),
        (build([key("general.alignment", TEXT, text("32"))]), "not a power of two"),
        (build([key("general.alignment", U32, struct.pack("<I", 1 << 31))]), "not a power of two"),
        (build([key("n" * 70_000, BOOL, b"\1")]), "a text or name of 70,000"),
        (build([], [tensor("t", (-1,), F32_TENSOR, 0)]), "impossible shape"),
        (build([], [tensor("t", (1 << 40, 1 << 40), F32_TENSOR, 0)]), "impossible shape"),
        (build([], [tensor("t", (31,), Q8_0_TENSOR, 0)]), "impossible shape"),
        (build([], [tensor("t", (1,) * 5, F32_TENSOR, 0)]), "5 dimensions"),
        (build([], [tensor("t" * 64, (1,), F32_TENSOR, 0)]), "a text or name of 64"),
        (build([], [tensor("t", (1,), F32_TENSOR, 32)], data=99), "does not follow"),
        (build([], TENSORS[:1] * 2, data=999), "'a.weight' is given twice"),
    ],
)
def test_a_header_that_lies_is_damaged(read, content, words):
    with pytest.raises(GgufDamaged, match=words):
        read(content)


def read_or_refuse(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with suppress(ForewordError):
        read_header(path).vocabulary()


@pytest.fixture(scope="module")
def scratch(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("fuzz") / "x.gguf"


@given(length=st.integers(0, len(WHOLE)))
def test_any_cut_is_parsed_or_refused(scratch, length):
    read_or_refuse(scratch, WHOLE[:length])


@given(
    flips=st.lists(
        st.tuples(st.integers(0, len(WHOLE) - 1), st.integers(0, 255)), min_size=1, max_size=6
    )
)
def test_any_wrong_bytes_are_parsed_or_refused(scratch, flips):
    content = bytearray(WHOLE)
    for position, value in flips:
        content[position] = value
    read_or_refuse(scratch, bytes(content))


@given(value=st.sampled_from([0, 1, 255, 1 << 31, (1 << 32) - 1, 1 << 63, (1 << 64) - 1]))
def test_a_wild_number_anywhere_is_parsed_or_refused(scratch, value):
    for position in range(0, 900, 7):
        content = bytearray(WHOLE)
        content[position : position + 8] = struct.pack("<Q", value)
        read_or_refuse(scratch, bytes(content))


def test_a_vocabulary_that_repeats_a_text_is_damaged(read):
    # llama.cpp would end the process on it.
    header = read(build([array("tokenizer.ggml.tokens", TEXT, [text("a"), text("b"), text("a")])]))
    with pytest.raises(GgufDamaged, match="there twice"):
        header.vocabulary()


def test_texts_that_only_differ_after_a_zero_byte_are_the_same(read):
    # llama.cpp reads each to its first zero byte, and ends the process where two are the same.
    header = read(build([array("tokenizer.ggml.tokens", TEXT, [text("q\0a"), text("q\0b")])]))
    with pytest.raises(GgufDamaged, match="there twice"):
        header.vocabulary()


def test_empty_texts_are_named_by_llama_cpp_and_may_be_several(read):
    texts = [text(""), text("a"), text(""), text("\0x")]
    assert read(build([array("tokenizer.ggml.tokens", TEXT, texts)])).vocabulary().size == 4
    clashing = [text("[EMPTY_1]"), text("")]
    with pytest.raises(GgufDamaged, match="there twice"):
        read(build([array("tokenizer.ggml.tokens", TEXT, clashing)])).vocabulary()
