"""How full the context is."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.panel.explain import Key
from app.panel.plate import Plate
from app.theme import Role, Theme


class Fill(Plate):
    """A thin bar, filled from the left."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, Key.CONTEXT, parent)
        self._share = 0.0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_share(self, share: float) -> None:
        """Show this from now on."""
        if share != self._share:
            self._share = share
            self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        return QSize(self.theme.space(40), self.theme.space(1))

    def draw(self, painter: QPainter) -> None:
        painter.fillRect(self.rect(), self.theme.color(Role.UNTESTED))
        full = QRectF(0, 0, self.width() * min(1.0, self._share), self.height())
        painter.fillRect(full, self.theme.color(Role.SECONDARY))
