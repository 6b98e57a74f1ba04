"""``foreword models remove``: a model of the models folder, off the disk."""

from __future__ import annotations

from engine.models.arriving import size_in_words
from engine.models.local import LocalModel
from engine.models.removing import check_ours, remove
from engine.settings import Settings, models_folder
from engine.terminal import failures, naming, rows
from engine.terminal.failures import BadInput
from engine.terminal.screen import JsonTarget, Screen


def take_away(
    screen: Screen, name: str, settings: Settings, to: JsonTarget | None, *, sure: bool
) -> int:
    """Ask, and delete the model's files; 1 where the user declines. ``to``: what became of it.

    Raises:
        NoSuchModel, AmbiguousModel: It is not clear which.
        NotOurs: It lies elsewhere.
        BadInput: Nobody can be asked.
        FolderNotWritable: The disk refused.
    """
    folder = models_folder(settings)
    model = naming.model(name, rows.scan(screen, settings).models)
    check_ours(model, folder)
    listed = ", ".join(str(file) for file in model.files)
    what = f"{listed} ({size_in_words(model.size)})"
    if not sure and not screen.interactive:
        raise BadInput(f"This would delete {what}, and nobody is here to ask. Add --yes to do it.")
    if not sure and not screen.yes(f"Delete {what}?"):
        screen.say("Nothing was deleted.")
        _tell(to, model, deleted=False)
        return failures.FAILED
    remove(model, folder)
    screen.say(f"Deleted {what}.")
    _tell(to, model, deleted=True)
    return failures.OK


def _tell(to: JsonTarget | None, model: LocalModel, *, deleted: bool) -> None:
    if to:
        files = [str(file) for file in model.files]
        to.write({"name": rows.name(model), "deleted": deleted, "files": files})
