"""What was committed is soon on the disk itself, and the calling thread never waits for it."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from pathlib import Path

from app.history import Store, flusher


def wait_until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 2
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_commit_is_flushed_within_a_second_by_another_thread(path, monkeypatch) -> None:
    flushed: list[tuple[int, str]] = []

    def fsync(handle: int) -> None:
        flushed.append((os.fstat(handle).st_ino, threading.current_thread().name))

    monkeypatch.setattr(os, "fsync", fsync)
    with Store(path) as store:
        started = time.monotonic()
        store.create("Title")
        wait_until(lambda: bool(flushed))
        assert time.monotonic() - started < 1
        log = path.with_name(f"{path.name}-wal")
        assert flushed[0] == (log.stat().st_ino, "history-flusher")


def test_an_idle_log_is_brought_over_into_the_file(path, monkeypatch) -> None:
    monkeypatch.setattr(flusher.Flusher.__init__, "__defaults__", (0.01, 0.05))
    with Store(path) as store:
        store.create("In the file itself")
        wait_until(lambda: b"In the file itself" in path.read_bytes())


def test_a_missing_log_ends_nothing(path, monkeypatch) -> None:
    monkeypatch.setattr(flusher.Flusher.__init__, "__defaults__", (0.01, 0.02))
    with Store(path) as store:
        store._database._flusher._log = Path("/nowhere/at/all")
        for number in range(5):
            store.create(str(number))
            time.sleep(0.02)
        assert store._database._flusher._thread.is_alive()


def test_closing_does_not_wait_for_a_pause(path) -> None:
    store = Store(path)
    store.create("Title")
    time.sleep(0.05)
    started = time.monotonic()
    store.close()
    assert time.monotonic() - started < flusher.PAUSE
    assert not path.with_name(f"{path.name}-wal").exists()
