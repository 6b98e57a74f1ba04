"""The numbers that each figure shows, out of what was measured."""

from __future__ import annotations

from collections.abc import Callable

from tests.performance.data import Data, Table


def joined(section: str) -> Callable[[Data], Table | None]:
    """Predicted and measured speed-up of a section by kind and γ."""

    def numbers(data: Data) -> Table | None:
        predicted = data.table(section, "predicted")
        measured = data.table(section, "measured")
        if predicted is None or measured is None:
            return None
        tried = {(row["kind"], row["gamma"]): row["speed_up"] for row in measured}
        rows = [
            [*row.values(), tried.get((row["kind"], row["gamma"]))]
            for row in predicted
            if any(row["kind"] == kind for kind, _gamma in tried)
        ]
        return Table("speed-up", [*predicted.columns, "measured"], rows)

    return numbers


def pairs(data: Data) -> Table | None:
    """Every γ that was both predicted and tried."""
    rows = []
    for section in ("choice", "inflated-tuned"):
        found = joined(section)(data)
        rows += [
            [section, row["kind"], row["gamma"], row["speed_up"], row["measured"]]
            for row in found or ()
            if row["measured"] is not None and row["gamma"]
        ]
    columns = ["section", "kind", "gamma", "predicted", "measured"]
    return Table("predicted and measured", columns, rows) if rows else None


_SIMPLE, _SERVER = "ours ÷ llama-speculative-simple", "ours ÷ llama-server"

PEERS = {
    ("server", f"γ = 3, T = 0: {_SERVER}"): "llama-server, greedy",
    ("server", f"γ = 3, T = 0.8: {_SERVER}"): "llama-server, T = 0.8",
    ("greedy", f"greedy, γ = 3, code: {_SIMPLE}"): "speculative-simple, greedy, code",
    ("sampled", f"sampled, γ = 3, code: {_SIMPLE}"): "speculative-simple, T = 0.8, code",
    ("sampled", f"sampled, γ = 3, story: {_SIMPLE}"): "speculative-simple, T = 0.8, story",
    ("inflated", f"inflated, γ = 3, code: {_SIMPLE}"): "speculative-simple, inflated, code",
}
"""Section and measure of each comparison, and its short name."""


def peers(data: Data) -> Table | None:
    rows = []
    for (section, measure), name in PEERS.items():
        if found := data.result(section, measure):
            rows.append([name, found.value, min(found.samples), max(found.samples)])
    return Table("peers", ["peer", "ratio", "low", "high"], rows) if rows else None


def table_of(section: str, name: str) -> Callable[[Data], Table | None]:
    return lambda data: data.table(section, name)


def parts(data: Data) -> Table | None:
    table = data.table("parts", "parts")
    columns = ["kind", "gamma", "draft_ms", "verify_ms", "other_ms"]
    rows = [[row[name] for name in columns] for row in table or ()]
    return Table("parts", columns, rows) if rows else None


def rates(data: Data) -> Table | None:
    """The acceptance rate at each γ that follows from the chances: accepted ÷ drafted."""
    table = data.table("choice", "survival")
    if table is None:
        return None
    rows = []
    for kind in table.values("kind"):
        chances = [row["chance"] for row in table.where(kind=kind, temperature=0)]
        rows += [[kind, n, sum(chances[:n]) / n] for n in range(1, len(chances) + 1)]
    return Table("acceptance rate", ["kind", "gamma", "acceptance_rate"], rows) if rows else None
