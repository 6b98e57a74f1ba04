"""How full the context is, before anything is sent."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from app import strokes
from app.chat.controls import Caption, ink
from app.panel.numbers import whole
from app.theme import Role, Theme, Type

_NEARLY_FULL = 0.9


class Meter(QWidget):
    """Tokens of what is typed, and a bar of what the conversation takes with it."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._counts = (0, 0, 0)
        self._is_narrow = False
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._bar = _Bar(theme, self)
        self._words = Caption(theme, "", self, role=Role.FAINT)
        self._row.addWidget(self._words)
        self._row.addWidget(self._bar)
        self.restyle()
        self.hide()

    @property
    def words(self) -> str:
        """What it says."""
        return self._words.text()

    def set_counts(self, tokens: int, used: int, limit: int) -> None:
        """``tokens`` are typed, ``used`` are the conversation's, of ``limit``; 0 for not known."""
        self._counts = (tokens, used, limit)
        self.setVisible(limit > 0)
        if limit <= 0:
            return
        full = used + tokens
        self._bar.set_parts(used / limit, tokens / limit)
        self._words.setText(self._said(tokens, full, limit))
        ink(self._words, self._theme, Role.WARNING if full > limit else Role.FAINT)
        explained = self.tr(
            "The models see {limit} tokens at once. This conversation takes {used} of them, "
            "and what you typed about {tokens} more."
        ).format(limit=whole(limit), used=whole(used), tokens=whole(tokens))
        self.setToolTip(explained)
        self.setAccessibleName(self._words.text())
        self.setAccessibleDescription(explained)

    def set_narrow(self, is_narrow: bool) -> None:
        """Say less where there is little room."""
        if is_narrow != self._is_narrow:
            self._is_narrow = is_narrow
            self._bar.setVisible(not is_narrow)
            self.set_counts(*self._counts)

    def restyle(self) -> None:
        """Take the theme's fonts and colours."""
        self._row.setSpacing(self._theme.space(2))
        self._words.setFont(self._theme.font(Type.SECONDARY))
        self.set_counts(*self._counts)
        self._bar.updateGeometry()

    def _said(self, tokens: int, full: int, limit: int) -> str:
        sums = self.tr("{full} of {limit} tokens").format(full=whole(full), limit=whole(limit))
        if self._is_narrow:
            return f"{whole(full)} / {whole(limit)}"
        if full > limit:
            return self.tr("Too long: {sums}").format(sums=sums)
        if not tokens:
            return sums
        return self.tr("+{tokens}  ·  {sums}").format(tokens=whole(tokens), sums=sums)


class _Bar(QWidget):
    """What is used, and in a lighter shade what is about to be."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._used = self._more = 0.0
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)

    def set_parts(self, used: float, more: float) -> None:
        """As parts of the context, 0 to 1."""
        self._used, self._more = min(1.0, used), min(1.0, used + more)
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        return QSize(self._theme.space(14), self._theme.space(4))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        tall = self._theme.space(1)
        top = (self.height() - tall) / 2
        loud = Role.WARNING if self._more > _NEARLY_FULL else Role.SECONDARY
        painter = QPainter(self)
        for part, role in ((1.0, Role.LINE), (self._more, Role.NEUTRAL), (self._used, loud)):
            if part > 0:
                wide = max(tall, part * self.width())
                left = self.width() - wide if self.isRightToLeft() else 0.0
                bar = QRectF(left, top, wide, tall)
                strokes.rounded(painter, bar, tall / 2, self._theme.color(role))
        painter.end()
