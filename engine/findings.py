"""What a tuning has measured so far, and what follows from it: paces, curves, the best γ."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from math import sqrt
from statistics import mean, median, quantiles, stdev

from engine.costs import Timings, every_width
from engine.llama.context import MAX_GAMMA
from engine.prediction import Measured, curves, settled
from engine.sampling import Sampling
from engine.speedup import Pace, best_gamma
from engine.stats import Figures
from engine.tryout import Sample
from engine.tunings import EVERYDAY, Curve, Overhead, Point, Timing, temperature_of, tried

_LEAST_DOUBT = 0.01
"""No ratio of two times is surer than this, however steady the samples were."""


@dataclass
class Findings:
    """The measurements of one tuning.

    Attributes:
        timings: Of both models, at each depth.
        samples: Plain replies, by how they were written: as asked for first.
        points: Replies that were tried in fact, against the same reply written plainly.
        ratios: By γ that was tried, measured ÷ predicted speed-up of each reply's own rounds.
    """

    timings: list[Timings] = field(default_factory=list)
    samples: dict[Sampling, list[Sample]] = field(default_factory=dict)
    points: list[Point] = field(default_factory=list)
    ratios: dict[int, list[float]] = field(default_factory=dict)

    @property
    def asked(self) -> list[Sample]:
        """The replies that were written as asked for."""
        return next(iter(self.samples.values()))

    def timed(self) -> set[int]:
        """The γ whose passes were timed at every depth."""
        return {width - 1 for width in self.timings[-1].passes}

    def interpolated(self) -> list[int]:
        """The widths that were not, ascending."""
        return sorted({*range(1, MAX_GAMMA + 2)} - self.timings[-1].passes.keys())

    def timing_rows(self) -> tuple[Timing, ...]:
        """What was timed, for the record."""
        return tuple(map(_row, self.timings))

    # Predicting --------------------------------------------------------------------------------

    def pace(self, way: Sampling, scale: float = 1.0) -> Pace:
        """What rounds take, from all that was timed."""
        costs = [timings.costs() for timings in self.timings]
        widths = [every_width(each.passes) for each in costs]
        own = self.overhead(way)
        return Pace(
            draft_step=mean(each.draft_step for each in costs),
            passes=tuple(mean(each[width] for each in widths) for width in widths[0]),
            catch_up=mean(each.catch_up for each in costs),
            step=own.step,
            row=own.row,
            scale=scale,
        )

    def overhead(self, way: Sampling) -> Overhead:
        """The engine's own time, along the replies of a way."""
        samples = self.samples[way]
        steps = [each.figures.other_seconds / each.figures.rounds for each in samples]
        rows = [each.row for each in samples]
        return Overhead(temperature_of(way), median(steps), median(rows))

    def overheads(self) -> tuple[Overhead, ...]:
        """Of every way that has replies."""
        return tuple(self.overhead(way) for way, samples in self.samples.items() if samples)

    def curves(self, gammas: Collection[int], scale: float = 1.0) -> list[Curve]:
        """The curves of every way, the one asked for first; the best γ are of ``gammas``."""
        found: list[Curve] = []
        for way, samples in self.samples.items():
            if samples:
                replies: dict[str, list[list[float]]] = {}
                for sample in samples:
                    replies.setdefault(sample.attempt.kind, []).append(sample.chances)
                pace = self.pace(way, scale)
                measured = Measured(temperature_of(way), pace, replies, self._doubt())
                found += curves(measured, gammas)
        return found

    def everyday(self) -> Curve:
        """The curve of all kinds together, as asked for."""
        return _everyday(self.curves(self.timed()))

    def _doubt(self) -> float:
        """The relative standard error of the ratio of two times: as both models were timed, or as
        the replies that were tried lie apart, where that is more."""
        samples = min(len(each.passes[1]) for each in self.timings) * len(self.timings)
        timed = self.timings[0].spread(0.5) * sqrt(2 * 1.57 / samples)  # of medians: π ÷ 2
        ratios = self._all_ratios()
        apart = stdev(ratios) / mean(ratios) / sqrt(len(ratios)) if len(ratios) > 1 else 0.0
        return max(timed, apart, _LEAST_DOUBT)

    # Trying ------------------------------------------------------------------------------------

    def tried(self, sample: Sample, gamma: int, figures: Figures, plain: Figures) -> Point:
        """Take in the same reply written with γ, and ``plain`` beside it: what it says of all
        predictions is kept."""
        measured = figures.tokens_per_second / plain.tokens_per_second
        pace = self.pace(sample.attempt.sampling)
        if (survival := figures.survival()) and len(survival) <= gamma:
            own = pace.speed_up([*survival, *[0.0] * (gamma - len(survival))])
            self.ratios.setdefault(gamma, []).append(measured / own)
        point = self.point(sample, gamma, figures, measured)
        self.points.append(point)
        return point

    def point(self, sample: Sample, gamma: int, figures: Figures, measured: float) -> Point:
        """The speed-up ``measured`` of a reply with γ, beside what its kind's curve says."""
        kind = sample.attempt.kind
        way = temperature_of(sample.attempt.sampling)
        found = self.curves(self.timed())
        curve = next(each for each in found if (each.kind, each.temperature) == (kind, way))
        return Point(kind, way, gamma, figures.tokens, curve.speed_up[gamma], measured)

    def scale(self) -> float:
        """Measured ÷ predicted, over all that was tried."""
        ratios = self._all_ratios()
        return mean(ratios) if ratios else 1.0

    def _all_ratios(self) -> list[float]:
        return [ratio for each in self.ratios.values() for ratio in each]

    def settled(self) -> tuple[list[Curve], int]:
        """The curves as what was tried scales them, and the γ for everyday use.

        Whatever is predicted, no γ is the best of a text that was slower with it than plainly.
        """
        scale = self.scale()
        found = [self._held(curve, scale) for curve in self.curves(self.timed(), scale)]
        everyday = _everyday(found)
        if not self.ratios:
            return found, everyday.gamma
        run = tried(self.points, everyday, scale)
        most = max(map(len, self.ratios.values()))
        # What was run for one kind's sake says little of the others.
        often = {g: each for g, each in self.ratios.items() if 2 * len(each) >= most}
        ratios = {g: mean(each) for g, each in often.items() if run.get(g, 0.0) > 1}
        best = settled(everyday, ratios, scale)
        return [replace(c, gamma=best) if c is everyday else c for c in found], best

    def _held(self, curve: Curve, scale: float) -> Curve:
        """The curve, with another best γ where that one was tried and did not gain: the best of
        the others that were tried and did, else 0."""
        run = tried(self.points, curve, scale)
        if curve.gamma not in run or run[curve.gamma] > 1:
            return curve
        held = [gamma for gamma, speed in run.items() if speed > 1]
        return replace(curve, gamma=best_gamma(curve.speed_up.__getitem__, held))

    def doubtful(self) -> list[Curve]:
        """Of the kinds, written as asked for, those whose best γ may not gain what it promises."""
        found, _gamma = self.settled()
        way = temperature_of(next(iter(self.samples)))
        ours = [c for c in found if c.temperature == way and c.kind != EVERYDAY]
        return [curve for curve in ours if curve.gamma and curve.low[curve.gamma] <= 1]


def _everyday(found: Sequence[Curve]) -> Curve:
    return next(each for each in found if each.kind == EVERYDAY)


def _row(timings: Timings) -> Timing:
    costs = timings.costs()
    middle = {width: _middle(seconds) for width, seconds in timings.passes.items()}
    return Timing(
        depth=timings.depth,
        samples=len(timings.passes[1]),
        draft_step=costs.draft_step,
        catch_up=costs.catch_up,
        passes=costs.passes,
        low={width: each[0] for width, each in middle.items()},
        high={width: each[1] for width, each in middle.items()},
    )


def _middle(seconds: Sequence[float]) -> tuple[float, float]:
    """What half of the samples lie between."""
    low, _median, high = quantiles(seconds, n=4, method="inclusive")
    return low, high
