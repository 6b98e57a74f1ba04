"""The one thing that is said, and what its button does."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.panel import words
from app.panel.explain import Key
from app.panel.facts import Act, Advice, Facts, Kind, advice
from app.panel.run import Run, State
from engine.protocol import Done
from tests.app.panel.events import USUAL, Pace, ready, reply
from tests.support.tuned import RECORD


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


def test_a_tuned_pair_is_told_no_gamma_but_the_advised_one() -> None:
    given = facts(7, pace=Pace(alpha=0.72, per_token=0.03))
    assert given.ready is not None
    given.ready = replace(given.ready, tuning=RECORD)
    assert advice(given) == Advice(Kind.COSTS, Act.COMPARE)
    given.advised = 2
    assert advice(given) == Advice(Kind.COSTS, Act.SET_GAMMA, 2)
    given.advised = 0
    assert advice(given) == Advice(Kind.COSTS, Act.GO_PLAIN)


@pytest.mark.parametrize("gamma", [0, 3])
def test_a_reply_from_before_the_tuning_is_not_judged(gamma: int) -> None:
    given = facts(ready=ready(gamma=gamma))
    given.run.is_outdated = True
    found = advice(given)
    assert found.kind is Kind.BEFORE_TUNING
    assert words.said(found, given).startswith("This reply was written before the tuning")
    assert Key.SPEED_UP not in words.values(given)


@pytest.mark.parametrize("act", [Act.GO_PLAIN, Act.SET_GAMMA, Act.DRAFT])
def test_in_mid_reply_the_button_says_from_when_on_it_counts(act: Act) -> None:
    found = Advice(Kind.COSTS, act, 2)
    assert words.label(found, is_writing=True).endswith("from the next reply on")
    assert "next reply" not in words.label(found)
