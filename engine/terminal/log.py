"""The terminal's own log: what went wrong and where, never what was said."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from logging.handlers import RotatingFileHandler
from pathlib import Path

from engine import paths


def log_file() -> Path:
    """Where it lies. The worker keeps one of its own: two processes cannot rotate one file."""
    return paths.log_folder() / "terminal.log"


@contextmanager
def logged() -> Iterator[None]:
    """While it is open, the engine's loggers write to the file; without one where it cannot be."""
    handler: logging.Handler
    try:
        log_file().parent.mkdir(parents=True, exist_ok=True)
        handler = RotatingFileHandler(
            log_file(),
            maxBytes=1 << 20,
            backupCount=3,
            encoding="utf-8",
            errors="backslashreplace",  # a path may hold bytes that are no text
            delay=True,
        )
    except OSError:
        handler = logging.NullHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logger = logging.getLogger("engine")
    before = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        logger.setLevel(before)
        logger.removeHandler(handler)
        handler.close()
