"""The measured figures that docs/speculative-decoding.md cites: marked blocks, made from the data.

A block stands between ``<!-- measured: NAME -->`` and ``<!-- end -->``; what is between them is
rewritten, the rest of the page is not touched.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from tests.performance.data import Data, Table
from tests.performance.figures import FIGURES, FOLDER
from tests.performance.tuned import EVERYDAY
from tests.performance.widths import INFLATED, STARTER

PAGE = "speculative-decoding.md"

_BLOCK = re.compile(r"(<!-- measured: ([\w-]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def rewrite(page: str, data: Data) -> str:
    """The page with every block as the data has it. Raises KeyError for an unknown block."""
    return _BLOCK.sub(lambda found: f"{found[1]}{block(found[2], data)}\n{found[3]}", page)


def block(name: str, data: Data) -> str:
    """One block's text; where its section was not measured yet, how to do so."""
    section, write = BLOCKS[name]
    text = write(data) if section in data.sections else None
    return text or f"*Not measured here yet: `make performance ARGS={section}`.*"


def _shown(name: str) -> list[str]:
    """A figure, in lines of Markdown."""
    return ["", f"![{FIGURES[name].caption}]({FOLDER}/{name}.png)"]


def _passes(data: Data) -> str | None:
    passes, steps = data.table("passes", "passes"), data.table("passes", "draft step")
    if passes is None or steps is None:
        return None
    lines = ["| target, tokens deep | c | " + " | ".join(f"v({w})" for w in _WIDTHS) + " |"]
    lines += ["|---" * (len(_WIDTHS) + 2) + "|"]
    for target in (STARTER, INFLATED):
        for step in steps.where(target=target):
            depth = step["depth"]
            found = {row["width"]: row["v"] for row in passes.where(target=target, depth=depth)}
            cells = [f"{found[w]:.2f}" if w in found else "–" for w in _WIDTHS]
            lines += [f"| {target}, {depth:,} | {step['c']:.2f} | {' | '.join(cells)} |"]
    return "\n".join([*lines, *_shown("passes")])


_WIDTHS = (2, 3, 4, 5, 8, 9, 16, 17)


def _acceptance(data: Data) -> str | None:
    """By kind, greedy and sampled: s at some places, and the rate at some γ."""
    table = data.table("choice", "survival")
    if table is None:
        return None
    lines = ["| text | T | s₁ | s₃ | s₇ | rate at γ = 3 | at γ = 7 | tokens per round at γ = 3 |"]
    lines += ["|---" * 8 + "|"]
    for kind in table.values("kind"):
        for temperature in table.values("temperature"):
            rows = table.where(kind=kind, temperature=temperature)
            s = [row["chance"] for row in rows]
            if len(s) < 7:
                continue
            rates = [sum(s[:gamma]) / gamma for gamma in (3, 7)]
            cells = [f"{100 * value:.0f} %" for value in (s[0], s[2], s[6], *rates)]
            name = "all together" if kind == EVERYDAY else kind
            lines += [f"| {name} | {temperature:g} | {' | '.join(cells)} | {1 + sum(s[:3]):.2f} |"]
    return "\n".join([*lines, *_shown("survival"), *_shown("acceptance-rate")])


def _tuned(section: str, *figures: str) -> Callable[[Data], str | None]:
    """Speed-up by kind with the tuner's γ."""

    def text(data: Data) -> str | None:
        lines = ["| text | γ | speculative ÷ plain |", "|---|---|---|"]
        for result in data.sections[section].results:
            if "speculative ÷ plain" not in result.measure:
                continue
            kind, gamma = result.measure.split(":")[0], re.match(r"γ = (\d+)", result.detail)
            lines += [f"| {kind} | {gamma[1] if gamma else ''} | {result.shown} |"]
        lines += [line for name in figures for line in _shown(name)]
        return "\n".join(lines)

    return text


def _peers(data: Data) -> str | None:
    found = [
        ("greedy", data.result("server", "γ = 3, T = 0: ours ÷ llama-server")),
        ("at T = 0.8", data.result("server", "γ = 3, T = 0.8: ours ÷ llama-server")),
    ]
    said = [f"{how} {result.shown}" for how, result in found if result]
    return f"Tokens per second, ours ÷ llama-server with the same γ: {', '.join(said)}."


def _matching(data: Data) -> str | None:
    """What llama.cpp's rule accepts of the draft's favourites, and ours of its draws."""
    table = data.table("server", "acceptance")
    rows = [row for row in table or () if row["temperature"]]
    if not rows:
        return None
    lines = [
        "| text, T = 0.8, γ = 3 | acceptance rate, `ratio` | llama-server's |",
        "|---|---|---|",
    ]
    lines += [
        f"| {row['kind']} | {_percent(row['acceptance_rate'])} "
        f"| {_percent(row['peer_acceptance_rate'])} |"
        for row in rows
    ]
    return "\n".join(lines)


def _rules(data: Data) -> str | None:
    table = data.table("rounding", "rules")
    if table is None:
        return None
    said = []
    for kind in table.values("kind"):
        rates = {row["rule"]: row["alpha"] for row in table.where(kind=kind)}
        said.append(f"{kind} {_percent(rates['ratio'])} and {_percent(rates['coupled'])}")
    return f"α of `ratio` and of `coupled` at T = 0.8, γ = 3: {'; '.join(said)}."


def _rounding(data: Data) -> str | None:
    table = data.table("rounding", "parted")
    if table is None:
        return None
    said = {exact: _parted(table, exact=exact) for exact in (False, True)}
    return (
        "How often replies part that are drawn with the same noise at T = 0.8, plainly and with "
        f"γ = 3, on default kernels: {said[False]}. With exact arithmetic: {said[True]}."
    )


def _parted(table: Table, *, exact: bool) -> str:
    """How often replies parted, by kind, and in how many tokens."""
    rows = table.where(exact=exact)
    return "; ".join(
        f"{row['kind']}, {row['parted']} in {row['same_tokens'] + row['parted']:,} tokens"
        for row in rows
    )


def _prediction(data: Data) -> str | None:
    said = [
        f"{result.measure.rsplit(', ', 1)[-1]} {result.shown}"
        for result in data.sections["prediction"].results
    ]
    return f"Speed-up measured ÷ predicted at γ = 3: {'; '.join(said)}."


def _overhead(data: Data) -> str | None:
    results = data.sections["overhead"].results
    if not results:
        return None
    least, most = (pick(result.value for result in results) for pick in (min, max))
    return f"Foreword's own time, o: {least:.1f} to {most:.1f} % of a reply, by sampling and rule."


def _parts(data: Data) -> str | None:
    table = data.table("parts", "parts")
    rows = table.where(kind="code") if table else []
    lines = ["| code, greedy | drafting | the target's pass | everything else | per token |"]
    lines += ["|---|---|---|---|---|"]
    for row in rows:
        times = [row[name] for name in ("draft_ms", "verify_ms", "other_ms")]
        cells = " | ".join(f"{each:.1f} ms" for each in (*times, sum(times)))
        lines += [f"| γ = {row['gamma']} | {cells} |"]
    return "\n".join(lines) if rows else None


def _choice(data: Data) -> str | None:
    results = data.sections["choice"].results
    if not results:
        return None
    worst = min(results, key=lambda result: result.value)
    said = (
        f"Of the best γ's speed the recommended one reaches at least {_percent(worst.value)} "
        f"({worst.measure.split(':')[0]}: {worst.detail})."
    )
    return "\n".join([said, *_shown("speed-up")])


def _recast(data: Data) -> str | None:
    step = data.result("recast", "a draft step, recast ÷ as it is")
    table = data.table("recast", "recast")
    if step is None or table is None:
        return None
    lines = [
        f"A draft step of the starter pair takes {step.shown} of what it took. At γ = 3:",
        "",
        "| text | sampling | α as it is | recast | tokens/s, recast ÷ as it is |",
        "|---|---|---|---|---|",
    ]
    for row in table:
        kind, sampling = row["kind"], row["sampling"]
        speed = data.result("recast", f"tokens/s at γ = 3, {sampling}, {kind}: recast ÷ as it is")
        alphas = (_percent(row[name]) for name in ("alpha_as_it_is", "alpha_recast"))
        cells = [kind, sampling, *alphas, speed.shown if speed else "–"]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


BLOCKS: dict[str, tuple[str, Callable[[Data], str | None]]] = {
    "passes": ("passes", _passes),
    "acceptance": ("choice", _acceptance),
    "choice": ("choice", _choice),
    "recast": ("recast", _recast),
    "tuned": ("tuned", _tuned("tuned")),
    "inflated": ("inflated-tuned", _tuned("inflated-tuned", "speed-up-inflated")),
    "peers": ("server", _peers),
    "matching": ("server", _matching),
    "rules": ("rounding", _rules),
    "rounding": ("rounding", _rounding),
    "prediction": ("prediction", _prediction),
    "overhead": ("overhead", _overhead),
    "parts": ("parts", _parts),
}
"""Every block: the section that it is from, and its text."""
