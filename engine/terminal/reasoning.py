"""Tells a model's reasoning from its answer while the text streams."""

from __future__ import annotations

OPEN, CLOSE = "<think>", "</think>"


class Reasoning:
    """Splits a reply that may begin with ``<think>…</think>``; the tags go with the reasoning.

    A tag may come in several pieces: what could still become one is held back.
    """

    def __init__(self) -> None:
        self._held = ""
        self._state = "before"

    def feed(self, text: str) -> list[tuple[str, bool]]:
        """What can be shown now, in parts: a text, and whether it is reasoning."""
        self._held += text
        parts: list[tuple[str, bool]] = []
        if self._state == "before":
            begun = self._held.lstrip()
            if len(begun) < len(OPEN) and OPEN.startswith(begun):
                return parts
            self._state = "inside" if begun.startswith(OPEN) else "after"
        if self._state == "inside":
            parts += self._inside()
        if self._state == "after" and self._held:
            parts.append((self._held, False))
            self._held = ""
        return parts

    def _inside(self) -> list[tuple[str, bool]]:
        end = self._held.find(CLOSE)
        if end >= 0:
            end += len(CLOSE)
            self._state = "after"
        else:
            end = len(self._held) - _begun(self._held)
        shown, self._held = self._held[:end], self._held[end:]
        return [(shown, True)] if shown else []

    def finish(self) -> list[tuple[str, bool]]:
        """What was held back, when the reply is over."""
        held, self._held = self._held, ""
        return [(held, self._state == "inside")] if held else []


def _begun(text: str) -> int:
    """How many characters at the end could be the beginning of the closing tag."""
    lengths = range(len(CLOSE) - 1, 0, -1)
    return next((n for n in lengths if text.endswith(CLOSE[:n])), 0)
