"""``make package``: the packages for Linux, from what is installed in ``.venv``, into ``dist/``."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "wheel"))
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import archive
import check
import deb
import elf
import freeze
import places
import steps
import sums
import system
import tree

import engine

DIST = places.ROOT / "dist"


def main() -> None:
    """Build, try and check both packages; exits 1 where one breaks a limit."""
    if not sys.platform.startswith("linux") or os.uname().machine != "x86_64":
        sys.exit(
            "This builds the packages for Linux on x86-64; see packaging/README.md for others."
        )
    system.ensure(system.PACKAGING + system.QT + system.X11)
    version, epoch = engine.__version__, source_date()
    frozen = freeze.freeze(epoch)
    check.for_any_processor(frozen / "_internal" / "llama_cpp" / "lib")
    program = frozen.parent / "program"
    tree.program(frozen, program)
    steps.run("Trying it ...", [str(program / "foreword"), "--selftest"], "selftest")
    shutil.rmtree(DIST, ignore_errors=True)
    DIST.mkdir()
    needs = elf.read(elf.files(program))
    package = deb.build(program, needs.libraries - needs.sonames, version, DIST, epoch)
    archive.build(program, version, DIST, epoch)
    sums.write(DIST)
    findings = [*check.sizes(program, package), *check.symbols(needs)]
    for finding in findings:
        steps.say(str(finding))
    for path in sorted(DIST.iterdir()):
        steps.say(str(path.relative_to(places.ROOT)))
    if not all(finding.kept for finding in findings):
        sys.exit(1)


def source_date() -> int:
    """Seconds since 1970 that every file of the packages is dated: those of the last commit."""
    if given := os.environ.get("SOURCE_DATE_EPOCH", "").strip():
        return int(given)
    if shutil.which("git"):
        command = ["git", "-C", str(places.ROOT), "log", "-1", "--format=%ct"]
        asked = subprocess.run(command, capture_output=True, text=True, check=False)
        if asked.returncode == 0:
            return int(asked.stdout)
    return int((places.ROOT / "CHANGELOG.md").stat().st_mtime)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("\nStopped. Run make package again.")
