"""The real worker with a fault put in: ``python -m tests.support.frail_worker FAULT…``."""

from __future__ import annotations

import ctypes
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

SECRET = "the user's own words"


def assertion() -> None:
    """ggml's own way to fail an assertion."""
    from llama_cpp import _ggml

    where, what = b"/src/ggml.c", b"GGML_ASSERT(%s) failed"
    _ggml.libggml.ggml_abort(where, ctypes.c_int(42), what, b"n > 0")


def out_of_memory() -> None:
    """A message as the C++ library prints it, and its end."""
    os.write(2, b"terminate called after throwing an instance of 'std::bad_alloc'\n")
    os.abort()


def printing() -> None:
    """As libraries do, at every level."""
    sys.stdout.write("a line of Python's\n")
    sys.stdout.flush()
    os.write(1, b'{"type":"pong","id":1}\n')
    ctypes.CDLL(None).puts(b"a line of C's")
    ctypes.CDLL(None).fflush(None)


def mistake() -> None:
    """A fault of our own."""
    raise RuntimeError(SECRET)


def broken_copy() -> None:
    """What a pass of a recast draft ends in whose copy was damaged."""
    from engine.errors import BrokenCopy

    raise BrokenCopy(path="draft.gguf")


def stuck() -> None:
    """Deaf to the stop flag."""
    time.sleep(60)


FAULTS: Mapping[str, Callable[[], None]] = {
    "abort": os.abort,
    "assertion": assertion,
    "out_of_memory": out_of_memory,
    "printing": printing,
    "mistake": mistake,
    "broken_copy": broken_copy,
    "stuck": stuck,
}


def put_in(fault: Callable[[], None]) -> None:
    """Have ``fault`` happen after the third round of every reply."""
    from engine.decoding import Lane

    write = Lane.write

    def frail_write(self: Lane, *arguments: Any) -> Iterator[Any]:
        for count, round_ in enumerate(write(self, *arguments)):
            yield round_
            if count == 2:
                time.sleep(0.1)  # so that what was written before is on its way
                fault()

    Lane.write = frail_write  # type: ignore[method-assign]


def slow_load() -> None:
    """Every step of a load takes a while."""
    from engine.llama import model

    original = model._Progress._call

    def call(self: Any, fraction: float, data: Any) -> bool:
        time.sleep(0.02)
        return original(self, fraction, data)

    model._Progress._call = call  # type: ignore[method-assign]


def main() -> None:
    for name in sys.argv[1:]:
        if name == "slow_load":
            slow_load()
        else:
            put_in(FAULTS[name])
    from engine import worker

    worker.main()


if __name__ == "__main__":
    main()
