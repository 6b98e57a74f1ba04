"""docs/performance.md, made of nothing but what was measured."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.performance.data import Data, Measured, Result
from tests.performance.figures import FIGURES, FOLDER
from tests.performance.registry import SECTIONS

_HEAD = """# Performance

Measured by `make performance`, which rewrites this page, the figures in `figures/` (a PNG and its
numbers as CSV) and `performance.json`, all from the same data. `make performance ARGS="plain
sampled"` measures some sections anew and keeps the others.

Speeds are ratios to something that ran in turns with ours, because the machine is shared and noisy.
A value is the median of its samples; their range and number follow in brackets. A bound that was
missed is said to be so.
"""

_BACKENDS = """## Backends

| backend | |
|---|---|
| CPU, x86-64, Linux | everything on this page |
| RPC, another process's CPU as a device | correctness alone, by `make offload` |
| CUDA, HIP, Vulkan, SYCL, Metal | never run |
| CPU on macOS, Windows or ARM | never run |

On the RPC device the tests put all and some of the layers, fewer where they do not fit, and check
that clocks wait for it; its speed means nothing. Where it was never run, Foreword goes through the
same code; what drafting is worth there is for `foreword tune` to find out.
"""


def render(data: Data) -> str:
    """The page."""
    newest = max(data.sections.values(), key=lambda each: each.date, default=None)
    lines = [_HEAD]
    if newest:
        lines += [f"Machine: {_machine(newest.machine)}.", ""]
    for name, section in SECTIONS.items():
        if name not in data.sections:
            continue
        measured = data.sections[name]
        lines += [f"## {section.title}", "", section.about, ""]
        lines += [f"`make performance ARGS={name}`, {measured.date}.{_elsewhere(measured, newest)}"]
        lines += ["", *_results(measured.results), *_figures(name, data)]
    missing = [f"`{name}`" for name in SECTIONS if name not in data.sections]
    if missing:
        lines += [f"Not measured yet: {', '.join(missing)}.", ""]
    return "\n".join([*lines, _BACKENDS])


def _machine(machine: dict[str, Any]) -> str:
    """The machine in a line."""
    gib = machine["memory"] / 2**30
    parts = [
        f"{machine['processor']}, {machine['cores']} cores, {gib:.0f} GiB",
        machine["system"],
        f"{machine['threads']} threads",
        f"Python {machine['python']}",
    ]
    versions = [
        f"{name} {machine[name]}" for name in ("Foreword", "llama-cpp-python") if name in machine
    ]
    return ", ".join([*parts, *versions])


def _elsewhere(measured: Measured, newest: Measured | None) -> str:
    if newest is None or measured.machine == newest.machine:
        return ""
    return f" With: {_machine(measured.machine)}."


def _results(results: list[Result]) -> Iterator[str]:
    if not results:
        return
    yield "| measure | measured | target | |"
    yield "|---|---|---|---|"
    for row in results:
        yield f"| {row.measure} | {row.shown} | {row.bound} | {_mark(row)} |"
    yield ""
    details = [f"- {row.measure}: {row.detail}" for row in results if row.detail]
    yield from [*details, ""] if details else []


def _mark(result: Result) -> str:
    if result.at_least is None and result.at_most is None:
        return ""
    return "reached" if result.reached else "**missed**"


def _figures(section: str, data: Data) -> Iterator[str]:
    for name, figure in FIGURES.items():
        if figure.section == section and figure.numbers(data) is not None:
            path = f"{FOLDER}/{name}"
            yield f"![{figure.caption}]({path}.png)"
            yield ""
            yield f"*{figure.caption}* ([numbers]({path}.csv))"
            yield ""
