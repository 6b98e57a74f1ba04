"""What the window says when something went wrong or can be undone. No widgets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from app.sentences import translated
from engine.errors import ForewordError
from engine.protocol import Failed


class Offer(StrEnum):
    """What a card offers to do about it."""

    RELOAD = "reload"
    OPEN = "open"
    FORCE = "force"
    DETAILS = "details"


class Matter(StrEnum):
    """What a card is about: another of the same matter takes its place, and what mends the matter
    takes it away."""

    START = "start"
    """What was wrong with the user's files at the start."""
    ENGINE = "engine"
    """Nothing is loaded any more, and why."""
    MODEL = "model"
    """A file that is no model, or a pair that cannot be used as was meant."""
    SILENCE = "silence"
    """The engine does not answer."""
    SAVING = "saving"
    """What was received is not on the disk."""
    DRAFTS = "drafts"
    """What is typed is not on the disk."""
    IMPORT = "import"
    """What is being imported, or was."""
    WORK = "work"
    """What was asked for last: the next reply takes it away."""


@dataclass(frozen=True)
class Card:
    """What happened and what to do, in a sentence; one stands above the composer at a time.

    Attributes:
        sentence: For a person.
        detail: For a report; offered to be copied where there is any.
        offers: What its buttons do.
        is_trouble: False for what is only good to know.
        code: Of the error, "" where it is none.
    """

    sentence: str
    detail: str = ""
    offers: tuple[Offer, ...] = ()
    is_trouble: bool = True
    code: str = ""

    @classmethod
    def of(cls, error: Failed | ForewordError, *offers: Offer) -> Card:
        """The card that tells an error, in the user's language."""
        more = (Offer.DETAILS,) if error.detail else ()
        sentence = translated(error.code, error.sentence)
        return cls(sentence, error.detail, (*offers, *more), code=error.code)

    @property
    def report(self) -> str:
        """All of it, as it is copied."""
        code = f" [{self.code}]" if self.code else ""
        return "\n\n".join(filter(None, (f"{self.sentence}{code}", self.detail)))


def joined(cards: Sequence[Card]) -> Card | None:
    """Several cards as the one that is shown; no sentence is said twice. None where there is
    none."""
    told: list[Card] = []
    for card in cards:
        if not any(card.sentence in each.sentence for each in told):
            told.append(card)
    if len(told) < 2:
        return told[0] if told else None
    return Card(
        " ".join(card.sentence for card in told),
        "\n\n".join(card.detail for card in told if card.detail),
        tuple(dict.fromkeys(offer for card in told for offer in card.offers)),
        any(card.is_trouble for card in told),
        next((card.code for card in reversed(told) if card.code), ""),
    )


@dataclass(frozen=True)
class Undo:
    """What was done, in a few words, and how to take it back.

    ``within``: the conversation whose messages that would change, where it is such a thing.
    """

    text: str
    take_back: Callable[[], None]
    within: int | None = None
