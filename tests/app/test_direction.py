"""Interfaces that read from right to left: all is mirrored, and figures stay as they are read."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QMargins, QPoint, QRect, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication, QWidget

from app import strokes
from app.chat.controls import Pictures
from app.chat.figures import figures_line
from app.chat.meter import Meter
from app.chat.model import Version
from app.chat.pager import Pager
from app.controls import Text, margins
from app.icons import icon
from app.panel import numbers
from app.panel.bars import Bars
from app.panel.explain import Key, sentence
from app.panel.fill import Fill
from app.panel.panel import LivePanel
from app.panel.plate import Figure
from app.panel.table import FigureTable
from app.theme import Role, Theme, Type
from tests.app.chat.test_figures import FIGURES

FSI, PDI = "\u2068", "\u2069"


@pytest.fixture
def rtl(qapp: QApplication) -> Iterator[None]:
    qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    yield
    qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


pytestmark = pytest.mark.usefixtures("rtl", "english")


def painted(widget: QWidget, width: int, height: int) -> QImage:
    widget.resize(width, height)
    return widget.grab().toImage()


def ends(image: QImage, ground: QColor) -> tuple[int, int]:
    """The first and the last column in which something is painted."""
    columns = [
        x
        for x in range(image.width())
        if any(image.pixelColor(x, y) != ground for y in range(image.height()))
    ]
    return columns[0], columns[-1]


def test_numbers_keep_their_sign_and_their_unit_where_they_are() -> None:
    assert numbers.milliseconds(-0.03) == f"{FSI}\N{MINUS SIGN}30\u00a0ms{PDI}"
    assert numbers.times(1.3) == f"{FSI}1.30×{PDI}"


def test_the_pager_points_to_the_earlier_version_where_reading_begins(theme: Theme) -> None:
    host = QWidget()
    pager = Pager(theme, Pictures(theme), host)
    pager.show_version(Version(1, 2, 3))
    pager.resize(pager.sizeHint())
    painted(pager, pager.width(), pager.height())
    earlier, later = pager.buttons["earlier"], pager.buttons["later"]
    assert earlier.x() > pager.number.x() > later.x()
    for button, name in ((earlier, "chevron-right"), (later, "chevron-left")):
        size = button.iconSize()
        wanted = icon(theme, name, Role.SECONDARY).pixmap(size).toImage()
        assert button.icon().pixmap(size).toImage() == wanted


def test_parts_of_the_line_under_a_reply_follow_each_other_as_one_reads() -> None:
    line = figures_line(FIGURES)
    parts = line.split("  ·  ")
    assert len(parts) == 3
    assert all(part.startswith(FSI) and part.endswith(PDI) for part in parts)
    assert "92\u00a0%" in parts[1]


def test_a_bar_fills_from_the_right(qtbot, theme: Theme) -> None:
    fill = Fill(theme)
    qtbot.addWidget(fill)
    fill.show_share(0.25)
    image = painted(fill, 100, 4)
    full = theme.color(Role.SECONDARY)
    assert image.pixelColor(90, 2) == full
    assert image.pixelColor(10, 2) != full


def test_the_meter_fills_from_the_right(qtbot, theme: Theme) -> None:
    meter = Meter(theme)
    qtbot.addWidget(meter)
    meter.set_counts(0, 1000, 4000)
    image = painted(meter._bar, 100, 16)
    full = theme.color(Role.SECONDARY)
    assert image.pixelColor(90, 8) == full
    assert image.pixelColor(10, 8) != full


def test_a_figure_stands_at_the_right_and_is_not_mirrored_itself(qtbot, theme: Theme) -> None:
    figure = Figure(theme, Key.SPEED, Type.TITLE)
    qtbot.addWidget(figure)
    figure.show_value("7")
    mirrored = painted(figure, 120, 30)
    assert ends(mirrored, mirrored.pixelColor(0, 0))[0] > 90
    figure.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
    straight = painted(figure, 120, 30)
    ground = straight.pixelColor(119, 0)
    left, right = ends(straight, ground)
    there = ends(mirrored, ground)
    wide = right - left + 1
    assert there[1] - there[0] + 1 == pytest.approx(wide, abs=1)
    assert straight.copy(left, 0, wide, 30) == mirrored.copy(there[0], 0, wide, 30)


def test_the_pointer_finds_a_bar_where_it_is_painted(qtbot, theme: Theme, monkeypatch) -> None:
    bars = Bars(theme, Key.LENGTHS, first=0)
    qtbot.addWidget(bars)
    bars.show_shares([0.5, 1.0], ["7", "14"])
    bars.resize(200, 80)
    bars.show()
    told = []
    monkeypatch.setattr(bars, "hint_at", lambda place: told.append(place.x()) or sentence(bars.key))
    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QHelpEvent

    at = QPoint(190, 40)
    QApplication.sendEvent(bars, QHelpEvent(QEvent.Type.ToolTip, at, bars.mapToGlobal(at)))
    assert told == [9]


def test_the_switch_of_the_panel_stands_at_the_left(qtbot, theme: Theme) -> None:
    panel = LivePanel(theme)
    qtbot.addWidget(panel)
    panel.resize(300, 800)
    panel.show()
    assert panel._switch.x() < 60
    head = panel.charts.speed.head
    assert head.alignment() & Qt.AlignmentFlag.AlignRight


def test_values_of_the_table_read_as_one_thing(qtbot, theme: Theme) -> None:
    table = FigureTable(theme)
    qtbot.addWidget(table)
    table.show_values({Key.CONTEXT: "305 of 4,096 tokens"})
    assert table.item(0, 1).text() == f"{FSI}305 of 4,096 tokens{PDI}"


def test_labels_begin_at_the_right_whatever_their_words_are(qtbot, theme: Theme) -> None:
    label = Text(theme, "English words")
    qtbot.addWidget(label)
    image = painted(label, 300, 20)
    assert ends(image, image.pixelColor(0, 0))[0] > 150


def test_margins_change_sides(qtbot) -> None:
    widget = QWidget()
    qtbot.addWidget(widget)
    assert margins(widget, 12, 1, 4, 2) == QMargins(4, 1, 12, 2)


def test_words_that_are_painted_begin_at_the_right(qtbot, theme: Theme) -> None:
    class Line(QWidget):
        def paintEvent(self, event) -> None:  # noqa: N802
            from PySide6.QtGui import QPainter

            painter = QPainter(self)
            strokes.words(painter, QRect(0, 0, 300, 20), "Why?")
            painter.end()

    line = Line()
    qtbot.addWidget(line)
    image = painted(line, 300, 20)
    assert ends(image, image.pixelColor(0, 0))[0] > 200
