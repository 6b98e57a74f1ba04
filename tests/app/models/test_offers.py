"""What of the catalogue can be fetched, as things to download."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from app.models import offers
from app.models.fetches import pair_in
from app.pairs import Pair
from engine.machine import this_machine
from engine.models.catalogue import CataloguePair, catalogue
from engine.models.downloads import State
from engine.models.local import LocalModel
from tests.app.models.conftest import lying_in, standing


@pytest.mark.parametrize("pair", catalogue(), ids=lambda p: f"{p.target.key} {p.draft.key}")
def test_what_comes_of_every_pair_is_its_target_and_its_draft(pair: CataloguePair) -> None:
    item = offers.pair_item(pair)
    paths = tuple(Path(file.name) for file in item.files)
    came = standing(item, State.DONE, paths)
    draft = pair.draft.files[0].name.rpartition("/")[2]
    assert pair_in(came) == Pair(paths[0], Path(draft))


@pytest.mark.parametrize("pair", catalogue(), ids=lambda p: f"{p.target.key} {p.draft.key}")
def test_a_second_source_changes_nothing_else(pair: CataloguePair) -> None:
    files = {file.name: file for file in offers.pair_item(pair).files}
    for model in (pair.target, pair.draft):
        for known in model.files:
            file = files[known.name.rpartition("/")[2]]
            assert (file.revision or None, file.size) == (model.revision, known.size)


def test_a_pair_that_another_program_has_need_not_be_fetched(tmp_path: Path) -> None:
    pair = offers.starter_pair()
    there = lying_in(tmp_path / "theirs", pair)
    machine = replace(this_machine(tmp_path), disk=0)

    def missing(models: list[LocalModel]) -> int:
        found = offers.offers(machine, tmp_path, 4096, models)
        return next(each.disk for each in found if each.pair == pair)

    assert offers.pairs_here(tmp_path) == {}
    assert missing([]) > pair.size
    assert offers.pairs_here(tmp_path, there) == {
        (pair.target.key, pair.draft.key): Pair(there[0].path, there[1].path)
    }
    assert missing(there) == 0


def test_files_of_another_size_are_no_pair_of_the_catalogue(tmp_path: Path) -> None:
    there = lying_in(tmp_path / "theirs", offers.starter_pair(), longer=1)
    assert offers.pairs_here(tmp_path, there) == {}


def test_the_starter_pair_has_a_second_source() -> None:
    assert all(file.packages for file in offers.pair_item(offers.starter_pair()).files)
