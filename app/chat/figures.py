"""The line under a reply: how it ended and what it measured."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QCoreApplication

from app.chat.model import LENGTH, LOST, STOPPED, WRITING
from app.panel.numbers import GAP, isolated, percent, rate, times, tokens
from app.panel.worth import ENOUGH_TOKENS

_BETWEEN = "  ·  "
_MOST = 2**53
"""Beyond, a number in a file that somebody wrote is no figure."""


def figures_line(figures: Mapping[str, Any] | None, speed_up: float | None = None) -> str:
    """The figures of engine.stats.Figures.as_dict in one line; what is not known is left out.

    ``speed_up``: against the plain speed of this pair, where that was measured. A short reply tells
    nothing of it.
    """
    if not figures:
        return ""
    parts = []
    if figures.get("by_auto"):
        gamma = isolated(f"γ{GAP}{round(_number(figures, 'gamma'))}")
        parts.append(_tr("{gamma}, chosen by Auto").format(gamma=gamma))
    if speed := _number(figures, "tokens_per_second"):
        parts.append(_tr("{n} tokens/s").format(n=rate(speed)))
    if _number(figures, "drafted"):
        share = percent(_number(figures, "acceptance_rate"))
        parts.append(_tr("{share} accepted").format(share=share))
    count = round(_number(figures, "tokens"))
    gain = speed_up or _number(figures, "speed_up")
    if gain and count >= ENOUGH_TOKENS:
        parts.append(_tr("{times} plain").format(times=times(gain)))
    if count:
        parts.append(tokens(count))
    return joined(*parts)


def state_words(state: str) -> str:
    """How a reply ended, in a few words; "" where it ended by itself."""
    words = {
        STOPPED: _tr("Stopped"),
        LENGTH: _tr("Cut at the limit"),
        LOST: _tr("The engine was lost here"),
        WRITING: _tr("Cut off when Foreword closed"),
    }
    return words.get(state, "")


def writing_words(is_waiting: bool) -> str:
    """What happens to a reply while it is written."""
    return _tr("Reading the prompt…") if is_waiting else _tr("Writing…")


def joined(*parts: str) -> str:
    """What there is of ``parts``, in one line, in the order that the interface reads."""
    return _BETWEEN.join(isolated(part) for part in parts if part)


def _number(figures: Mapping[str, Any], name: str) -> float:
    value = figures.get(name)
    if not isinstance(value, int | float) or not abs(value) < _MOST:
        return 0.0
    return float(value)


def _tr(text: str) -> str:
    return QCoreApplication.translate("ReplyFigures", text)
