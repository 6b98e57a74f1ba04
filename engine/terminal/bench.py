"""``foreword bench``: the benchmark's progress, its table and its JSON."""

from __future__ import annotations

import time
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from rich.table import Table
from rich.text import Text

from engine import __version__, machine
from engine.bench import Plan, Results, Run, Task
from engine.duel import Duel
from engine.errors import BadPrompts, ForewordError, PairRefused
from engine.peer import PeerReply
from engine.protocol import Count, Counted, Emitted, Event, Ready, Request
from engine.terminal import failures, words
from engine.terminal.compare import pair
from engine.terminal.failures import Interrupted, RequestFailed
from engine.terminal.screen import JsonTarget, Screen, redraws, safe
from engine.terminal.session import Session, Ticker

_LEGEND = (
    "plain and drafting: tokens/s. speed-up: plain time per token ÷ drafting's, the median over "
    "prompts and repeats. predicted: from what passes cost, acceptance by position and the "
    "engine's own time, the other."
)
_SINGLE = (
    "A speed-up of a single run has no spread: another run may differ by several per cent. "
    "--repeats 5 takes the median of five."
)

_PEER_LEGEND = (
    "ours and peer: tokens/s of the same replies, written in turns with the same files, threads, "
    "draft length and sampling. ours ÷ peer: the median over prompts and repeats, and its range."
)


def check_prompts(session: Session, plan: Plan, source: Path) -> None:
    """Raise BadPrompts for the first row of ``source`` that the context does not hold.

    Raises Interrupted where Ctrl-C ended the look at them.
    """
    for row, prompt in enumerate(plan.prompts, start=1):
        with session.ask(Count(prompt.messages)) as asked:
            *_others, counted = asked
        if session.interrupted:
            raise Interrupted
        assert isinstance(counted, Counted)
        if counted.tokens >= counted.limit:
            reason = f"it is {counted.tokens:,} tokens long and the context holds {counted.limit:,}"
            raise BadPrompts(path=source, place=f"row {row} ({prompt.id})", reason=reason)


def bench(
    screen: Screen, session: Session, plan: Plan, to: JsonTarget | None, duel: Duel | None = None
) -> int:
    """Measure everything in ``plan``, and against a peer where there is a ``duel``.

    Ctrl-C leaves what was measured until then.
    """
    if session.ready.draft is None:
        raise PairRefused(reason=session.ready.verdict.reason)
    results, code = Results(plan), failures.FAILED
    try:
        _measure(_Progress(screen, session, plan), results, duel)
        code = failures.OK
    except (Interrupted, KeyboardInterrupt):
        screen.say("Stopped; this is what was measured until then.")
        code = failures.INTERRUPTED
    except (ForewordError, RequestFailed) as error:
        code = failures.explain(screen, error)
    finally:  # an error in the middle must not cost what was measured before
        try:
            if not (to and to.to_stdout) and results.runs:
                _show(screen, results, duel)
        finally:  # and where one of the two cannot be written, there is the other
            if to:
                to.write(_as_json(session.ready, results, duel, partial=code != failures.OK))
    return code


def _measure(progress: _Progress, results: Results, duel: Duel | None) -> None:
    progress.says("Timing both models")
    results.measure(progress.ask)
    repeat = 0
    for number, task in enumerate(results.plan.tasks()):
        if task.repeat != repeat:  # once more between the repeats: a machine drifts
            results.measure(progress.ask)
            repeat = task.repeat
        progress.begin(number, task)
        _run(progress, results, task, duel, peer_first=number % 2 == 1)
    progress.says("Timing both models again")
    results.measure(progress.ask)


def _run(
    progress: _Progress, results: Results, task: Task, duel: Duel | None, *, peer_first: bool
) -> None:
    """One run, and the peer's of the same reply before or after it: never both at once."""
    if duel is None or not duel.includes(task):
        progress.end(run := results.run(task, progress.ask))
        if duel:
            duel.ran(run)
        return
    theirs = progress.peer(results.plan, task, duel) if peer_first else None
    progress.end(run := results.run(task, progress.ask))
    duel.ran(run)
    duel.keep(run, theirs or progress.peer(results.plan, task, duel))


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
        if not redraws(self._screen.err):
            said = words.summary(run.figures, run.end)
            self._screen.say(f"{self._number + 1} of {self._total}: {self._what}: {said}")

    def peer(self, plan: Plan, task: Task, duel: Duel) -> PeerReply:
        """The peer's turn at this run."""
        ticker = Ticker(self._screen)
        ticker.show(self._line(duel.program.name), at_once=True)
        try:
            return duel.write(task, plan.seed_of(task), plan.max_tokens, self.ask)
        finally:
            ticker.clear()

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


def _show(screen: Screen, results: Results, duel: Duel | None) -> None:
    rows = sorted(results.summary(), key=lambda row: (row["temperature"], row["kind"]))
    plain = {(row["temperature"], row["kind"]): row for row in rows if row["gamma"] == 0}
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for title in ("kind", "T", "plain", "γ", "drafting", "speed-up", "predicted", "accepted", "α"):
        table.add_column(title, justify="left" if title == "kind" else "right", no_wrap=True)
    for title in ("per round", "other"):
        table.add_column(title, justify="right", no_wrap=True)
    drafted = [row for row in rows if row["gamma"]]
    for row in drafted or rows:
        table.add_row(*_cells(row, plain[row["temperature"], row["kind"]]))
    screen.out.print(table)
    screen.line(_LEGEND, "dim")
    if drafted and any(row["runs"] == 1 for row in rows):
        screen.line(_SINGLE, "yellow")
    if duel and duel.matches:
        _show_duel(screen, duel)


def _show_duel(screen: Screen, duel: Duel) -> None:
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for title in ("kind", "T", "γ", "ours", "peer", "ours ÷ peer", "from", "to", "replies"):
        table.add_column(title, justify="left" if title == "kind" else "right", no_wrap=True)
    for row in duel.summary():
        table.add_row(
            safe(row["kind"]),
            f"{row['temperature']:g}",
            f"{row['gamma']}",
            f"{row['tokens_per_second']:.1f}",
            f"{row['peer_tokens_per_second']:.1f}",
            Text(f"{row['ratio']:.2f}", style="green" if row["ratio"] > 1 else "yellow"),
            f"{row['ratio_low']:.2f}",
            f"{row['ratio_high']:.2f}",
            f"{row['matches']}",
        )
    screen.line()
    screen.out.print(table)
    screen.line(_PEER_LEGEND, "dim")


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


def _as_json(ready: Ready, results: Results, duel: Duel | None, *, partial: bool) -> dict[str, Any]:
    plan = results.plan
    peer = (
        {
            "program": str(duel.program),
            "matches": [match.as_dict() for match in duel.matches],
            "summary": duel.summary(),
        }
        if duel
        else None
    )
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
        "peer": peer,
    }


def _llama_cpp() -> str:
    """The version of the binding, which names the llama.cpp source that it carries."""
    try:
        return f"llama-cpp-python {version('llama-cpp-python')}"
    except PackageNotFoundError:
        return "unknown"
