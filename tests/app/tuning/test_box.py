"""What the tuner is at, in words and buttons."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtWidgets import QPushButton

from app.actions import Actions
from app.cards import Card
from app.theme import Theme
from app.tuning.box import TuneBox
from app.tuning.section import GammaSection
from app.tuning.tuner import Tuner
from engine.errors import MachineBusy, Stopped
from engine.protocol import Tune, Tuned, Tuning
from tests.app.windows import Desk
from tests.support.tuned import RECORD

MakeBox = Callable[..., TuneBox]


@pytest.fixture
def make(theme: Theme, actions: Actions, desk: Desk, tuner: Tuner, qtbot) -> MakeBox:
    def make(*, is_small: bool = True) -> TuneBox:
        box = TuneBox(theme, actions, desk.session, tuner, is_small=is_small)
        qtbot.addWidget(box)
        box.show()
        return box

    return make


def buttons(box: TuneBox) -> list[str]:
    """Those that can be seen."""
    return [each.text() for each in box.findChildren(QPushButton) if each.isVisible()]


def test_before_a_tuning_the_guess_is_called_one_and_the_button_is_beside_it(
    make: MakeBox, desk: Desk
) -> None:
    box = make()
    desk.load()
    assert box.sentence.text() == "γ\u00a03 is a guess from a short timing."
    assert buttons(box) == ["Tune γ", "Quick"]
    box.quick.click()
    assert desk.bridge.of(Tune)[-1].quick


def test_a_guess_of_plain_decoding_is_one_too(make: MakeBox, desk: Desk) -> None:
    box = make()
    desk.load()
    desk.life.reload()
    desk.bridge.be_ready(gamma=0)
    assert "is a guess" in box.sentence.text()


def test_progress_is_shown_and_can_be_ended(make: MakeBox, desk: Desk) -> None:
    box = make()
    desk.load()
    box.tune.click()
    desk.bridge.tell(Tuning(0.25, "Trying γ 3: code"))
    assert box.bar.isVisible()
    assert box.bar.value() == 250
    assert box.detail.text() == "Trying γ 3: code …"
    assert buttons(box) == ["Cancel"]
    box.cancel.click()
    assert not box.cancel.isEnabled()
    assert box.detail.text() == "Stopping …"
    desk.bridge.fail(Stopped())
    assert buttons(box) == ["Tune γ", "Quick"]


def test_a_busy_machine_is_said_with_measure_again(make: MakeBox, desk: Desk) -> None:
    box = make()
    desk.load()
    box.tune.click()
    desk.bridge.fail(MachineBusy(percent=40))
    assert "vary by 40 %" in box.sentence.text()
    assert buttons(box) == ["Measure again"]
    box.again.click()
    assert len(desk.bridge.of(Tune)) == 2
    assert buttons(box) == ["Cancel"]


def test_what_was_found_is_said_and_put_in_force_by_a_press(make: MakeBox, desk: Desk) -> None:
    box = make()
    desk.load()
    desk.session.choose_gamma(9)
    box.tune.click()
    desk.bridge.tell(Tuned(RECORD))
    assert box.sentence.text() == "γ\u00a03 is best here: about 1.28× plain."
    assert "84.2\u00a0s" in box.detail.text()
    assert "11/29/26" in box.detail.text()
    assert buttons(box) == ["Use γ\u00a03", "Curve"]
    box.use.click()
    assert desk.session.gamma == 3
    assert buttons(box) == ["Tune again", "Curve"]


def test_a_gain_that_may_be_none_is_said_to_be_so(make: MakeBox, desk: Desk) -> None:
    box = make()
    desk.load()
    box.tune.click()
    desk.bridge.tell(Tuned(RECORD))
    assert "no faster" not in box.detail.text()
    curves = tuple(replace(curve, low=(1.0, *[0.97] * 16)) for curve in RECORD.curves)
    box.tune.click()
    desk.bridge.tell(Tuned(replace(RECORD, curves=curves)))
    assert box.detail.text().startswith("It may be no faster: nine times in ten it is 0.97× to")
    assert "84.2\u00a0s" in box.detail.text()


def test_that_it_could_not_be_stored_is_said_in_a_card(make: MakeBox, desk: Desk) -> None:
    box = make()
    desk.load()
    box.tune.click()
    note = (
        "What was found cannot be stored in /full (No space left on device): "
        "it is in force only until the models are loaded again."
    )
    cards: list[Card | None] = []
    desk.session.card.connect(cards.append)
    desk.bridge.tell(Tuned(RECORD, note))
    assert [card.sentence for card in cards if card] == [note]


def test_where_plain_is_best_that_is_said_plainly(make: MakeBox, desk: Desk) -> None:
    box = make()
    desk.load()
    box.tune.click()
    curves = tuple(replace(curve, gamma=0) for curve in RECORD.curves)
    desk.bridge.tell(Tuned(replace(RECORD, gamma=0, curves=curves, is_quick=True)))
    assert box.sentence.text() == ("γ 0 is best here: plain decoding is faster than drafting.")
    assert "in the quick form" in box.detail.text()


def test_it_cannot_be_begun_while_a_reply_is_written(make: MakeBox, desk: Desk) -> None:
    box = make()
    desk.load()
    desk.session.send("Hello")
    assert not box.tune.isEnabled()
    desk.bridge.finish("Good day.")
    assert box.tune.isEnabled()


def test_auto_tells_its_reason(make: MakeBox, desk: Desk) -> None:
    box = make()
    desk.load()
    box.tune.click()
    desk.bridge.tell(Tuned(RECORD))
    desk.session.choose_auto(True)
    assert box.auto.text().startswith("Auto: γ\u00a03, as measured")
    assert not box.use.isVisible()


def test_the_page_offers_both_forms_again_and_no_way_to_itself(make: MakeBox, desk: Desk) -> None:
    box = make(is_small=False)
    desk.load()
    box.tune.click()
    desk.bridge.tell(Tuned(RECORD))
    assert buttons(box) == ["Tune again", "Quick"]


def test_every_button_has_a_name_and_its_keys(make: MakeBox) -> None:
    box = make()
    assert box.tune.accessibleName() == "Tune γ for this computer"
    assert box.tune.toolTip().endswith("Ctrl+Shift+T")
    assert box.curve.toolTip().endswith("Ctrl+G")


def test_the_panel_shows_the_curve_once_there_is_one(
    theme: Theme, actions: Actions, desk: Desk, tuner: Tuner, qtbot
) -> None:
    section = GammaSection(theme, actions, desk.session, tuner)
    qtbot.addWidget(section)
    section.show()
    assert not section.box.isVisible()
    desk.load()
    assert section.box.isVisible()
    assert not section.curve.isVisible()
    tuner.begin()
    desk.bridge.tell(Tuned(RECORD))
    assert section.curve.isVisible()
    section.curve.gamma_chosen.emit(7)
    assert desk.session.gamma == 7
    assert section.curve.reading is not None
    assert section.curve.reading.gamma == 7
    desk.life.reload()
    desk.bridge.be_ready()
    assert not section.curve.isVisible()
