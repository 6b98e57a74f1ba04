"""The model's reasoning, folded away behind one line."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QToolButton, QWidget

from app.chat.column import Column, View
from app.chat.controls import Pictures, ink, mirrored
from app.chat.segments import Segment
from app.chat.tint import Tint
from app.panel.numbers import whole
from app.theme import Role, Theme, Type


class Reasoning(QWidget):
    """Open while it is written and shut when the answer begins, unless a person decided.

    Signals:
        toggled: It was opened or shut by a person, and has another height now.
    """

    toggled = Signal(bool)
    link = Signal(str)
    copied = Signal(str)

    def __init__(
        self, theme: Theme, pictures: Pictures, *, is_open: bool, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._pictures = pictures
        self._segments: Sequence[Segment] = ()
        self._words: list[int] = []  # of each segment
        self._is_open = is_open
        self._column: Column | None = None  # made when it is first open: most never are
        self._tint: Tint | None = None
        self._head = QToolButton(self)
        self._head.setProperty("look", "quiet")
        self._head.setAutoRaise(True)
        self._head.setFont(theme.font(Type.SECONDARY))
        self._head.setIconSize(QSize(theme.space(3.5), theme.space(3.5)))
        self._head.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        ink(self._head, theme, Role.SECONDARY)
        self._head.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._head.clicked.connect(self._toggle)

    @property
    def gap(self) -> int:
        """The space that belongs above it."""
        return 0

    def show_segments(self, segments: Sequence[Segment], first: int, *, is_written: bool) -> None:
        """Show ``segments``; those before ``first`` are as they were."""
        self._segments = segments
        del self._words[first:]
        self._words += [len(segment.text.split()) for segment in segments[len(self._words) :]]
        words = sum(self._words)
        said = self.tr("Reasoning…") if is_written else self.tr("Reasoning")
        count = self.tr("1 word") if words == 1 else self.tr("{n} words")
        self._head.setText(f"{said}  ·  " + count.format(n=whole(words)))
        self._fill(first)

    def set_open(self, is_open: bool) -> None:
        """Open or shut it."""
        if is_open != self._is_open:
            self._is_open = is_open
            self._fill(0)

    def set_tint(self, tint: Tint | None) -> None:
        """Tint the words by their source, or stop."""
        self._tint = tint
        if self._column is not None:
            self._column.set_tint(tint)

    def height_for(self, width: int) -> int:
        """The height at ``width``."""
        head = self._head.sizeHint()
        place = QRect(0, 0, min(head.width(), width), head.height())
        self._head.setGeometry(mirrored(self, place, width))
        if not self._is_open or self._column is None:
            return head.height()
        inset = self._inset()
        top = head.height() + self._theme.space(1)
        height = self._column.height_for(width - inset)
        self._column.setGeometry(mirrored(self, QRect(inset, top, width - inset, height), width))
        return top + height

    @property
    def views(self) -> list[View]:
        """The views of its segments; none where it is shut."""
        return self._column.views if self._column is not None and self._is_open else []

    def controls(self) -> list[QWidget]:
        """What the keyboard can reach in it, from the top."""
        return [self._head, *(c for view in self.views for c in view.controls())]

    def _inset(self) -> int:
        return self._theme.space(4)

    def _fill(self, first: int) -> None:
        name = "chevron-down" if self._is_open else "chevron-right"
        self._head.setIcon(self._pictures.get(name))
        state = self.tr("shown") if self._is_open else self.tr("hidden")
        self._head.setAccessibleName(f"{self._head.text()}, {state}")
        if self._is_open:
            if self._column is None:
                first = 0
                self._column = Column(self._theme, quiet=True, parent=self)
                self._column.link.connect(self.link)
                self._column.copied.connect(self.copied)
                self._column.set_tint(self._tint)
            self._column.show_segments(self._segments, first)
        if self._column is not None:
            self._column.setVisible(self._is_open)

    def _toggle(self) -> None:
        self.set_open(not self._is_open)
        self.toggled.emit(self._is_open)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        if not self._is_open or self._column is None:
            return
        painter = QPainter(self)
        width = max(2, self._theme.space(0.5))
        left = self._theme.space(1.5)
        top = self._column.y()
        bar = mirrored(self, QRect(left, top, width, self.height() - top), self.width())
        painter.fillRect(bar, self._theme.color(Role.LINE))
        painter.end()
