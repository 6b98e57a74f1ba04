"""Attachments as chips: what they are called, how long they are, and a look into them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from app import strokes
from app.chat.code import CodeBlock
from app.chat.controls import Caption, IconButton, Pictures, ink, mirrored, put_on_clipboard
from app.chat.model import Attachment
from app.chat.segments import Kind, Segment
from app.panel.numbers import whole
from app.theme import Role, Theme, Type

_SHOWN_LINES = 24
_SHOWN_COLUMNS = 240
_NO_LIMIT = 10_000


class Chip(QFrame):
    """One attachment. Pressing it shows its beginning.

    Signals:
        removed: It is to be taken off the message.
    """

    removed = Signal()

    def __init__(
        self,
        theme: Theme,
        pictures: Pictures,
        attachment: Attachment,
        *,
        removable: bool,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._removable = removable
        self.attachment = attachment
        layout = QHBoxLayout(self)
        layout.setContentsMargins(theme.space(1), 0, theme.space(1), 0)
        layout.setSpacing(0)
        self.face = self._made_face(pictures)
        self.controls: list[QWidget] = [self.face]
        """What the keyboard can reach in it, in the order of the tab key."""
        layout.addWidget(self.face)
        if removable:
            words = self.tr("Take {name} off the message").format(name=attachment.name)
            remove = IconButton(theme, pictures.get("close"), words, self)
            remove.clicked.connect(self.removed)
            self.controls.append(remove)
            layout.addWidget(remove)

    def _made_face(self, pictures: Pictures) -> QToolButton:
        face = QToolButton(self)
        face.setProperty("look", "quiet")
        face.setAutoRaise(True)
        face.setFont(self._theme.font(Type.SECONDARY))
        face.setIcon(pictures.get("file"))
        face.setIconSize(QSize(self._theme.space(4), self._theme.space(4)))
        face.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        ink(face, self._theme, Role.TEXT)
        face.setToolTip(self.tr("Look into it"))
        words = self.tr("Attachment {name}, {size}")
        face.setAccessibleName(words.format(name=self.attachment.name, size=self._size()))
        face.clicked.connect(self.preview)
        return face

    def fit(self, width: int) -> QSize:
        """Cut the name so that the chip fits into ``width``; the size it takes then."""
        metrics = self.face.fontMetrics()
        size = f"  ·  {self._size()}"
        air = self._theme.space(4) + self._theme.space(3.5)  # the icon, and around the words
        beside = self._theme.space(2) + (self._theme.space(7) if self._removable else 0)
        room = min(self._theme.space(50), width - beside - air - metrics.horizontalAdvance(size))
        name = metrics.elidedText(self.attachment.name, Qt.TextElideMode.ElideMiddle, room)
        self.face.setText((name + size).replace("&", "&&"))  # one would mark a letter for Alt
        self.face.setFixedWidth(metrics.horizontalAdvance(name + size) + air)
        return self.sizeHint()

    def _size(self) -> str:
        lines = self.attachment.lines
        if lines > 1:
            return self.tr("{n} lines").format(n=whole(lines))
        count = len(self.attachment.text)
        words = self.tr("1 character") if count == 1 else self.tr("{n} characters")
        return words.format(n=whole(count))

    def preview(self) -> Preview:
        """Show the beginning of it; it shuts by itself when something else is pressed."""
        shown = Preview(self._theme, self.attachment, self.window())
        shown.adjustSize()
        above = self.mapToGlobal(QPoint(0, -shown.height() - self._theme.space(1)))
        fits = above.y() > self.screen().availableGeometry().top()
        below = self.mapToGlobal(QPoint(0, self.height() + self._theme.space(1)))
        shown.move(above if fits else below)
        shown.show()
        return shown

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        painter = QPainter(self)
        strokes.rounded(
            painter,
            QRectF(self.rect()),
            self._theme.space(2),
            self._theme.color(Role.RAISED),
            self._theme.color(Role.BORDER),
        )
        painter.end()


class ChipRow(QWidget):
    """Chips side by side, on as many lines as they need.

    Signals:
        removed: The attachment at this place is to be taken off.
    """

    removed = Signal(int)

    def __init__(
        self,
        theme: Theme,
        pictures: Pictures,
        *,
        removable: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._pictures = pictures
        self._removable = removable
        self.chips: list[Chip] = []

    def show_attachments(self, attachments: Sequence[Attachment]) -> None:
        """Show these and no others."""
        for chip in self.chips:
            chip.hide()
            chip.deleteLater()
        self.chips = [self._made(index, each) for index, each in enumerate(attachments)]
        before: QWidget = self  # Qt would have the tab key reach them last of all
        for control in (control for chip in self.chips for control in chip.controls):
            QWidget.setTabOrder(before, control)
            before = control

    def restyle(self, pictures: Pictures) -> None:
        """Take the theme's pictures; the chips are made anew when next shown."""
        self._pictures = pictures

    def _made(self, index: int, attachment: Attachment) -> Chip:
        chip = Chip(self._theme, self._pictures, attachment, removable=self._removable, parent=self)
        chip.removed.connect(lambda: self.removed.emit(index))
        chip.show()
        return chip

    def ideal_width(self) -> int:
        """The width at which they stand on one line."""
        gaps = self._theme.space(1.5) * max(0, len(self.chips) - 1)
        return sum(chip.fit(_NO_LIMIT).width() for chip in self.chips) + gaps

    def height_for(self, width: int) -> int:
        """The height at ``width``; the chips are put in their places."""
        gap = self._theme.space(1.5)
        left = top = tall = 0
        for chip in self.chips:
            size = chip.fit(width)
            if left and left + size.width() > width:
                left, top = 0, top + tall + gap
            place = QRect(left, top, min(size.width(), width), size.height())
            chip.setGeometry(mirrored(self, place, width))
            left += size.width() + gap
            tall = size.height()
        return top + tall


class Preview(QFrame):
    """The beginning of an attachment, over the window."""

    def __init__(self, theme: Theme, attachment: Attachment, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*[theme.space(3)] * 4)
        layout.setSpacing(theme.space(2))
        self.setAccessibleName(attachment.name)
        code = CodeBlock(theme, self)
        shown, more = beginning(attachment.text)
        code.show_segment(Segment(Kind.CODE, 0, 0, shown, attachment.name, open=False))
        width = min(code.ideal_width(), theme.space(150))
        code.setFixedSize(max(width, theme.space(70)), code.height_for(width))
        code.copied.connect(lambda _shown: put_on_clipboard(attachment.text))
        layout.addWidget(code)
        if more:
            one, many = self.tr("… and 1 more character"), self.tr("… and {n} more characters")
            said = (one if more == 1 else many).format(n=whole(more))
            layout.addWidget(Caption(theme, said, self))


def beginning(text: str) -> tuple[str, int]:
    """The first lines of ``text``, none of them long, and how many characters are not shown."""
    head = text[: _SHOWN_LINES * _SHOWN_COLUMNS].split("\n")
    cut = [line[:_SHOWN_COLUMNS] for line in head[:_SHOWN_LINES]]
    shown = "\n".join(cut)
    return shown, len(text) - len(shown)
