"""What the pictures show, where the pointer asks, and that they can be drawn at any size."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QSize
from PySide6.QtGui import QColor, QImage

from app.panel.account import Account, entries
from app.panel.bars import Bars
from app.panel.cells import Cell, cells_of
from app.panel.curve import Curve
from app.panel.explain import Key, sentence
from app.panel.plate import Figure, Plate
from app.panel.run import Shape
from app.panel.strip import Legend, Strip
from app.panel.worth import Ledger
from app.theme import Role, Theme, Type

CORRECTED = Shape(4, 1, corrected=True, bonus=False, plain=False, seconds=0.2)
FULL = Shape(3, 3, corrected=False, bonus=True, plain=False, seconds=0.2)
PLAIN = Shape(0, 0, corrected=False, bonus=False, plain=True, seconds=0.1)
GAINS = Ledger(3.0, drafting=0.05, checking=0.1, rest=0.01, plain_step=0.07)
LOSES = Ledger(1.2, drafting=0.05, checking=0.1, rest=0.01, plain_step=0.07)


def painted(plate: Plate, size: QSize | None = None) -> QImage:
    """The plate as it is drawn."""
    plate.resize(size or plate.sizeHint().expandedTo(QSize(200, 10)))
    return plate.grab().toImage()


def has(image: QImage, color: QColor) -> bool:
    pixels = ((x, y) for x in range(image.width()) for y in range(image.height()))
    return any(image.pixelColor(x, y) == color for x, y in pixels)


def test_a_column_is_told_from_the_bottom_up() -> None:
    assert cells_of(CORRECTED) == (Cell.ACCEPTED, Cell.CORRECTED, Cell.UNTESTED, Cell.UNTESTED)
    assert cells_of(FULL) == (Cell.ACCEPTED,) * 3 + (Cell.BONUS,)
    assert cells_of(PLAIN) == (Cell.PLAIN,)
    cut = Shape(4, 2, corrected=False, bonus=False, plain=False, seconds=0.2)
    assert cells_of(cut) == (Cell.ACCEPTED,) * 2 + (Cell.UNTESTED,) * 2


def test_the_strip_shows_the_newest_rounds_that_fit(qtbot, theme: Theme) -> None:
    strip = Strip(theme)
    qtbot.addWidget(strip)
    strip.show_rounds([FULL] * 60 + [CORRECTED], 4)
    image = painted(strip)
    assert strip.visible()[-1] is CORRECTED
    assert len(strip.visible()) == 20
    assert has(image, theme.color(Role.ACCEPTED))
    assert has(image, theme.color(Role.BONUS))


def test_a_corrected_cell_is_marked_by_more_than_its_colour(qtbot, theme: Theme) -> None:
    strip = Strip(theme)
    qtbot.addWidget(strip)
    one = Shape(1, 0, corrected=True, bonus=False, plain=False, seconds=0.2)
    strip.show_rounds([one], 1)
    image = painted(strip)
    column = [[image.pixelColor(x, y) for x in range(8)] for y in range(image.height())]
    orange = theme.color(Role.CORRECTED)
    rows = [row for row in column if orange in row]
    assert any(orange != color for row in rows for color in row[2:6])


@pytest.mark.parametrize("gamma", [1, 3, 7, 16])
def test_a_strip_of_any_gamma_is_of_bounded_height(qtbot, theme: Theme, gamma: int) -> None:
    strip = Strip(theme)
    qtbot.addWidget(strip)
    strip.show_rounds([], gamma)
    assert 20 <= strip.sizeHint().height() <= 90


def test_a_round_tells_of_itself(qtbot, theme: Theme) -> None:
    strip = Strip(theme)
    qtbot.addWidget(strip)
    strip.show_rounds([CORRECTED, PLAIN], 4)
    painted(strip)
    assert strip.hint_at(QPoint(2, 5)).startswith("1 of 4 accepted, 200\u00a0ms.")
    assert strip.hint_at(QPoint(12, 5)).startswith("A plain token, 100\u00a0ms.")
    assert strip.hint_at(QPoint(190, 5)) == sentence(Key.ROUNDS)


def test_the_legend_takes_as_many_rows_as_it_needs(qtbot, theme: Theme) -> None:
    legend = Legend(theme)
    qtbot.addWidget(legend)
    painted(legend, QSize(1000, 20))
    wide = legend.sizeHint().height()
    painted(legend, QSize(90, 80))
    assert legend.sizeHint().height() > 2 * wide


def test_the_curve_tells_the_speed_where_the_pointer_is(qtbot, theme: Theme) -> None:
    curve = Curve(theme)
    qtbot.addWidget(curve)
    assert curve.hint_at(QPoint(1, 1)) == sentence(Key.OVER_TIME)
    curve.show_speeds([(1.0, 10.0), (2.0, 20.0)], 15.0)
    painted(curve)
    assert curve.hint_at(QPoint(195, 5)).startswith("20.0 tokens/s after 2.0\u00a0s.")


def test_bars_tell_their_numbers(qtbot, theme: Theme) -> None:
    bars = Bars(theme, Key.LENGTHS, first=0)
    qtbot.addWidget(bars)
    painted(bars)
    bars.show_shares([0.5, 1.0, 0.0], ["7", "14", "0"])
    assert has(painted(bars), theme.color(Role.ACCEPTED))
    assert bars.hint_at(QPoint(30, 20)).startswith("1: 14.")


def test_each_entry_of_the_account_begins_where_the_last_one_ended() -> None:
    for ledger in (GAINS, LOSES):
        skipped, *costs, net = entries(ledger)
        at = skipped.end
        for cost in costs:
            assert cost.start == pytest.approx(at)
            at = cost.end
        assert net.end == pytest.approx(at)
    assert entries(LOSES)[-1].amount == "−76\u00a0ms"
    assert entries(GAINS)[0].amount == "+140\u00a0ms"


def test_without_a_plain_speed_the_account_shows_where_time_goes() -> None:
    unknown = Ledger(3.0, drafting=0.05, checking=0.1, rest=0.01, plain_step=None)
    keys = [entry.key for entry in entries(unknown)]
    assert keys == [Key.DRAFTING, Key.CHECKING, Key.REST, Key.ROUND]


@pytest.mark.parametrize("ledger", [GAINS, LOSES, None])
def test_the_account_explains_each_line(qtbot, theme: Theme, ledger: Ledger | None) -> None:
    account = Account(theme)
    qtbot.addWidget(account)
    account.show_ledger(ledger)
    painted(account)
    expected = Key.DRAFTING if ledger else Key.ROUND
    second = round(1.5 * account.sizeHint().height() / 5)
    assert account.hint_at(QPoint(5, second)) == sentence(expected)


def test_a_figure_at_the_right_grows_but_never_shrinks(qtbot, theme: Theme) -> None:
    figure = Figure(theme, Key.SPEED_UP, Type.TITLE, right=True)
    qtbot.addWidget(figure)
    figure.show_value("12.34×")
    wide = figure.sizeHint().width()
    figure.show_value("1×")
    assert figure.sizeHint().width() == wide
    assert figure.text == "1×"


def test_what_is_painted_is_read_aloud_with_its_explanation(qtbot, theme: Theme) -> None:
    figure = Figure(theme, Key.ALPHA, Type.TITLE)
    qtbot.addWidget(figure)
    figure.speak("0.92")
    assert figure.accessibleName() == "α, acceptance per tested token"
    assert figure.accessibleDescription() == f"0.92. {sentence(Key.ALPHA)}"
