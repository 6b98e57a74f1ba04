"""A block of code: its language, a copy button, colours, and a scroll bar of its own."""

from __future__ import annotations

import math

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFontMetricsF,
    QHelpEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QResizeEvent,
    QShowEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QTextEdit, QToolTip, QWidget

from app import strokes
from app.chat.controls import Caption, CopyButton, once
from app.chat.highlight import Colouring
from app.chat.layers import Layers, Mark
from app.chat.prose import sideways_wheel
from app.chat.segments import Kind, Segment
from app.chat.sources import unit_counter
from app.chat.tint import Tint
from app.chat.tinted import Tinted
from app.theme import Role, Theme, Type

_AIRY = 1.5  # lines, of the font's size
_PAUSE_MS = 350  # between two passes of colouring while code grows
_REST = 10  # colouring rests so many times as long as it worked
_COLOURS = tuple(role for role in Role if role.startswith("code_") or role is Role.DANGER)


class CodeText(QTextEdit):
    """The code itself: read-only, never wrapped, as tall as its lines."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._segment = Segment(Kind.CODE, 0, 0)
        self._shown = ""
        self._layers = Layers(self.document())
        self._formats = {str(role): _ink(theme, role) for role in _COLOURS}
        self._colouring: Colouring | None = None
        self._coloured_text: str | None = None
        self._rest_ms = _PAUSE_MS
        self.tinted = Tinted(self.document(), self._layers)
        self._timer = once(self, 0, self._colour_on)
        self._prepare()

    def _prepare(self) -> None:
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.setLineWrapMode(QTextEdit.LineWrapMode.NoWrap)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setTabChangesFocus(True)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.viewport().setAutoFillBackground(False)
        palette = self.palette()  # the corner under the scroll bar is filled with it
        palette.setColor(QPalette.ColorRole.Window, self._theme.color(Role.CODE_BACKGROUND))
        palette.setColor(QPalette.ColorRole.Base, self._theme.color(Role.CODE_BACKGROUND))
        self.setPalette(palette)
        font = self._theme.font(Type.CODE)
        document = self.document()
        document.setDocumentMargin(0)
        document.setDefaultFont(font)
        option = QTextOption()
        option.setTextDirection(Qt.LayoutDirection.LeftToRight)
        option.setWrapMode(QTextOption.WrapMode.NoWrap)
        option.setTabStopDistance(4 * QFontMetricsF(font).horizontalAdvance(" "))
        document.setDefaultTextOption(option)

    # What it shows -----------------------------------------------------------------------------

    def show_segment(self, segment: Segment) -> None:
        """Show ``segment``; only what is new of it is laid out."""
        closed_now = self._segment.open and not segment.open
        self._segment = segment
        text = segment.text
        if text != self._shown:
            if self._shown and text.startswith(self._shown):
                self._append(text[len(self._shown) :])
            else:
                self._replace(text)
            self._shown = text
        elif not closed_now:
            return
        self._want_colours()
        self.tinted.renew(segment)

    def _append(self, added: str) -> None:
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.insertText(added)

    def _replace(self, text: str) -> None:
        document = self.document()
        document.setLayoutEnabled(False)
        document.setPlainText(text)
        cursor = QTextCursor(document)
        cursor.select(QTextCursor.SelectionType.Document)
        layout = QTextBlockFormat()
        at_least = QTextBlockFormat.LineHeightTypes.MinimumHeight.value
        layout.setLineHeight(round(_AIRY * self._theme.font(Type.CODE).pixelSize()), at_least)
        cursor.mergeBlockFormat(layout)
        document.setLayoutEnabled(True)
        self._layers.forget()
        self._coloured_text = None

    def height_for(self, width: int) -> int:
        """The height at ``width``, with room for the scroll bar where one is needed."""
        if self.width() != width:
            self.resize(width, self.height())
        size = self.document().size()
        bar = self.horizontalScrollBar().sizeHint().height() if size.width() > width else 0
        return math.ceil(size.height()) + bar

    # Colours -----------------------------------------------------------------------------------

    def _want_colours(self) -> None:
        """See to it that the text is coloured soon; at once when it is over and short."""
        if not self._segment.open:
            self._colouring = None
            self._timer.start(0)
            self._colour_on()
        elif not self._timer.isActive():
            self._timer.start(self._rest_ms)

    def _colour_on(self) -> None:
        if self._colouring is None:
            if self._coloured_text == self._shown:
                return
            self._coloured_text = self._shown
            self._colouring = Colouring(self._shown, self._segment.language)
        if not self._colouring.run():
            self._timer.start(0)
            return
        colouring, self._colouring = self._colouring, None
        self._timer.stop()
        self._rest_ms = max(_PAUSE_MS, round(_REST * 1000 * colouring.seconds))
        self._layers.lay("syntax", self._marks(colouring), self._formats)
        if self._segment.open and self._coloured_text != self._shown:
            self._timer.start(self._rest_ms)

    def _marks(self, colouring: Colouring) -> list[Mark]:
        unit = unit_counter(self._coloured_text or "")
        return [(unit(start), unit(end), str(role)) for start, end, role in colouring.found]

    # Where its words came from -----------------------------------------------------------------

    def set_tint(self, tint: Tint | None) -> None:
        """Tint the words by their source, or stop."""
        self.tinted.choose(tint, self._segment)

    # Qt ----------------------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 (Qt's name)
        super().showEvent(event)
        self.horizontalScrollBar().setValue(0)  # Qt looked for the cursor while it was narrow

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        sideways_wheel(self, event)

    def viewportEvent(self, event: QEvent) -> bool:  # noqa: N802
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            self._explain(event)
            return True
        return super().viewportEvent(event)

    def _explain(self, event: QHelpEvent) -> None:
        bar = self.horizontalScrollBar().value()
        point = QPointF(event.pos().x() + bar, event.pos().y())
        QToolTip.showText(event.globalPos(), self.tinted.said_at(point), self)


class CodeBlock(QWidget):
    """Code in its frame.

    Signals:
        copied: The code is to be put on the clipboard.
    """

    copied = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.text = CodeText(theme, self)
        self._language = Caption(theme, "", self, role=Role.FAINT)
        self.copy_button = CopyButton(theme, self)
        self.copy_button.clicked.connect(self._copy)

    def show_segment(self, segment: Segment) -> None:
        """Show ``segment``, which is code."""
        name = segment.language or self.tr("code")
        if self._language.text() != name:
            self._language.setText(name)
            self.text.setAccessibleName(self.tr("Code, {language}").format(language=name))
        self.text.show_segment(segment)

    def set_tint(self, tint: Tint | None) -> None:
        """Tint the words by their source, or stop."""
        self.text.set_tint(tint)

    def height_for(self, width: int) -> int:
        """The height at ``width``."""
        return self._head() + self.text.height_for(self._inner(width)) + self._side()

    def ideal_width(self) -> int:
        """The width at which nothing needs to scroll."""
        return math.ceil(self.text.document().idealWidth()) + 2 * self._side() + 1

    @property
    def gap(self) -> int:
        """The space that belongs above it."""
        return self._theme.space(3)

    @property
    def editor(self) -> QTextEdit:
        """Where its text is."""
        return self.text

    @property
    def tinted(self) -> Tinted:
        """Its tint."""
        return self.text.tinted

    def controls(self) -> list[QWidget]:
        """What the keyboard can reach in it."""
        return [self.copy_button, self.text]

    def _inner(self, width: int) -> int:
        """How wide the text is: what is too long runs to the very edge."""
        return width - self._side() - self._theme.space(1)

    def _side(self) -> int:
        return self._theme.space(3.5)

    def _head(self) -> int:
        return self._theme.space(9)

    def _copy(self) -> None:
        self.copied.emit(self.text.toPlainText())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        side, head = self._side(), self._head()
        width, height = self.width(), self.height()
        text = QRect(side, head, self._inner(width), height - head - side // 2)
        self.text.setGeometry(text)
        label = self._language.sizeHint()
        button = self.copy_button.sizeHint()
        edge = self._theme.space(1.5)
        self._language.setGeometry(side, 0, min(label.width(), width // 2), head)
        top = (head - button.height()) // 2
        self.copy_button.setGeometry(width - edge - button.width(), top, *_pair(button))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        painter = QPainter(self)
        strokes.rounded(
            painter,
            QRectF(self.rect()),
            self._theme.space(2),
            self._theme.color(Role.CODE_BACKGROUND),
            self._theme.color(Role.LINE),
        )
        painter.end()


def _ink(theme: Theme, role: Role) -> QTextCharFormat:
    format_ = QTextCharFormat()
    format_.setForeground(theme.color(role))
    if role is Role.CODE_COMMENT:
        format_.setFontItalic(True)
    return format_


def _pair(size: QSize) -> tuple[int, int]:
    return size.width(), size.height()
