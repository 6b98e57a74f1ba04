"""The views of prose: Markdown, what a person typed, and tables, each as tall as it must be."""

from __future__ import annotations

import math

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, QUrl, Signal
from PySide6.QtGui import (
    QFontMetricsF,
    QHelpEvent,
    QPainter,
    QPaintEvent,
    QTextBlock,
    QTextCursor,
    QTextFormat,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QTextBrowser, QTextEdit, QToolTip, QWidget

from app.chat.layers import Layers
from app.chat.markdown import Sheet, style_table
from app.chat.segments import Kind, Segment
from app.chat.tint import Tint
from app.chat.tinted import Tinted
from app.theme import Role, Theme
from app.tips import plain_tip

_MEASURED = 4_000  # characters that are enough to know that a text fills the page
_ROUNDING = 2  # pixels by which Qt may lay a table out wider than the page that it fits


class Prose(QTextBrowser):
    """One segment of prose. It never scrolls by itself, never loads and never follows a link.

    Signals:
        link: A person pressed this address, which is http or https.
    """

    link = Signal(str)

    def __init__(self, theme: Theme, *, quiet: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._sheet = Sheet(theme, quiet=quiet)
        self._segment = Segment(Kind.PROSE, 0, 0)
        self._shown: str | None = None
        self._layers = Layers(self.document())
        self.tinted = Tinted(self.document(), self._layers)
        self._has_quotes = False
        self._sheet.prepare(self.document())
        self.setAccessibleName(self.tr("Text"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)
        self.setOpenLinks(False)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextBrowserInteraction
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setTabChangesFocus(True)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.anchorClicked.connect(self._press)

    # What it shows -----------------------------------------------------------------------------

    def show_segment(self, segment: Segment) -> None:
        """Show ``segment``. Where its text goes on from the one before, what a person has selected
        stays selected."""
        self._segment = segment
        if segment.text == self._shown:
            return
        self._shown = segment.text
        anchor, position = self.textCursor().anchor(), self.textCursor().position()
        chosen = max(anchor, position)
        before = _beginning(self, chosen)
        self._write(segment)
        if chosen and _beginning(self, chosen) == before:
            self._select(anchor, position)
        self._layers.forget()
        text = segment.text
        self._has_quotes = text.startswith(">") or "\n>" in text or "> " in text
        self.tinted.renew(segment)

    def _write(self, segment: Segment) -> None:
        if segment.kind is Kind.TEXT:
            self._sheet.write_plain(self.document(), segment.text)
        else:
            self._sheet.write(self.document(), segment.text)

    def _select(self, anchor: int, position: int) -> None:
        cursor = self.textCursor()
        cursor.setPosition(anchor)
        cursor.setPosition(position, QTextCursor.MoveMode.KeepAnchor)
        self.setTextCursor(cursor)

    def height_for(self, width: int) -> int:
        """The height at ``width``, which it is laid out for from now on.

        It must be visible: one that is hidden lays its document out for a width of its own.
        """
        if self.width() != width:
            self.resize(width, self.height())
        return math.ceil(self.document().size().height())

    def ideal_width(self) -> int:
        """The width at which no line would break."""
        metrics = QFontMetricsF(self.document().defaultFont())
        lines = self._segment.text[:_MEASURED].split("\n")
        return math.ceil(max(map(metrics.horizontalAdvance, lines))) + 1

    @property
    def gap(self) -> int:
        """The space that belongs above it, where something stands there."""
        first = self.document().begin().blockFormat()
        return self._sheet.heading_gap() if first.headingLevel() else self._sheet.gap

    @property
    def editor(self) -> QTextEdit:
        """Where its text is."""
        return self

    def controls(self) -> list[QWidget]:
        """What the keyboard can reach in it."""
        return [self]

    # Where its words came from -----------------------------------------------------------------

    def set_tint(self, tint: Tint | None) -> None:
        """Tint the words by their source, or stop."""
        self.tinted.choose(tint, self._segment)

    # Qt ----------------------------------------------------------------------------------------

    def loadResource(self, kind: int, name: QUrl | str) -> object:  # noqa: N802 (Qt's name)
        """Nothing: a message fetches nothing, from no disk and no network."""
        return None

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        event.ignore()  # the transcript scrolls

    def viewportEvent(self, event: QEvent) -> bool:  # noqa: N802
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            self._explain(event)
            return True
        return super().viewportEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        super().paintEvent(event)
        if self._has_quotes:
            self._paint_quotes(event)

    def _press(self, url: QUrl) -> None:
        if url.scheme().lower() in ("http", "https"):
            self.link.emit(url.toString(QUrl.ComponentFormattingOption.FullyEncoded))

    def _explain(self, event: QHelpEvent) -> None:
        address = self.anchorAt(event.pos())
        said = address or self.tinted.said_at(QPointF(event.pos()))
        if said:
            QToolTip.showText(event.globalPos(), plain_tip(said), self)
        else:
            QToolTip.hideText()

    def _paint_quotes(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        layout = self.document().documentLayout()
        block = self.document().begin()
        while block.isValid():
            if level := _quote_level(block):
                rect = layout.blockBoundingRect(block)
                self._paint_bars(painter, rect, level, event)
            block = block.next()
        painter.end()

    def _paint_bars(self, painter: QPainter, rect: QRectF, level: int, event: QPaintEvent) -> None:
        step, width = self._theme.space(4), max(2, self._theme.space(0.5))
        for i in range(level):
            bar = QRectF(i * step, rect.top(), width, rect.height())
            if bar.intersects(QRectF(event.rect())):
                painter.fillRect(bar, self._theme.color(Role.BORDER))


class Table(Prose):
    """A table; where it is wider than the page it scrolls sideways."""

    def __init__(self, theme: Theme, *, quiet: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(theme, quiet=quiet, parent=parent)
        self.setAccessibleName(self.tr("Table"))
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WordWrap)
        self.document().setDefaultTextOption(option)

    def _write(self, segment: Segment) -> None:
        super()._write(segment)
        style_table(self.document(), self._theme)

    def height_for(self, width: int) -> int:
        """As `Prose.height_for`, with room for the scroll bar where one is needed."""
        height = super().height_for(width)
        is_wide = self.document().size().width() > width + _ROUNDING
        as_needed = Qt.ScrollBarPolicy.ScrollBarAsNeeded
        off = Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.setHorizontalScrollBarPolicy(as_needed if is_wide else off)
        return height + (self.horizontalScrollBar().sizeHint().height() if is_wide else 0)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        sideways_wheel(self, event)


def sideways_wheel(view: Prose | QWidget, event: QWheelEvent) -> None:
    """Let a view scroll sideways only: up and down is the transcript's."""
    bar = view.horizontalScrollBar()  # type: ignore[union-attr]
    delta = event.angleDelta()
    moved = delta.x() or (delta.y() if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 0)
    if not moved or bar.maximum() == 0:
        event.ignore()
        return
    bar.setValue(bar.value() - moved)
    event.accept()


def _beginning(view: QTextEdit, length: int) -> bytes:
    """What a view shows, up to a position of Qt's, which counts in units of UTF-16."""
    if not length:
        return b""
    return view.toPlainText().encode("utf-16-le", "surrogatepass")[: 2 * length]


def _quote_level(block: QTextBlock) -> int:
    return int(block.blockFormat().property(QTextFormat.Property.BlockQuoteLevel) or 0)
