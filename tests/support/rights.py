"""A moment without the rights of a user whom nothing is forbidden to."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

_NOBODY = 65534


@contextmanager
def without_rights() -> Iterator[None]:
    """As a user whom file permissions stop; root they do not."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(_NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


@contextmanager
def unreadable(name: str, content: str) -> Iterator[Path]:
    """A file that cannot be read, in a folder that anyone may write to; for a block without rights.
    Afterwards it holds ``content`` still."""
    with TemporaryDirectory() as folder:
        Path(folder).chmod(0o777)
        path = Path(folder) / name
        path.write_text(content)
        path.chmod(0)
        with without_rights():
            yield path
        path.chmod(0o600)
        assert path.read_text() == content
