"""A tuning as text: the speed-up against γ, drawn with characters, and its tables."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from engine.terminal.screen import safe
from engine.terminal.words import percent
from engine.tunings import EVERYDAY, Curve, Record

_WIDTH = 32  # columns of the longest bar
_SHOWN_PLACES = 4


def chart(record: Record) -> Table:
    """One row for each γ: its bar, the break-even line at 1, the band, and what a pass costs."""
    curve = record.curve()
    assert curve is not None
    table = _table("γ", "speed-up over all kinds", "", "band", "target pass", "tried", left=(1,))
    column = _WIDTH / max(*curve.high, 1.0)
    tried = record.tried(curve)
    for gamma, speed in enumerate(curve.speed_up):
        style = "bold" if gamma == record.gamma else ""
        table.add_row(
            f"{gamma}{' ←' if gamma == record.gamma else '  '}",
            _bar(speed, curve, gamma, column),
            f"{speed:.2f}×",
            f"{curve.low[gamma]:.2f}–{curve.high[gamma]:.2f}" if gamma else "",
            f"{record.passes[gamma] / record.passes[0]:.2f}"
            + ("~" if gamma + 1 in record.interpolated else " "),
            f"{tried[gamma]:.2f}×" if gamma in tried else "",
            style=style,
        )
    return table


def _bar(speed: float, curve: Curve, gamma: int, column: float) -> Text:
    """Up to ``speed``; "┄" on to the band's end; "│" where drafting breaks even."""
    long, far, even = (round(x * column) for x in (speed, curve.high[gamma], 1.0))
    cells = ["█"] * long + ["┄"] * max(far - long, 0)
    cells += [" "] * (even + 1 - len(cells))
    if even >= long:
        cells[even] = "│"
    return Text("".join(cells), style="green" if speed > 1 else "yellow" if gamma else "")


def kinds(record: Record) -> Table:
    """One row for each kind of text: its best γ, what it gains, and acceptance by position."""
    places = [f"s{i}" for i in range(1, _SHOWN_PLACES + 1)]
    chosen = f"at γ {record.gamma}"
    table = _table("kind", "best γ", "speed-up", chosen, "per round", *places, left=(0,))
    for kind in [*record.kinds, EVERYDAY]:
        curve = record.curve(kind)
        if curve is not None:
            table.add_row(*_kind(record, curve))
    return table


def _kind(record: Record, curve: Curve) -> list[str]:
    gamma = record.gamma
    return [
        safe(curve.kind),
        str(curve.gamma),
        f"{curve.speed_up[curve.gamma]:.2f}×",
        f"{curve.speed_up[gamma]:.2f}×",
        f"{curve.tokens_per_round[curve.gamma]:.2f}",
        *(percent(chance) for chance in curve.survival[:_SHOWN_PLACES]),
    ]


def _table(*titles: str, left: tuple[int, ...]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for number, title in enumerate(titles):
        justify = "left" if number in left else "right"
        table.add_column(title, justify=justify, no_wrap=True)  # type: ignore[arg-type]
    return table
