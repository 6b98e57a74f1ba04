"""Write a model's weights anew in another format: ``python -m engine.llama.requantise FROM TO``.

A process of its own, because llama.cpp cannot be told to stop in the middle, and takes the whole
process with it when it fails.
"""

from __future__ import annotations

import ctypes
import os
import sys
import threading
from pathlib import Path

import llama_cpp

from engine.llama.library import library

_Q4_0 = 2  # enum llama_ftype: LLAMA_FTYPE_MOSTLY_Q4_0


def requantise(source: Path, to: Path, threads: int) -> str:
    """Write ``source`` to ``to`` with every matrix in Q4_0 (``llama_model_quantize``).

    Returns what went wrong in llama.cpp's words, "" for nothing.
    """
    parameters = llama_cpp.llama_model_quantize_default_params()
    parameters.ftype = _Q4_0
    parameters.nthread = threads
    parameters.allow_requantize = True
    parameters.pure = True  # the table of tokens too: half of a small model's time is spent in it
    with library().overheard() as heard:
        status = llama_cpp.llama_model_quantize(
            os.fsencode(source), os.fsencode(to), ctypes.byref(parameters)
        )
    return "" if status == 0 else "\n".join(heard.errors) or f"llama_model_quantize: {status}"


def main(arguments: list[str]) -> int:
    """``FROM TO``; the exit code says whether it worked, standard error why not.

    Standard input is a pipe from whoever waits for the copy. It ends when they do.
    """
    threading.Thread(target=_end_with_input, name="input", daemon=True).start()
    source, to = map(Path, arguments)
    reason = requantise(source, to, os.cpu_count() or 1)
    if not reason:
        _settle_on_disk(to)
    sys.stderr.write(reason)
    return 1 if reason else 0


def _end_with_input() -> None:
    os.read(0, 1)
    os._exit(1)


def _settle_on_disk(path: Path) -> None:
    """After a power cut there is the whole file, or none under its name."""
    with path.open("r+b") as file:
        os.fsync(file.fileno())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
