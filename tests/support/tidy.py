"""A test must leave nothing behind: no unexpected log record, no thread, no child process.

``tests/conftest.py`` takes these fixtures in, so they watch every test. (Exceptions that nobody
could catch, in a finaliser or a thread, are pytest's own warnings, and warnings are errors here.)
"""

from __future__ import annotations

import logging
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

OUR_LOGGERS = ("engine", "app")
# Threads and processes may need a moment to end after they were told to.
GRACE_SECONDS = 2.0
# Names of threads that outlive a test by design: libraries keep them for the whole process.
LIBRARY_THREADS = re.compile(r"Dummy-\d+|tqdm|pytest|asyncio_\d+|ThreadPoolExecutor-hf")

ExpectLog = Callable[[str], None]
"""Called with a regular expression, inside a test that provokes a warning or error record."""


class _Records(logging.Handler):
    """Keeps every record of a level that a person would be troubled with."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(f"{record.levelname} {record.name}: {record.getMessage()}")


@pytest.fixture(autouse=True)
def expect_log() -> Iterator[ExpectLog]:
    """Fails the test on any WARNING or worse from our loggers that it did not announce.

    A test that provokes one says so first: ``expect_log("the worker died")``; the expression is
    searched in "LEVEL logger: message". An announced record that never comes is a failure too.
    """
    handler = _Records()
    expected: list[str] = []
    loggers = [logging.getLogger(name) for name in OUR_LOGGERS]
    for logger in loggers:
        logger.addHandler(handler)
    yield expected.append
    for logger in loggers:
        logger.removeHandler(handler)
    surprises = [line for line in handler.lines if not _matches_any(expected, line)]
    silent = [wanted for wanted in expected if not any(re.search(wanted, x) for x in handler.lines)]
    if surprises:
        pytest.fail("unexpected log records:\n" + "\n".join(surprises), pytrace=False)
    if silent:
        pytest.fail(f"announced log records that never came: {silent}", pytrace=False)


def _matches_any(patterns: list[str], line: str) -> bool:
    return any(re.search(pattern, line) for pattern in patterns)


@pytest.fixture(autouse=True)
def no_leaks() -> Iterator[None]:
    """Fails the test if a thread or a child process that it started is still there after it."""
    threads = set(threading.enumerate())
    children = _children()
    yield
    threads_left = _wait_until_none(lambda: _new_threads(threads))
    if threads_left:
        pytest.fail(f"threads left running: {sorted(threads_left)}", pytrace=False)
    children_left = _wait_until_none(lambda: _new_children(children))
    if children_left:
        pytest.fail(f"child processes left behind: {children_left}", pytrace=False)


def _new_threads(before: set[threading.Thread]) -> list[str]:
    alive = (thread for thread in threading.enumerate() if thread not in before)
    return [thread.name for thread in alive if not LIBRARY_THREADS.match(thread.name)]


def _children() -> set[int]:
    """Our child processes. Linux lists them thread by thread; psutil looks at every process."""
    lists = list(Path("/proc/self/task").glob("*/children"))
    if not lists:
        return {child.pid for child in psutil.Process().children()}
    found = set()
    for each in lists:
        with suppress(OSError):  # a thread that has just ended
            found.update(map(int, each.read_text().split()))
    return found


def _new_children(before: set[int]) -> list[str]:
    found = []
    for pid in _children() - before:
        try:
            child = psutil.Process(pid)
            found.append(f"{pid} {child.status()} {' '.join(child.cmdline())}".strip())
        except psutil.Error:  # it ended while we looked, or may not be looked at
            continue
    return found


def _wait_until_none(look: Callable[[], list[str]]) -> list[str]:
    deadline = time.monotonic() + GRACE_SECONDS
    while (left := look()) and time.monotonic() < deadline:
        time.sleep(0.02)
    return left
