"""Set up ``.venv``: what Foreword needs to run, to be tested (``--test``), packed (``--package``).

Cheap when nothing changed: a stamp in ``.venv`` remembers what it was made from.
"""

from __future__ import annotations

import sys

if sys.version_info < (3, 11):  # noqa: UP036  (older Pythons do start this file)
    sys.exit(
        f"Foreword needs Python 3.11 or newer, and {sys.executable} is "
        f"{sys.version_info[0]}.{sys.version_info[1]}. Name another: make run PYTHON=python3.12"
    )

import argparse
import hashlib
import json
import os
import subprocess
from dataclasses import asdict, dataclass

import llama_wheel
import places
import steps
import system

STAMP = places.VENV / "foreword.json"
# Everything in the checkout that decides what gets installed.
INPUTS = (places.ROOT / "pyproject.toml", places.PIN, places.ROOT / "engine" / "__init__.py")


@dataclass(frozen=True)
class Setup:
    """What a ``.venv`` was made from; equal to the wanted one when there is nothing to do."""

    place: str
    python: str
    wheel: str
    inputs: str
    test: bool
    package: bool


def main(arguments: list[str]) -> None:
    """Bring ``.venv`` up to date."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--test", action="store_true", help="also what the tests and checks need")
    parser.add_argument("--package", action="store_true", help="also what packages are built with")
    asked = parser.parse_args(arguments)
    found = _read_stamp()
    wanted = _wanted(
        test=asked.test or bool(found and found.test),
        package=asked.package or bool(found and found.package),
    )
    # Asked even when the stamp fits: the system may have changed, or the folder's machine.
    offscreen = system.QT if wanted.test else ()
    system.ensure(system.RUNNING + offscreen + system.window(os.environ))
    if found == wanted:
        return
    if wanted.test and not (found and found.test):
        system.offer(system.CHECKING)
    STAMP.unlink(missing_ok=True)
    kept = found is not None and _usable(found, wanted)
    if not kept:
        command = [sys.executable, "-m", "venv", "--clear", str(places.VENV)]
        steps.run("Making .venv ...", command, "venv")
    _install(wanted, same_wheel=kept and found is not None and found.wheel == wanted.wheel)
    STAMP.write_text(json.dumps(asdict(wanted)), encoding="utf-8")


def _wanted(*, test: bool, package: bool = False) -> Setup:
    version = places.pinned_version()
    arguments = llama_wheel.cmake_args(os.environ)
    inputs = hashlib.sha256(b"\0".join(path.read_bytes() for path in INPUTS)).hexdigest()
    return Setup(
        place=str(places.VENV),
        python=sys.version,
        wheel=f"{version}-{llama_wheel.key(version, arguments, os.environ)}",
        inputs=inputs,
        test=test,
        package=package,
    )


def _read_stamp() -> Setup | None:
    """What the environment was made from; None if it is missing, unfinished or broken."""
    try:
        return Setup(**json.loads(STAMP.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def _usable(found: Setup, wanted: Setup) -> bool:
    # A moved checkout or another Python leaves scripts that point nowhere.
    same = (found.place, found.python) == (wanted.place, wanted.python)
    return same and _works()


def _works() -> bool:
    try:
        check = subprocess.run([*places.pip(), "--version"], capture_output=True, check=False)
    except OSError:
        return False
    return check.returncode == 0


def _install(wanted: Setup, *, same_wheel: bool) -> None:
    install = [*places.pip(), "install"]
    if not same_wheel:
        wheel = llama_wheel.obtain(places.pinned_version(), os.environ)
        # pip takes a rebuilt wheel of the same version for the old one unless it is forced.
        command = [*install, "--force-reinstall", "--no-deps", str(wheel)]
        steps.run("Installing llama-cpp-python ...", command, "pip-llama")
    # llama-cpp-python is in place; should pip disagree, it must not compile it over again.
    options = ["--only-binary", "llama-cpp-python", "--constraint", str(places.PIN)]
    extras = [name for name in ("test", "package") if getattr(wanted, name)]
    tools = f" and the tools to {' and '.join(extras)} it" if extras else ""
    steps.run(
        f"Installing Foreword{tools} into .venv ...",
        [*install, *options, "--editable", f".[{','.join(extras)}]" if extras else "."],
        "pip-foreword",
    )


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except KeyboardInterrupt:
        sys.exit("\nStopped. Nothing half-made is kept; run make again to go on.")
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        sys.exit(
            f"Foreword could not be set up: {place}{error.strerror or error}. "
            "Make room and see to it that this checkout and the cache folder can be written to; "
            "FOREWORD_CACHE names another cache folder."
        )
