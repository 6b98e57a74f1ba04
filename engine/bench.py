"""Prompts × settings → runs, and a summary: what drafting is worth, measured and predicted.

Plain and speculative runs of one prompt alternate, so that a machine that warms up or is shared
slows both alike. The prediction is made from three things measured apart from the speed-up: what
passes cost, how often tokens were accepted at each position, and the engine's own time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from statistics import median
from typing import Any, Literal

from engine.prompts import BenchPrompt
from engine.protocol import (
    PLAIN,
    SPECULATIVE,
    Chat,
    Done,
    Event,
    Measure,
    Measured,
    Options,
    Request,
)
from engine.sampling import Sampling
from engine.speedup import predicted_speed_up
from engine.stats import End, Figures

Ask = Callable[[Request], Event]
"""Sends a request and returns the event that ends it."""

MEASURE_REPEATS = 5

_CHARACTERS_PER_TOKEN = 4  # of English prose and code, roughly: it only places the measurement


@dataclass(frozen=True)
class Plan:
    """What to run. γ = 0 is always among the gammas: it is what the others are compared with.

    ``n_ctx``: the context, in tokens, within which the costs are timed.
    """

    prompts: tuple[BenchPrompt, ...]
    gammas: tuple[int, ...] = (3,)
    temperatures: tuple[float, ...] = (0.0,)
    max_tokens: int = 128
    repeats: int = 1
    seed: int = 1
    rule: Literal["ratio", "coupled"] = "ratio"
    n_ctx: int = 4096

    @property
    def drafting(self) -> list[int]:
        """The gammas but 0, ascending."""
        return sorted(set(self.gammas) - {0})

    def tasks(self) -> Iterator[Task]:
        """Every run, in the order in which they are to be made."""
        gammas = [0, *self.drafting]
        for repeat in range(self.repeats):
            for temperature in dict.fromkeys(self.temperatures):
                for prompt in self.prompts:
                    yield from (Task(prompt, gamma, temperature, repeat) for gamma in gammas)
                    gammas.reverse()  # whoever goes first has the cooler machine

    def seed_of(self, task: Task) -> int:
        """The seed of a run: each repeat has its own."""
        return (self.seed + task.repeat) % 2**63

    def measurement(self) -> Measure:
        """Time both models about where the replies' middles lie."""
        prompt = median(sum(len(m.content) for m in p.messages) for p in self.prompts)
        middle = round(prompt / _CHARACTERS_PER_TOKEN) + self.max_tokens // 2
        widths = (1, *(gamma + 1 for gamma in self.drafting))
        depth = min(middle, self.n_ctx - max(widths))
        return Measure(widths, depth=depth, repeats=MEASURE_REPEATS)


@dataclass(frozen=True)
class Task:
    """A run to be made; ``repeat`` counts from 0."""

    prompt: BenchPrompt
    gamma: int
    temperature: float
    repeat: int


@dataclass(frozen=True)
class Run:
    """A run that was made."""

    task: Task
    seed: int
    rule: str
    end: End
    figures: Figures

    @property
    def group(self) -> tuple[int, float, str]:
        """What it is summed up under: γ, temperature, kind."""
        return self.task.gamma, self.task.temperature, self.task.prompt.kind

    @property
    def seconds_per_token(self) -> float:
        return self.figures.seconds / self.figures.tokens

    def as_dict(self) -> dict[str, Any]:
        """For JSON; times in seconds."""
        task, figures = self.task, self.figures
        return {
            "prompt": task.prompt.id,
            "kind": task.prompt.kind,
            "lane": SPECULATIVE if task.gamma else PLAIN,
            "gamma": task.gamma,
            "temperature": task.temperature,
            "repeat": task.repeat,
            "seed": self.seed,
            "rule": self.rule,
            "end": self.end,
            "tokens": figures.tokens,
            "seconds": figures.seconds,
            "tokens_per_second": figures.tokens_per_second,
            "time_to_first_token": figures.first_token_seconds,
            "prompt_tokens": figures.prompt_tokens,
            "prompt_seconds": figures.prompt_seconds,
            "rounds": figures.rounds,
            "drafted": figures.drafted,
            "accepted": figures.accepted,
            "rejected": figures.rejected,
            "draft_seconds": figures.draft_seconds,
            "verify_seconds": figures.verify_seconds,
            "other_seconds": figures.other_seconds,
            "accepted_by_position": figures.accepted_by_position,
            "tested_by_position": figures.tested_by_position,
        }


@dataclass
class Results:
    """What was measured so far; good for a summary at any moment."""

    plan: Plan
    runs: list[Run] = field(default_factory=list)
    costs: list[Measured] = field(default_factory=list)

    def measure(self, ask: Ask) -> None:
        """Time what passes cost, once more."""
        event = ask(self.plan.measurement())
        assert isinstance(event, Measured)
        self.costs.append(event)

    def run(self, task: Task, ask: Ask) -> Run:
        """Make one run, with empty memories, and keep it if it wrote anything."""
        plan, seed = self.plan, self.plan.seed_of(task)
        options = Options(
            gamma=task.gamma,
            sampling=Sampling(temperature=task.temperature),
            rule=plan.rule,
            seed=seed,
            max_tokens=plan.max_tokens,
        )
        done = ask(Chat(task.prompt.messages, options, fresh=True))
        assert isinstance(done, Done)
        rule = "greedy" if options.sampling.greedy else plan.rule
        run = Run(task, seed, rule, done.why, done.figures)
        if run.figures.tokens:
            self.runs.append(run)
        return run

    def summary(self) -> list[dict[str, Any]]:
        """One row for each γ, temperature and kind that was run both ways."""
        ordered = sorted(self.runs, key=lambda run: run.group)
        groups = {group: list(runs) for group, runs in groupby(ordered, key=lambda run: run.group)}
        return [
            self._row(group, runs, groups[0, *group[1:]])
            for group, runs in groups.items()
            if (0, *group[1:]) in groups
        ]

    def _row(
        self, group: tuple[int, float, str], runs: list[Run], plain: list[Run]
    ) -> dict[str, Any]:
        gamma, temperature, kind = group
        whole = pooled(run.figures for run in runs)
        rates = [run.figures.tokens_per_second for run in runs]
        return {
            "gamma": gamma,
            "temperature": temperature,
            "kind": kind,
            "runs": len(runs),
            "speed_up": _speed_up(runs, plain),
            "predicted_speed_up": self._predicted(
                gamma, whole, pooled(run.figures for run in plain)
            ),
            "acceptance_rate": whole.acceptance_rate if gamma else None,
            "alpha": whole.alpha if gamma else None,
            "tokens_per_round": whole.tokens_per_round,
            "other_share": whole.other_share,
            "tokens_per_second": median(rates),
            "time_to_first_token": median(run.figures.first_token_seconds for run in runs),
        }

    def _predicted(self, gamma: int, whole: Figures, plain: Figures) -> float | None:
        """S(γ), from the costs and these runs' acceptance by position; None without costs.

        A plain step is a pass of one token and the engine's own time for it: all is measured by it.
        """
        if not self.costs:
            return None
        step = self.pass_seconds(1) + plain.other_seconds / plain.rounds
        survival = [*whole.survival(), *[0.0] * gamma][:gamma]
        return predicted_speed_up(
            survival,
            draft_cost=self.draft_seconds / step,
            pass_cost=self.pass_seconds(gamma + 1) / step,
            overhead=whole.other_seconds / whole.rounds / step,
            catch_up=median(costs.catch_up for costs in self.costs) / step,
        )

    @property
    def draft_seconds(self) -> float:
        """A draft step, the median of all measurements."""
        return median(costs.draft_step for costs in self.costs)

    def pass_seconds(self, width: int) -> float:
        """A target pass over ``width`` tokens, the median of all measurements."""
        return median(costs.passes[width] for costs in self.costs)

    def costs_as_dict(self) -> dict[str, Any]:
        """c, v by width and every measurement they come from, for JSON."""
        measurements = [
            {"draft_step": costs.draft_step, "passes": costs.passes, "catch_up": costs.catch_up}
            for costs in self.costs
        ]
        if not self.costs:
            return {"c": None, "v": {}, "measurements": []}
        one, widths = self.pass_seconds(1), self.costs[0].passes
        return {
            "depth": self.plan.measurement().depth,
            "c": self.draft_seconds / one,
            "v": {width: self.pass_seconds(width) / one for width in widths},
            "measurements": measurements,
        }


def _speed_up(runs: Sequence[Run], plain: Sequence[Run]) -> float | None:
    """The median over prompts and repeats of plain ÷ speculative time per token."""
    times = {(run.task.prompt.id, run.task.repeat): run.seconds_per_token for run in plain}
    pairs = [(times.get((run.task.prompt.id, run.task.repeat)), run) for run in runs]
    gains = [time / run.seconds_per_token for time, run in pairs if time]
    return median(gains) if gains else None


def pooled(several: Iterable[Figures]) -> Figures:
    """The counts and times of several replies together."""
    whole = Figures()
    for figures in several:
        whole.gamma = max(whole.gamma, figures.gamma)
        for name in (
            "tokens", "rounds", "drafted", "accepted", "rejected",
            "seconds", "draft_seconds", "verify_seconds",
        ):  # fmt: skip
            setattr(whole, name, getattr(whole, name) + getattr(figures, name))
        for name in ("tested_by_position", "accepted_by_position"):
            setattr(whole, name, _added(getattr(whole, name), getattr(figures, name)))
    return whole


def _added(a: list[int], b: list[int]) -> list[int]:
    longer, shorter = (a, b) if len(a) >= len(b) else (b, a)
    return [x + y for x, y in zip(longer, [*shorter, *[0] * len(longer)], strict=False)]
