"""Takes a download that stands still to another folder, with what has come of it."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

from engine.models.arriving import disk_errors
from engine.models.download import check_room, missing
from engine.models.item import Item, lay_before, place, write_note


def move(item: Item, old: Path, new: Path) -> None:
    """Move every byte of ``item`` from ``old`` to ``new``. Takes as long as the disks do.

    It goes to where a download to ``new`` puts it. Raises NoSpace, FolderNotWritable: What is not
    moved yet stays where it is.
    """
    new = place(item, new)
    check_room(new, item.size)
    with disk_errors(new):
        write_note(item, new, time.time(), before=lay_before(item, old))
        for file in item.files:
            for name in (f"{file.name}.part", file.name):
                came, goal = old / name, new / name
                if came.is_file() and not goal.exists() and missing(file, new):
                    shutil.move(came, goal)
