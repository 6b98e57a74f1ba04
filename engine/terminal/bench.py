"""``foreword bench``: the benchmark's progress, its table and its JSON."""

from __future__ import annotations

import time
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from rich.table import Table
from rich.text import Text

from engine import __version__, machine
from engine.bench import Plan, Results, Run, Task
from engine.errors import PairRefused
from engine.protocol import Emitted, Event, Ready, Request
from engine.terminal import failures, words
from engine.terminal.compare import pair
from engine.terminal.failures import Interrupted
from engine.terminal.screen import JsonTarget, Screen, safe
from engine.terminal.session import Session

_LEGEND = (
    "plain and drafting: tokens/s. speed-up: plain time per token ÷ drafting's, the median over "
    "prompts and repeats. predicted: from what passes cost, acceptance by position and the "
    "engine's own time, the other."
)


def bench(screen: Screen, session: Session, plan: Plan, to: JsonTarget | None) -> int:
    """Measure everything in ``plan``. Ctrl-C leaves what was measured until then."""
    if session.ready.draft is None:
        raise PairRefused(reason=session.ready.verdict.reason)
    results, partial = Results(plan), True
    try:
        _measure(_Progress(screen, session, plan), results)
        partial = False
    except (Interrupted, KeyboardInterrupt):
        screen.say("Stopped; this is what was measured until then.")
    finally:  # an error in the middle must not cost what was measured before
        if to:
            to.write(_as_json(session.ready, results, partial=partial))
    if not (to and to.to_stdout) and results.runs:
        _show(screen, results)
    return failures.INTERRUPTED if partial else failures.OK


def _measure(progress: _Progress, results: Results) -> None:
    progress.says("Timing both models")
    results.measure(progress.ask)
    repeat = 0
    for number, task in enumerate(results.plan.tasks()):
        if task.repeat != repeat:  # once more between the repeats: a machine drifts
            results.measure(progress.ask)
            repeat = task.repeat
        progress.begin(number, task)
        progress.end(results.run(task, progress.ask))
    progress.says("Timing both models again")
    results.measure(progress.ask)


class _Progress:
    """Asks the session, and says how far the benchmark is."""

    def __init__(self, screen: Screen, session: Session, plan: Plan) -> None:
        self._screen = screen
        self._session = session
        self._total = sum(1 for _task in plan.tasks())
        self._number = 0
        self._what = ""
        self._started = time.monotonic()

    def says(self, what: str) -> None:
        """Name what is being done."""
        self._what = what

    def begin(self, number: int, task: Task) -> None:
        """A run begins; ``number`` of them are over."""
        self._number = number
        self._what = f"{task.prompt.id}, γ {task.gamma}, T {task.temperature:g}"

    def end(self, run: Run) -> None:
        """A run is over. A pipe gets a line for each; a terminal has seen it."""
        if not self._screen.err.is_terminal:
            said = words.summary(run.figures, run.end)
            self._screen.say(f"{self._number + 1} of {self._total}: {self._what}: {said}")

    def ask(self, request: Request) -> Event:
        """The final event of ``request``. Raises Interrupted where Ctrl-C ended it early."""
        with self._session.ask(request) as asked:
            asked.ticker.show(self._line(""), at_once=True)
            for event in asked:
                if isinstance(event, Emitted):
                    asked.ticker.show(self._line(words.rate(event.figures)))
        if self._session.interrupted:
            raise Interrupted
        return event

    def _line(self, figures: str) -> str:
        left = ""
        if self._number:
            each = (time.monotonic() - self._started) / self._number
            left = f"{words.seconds(each * (self._total - self._number))} left"
        parts = (f"{self._number + 1} of {self._total}", self._what, figures, left)
        return " · ".join(part for part in parts if part)


def _show(screen: Screen, results: Results) -> None:
    rows = sorted(results.summary(), key=lambda row: (row["temperature"], row["kind"]))
    plain = {(row["temperature"], row["kind"]): row for row in rows if row["gamma"] == 0}
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for title in ("kind", "T", "plain", "γ", "drafting", "speed-up", "predicted", "accepted", "α"):
        table.add_column(title, justify="left" if title == "kind" else "right", no_wrap=True)
    for title in ("per round", "other"):
        table.add_column(title, justify="right", no_wrap=True)
    for row in rows if not results.plan.drafting else [row for row in rows if row["gamma"]]:
        table.add_row(*_cells(row, plain[row["temperature"], row["kind"]]))
    screen.out.print(table)
    screen.line(_LEGEND, "dim")


def _cells(row: dict[str, Any], plain: dict[str, Any]) -> list[Text | str]:
    start = [safe(row["kind"]), f"{row['temperature']:g}", f"{plain['tokens_per_second']:.1f}"]
    if row["gamma"] == 0:
        return [*start, "0", *[""] * 6, words.percent(row["other_share"])]
    gain, predicted = row["speed_up"], row["predicted_speed_up"]
    return [
        *start,
        f"{row['gamma']}",
        f"{row['tokens_per_second']:.1f}",
        Text(f"{gain:.2f}×", style="green" if gain > 1 else "yellow") if gain else "",
        f"{predicted:.2f}×" if predicted else "",
        words.percent(row["acceptance_rate"]),
        words.percent(row["alpha"]),
        f"{row['tokens_per_round']:.2f}",
        words.percent(row["other_share"]),
    ]


def _as_json(ready: Ready, results: Results, *, partial: bool) -> dict[str, Any]:
    plan = results.plan
    return {
        "foreword": __version__,
        "partial": partial,
        "machine": machine.describe()
        | {"devices": list(ready.devices), "threads": ready.threads, "llama_cpp": _llama_cpp()},
        "pair": pair(ready),
        "plan": {
            "gammas": [0, *plan.drafting],
            "temperatures": list(plan.temperatures),
            "max_tokens": plan.max_tokens,
            "repeats": plan.repeats,
            "seed": plan.seed,
            "rule": plan.rule,
        },
        "costs": results.costs_as_dict(),
        "runs": [run.as_dict() for run in results.runs],
        "summary": results.summary(),
    }


def _llama_cpp() -> str:
    """The version of the binding, which names the llama.cpp source that it carries."""
    try:
        return f"llama-cpp-python {version('llama-cpp-python')}"
    except PackageNotFoundError:
        return "unknown"
