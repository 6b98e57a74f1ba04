"""Which card is shown: what the engine, the disk and the history have to say, one at a time."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from app.cards import Card, Offer
from app.conversations import Conversations
from app.engine_life import Death, EngineLife, Life
from app.saving import Saving
from app.sentences import said
from engine.errors import ForewordError
from engine.protocol import Failed


class Board(QObject):
    """The place for one card. A newer one takes it, and what is mended leaves it.

    Signals:
        turned: The Card to show now, or None.
    """

    turned = Signal(object)

    def __init__(
        self,
        life: EngineLife,
        conversations: Conversations,
        saving: Saving,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._life = life
        self._card: Card | None = None
        self._is_read = False  # it was closed by a person
        self._passing: Card | None = None  # tells of what the engine mends by itself
        self._unkept: Card | None = None  # tells of what is tried again
        life.changed.connect(self._follow_life)
        life.load_failed.connect(self._tell_failed_load)
        life.died.connect(self._mourn)
        saving.failed.connect(self._tell_unsaved)
        saving.mended.connect(self._forget_unsaved)
        conversations.trouble.connect(self.show)

    def show(self, card: Card | None) -> None:
        """Have a card shown, or none."""
        self._card, self._is_read = card, False
        self.turned.emit(card)

    def show_also(self, card: Card) -> None:
        """Have a card shown, after the words of one that nobody has closed yet."""
        before = None if self._is_read else self._card
        if before is None:
            self.show(card)
        elif card.sentence not in before.sentence:
            both = replace(before, sentence=f"{before.sentence} {card.sentence}")
            if before is self._unkept:
                self._unkept = both
            self.show(both)

    def put_away(self) -> None:
        """A person has closed the card."""
        self._is_read = True

    def _follow_life(self) -> None:
        ready = self._life.ready
        if self._life.life is Life.READY and ready is not None:
            card = self._card
            if card is not None and (Offer.RELOAD in card.offers or card is self._passing):
                self.show(None)
            if ready.notes:
                self.show_also(Card(" ".join(map(said, ready.notes)), is_trouble=False))

    def _tell_failed_load(self, failed: Failed) -> None:
        """Reload is no way on where the pair before it is still there."""
        is_there = self._life.life is Life.READY
        offers = (Offer.OPEN,) if is_there else (Offer.OPEN, Offer.RELOAD)
        self.show(Card.of(failed, *offers))

    def _mourn(self, death: Failed, ending: Death) -> None:
        if ending is Death.LOST:
            offers = (Offer.RELOAD, Offer.DETAILS)
            self.show(replace(Card.of(death), offers=offers))
        elif ending is Death.RESTARTED:
            again = self.tr("{why} It is being loaded again.").format(why=Card.of(death).sentence)
            self._passing = Card(again, death.detail, (Offer.DETAILS,), is_trouble=False)
            self.show(self._passing)

    def _tell_unsaved(self, error: ForewordError) -> None:
        """Once: it would come with every second of a reply."""
        if self._card is None or Card.of(error).sentence not in self._card.sentence:
            self._unkept = Card.of(error)
            self.show(self._unkept)

    def _forget_unsaved(self) -> None:
        if self._unkept is not None and self._card is self._unkept:
            self.show(None)
