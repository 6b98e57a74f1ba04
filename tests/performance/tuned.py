"""γ from the tuner: what it gains over plain decoding, and over every other γ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.performance.bench import GREEDY, Bench, NotMeasured
from tests.performance.data import Result, Table
from tests.performance.ours import Ours

EVERYDAY = "all"
"""The tuner's name for all kinds of text together."""

STARTER_BOUNDS = {
    "code": 1.10,
    "rewriting": 0.98,
    "structured output": 0.98,
    "explanation": 0.98,
    "story": 0.98,
    "everyday": 0.98,
}
INFLATED_BOUNDS = {"code": 1.9, "everyday": 1.4, "story": 1.15}


def tuned(bench: Bench) -> Iterator[Result | Table]:
    """The starter pair, each kind of text with the γ that the tuner recommends for it."""
    record = _tuning(bench, bench.target)
    gammas = _by_kind(record)
    yield from _measured(bench, bench.target, gammas, STARTER_BOUNDS, 120, min(3, bench.repeats))
    forgone = [max(curve["speed_up"]) for curve in _greedy(record) if curve["gamma"] == 0]
    if forgone:
        yield Result("where γ = 0: the most that was predicted", [max(forgone)], at_most=1.03)
    yield _predicted(record)


def inflated_tuned(bench: Bench) -> Iterator[Result | Table]:
    """The same with a target that costs five times as much; some γ more for the figure."""
    record = _tuning(bench, bench.inflated)
    gammas, repeats = _by_kind(record), min(3, bench.repeats)
    yield from _measured(bench, bench.inflated, gammas, INFLATED_BOUNDS, 100, repeats)
    yield _predicted(record)
    yield _sweep(bench, bench.inflated, list(INFLATED_BOUNDS), (1, 3, 5, 7, 11))


def choice(bench: Bench) -> Iterator[Result | Table]:
    """The tuner's choice against every γ, run in fact on the same prompts."""
    record = _tuning(bench, bench.target, "--exhaustive")
    gammas = {**_by_kind(record), EVERYDAY: _everyday(record)}
    tried = _tried(record)
    for kind, gamma in gammas.items():
        speeds = tried.get(kind, {})
        if gamma not in speeds:
            continue
        best = max(speeds, key=lambda each: speeds[each])
        yield Result(
            f"{'everyday use' if kind == EVERYDAY else kind}: the tuner's γ ÷ the best γ",
            [speeds[gamma] / speeds[best]],
            at_least=0.95,
            detail=f"γ = {gamma}, {speeds[gamma]:.3f}; best γ = {best}, {speeds[best]:.3f}",
        )
    yield _predicted(record)
    rows = [[kind, gamma, speed] for kind in tried for gamma, speed in tried[kind].items()]
    yield Table("measured", ["kind", "gamma", "speed_up"], rows)
    yield _survival(record)


def _tuning(bench: Bench, target: Path, *more: str) -> dict[str, Any]:
    """What `foreword tune` finds out about greedy replies."""
    quick = ["--quick"] if bench.is_quick else []
    files = ("--target", target, "--draft", bench.draft)
    command = ("tune", *files, "--temperature", 0, *quick, *more)
    try:
        return bench.foreword(*command)
    except NotMeasured:  # a busy moment: the tuner does not choose by it
        return bench.foreword(*command)


def _greedy(record: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [curve for curve in record["curves"] if curve["temperature"] == 0]


def _by_kind(record: Mapping[str, Any]) -> dict[str, int]:
    return {curve["kind"]: curve["gamma"] for curve in _greedy(record) if curve["kind"] != EVERYDAY}


def _everyday(record: Mapping[str, Any]) -> int:
    gamma: int = record["recommended"]["gamma"]
    return gamma


def _tried(record: Mapping[str, Any]) -> dict[str, dict[int, float]]:
    """Measured speed-up by kind and γ; all kinds together, each writing equally much."""
    found: dict[str, dict[int, float]] = {}
    for point in record["sweep"]:
        if point["temperature"] == 0 and point["kind"] != EVERYDAY:
            found.setdefault(point["kind"], {})[point["gamma"]] = point["measured"]
    common = set.intersection(*(set(speeds) for speeds in found.values())) if found else set()
    found[EVERYDAY] = {
        gamma: len(found) / sum(1 / speeds[gamma] for speeds in found.values())
        for gamma in sorted(common)
    }
    return found


def _measured(
    bench: Bench,
    target: Path,
    gammas: Mapping[str, int],
    bounds: Mapping[str, float],
    tokens: int,
    repeats: int,
) -> Iterator[Result]:
    """Speculative ÷ plain, kind by kind, the two in turns."""
    with closing(Ours(target, bench.draft)) as ours:
        for kind, bound in bounds.items():
            if kind not in gammas:  # a quick tuning tries three kinds
                continue
            samples, details = [], []
            for repeat in range(repeats):
                prompts = bench.prompts[kind]
                prompt = ours.tokens(prompts[repeat % len(prompts)])
                order = [0, gammas[kind]] if repeat % 2 else [gammas[kind], 0]
                speeds = [_speed(ours, prompt, gamma, bench.tokens(tokens)) for gamma in order]
                plain, drafting = speeds if repeat % 2 else reversed(speeds)
                samples.append(drafting / plain)
                details.append(f"{drafting:.2f}/{plain:.2f}")
            yield Result(
                f"{kind}: speculative ÷ plain, γ from the tuner",
                samples,
                at_least=bound,
                detail=f"γ = {gammas[kind]}; tokens/s {', '.join(details)}",
            )


def _speed(ours: Ours, prompt: list[int], gamma: int, tokens: int) -> float:
    return ours.write(prompt, gamma=gamma, tokens=tokens, sampling=GREEDY).tokens_per_second


def _sweep(bench: Bench, target: Path, kinds: Sequence[str], gammas: Sequence[int]) -> Table:
    """Measured speed-up of some γ, the plain run before and after them."""
    rows = []
    tried = gammas[:1] if bench.is_quick else gammas
    with closing(Ours(target, bench.draft)) as ours:
        for kind in kinds:
            prompt, tokens = ours.tokens(bench.prompts[kind][0]), bench.tokens(80)
            before = _speed(ours, prompt, 0, tokens)
            speeds = {gamma: _speed(ours, prompt, gamma, tokens) for gamma in tried}
            plain = (before + _speed(ours, prompt, 0, tokens)) / 2
            rows += [[kind, gamma, speed / plain] for gamma, speed in speeds.items()]
    return Table("measured", ["kind", "gamma", "speed_up"], rows)


def _predicted(record: Mapping[str, Any]) -> Table:
    """The tuner's curves with their bands."""
    rows = [
        [curve["kind"], gamma, *(curve[name][gamma] for name in ("speed_up", "low", "high"))]
        for curve in _greedy(record)
        for gamma in range(len(curve["speed_up"]))
    ]
    return Table("predicted", ["kind", "gamma", "speed_up", "low", "high"], rows)


def _survival(record: Mapping[str, Any]) -> Table:
    """How often the first i drafted tokens all pass, by kind, greedy and sampled."""
    rows = [
        [curve["kind"], curve["temperature"], place, chance]
        for curve in record["curves"]
        for place, chance in enumerate(curve["survival"], start=1)
    ]
    return Table("survival", ["kind", "temperature", "place", "chance"], rows)
