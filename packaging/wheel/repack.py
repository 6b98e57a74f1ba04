"""Takes out of a freshly built wheel what nothing here needs, and puts the rest in its place.

llama.cpp's own install step leaves a second copy of every library in ``lib``, headers in
``include``, and modules that are loaded at run time in ``bin``: all three would lie loose in
site-packages. The binding looks in ``llama_cpp/lib`` alone.
"""

from __future__ import annotations

import base64
import hashlib
import os
import zipfile
from pathlib import Path

LIBRARIES = "llama_cpp/lib/"
_MODULE_ENDINGS = (".so", ".dll", ".dylib")


def repack(wheel: Path) -> None:
    """Rewrite ``wheel`` in place, with a RECORD that fits. The same wheel gives the same bytes."""
    rewritten = wheel.with_name(f".{wheel.name}")
    with zipfile.ZipFile(wheel) as old, zipfile.ZipFile(rewritten, "w") as new:
        lines = []
        members = old.infolist()
        kept = {name: member for member in members if (name := place(member.filename))}
        for name, member in sorted(kept.items()):
            if name.endswith("/RECORD"):
                continue
            content = old.read(member)
            _write(new, name, content, member)
            lines.append(f"{name},{_digest(content)},{len(content)}\n")
        record = next(member for member in members if member.filename.endswith("/RECORD"))
        lines.append(f"{record.filename},,\n")
        _write(new, record.filename, "".join(lines).encode(), record)
    os.replace(rewritten, wheel)


def place(name: str) -> str | None:
    """Where a member of the wheel belongs; None where it is left out."""
    folder, _, file = name.rpartition("/")
    if folder == "bin" and file.endswith(_MODULE_ENDINGS):
        return LIBRARIES + file
    return None if name.startswith(("bin/", "lib/", "include/")) else name


def _write(wheel: zipfile.ZipFile, name: str, content: bytes, like: zipfile.ZipInfo) -> None:
    member = zipfile.ZipInfo(name, like.date_time)
    member.external_attr = like.external_attr
    member.compress_type = zipfile.ZIP_DEFLATED
    wheel.writestr(member, content)


def _digest(content: bytes) -> str:
    found = base64.urlsafe_b64encode(hashlib.sha256(content).digest())
    return f"sha256={found.rstrip(b'=').decode()}"
