"""What a reply is asked with: the conversation as the engine takes it, and how to write. No Qt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from app.chat.model import as_sent
from app.history import Entry, Said, Store
from engine.protocol import Message, Options, Sampling
from engine.settings import SETTINGS, Settings

SAMPLING = tuple(field.name for field in fields(Sampling))

OWN = (*SAMPLING, "seed", "max_tokens", "think")
"""The settings that a conversation may have of its own."""


def messages(store: Store, settings: Settings, last: Entry) -> tuple[Message, ...]:
    """The conversation up to ``last``, that one included. What is empty is left out."""
    system = store.conversation(last.conversation).system or settings.system
    head = [Message("system", system)] if system.strip() else []
    return (*head, *map(_message, store.said(last.conversation, last.id)))


def options(
    store: Store, settings: Settings, conversation: int, *, gamma: int, variant: int
) -> Options:
    """How to write: the user's settings, with the conversation's own in their place.

    Raises BadSetting for one that makes no sense.
    """
    given = _given(settings, store.conversation(conversation).settings)
    return Options(
        gamma=gamma,
        sampling=Sampling(**{name: given[name] for name in SAMPLING}),
        seed=given["seed"],
        variant=variant,
        max_tokens=given["max_tokens"],
        think=given["think"],
    )


def sampling(settings: Settings, own: Mapping[str, Any]) -> Sampling:
    """How tokens are chosen in a conversation with settings of its ``own``. Raises BadSetting."""
    given = _given(settings, own)
    return Sampling(**{name: given[name] for name in SAMPLING})


def _given(settings: Settings, own: Mapping[str, Any]) -> dict[str, Any]:
    given = {name: getattr(settings, name) for name in OWN}
    return given | {name: SETTINGS[name].check(own[name]) for name in OWN if name in own}


def _message(said: Said) -> Message:
    return Message(said.role, as_sent(said.content, said.attachments), said.tokens)
