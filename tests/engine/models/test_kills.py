"""A download killed at any moment loses nothing that came, and never shows a file that is wrong."""

from __future__ import annotations

import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path

import pytest

from engine.models.arriving import ModelFile
from engine.models.download import missing
from engine.models.item import Item, unfinished
from tests.support.fake_hub import FakeHub

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="children come by fork")

REPO = "someone/Model-GGUF"
KILLS = 200
LONGEST = 0.06  # seconds that a download lives


def shard(number: int) -> tuple[ModelFile, bytes]:
    content = random.Random(number).randbytes(50_000 + number)
    name = f"model-{number:05}-of-00004.gguf"
    digest = hashlib.sha256(content).hexdigest()
    return ModelFile(name, name, "", len(content), digest, "MIT", REPO), content


SHARDS = [shard(number) for number in range(1, 5)]
CONTENT = {file.name: content for file, content in SHARDS}
ITEM = Item("Model", tuple(file for file, _ in SHARDS))


class Nursery:
    """Makes downloads, and kills them."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._orders, self._answers = process.stdin, process.stdout
        self._say(json.dumps([asdict(file) for file in ITEM.files]))

    def live_for(self, seconds: float, folder: Path) -> None:
        """Let a download into ``folder`` live so long, at most."""
        self._say(str(folder))
        child = int(self._answers.readline())
        time.sleep(seconds)
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        assert self._answers.readline() == "ended\n"

    def _say(self, line: str) -> None:
        self._orders.write(line + "\n")
        self._orders.flush()


@contextmanager
def nursery(address: str) -> Iterator[Nursery]:
    command = [sys.executable, "-m", "tests.support.frail_download", address]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    ) as process:
        yield Nursery(process)
        process.stdin.close()  # it ends by itself then


def here(folder: Path) -> int:
    return ITEM.size - sum(missing(file, folder) for file in ITEM.files)


def assert_sound(folder: Path) -> None:
    """Each file is whole and right, and each part the beginning of what it is to be."""
    for path in folder.iterdir():
        name = path.name.removesuffix(".part")
        if path.name in CONTENT:
            assert path.read_bytes() == CONTENT[path.name]
        elif name in CONTENT:
            part = path.read_bytes()
            assert part == CONTENT[name][: len(part)]
        else:
            assert path.name.endswith((".lock", ".part.json", ".new"))


def test_200_kills_lose_no_byte_and_yield_no_wrong_file(tmp_path):
    files = {(REPO, name): content for name, content in CONTENT.items()}
    chance = random.Random(7)
    finished = partly = 0
    with FakeHub(files, pace=0.001, piece=4096) as fake, nursery(fake.address) as children:
        folder = tmp_path / "0"
        for kill in range(KILLS):
            before = here(folder)
            children.live_for(chance.uniform(0.0, LONGEST), folder)
            if folder.exists():
                assert here(folder) >= before
                assert_sound(folder)
            if here(folder) < ITEM.size:
                partly += here(folder) > before
            elif not unfinished(folder):
                finished += 1
                folder = tmp_path / str(kill + 1)
    assert finished > 5, "the children never got through"
    assert partly > KILLS / 4, "most children died before they did anything"
