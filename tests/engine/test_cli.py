"""The terminal as a user or a program meets it: what is printed, where, and the exit code."""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from engine import __version__, cli, paths
from engine.models import starter
from engine.models.arriving import Arriving, ModelFile
from engine.models.download import SourceFailed
from engine.terminal import getting, models
from engine.terminal.log import log_file
from tests.engine.conftest import TinyPath

ANSI = "\x1b"


@dataclass(frozen=True)
class Ran:
    """What a command left behind."""

    code: int
    out: str
    err: str


Foreword = Callable[..., Ran]


@pytest.fixture
def foreword(monkeypatch, capsys) -> Foreword:
    """Runs ``foreword`` as a program would: text in, text out, nobody to ask."""

    def run(*argv: object, stdin: str = "") -> Ran:
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        code = cli.main([str(argument) for argument in argv])
        out, err = capsys.readouterr()
        assert ANSI not in out + err
        assert "Traceback" not in out + err
        return Ran(code, out, err)

    return run


def refused(ran: Ran) -> str:
    """The one sentence of a command that was given nonsense."""
    assert ran.code == 2
    assert ran.out == ""
    (line,) = ran.err.strip().splitlines()
    return line


@pytest.fixture
def pair(tiny_path: TinyPath) -> list[object]:
    """Options that name a tiny pair. One thread: on a busy machine two wait for each other."""
    return ["--target", tiny_path(), "--draft", tiny_path(noise=0.3), "--threads", 1]


# Nonsense on the command line --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["compare", "--gamma", "17"], "--gamma is 17; it must be a whole number from 0 to 16"),
        (["chat", "--gamma=-1"], "--gamma is -1; it must be"),
        (["chat", "--gamma", "three"], "--gamma is 'three'; it must be"),
        (["bench", "--gamma", "0", "99"], "--gamma is 99; it must be"),
        (["bench", "--gamma", "auto"], "--gamma takes numbers here"),
        (["chat", "--temperature", "-1"], "--temperature is -1; it must be a number from 0 to 5"),
        (["chat", "--temperature", "nan"], "--temperature is nan"),
        (["bench", "--temperature", "0", "hot"], "--temperature is 'hot'"),
        (["compare", "--top-p", "1.5"], "--top-p is 1.5; it must be a number from 0 to 1."),
        (["compare", "--n-ctx", "0"], "--n-ctx is 0; it must be a whole number from 32"),
        (["compare", "--seed", "-5"], "--seed is -5"),
        (["bench", "--repeats", "0"], "--repeats is '0'; it must be"),
        (["bench", "--rule", "best"], "--rule is 'best'; it must be ratio or coupled."),
        (["compare", "--gamma"], "--gamma needs a value: --gamma N."),
        (["bench", "--gamma"], "--gamma needs a value: --gamma N."),
        (["tune", "--recast"], "--recast needs a value: --recast yes|no."),
        (
            ["compare", "--gama", "3"],
            "There is no --gama here. Did you mean --gamma? `foreword com",
        ),
        (["chat", "--max-token", "5"], "There is no --max-token here. Did you mean --max-tokens?"),
        (["chat", "--temp=1"], "There is no --temp here. Did you mean --temperature?"),
        (["chat", "--no-such"], "There is no --no-such here. `foreword chat --help` lists"),
        (["chat", "--json=yes"], "--json takes no value."),
        (["chat", "two", "words"], "'words' is too much: put quotes around words of one message."),
        (["--quiet"], "COMMAND is missing. `foreword --help` lists what there is."),
        (["chatt"], "There is no chatt here. Did you mean chat?"),
        (["frobnicate"], "There is no frobnicate here. It may be chat, "),
        (["compare", "--json", "{tmp}/no/such/folder/x.json"], "cannot be written"),
        (["compare", "--json", "{tmp}"], "cannot be written"),
    ],
)
def test_nonsense_gets_one_sentence_and_exit_code_2(foreword, tmp_path, argv, said):
    ran = foreword(*(argument.replace("{tmp}", str(tmp_path)) for argument in argv))
    assert said in refused(ran)


@pytest.mark.parametrize("command", ["chat", "compare", "bench"])
@pytest.mark.parametrize("role", ["target", "draft"])
def test_files_that_are_no_models_get_one_sentence_and_exit_code_2(
    foreword, tiny_path, tmp_path, command, role
):
    whole = tiny_path()
    (tmp_path / "truncated.gguf").write_bytes(whole.read_bytes()[:-1000])
    (tmp_path / "page.gguf").write_text("<!DOCTYPE html><html></html>")
    (tmp_path / "empty.gguf").write_bytes(b"")
    for name, said in {
        "none.gguf": "There is no file at",
        "": "is a folder",
        "truncated.gguf": "is incomplete",
        "page.gguf": "web page",
        "empty.gguf": "is not a GGUF model",
    }.items():
        files = {"target": whole, "draft": whole} | {role: tmp_path / name}
        ran = foreword(command, "--target", files["target"], "--draft", files["draft"])
        assert said in refused(ran)


@pytest.mark.skipif(os.name == "nt", reason="a folder there stays while one is in it")
def test_a_name_in_a_folder_that_was_deleted_gets_one_sentence(foreword, tmp_path, monkeypatch):
    (tmp_path / "deleted").mkdir()
    monkeypatch.chdir(tmp_path / "deleted")
    (tmp_path / "deleted").rmdir()
    for command in ("chat", "compare", "tune"):
        sentence = refused(foreword(command, "--target", "mine.gguf"))
        assert "There is no file at mine.gguf." in sentence


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_file_that_cannot_be_read_gets_one_sentence(foreword, tmp_path):
    os.mkfifo(tmp_path / "pipe.gguf")
    ran = foreword("chat", "--target", tmp_path / "pipe.gguf")
    assert "cannot be read" in refused(ran)


@pytest.mark.parametrize(
    ("draft", "parts"),
    [
        ({"renamed": ((139, "other"),)}, ["token 139 reads", '"other" in the draft']),
        ({"padding": 129}, ["the target's vocabulary has", "129 apart"]),
        ({"tokenizer": "llama"}, ["byte-level BPE", "SentencePiece"]),
    ],
)
def test_a_draft_that_does_not_fit_is_refused_with_the_field_and_both_values(
    foreword, tiny_path, draft, parts
):
    ran = foreword("compare", "--target", tiny_path(), "--draft", tiny_path(**draft))
    sentence = refused(ran)
    assert all(part in sentence for part in parts)


def test_compare_and_bench_want_a_draft_for_a_target_of_ones_own(foreword, tiny_path):
    for command in ("compare", "bench"):
        assert "--draft FILE" in refused(foreword(command, "--target", tiny_path()))


def test_a_wrong_row_of_prompts_is_named_before_anything_is_loaded(foreword, tmp_path):
    path = tmp_path / "prompts.json"
    path.write_text('[{"id": "a", "kind": "code", "messages": [{"role": "user"}]}]')
    sentence = refused(foreword("bench", "--prompts", path))
    assert sentence.startswith(f"{path}, row 1: message 1 has no content.")


def test_exact_arithmetic_has_a_largest_gamma(foreword, pair):
    ran = foreword("compare", *pair, "--exact", "--gamma", 6)
    assert "--gamma is 6; it must be from 0 to 5 with --exact" in refused(ran)


@pytest.mark.parametrize("command", ["chat", "compare"])
@pytest.mark.parametrize(("prompt", "stdin"), [("", "no"), (" \n", "no"), ("-", ""), ("-", "\n")])
def test_an_empty_prompt_is_refused(foreword, pair, command, prompt, stdin):
    ran = foreword(command, *pair, "--max-tokens", 1, prompt, stdin=stdin)
    assert refused(ran) == "The prompt is empty. Say what is to be answered."


def test_a_prompt_longer_than_the_context_is_refused_with_both_numbers(foreword, pair):
    for command in ("chat", "compare"):
        ran = foreword(command, *pair, "--gamma", 2, "--n-ctx", 64, "to be or not to be " * 30)
        assert re.search(
            r"The prompt is \d{3,} tokens long and the context holds 64\.", refused(ran)
        )


def test_an_error_of_our_own_shows_no_traceback_but_logs_one(
    foreword, monkeypatch, tiny_path, expect_log
):
    def fail(*_arguments: object) -> None:
        raise RuntimeError("a surprise")

    expect_log("A command failed")
    monkeypatch.setattr("engine.terminal.choosing.read_header", fail)
    ran = foreword("chat", "--target", tiny_path())
    assert ran.code == 1
    assert "Something went wrong inside Foreword (RuntimeError)." in ran.err
    assert str(log_file()) in ran.err
    assert "RuntimeError: a surprise" in log_file().read_text()


def test_nonsense_in_the_settings_is_said_and_no_more(foreword):
    paths.settings_file().parent.mkdir(parents=True)
    paths.settings_file().write_text("gamma = 99\n")
    ran = foreword("models", "--json")
    assert ran.code == 0
    assert "gamma is 99" in ran.err
    json.loads(ran.out)


# Help --------------------------------------------------------------------------------------------


def test_the_version_and_the_help_are_printed(foreword):
    assert foreword("--version").out == f"foreword {__version__}\n"
    for command in ((), ("chat",), ("compare",), ("bench",), ("models",), ("models", "fetch")):
        ran = foreword(*command, "--help")
        assert (ran.code, ran.err) == (0, "")
        assert "usage: foreword" in ran.out


# Chat --------------------------------------------------------------------------------------------


def test_each_line_of_a_pipe_is_a_message_and_commands_are_obeyed(foreword, pair):
    lines = [
        "Hello",
        "/stats",
        "/gamma 2",
        "/gamma 40",
        "/plain",
        "And you?",
        "/foo",
        "/quit",
        "no",
    ]
    ran = foreword("chat", *pair, "--max-tokens", 8, "--gamma", 3, stdin="\n".join(lines))
    assert ran.code == 0
    figures = [line for line in ran.out.splitlines() if "tokens/s ·" in line]
    assert len(figures) == 2
    assert "γ 3" in figures[0]
    assert "plain" in figures[1]
    assert "accepted by position" in ran.out
    for said in (
        "γ is 2.",
        "gamma is 40; it must be",
        "Replies are written plainly now",
        "There is no /foo.",
    ):
        assert said in ran.err


def test_a_gamma_chosen_while_drafting_is_off_switches_it_on_and_says_so(foreword, pair):
    lines = ["/plain", "/gamma", "/gamma 4", "Hello", "/gamma 0", "/plain", "/plain"]
    ran = foreword("chat", *pair, "--gamma", 3, "--max-tokens", 8, stdin="\n".join(lines))
    assert "· γ 4 ·" in ran.out
    assert ran.err.splitlines()[1:] == [  # the first is about the context
        "Replies are written plainly now; /plain switches drafting on again.",
        "Drafting is off until /plain or /gamma N. γ is 3.",
        "Drafting is on again. γ is 4.",
        "γ is 0: replies are written plainly.",
        "Replies are written plainly now; /plain switches drafting on again.",
        "Drafting is on again. γ is 0: replies are written plainly.",
    ]


def test_stats_tell_what_each_model_read_anew(foreword, pair):
    ran = foreword("chat", *pair, "--gamma", 3, "--max-tokens", 8, stdin="Hello\n/stats\n")
    rows = dict(
        re.findall(
            r"^(prompt|read anew|read anew by the draft) +(\d+) tokens", ran.out, re.MULTILINE
        )
    )
    read = int(rows["prompt"]) - 1  # the last is verified with the first round
    assert int(rows["read anew"]) == int(rows["read anew by the draft"]) == read


def test_bytes_that_are_no_text_end_no_conversation(tiny_path):
    command = [sys.executable, "-m", "engine", "chat", "--target", str(tiny_path())]
    command += ["--threads", "1", "--max-tokens", "4", "-"]
    ran = subprocess.run(command, input=b"caf\xe9", capture_output=True, check=False)
    assert ran.returncode == 0


def test_a_conversation_goes_on_is_regenerated_and_begins_anew(foreword, pair):
    lines = ["Hello", "/regenerate", "And?", "/system Be brief.", "/new", "/regenerate", "/stop"]
    ran = foreword("chat", *pair, "--max-tokens", 6, "--seed", 3, "--json", stdin="\n".join(lines))
    first, again, second = map(json.loads, ran.out.splitlines())
    assert ran.code == 0
    assert first["text"] != again["text"]
    assert first["seed"] == again["seed"] == 3
    assert second["figures"]["prompt_tokens"] > first["figures"]["prompt_tokens"] + 6
    for said in ("The system prompt is: Be brief.", "A new conversation.", "There is no reply"):
        assert said in ran.err


def test_one_prompt_is_answered_quietly_where_a_program_wants_only_the_text(foreword, pair):
    ran = foreword("chat", *pair, "--max-tokens", 6, "--seed", 3, "--quiet", "Hello")
    told = foreword("chat", *pair, "--max-tokens", 6, "--seed", 3, "--json", "-", stdin="Hello")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.strip() == json.loads(told.out)["text"].strip()


@pytest.mark.parametrize("more", [[], ["--quiet"], ["--json"]])
def test_a_draft_that_turns_out_not_to_serve_is_said_with_a_single_prompt_too(
    foreword, tiny_path, more
):
    draft = tiny_path(architecture="mamba")
    ran = foreword(
        "chat", "--target", tiny_path(), "--draft", draft, "--max-tokens", 2, *more, "Hello"
    )
    assert ran.code == 0
    assert "Speculation is off: the draft's memory (mamba) cannot take back" in ran.err


def test_without_a_draft_chat_is_plain_and_says_so(foreword, tiny_path):
    ran = foreword("chat", "--target", tiny_path(), "--threads", 1, "--max-tokens", 4, "Hello")
    assert ran.code == 0
    assert "Without a draft" in ran.err
    assert "· plain ·" in ran.out


def test_a_worker_that_dies_is_a_failure_in_one_sentence(foreword, pair, monkeypatch):
    from tests.support.workers import frail

    monkeypatch.setattr("engine.client.child_command", lambda _module: frail("abort"))
    ran = foreword("chat", *pair, "--gamma", 1, "--temperature", 0, stdin="Hello\nno more")
    assert ran.code == 1
    assert ran.err.splitlines()[-2:] == [
        "The engine stopped: signal 6 (aborted). What was written until then is kept.",
        "Run the command again to start the engine anew.",
    ]
    ran = foreword("compare", *pair, "--gamma", 1, "--temperature", 0, "Hello")
    assert ran.code == 1
    assert "--- drafting ahead, γ 1: " in ran.out  # what came until then is shown


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a disk that is full")
def test_what_cannot_be_written_costs_nothing_else(foreword, pair, tmp_path):
    run = [*pair, "--gamma", 2, "--max-tokens", 4, "--json", "/dev/full"]
    (tmp_path / "one.toml").write_text(
        'prompts = [{id="a", kind="code", messages=[{role="user", content="Hello"}]}]'
    )
    for command, shown in (("compare", "speed-up"), ("bench", "predicted")):
        more = ["--prompts", tmp_path / "one.toml"] if command == "bench" else ["Hello"]
        ran = foreword(command, *run, *more)
        assert ran.code == 2
        assert shown in ran.out
        assert "/dev/full cannot be written (No space left on device)." in ran.err


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a disk that is full")
@pytest.mark.parametrize(("command", "unbuffered"), [("models", ""), ("--help", "1")])
def test_a_full_standard_output_is_said_on_the_other(command: str, unbuffered: str) -> None:
    ran = subprocess.run(
        f'"{sys.executable}" -m engine {command} > /dev/full',
        shell=True,
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONUNBUFFERED": unbuffered},
        check=False,
    )
    assert ran.stderr == "Standard output cannot be written (No space left on device).\n"
    assert ran.returncode == 2


def test_a_file_whose_name_is_no_text_is_named_legibly(foreword, tiny_path, tmp_path):
    path = tmp_path / os.fsdecode(b"t\xff.gguf")
    assert f"{tmp_path}/t\\xff.gguf" in refused(foreword("chat", "--target", path, "Hello"))
    try:
        path.write_bytes(tiny_path().read_bytes())
    except OSError:
        pytest.skip("this file system takes text alone")
    run = ["--draft", path, "--threads", 1, "--max-tokens", 4]
    ran = foreword("chat", "--target", path, *run, "Hello")
    assert ran.code == 0
    told = foreword("compare", "--target", path, *run, "--json", tmp_path / "x.json", "Hello")
    assert told.code == 0


# Compare -----------------------------------------------------------------------------------------


@pytest.fixture
def compared(foreword, pair, tmp_path) -> tuple[Ran, dict]:
    path = tmp_path / "compared.json"
    ran = foreword("compare", *pair, "--max-tokens", 12, "--gamma", 3, "--json", path, "Hello")
    return ran, json.loads(path.read_text())


def test_compare_shows_both_texts_a_table_and_a_verdict(compared):
    ran, told = compared
    assert ran.code == 0
    for said in (
        "> Hello",
        "--- drafting ahead, γ 3:",
        "--- plain:",
        "tokens/s",
        "time to first token",
        "acceptance rate",
        "α",
        "tokens per round",
        "time in draft",
        "time in verify",
        "other",
        "speed-up",
        "time saved",
        "take turns",
        "the coupled rule",
        "One run has no spread",
    ):
        assert said in ran.out
    assert re.search(r"Drafting (pays|costs time|makes no difference|writes) ?.*\.", ran.out)
    assert "Both lanes wrote the same" in ran.out or "the lanes part" in ran.out
    assert told["prompt"] == "Hello"


def test_the_json_of_compare_holds_both_lanes_and_what_follows_from_them(compared):
    _ran, told = compared
    assert set(told) >= {
        "prompt", "pair", "options", "exact", "lanes", "speed_up", "time_saved", "break_even",
        "same_tokens", "parting",
    }  # fmt: skip
    assert set(told["lanes"]) == {"speculative", "plain"}
    assert told["options"]["gamma"] == 3
    assert told["options"]["rule"] == "coupled"
    for lane in told["lanes"].values():
        assert set(lane) >= {"text", "end", "tokens", "figures"}
        assert lane["figures"]["tokens"] == len(lane["tokens"])


def test_a_bare_dash_leaves_standard_output_to_the_json(foreword, pair):
    ran = foreword("compare", *pair, "--exact", "--max-tokens", 8, "--seed", 4, "--json", "-")
    told = json.loads(ran.out)
    assert told["exact"] is True
    assert told["parting"] is None
    assert told["lanes"]["speculative"]["text"] == told["lanes"]["plain"]["text"]
    assert told["options"]["seed"] == 4


@pytest.mark.parametrize(
    "command",
    [
        ["chat", "--max-tokens", 1, "hi"],
        ["compare", "--max-tokens", 1],
        ["bench", "--max-tokens", 1],
        ["tune", "--quick"],
    ],
)
def test_a_context_smaller_than_asked_for_is_said(foreword, pair, command):
    ran = foreword(*command, *pair, "--n-ctx", 5000)
    assert "The context is 2,048 tokens, the most this model was made for." in ran.err


def test_what_was_left_out_of_a_prompt_is_said(foreword, tiny_path):
    broken = tiny_path(template="{{ no_such_function() }}")
    draft = tiny_path(noise=0.3)
    ran = foreword(
        "compare", "hello", "--target", broken, "--draft", draft, "--gamma", 2, "--max-tokens", 2
    )
    assert ran.code == 0
    assert ran.err.count("chat template") == 1


# Bench -------------------------------------------------------------------------------------------


def test_bench_writes_runs_and_a_summary(foreword, pair, tmp_path):
    rows = [
        {"id": name, "kind": kind, "messages": [{"role": "user", "content": "Hello"}]}
        for name, kind in (("a", "code"), ("b", "story"))
    ]
    (tmp_path / "prompts.json").write_text(json.dumps(rows))
    ran = foreword(
        "bench", *pair, "--gamma", 2, "--temperature", 0, 0.8, "--max-tokens", 6,
        "--prompts", tmp_path / "prompts.json", "--json", tmp_path / "bench.json",
    )  # fmt: skip
    told = json.loads((tmp_path / "bench.json").read_text())
    assert ran.code == 0
    assert told["partial"] is False
    assert set(told["machine"]) >= {"system", "processor", "memory", "llama_cpp", "threads"}
    assert told["pair"]["target"]["path"] == str(pair[1])
    assert len(told["runs"]) == 2 * 2 * 2
    assert len(told["summary"]) == 2 * 2 * 2
    drafting = [row for row in told["summary"] if row["gamma"]]
    assert all(row["predicted_speed_up"] > 0 and row["speed_up"] > 0 for row in drafting)
    assert "predicted" in ran.out
    assert "A speed-up of a single run has no spread" in ran.out
    assert "8 of 8: b, γ 0, T 0.8: " in ran.err or "8 of 8: b, γ 2, T 0.8: " in ran.err


def test_bench_measures_within_the_context_that_there_is(foreword, tiny_path, tmp_path):
    # Not that of the settings: these models were made for 128 tokens.
    made = {"context_length": 128}
    run = ["--target", tiny_path(**made), "--draft", tiny_path(noise=0.3, **made), "--threads", 1]
    (tmp_path / "one.toml").write_text(
        'prompts = [{id="a", kind="code", messages=[{role="user", content="Hello"}]}]'
    )
    ran = foreword("bench", *run, "--max-tokens", 300, "--prompts", tmp_path / "one.toml")
    assert ran.code == 0
    assert "predicted" in ran.out


def test_bench_names_the_row_that_is_too_long_before_it_measures(foreword, pair, tmp_path):
    rows = [
        {"id": name, "kind": "code", "messages": [{"role": "user", "content": text}]}
        for name, text in (("a", "Hello"), ("b", "to be or not to be " * 60), ("c", "Hello"))
    ]
    (tmp_path / "prompts.json").write_text(json.dumps(rows))
    ran = foreword(
        "bench", *pair, "--n-ctx", 256, "--prompts", tmp_path / "prompts.json",
        "--json", tmp_path / "bench.json",
    )  # fmt: skip
    assert re.search(
        r"prompts\.json, row 2 \(b\): it is [\d,]+ tokens long and the context holds 256\.",
        refused(ran),
    )
    assert not (tmp_path / "bench.json").exists()


# Models ------------------------------------------------------------------------------------------


CONTENT = b"not really a model"
FETCHABLE = tuple(
    ModelFile(
        name=f"{role}.gguf",
        title=f"The {role}",
        role=role,
        size=len(CONTENT),
        sha256=hashlib.sha256(CONTENT).hexdigest(),
        licence="Apache-2.0",
        repo="nobody/nothing",
    )
    for role in ("target", "draft")
)


class Source:
    """Somewhere a few bytes come from, or not."""

    name = "a shelf"

    def __init__(self, broken: str = "") -> None:
        self.broken = broken

    def spare(self, _file: ModelFile) -> int:
        return 0

    def pour(self, _file: ModelFile, arriving: Arriving) -> None:
        if self.broken:
            raise SourceFailed(self.broken)
        arriving.write(CONTENT[arriving.length :])


@pytest.fixture
def source(monkeypatch) -> Source:
    made = Source()
    monkeypatch.setattr(starter, "default_sources", lambda: (made,))
    monkeypatch.setattr(starter, "STARTER_PAIR", FETCHABLE)
    monkeypatch.setattr(starter, "TARGET", FETCHABLE[0])
    monkeypatch.setattr(starter, "DRAFT", FETCHABLE[1])
    monkeypatch.setattr(getting, "SETS", {"starter": FETCHABLE, "small": FETCHABLE[1:]})
    monkeypatch.setattr(models, "KNOWN", FETCHABLE)
    return made


def test_fetch_says_what_how_much_and_from_where_before_it_fetches(foreword, source):
    ran = foreword("models", "fetch")
    assert ran.code == 0
    assert "To fetch: The target (18 bytes) and The draft (18 bytes), licence Apache-2.0" in ran.err
    assert "from the Hugging Face Hub" in ran.err
    assert str(paths.models_folder()) in ran.err
    assert "The draft (18 bytes) is here from a shelf." in ran.err
    assert (paths.models_folder() / "target.gguf").read_bytes() == CONTENT
    again = foreword("models", "fetch")
    assert again.code == 0
    assert "To fetch" not in again.err


def test_a_fetch_that_fails_says_why_and_fails(foreword, source):
    source.broken = "the shelf is empty"
    ran = foreword("models", "fetch", "small")
    assert ran.code == 1
    assert "a shelf: the shelf is empty" in ran.err


def test_a_bare_start_without_models_or_anyone_to_ask_fetches_them(foreword, source):
    ran = foreword()
    assert "To fetch: The target" in ran.err
    assert ran.code == 2  # what the shelf holds is no model
    assert "is not a GGUF model" in ran.err


def test_models_are_listed_with_what_is_wrong_with_them(foreword, tiny_path, source):
    folder = paths.models_folder()
    folder.mkdir(parents=True)
    (folder / "target.gguf").write_bytes(CONTENT)
    (folder / "draft.gguf.part").write_bytes(CONTENT[:9])
    (folder / "mine.gguf").write_bytes(tiny_path().read_bytes())
    (folder / "half.GGUF").write_bytes(tiny_path().read_bytes()[:-1])
    (folder / "notes.txt").write_text("no model")
    told = json.loads(foreword("models", "list", "--json").out)
    rows = {row["name"]: row for row in told["models"]}
    assert list(rows) == ["target.gguf", "draft.gguf", "mine.gguf", "half.GGUF"]
    assert (rows["target.gguf"]["here"], rows["target.gguf"]["ok"]) == (len(CONTENT), False)
    assert "does not begin as a GGUF file does" in rows["target.gguf"]["reason"]
    assert rows["draft.gguf"]["reason"] == "50 % fetched"
    assert rows["mine.gguf"]["ok"]
    assert not rows["half.GGUF"]["ok"]
    assert rows["half.GGUF"]["reason"].startswith("incomplete: it has")
    assert json.loads(foreword("models", "--json", "list").out) == told
    shown = foreword("models").out
    assert all(name in shown for name in rows)
    assert "`foreword models fetch` brings the starter pair." in shown


@pytest.mark.skipif(os.name == "nt", reason="a shell closes the streams")
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-"])
def test_a_stream_that_was_closed_before_the_start_does_no_harm(closed: str) -> None:
    command = f'"{sys.executable}" -m engine models list {closed}'
    ran = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert ran.returncode == 0
    assert "Traceback" not in ran.stdout + ran.stderr
