"""Which model at hand is offered as the target, before anybody has chosen one."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.machine import Machine
from engine.models.handiest import best_target
from engine.models.local import LocalModel
from engine.models.stores import Origin

GB = 10**9
COMPUTER = Machine(16 * GB, 10 * GB, 8, 100 * GB)  # reads 40 GB of weights a second


def model(name: str, size: int, problem: str = "") -> LocalModel:
    path = Path(f"/models/{name}.gguf")
    return LocalModel(path, (path,), name, Origin.OURS, size, None, problem=problem)


DRAFT, SMALL, MIDDLE, LARGE = (
    model(name, size)
    for name, size in (("draft", GB // 2), ("small", 2 * GB), ("middle", 5 * GB), ("large", 9 * GB))
)
EVERY = (DRAFT, SMALL, MIDDLE, LARGE)


@pytest.mark.parametrize(
    ("room", "with_draft", "expected"),
    [
        (12, {"small", "middle", "large"}, MIDDLE),  # the large one would crawl
        (12, {"large"}, LARGE),  # better slow with a draft than alone
        (12, set(), MIDDLE),
        (5.2, {"small", "middle"}, SMALL),  # the middle one fits, but not with its draft
        (0.1, {"small"}, DRAFT),  # nothing fits: the smallest
    ],
)
def test_the_best_that_fits_with_a_draft_is_taken(
    room: float, with_draft: set[str], expected: LocalModel
) -> None:
    found = best_target(
        EVERY,
        COMPUTER,
        fits=lambda size: size <= room * GB,
        best_draft=lambda target: DRAFT if target.name in with_draft else None,
    )
    assert found == expected


def test_what_cannot_be_used_is_never_taken() -> None:
    damaged = model("damaged", GB, "it is empty")
    found = best_target([damaged], COMPUTER, fits=lambda _size: True, best_draft=lambda _: None)
    assert found is None
