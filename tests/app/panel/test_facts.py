"""The one thing that is said, and what its button does."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.panel import words
from app.panel.facts import Act, Facts, Kind, advice
from app.panel.run import Run, State
from engine.protocol import Done
from tests.app.panel.events import USUAL, Pace, ready, reply


def facts(gamma: int = 3, count: int = 200, pace: Pace = USUAL, **known: object) -> Facts:
    run = Run(gamma, State.READING)
    for event in reply(gamma, count, pace):
        run.finish(event) if isinstance(event, Done) else run.emitted(event)
    return Facts(**{"ready": ready(), "plain_speed": 14.0, "run": run, **known})


LONG_PROMPT = Pace(draft_prompt=1.5, prompt=3.0)
SLOW = Pace(alpha=0.3, per_token=0.04)

CASES = {
    "no model": (Facts(), Kind.NO_MODEL, Act.NOTHING),
    "no draft": (Facts(ready(draft=False, reason="x")), Kind.NO_DRAFT, Act.NOTHING),
    "nothing asked yet": (Facts(ready()), Kind.WAITING, Act.NOTHING),
    "a guess of no gain": (Facts(ready(gamma=0)), Kind.NO_GAIN_GUESSED, Act.COMPARE),
    "reading": (Facts(ready(), 14.0, Run(3, State.READING)), Kind.READING, Act.NOTHING),
    "plain": (facts(gamma=0), Kind.PLAIN, Act.DRAFT),
    "plain, as guessed": (facts(gamma=0, ready=ready(gamma=0)), Kind.PLAIN, Act.NOTHING),
    "plain speed unknown": (facts(plain_speed=None), Kind.UNMEASURED, Act.COMPARE),
    "too short": (facts(count=12), Kind.TOO_SHORT, Act.NOTHING),
    "pays": (facts(), Kind.PAYS, Act.COMPARE),
    "pays later": (
        facts(count=30, pace=Pace(draft_prompt=1.5, prompt=3.0)),
        Kind.LATER,
        Act.COMPARE,
    ),
    "no difference": (facts(plain_speed=23.2), Kind.SAME, Act.COMPARE),
    "costs": (facts(pace=SLOW), Kind.COSTS, Act.GO_PLAIN),
    "costs, but less": (facts(7, pace=Pace(alpha=0.72, per_token=0.03)), Kind.COSTS, Act.SET_GAMMA),
}


@pytest.mark.parametrize("case", CASES)
def test_each_situation_has_its_words_and_its_button(case: str) -> None:
    given, kind, act = CASES[case]
    found = advice(given)
    assert (found.kind, found.act) == (kind, act)
    said = words.said(found, given)
    assert said.endswith((".", "…"))
    assert "{" not in said
    assert bool(words.label(found)) == (act is not Act.NOTHING)


def test_a_lost_run_is_said_whatever_is_loaded() -> None:
    given = facts(ready=None)
    given.run.state = State.LOST
    assert advice(given).kind is Kind.LOST


def test_no_draft_is_said_with_its_reason() -> None:
    given = Facts(ready(draft=False, reason="the target’s bos is 1 and the draft’s is 2."))
    said = words.said(advice(given), given)
    assert said == "Drafting is off: the target’s bos is 1 and the draft’s is 2."


def test_the_verdict_is_one_plain_sentence() -> None:
    given = facts()
    assert words.said(advice(given), given) == "Drafting pays here: 1.67× faster."
    given.plain_speed = 1.12 * given.run.figures.tokens_per_second
    assert (
        words.said(advice(given), given) == "Drafting costs time here: plain is 12\u00a0% faster."
    )


def test_context_counts_prompt_and_reply() -> None:
    given = facts()
    assert given.context_used == 598 + 200
    assert replace(given, run=Run()).context_used == 0
