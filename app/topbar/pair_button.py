"""The pair that writes here, in two lines, as one button that opens the models."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QEnterEvent, QFont, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QStyle, QStyleOption, QWidget

from app import strokes
from app.panel import numbers
from app.theme import Role, Theme, Type
from app.tips import plain_tip

_LEAST = 12  # units of space the name keeps at the least


class PairButton(QAbstractButton):
    """Who drafts stands beside the name, or before where it runs. What does not fit gives way in
    this order: where it runs, the draft, the end of the name."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.target = self.draft = self.place = ""
        self.is_short = False
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.updateGeometry)

    def tell(self, target: str, draft: str, place: str) -> None:
        """Show what is loaded."""
        self.target, self.draft, self.place = target, draft, place
        self.setAccessibleName(", ".join(filter(None, (f"{target} {draft}".strip(), place))))
        self.setToolTip(plain_tip(f"{target} {draft}\n{place}".strip()))
        self.updateGeometry()
        self.update()

    def shorten(self, is_short: bool) -> None:
        """Leave out the line that says where it runs."""
        if is_short != self.is_short:
            self.is_short = is_short
            self.update()

    def sizeHint(self) -> QSize:  # noqa: N802
        """Room for all of it."""
        first = self._width(self.target, Type.STRONG) + self._chevron()
        if self.draft:
            first += self._gap() + self._width(self.draft, Type.BODY)
        wide = max(first, self._width(self.place, Type.SECONDARY))
        return QSize(wide + 2 * self._margin() + 2, self._theme.space(10.5))

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        """Room for a beginning."""
        return QSize(self._theme.space(_LEAST), self._theme.space(10.5))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """Bare, until it is pointed at."""
        painter = QPainter(self)
        self._paint_ground(painter)
        inner = self.rect().adjusted(self._margin(), 0, -self._margin(), 0)
        has_second = bool(self.place) and not self.is_short
        fonts = map(self._theme.font, (Type.STRONG, Type.SECONDARY))
        heights = [QFontMetrics(font).height() for font in fonts]
        top = (self.height() - sum(heights[: 1 + has_second])) // 2
        self._paint_first(painter, QRect(inner.left(), top, inner.width(), heights[0]))
        if has_second:
            second = QRect(inner.left(), top + heights[0], inner.width(), heights[1])
            self._words(painter, second, self._second(inner.width()), Type.SECONDARY, Role.FAINT)
        painter.end()

    def enterEvent(self, event: QEnterEvent) -> None:  # noqa: N802
        self.update()

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802
        self.update()

    def _paint_ground(self, painter: QPainter) -> None:
        option = QStyleOption()
        option.initFrom(self)
        rect, radius = QRectF(self.rect()), self._theme.space(2)
        if self.isDown() or self.underMouse():
            fill = self._theme.color(Role.PRESSED if self.isDown() else Role.HOVER)
            strokes.rounded(painter, rect, radius, fill)
        if self.hasFocus() and option.state & QStyle.StateFlag.State_KeyboardFocusChange:
            strokes.rounded(painter, rect, radius, line=self._theme.color(Role.FOCUS), width=2)

    def _paint_first(self, painter: QPainter, line: QRect) -> None:
        name = min(self._width(self.target, Type.STRONG), line.width() - self._chevron())
        place = self._mirrored(_part(line, 0, name), line)
        self._words(painter, place, self.target, Type.STRONG, Role.TEXT)
        at = name
        if self.draft and self._has_room(line.width()):
            at += self._gap()
            wide = self._width(self.draft, Type.BODY)
            place = self._mirrored(_part(line, at, wide), line)
            self._words(painter, place, self.draft, Type.BODY, Role.SECONDARY)
            at += wide
        side = self._theme.space(3)
        mark = self._mirrored(_part(line, at + self._gap(), side), line)
        strokes.stroke(painter, QRectF(mark), strokes.DOWN, self._theme.color(Role.SECONDARY))

    def _has_room(self, width: int) -> bool:
        """Whether the first line has room for the draft, whole."""
        names = self._width(self.target, Type.STRONG) + self._width(self.draft, Type.BODY)
        return names + self._gap() + self._chevron() <= width

    def _second(self, width: int) -> str:
        drafting = "" if self._has_room(width) else numbers.isolated(self.draft)
        return " · ".join(filter(None, (drafting, self.place)))

    def _words(self, painter: QPainter, rect: QRect, text: str, type_: Type, role: Role) -> None:
        font = self._theme.font(type_)
        shown = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, rect.width())
        painter.setFont(font)
        painter.setPen(self._theme.color(role))
        strokes.words(painter, rect, shown)

    def _mirrored(self, part: QRect, line: QRect) -> QRect:
        return QStyle.visualRect(self.layoutDirection(), line, part)

    def _width(self, text: str, type_: Type) -> int:
        font: QFont = self._theme.font(type_)
        return QFontMetrics(font).horizontalAdvance(text) + 1

    def _margin(self) -> int:
        return self._theme.space(2)

    def _gap(self) -> int:
        return self._theme.space(1.5)

    def _chevron(self) -> int:
        return self._gap() + self._theme.space(3)


def _part(line: QRect, at: int, width: int) -> QRect:
    return QRect(line.left() + at, line.top(), width, line.height())
