"""``make bench``: measure against llama.cpp's own programs and rewrite docs/performance.md."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from engine import machine
from engine.chat import Message
from engine.models import starter
from engine.paths import asset, cache_folder
from engine.prompts import read_prompts
from tests.performance.inflate import inflate
from tests.performance.peers import Peer
from tests.performance.result import merge
from tests.performance.sections import SECTIONS, Bench, facts

LAYERS = 140


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=", ".join(SECTIONS))
    built = cache_folder() / "peer" / version("llama-cpp-python")
    parser.add_argument("--peer", type=Path, default=built, help="what `make peer` built")
    parser.add_argument("--repeats", type=int, default=5)
    arguments = parser.parse_args()
    names = arguments.sections or list(SECTIONS)
    target, draft = (starter.installed(file) for file in starter.STARTER_PAIR)
    if target is None or draft is None:
        parser.error("the starter pair is not here yet: foreword models fetch")
    if not (arguments.peer / "llama-bench").exists():
        parser.error(f"llama.cpp's programs are not in {arguments.peer}: make peer")
    prompts: dict[str, list[Sequence[Message]]] = {}
    for prompt in read_prompts(asset("prompts.toml")):
        prompts.setdefault(prompt.kind, []).append(prompt.messages)
    peer = Peer(arguments.peer, machine.threads())
    heavy = cache_folder() / f"{target.stem}-{LAYERS}-layers.gguf"
    if "inflated" in names and not heavy.exists():
        heavy.parent.mkdir(parents=True, exist_ok=True)
        inflate(target, heavy.with_suffix(".part"), LAYERS).replace(heavy)
    bench = Bench(target, draft, heavy, peer, prompts, arguments.repeats)
    for name in names:
        results = []
        for result in SECTIONS[name](bench):
            results.append(result)
            sys.stdout.write(f"{result.measure}: {result.shown}, target {result.bound}\n")
            sys.stdout.flush()
        merge(results, facts(bench))
    return 0


sys.exit(main())
