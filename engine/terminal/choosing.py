"""Which pair a command works with: the one named, or the starter pair, fetched if need be."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from engine.errors import PairRefused
from engine.models import starter
from engine.models.arriving import ModelFile
from engine.models.header import read_header
from engine.models.item import taken
from engine.pairing import verdict
from engine.terminal.failures import BadInput
from engine.terminal.fetching import agree, fetch_all
from engine.terminal.screen import Screen


@dataclass(frozen=True)
class Chosen:
    """Two files that were looked at and fit; ``draft`` None: plain. ``note``: why there is none."""

    target: Path
    draft: Path | None
    note: str = ""


def choose(
    screen: Screen,
    target: Path | None,
    draft: Path | None,
    folder: Path,
    *,
    needs_draft: bool,
) -> Chosen:
    """The pair to load, checked by its headers before anything is loaded.

    Raises:
        PairRefused: The draft that was named does not fit the target.
        BadInput: There is no pair, and none may be fetched.
        What `read_header` and `starter.fetch` raise.
    """
    if target is None:
        wanted = (starter.TARGET,) if draft else starter.STARTER_PAIR
        needed = starter.STARTER_PAIR if needs_draft else (starter.TARGET,)
        _have(screen, wanted, needed, folder)
        target = folder / starter.TARGET.name
    ours = _is_same(target, folder / starter.TARGET.name)
    if draft is None and ours and starter.installed(starter.DRAFT, folder):
        draft = folder / starter.DRAFT.name
    if draft is None:
        read_header(target)
        return _without(target, folder, needs_draft=needs_draft)
    _check(target, draft)
    return Chosen(target, draft)


def _is_same(one: Path, other: Path) -> bool:
    with suppress(OSError):
        return one.samefile(other)
    return False


def _have(
    screen: Screen,
    wanted: Sequence[ModelFile],
    needed: Sequence[ModelFile],
    folder: Path,
) -> None:
    """Fetch what is missing of ``wanted``, or at least have what is ``needed``."""
    missing = [
        file
        for file in wanted
        if not starter.installed(file, folder)
        and (file in needed or taken((file,), folder) is None)  # else it goes without
    ]
    if not missing:
        return
    if agree(screen, missing, folder, sure=False):
        fetch_all(screen, missing, folder)
    elif any(file in needed for file in missing):
        raise BadInput(
            "There is no model to work with. Name one with --target FILE, or run "
            "`foreword models fetch` when you like."
        )


def _without(target: Path, folder: Path, *, needs_draft: bool) -> Chosen:
    hint = "Name one with --draft FILE."
    if (spare := starter.installed(starter.DRAFT, folder)) and _fits(target, spare):
        hint = f"The starter pair's would fit: --draft {spare}"
    if needs_draft:
        raise BadInput(f"This command needs a draft for {target.name}. {hint}")
    return Chosen(target, None, f"Without a draft {target.name} writes plainly. {hint}")


def _fits(target: Path, draft: Path) -> bool:
    return verdict(read_header(target).vocabulary(), read_header(draft).vocabulary()).ok


def _check(target: Path, draft: Path) -> None:
    ruling = verdict(read_header(target).vocabulary(), read_header(draft).vocabulary())
    if not ruling.ok:
        raise PairRefused(reason=ruling.reason)
