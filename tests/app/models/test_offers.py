"""What of the catalogue can be fetched, as things to download."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.models import offers
from app.models.fetches import pair_in
from app.pairs import Pair
from engine.models.arriving import Doing
from engine.models.catalogue import CataloguePair, catalogue
from engine.models.downloads import State, Status


@pytest.mark.parametrize("pair", catalogue(), ids=lambda p: f"{p.target.key} {p.draft.key}")
def test_what_comes_of_every_pair_is_its_target_and_its_draft(pair: CataloguePair) -> None:
    item = offers.pair_item(pair)
    paths = tuple(Path(file.name) for file in item.files)
    came = Status(
        key="1",
        title=item.title,
        state=State.DONE,
        done=item.size,
        total=item.size,
        speed=0.0,
        seconds_left=None,
        doing=Doing.FETCHING,
        source="",
        error=None,
        item=item,
        folder=Path(),
        paths=paths,
    )
    draft = pair.draft.files[0].name.rpartition("/")[2]
    assert pair_in(came) == Pair(paths[0], Path(draft))


@pytest.mark.parametrize("pair", catalogue(), ids=lambda p: f"{p.target.key} {p.draft.key}")
def test_a_second_source_changes_nothing_else(pair: CataloguePair) -> None:
    files = {file.name: file for file in offers.pair_item(pair).files}
    for model in (pair.target, pair.draft):
        for known in model.files:
            file = files[known.name.rpartition("/")[2]]
            assert (file.revision or None, file.size) == (model.revision, known.size)


def test_the_starter_pair_has_a_second_source() -> None:
    assert all(file.packages for file in offers.pair_item(offers.starter_pair()).files)
