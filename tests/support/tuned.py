"""A tuning as a small machine could have made it, computed from chosen costs and acceptances."""

from __future__ import annotations

from collections.abc import Mapping

from engine.prediction import Measured, curves
from engine.speedup import Pace
from engine.tunings import EVERYDAY, Key, Overhead, Point, Record, Sizes, Timing, Versions

KEY = Key(
    target="a target",
    draft="a draft",
    devices=("CPU (a processor)",),
    layers=(0, 0),
    threads=2,
    is_auto=True,
    n_ctx=4096,
    recast=False,
)
VERSIONS = Versions("0.1.0", "llama-cpp-python 0.3.36", "a driver")

STEPS = (1, 1.42, 1.83, 1.6, 2.04, 2.5, 2.9, 2.95, 3.3, 3.5, 3.7, 3.8, 4, 4.2, 4.4, 3.8, 4.55)
"""v(n) of a processor whose kernels take four rows at a time."""

CPU = Pace(0.014, tuple(0.07 * v for v in STEPS), catch_up=0.004, step=0.0005, row=0.0004)
ALPHAS: Mapping[str, float] = {"code": 0.93, "everyday": 0.8, "story": 0.65}


def tuned(
    pace: Pace = CPU, alphas: Mapping[str, float] = ALPHAS, temperature: float = 0.7
) -> Record:
    """The record of a pair whose drafted tokens pass independently, at ``alphas`` by kind."""
    ways = (temperature, 0.7 if temperature == 0 else 0.0)
    found = [
        curve
        for way, less in zip(ways, (0.0, 0.05), strict=True)
        for curve in curves(
            Measured(way, pace, {k: [[a - less] * 400] for k, a in alphas.items()}, 0.02),
            pace.gammas,
        )
    ]
    everyday = next(curve for curve in found if curve.kind == EVERYDAY)
    passes = dict(enumerate(pace.passes, start=1))
    return Record(
        key=KEY,
        versions=VERSIONS,
        at="2026-11-29T12:00:00+00:00",
        took=84.2,
        is_quick=False,
        temperature=temperature,
        gamma=everyday.gamma,
        threads=2,
        by_threads={2: 0.05, 1: 0.09},
        timings=(Timing(64, 5, pace.draft_step, pace.catch_up, passes, passes, passes),),
        draft_step=pace.draft_step,
        catch_up=pace.catch_up,
        passes=pace.passes,
        interpolated=(6, 7, 10, 11, 14, 15),
        overheads=tuple(Overhead(way, pace.step, pace.row) for way in ways),
        scale=pace.scale,
        curves=tuple(found),
        checks=(Point("code", temperature, 3, 40, 1.7, 1.68),),
        sweep=(),
        sizes=Sizes(
            (117_440_512, 167_772_160), tuple(40_000_000 + 1_200_000 * g for g in range(17))
        ),
    )


RECORD = tuned()
