"""``python -m tests``: the unit tests side by side, then those with the real pair one by one.

What is given goes to pytest both times; ``-n 0`` has the unit tests run one by one too.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

from engine.children import SPINS, child_environment

PARTS = {
    "the unit tests": ("-m", "not real", "-n", "auto", "--dist", "worksteal"),
    "the tests with the real pair": ("-m", "real", "-n", "0"),
}


def main(given: list[str]) -> int:
    """Run both parts and say in one last line how it went; 0 where every test passed."""
    started = time.monotonic()
    codes = {name: _run([*options, *given]) for name, options in PARTS.items()}
    missing = pytest.ExitCode.NO_TESTS_COLLECTED
    failed = [name for name, code in codes.items() if code not in (pytest.ExitCode.OK, missing)]
    took = f"after {time.monotonic() - started:.0f} s"
    if failed:
        print(f"Failed {took}: {' and '.join(failed)}.")
    elif all(code == missing for code in codes.values()):
        print("There is no such test.")
        return 1
    else:
        print(f"Passed {took}.")
    return 1 if failed else 0


def _run(options: list[str]) -> int:
    # Some 200 processes are started: what the first one compiles, the others need not.
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
    # The models of one test must not wait at the expense of another's, as the worker's do not.
    if (spins := child_environment().get(SPINS)) is not None:
        environment[SPINS] = spins
    command = [sys.executable, "-m", "pytest", *options]
    return subprocess.run(command, env=environment, check=False).returncode


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
