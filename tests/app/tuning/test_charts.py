"""The curve and its parts: what they show, what the pointer and the keys read, and how fast."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QPointF, QSize, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtTest import QTest

from app.panel.explain import sentence
from app.theme import Role, Theme
from app.tuning.chart import Chart
from app.tuning.memory_bars import MemoryBars
from app.tuning.pass_costs import PassCosts
from app.tuning.reading import Reading
from app.tuning.signs import Signs
from app.tuning.speed_curve import SpeedCurve
from app.tuning.survivals import Survivals, spread
from engine.tunings import MAX_GAMMA
from tests.support.tuned import RECORD

KINDS: tuple[Callable[[Theme, float], Chart], ...] = (SpeedCurve, PassCosts, Survivals, MemoryBars)
ALL = pytest.mark.parametrize("kind", KINDS)
PAINT_SECONDS = 0.002
SLACK = 2  # other tests compute at the same time


@pytest.fixture
def show(qtbot, theme: Theme, reading: Reading) -> Callable[..., Chart]:
    def show(kind: Callable[[Theme, float], Chart], shown: Reading = reading) -> Chart:
        chart = kind(theme, 50)
        qtbot.addWidget(chart)
        chart.resize(640, 200)
        chart.show_reading(shown)
        chart.show()
        return chart

    return show


@ALL
def test_nothing_is_painted_before_there_is_a_tuning(qtbot, theme: Theme, kind) -> None:
    chart = kind(theme, 50)
    qtbot.addWidget(chart)
    chart.resize(300, 200)
    empty = chart.grab().toImage()
    assert len({empty.pixel(x, y) for x in range(0, 300, 5) for y in range(0, 200, 5)}) == 1
    assert chart.hint_at(QPoint(150, 100)) == sentence(chart.key)


@ALL
def test_every_column_is_read_where_it_is_painted(show, kind, reading: Reading) -> None:
    chart = show(kind)
    frame = chart.frame()
    for column in range(chart.FIRST, chart.LAST + 1):
        place = QPoint(round(chart.at_column(frame, column)), 100)
        assert chart.hint_at(place).startswith(chart.told(reading, column))
    assert chart.hint_at(QPoint(1, 100)) == sentence(chart.key)


@ALL
def test_all_that_is_painted_is_read_aloud(show, kind, reading: Reading) -> None:
    spoken = show(kind).accessibleDescription()
    assert sentence(show(kind).key) in spoken
    assert len(spoken) > 200


@ALL
def test_it_is_painted_in_two_thousandths_of_a_second(show, kind) -> None:
    chart = show(kind)
    image = QImage(chart.size(), QImage.Format.Format_ARGB32_Premultiplied)
    times = []
    for _again in range(15):
        painter = QPainter(image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        started = time.thread_time()
        chart.draw(painter)
        times.append(time.thread_time() - started)
        painter.end()
    assert min(times) < SLACK * PAINT_SECONDS


@ALL
@pytest.mark.parametrize("size", [QSize(180, 90), QSize(260, 128), QSize(1400, 400)])
def test_it_can_be_of_any_size(show, kind, size: QSize) -> None:
    chart = show(kind)
    chart.resize(size)
    frame = chart.frame()
    assert frame.height() > 0
    assert frame.width() > 0
    chart.grab()


def test_the_pointer_reads_a_column_at_once(show, reading: Reading) -> None:
    chart = show(SpeedCurve)
    told: list[str] = []
    chart.write = lambda _p, _at, text, *_how: told.append(text)
    chart.grab()
    assert chart.told(reading, reading.gamma) in told
    x = chart.at_column(chart.frame(), 9)
    QTest.mouseMove(chart, QPoint(round(x), 80))
    told.clear()
    chart.grab()
    assert chart.told(reading, 9) in told


def test_the_curve_says_what_each_gamma_is_worth(show, reading: Reading) -> None:
    chart = show(SpeedCurve)
    assert chart.told(reading, 0) == "γ\u00a00: plain, 1.00×"
    assert chart.told(reading, 5).startswith("γ\u00a05: 1.00×, 0.94× to 1.06×")
    assert chart.told(reading, 3).endswith(", tried 1.27×")
    assert "γ\u00a03 is best for all kinds: 1.28× plain." in chart.accessibleDescription()
    assert "In force is γ\u00a05: 1.00×." in chart.accessibleDescription()


def test_the_break_even_line_lies_at_one_and_the_best_above_it(show, reading: Reading) -> None:
    chart = show(SpeedCurve)
    frame = chart.frame()
    even = chart.at_value(frame, 1.0)
    assert frame.top() < even < frame.bottom()
    best = QPointF(chart.at_column(frame, 3), chart.at_value(frame, reading.curve.speed_up[3]))
    assert best.y() < even


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        (Qt.Key.Key_Right, 6),
        (Qt.Key.Key_Left, 4),
        (Qt.Key.Key_Home, 0),
        (Qt.Key.Key_End, MAX_GAMMA),
    ],
)
def test_arrow_keys_move_gamma(show, qtbot, key: Qt.Key, expected: int) -> None:
    chart = show(SpeedCurve)
    with qtbot.waitSignal(chart.gamma_chosen) as told:
        QTest.keyClick(chart, key)
    assert told.args == [expected]


def test_keys_stop_at_the_ends(show, reading: Reading, qtbot) -> None:
    chart = show(SpeedCurve, replace(reading, gamma=0))
    with qtbot.assertNotEmitted(chart.gamma_chosen):
        QTest.keyClick(chart, Qt.Key.Key_Left)
    chart.show_reading(replace(reading, gamma=MAX_GAMMA))
    with qtbot.assertNotEmitted(chart.gamma_chosen):
        QTest.keyClick(chart, Qt.Key.Key_Right)


def test_from_right_to_left_the_keys_go_where_they_point(show, qtbot) -> None:
    chart = show(SpeedCurve)
    chart.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    with qtbot.waitSignal(chart.gamma_chosen) as told:
        QTest.keyClick(chart, Qt.Key.Key_Left)
    assert told.args == [6]


def test_from_right_to_left_the_pointer_reads_what_lies_under_it(show, reading: Reading) -> None:
    chart = show(SpeedCurve)
    chart.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    x = chart.width() - 1 - chart.at_column(chart.frame(), 2)
    QTest.mouseMove(chart, QPoint(round(x), 80))
    told: list[str] = []
    chart.write = lambda _p, _at, text, *_how: told.append(text)
    chart.grab()
    assert chart.told(reading, 2) in told


def test_a_pass_that_was_not_timed_says_so(show, reading: Reading) -> None:
    chart = show(PassCosts)
    assert chart.told(reading, 5) == "5 tokens wide: 2.04 passes, 143\u00a0ms"
    assert chart.told(reading, 6).endswith("between its neighbours")


def test_a_timed_pass_is_told_from_another_by_its_fill(show, theme: Theme) -> None:
    chart = show(PassCosts)
    image, frame = chart.grab().toImage(), chart.frame()
    foot = round(frame.bottom()) - 4
    timed = image.pixelColor(round(chart.at_column(frame, 4)), foot)
    between = image.pixelColor(round(chart.at_column(frame, 7)), foot)
    assert timed == theme.color(Role.NEUTRAL)
    assert between == theme.color(Role.UNTESTED)


def test_acceptance_is_read_for_the_kind_that_is_chosen(show, reading: Reading) -> None:
    chart = show(Survivals, replace(reading, kind="code"))
    assert chart.told(chart.reading, 1) == "the first passes: 93\u00a0%"
    assert chart.told(chart.reading, 2) == "the first 2 all pass: 86\u00a0%"
    assert "story: 65\u00a0%" in chart.accessibleDescription()


def test_names_at_the_ends_of_lines_never_lie_on_each_other() -> None:
    placed = spread([10.0, 11.0, 95.0, 99.0], 12.0, 0.0, 100.0)
    assert placed == pytest.approx([10.0, 22.0, 88.0, 100.0])


def test_memory_is_read_in_its_parts(show, reading: Reading) -> None:
    chart = show(MemoryBars)
    assert chart.told(reading, 0) == "γ\u00a00: caches 117\u00a0MB, buffers 40\u00a0MB"
    assert "168\u00a0MB" in chart.told(reading, 1)


def test_a_curve_without_any_spread_can_be_drawn(show) -> None:
    flat = tuple(
        replace(c, speed_up=(1.0,) * 17, low=(1.0,) * 17, high=(1.0,) * 17) for c in RECORD.curves
    )
    show(SpeedCurve, Reading(replace(RECORD, curves=flat, checks=()), 0.7, 0)).grab()


def test_the_signs_take_as_many_lines_as_they_need(qtbot, theme: Theme) -> None:
    signs = Signs(theme)
    qtbot.addWidget(signs)
    assert signs.heightForWidth(200) > 2 * signs.heightForWidth(2000)
    signs.resize(200, signs.heightForWidth(200))
    signs.grab()
    assert "tried in fact" in signs.accessibleDescription()
