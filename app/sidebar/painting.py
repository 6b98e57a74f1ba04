"""How a row of the list is drawn and renamed."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QTextCharFormat, QTextLayout, QTextOption
from PySide6.QtWidgets import QLineEdit, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app import strokes
from app.sidebar.rows import ROW, Kind, Row
from app.theme import Role, Theme, Type

_Index = QModelIndex | QPersistentModelIndex
_State = QStyle.StateFlag

_SNIPPET_LINES = 2


class RowPainter(QStyledItemDelegate):
    """Draws rows in the theme's look, and the box that a title is changed in."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:  # noqa: N802
        """Heights differ by kind."""
        row: Row = index.data(ROW)
        space = self._theme.space
        if row.kind is Kind.HEAD:
            return QSize(0, space(9) if index.row() else space(6))
        if row.kind is Kind.CHAT:
            return QSize(0, space(8))
        line = QFontMetrics(self._theme.font(Type.SECONDARY)).lineSpacing()
        lines = len(self._snippet(row, self._inner(option.rect).width()))
        return QSize(0, space(8) + lines * line + space(1.5))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Draw one row."""
        row: Row = index.data(ROW)
        painter.save()
        if row.kind is Kind.HEAD:
            self._paint_head(painter, option.rect, row.text)
        else:
            self._paint_ground(painter, option)
            self._paint_title(painter, option, row)
            if row.kind is Kind.HIT:
                self._paint_snippet(painter, option.rect, row)
        painter.restore()

    def createEditor(  # noqa: N802
        self, parent: QWidget, option: QStyleOptionViewItem, index: _Index
    ) -> QWidget:
        """A line for the title."""
        line = QLineEdit(parent)
        line.setFont(self._theme.font(Type.BODY))
        line.setAccessibleName(self.tr("Title of the chat"))
        return line

    # The parts -----------------------------------------------------------------------------------

    def _inner(self, rect: QRect) -> QRect:
        space = self._theme.space
        return rect.adjusted(space(2.5), 0, -space(2.5), 0)

    def _paint_head(self, painter: QPainter, rect: QRect, text: str) -> None:
        font = self._theme.font(Type.LABEL)
        inner = self._inner(rect).adjusted(0, 0, 0, -self._theme.space(1))
        painter.setFont(font)
        painter.setPen(self._theme.color(Role.FAINT))
        text = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, inner.width())
        strokes.words(painter, inner, text, Qt.AlignmentFlag.AlignBottom)

    def _paint_ground(self, painter: QPainter, option: QStyleOptionViewItem) -> None:
        chosen = bool(option.state & _State.State_Selected)
        pointed = bool(option.state & _State.State_MouseOver)
        rect = QRectF(option.rect).adjusted(0, 0.5, 0, -0.5)
        if chosen or pointed:
            fill = self._theme.color(Role.PRESSED if chosen else Role.HOVER)
            strokes.rounded(painter, rect, self._theme.space(2), fill)
        if option.state & _State.State_HasFocus and option.state & _State.State_KeyboardFocusChange:
            line = self._theme.color(Role.FOCUS)
            strokes.rounded(painter, rect, self._theme.space(2), line=line, width=2)

    def _paint_title(self, painter: QPainter, option: QStyleOptionViewItem, row: Row) -> None:
        chosen = bool(option.state & _State.State_Selected)
        is_hit = row.kind is Kind.HIT
        font = self._theme.font(Type.STRONG if is_hit else Type.BODY)
        inner = self._inner(option.rect)
        inner.setHeight(self._theme.space(8))
        if row.is_busy:
            inner.adjust(0, 0, -self._paint_dot(painter, inner, option.direction), 0)
        painter.setFont(font)
        loud = chosen or is_hit
        painter.setPen(self._theme.color(Role.TEXT if loud else Role.SECONDARY))
        text = QFontMetrics(font).elidedText(row.text, Qt.TextElideMode.ElideRight, inner.width())
        strokes.words(painter, inner, text)

    def _paint_dot(self, painter: QPainter, inner: QRect, direction: Qt.LayoutDirection) -> int:
        """A reply is being written here. Returns the room it takes."""
        side = self._theme.space(1.5)
        dot = QRectF(inner.right() - side, inner.center().y() - side / 2, side, side)
        if direction == Qt.LayoutDirection.RightToLeft:
            dot.moveLeft(inner.left())
        strokes.rounded(painter, dot, side / 2, self._theme.color(Role.FOCUS))
        return side + self._theme.space(2)

    def _paint_snippet(self, painter: QPainter, rect: QRect, row: Row) -> None:
        inner = self._inner(rect)
        painter.setPen(self._theme.color(Role.SECONDARY))
        y = inner.top() + self._theme.space(7)
        for layout in self._snippet(row, inner.width()):
            layout.draw(painter, QPointF(inner.left(), y))
            y += round(layout.boundingRect().height())

    def _snippet(self, row: Row, width: int) -> list[QTextLayout]:
        """The first lines of what was found, each laid out, with its marks."""
        if row.entry is None or width <= 0:
            return []
        lines: list[QTextLayout] = []
        start, text = 0, row.snippet
        while start < len(text) and len(lines) < _SNIPPET_LINES:
            is_last = len(lines) == _SNIPPET_LINES - 1
            layout, length = self._line(text[start:], start, row, width, is_last=is_last)
            lines.append(layout)
            start += length
        return lines

    def _line(
        self, text: str, start: int, row: Row, width: int, *, is_last: bool
    ) -> tuple[QTextLayout, int]:
        font = self._theme.font(Type.SECONDARY)
        if is_last:
            text = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, width)
        layout = QTextLayout(text, font)
        wrapped = QTextOption()
        wrapped.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layout.setTextOption(wrapped)
        layout.setFormats(self._marks(row, start, text))
        layout.beginLayout()
        line = layout.createLine()
        line.setLineWidth(width)
        layout.endLayout()
        return layout, max(1, line.textLength())

    def _marks(self, row: Row, start: int, text: str) -> list[QTextLayout.FormatRange]:
        look = QTextCharFormat()
        look.setBackground(self._theme.color(Role.MARK))
        look.setForeground(self._theme.color(Role.TEXT))
        ranges = []
        for begin, end in row.marks:
            begin, end = max(begin - start, 0), min(end - start, len(text))
            if begin < end:
                ranges.append(_range(text, begin, end, look))
        return ranges


def _range(text: str, begin: int, end: int, look: QTextCharFormat) -> QTextLayout.FormatRange:
    """Qt counts in UTF-16: a character beyond the first plane is two."""
    marked = QTextLayout.FormatRange()
    marked.start = len(text[:begin].encode("utf-16-le")) // 2
    marked.length = len(text[begin:end].encode("utf-16-le")) // 2
    marked.format = look
    return marked
