"""The few controls of our own that many places share."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QMargins, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPalette, QResizeEvent
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from app import strokes
from app.icons import icon
from app.theme import Role, Theme, Type
from app.tips import plain_tip, with_keys
from engine import paths


def beginning(widget: QWidget) -> Qt.AlignmentFlag:
    """Where lines begin in the interface; a label alone would go by what its words are."""
    rtl = widget.layoutDirection() == Qt.LayoutDirection.RightToLeft
    side = Qt.AlignmentFlag.AlignRight if rtl else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignVCenter


def margins(widget: QWidget, begin: int, top: int, end: int, bottom: int) -> QMargins:
    """Margins of ``widget`` from where lines begin to where they end, be it left or right."""
    rtl = widget.layoutDirection() == Qt.LayoutDirection.RightToLeft
    return QMargins(end, top, begin, bottom) if rtl else QMargins(begin, top, end, bottom)


class Text(QLabel):
    """A label in one type and one colour, which follow the theme.

    ``elided``: what does not fit ends in an ellipsis and is told whole in the tool tip.
    """

    def __init__(
        self,
        theme: Theme,
        text: str = "",
        type_: Type = Type.BODY,
        role: Role = Role.TEXT,
        *,
        wrap: bool = False,
        elided: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme, self._type, self._role = theme, type_, role
        self._elided = elided
        self._whole = text
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAlignment(beginning(self))
        self.setWordWrap(wrap)
        if elided:
            self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        theme.changed.connect(self._dress)
        self._dress()

    def setText(self, text: str) -> None:  # noqa: N802 (Qt's name)
        """Show ``text``."""
        self._whole = text
        self._fit()

    def whole_text(self) -> str:
        """The text without the ellipsis."""
        return self._whole

    def set_role(self, role: Role) -> None:
        """Show it in another colour."""
        self._role = role
        self._dress()

    def sizeHint(self) -> QSize:  # noqa: N802
        """Room for the whole text, even while less is given."""
        hint = super().sizeHint()
        if self._elided:
            hint.setWidth(self.fontMetrics().horizontalAdvance(self._whole) + 1)
        return hint

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Cut anew."""
        super().resizeEvent(event)
        if self._elided:
            self._fit()

    def _dress(self) -> None:
        self.setFont(self._theme.font(self._type))
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.WindowText, self._theme.color(self._role))
        self.setPalette(palette)
        self._fit()

    def _fit(self) -> None:
        shown = self._whole
        if self._elided:
            mode = Qt.TextElideMode.ElideRight
            shown = self.fontMetrics().elidedText(self._whole, mode, max(0, self.width()))
            self.setToolTip(plain_tip(self._whole) if shown != self._whole else "")
        super().setText(shown)


class IconButton(QToolButton):
    """A button that is an icon alone. ``name`` says it in words, in the tool tip and to readers."""

    def __init__(
        self,
        theme: Theme,
        icon_name: str,
        name: str,
        *,
        side: float = 8,
        role: Role = Role.SECONDARY,
        parent: QWidget | None = None,
    ) -> None:
        """``side``: in units of space; the icon takes a little more than half of it."""
        super().__init__(parent)
        self._theme, self._side, self._role = theme, side, role
        self.setAutoRaise(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.set_icon(icon_name)
        self.set_name(name)
        theme.changed.connect(self._measure)
        self._measure()

    def set_icon(self, icon_name: str) -> None:
        """Show another icon."""
        self.setIcon(icon(self._theme, icon_name, self._role))

    def set_name(self, name: str, shortcut: str = "") -> None:
        """Say another name; ``shortcut`` as a person reads it."""
        self.setAccessibleName(name)
        self.setToolTip(plain_tip(with_keys(name, shortcut)))

    def _measure(self) -> None:
        side = self._theme.space(self._side)
        drawn = self._theme.space(4 if self._side < 7 else 4.5)
        self.setIconSize(QSize(drawn, drawn))
        self.setFixedSize(side, side)


_ROOMY, _TIGHT = 6.0, 1.5  # units of space around the words of a segment


class _Segment(QToolButton):
    """One choice. It is as wide as its words in bold, so that nothing moves when it is chosen."""

    def __init__(self, theme: Theme, title: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._room = theme, _ROOMY
        self.setText(title)
        self.setCheckable(True)
        self.setProperty("look", "segment")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.toggled.connect(self.dress)
        self.dress()

    def set_tight(self, tight: bool) -> None:
        """Leave less room around the words."""
        self._room = _TIGHT if tight else _ROOMY
        self.updateGeometry()

    def dress(self) -> None:
        """Take font and size from the theme."""
        self.setFont(self._theme.font(Type.STRONG if self.isChecked() else Type.BODY))
        self.updateGeometry()

    def sizeHint(self) -> QSize:  # noqa: N802
        """The words in bold, and the room around them."""
        words = QFontMetrics(self._theme.font(Type.STRONG)).horizontalAdvance(self.text())
        return QSize(words + self._theme.space(self._room), self._theme.space(6.5))

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        """The same."""
        return self.sizeHint()


class Segments(QFrame):
    """A row of choices of which one holds, such as Speculative, Plain, Compare.

    Signals:
        chosen: The id of the choice a person made.
    """

    chosen = Signal(str)

    def __init__(
        self,
        theme: Theme,
        choices: Sequence[tuple[str, str]],
        name: str,
        parent: QWidget | None = None,
    ) -> None:
        """``choices``: id and title of each; ``name``: what is chosen here, for readers."""
        super().__init__(parent)
        self._theme = theme
        self._buttons: dict[str, _Segment] = {}
        self._group = QButtonGroup(self)
        self._row = QHBoxLayout(self)
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        for id_, title in choices:
            self._add(id_, title)
        theme.changed.connect(self._measure)
        self._measure()

    def choose(self, id_: str | None) -> None:
        """Show that ``id_`` holds, or none of them, without telling anyone."""
        if id_ is not None:
            self._buttons[id_].setChecked(True)
        elif (held := self._group.checkedButton()) is not None:
            self._group.setExclusive(False)  # else one must hold
            held.setChecked(False)
            self._group.setExclusive(True)

    def choice(self) -> str | None:
        """The id of what holds."""
        held = (id_ for id_, button in self._buttons.items() if button.isChecked())
        return next(held, None)

    def button(self, id_: str) -> QToolButton:
        """The button of ``id_``, to disable it or to say why in its tool tip."""
        return self._buttons[id_]

    def set_tight(self, tight: bool) -> None:
        """Leave less room around the words, where there is little."""
        for button in self._buttons.values():
            button.set_tight(tight)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """The ground that the choices lie on."""
        painter = QPainter(self)
        radius = self._theme.space(2)
        strokes.rounded(painter, self.rect().toRectF(), radius, self._theme.color(Role.HOVER))
        painter.end()

    def _add(self, id_: str, title: str) -> None:
        button = _Segment(self._theme, title, self)
        button.clicked.connect(lambda: self.chosen.emit(id_))
        self._group.addButton(button)
        self._row.addWidget(button)
        self._buttons[id_] = button

    def _measure(self) -> None:
        space = self._theme.space
        self._row.setContentsMargins(*[space(0.75)] * 4)
        self._row.setSpacing(space(0.5))
        for button in self._buttons.values():
            button.dress()


class Picture(QWidget):
    """A drawing of the assets, in the pixels of whatever screen it is on just now.

    Raises FileMissing where there is no such drawing.
    """

    def __init__(
        self, theme: Theme, drawing: str, side: float, parent: QWidget | None = None
    ) -> None:
        """``side``: in units of space."""
        super().__init__(parent)
        self._theme, self._side = theme, side
        self._drawing = QSvgRenderer(str(paths.asset(drawing)), self)
        theme.changed.connect(self._measure)
        self._measure()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """The drawing."""
        painter = QPainter(self)
        self._drawing.render(painter, self.rect().toRectF())
        painter.end()

    def _measure(self) -> None:
        side = self._theme.space(self._side)
        self.setFixedSize(side, side)


class Rule(QWidget):
    """A line of one pixel."""

    def __init__(
        self, theme: Theme, *, upright: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        if upright:
            self.setFixedWidth(1)
        else:
            self.setFixedHeight(1)
        theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """The line."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.color(Role.LINE))
        painter.end()


def scrolling(inner: QWidget) -> QScrollArea:
    """``inner`` as wide as there is room, with a scroll bar where it is taller than that."""
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidget(inner)
    return area


class Card(QFrame):
    """A surface with a thin line around it; its contents are its own layout's."""

    def __init__(
        self,
        theme: Theme,
        *,
        fill: Role = Role.RAISED,
        line: Role = Role.LINE,
        radius: float = 2.5,
        parent: QWidget | None = None,
    ) -> None:
        """``radius``: in units of space."""
        super().__init__(parent)
        self._theme, self._fill, self._line, self._radius = theme, fill, line, radius
        theme.changed.connect(self.update)

    def set_line(self, line: Role) -> None:
        """Draw the line in another colour: `Role.FOCUS` while the keyboard is inside."""
        self._line = line
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """The surface."""
        painter = QPainter(self)
        fill, line = self._theme.color(self._fill), self._theme.color(self._line)
        radius = self._theme.space(self._radius)
        strokes.rounded(painter, self.rect().toRectF(), radius, fill, line)
        painter.end()
