"""What the replies of a chat say about its γ, and why Auto chose the one it did."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from app.tuning.advising import Advising, Why, usual_gamma
from engine.protocol import Ready
from tests.support import stub_bridge
from tests.support.conversations import reply
from tests.support.tuned import CPU, RECORD, tuned

CHAT, OTHER = 1, 2
UNTUNED = stub_bridge.ready()
READY = replace(UNTUNED, tuning=RECORD, gamma=RECORD.gamma)
HOT = 0.7


def talk(
    advising: Advising, gamma: int, alpha: float, replies: int, *, is_alone: bool = True
) -> None:
    random = Random(4)
    for _reply in range(replies):
        figures = reply(random, CPU, gamma, alpha, 96)
        advising.learn(CHAT, figures, gamma, is_alone=is_alone)


def advising(ready: Ready = READY) -> Advising:
    made = Advising()
    made.follow(ready)
    return made


def test_without_a_tuning_no_costs_are_known_and_nothing_is_said() -> None:
    known = advising(UNTUNED)
    talk(known, 7, 0.2, 6)
    assert known.advice(CHAT, UNTUNED, HOT, 7) is None
    assert known.choice(CHAT, UNTUNED, HOT) is None
    assert known.choice(CHAT, None, HOT) is None


def test_a_chat_is_advised_by_its_own_replies_alone() -> None:
    known = advising()
    talk(known, 7, 0.2, 6)
    advice = known.advice(CHAT, READY, HOT, 7)
    assert advice is not None
    assert advice.gamma == 0
    assert known.advice(OTHER, READY, HOT, 7) is None


def test_replies_from_before_the_tuning_count_once_there_is_one() -> None:
    known = advising(UNTUNED)
    talk(known, 7, 0.2, 6)
    known.follow(READY)
    assert known.advice(CHAT, READY, HOT, 7) is not None


def test_another_pair_begins_anew() -> None:
    known = advising()
    talk(known, 7, 0.2, 6)
    other = replace(READY, target=replace(READY.target, path="/models/other.gguf"))
    known.follow(None)
    known.follow(other)
    assert known.advice(CHAT, other, HOT, 7) is None


def test_a_tuning_made_anew_is_gone_by_with_all_that_was_heard() -> None:
    known = advising()
    talk(known, 7, 0.2, 6)
    before = known.advice(CHAT, READY, HOT, 7)
    again = replace(READY, tuning=tuned(replace(CPU, draft_step=0.03)))
    after = known.advice(CHAT, again, HOT, 7)
    assert before is not None
    assert after is not None
    assert after.gain > before.gain


def test_a_comparison_says_what_is_accepted_but_not_what_a_reply_takes() -> None:
    known = advising()
    talk(known, 7, 0.2, 6, is_alone=False)
    assert known.advice(CHAT, READY, HOT, 7) is not None
    choice = known.choice(CHAT, READY, HOT)
    assert choice is not None
    assert choice.why is Why.TUNED


def test_auto_begins_with_the_tuned_gamma_and_stays_where_it_is_good() -> None:
    known = advising()
    first = known.choice(CHAT, READY, HOT)
    assert first is not None
    assert (first.gamma, first.why) == (RECORD.gamma, Why.TUNED)
    talk(known, RECORD.gamma, 0.8, 3)
    then = known.choice(CHAT, READY, HOT)
    assert then is not None
    assert (then.gamma, then.why) == (RECORD.gamma, Why.KEPT)
    assert then.tested > 100
    assert 0.7 < then.accepted < 0.9
    assert then.speed_up > 1


def test_auto_gives_drafting_up_where_it_costs_time_and_says_so() -> None:
    known = advising()
    talk(known, RECORD.gamma, 0.1, 4)
    choice = known.choice(CHAT, READY, HOT)
    assert choice is not None
    assert (choice.gamma, choice.why) == (0, Why.PLAIN)


def test_auto_says_from_which_gamma_it_changed() -> None:
    known = advising()
    talk(known, 1, 0.95, 6)
    choice = known.choice(CHAT, READY, HOT)
    assert choice is not None
    assert (choice.why, choice.before) == (Why.CHANGED, 1)
    assert choice.gamma > 1


def test_auto_calls_drafting_after_plain_replies_a_trial() -> None:
    known = advising()
    random = Random(3)
    for _reply in range(3):
        known.learn(CHAT, reply(random, CPU, 0, 0.0, 96), 0)
    choice = known.choice(CHAT, READY, HOT)
    assert choice is not None
    assert (choice.why, choice.gamma) == (Why.TRIAL, RECORD.gamma)


def test_the_usual_gamma_is_the_tuned_one_of_the_way_of_choosing_tokens() -> None:
    assert usual_gamma(None, HOT) == 0
    assert usual_gamma(UNTUNED, HOT) == 3
    assert usual_gamma(READY, HOT) == RECORD.gamma_at(HOT)
    assert usual_gamma(READY, 0.0) == RECORD.gamma_at(0.0)
