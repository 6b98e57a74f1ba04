"""``foreword tune``: its chart, its sentences, its JSON; advice and Auto in a conversation."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random

import pytest
from rich.console import Console

from engine import cli, errors, tunings
from engine.pairing import Verdict
from engine.protocol import Done, Failed, ModelInfo, Ready, Tune, Tuned, Tuning
from engine.settings import Settings
from engine.stats import End
from engine.terminal import curve, words
from engine.terminal.advising import Advising
from engine.terminal.failures import RequestFailed
from engine.terminal.screen import JsonTarget, Screen
from engine.terminal.tune import tune, verdict
from engine.tunings import EVERYDAY, Point, Record
from tests.engine.conftest import TinyPath
from tests.support.conversations import reply
from tests.support.tuned import ALPHAS, CPU, RECORD, tuned

MODEL = ModelInfo("a model", "llama 1B Q4_K", "/models/a.gguf", 1, 1, 1)


def ready(record: Record | None = RECORD) -> Ready:
    return Ready(
        MODEL, MODEL, ("CPU (a processor)",), 4096, 2, 3, Verdict(ok=True), (), None, tuning=record
    )


def text_of(table: object, width: int = 100) -> str:
    console = Console(file=io.StringIO(), width=width, color_system=None)
    console.print(table)
    return console.file.getvalue()  # type: ignore[attr-defined]


# The chart ---------------------------------------------------------------------------------------


def test_the_chart_has_a_row_for_each_gamma_and_marks_the_best() -> None:
    lines = text_of(curve.chart(RECORD)).splitlines()
    rows = lines[1:]
    assert [int(line.split()[0]) for line in rows] == list(range(17))
    marked = [line for line in rows if "←" in line]
    assert [int(line.split()[0]) for line in marked] == [RECORD.gamma]
    assert "1.00×" in rows[0]
    everyday = RECORD.curve()
    assert everyday is not None
    assert f"{everyday.speed_up[3]:.2f}×" in rows[3]
    assert "~" in rows[5]  # a pass of 6 was not timed
    assert "~" not in rows[3]


def test_bars_that_lose_end_before_the_line_at_1_and_bars_that_gain_after_it() -> None:
    slow = tuned(replace(CPU, draft_step=0.06))
    for line in text_of(curve.chart(slow)).splitlines()[2:]:
        assert line.index("│") > line.rindex("█")
    for line in text_of(curve.chart(RECORD)).splitlines()[2:5]:
        assert "│" not in line


def test_what_was_tried_stands_beside_what_was_predicted() -> None:
    # On code alone, where a little less came than was predicted: so it is drawn for all kinds.
    everyday = RECORD.curve()
    assert everyday is not None
    shown = f"{everyday.speed_up[3] * 1.68 / 1.7:.2f}×"
    assert text_of(curve.chart(RECORD)).splitlines()[4].rstrip().endswith(shown)


def test_each_kind_has_a_row_with_its_best_gamma() -> None:
    lines = text_of(curve.kinds(RECORD)).splitlines()
    assert [line.split()[0] for line in lines[1:]] == ["code", "everyday", "story", EVERYDAY]
    code = RECORD.curve("code")
    assert code is not None
    assert f" {code.gamma} " in lines[1]
    assert words.percent(code.survival[0]) in lines[1]


# The sentences -----------------------------------------------------------------------------------


def test_a_gain_is_said_with_its_size() -> None:
    everyday = RECORD.curve()
    assert everyday is not None
    (first, *_rest) = verdict(RECORD)
    assert f"γ = {RECORD.gamma} is best" in first
    assert f"{everyday.speed_up[RECORD.gamma]:.2f}×" in first
    assert "at temperature 0.7" in first


def test_that_drafting_does_not_pay_is_said_plainly() -> None:
    record = tuned(replace(CPU, draft_step=0.07), temperature=0.0)
    assert record.gamma == 0
    (first, *_rest) = verdict(record)
    assert "γ = 0 is best" in first
    assert "plain decoding is faster" in first
    assert "greedily" in first


def test_kinds_that_another_gamma_suits_are_named() -> None:
    record = tuned(replace(CPU, draft_step=0.04), {"code": 0.95, "story": 0.4})
    assert record.gamma == 0
    assert any("Other γ are best for: code: γ = " in sentence for sentence in verdict(record))


def test_a_gain_that_may_be_none_is_said_to_be_so() -> None:
    def with_low(low: float) -> list[str]:
        curves = tuple(replace(c, low=(1.0, *[low] * 16)) for c in RECORD.curves)
        return verdict(replace(RECORD, curves=curves))

    everyday = RECORD.curve()
    assert everyday is not None
    doubt = f"It may be no faster: nine times in ten it is 0.97× to {everyday.high[3]:.2f}×."
    assert doubt in with_low(0.97)
    assert not any("no faster" in sentence for sentence in with_low(1.01))


def test_other_kinds_gammas_are_named_with_their_bands() -> None:
    record = tuned(replace(CPU, draft_step=0.04), {"code": 0.95, "story": 0.4})
    code = record.curve("code")
    assert code is not None
    low, high = code.low[code.gamma], code.high[code.gamma]
    (said,) = [sentence for sentence in verdict(record) if "Other γ" in sentence]
    assert f"{code.speed_up[code.gamma]:.2f}× ({low:.2f} to {high:.2f})" in said


def test_fewer_threads_are_said() -> None:
    record = replace(RECORD, threads=1)
    assert "1 thread is faster than 2 here." in verdict(record)
    assert not any("faster than 2 here" in sentence for sentence in verdict(RECORD))


# The command -------------------------------------------------------------------------------------


class Asked:
    """A request to a session of the test's own."""

    def __init__(self, events: list[object]) -> None:
        self.ticker = self
        self.shown: list[str] = []
        self._events = events

    def show(self, text: str) -> None:
        self.shown.append(text)

    def __enter__(self) -> Asked:
        return self

    def __exit__(self, *_error: object) -> None: ...

    def __iter__(self):
        for event in self._events:
            if isinstance(event, Failed):
                raise RequestFailed(event.code, event.sentence, event.detail)
            yield event


class Session:
    """Answers each request with the next of its answers."""

    def __init__(self, *answers: object, record: Record | None = None) -> None:
        self.ready = ready(record)
        self.asked: list[Tune] = []
        self._answers = list(answers)

    def ask(self, request: Tune) -> Asked:
        self.asked.append(request)
        answer = self._answers.pop(0)
        return Asked([Tuning(0.5, "Timing both models"), answer])


BUSY = Failed.of(errors.MachineBusy(percent=40), 1)


@dataclass
class Typed:
    """A screen whose person answers so."""

    screen: Screen
    out: io.StringIO
    questions: list[str]


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Typed]:
    def make(*answers: bool) -> Typed:
        out, questions, left = io.StringIO(), [], list(answers)
        console = Console(file=out, width=100, color_system=None)
        screen = Screen(console, console, interactive=bool(answers))

        def yes(question: str) -> bool:
            questions.append(question)
            return left.pop(0)

        monkeypatch.setattr(screen, "yes", yes)
        return Typed(screen, out, questions)

    return make


def test_the_result_is_shown_and_what_was_asked_is_what_the_user_chats_with(typed) -> None:
    person, session = typed(), Session(Tuned(RECORD))
    assert tune(person.screen, session, Settings(temperature=0.4), quick=True) == 0
    assert session.asked[0].sampling.temperature == 0.4
    assert session.asked[0].quick
    assert "is best here" in person.out.getvalue()
    assert "stored for this pair" in person.out.getvalue()


def test_a_result_that_could_not_be_stored_is_not_said_to_be(typed) -> None:
    person = typed()
    assert tune(person.screen, Session(Tuned(RECORD, "It cannot be stored.")), Settings()) == 0
    assert "It cannot be stored." in person.out.getvalue()
    assert "stored for this pair" not in person.out.getvalue()


def test_a_busy_machine_is_said_and_a_person_is_offered_to_repeat(typed) -> None:
    person = typed(True)
    assert tune(person.screen, Session(BUSY, Tuned(RECORD)), Settings()) == 0
    assert person.questions == ["Tune again now?"]
    said = " ".join(person.out.getvalue().split())
    assert "vary by 40 %" in said
    with pytest.raises(RequestFailed, match="tune again"):
        tune(typed(False).screen, Session(BUSY), Settings())


def test_a_program_is_told_of_a_busy_machine_by_the_error(typed) -> None:
    person = typed()
    with pytest.raises(RequestFailed, match="tune again"):
        tune(person.screen, Session(BUSY), Settings())
    assert person.questions == []


def test_the_json_has_the_recommendation_and_how_near_the_sweep_s_best_it_is(
    typed, tmp_path
) -> None:
    points = [
        Point(kind, 0.7, gamma, 40, 1.0, {0: 1.0, 3: 1.2, 7: 1.5}[gamma])
        for kind in ALPHAS
        for gamma in (0, 3, 7)
    ]
    record = replace(RECORD, sweep=tuple(points), gamma=3)
    curves = tuple(replace(c, gamma=3) for c in record.curves)
    path = tmp_path / "tuned.json"
    session = Session(Tuned(replace(record, curves=curves)))
    tune(typed().screen, session, Settings(), exhaustive=True, to=JsonTarget(str(path)))
    told = json.loads(path.read_text())
    assert told["recommended"]["gamma"] == 3
    assert told["exhaustive"]["everyday"]["best_gamma"] == 7
    assert told["exhaustive"]["everyday"]["nearness"] == pytest.approx(1.2 / 1.5)
    assert told["exhaustive"]["by_kind"]["code"]["nearness"] == pytest.approx(0.8)


def test_a_pair_that_cannot_speculate_is_refused(typed) -> None:
    session = Session()
    session.ready = replace(session.ready, draft=None, verdict=Verdict(ok=False, reason="of this"))
    with pytest.raises(errors.PairRefused, match="of this"):
        tune(typed().screen, session, Settings())


# Advice and Auto ---------------------------------------------------------------------------------


def done(gamma: int, alpha: float, seed: int = 1) -> Done:
    figures = reply(Random(seed), CPU, gamma, alpha, 96)
    return Done("chat", End.END, "text", (1,), figures, 1)


def test_a_gain_is_named_once_with_its_interval_and_how_to_take_it() -> None:
    advising = Advising(ready(), Settings())
    said = [advising.learn(done(1, 0.95, seed), 1) for seed in range(8)]
    told = [sentence for sentence in said if sentence]
    assert len(told) == 1
    assert "% faster for this conversation (" in told[0]
    assert told[0].endswith("uses it.")


def test_without_a_tuning_nothing_is_said_and_auto_chooses_nothing() -> None:
    advising = Advising(ready(None), Settings(auto_gamma=True))
    assert not advising.is_able
    assert advising.gamma is None
    assert advising.learn(done(1, 0.95), 1) == ""


def test_auto_gives_the_next_gamma_and_no_advice() -> None:
    advising = Advising(ready(), Settings(auto_gamma=True))
    assert advising.gamma == advising.usual == RECORD.gamma
    for seed in range(6):
        assert advising.learn(done(3, 0.15, seed), 3) == ""
    assert advising.gamma == 0
    advising.begin()
    assert advising.gamma == RECORD.gamma


# In a conversation -------------------------------------------------------------------------------


@pytest.fixture
def piped(monkeypatch, capsys, tiny_path: TinyPath) -> Callable[..., str]:
    """A conversation of these lines with a tiny pair; what was said on both streams."""

    def run(*lines: str, options: tuple[str, ...] = ()) -> str:
        monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(lines)))
        pair = ["--target", str(tiny_path()), "--draft", str(tiny_path(noise=0.04))]
        assert cli.main(["chat", *pair, "--threads", "1", "--max-tokens", "6", *options]) == 0
        out, err = capsys.readouterr()
        return out + err

    return run


@pytest.fixture
def stored(tiny_path: TinyPath) -> Record:
    """A tuning of the tiny pair, as it is loaded by ``piped``."""
    from engine.engine import Engine, tuning_versions
    from engine.loading import LoadOptions

    engine = Engine.load(tiny_path(), tiny_path(noise=0.04), LoadOptions(threads=1))
    try:
        assert engine.key is not None
        record = replace(
            RECORD, key=engine.key, versions=tuning_versions(engine.pair), gamma=4, threads=1
        )
    finally:
        engine.free()
    tunings.keep(record)
    return record


@pytest.mark.small
def test_auto_wants_a_tuning_first(piped) -> None:
    assert "Auto needs to know what passes cost here" in piped("/auto")


@pytest.mark.small
def test_a_stored_tuning_is_in_force_and_auto_is_switched_on_and_off(piped, stored) -> None:
    said = piped("/gamma", "/auto", "hello", "/auto", "/gamma 2", "/new")
    assert "γ is 4, as tuned." in said
    assert "Auto is on: γ is chosen anew for each reply. γ is 4 for the next reply" in said
    assert "Auto is off." in said
    assert "γ is 2." in said
    begun = piped("/gamma", options=("--auto-gamma", "yes"))
    assert "γ is 4 for the next reply, chosen by Auto." in begun
