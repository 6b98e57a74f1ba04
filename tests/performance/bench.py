"""What every section is given, and how it is described."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.chat import Message
from engine.paths import asset
from engine.prompts import BenchPrompt, read_prompts
from engine.sampling import Sampling
from tests.performance.data import Result, Table
from tests.performance.peers import Programs

GREEDY = Sampling(temperature=0)
SAMPLED = Sampling(temperature=0.8, top_k=40, top_p=0.95, min_p=0.05)
UNFILTERED = Sampling(temperature=0.8, top_k=0, top_p=1, min_p=0)

_HURRIED_TOKENS = 16


class NotMeasured(Exception):
    """A section could not be measured; the text says why."""


@dataclass(frozen=True)
class Bench:
    """``inflated``: the target at several times its cost; ``programs``: llama.cpp's own.

    ``is_quick``: a trial that everything works, whose figures mean nothing.
    """

    target: Path
    draft: Path
    inflated: Path
    programs: Programs
    repeats: int = 5
    is_quick: bool = False

    @property
    def rows(self) -> list[BenchPrompt]:
        """The shipped prompts."""
        return read_prompts(asset("prompts.toml"))

    @property
    def prompts(self) -> dict[str, list[Sequence[Message]]]:
        """The shipped prompts by kind."""
        found: dict[str, list[Sequence[Message]]] = {}
        for row in self.rows:
            messages = [Message(each.role, each.content) for each in row.messages]
            found.setdefault(row.kind, []).append(messages)
        return found

    def tokens(self, wanted: int) -> int:
        """The length of a reply."""
        return min(wanted, _HURRIED_TOKENS) if self.is_quick else wanted

    def foreword(self, *arguments: object) -> dict[str, Any]:
        """What a command of the terminal writes as JSON. Its progress is shown.

        Raises NotMeasured where it fails; it has said why.
        """
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "out.json"
            command = [sys.executable, "-m", "engine", *map(str, arguments), "--json", str(out)]
            ran = subprocess.run(command, check=False, stdout=subprocess.DEVNULL)
            if ran.returncode:
                raise NotMeasured(f"foreword {arguments[0]} ended with {ran.returncode}")
            told: dict[str, Any] = json.loads(out.read_text(encoding="utf-8"))
            return told

    def prompts_file(self, kinds: Sequence[str], each: int, folder: Path) -> Path:
        """The first ``each`` shipped prompts of these kinds, for ``--prompts``."""
        path = folder / "prompts.json"
        rows = [
            {"id": row.id, "kind": kind, "messages": [_plain(m) for m in row.messages]}
            for kind in kinds
            for row in [row for row in self.rows if row.kind == kind][:each]
        ]
        path.write_text(json.dumps(rows), encoding="utf-8")
        return path


def _plain(message: Any) -> dict[str, str]:
    return {"role": message.role, "content": message.content}


@dataclass(frozen=True)
class Section:
    """One part of the report.

    ``about``: what was measured, for the page; ``run`` yields its results and tables as they come;
    ``seconds``: what it took where it was written, with five repeats, until it was measured.
    """

    title: str
    about: str
    run: Callable[[Bench], Iterator[Result | Table]]
    seconds: float
    needs_inflated: bool = False
