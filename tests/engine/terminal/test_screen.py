"""Where words go, and whether they can."""

from __future__ import annotations

import errno
import io
import json
import os
import threading
from pathlib import Path

import pytest
from rich.console import Console

from engine.terminal.failures import BadInput
from engine.terminal.screen import JsonTarget, Screen
from engine.terminal.session import Ticker
from tests.support.disks import closed


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_with_a_reader_gets_the_json(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    target = JsonTarget(str(pipe))
    target.check()
    writer = threading.Thread(target=target.write, args=({"a": 1},))
    writer.start()
    writer.join(5)
    os.close(os.open(pipe, os.O_RDONLY | os.O_NONBLOCK))  # lets a writer go that nobody reads
    for each in (writer, reader):
        each.join(5)
    assert json.loads(read[0]) == {"a": 1}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_that_may_not_be_written_is_said_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    monkeypatch.setattr(os, "access", lambda *_arguments: False)
    with pytest.raises(BadInput, match=r"cannot be written \(Permission denied\)"):
        JsonTarget(str(pipe)).check()
    os.close(reader)


def test_a_folder_that_may_not_be_entered_takes_no_json_and_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_arguments: object, **_options: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with closed(tmp_path), pytest.raises(BadInput, match=r"cannot be written \(Permission denied"):
        JsonTarget(str(tmp_path / "x.json")).check()


@pytest.mark.parametrize(("name", "is_dumb"), [("dumb", True), ("xterm", False)])
def test_a_terminal_that_obeys_no_codes_gets_none(name: str, is_dumb: bool) -> None:
    shown = io.StringIO()
    environment = {"TERM": name}
    console = Console(file=shown, force_terminal=True, width=20, _environ=environment)
    screen, text = Screen(console, console, interactive=True), "one two three fourfive six"
    assert screen.live is not is_dumb
    for word in text.split(" "):
        screen.stream(f"{word} ")
    assert ("\x1b" in shown.getvalue()) is not is_dumb
    if is_dumb:
        assert shown.getvalue().rstrip() == text
    ticker = Ticker(screen, patience=0.0)
    ticker.show("Reading the prompt 10 %", at_once=True)
    assert ("Reading" in shown.getvalue()) is not is_dumb
