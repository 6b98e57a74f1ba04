"""How each figure looks: its numbers onto matplotlib's axes."""

from __future__ import annotations

from typing import Any

from tests.performance.data import Table
from tests.performance.tuned import EVERYDAY

# Colours that people tell apart whatever their eyes (Okabe and Ito), and marks for the rest.
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
_MARKS = ("o", "s", "^", "D", "v", "P", "X")


def _style(kinds: list[str], kind: str) -> dict[str, Any]:
    place = kinds.index(kind) % len(_COLOURS)
    return {"color": _COLOURS[place], "marker": _MARKS[place], "markersize": 4}


def _named(kind: str) -> str:
    return "all together" if kind == EVERYDAY else kind


def speed_up(axes: Any, table: Table) -> None:
    kinds = table.values("kind")
    axes.axhline(1, color="#666666", linewidth=1, linestyle=":")
    for kind in kinds:
        rows, style = table.where(kind=kind), _style(kinds, kind)
        colour = style["color"]
        gammas = [row["gamma"] for row in rows]
        axes.plot(gammas, [row["speed_up"] for row in rows], color=colour, linewidth=1)
        low, high = ([row[name] for row in rows] for name in ("low", "high"))
        axes.fill_between(gammas, low, high, color=colour, alpha=0.12, linewidth=0)
        tried = [(row["gamma"], row["measured"]) for row in rows if row["measured"] is not None]
        axes.plot(*zip(*tried, strict=True), linestyle="", label=_named(kind), **style)
    axes.set(xlabel="γ, tokens drafted in a round", ylabel="speed-up over plain decoding", ylim=0)
    axes.legend(frameon=False, fontsize=8, ncols=2)


def pairs(axes: Any, table: Table) -> None:
    names = table.values("section")
    values = [value for row in table for value in (row["predicted"], row["measured"])]
    most = 1.05 * max(values)
    axes.plot([0, most], [0, most], color="#666666", linewidth=1, linestyle=":")
    words = {"choice": "starter pair", "inflated-tuned": "inflated target"}
    for name in names:
        rows, style = table.where(section=name), _style(names, name)
        points = ([row[which] for row in rows] for which in ("predicted", "measured"))
        axes.plot(*points, linestyle="", label=words[name], alpha=0.7, **style)
    axes.set(
        xlabel="speed-up predicted", ylabel="speed-up measured", xlim=(0, most), ylim=(0, most)
    )
    axes.legend(frameon=False, fontsize=8)


def peers(axes: Any, table: Table) -> None:
    rows = list(table)[::-1]
    places = range(len(rows))
    ratios = [row["ratio"] for row in rows]
    below = [row["ratio"] - row["low"] for row in rows]
    above = [row["high"] - row["ratio"] for row in rows]
    axes.barh(places, ratios, color=_COLOURS[0], height=0.6)
    axes.errorbar(ratios, places, xerr=[below, above], fmt="none", ecolor="#333333", capsize=3)
    axes.axvline(1, color="#666666", linewidth=1, linestyle=":")
    axes.set_yticks(places, [row["peer"] for row in rows], fontsize=8)
    axes.grid(axis="x", color="#dddddd", linewidth=0.6)
    axes.grid(visible=False, axis="y")
    axes.set(xlabel="our tokens per second ÷ theirs: median, and the range of the samples")


def passes(axes: Any, table: Table) -> None:
    names = [f"{row['target']}, {row['depth']} tokens deep" for row in table]
    order = list(dict.fromkeys(names))
    for name in order:
        rows = [row for row, each in zip(table, names, strict=True) if each == name]
        style = _style(order, name)
        points = ([row[which] for row in rows] for which in ("width", "v"))
        axes.plot(*points, linewidth=1, label=name, **style)
    axes.axhline(1, color="#666666", linewidth=1, linestyle=":")
    axes.set(xlabel="width of the pass in tokens, γ + 1", ylabel="cost ÷ a plain step", ylim=0)
    axes.legend(frameon=False, fontsize=8)


def parts(axes: Any, table: Table) -> None:
    rows = list(table)
    places, bottom = range(len(rows)), [0.0] * len(rows)
    for colour, name, word in zip(
        _COLOURS,
        ("draft_ms", "verify_ms", "other_ms"),
        ("drafting", "the target’s pass", "everything else"),
        strict=False,
    ):
        heights = [row[name] for row in rows]
        axes.bar(places, heights, bottom=bottom, color=colour, width=0.7, label=word)
        bottom = [low + height for low, height in zip(bottom, heights, strict=True)]
    labels = [f"{row['kind']}\nγ = {row['gamma']}" for row in rows]
    axes.set_yticks(axes.get_yticks())
    axes.set_xticks(places, labels, fontsize=7)
    axes.set(ylabel="milliseconds per token", ylim=0)
    axes.legend(frameon=False, fontsize=8)


def chances(axes: Any, table: Table) -> None:
    kinds = table.values("kind")
    for kind in kinds:
        for greedy in (True, False):
            rows = [r for r in table if r["kind"] == kind and (r["temperature"] == 0) == greedy]
            points = ([row[name] for row in rows] for name in ("place", "chance"))
            style = _style(kinds, kind) | ({} if greedy else {"marker": ""})
            label = _named(kind) if greedy else None
            line = "-" if greedy else "--"
            axes.plot(*points, linewidth=1, linestyle=line, label=label, **style)
    axes.set(xlabel="i, place in the draft", ylabel="chance that the first i all pass", ylim=(0, 1))
    axes.legend(frameon=False, fontsize=8, ncols=2)


def rates(axes: Any, table: Table) -> None:
    kinds = table.values("kind")
    for kind in kinds:
        rows = table.where(kind=kind)
        points = ([row[name] for row in rows] for name in ("gamma", "acceptance_rate"))
        axes.plot(*points, linewidth=1, label=_named(kind), **_style(kinds, kind))
    axes.set(xlabel="γ", ylabel="acceptance rate, accepted ÷ drafted", ylim=(0, 1))
    axes.legend(frameon=False, fontsize=8, ncols=2)
