"""What the window says when something went wrong or can be undone. No widgets."""

from __future__ import annotations

from collections.abc import Callable
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


@dataclass(frozen=True)
class Undo:
    """What was done, in a few words, and how to take it back.

    ``within``: the conversation whose messages that would change, where it is such a thing.
    """

    text: str
    take_back: Callable[[], None]
    within: int | None = None
