"""Every figure as text."""

from __future__ import annotations

from dataclasses import replace

from app.panel import words
from app.panel.account import entries
from app.panel.explain import Key
from app.panel.facts import Facts
from app.panel.worth import Worth
from tests.app.panel.events import ready
from tests.app.panel.test_facts import facts


def test_a_run_gives_every_figure() -> None:
    found = words.values(facts())
    of_others = {Key.CLOCK, Key.OVER_TIME, Key.CURVE, Key.PASSES, Key.SURVIVAL, Key.BYTES}
    assert set(found) == set(Key) - of_others
    assert found[Key.SPEED] == "23.4 tokens/s"
    assert found[Key.CONTEXT] == "798 of 4,096 tokens"
    assert found[Key.PLACES].startswith("1: ")
    assert found[Key.LENGTHS].startswith("0 accepted: ")


def test_what_is_not_measured_has_no_text() -> None:
    found = words.values(facts(plain_speed=None))
    missing = {Key.SPEED_UP, Key.SAVED, Key.BREAK_EVEN, Key.SKIPPED, Key.WIDER, Key.NET}
    assert not missing & set(found)
    assert words.values(Facts()) == {}


def test_a_plain_run_claims_nothing_of_drafting() -> None:
    found = words.values(facts(gamma=0))
    drafting = {Key.ACCEPTANCE, Key.ALPHA, Key.PER_ROUND, Key.ROUNDS, Key.DRAFTING, Key.SPEED_UP}
    assert not drafting & set(found)
    assert Key.SPEED in found


def test_before_a_run_the_context_says_how_much_it_holds() -> None:
    assert words.values(Facts(ready()))[Key.CONTEXT] == "up to 4,096 tokens"


def test_memory_is_told_as_far_as_the_engine_tells_it() -> None:
    found = words.values(Facts(ready()))
    assert found[Key.WEIGHTS] == "1.6\u00a0GB"
    assert found[Key.CACHES] == "168\u00a0MB"
    assert found[Key.BUFFERS] == "41\u00a0MB"
    untold = words.values(Facts(replace(ready(), memory=None)))
    assert untold[Key.WEIGHTS] == "1.6\u00a0GB"
    assert not {Key.CACHES, Key.BUFFERS} & set(untold)


def test_time_lost_is_said_as_lost() -> None:
    assert words.saved(Worth(0.8, -1.2, None)) == "Lost 1.2\u00a0s, prompt included."
    assert words.pays_from(Worth(0.8, -1.2, None)) == "Loses at any length of reply."
    assert words.pays_from(Worth(1.2, 1.2, 40.6)) == "Breaks even at 41 tokens of reply."


def test_more_than_twice_as_fast_is_said_in_times() -> None:
    said = words.verdict(Worth(0.43, -9, None))
    assert said == "Drafting costs time here: plain is 2.33× faster."


def test_the_ledger_has_the_signs_it_is_painted_with() -> None:
    given = facts()
    found = words.values(given)
    assert given.ledger is not None
    for entry in entries(given.ledger):
        assert found[entry.key] == entry.amount
    assert found[Key.SKIPPED].startswith("+")
    assert found[Key.DRAFTING].startswith("−")
    assert found[Key.NET].startswith("+")
    assert found[Key.ROUND][0].isdigit()
