"""Our own icons: one-colour drawings in assets/icons, drawn for each size and theme."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QIconEngine, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer
from shiboken6 import Shiboken

from app.theme import Role, Theme
from engine import paths

_INK = b"currentColor"


def icon(theme: Theme, name: str, role: Role = Role.TEXT) -> QIcon:
    """The icon ``name`` in the colour of ``role``. It follows the theme by itself.

    Raises FileMissing where there is no such drawing.
    """
    drawing = paths.asset(f"icons/{name}.svg").read_bytes()
    # A copy: in PySide the first icon is its engine's parent, and where the garbage collector finds
    # both it may end the engine before the icon that draws with it.
    return QIcon(QIcon(_Engine(theme, drawing, role)))


def draw(painter: QPainter, rect: QRectF, name: str, color: QColor) -> None:
    """Paint the icon ``name`` into ``rect``, for widgets that paint themselves."""
    drawing = paths.asset(f"icons/{name}.svg").read_bytes()
    _renderer(drawing, color).render(painter, rect)


def _renderer(drawing: bytes, color: QColor) -> QSvgRenderer:
    return QSvgRenderer(QByteArray(drawing.replace(_INK, color.name().encode())))


class _Engine(QIconEngine):
    """Draws one icon when Qt asks, so that it is sharp at every scale and right in every theme."""

    def __init__(self, theme: Theme, drawing: bytes, role: Role) -> None:
        super().__init__()
        self._theme = theme
        self._drawing = drawing
        self._role = role
        self._drawn: dict[tuple[int, int, float, str], QPixmap] = {}

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        side = min(rect.width(), rect.height())
        square = QRectF(0, 0, side, side)
        square.moveCenter(QRectF(rect).center())
        _renderer(self._drawing, self._color(mode)).render(painter, square)

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        return self.scaledPixmap(size, mode, state, 1.0)

    def scaledPixmap(  # noqa: N802 (Qt's name)
        self, size: QSize, mode: QIcon.Mode, state: QIcon.State, scale: float
    ) -> QPixmap:
        key = (size.width(), size.height(), scale, self._color(mode).name())
        if key not in self._drawn:
            self._drawn[key] = self._draw(size, mode, state, scale)
        return self._drawn[key]

    def clone(self) -> QIconEngine:
        copy = _Engine(self._theme, self._drawing, self._role)
        # PySide takes what is handed over here for Python's own and would delete it as soon as this
        # returns. An icon gives its engine to Qt; that icon must then never end: it is let go of.
        Shiboken.invalidate(QIcon(copy))
        return copy

    def _draw(self, size: QSize, mode: QIcon.Mode, state: QIcon.State, scale: float) -> QPixmap:
        drawn = QPixmap(size * scale)
        drawn.setDevicePixelRatio(scale)
        drawn.fill(Qt.GlobalColor.transparent)
        painter = QPainter(drawn)
        self.paint(painter, QRect(QPoint(), size), mode, state)
        painter.end()
        return drawn

    def _color(self, mode: QIcon.Mode) -> QColor:
        disabled = mode == QIcon.Mode.Disabled
        return self._theme.color(Role.DISABLED if disabled else self._role)
