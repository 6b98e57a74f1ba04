"""The tuner: measure this machine with this pair, predict S(γ) for every γ, try the best, choose.

It works in contexts of its own over the loaded weights. First it times both models; then it writes
a short plain reply for each kind of text, greedy and sampled, along which one pass of the draft
gives the acceptance at every γ (engine.acceptance); then it times again, at a greater depth, so
that both moments count; at last it runs its best two γ in fact, and each kind's own where that is
in doubt, with a plain reply right beside them. What was slower in that is not recommended.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from statistics import mean
from time import perf_counter

from engine.chat import Message, Prompter
from engine.costs import TUNED_WIDTHS, Costs, Timings
from engine.decoding import Lane
from engine.errors import MachineBusy, NothingToTune, PairRefused, Stopped
from engine.findings import Findings
from engine.llama.context import MAX_GAMMA, Context
from engine.llama.library import library
from engine.loading import Pair
from engine.paths import asset
from engine.prediction import best_two
from engine.prompts import BenchPrompt, read_prompts
from engine.sampling import Sampling
from engine.tryout import Attempt, Sample, Tryout
from engine.tunings import Key, Point, Record, Sizes, Versions, temperature_of

Told = Callable[[float, str], None]
"""Told the fraction done and what is being done."""

SPREAD = 0.15
"""One sample in five may lie farther from its median than this; else the machine is busy."""

ALARM = 0.25
"""Measured and predicted speed-up farther apart than this: the machine is busy."""

CROWDED = 0.3
"""One thread less is faster by more than this part: not the machine's doing, but another program's,
which a thread of ours waits for at every barrier. Where half of many threads are faster and one
less is not, they are just too many."""

ENOUGH = 24
"""Tokens of all replies together, without which nothing can be said."""

_ROOM = 1024  # tokens of the tuner's own contexts
_SHALLOW, _DEEP = 64, 512
_TIMING = 0.3  # of the time, that timing both models may take
_MARGIN = 96  # tokens above a depth that timing may reach
_THREAD_GAIN = 0.97  # fewer threads must be this much faster to be recommended
_OTHER_TEMPERATURE = 0.7  # of the sampled replies, where greedy ones were asked for

_Prompts = dict[str, list[tuple[int, ...]]]  # by kind, each as tokens


@dataclass(frozen=True)
class Extent:
    """How much is measured; the seconds are what it may take, where the machine allows.

    ``kinds``: of text, None for all; ``checks``: how many of the best γ are run, on how many
    kinds; ``tokens``: the shortest and longest reply; ``sweeps`` likewise, at each depth;
    ``both_ways``: greedily and sampled; ``each_kind``: whether a kind's own γ is made sure of.
    """

    seconds: float
    depths: tuple[int, ...]
    sweeps: tuple[int, int]
    tokens: tuple[int, int]
    checks: tuple[int, int]
    kinds: tuple[str, ...] | None = None
    both_ways: bool = True
    each_kind: bool = True


FULL = Extent(90.0, (_SHALLOW, _DEEP), (4, 12), (24, 128), (2, 3))
QUICK = Extent(
    9.0,
    (_SHALLOW,),
    (2, 6),
    (12, 64),
    (1, 1),
    ("code", "everyday", "story"),
    both_ways=False,
    each_kind=False,
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
        self._done = 0.0
        self._started = perf_counter()
        self._expected = plan.extent.seconds
        vocabulary = pair.target.vocabulary
        self._tryout = Tryout(lane, vocabulary.ends, vocabulary.suppressed, self._limit, self._tick)
        self._found = Findings()
        self._sweep: list[Point] = []
        self._set_threads(key.threads)

    def run(self) -> Record:
        by_threads = self._choose_threads()
        self._time(TUNED_WIDTHS, self._extent.depths[0])
        self._write(self._prompts())
        widths = self._refine()
        for depth in self._extent.depths[1:]:
            self._time(widths, depth)
        self._check()
        if self._extent.each_kind:
            self._check_kinds()
        if self._plan.is_exhaustive:
            self._try_all()
        return self._record(by_threads)

    # Progress ----------------------------------------------------------------------------------

    def _tick(self) -> None:
        """After each pass: tell how far it is, and end where the user wants it."""
        if self._pair.stop:
            raise Stopped
        fraction = (perf_counter() - self._started) / self._expected
        most = 0.99 if self._found.timings else _TIMING  # of a slow target too little is expected
        self._done = max(self._done, min(fraction, most))  # what is added takes nothing back
        self._told(self._done, self._what)

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
        if (waste := 1 - found[counts[1]] / found[counts[0]]) > CROWDED:
            raise MachineBusy(percent=round(100 * waste))
        best = min(found, key=lambda count: found[count])
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
        share = self._extent.seconds * _TIMING / len(self._extent.depths)
        for sweep in range(most):
            if sweep >= least and perf_counter() - started > share:
                break
            timings.sweep(self._tick)
        if timings.spread() > SPREAD:  # once more: it may have been a moment's
            timings.forget()
            for _sweep in range(least):
                timings.sweep(self._tick)
        if (found := timings.spread()) > SPREAD:
            raise MachineBusy(percent=round(100 * found))
        self._found.timings.append(timings)

    def _refine(self) -> list[int]:
        """Time the widths of those γ that look best, where they were not; every width timed."""
        timings = self._found.timings[0]
        for _again in range(3):
            best = {curve.gamma for curve in self._found.curves(range(MAX_GAMMA + 1))}
            wanted = {gamma + 1 for gamma in best} - timings.passes.keys()
            if not wanted:
                break
            self._begin("Timing the passes of the best γ")
            extra = Timings(self._lane, wanted, timings.depth)
            for _sweep in range(self._extent.sweeps[0]):
                extra.sweep(self._tick)
            timings.passes |= extra.passes
        return sorted(timings.passes)

    # Writing -----------------------------------------------------------------------------------

    def _write(self, prompts: _Prompts) -> None:
        """Plain replies for each kind and way, the draft looking on."""
        costs, samples = self._found.timings[0].costs(), self._found.samples
        self._expect(costs)
        tokens = self._reply_length(costs.passes[1])
        for kind, rows in prompts.items():
            for way in self._plan.ways:
                self._begin_writing(kind, way)
                samples.setdefault(way, []).extend(self._plainly(kind, rows, way, tokens))
        if not prompts:
            reason = f"a context of {self._key.n_ctx:,} tokens has no room for the tuner's prompts"
            raise NothingToTune(reason=reason)
        if sum(len(sample.chances) for sample in self._found.asked) < ENOUGH:
            raise NothingToTune(reason="the target ends every reply at once")

    def _begin_writing(self, kind: str, way: Sampling) -> None:
        how = "greedily" if way.greedy else f"at temperature {way.temperature:g}"
        self._begin(f"Writing plainly, {how}: {kind}")

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
        written = replies * _reply_seconds(costs, tokens)
        count, kinds = self._extent.checks
        tried = (count + 1) * kinds * tokens * 1.3 * step
        deeper = len(self._extent.depths) - 1
        sweep = sum(costs.passes.values()) + 3 * draft
        timed = deeper * (self._extent.sweeps[0] * sweep + 150 * (step + draft))
        every = self._plan.is_exhaustive * (MAX_GAMMA + 1) * 6 * tokens * 2 * step
        elapsed = perf_counter() - self._started
        self._expected = elapsed + written + tried + timed + every

    def _prompts(self) -> _Prompts:
        """By kind, the shipped prompts that leave room for a reply."""
        prompter = Prompter(self._pair.target.vocabulary, self._pair.target.template)
        found: _Prompts = {}
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

    # Trying ------------------------------------------------------------------------------------

    def _check(self) -> None:
        """Run the best γ in fact. What differs from the prediction is what timing did not see."""
        count, kinds = self._extent.checks
        found, samples = self._found, _spaced(self._found.asked, kinds)
        gammas = best_two(found.everyday(), found.timed())[:count]
        for sample in samples:
            self._try(sample, gammas)
        usual = found.scale()
        if abs(usual - 1) > ALARM:
            raise MachineBusy(percent=round(100 * abs(usual - 1)))

    def _check_kinds(self) -> None:
        """Run a kind's own best γ too, where it may not gain and was not run."""
        found, firsts = self._found, _firsts(self._found.asked)
        run = {(point.kind, point.gamma) for point in found.points}
        doubtful = [curve for curve in found.doubtful() if (curve.kind, curve.gamma) not in run]
        self._expected += sum(2 * firsts[each.kind].figures.seconds for each in doubtful)
        for curve in doubtful:
            self._try(firsts[curve.kind], [curve.gamma])

    def _try(self, sample: Sample, gammas: Sequence[int]) -> None:
        """Write a reply plainly once more and with each γ: what was written a minute ago, the
        machine may have written in another mood."""
        figures = {}
        for gamma in (0, *gammas):
            self._begin(f"Trying γ {gamma}: {sample.attempt.kind}")
            figures[gamma] = self._tryout.drafting(sample.attempt, gamma)
        for gamma in gammas:
            self._found.tried(sample, gamma, figures[gamma], figures[0])

    def _try_all(self) -> None:
        """Every γ on every kind's first reply, to and fro; plainly again before and after them, for
        one plain reply in a bad moment would favour all of them."""
        order = list(range(1, MAX_GAMMA + 1))
        for kind, sample in _firsts(self._found.asked).items():
            tried = []
            for gamma in (0, *order, 0):
                self._begin(f"Trying every γ, {gamma}: {kind}")
                tried.append((gamma, self._tryout.drafting(sample.attempt, gamma)))
            order.reverse()
            plain = mean(tried[end][1].tokens_per_second for end in (0, -1))
            for gamma, figures in sorted(tried[:-1], key=lambda each: each[0]):
                measured = figures.tokens_per_second / plain if gamma else 1.0
                self._sweep.append(self._found.point(sample, gamma, figures, measured))

    # Choosing ----------------------------------------------------------------------------------

    def _record(self, by_threads: Mapping[int, float]) -> Record:
        self._begin("Choosing")
        found = self._found
        curves, gamma = found.settled()
        pace = found.pace(self._plan.ways[0])
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
            timings=found.timing_rows(),
            draft_step=pace.draft_step,
            catch_up=pace.catch_up,
            passes=pace.passes,
            interpolated=tuple(found.interpolated()),
            scale=found.scale(),
            overheads=found.overheads(),
            curves=tuple(curves),
            checks=tuple(found.points),
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


def _reply_seconds(costs: Costs, tokens: int) -> float:
    """About what a plain reply takes, its prompt and the draft's looking on included."""
    return tokens * 1.2 * costs.passes[1] + 20 * (costs.passes[1] + costs.draft_step)


def _firsts(samples: Sequence[Sample]) -> dict[str, Sample]:
    """By kind, in the order in which they were written, the first reply."""
    found: dict[str, Sample] = {}
    for sample in samples:
        found.setdefault(sample.attempt.kind, sample)
    return found


def _spaced(samples: Sequence[Sample], count: int) -> list[Sample]:
    """The first reply of so many kinds, spread over all of them."""
    firsts = list(_firsts(samples).values())
    step = max(len(firsts) / count, 1.0)
    return [firsts[int(i * step)] for i in range(min(count, len(firsts)))]
