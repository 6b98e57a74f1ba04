"""``make performance``: measure this machine and rewrite the figures in docs/ from the data.

Sections that are not named keep what was measured before. Nothing else should compute meanwhile.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from datetime import date
from importlib.metadata import version
from pathlib import Path
from subprocess import CalledProcessError
from typing import Any

from engine import __version__, machine
from engine.children import VARIABLES, child_environment
from engine.llama.library import library
from engine.models import starter
from engine.paths import cache_folder
from tests.performance.bench import Bench, NotMeasured
from tests.performance.cited import PAGE, rewrite
from tests.performance.data import DOCS, Data, Measured, Result, Table
from tests.performance.figures import draw_all
from tests.performance.inflate import inflate
from tests.performance.peers import Programs
from tests.performance.registry import SECTIONS
from tests.performance.report import render

DATA, REPORT = "performance.json", "performance.md"
LAYERS = 140
_USUAL_REPEATS = 5


def main() -> int:
    parser = _parser()
    given = parser.parse_args()
    unknown = [name for name in given.sections if name not in SECTIONS]
    if unknown:
        parser.error(f"there is no section {unknown[0]}; there are {', '.join(SECTIONS)}")
    names = given.sections or list(SECTIONS)
    if given.redraw:
        write(Data.load(given.docs / DATA), given.docs)
        return 0
    bench = _bench(parser, given, names)
    data = Data.load(given.docs / DATA)
    _say(estimate(data, names, given.repeats))
    failed = 0
    for name in names:
        _say(f"{name}: {SECTIONS[name].title}")
        try:
            data.sections[name] = _measure(name, bench)
        except (NotMeasured, CalledProcessError) as error:
            _say(f"  not measured: {error}")
            failed += 1
            continue
        write(data, given.docs)
    return int(failed > 0)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="make performance", description=__doc__)
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=", ".join(SECTIONS))
    built = cache_folder() / "peer" / version("llama-cpp-python")
    parser.add_argument("--peer", type=Path, default=built, help="what `make peer` built")
    parser.add_argument("--repeats", type=int, default=_USUAL_REPEATS)
    parser.add_argument("--target", type=Path, help="another than the starter pair's")
    parser.add_argument("--draft", type=Path, help="another than the starter pair's")
    parser.add_argument("--layers", type=int, default=LAYERS, help="of the inflated target")
    parser.add_argument("--docs", type=Path, default=DOCS, help="the folder to write to")
    parser.add_argument("--redraw", action="store_true", help="from what was measured before")
    parser.add_argument(
        "--quick", action="store_true", help="a trial: short, and its figures mean nothing"
    )
    return parser


def _bench(
    parser: argparse.ArgumentParser, given: argparse.Namespace, names: Sequence[str]
) -> Bench:
    if given.quick and given.docs == DOCS:
        parser.error("a trial's figures do not belong into docs/: name another folder by --docs")
    target, draft = (
        chosen or starter.installed(file)
        for chosen, file in zip((given.target, given.draft), starter.STARTER_PAIR, strict=True)
    )
    if target is None or draft is None:
        parser.error("the starter pair is not here yet: foreword models fetch")
    if not (given.peer / "llama-bench").exists():
        parser.error(f"llama.cpp's programs are not in {given.peer}: make peer")
    heavy = cache_folder() / f"{target.stem}-{given.layers}-layers.gguf"
    if any(SECTIONS[name].needs_inflated for name in names) and not heavy.exists():
        _say(f"Writing {heavy} ...")
        heavy.parent.mkdir(parents=True, exist_ok=True)
        inflate(target, heavy.with_suffix(".part"), given.layers).replace(heavy)
    repeats = 1 if given.quick else given.repeats
    programs = Programs(given.peer, machine.threads())
    return Bench(target, draft, heavy, programs, repeats, given.quick)


def estimate(data: Data, names: Sequence[str], repeats: int) -> str:
    """How long it will take, from how long it took before."""
    seconds = 0.0
    for name in names:
        before = data.sections.get(name)
        known = before is not None and before.seconds > 0
        took = before.seconds if before and known else SECTIONS[name].seconds
        usual = before.repeats if before and known else _USUAL_REPEATS
        seconds += took * repeats / usual
    return f"{len(names)} sections, about {max(1, round(seconds / 60))} minutes."


def _measure(name: str, bench: Bench) -> Measured:
    started = time.monotonic()
    results: list[Result] = []
    tables: list[Table] = []
    for told in SECTIONS[name].run(bench):
        if isinstance(told, Table):
            tables.append(told)
            continue
        results.append(told)
        _say(f"  {told.measure}: {told.shown}, target {told.bound}")
    took = round(time.monotonic() - started, 1)
    today = date.today().isoformat()  # noqa: DTZ011 - the date where the machine stands
    return Measured(_facts(bench), today, took, bench.repeats, results, tables)


def _facts(bench: Bench) -> dict[str, Any]:
    """The machine and the versions, for the report."""
    versions = {"Foreword": __version__, "llama-cpp-python": version("llama-cpp-python")}
    return {**machine.describe(), "threads": bench.programs.threads, **versions}


def write(data: Data, docs: Path) -> None:
    """The data, the report, the figures, and the blocks that the explanation cites."""
    docs.mkdir(parents=True, exist_ok=True)
    data.save(docs / DATA)
    draw_all(data, docs)
    (docs / REPORT).write_text(render(data), encoding="utf-8")
    page = docs / PAGE
    if page.exists():
        page.write_text(rewrite(page.read_text(encoding="utf-8"), data), encoding="utf-8")


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


_STARTED = "FOREWORD_MEASURING"


def _start_as_the_worker() -> None:
    """Begin again with the worker's environment, so that what computes here does so as there.

    Whatever is started from here gets the user's own: other programs as much as our command.
    """
    given = os.environ.pop(_STARTED, None)
    if given is None:
        own = {name: os.environ[name] for name in VARIABLES if name in os.environ}
        environment = {**child_environment(), _STARTED: json.dumps(own)}
        command = [sys.executable, "-m", "tests.performance", *sys.argv[1:]]
        os.execve(sys.executable, command, environment)
    library()  # OpenMP's library comes with it, and reads its variables then
    for name in VARIABLES:
        os.environ.pop(name, None)
    os.environ.update(json.loads(given))


if __name__ == "__main__":
    _start_as_the_worker()
    sys.exit(main())
