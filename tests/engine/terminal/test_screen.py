"""Where words go, and whether they can."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from engine.terminal.failures import BadInput
from engine.terminal.screen import JsonTarget
from tests.support.disks import closed


def test_a_folder_that_may_not_be_entered_takes_no_json_and_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_arguments: object, **_options: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with closed(tmp_path), pytest.raises(BadInput, match=r"cannot be written \(Permission denied"):
        JsonTarget(str(tmp_path / "x.json")).check()
