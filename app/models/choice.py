"""One model to choose from a list: chosen or not, and why not where it cannot be."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QEnterEvent, QFontMetrics, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QStyle, QStyleOption, QWidget

from app import strokes
from app.theme import Role, Theme, Type
from app.tips import tip

_STEPS = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}


@dataclass(frozen=True)
class Offer:
    """What can be chosen.

    ``reason``: why it cannot be, "" where it can; ``worth``: what it brings, told after its facts.
    """

    title: str
    facts: str
    reason: str = ""
    worth: str = ""


class Choice(QAbstractButton):
    """Two lines, and a third that says why it cannot be chosen.

    What cannot be chosen still takes the keyboard's focus, so that its reason is read to those who
    hear it.

    Signals:
        wanted: It was pressed twice, or Return was.
        stepped: The keyboard goes to the next choice (1) or the one before (-1).
    """

    wanted = Signal()
    stepped = Signal(int)

    def __init__(self, theme: Theme, offer: Offer, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.offer = offer
        self.setCheckable(self.can_be_chosen)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        policy = self.sizePolicy()
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setAccessibleName(", ".join(filter(None, (offer.title, offer.worth, offer.facts))))
        self.setAccessibleDescription(offer.reason)
        self.setToolTip(tip(offer.reason))
        theme.changed.connect(self.updateGeometry)

    @property
    def can_be_chosen(self) -> bool:
        return not self.offer.reason

    def hasHeightForWidth(self) -> bool:  # noqa: N802 (Qt's name)
        """A reason is as long as it is."""
        return True

    def heightForWidth(self, width: int) -> int:  # noqa: N802
        """Room for the reason, broken into lines."""
        return 2 * self._theme.space(1.75) + sum(rect.height() for rect in self._lines(width))

    def sizeHint(self) -> QSize:  # noqa: N802
        """At a usual width."""
        width = max(self.width(), self._theme.space(40))
        return QSize(width, self.heightForWidth(width))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """The ground, the tick, the words."""
        painter = QPainter(self)
        self._paint_ground(painter)
        first, second, third = self._lines(self.width())
        role = Role.TEXT if self.can_be_chosen else Role.FAINT
        type_ = Type.STRONG if self.isChecked() else Type.BODY
        self._words(painter, first, self.offer.title, type_, role)
        self._paint_facts(painter, second)
        if self.offer.reason:
            painter.setFont(self._theme.font(Type.SECONDARY))
            painter.setPen(self._theme.color(Role.SECONDARY))
            painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)  # by its own words
            painter.drawText(self._mirrored(third), self._wrapping(), self.offer.reason)
        painter.end()

    def mouseDoubleClickEvent(self, event: QEvent) -> None:  # noqa: N802
        """Chosen and wanted at once."""
        if self.can_be_chosen:
            self.wanted.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Arrows go from choice to choice; Return is as good as pressing the button below."""
        if event.key() in _STEPS:
            self.stepped.emit(_STEPS[Qt.Key(event.key())])
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.can_be_chosen:
            self.click()
            self.wanted.emit()
        else:
            super().keyPressEvent(event)

    def enterEvent(self, event: QEnterEvent) -> None:  # noqa: N802
        self.update()

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802
        self.update()

    def nextCheckState(self) -> None:  # noqa: N802
        """One of a list holds: pressing it again does not take it back."""
        self.setChecked(True)

    def _lines(self, width: int) -> tuple[QRect, QRect, QRect]:
        space = self._theme.space
        left, room = space(8), max(width - space(11), space(10))
        top = space(1.75)
        first = QRect(left, top, room, self._metrics(Type.STRONG).height())
        second = QRect(left, first.bottom() + 1, room, self._metrics(Type.SECONDARY).height())
        third = QRect(left, second.bottom() + 1, room, 0)
        if self.offer.reason:
            wide = QRect(0, 0, room, 10_000)
            found = self._metrics(Type.SECONDARY).boundingRect(
                wide, self._wrapping(), self.offer.reason
            )
            third.setHeight(found.height())
        return first, second, third

    def _paint_facts(self, painter: QPainter, line: QRect) -> None:
        """The facts, and after them what it brings, which keeps its room."""
        metrics, gap = self._metrics(Type.SECONDARY), self._theme.space(3)
        worth = metrics.horizontalAdvance(self.offer.worth) + gap if self.offer.worth else 0
        told = min(metrics.horizontalAdvance(self.offer.facts) + 1, max(0, line.width() - worth))
        first = QRect(line.x(), line.y(), told, line.height())
        self._words(painter, first, self.offer.facts, Type.SECONDARY, Role.FAINT)
        if self.offer.worth:
            place = line.adjusted(told + gap, 0, 0, 0)
            self._words(painter, place, self.offer.worth, Type.SECONDARY, Role.SECONDARY)

    def _wrapping(self) -> int:
        rtl = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        side = Qt.AlignmentFlag.AlignRight if rtl else Qt.AlignmentFlag.AlignLeft
        flags = side | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignTop
        return int(flags.value) | int(Qt.TextFlag.TextWordWrap.value)

    def _paint_ground(self, painter: QPainter) -> None:
        option = QStyleOption()
        option.initFrom(self)
        rect, radius, space = QRectF(self.rect()), self._theme.space(2), self._theme.space
        if self.can_be_chosen and (self.isChecked() or self.underMouse()):
            fill = self._theme.color(Role.PRESSED if self.isChecked() else Role.HOVER)
            strokes.rounded(painter, rect, radius, fill)
        if self.isChecked():
            side = space(4)
            tick = self._mirrored(QRect(space(2), self._lines(self.width())[0].y(), side, side))
            strokes.stroke(painter, QRectF(tick), strokes.CHECK, self._theme.color(Role.TEXT))
        if self.hasFocus() and option.state & QStyle.StateFlag.State_KeyboardFocusChange:
            strokes.rounded(painter, rect, radius, line=self._theme.color(Role.FOCUS), width=2)

    def _words(self, painter: QPainter, rect: QRect, text: str, type_: Type, role: Role) -> None:
        shown = self._metrics(type_).elidedText(text, Qt.TextElideMode.ElideMiddle, rect.width())
        painter.setFont(self._theme.font(type_))
        painter.setPen(self._theme.color(role))
        strokes.words(painter, self._mirrored(rect), shown)

    def _metrics(self, type_: Type) -> QFontMetrics:
        return QFontMetrics(self._theme.font(type_))

    def _mirrored(self, rect: QRect) -> QRect:
        return QStyle.visualRect(self.layoutDirection(), self.rect(), rect)
