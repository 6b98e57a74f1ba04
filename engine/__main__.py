"""``python -m engine``: the terminal, without the app."""

from __future__ import annotations

import sys


def run() -> int:
    """The terminal; Ctrl-C during the imports ends it as quietly as later."""
    try:
        from engine.cli import main

        return main()
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(run())
