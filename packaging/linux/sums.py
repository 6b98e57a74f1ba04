"""The checksums of the packages in a folder, as ``sha256sum --check`` reads them."""

from __future__ import annotations

import hashlib
from pathlib import Path

NAME = "SHA256SUMS"


def write(folder: Path) -> None:
    """Write ``SHA256SUMS`` for every other file in ``folder``, in place of an earlier one."""
    lines = []
    for path in sorted(folder.iterdir()):
        if path.is_file() and path.name != NAME:
            with path.open("rb") as file:
                lines.append(f"{hashlib.file_digest(file, 'sha256').hexdigest()}  {path.name}\n")
    (folder / NAME).write_text("".join(lines), encoding="utf-8", newline="\n")
