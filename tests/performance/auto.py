"""Auto over the shipped prompts: does it ever end slower than plain decoding?"""

from __future__ import annotations

from collections.abc import Iterator

from engine.advice import Auto, outlook_of
from engine.client import Client
from engine.protocol import Chat, Done, Failed, Load, Options, Record, Tune, Tuned
from engine.stats import Figures
from tests.performance.bench import GREEDY, Bench, NotMeasured
from tests.performance.data import Result, Table

REPEATS = 3


def auto(bench: Bench) -> Iterator[Result | Table]:
    """Each repeat is a person who begins anew; tuning is done once and not counted."""
    rows, samples = [], []
    with Client() as client:
        for _event in client.request(Load(str(bench.target), str(bench.draft))):
            pass
        *_, tuned = client.request(Tune(GREEDY, quick=bench.is_quick))
        if isinstance(tuned, Failed):
            raise NotMeasured(tuned.sentence)
        assert isinstance(tuned, Tuned)
        for repeat in range(1 if bench.is_quick else REPEATS):
            told = list(_conversation(client, bench, tuned.tuning, repeat))
            rows += [[repeat, *row[:-2]] for row in told]
            plain, chosen = (sum(row[i] for row in told) for i in (-2, -1))
            samples.append(plain / chosen)
    measure = "Auto ÷ plain over the shipped prompts, tuning apart"
    yield Result(measure, samples, at_least=0.98)
    yield Table("replies", ["repeat", "prompt", "kind", "gamma", "speed_up"], rows)


def _conversation(
    client: Client, bench: Bench, record: Record, repeat: int
) -> Iterator[tuple[str, str, int, float, float, float]]:
    """One reply to each prompt both ways: its γ, speed-up, and seconds per token of both."""
    chooser = Auto(outlook_of(record, 0.0), record.gamma_at(0.0))
    rows = bench.rows[:3] if bench.is_quick else bench.rows
    for number, row in enumerate(rows):
        gamma = chooser.gamma
        figures = {}
        for each in (0, 1) if (number + repeat) % 2 else (1, 0):
            options = Options(
                gamma=gamma if each else 0, sampling=GREEDY, seed=1, max_tokens=bench.tokens(64)
            )
            *_, done = client.request(Chat(row.messages, options, fresh=True))
            assert isinstance(done, Done)
            figures[each] = done.figures
        chooser.learn(figures[1])
        plain, chosen = _seconds(figures[0]), _seconds(figures[1])
        yield row.id, row.kind, gamma, plain / chosen, plain, chosen


def _seconds(figures: Figures) -> float:
    """Seconds of a token."""
    return figures.seconds / max(figures.tokens, 1)
