"""``foreword models remove``: a model of the models folder, or what came of one, off the disk."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.errors import NoSuchModel, ShardComing
from engine.models.arriving import size_in_words
from engine.models.item import Unfinished
from engine.models.local import LocalModel
from engine.models.removing import check_ours, remove
from engine.settings import Settings, models_folder
from engine.terminal import failures, naming, rows, unfinished
from engine.terminal.failures import BadInput
from engine.terminal.screen import JsonTarget, Screen, safe


@dataclass(frozen=True)
class _Removable:
    """``name``, ``what``: for a program and a person; ``files``: of a model; ``go``: does it."""

    name: str
    what: str
    files: Sequence[Path]
    go: Callable[[], Sequence[Path]]


def take_away(
    screen: Screen, name: str, settings: Settings, to: JsonTarget | None, *, sure: bool
) -> int:
    """Ask, and delete the model's files; 1 where the user declines. ``to``: what became of it.

    Where no model is called so, but a download that is not finished, what came of that goes.

    Raises:
        NoSuchModel, AmbiguousModel: It is not clear which.
        NotOurs: It lies elsewhere.
        BadInput: Nobody can be asked, or something stays.
        FolderNotWritable: The disk refused.
    """
    found = _named(name, rows.scan(screen, settings).models, models_folder(settings))
    what = found.what
    if not sure and not screen.interactive:
        raise BadInput(f"This would delete {what}, and nobody is here to ask. Add --yes to do it.")
    if not sure and not screen.yes(f"Delete {safe(what)}?"):
        screen.say("Nothing was deleted.")
        _tell(to, found.name, found.files, deleted=False)
        return failures.FAILED
    gone = found.go()
    screen.say(f"Deleted {what}.")
    _tell(to, found.name, gone, deleted=True)
    return failures.OK


def _named(name: str, models: tuple[LocalModel, ...], folder: Path) -> _Removable:
    left = unfinished.left(folder)
    if name.casefold().endswith(unfinished.PART):  # no model is called so
        if (found := unfinished.called(name, left)) is None:
            raise NoSuchModel(name=name)
        return _came(found, left)
    try:
        model = naming.model(name, models)
    except NoSuchModel:
        found = unfinished.called(name, left)
        if found is None:
            raise
        return _came(found, left)
    if model.code == ShardComing.code:
        for each in left:
            if each.folder == model.path.parent and model.path.name in each.item.names:
                return _came(each, left)
    return _model(model, folder)


def _came(found: Unfinished, left: Sequence[Unfinished]) -> _Removable:
    what = f"what came of {found.item.title} ({unfinished.size_of(found)})"
    return _Removable(found.item.name, what, (), lambda: unfinished.take_away(found, left))


def _model(model: LocalModel, folder: Path) -> _Removable:
    check_ours(model, folder)
    listed = ", ".join(str(file) for file in model.files)

    def go() -> Sequence[Path]:
        remove(model, folder)
        return model.files

    what = f"{listed} ({size_in_words(model.size)})"
    return _Removable(rows.name(model), what, model.files, go)


def _tell(to: JsonTarget | None, name: str, files: Sequence[Path], *, deleted: bool) -> None:
    if to:
        to.write({"name": name, "deleted": deleted, "files": [str(file) for file in files]})
