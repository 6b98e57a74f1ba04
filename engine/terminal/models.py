"""``foreword models list`` and ``check``: what is on this machine, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.table import Table

from engine.errors import AmbiguousModel, NoSuchModel
from engine.models import download, local, starter
from engine.models.arriving import ModelFile, size_in_words
from engine.models.called import told_apart
from engine.models.item import is_another
from engine.models.local import LocalModel
from engine.models.remembered import Remembered
from engine.models.stores import Origin
from engine.settings import Settings, models_folder
from engine.terminal import failures, naming, rows, unfinished
from engine.terminal.screen import JsonTarget, Screen, safe

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
    found = rows.scan(screen, settings)
    lying = {model.path: model for model in found.models}
    known = [_known(file, folder, lying) for file in KNOWN]
    shown = {folder / file.name for file in KNOWN if starter.installed(file, folder)}
    others = [model for model in found.models if model.path not in shown]
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
    names = told_apart(found.models)
    for model in others:
        _add(table, *_cells(model, names[model.path]), ok=model.ok)
    screen.out.print(safe(f"Models in {folder}"), markup=False, highlight=False, soft_wrap=True)
    screen.out.print(table)
    for each in left:
        screen.line(unfinished.in_words(each), "dim")
    if not all(starter.installed(file, folder) for file in starter.STARTER_PAIR):
        screen.line("`foreword models fetch` brings the starter pair.", "dim")
    return failures.OK


def check(screen: Screen, named: Sequence[Path], settings: Settings, to: JsonTarget | None) -> int:
    """Look at each file, or the model here of that name: a whole model that can chat? Else why?"""
    memory = Remembered(local.cache_file())
    looks = [_look_at(each, settings, memory) for each in named]
    memory.save()
    if to:
        to.write([rows.as_json(model, path) for model, path in looks])
    else:
        for model, path in looks:
            said = model.problem or f"{path} is ok: {rows.in_words(model)}"
            screen.line(said, "" if model.ok else "red")
    return failures.OK if all(model.ok for model, _path in looks) else failures.BAD_INPUT


def _look_at(named: Path, settings: Settings, memory: Remembered) -> tuple[LocalModel, Path]:
    """The model and its path; a name that is none or several's is a problem like any other."""
    try:
        path = naming.file(named, settings)
    except (NoSuchModel, AmbiguousModel) as error:
        name = str(named)
        return LocalModel(named, (), name, Origin.NAMED, 0, None, error.code, error.sentence), named
    return local.check_file(path, memory=memory), path


def _known(file: ModelFile, folder: Path, lying: Mapping[Path, LocalModel]) -> Listed:
    path = folder / file.name
    here = file.size - download.missing(file, folder)
    reason = f"{100 * here // file.size} % fetched" if here else "not fetched yet"
    if starter.installed(file, folder):
        reason = lying[path].reason if path in lying else ""
    elif is_another(file, folder):
        reason = "not fetched yet; another file has its name"
    ok = not reason
    return Listed(file.name, file.title, file.role, file.size, str(path), ok, reason, here)


def _cells(model: LocalModel, name: str) -> tuple[str, str, int, str, str]:
    whose = "yours" if model.origin in (Origin.OURS, Origin.ADDED) else str(model.origin)
    told = rows.name(model) if name == model.name else name
    return model.title, whose, model.size, model.reason or "ok", told


def _add(
    table: Table, title: str, whose: str, size: int, state: str, name: str, *, ok: bool
) -> None:
    cells = (title, whose, size_in_words(size), state, name)
    table.add_row(*map(rows.cell, cells), style="" if ok else "dim")
