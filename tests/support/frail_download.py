"""Downloads in child processes that are made in no time, to be killed at any moment.

A process that has imported everything waits for orders, a line each: the folder to download into.
It answers with the id of a fresh child that does it and, once that has ended, however that was,
with a second line. Run as ``python -m tests.support.frail_download ADDRESS``; the item to fetch
comes first, as JSON.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from engine.models.arriving import ModelFile
from engine.models.download import bring
from engine.models.http import trusted
from engine.models.hub import Hub
from engine.models.hub_source import HubSource
from engine.models.item import Item


def main() -> None:
    """Take orders until the input ends."""
    trusted()  # all that takes time is done before the first child
    source = HubSource(Hub(sys.argv[1]), pause=0.01)
    files = tuple(ModelFile(**entry) for entry in json.loads(sys.stdin.readline()))
    for line in sys.stdin:
        child = os.fork()
        if not child:
            bring(
                Item("x", files),
                Path(line.rstrip("\n")),
                [source],
                progress=lambda _progress: None,
                cancelled=lambda: False,
            )
            os._exit(0)
        sys.stdout.write(f"{child}\n")
        sys.stdout.flush()
        os.waitpid(child, 0)
        sys.stdout.write("ended\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
