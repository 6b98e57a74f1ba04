"""Where Foreword starts."""

from __future__ import annotations

import sys


def main() -> int:
    """Run what the command line asks for and return the exit code.

    Commands go to the terminal before anything of Qt is imported, so that they need no display. A
    bare start goes there too: it converses, or compares once where nobody could answer.
    """
    from engine.cli import main as terminal

    return terminal(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
