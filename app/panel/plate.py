"""What every painted part of the panel has in common: it explains itself, aloud and on hover."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QPointF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from app.panel.explain import Key, sentence, title
from app.theme import Role, Theme, Type
from app.tips import tip


class Plate(QWidget):
    """A widget that paints one figure or chart.

    Its accessible name is the figure's title; its description, the value and the sentence.
    """

    def __init__(self, theme: Theme, key: Key, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.key = key
        self.setAccessibleName(title(key))
        self.speak("")
        theme.changed.connect(self._restyle)

    def speak(self, value: str) -> None:
        """Have a screen reader find ``value``."""
        said = f"{value}. {sentence(self.key)}" if value else sentence(self.key)
        if said != self.accessibleDescription():
            self.setAccessibleDescription(said)

    def hint_at(self, place: QPoint) -> str:
        """What to say where the pointer rests, counted from where lines begin."""
        return sentence(self.key)

    def draw(self, painter: QPainter) -> None:
        """Paint what is there, from left to right: the other direction is seen to."""
        raise NotImplementedError

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)  # of each text its own
        if self.isRightToLeft():
            painter.translate(self.width(), 0)
            painter.scale(-1, 1)
        self.draw(painter)
        painter.end()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            place = event.pos()
            if self.isRightToLeft():
                place.setX(self.width() - 1 - place.x())
            QToolTip.showText(event.globalPos(), tip(self.hint_at(place)), self)
            return True
        return super().event(event)

    def _restyle(self) -> None:
        self.updateGeometry()
        self.update()

    # Helpers for drawing -----------------------------------------------------------------------

    def metrics(self, type_: Type) -> QFontMetricsF:
        """The measures of a font of the scale."""
        return QFontMetricsF(self.theme.font(type_))

    def write(self, painter: QPainter, at: QPointF, text: str, type_: Type, role: Role) -> None:
        """Write on a baseline that begins at ``at``."""
        painter.setFont(self.theme.font(type_))
        painter.setPen(self.theme.color(role))
        if not self.isRightToLeft():
            painter.drawText(at, text)
            return
        painter.save()  # letters must not be mirrored with their place
        # On whole pixels: between two, letters would be blurred.
        painter.translate(round(at.x() + self.metrics(type_).horizontalAdvance(text)), at.y())
        painter.scale(-1, 1)
        painter.drawText(QPointF(), text)
        painter.restore()


class Figure(Plate):
    """A number and, smaller behind it, its unit, on the baseline of a row of ``row``'s size.

    ``right``: it stands at the right end, as wide as it had to be so far.
    """

    def __init__(
        self,
        theme: Theme,
        key: Key,
        type_: Type,
        *,
        row: Type | None = None,
        right: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(theme, key, parent)
        self._type = type_
        self._row = row or type_
        self._right = right
        self._shown = ("", "", Role.TEXT)
        self._widest = 0.0
        across = QSizePolicy.Policy.Fixed if right else QSizePolicy.Policy.Expanding
        self.setSizePolicy(across, QSizePolicy.Policy.Fixed)

    def show_value(self, value: str, unit: str = "", role: Role = Role.TEXT) -> None:
        """Show this from now on; nothing is painted where nothing changed."""
        if (value, unit, role) == self._shown:
            return
        self._shown = (value, unit, role)
        if self._right and self._width() > self._widest:
            self._widest = self._width()
            self.updateGeometry()
        self.update()

    @property
    def text(self) -> str:
        """What is shown."""
        return " ".join(part for part in self._shown[:2] if part)

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        below = self.metrics(Type.SECONDARY).descent()
        return QSize(round(self._widest + 1), round(self._baseline() + below + 0.5))

    def minimumSizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        return self.sizeHint()

    def draw(self, painter: QPainter) -> None:
        value, unit, role = self._shown
        room, baseline = float(self.width()), self._baseline()
        start = max(0.0, room - self._width()) if self._right else 0.0
        at = start + self._advance(value, self._type) + self._gap()
        value = self._fitting(value, self._type, room - start)
        self.write(painter, QPointF(start, baseline), value, self._type, role)
        # A unit that does not fit is left out beside its number; alone, it is cut.
        if unit and (not value or self._advance(unit, Type.SECONDARY) <= room - at + 1):
            unit = self._fitting(unit, Type.SECONDARY, room - at)
            self.write(painter, QPointF(at, baseline), unit, Type.SECONDARY, Role.SECONDARY)

    def _baseline(self) -> float:
        """Figures have no accents: a row is little taller than they are."""
        small = self.metrics(Type.SECONDARY)
        return max(small.ascent(), self.metrics(self._row).capHeight() + self.theme.space(0.5))

    def _width(self) -> float:
        value, unit, _role = self._shown
        return self._advance(value, self._type) + self._gap() + self._advance(unit, Type.SECONDARY)

    def _gap(self) -> int:
        return self.theme.space(2) if self._shown[0] and self._shown[1] else 0

    def _advance(self, text: str, type_: Type) -> float:
        return self.metrics(type_).horizontalAdvance(text) if text else 0.0

    def _fitting(self, text: str, type_: Type, room: float) -> str:
        # Half a pixel of rounding is no reason to cut a figure.
        return self.metrics(type_).elidedText(text, Qt.TextElideMode.ElideRight, room + 1)

    def _restyle(self) -> None:
        self._widest = self._width()
        super()._restyle()
