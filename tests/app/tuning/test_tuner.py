"""A tuning from its beginning to each of its ends."""

from __future__ import annotations

from pathlib import Path

from app.pairs import Pair
from app.phases import Phase
from app.tuning.tuner import Stage, Tuner
from engine.errors import MachineBusy, NothingToTune, Stopped
from engine.protocol import Ready, Tune, Tuned, Tuning
from tests.app.windows import Desk
from tests.support.tuned import RECORD


def test_it_measures_as_the_open_chat_chooses_its_tokens(desk: Desk, tuner: Tuner) -> None:
    desk.load()
    desk.session.choices.choose("temperature", 0.0)
    tuner.begin(quick=True)
    sent = desk.bridge.last
    assert isinstance(sent, Tune)
    assert (sent.quick, sent.sampling.temperature) == (True, 0.0)
    assert tuner.stage is Stage.MEASURING


def test_no_reply_is_written_meanwhile(desk: Desk, tuner: Tuner) -> None:
    desk.load()
    tuner.begin()
    assert desk.session.phase is Phase.TUNING
    assert not desk.session.send("Hello")
    assert not tuner.can_begin
    tuner.begin()
    assert len(desk.bridge.of(Tune)) == 1


def test_it_does_not_begin_without_a_pair_or_while_a_reply_is_written(
    desk: Desk, tuner: Tuner
) -> None:
    desk.load(draft=None)
    tuner.begin()
    desk.load()
    desk.session.send("Hello")
    tuner.begin()
    assert desk.bridge.of(Tune) == []
    assert tuner.stage is Stage.IDLE


def test_it_tells_how_far_it_is(desk: Desk, tuner: Tuner, qtbot) -> None:
    desk.load()
    tuner.begin()
    with qtbot.waitSignal(tuner.progressed):
        desk.bridge.tell(Tuning(0.4, "Choosing"))
    assert (tuner.fraction, tuner.what) == (0.4, "Choosing")


def test_what_it_found_is_in_force_from_the_next_reply_on(desk: Desk, tuner: Tuner) -> None:
    desk.life.load(Pair(Path("/models/target.gguf"), Path("/models/draft.gguf")), _settings(desk))
    desk.bridge.be_ready(gamma=7, notes=("The stored tuning is not used.",))
    desk.session.show(None)
    tuner.begin()
    desk.bridge.tell(Tuned(RECORD))
    assert tuner.stage is Stage.IDLE
    assert desk.session.phase is Phase.READY
    assert desk.session.gamma == RECORD.gamma
    assert tuner.record is RECORD
    assert desk.card is None  # what was noted at the load is not said again
    ready = desk.life.ready
    assert isinstance(ready, Ready)
    assert ready.costs is not None
    assert ready.costs.passes[4] == RECORD.passes[3]


def _settings(desk: Desk):
    return desk.session.settings


def test_a_gamma_of_the_users_own_is_left_alone(desk: Desk, tuner: Tuner) -> None:
    desk.load()
    desk.session.choose_gamma(9)
    tuner.begin()
    desk.bridge.tell(Tuned(RECORD))
    assert desk.session.gamma == 9


def test_it_can_be_given_up(desk: Desk, tuner: Tuner) -> None:
    desk.load()
    tuner.begin()
    number = desk.bridge.last.id
    tuner.cancel()
    tuner.cancel()
    assert desk.bridge.stopped == [number]
    assert tuner.stage is Stage.STOPPING
    desk.bridge.fail(Stopped())
    assert tuner.stage is Stage.IDLE
    assert tuner.failure is None
    assert desk.session.send("Hello")


def test_a_busy_machine_is_kept_in_mind_until_it_is_measured_again(
    desk: Desk, tuner: Tuner
) -> None:
    desk.load()
    tuner.begin(quick=True)
    desk.bridge.fail(MachineBusy(percent=40))
    assert tuner.stage is Stage.FAILED
    assert tuner.failure is not None
    assert tuner.failure.code == MachineBusy.code
    assert desk.card is None  # the box says it, where the button is
    tuner.again()
    assert desk.bridge.last.quick
    assert tuner.failure is None


def test_another_pair_clears_what_kept_the_last_one_from_being_tuned(
    desk: Desk, tuner: Tuner
) -> None:
    desk.load()
    tuner.begin()
    desk.bridge.fail(NothingToTune(reason="the target ends every reply at once"))
    desk.load()
    assert tuner.stage is Stage.IDLE
    assert tuner.failure is None


def test_a_dead_engine_ends_it_and_is_said_as_ever(desk: Desk, tuner: Tuner) -> None:
    desk.load()
    tuner.begin()
    desk.bridge.die()
    assert tuner.stage is Stage.IDLE
    assert desk.session.phase is Phase.LOST
    assert desk.card is not None


def test_another_load_ends_it(desk: Desk, tuner: Tuner) -> None:
    desk.load()
    tuner.begin()
    number = desk.bridge.last.id
    desk.session.stop()
    assert desk.bridge.stopped == [number]
    desk.life.reload()
    desk.bridge.told.emit(_stopped(number))
    desk.bridge.be_ready()
    assert tuner.stage is Stage.IDLE
    assert desk.session.phase is Phase.READY


def _stopped(number: int):
    from engine.protocol import Failed

    return Failed.of(Stopped(), number)
