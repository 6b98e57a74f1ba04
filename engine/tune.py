"""The tuner: measure this machine with this pair, predict S(γ) for every γ, try the best, choose.

It works in contexts of its own over the loaded weights. First it times both models; then it writes
a short plain reply for each kind of text, greedy and sampled, along which one pass of the draft
gives the acceptance at every γ (engine.acceptance); then it times again, at a greater depth, so
that a machine that changes meanwhile is noticed; at last it runs its best two γ in fact.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from math import sqrt
from statistics import mean, median, quantiles
from time import perf_counter

from engine.chat import Message, Prompter
from engine.costs import TUNED_WIDTHS, Costs, Timings, every_width
from engine.decoding import Lane
from engine.errors import MachineBusy, NothingToTune, PairRefused, Stopped
from engine.llama.context import MAX_GAMMA, Context
from engine.llama.library import library
from engine.loading import Pair
from engine.paths import asset
from engine.prediction import Measured, best_two, curves, settled
from engine.prompts import BenchPrompt, read_prompts
from engine.sampling import Sampling
from engine.speedup import Pace
from engine.stats import Figures
from engine.tryout import Attempt, Sample, Tryout
from engine.tunings import (
    EVERYDAY,
    Curve,
    Key,
    Overhead,
    Point,
    Record,
    Sizes,
    Timing,
    Versions,
    temperature_of,
)

Told = Callable[[float, str], None]
"""Told the fraction done and what is being done."""

SPREAD = 0.15
"""One sample in five may lie farther from its median than this; else the machine is busy."""

ALARM = 0.25
"""Measured and predicted speed-up farther apart than this: the machine is busy."""

CROWDED = 0.3
"""Fewer threads are faster by more than this part: not the machine's doing, but another program's,
which a thread of ours waits for at every barrier."""

ENOUGH = 24
"""Tokens of all replies together, without which nothing can be said."""

_ROOM = 1024  # tokens of the tuner's own contexts
_SHALLOW, _DEEP = 64, 512
_MARGIN = 96  # tokens above a depth that timing may reach
_THREAD_GAIN = 0.97  # fewer threads must be this much faster to be recommended
_OTHER_TEMPERATURE = 0.7  # of the sampled replies, where greedy ones were asked for


@dataclass(frozen=True)
class Extent:
    """How much is measured; the seconds are what it may take, where the machine allows.

    ``kinds``: of text, None for all; ``checks``: how many of the best γ are run, on how many
    kinds; ``tokens``: the shortest and longest reply; ``sweeps`` likewise, at each depth.
    """

    seconds: float
    depths: tuple[int, ...]
    sweeps: tuple[int, int]
    tokens: tuple[int, int]
    checks: tuple[int, int]
    kinds: tuple[str, ...] | None = None
    both_ways: bool = True


FULL = Extent(95.0, (_SHALLOW, _DEEP), (4, 12), (24, 128), (2, 3))
QUICK = Extent(
    9.0, (_SHALLOW,), (2, 6), (12, 64), (1, 1), ("code", "everyday", "story"), both_ways=False
)


@dataclass(frozen=True)
class Plan:
    """What to tune for: the user's own ``sampling``. ``is_exhaustive``: try every γ in fact."""

    sampling: Sampling
    is_quick: bool = False
    is_exhaustive: bool = False

    @property
    def extent(self) -> Extent:
        return QUICK if self.is_quick else FULL

    @property
    def ways(self) -> list[Sampling]:
        """How replies are written: as asked first; then greedily, or sampled, the other."""
        asked = self.sampling
        other = 0.0 if not asked.greedy else _OTHER_TEMPERATURE
        another = replace(asked, temperature=other, top_k=40 if asked.top_k == 1 else asked.top_k)
        return [asked, another] if self.extent.both_ways else [asked]


def tune(pair: Pair, key: Key, versions: Versions, plan: Plan, told: Told) -> Record:
    """Measure, predict, try, choose. ``key.n_ctx``: the context in tokens.

    Raises:
        PairRefused: There is no draft, or it cannot serve.
        MachineBusy: The timings vary too much to choose by.
        NothingToTune: No reply came of any prompt.
        Stopped: The flag is up.
        ContextFailed: There is no memory for contexts of its own.
    """
    if pair.draft is None:
        raise PairRefused(reason=pair.verdict.reason)
    with _lane(pair, key.n_ctx) as lane:
        return _Tuner(pair, lane, key, versions, plan, told).run()


@contextmanager
def _lane(pair: Pair, limit: int) -> Iterator[Lane]:
    """Contexts of the tuner's own; the draft's returns every row, for it looks on at replies."""
    assert pair.draft is not None
    options = replace(pair.context, n_ctx=min(limit, _ROOM), outputs=MAX_GAMMA + 1)
    target = Context(pair.target, options, pair.stop)
    lane = Lane(target)
    try:
        lane.draft = Context(pair.draft, options, pair.stop)
        lane.warm_up()
        yield lane
    finally:
        lane.free()


class _Tuner:
    """One tuning."""

    def __init__(
        self, pair: Pair, lane: Lane, key: Key, versions: Versions, plan: Plan, told: Told
    ) -> None:
        self._pair = pair
        self._lane = lane
        self._key = key
        self._versions = versions
        self._plan = plan
        self._extent = plan.extent
        self._limit = lane.target.options.n_ctx
        self._told = told
        self._what = ""
        self._started = perf_counter()
        self._expected = plan.extent.seconds
        vocabulary = pair.target.vocabulary
        self._tryout = Tryout(lane, vocabulary.ends, vocabulary.suppressed, self._limit, self._tick)
        self._samples: dict[Sampling, list[Sample]] = {}
        self._timings: list[Timings] = []
        self._checks: list[Point] = []
        self._sweep: list[Point] = []
        self._ratios: dict[int, list[float]] = {}
        self._set_threads(key.threads)

    def run(self) -> Record:
        by_threads = self._choose_threads()
        self._time(TUNED_WIDTHS, self._extent.depths[0])
        self._write()
        widths = self._refine()
        for depth in self._extent.depths[1:]:
            self._time(widths, depth)
        self._check()
        if self._plan.is_exhaustive:
            self._try_all()
        return self._record(by_threads)

    # Progress ----------------------------------------------------------------------------------

    def _tick(self) -> None:
        """After each pass: tell how far it is, and end where the user wants it."""
        if self._pair.stop:
            raise Stopped
        fraction = (perf_counter() - self._started) / self._expected
        self._told(min(fraction, 0.99), self._what)

    def _begin(self, what: str) -> None:
        self._what = what
        self._tick()

    # Timing ------------------------------------------------------------------------------------

    def _choose_threads(self) -> dict[int, float]:
        """Seconds of a token by number of threads; the contexts keep the best."""
        counts = self._thread_counts()
        if len(counts) == 1:
            return {}
        self._begin("Timing both models with fewer threads")
        found = {}
        for count in counts:
            self._set_threads(count)
            timings = Timings(self._lane, (1, 4), self._extent.depths[0])
            for _sweep in range(4):
                timings.sweep(self._tick)
            costs = timings.costs()
            drafting = (3 * costs.draft_step + costs.passes[4]) / 2.7  # tokens of such a round
            found[count] = min(costs.passes[1], drafting)
        best = min(found, key=lambda count: found[count])
        if (waste := 1 - found[best] / found[counts[0]]) > CROWDED:
            raise MachineBusy(percent=round(100 * waste))
        if found[best] > _THREAD_GAIN * found[counts[0]]:
            best = counts[0]
        self._set_threads(best)
        return found

    def _thread_counts(self) -> list[int]:
        """The number loaded with, and fewer where that was the engine's choice and matters."""
        most = self._key.threads
        on_gpu = library().can_offload and self._pair.target.gpu_layers != 0
        if not self._key.is_auto or on_gpu:
            return [most]
        return [count for count in dict.fromkeys((most, most - 1, most // 2)) if count > 0]

    def _set_threads(self, count: int) -> None:
        self._threads = count
        for context in (self._lane.target, self._lane.draft):
            assert context is not None
            context.set_threads(count)

    def _time(self, widths: Sequence[int], depth: int) -> None:
        """Sweep over the widths at a depth until the figures are steady, or the time is up."""
        self._begin(f"Timing both models, {depth} tokens deep")
        depth = max(min(depth, self._limit - _MARGIN), 0)
        timings = Timings(self._lane, widths, depth)
        least, most = self._extent.sweeps
        timings.fill(self._tick)
        started = perf_counter()
        share = self._extent.seconds * 0.3 / len(self._extent.depths)
        for sweep in range(most):
            if sweep >= least and perf_counter() - started > share:
                break
            timings.sweep(self._tick)
        if spread(timings) > SPREAD:  # once more: it may have been a moment's
            timings.forget()
            for _sweep in range(least):
                timings.sweep(self._tick)
        if (found := spread(timings)) > SPREAD:
            raise MachineBusy(percent=round(100 * found))
        self._timings.append(timings)

    def _timed(self) -> set[int]:
        """The γ whose passes were timed at every depth."""
        return {width - 1 for width in self._timings[-1].passes if width <= MAX_GAMMA + 1}

    def _refine(self) -> list[int]:
        """Time the widths of those γ that look best, where they were not; every width timed."""
        timings = self._timings[0]
        for _again in range(3):
            found = self._curves(range(MAX_GAMMA + 1))
            wanted = {each.gamma + 1 for each in found} - timings.passes.keys()
            if not wanted:
                break
            self._begin("Timing the passes of the best γ")
            extra = Timings(self._lane, wanted, timings.depth)
            for _sweep in range(self._extent.sweeps[0]):
                extra.sweep(self._tick)
            timings.passes |= extra.passes
        return sorted(timings.passes)

    # Writing -----------------------------------------------------------------------------------

    def _write(self) -> None:
        """Plain replies for each kind and way, the draft looking on."""
        costs = self._timings[0].costs()
        self._expect(costs)
        tokens, prompts = self._reply_length(costs.passes[1]), self._prompts()
        for kind, rows in prompts.items():
            for way in self._plan.ways:
                how = "greedily" if way.greedy else f"at temperature {way.temperature:g}"
                self._begin(f"Writing plainly, {how}: {kind}")
                self._samples.setdefault(way, []).extend(self._plainly(kind, rows, way, tokens))
        if not prompts:
            reason = f"a context of {self._key.n_ctx:,} tokens has no room for the tuner's prompts"
            raise NothingToTune(reason=reason)
        if sum(len(sample.chances) for sample in self._asked) < ENOUGH:
            raise NothingToTune(reason="the target ends every reply at once")

    @property
    def _asked(self) -> list[Sample]:
        return self._samples[self._plan.ways[0]]

    def _plainly(
        self, kind: str, prompts: Sequence[tuple[int, ...]], way: Sampling, tokens: int
    ) -> Iterator[Sample]:
        """Replies of one kind until there are as many tokens as wanted."""
        for prompt in prompts:
            sample = self._tryout.plainly(Attempt(kind, prompt, way, tokens))
            tokens -= len(sample.chances)
            if sample.chances:
                yield sample
            if tokens < self._extent.tokens[0] // 2:
                return

    def _reply_length(self, step: float) -> int:
        kinds = len(self._extent.kinds or ()) or 6
        share = 0.4 * self._extent.seconds / (kinds * len(self._plan.ways))
        least, most = self._extent.tokens
        return max(least, min(most, int(share / (1.15 * step))))

    def _expect(self, costs: Costs) -> None:
        """How long it will take, now that passes are known."""
        step, draft = costs.passes[1], costs.draft_step
        tokens = self._reply_length(step)
        replies = (len(self._extent.kinds or ()) or 6) * len(self._plan.ways)
        written = replies * tokens * 1.2 * step
        tried = self._extent.checks[0] * self._extent.checks[1] * tokens * 1.6 * step
        deeper = len(self._extent.depths) - 1
        sweep = sum(costs.passes.values()) + 3 * draft
        timed = deeper * (self._extent.sweeps[0] * sweep + 150 * (step + draft))
        every = self._plan.is_exhaustive * (MAX_GAMMA + 1) * 6 * tokens * 2 * step
        elapsed = perf_counter() - self._started
        self._expected = elapsed + written + tried + timed + every + replies * 20 * (step + draft)

    def _prompts(self) -> dict[str, list[tuple[int, ...]]]:
        """By kind, the shipped prompts that leave room for a reply."""
        prompter = Prompter(self._pair.target.vocabulary, self._pair.target.template)
        found: dict[str, list[tuple[int, ...]]] = {}
        for prompt in read_prompts(asset("prompts.toml")):
            if self._extent.kinds is None or prompt.kind in self._extent.kinds:
                tokens = self._spelled(prompter, prompt)
                if len(tokens) + self._extent.tokens[0] <= self._limit:
                    found.setdefault(prompt.kind, []).append(tokens)
        return found

    def _spelled(self, prompter: Prompter, prompt: BenchPrompt) -> tuple[int, ...]:
        messages = [Message(each.role, each.content) for each in prompt.messages]
        # A limit that nothing reaches: what is too long is left out whole, not trimmed.
        return tuple(prompter.prompt(messages, limit=sys.maxsize).tokens)

    # Predicting --------------------------------------------------------------------------------

    def _pace(self, way: Sampling, scale: float = 1.0) -> Pace:
        """What rounds take, from all that was timed."""
        costs = [timings.costs() for timings in self._timings]
        widths = [every_width(each.passes) for each in costs]
        own = self._overhead(way)
        return Pace(
            draft_step=mean(each.draft_step for each in costs),
            passes=tuple(mean(each[width] for each in widths) for width in widths[0]),
            catch_up=mean(each.catch_up for each in costs),
            step=own.step,
            row=own.row,
            scale=scale,
        )

    def _overhead(self, way: Sampling) -> Overhead:
        samples = self._samples[way]
        steps = [each.figures.other_seconds / each.figures.rounds for each in samples]
        rows = [each.row for each in samples]
        return Overhead(temperature_of(way), median(steps), median(rows))

    def _curves(self, gammas: Sequence[int] | set[int], scale: float = 1.0) -> list[Curve]:
        """The curves of every way, the one asked for first."""
        found: list[Curve] = []
        for way, samples in self._samples.items():
            if samples:
                replies: dict[str, list[list[float]]] = {}
                for sample in samples:
                    replies.setdefault(sample.attempt.kind, []).append(sample.chances)
                doubt = max(self._doubt(), 0.01)
                pace = self._pace(way, scale)
                measured = Measured(temperature_of(way), pace, replies, doubt)
                found += curves(measured, gammas)
        return found

    def _doubt(self) -> float:
        """The relative standard error of the ratio of two times."""
        samples = min(len(each.passes[1]) for each in self._timings) * len(self._timings)
        return spread(self._timings[0], 0.5) * sqrt(2 * 1.57 / samples)  # of medians: π ÷ 2

    # Trying ------------------------------------------------------------------------------------

    def _everyday(self) -> Curve:
        found = self._curves(self._timed())
        return next(each for each in found if each.kind == EVERYDAY)

    def _check(self) -> None:
        """Run the best γ in fact. What differs from the prediction is what timing did not see."""
        count, kinds = self._extent.checks
        everyday = self._everyday()
        samples = _spaced(self._asked, kinds)
        for gamma in best_two(everyday, self._timed())[:count]:
            for sample in samples:
                self._begin(f"Trying γ {gamma}: {sample.attempt.kind}")
                self._checks.append(self._try(sample, gamma))
        usual = self._scale()
        if abs(usual - 1) > ALARM:
            raise MachineBusy(percent=round(100 * abs(usual - 1)))

    def _try(self, sample: Sample, gamma: int) -> Point:
        figures = self._tryout.drafting(sample.attempt, gamma)
        plain = sample.figures.seconds / sample.figures.tokens
        measured = plain * figures.tokens_per_second
        pace = self._pace(sample.attempt.sampling)
        if (survival := figures.survival()) and len(survival) <= gamma:
            own = pace.speed_up([*survival, *[0.0] * (gamma - len(survival))])
            self._ratios.setdefault(gamma, []).append(measured / own)
        return self._point(sample, gamma, figures, measured)

    def _point(self, sample: Sample, gamma: int, figures: Figures, measured: float) -> Point:
        kind = sample.attempt.kind
        way = temperature_of(sample.attempt.sampling)
        found = self._curves(self._timed())
        curve = next(each for each in found if (each.kind, each.temperature) == (kind, way))
        return Point(kind, way, gamma, figures.tokens, curve.speed_up[gamma], measured)

    def _scale(self) -> float:
        """Measured ÷ predicted, over all that was tried."""
        ratios = [ratio for each in self._ratios.values() for ratio in each]
        return mean(ratios) if ratios else 1.0

    def _try_all(self) -> None:
        """Every γ on every kind's first reply, plain decoding again among them, to and fro."""
        order = list(range(MAX_GAMMA + 1))
        firsts = {sample.attempt.kind: sample for sample in reversed(self._asked)}
        for kind, sample in firsts.items():
            rates = {}
            for gamma in order:
                self._begin(f"Trying every γ, {gamma}: {kind}")
                rates[gamma] = self._tryout.drafting(sample.attempt, gamma)
            order.reverse()
            plain = rates[0].tokens_per_second
            for gamma in sorted(rates):
                figures = rates[gamma]
                measured = figures.tokens_per_second / plain
                self._sweep.append(self._point(sample, gamma, figures, measured))

    # Choosing ----------------------------------------------------------------------------------

    def _record(self, by_threads: Mapping[int, float]) -> Record:
        self._begin("Choosing")
        scale = self._scale()
        found = self._curves(self._timed(), scale)
        everyday = next(each for each in found if each.kind == EVERYDAY)
        if self._ratios:
            ratios = {gamma: mean(each) for gamma, each in self._ratios.items()}
            best = settled(everyday, ratios, scale)
            found = [replace(c, gamma=best) if c is everyday else c for c in found]
            gamma = best
        else:
            gamma = everyday.gamma
        pace = self._pace(self._plan.ways[0])
        return Record(
            key=self._key,
            versions=self._versions,
            at=datetime.now(UTC).isoformat(timespec="seconds"),
            took=perf_counter() - self._started,
            is_quick=self._plan.is_quick,
            temperature=temperature_of(self._plan.ways[0]),
            gamma=gamma,
            threads=self._threads,
            by_threads=dict(by_threads),
            timings=tuple(map(_timing, self._timings)),
            draft_step=pace.draft_step,
            catch_up=pace.catch_up,
            passes=pace.passes,
            interpolated=tuple(
                sorted({*range(1, MAX_GAMMA + 2)} - self._timings[-1].passes.keys())
            ),
            scale=scale,
            overheads=tuple(self._overhead(way) for way, each in self._samples.items() if each),
            curves=tuple(found),
            checks=tuple(self._checks),
            sweep=tuple(self._sweep),
            sizes=self._sizes(),
        )

    def _sizes(self) -> Sizes:
        """What llama.cpp takes at the context loaded with; a row of a pass costs the same each."""
        assert self._pair.draft is not None
        context = replace(self._pair.context, n_ctx=self._key.n_ctx)
        found = []
        for outputs in (1, MAX_GAMMA + 1):
            with Context(
                self._pair.target, replace(context, outputs=outputs), self._pair.stop
            ) as c:
                found.append((c.cache_bytes, c.buffer_bytes))
        with Context(self._pair.draft, replace(context, outputs=1), self._pair.stop) as c:
            cache, buffers = c.cache_bytes, c.buffer_bytes
        (own, plain), (_same, widest) = found
        row = (widest - plain) / MAX_GAMMA
        drafting = [round(plain + row * gamma) + buffers for gamma in range(1, MAX_GAMMA + 1)]
        return Sizes((own, own + cache), (plain, *drafting))


def spread(timings: Timings, share: float = 0.8) -> float:
    """How far from its median, relative to it, this ``share`` of all samples lies at the most."""
    deviations = sorted(timings.deviations())
    return deviations[min(int(share * len(deviations)), len(deviations) - 1)]


def _timing(timings: Timings) -> Timing:
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


def _spaced(samples: Sequence[Sample], count: int) -> list[Sample]:
    """The first reply of so many kinds, spread over all of them."""
    firsts = list({sample.attempt.kind: sample for sample in reversed(samples)}.values())[::-1]
    step = max(len(firsts) / count, 1.0)
    return [firsts[int(i * step)] for i in range(min(count, len(firsts)))]
