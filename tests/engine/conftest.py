"""Tiny models, made once a session, and the contexts of one test over them."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.llama.context import Context, ContextOptions, StopFlag
from engine.llama.model import Model
from tests.support.tiny_models import Tiny, write_tiny

TinyPath = Callable[..., Path]
"""The file of a tiny model; takes the fields of `Tiny`."""

TinyModel = Callable[..., Model]
"""The loaded model; takes the fields of `Tiny`."""

NewContext = Callable[..., Context]
"""A context over a tiny model, freed after the test; takes the fields of `ContextOptions`."""

EXACT = ContextOptions(n_ctx=512).exact()


@pytest.fixture(scope="session")
def tiny_path(tmp_path_factory: pytest.TempPathFactory) -> TinyPath:
    folder = tmp_path_factory.mktemp("tiny")
    known: dict[Tiny, Path] = {}

    def path(**changes: Any) -> Path:
        tiny = Tiny(**changes)
        if tiny not in known:
            known[tiny] = write_tiny(folder / f"tiny-{len(known)}.gguf", tiny)
        return known[tiny]

    return path


@pytest.fixture(scope="session")
def tiny_model(tiny_path: TinyPath) -> Iterator[TinyModel]:
    loaded: dict[Path, Model] = {}

    def model(**changes: Any) -> Model:
        path = tiny_path(**changes)
        if path not in loaded:
            loaded[path] = Model.load(path, repack=False)
        return loaded[path]

    yield model
    for each in loaded.values():
        each.free()


@pytest.fixture
def odd_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder by a name beyond ASCII, an ideographic space in it; temporary files go there too."""
    folder = tmp_path / "\u7530\u4e2d\u3000\u017deljko a"
    folder.mkdir()
    for name in ("TMPDIR", "TEMP", "TMP"):
        monkeypatch.setenv(name, str(folder))
    monkeypatch.setattr(tempfile, "tempdir", None)  # it is remembered from the first use on
    return folder


@pytest.fixture
def new_context() -> Iterator[NewContext]:
    made: list[Context] = []

    def context(
        model: Model, options: ContextOptions = EXACT, stop: StopFlag | None = None
    ) -> Context:
        made.append(Context(model, options, stop))
        return made[-1]

    yield context
    for each in made:
        each.free()
