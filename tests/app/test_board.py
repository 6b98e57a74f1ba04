"""Cards of several matters in the one place that there is."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.cards import Card, Matter, Offer
from app.chat.model import Attachment
from app.pairs import Pair
from engine.errors import DecodeFailed, HistoryUnsaved, NotGguf
from tests.app.windows import Desk

DAMAGE = Card("The database was set aside.")
SILENCE = Card("The engine does not answer.", offers=(Offer.FORCE,))
NOTES = Attachment("notes.txt", "milk").as_dict()
OTHER = Pair(Path("/models/other.gguf"))


def refuse(*_arguments: object, **_changes: object) -> None:
    """A full disk."""
    raise HistoryUnsaved(path="/full", reason="no space left")


def load(desk: Desk) -> None:
    """Have other models loaded, as a person does."""
    desk.session.board.begin_load()
    desk.life.load(OTHER, desk.session.settings)


def test_what_was_wrong_at_the_start_outlives_a_load_and_a_reply(desk: Desk) -> None:
    desk.session.board.show(DAMAGE, Matter.START)
    load(desk)
    desk.bridge.be_ready()
    desk.say("Hello")
    assert desk.card == DAMAGE
    desk.session.board.put_away()
    desk.session.send("Again")
    desk.bridge.fail(DecodeFailed(status=-3))
    assert desk.card is not None
    assert DAMAGE.sentence not in desk.card.sentence


def test_two_matters_are_one_card_with_the_ways_on_of_both(desk: Desk) -> None:
    desk.session.board.show(DAMAGE, Matter.START)
    load(desk)
    error = DecodeFailed("the details", status=1)
    desk.bridge.fail(error, unloaded=True)
    assert desk.card is not None
    assert desk.card.sentence == f"{DAMAGE.sentence} {Card.of(error).sentence}"
    assert desk.card.offers == (Offer.OPEN, Offer.RELOAD, Offer.DETAILS)
    assert "the details" in desk.card.report
    load(desk)
    assert desk.card == DAMAGE


def test_the_way_to_force_a_stop_stays_while_something_else_is_told(desk: Desk) -> None:
    desk.session.board.show(SILENCE, Matter.SILENCE)
    desk.session.show(Card("The file is no chat."))
    assert desk.card is not None
    assert Offer.FORCE in desk.card.offers
    desk.session.board.show(None, Matter.SILENCE)
    assert desk.card == Card("The file is no chat.")


def test_the_way_to_reload_stays_while_something_else_is_told(desk: Desk) -> None:
    desk.session.send("Hello")
    desk.bridge.die()
    error = NotGguf(path="/models/page.gguf", reason="it is a web page")
    desk.session.board.show(Card.of(error, Offer.OPEN), Matter.MODEL)
    assert desk.card is not None
    assert {Offer.RELOAD, Offer.OPEN} <= set(desk.card.offers)


def test_unsent_text_that_cannot_be_kept_is_told_until_it_can(desk: Desk, tmp_path: Path) -> None:
    in_the_way = tmp_path / "drafts.part"
    in_the_way.mkdir()
    drafts = desk.conversations.drafts
    drafts.keep(None, [NOTES])
    assert desk.card is not None
    assert desk.card.code == "drafts-unsaved"
    in_the_way.rmdir()
    drafts.keep(None, [NOTES, NOTES])
    assert desk.card is None
    in_the_way.mkdir()
    drafts.keep(None, [])
    assert desk.card is not None


def test_a_full_disk_is_told_until_it_has_room_whatever_else_was_told(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    saving = desk.session._saving
    desk.session.send("Hello")
    with monkeypatch.context() as full:
        full.setattr(desk.conversations.store, "update", refuse)
        desk.bridge.finish("Good day.")
        desk.session.show(Card("The file is no chat."))
        assert desk.card is not None
        assert "no space left" in desk.card.sentence
    saving.again()
    assert desk.card == Card("The file is no chat.")


def test_a_full_disk_whose_card_was_closed_is_told_again_with_the_next_reply(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desk.conversations.store, "update", refuse)
    desk.session.send("Hello")
    desk.session._saving.now()
    desk.session.board.put_away()
    told = len(desk.cards)
    desk.session._saving.now()
    assert len(desk.cards) == told
    desk.bridge.finish("Good day.")
    desk.session.send("Again")
    desk.session._saving.now()
    assert len(desk.cards) == told + 1
    assert desk.card is not None
