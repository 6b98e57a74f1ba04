"""Cards and the undo bar."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QGuiApplication

from app.cards import Card, Offer, Undo, joined
from app.notices import CardBar, UndoBar
from app.theme import Theme
from engine.errors import NotGguf
from engine.protocol import Failed

DEATH = Card("The engine stopped.", "signal 9", (Offer.RELOAD, Offer.DETAILS), code="worker-died")


@pytest.fixture(name="bar")
def card_bar(installed: Theme, qtbot) -> CardBar:
    bar = CardBar(installed)
    qtbot.addWidget(bar)
    return bar


def test_nothing_is_shown_until_there_is_something_to_say(bar: CardBar) -> None:
    assert bar.isHidden()
    bar.show_card(DEATH)
    assert not bar.isHidden()
    assert bar.accessibleName() == "The engine stopped."
    bar.show_card(None)
    assert bar.isHidden()


def test_only_what_is_offered_has_a_button(bar: CardBar, qtbot) -> None:
    bar.show_card(DEATH)
    shown = {offer for offer, button in bar.buttons.items() if not button.isHidden()}
    assert shown == {Offer.RELOAD, Offer.DETAILS}
    with qtbot.waitSignal(bar.chosen, check_params_cb=lambda offer: offer is Offer.RELOAD):
        bar.buttons[Offer.RELOAD].click()


def test_details_are_copied_whole(bar: CardBar) -> None:
    bar.show_card(DEATH)
    bar.buttons[Offer.DETAILS].click()
    copied = QGuiApplication.clipboard().text()
    assert copied == "The engine stopped. [worker-died]\n\nsignal 9"


def test_a_card_is_told_once(bar: CardBar) -> None:
    told: list[Card] = []
    bar.shown.connect(told.append)
    bar.show_card(DEATH)
    bar.show_card(DEATH)
    assert told == [DEATH]


def test_of_several_matters_only_what_is_new_is_told(bar: CardBar) -> None:
    damage = Card("The database was set aside.")
    told: list[str] = []
    bar.shown.connect(lambda card: told.append(card.sentence))
    for cards in ([damage], [damage, DEATH], [damage], [DEATH]):
        bar.show_card(joined(cards))
    assert told == [damage.sentence, DEATH.sentence, DEATH.sentence]


def test_a_card_can_be_closed(bar: CardBar) -> None:
    bar.show_card(DEATH)
    bar.close_button.click()
    assert bar.card is None
    assert bar.isHidden()


def test_a_card_tells_an_error_of_either_side() -> None:
    error = NotGguf("the first bytes", path="/x", reason="it is a web page")
    failed = Failed.of(error, 1)
    assert Card.of(error) == Card.of(failed)
    assert Card.of(error).offers == (Offer.DETAILS,)
    assert Card.of(NotGguf(path="/x", reason="r"), Offer.OPEN).offers == (Offer.OPEN,)


def test_what_was_done_can_be_taken_back_once(installed: Theme, qtbot) -> None:
    bar = UndoBar(installed)
    qtbot.addWidget(bar)
    taken: list[Undo] = []
    bar.taken_back.connect(taken.append)
    undo = Undo("The message is deleted.", lambda: None)
    bar.offer(undo)
    assert not bar.isHidden()
    bar.button.click()
    bar.take_back()
    assert taken == [undo]
    assert bar.isHidden()


def test_the_bar_goes_and_the_undo_stays(installed: Theme, qtbot) -> None:
    bar = UndoBar(installed)
    qtbot.addWidget(bar)
    bar._time.setInterval(10)
    bar.offer(Undo("Done.", lambda: None))
    qtbot.waitUntil(bar.isHidden)
    assert bar.undo is not None


def test_an_undo_is_forgotten_with_what_is_said_in_its_chat_alone(installed: Theme, qtbot) -> None:
    bar = UndoBar(installed)
    qtbot.addWidget(bar)
    bar.offer(Undo("The reply was changed.", lambda: None, 7))
    bar.forget(8)
    assert bar.undo is not None
    with qtbot.waitSignal(bar.changed):
        bar.forget(7)
    assert bar.undo is None
    assert bar.isHidden()


def test_a_deleted_chat_can_be_had_back_after_a_message_elsewhere(installed: Theme, qtbot) -> None:
    bar = UndoBar(installed)
    qtbot.addWidget(bar)
    bar.offer(Undo("“One” is deleted.", lambda: None))
    bar.forget(8)
    assert bar.undo is not None
