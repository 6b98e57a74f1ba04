"""What sections make of what the tuner and the benchmark tell; the measuring itself is not run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.performance import server, tuned
from tests.performance.bench import Bench, NotMeasured
from tests.performance.data import Result, Table
from tests.performance.tuned import EVERYDAY


@dataclass(frozen=True)
class Told(Bench):
    """A bench whose commands answer what they are given, in turn."""

    answers: tuple[Any, ...] = ()

    def foreword(self, *arguments: object) -> dict[str, Any]:
        asked.append(arguments)
        answer = self.answers[min(len(asked), len(self.answers)) - 1]
        if isinstance(answer, Exception):
            raise answer
        return answer


asked: list[tuple[object, ...]] = []


@pytest.fixture(autouse=True)
def nothing_asked() -> None:
    asked.clear()


def bench(*answers: Any) -> Told:
    class Programs:
        folder = Path("peer")

    here = Path("x")
    return Told(here, here, here, Programs(), answers=answers)  # type: ignore[arg-type]


def curve(kind: str, gamma: int, temperature: float = 0.0) -> dict[str, Any]:
    band = [1.0, 1.1, 1.2]
    return {
        "kind": kind, "temperature": temperature, "gamma": gamma, "survival": [0.9, 0.8],
        "speed_up": band, "low": band, "high": band,
    }  # fmt: skip


def point(kind: str, gamma: int, measured: float, temperature: float = 0.0) -> dict[str, Any]:
    return {"kind": kind, "gamma": gamma, "measured": measured, "temperature": temperature}


RECORD = {
    "recommended": {"gamma": 1},
    "curves": [curve("code", 2), curve("story", 1), curve(EVERYDAY, 1), curve("code", 0, 0.7)],
    "sweep": [
        point("code", 0, 1.0), point("code", 1, 1.2), point("code", 2, 1.5),
        point("story", 0, 1.0), point("story", 1, 0.9), point("story", 2, 0.5),
        point("code", 1, 9.0, temperature=0.7),
    ],
}  # fmt: skip


def told(told: Any) -> tuple[dict[str, Result], dict[str, Table]]:
    every = list(told)
    results = {each.measure: each for each in every if isinstance(each, Result)}
    return results, {each.name: each for each in every if isinstance(each, Table)}


def test_the_tuners_choice_is_held_against_every_gamma_kind_by_kind() -> None:
    results, tables = told(tuned.choice(bench(RECORD)))
    assert "--exhaustive" in asked[0]
    assert results["code: the tuner's γ ÷ the best γ"].samples == [1.0]
    assert results["story: the tuner's γ ÷ the best γ"].samples == pytest.approx([0.9])
    # All together, each writing as many tokens: their times add up, not their speeds.
    everyday = {0: 1.0, 1: 2 / (1 / 1.2 + 1 / 0.9), 2: 2 / (1 / 1.5 + 1 / 0.5)}
    expected = everyday[1] / max(everyday.values())
    assert results["everyday use: the tuner's γ ÷ the best γ"].samples == [pytest.approx(expected)]
    assert tables["survival"].where(kind="code", temperature=0.7)[0]["chance"] == 0.9
    assert {row["kind"] for row in tables["predicted"]} == {"code", "story", EVERYDAY}


def test_a_busy_moment_is_given_a_second_chance_and_no_third() -> None:
    busy = NotMeasured("busy")
    assert told(tuned.choice(bench(busy, RECORD)))[0]
    asked.clear()
    with pytest.raises(NotMeasured):
        told(tuned.choice(bench(busy, busy, RECORD)))


def test_replies_of_all_kinds_count_against_the_server_and_its_acceptance_is_kept() -> None:
    def match(kind: str, temperature: float, ratio: float) -> dict[str, Any]:
        return {
            "kind": kind, "temperature": temperature, "ratio": ratio,
            "peer_accepted": 30, "peer_drafted": 60,
        }  # fmt: skip

    row = {
        "kind": "code", "temperature": 0.8, "ratio": 1.3, "ratio_low": 1.2, "ratio_high": 1.4,
        "matches": 2, "tokens_per_second": 20.0, "peer_tokens_per_second": 15.0,
    }  # fmt: skip
    summary = {"gamma": 3, "kind": "code", "temperature": 0.8, "acceptance_rate": 0.8}
    answer = {
        "peer": {
            "matches": [match("code", 0.8, 1.2), match("code", 0.8, 1.4), match("code", 0.0, 1.0)],
            "summary": [row],
        },
        "summary": [summary, summary | {"gamma": 0, "acceptance_rate": None}],
    }
    results, tables = told(server.server(bench(answer)))
    assert results["γ = 3, T = 0.8: ours ÷ llama-server"].samples == [1.2, 1.4]
    assert results["γ = 3, T = 0.8: ours ÷ llama-server"].at_least == 1.25
    assert results["γ = 3, T = 0: ours ÷ llama-server"].samples == [1.0]
    (kept,) = tables["acceptance"]
    assert (kept["acceptance_rate"], kept["peer_acceptance_rate"]) == (0.8, 0.5)


def test_an_added_layer_changes_nothing(tmp_path: Path) -> None:
    from engine.llama.context import Context, ContextOptions
    from engine.llama.model import Model
    from tests.performance.inflate import inflate
    from tests.support.tiny_models import Tiny, write_tiny

    source = write_tiny(tmp_path / "a.gguf", Tiny())
    heavy = inflate(source, tmp_path / "b.gguf", 6)
    rows = []
    for path in (source, heavy):
        with Model.load(path) as model, Context(model, ContextOptions(n_ctx=256)) as context:
            context.decode([7, 8, 9], outputs=1)
            rows.append((model.layers, context.row(0).tobytes()))
    assert [layers for layers, _row in rows] == [2, 6]
    assert rows[0][1] == rows[1][1]
