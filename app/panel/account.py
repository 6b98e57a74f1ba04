"""The ledger of a round: what drafting saves and what it spends, in milliseconds and to scale."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QPoint, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.panel import numbers
from app.panel.explain import Key, sentence, title
from app.panel.plate import Plate
from app.panel.worth import Ledger
from app.theme import Role, Theme, Type

translate = QCoreApplication.translate

_MOST_ROWS = 5
_BAR = 1  # units of space
_ABOVE, _BELOW = 0.5, 1.25  # units between a bar, its own words above it and the next ones


@dataclass(frozen=True)
class Entry:
    """One line of the account: its bar goes from ``start`` to ``end`` seconds."""

    key: Key
    amount: str
    start: float
    end: float
    role: Role


def entries(ledger: Ledger) -> list[Entry]:
    """The account, line by line, each bar beginning where the one before it ended."""
    if ledger.plain_step is None:
        return _spent(ledger)
    spent = (
        (Key.DRAFTING, ledger.drafting, Role.SECONDARY),
        (Key.WIDER, ledger.wider, Role.NEUTRAL),
        (Key.REST, ledger.rest, Role.NEUTRAL),
    )
    at = ledger.skipped
    lines = [Entry(Key.SKIPPED, numbers.signed(at), 0.0, at, Role.ACCEPTED)]
    for key, cost, role in spent:
        lines.append(Entry(key, numbers.signed(-cost), at, at - cost, role))
        at -= cost
    return [*lines, Entry(Key.NET, numbers.signed(ledger.net), 0.0, ledger.net, Role.TEXT)]


def _spent(ledger: Ledger) -> list[Entry]:
    """Without a plain speed to hold it against: where a round's time goes."""
    parts = [
        (Key.DRAFTING, ledger.drafting, Role.SECONDARY),
        (Key.CHECKING, ledger.checking, Role.NEUTRAL),
        (Key.REST, ledger.rest, Role.NEUTRAL),
    ]
    lines, at = [], 0.0
    for key, cost, role in parts:
        if cost:
            lines.append(Entry(key, numbers.milliseconds(cost), at, at + cost, role))
        at += cost
    return [*lines, Entry(Key.ROUND, numbers.milliseconds(at), 0.0, at, Role.TEXT)]


class Account(Plate):
    """The ledger as lines with bars. A round that loses ends left of the zero line."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, Key.ROUND, parent)
        self._entries: list[Entry] = []
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_ledger(self, ledger: Ledger | None) -> None:
        """Show this from now on."""
        self._entries = entries(ledger) if ledger else []
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        rows = _MOST_ROWS * self._row() - self.theme.space(_BELOW)
        return QSize(self.theme.space(40), round(rows))

    def _row(self) -> float:
        return self._bar_top() + self.theme.space(_BAR) + self.theme.space(_BELOW)

    def _bar_top(self) -> float:
        """Below the letters that reach lowest."""
        return self.metrics(Type.SECONDARY).height() + self.theme.space(_ABOVE)

    def draw(self, painter: QPainter) -> None:
        if not self._entries:
            return
        low = min(0.0, *(min(entry.start, entry.end) for entry in self._entries))
        high = max(0.0, *(max(entry.start, entry.end) for entry in self._entries))
        scale = self.width() / (high - low) if high > low else 0.0
        for i, entry in enumerate(self._entries):
            self._draw_entry(painter, entry, i * self._row(), scale, low)

    def _draw_entry(
        self, painter: QPainter, entry: Entry, top: float, scale: float, low: float
    ) -> None:
        metrics = self.metrics(Type.SECONDARY)
        last = entry.key in (Key.NET, Key.ROUND)
        role = Role.TEXT if last else Role.SECONDARY
        baseline, width = top + metrics.ascent(), metrics.horizontalAdvance(entry.amount)
        right = self.width() - width
        room = right - self.theme.space(2)
        name = metrics.elidedText(title(entry.key), Qt.TextElideMode.ElideRight, room)
        self.write(painter, QPointF(0, baseline), name, Type.SECONDARY, role)
        self.write(painter, QPointF(right, baseline), entry.amount, Type.SECONDARY, role)
        left, end = sorted(((entry.start - low) * scale, (entry.end - low) * scale))
        bar = QRectF(left, top + self._bar_top(), max(1.0, end - left), self.theme.space(_BAR))
        painter.fillRect(bar, self.theme.color(entry.role))
        if low < 0:
            zero = QRectF(round(-low * scale), bar.top() - 1, 1, bar.height() + 2)
            painter.fillRect(zero, self.theme.color(Role.TEXT))

    def hint_at(self, place: QPoint) -> str:
        i = int(place.y() // self._row())
        if not 0 <= i < len(self._entries):
            return super().hint_at(place)
        return sentence(self._entries[i].key)
