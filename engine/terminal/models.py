"""``foreword models list`` and ``check``: what is on this machine, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.table import Table

from engine.models import download, local, starter
from engine.models.arriving import ModelFile, size_in_words
from engine.models.local import LocalModel
from engine.models.remembered import Remembered
from engine.models.stores import Origin
from engine.settings import Settings, models_folder
from engine.terminal import failures, naming, rows, unfinished
from engine.terminal.screen import JsonTarget, Screen

KNOWN = (*starter.STARTER_PAIR, starter.SMALL)


@dataclass(frozen=True)
class Listed:
    """A starter file, there or not.

    Attributes:
        name: Of the file.
        title: Of the model.
        role: "target", "draft" or "test".
        size: In bytes, of the whole file.
        path: Where it lies or would lie.
        ok: Whether it can be used.
        reason: Why not.
        here: Bytes that are on the disk.
    """

    name: str
    title: str
    role: str
    size: int
    path: str
    ok: bool
    reason: str
    here: int


def show(screen: Screen, settings: Settings, to: JsonTarget | None) -> int:
    """List the starter files, there or not, every model here, and what downloads left, as a table
    or as JSON."""
    folder = models_folder(settings)
    known = [_known(file, folder) for file in KNOWN]
    found = rows.scan(screen, settings)
    paths = {row.path for row in known}
    others = [model for model in found.models if str(model.path) not in paths]
    left = unfinished.left(folder)
    if to:
        listed = [asdict(row) for row in known]
        listed += [{"role": "", "here": model.size, **rows.as_json(model)} for model in others]
        coming = [unfinished.as_json(each) for each in left]
        told = {"folder": str(folder), "models": listed, "unfinished": coming}
        to.write({**told, "notes": list(found.notes)})
        return failures.OK
    table = Table(box=None, pad_edge=False, header_style="bold")
    for title in ("model", "for", "size", "state", "name"):
        table.add_column(title, justify="right" if title == "size" else "left", overflow="fold")
    for row in known:
        _add(table, row.title, row.role, row.size, row.reason or "installed", row.name, ok=row.ok)
    for model in others:
        _add(table, *_cells(model), ok=model.ok)
    screen.out.print(f"Models in {folder}", markup=False, highlight=False, soft_wrap=True)
    screen.out.print(table)
    for each in left:
        screen.line(unfinished.in_words(each), "dim")
    if not all(row.ok for row in known if row.role in ("target", "draft")):
        screen.line("`foreword models fetch` brings the starter pair.", "dim")
    return failures.OK


def check(screen: Screen, named: Sequence[Path], settings: Settings, to: JsonTarget | None) -> int:
    """Look at each file, or the model here of that name: can a whole model chat, and if not, why?

    Raises NoSuchModel and AmbiguousModel.
    """
    files = [naming.file(each, settings) for each in named]
    memory = Remembered(local.cache_file())
    models = [local.check_file(path, memory=memory) for path in files]
    memory.save()
    if to:
        pairs = zip(models, files, strict=True)
        to.write([rows.as_json(model, path) for model, path in pairs])
    else:
        for model, path in zip(models, files, strict=True):
            said = model.problem or f"{path} is ok: {rows.in_words(model)}"
            screen.line(said, "" if model.ok else "red")
    return failures.OK if all(model.ok for model in models) else failures.BAD_INPUT


def _known(file: ModelFile, folder: Path) -> Listed:
    here = file.size - download.missing(file, folder)
    ok = starter.installed(file, folder) is not None
    reason = "" if ok else "not fetched yet"
    if 0 < here < file.size:
        reason = f"{100 * here // file.size} % fetched"
    path = str(folder / file.name)
    return Listed(file.name, file.title, file.role, file.size, path, ok, reason, here)


def _cells(model: LocalModel) -> tuple[str, str, int, str, str]:
    whose = "yours" if model.origin in (Origin.OURS, Origin.ADDED) else str(model.origin)
    return model.title, whose, model.size, model.reason or "ok", rows.name(model)


def _add(
    table: Table, title: str, whose: str, size: int, state: str, name: str, *, ok: bool
) -> None:
    cells = (title, whose, size_in_words(size), state, name)
    table.add_row(*map(rows.cell, cells), style="" if ok else "dim")
