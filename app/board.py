"""Which card is shown: what the engine, the disk and the history have to say, all in one."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from app.cards import Card, Matter, Offer, joined
from app.conversations import Conversations
from app.engine_life import Death, EngineLife, Life
from app.saving import Saving
from app.sentences import said
from engine.errors import DraftsUnsaved, ForewordError, HistoryUnsaved
from engine.protocol import Failed


class Board(QObject):
    """The place for one card. Of each matter the newest stands there, until a person closes the
    card or the matter is mended; what becomes of another matter leaves it there.

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
        self._cards: dict[Matter, Card] = {}  # in the order in which they came
        self._is_read = False  # a person has closed what is there
        self._shown: Card | None = None
        life.changed.connect(self._follow_life)
        life.load_failed.connect(self._tell_failed_load)
        life.died.connect(self._mourn)
        saving.failed.connect(self._tell_unsaved)
        saving.mended.connect(self._forget_unsaved)
        conversations.trouble.connect(self._tell_trouble)
        conversations.drafts.mended = lambda: self.show(None, Matter.DRAFTS)

    def show(self, card: Card | None, matter: Matter = Matter.WORK) -> None:
        """Have a card shown in place of what is there of the same matter, or nothing more of it."""
        if self._is_read and (card is not None or matter is Matter.WORK):
            self._cards.clear()
            self._is_read = False
        self._cards.pop(matter, None)
        if card is not None:
            self._cards[matter] = card
        self._turn()

    def show_also(self, card: Card) -> None:
        """Have shown what is good to know, after the words of what nobody has closed yet."""
        before = None if self._is_read else self._cards.get(Matter.WORK)
        if before is None:
            self.show(card)
        elif card.sentence not in before.sentence:
            self.show(replace(before, sentence=f"{before.sentence} {card.sentence}"))

    def put_away(self) -> None:
        """A person has closed the card. It is known, as long as nothing else is shown: what is
        tried again and again is not told again."""
        self._is_read = True
        self._shown = None

    def begin_load(self) -> None:
        """Other models are on their way: what was wrong with those before is over."""
        for matter in (Matter.ENGINE, Matter.MODEL):
            self._cards.pop(matter, None)
        self._turn()

    def _turn(self) -> None:
        card = None if self._is_read else joined([*self._cards.values()])
        if card != self._shown:
            self._shown = card
            self.turned.emit(card)

    def _follow_life(self) -> None:
        ready = self._life.ready
        if self._life.life is Life.READY and ready is not None:
            self._cards.pop(Matter.ENGINE, None)
            self._turn()
            if ready.notes:
                self.show_also(Card(" ".join(map(said, ready.notes)), is_trouble=False))

    def _tell_failed_load(self, failed: Failed) -> None:
        """Reload is no way on where the pair before it is still there."""
        if self._life.life is Life.READY:
            self.show(Card.of(failed, Offer.OPEN), Matter.MODEL)
        else:
            self.show(Card.of(failed, Offer.OPEN, Offer.RELOAD), Matter.ENGINE)

    def _mourn(self, death: Failed, ending: Death) -> None:
        if ending is Death.LOST:
            offers = (Offer.RELOAD, Offer.DETAILS)
            self.show(replace(Card.of(death), offers=offers), Matter.ENGINE)
        elif ending is Death.RESTARTED:
            again = self.tr("{why} It is being loaded again.").format(why=Card.of(death).sentence)
            card = Card(again, death.detail, (Offer.DETAILS,), is_trouble=False)
            self.show(card, Matter.ENGINE)

    def _tell_unsaved(self, error: ForewordError) -> None:
        """Once: it would come with every second of a reply."""
        card = Card.of(error)
        if self._cards.get(Matter.SAVING) != card:
            self.show(card, Matter.SAVING)

    def _forget_unsaved(self) -> None:
        """Whatever had told of it."""
        self._cards.pop(Matter.SAVING, None)
        work = self._cards.get(Matter.WORK)
        if work is not None and work.code == HistoryUnsaved.code:
            del self._cards[Matter.WORK]
        self._turn()

    def _tell_trouble(self, card: Card) -> None:
        is_draft = card.code == DraftsUnsaved.code
        self.show(card, Matter.DRAFTS if is_draft else Matter.WORK)
