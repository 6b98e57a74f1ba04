"""Takes a download that stands still to another folder, with what has come of it."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

from engine.models.arriving import disk_errors
from engine.models.download import check_room, installed, missing
from engine.models.item import Item, lay_before, place, write_note


def move(item: Item, old: Path, new: Path) -> bool:
    """Move every byte of ``item`` from ``old`` to ``new``. Takes as long as the disks do.

    It goes to where a download to ``new`` puts it; False where it lies there already. Raises
    NoSpace, FolderNotWritable: What is not moved yet stays where it is.
    """
    new = place(item, new)
    if new.resolve() == old.resolve():
        return False
    check_room(new, item.size)
    with disk_errors(new):
        write_note(item, new, time.time(), before=lay_before(item, old))
        for file in item.files:
            names = [f"{file.name}.part"]
            if installed(file, old):  # another file of its name is somebody's own
                names.append(file.name)
            for name in names:
                came, goal = old / name, new / name
                if came.is_file() and not goal.exists() and missing(file, new):
                    shutil.move(came, goal)
    return True
