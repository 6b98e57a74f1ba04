"""A room of models over tiny files, a Hub on loopback, and nobody's own environment."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import keyring
import keyring.backends.fail
import pytest
from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget

from app.actions import Actions
from app.controls import Text
from app.engine_life import EngineLife
from app.jobs import Jobs
from app.models import fetches
from app.models.room import Models
from app.panel.numbers import GAP
from app.settings.choices import Choices
from app.theme import Theme
from engine.models.arriving import Doing
from engine.models.catalogue import CataloguePair
from engine.models.downloads import State, Status
from engine.models.item import Item
from engine.models.local import LocalModel
from engine.models.stores import Origin
from tests.app.windows import delete_now, until
from tests.support.fake_engine import fake
from tests.support.fake_hub import FakeHub
from tests.support.stub_bridge import StubBridge
from tests.support.tiny_models import Tiny, write_tiny

MakeModels = Callable[..., Models]


@pytest.fixture(autouse=True)
def nobodys_environment(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No proxy, token or keyring of the developer's."""
    for name in list(os.environ):
        if name.upper().endswith("_PROXY") or name.startswith(("HF_", "HUGGING_FACE_")):
            monkeypatch.delenv(name)
    before = keyring.get_keyring()
    keyring.set_keyring(keyring.backends.fail.Keyring())
    yield
    keyring.set_keyring(before)


@pytest.fixture
def folder(own_folders: Path) -> Path:
    """The models folder, empty."""
    made = own_folders / "models"
    made.mkdir(parents=True)
    return made


@pytest.fixture
def pair(folder: Path) -> tuple[Path, Path]:
    """A target four times as large as its draft."""
    target = write_tiny(folder / "target.gguf", Tiny(width=128, layers=6))
    return target, write_tiny(folder / "draft.gguf", Tiny(seed=2))


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeHub]:
    """A Hub with one repository in two quantisations, and a gated one."""
    files = {
        ("some/Model-GGUF", "model-Q4_K_M.gguf"): b"q" * 40_000,
        ("some/Model-GGUF", "model-Q8_0.gguf"): b"Q" * 80_000,
        ("closed/Model-GGUF", "closed-Q4_K_M.gguf"): b"c" * 10_000,
    }
    with FakeHub(files, gated={"closed/Model-GGUF"}) as running:
        monkeypatch.setenv("HF_ENDPOINT", running.address)
        yield running


@pytest.fixture
def jobs(qapp: QApplication) -> Iterator[Jobs]:
    running = Jobs()
    yield running
    running.close()


@pytest.fixture
def make_models(jobs: Jobs, folder: Path) -> Iterator[MakeModels]:
    """A room of models over a stubbed engine; a survey asks the fake one."""
    made: list[Models] = []

    def make(*options: str, **queue: object) -> Models:
        life = EngineLife(StubBridge())  # type: ignore[arg-type]
        made.append(Models.assemble(jobs, Choices(), life, fake(*options), **queue))
        return made[-1]

    yield make
    for models in made:
        models.fetches.close()


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Downloads that are cancelled wait for no undo."""
    monkeypatch.setattr(fetches, "_UNDO", 1)


@pytest.fixture
def models(make_models: MakeModels) -> Models:
    return make_models()


@pytest.fixture
def window(installed: Theme, english: None) -> Iterator[QWidget]:
    """Something for widgets to be shown in."""
    made = QWidget()
    made.resize(1000, 700)
    made.show()
    yield made
    made.close()
    made.deleteLater()
    delete_now()


@pytest.fixture
def actions(installed: Theme, window: QWidget) -> Actions:
    return Actions(installed, window)


def looked(models: Models) -> Models:
    """After a look at what is here."""
    models.library.look()
    until(lambda: not models.library.is_looking)
    return models


def words(widget: QWidget) -> str:
    """All that a person can read in it."""
    QCoreApplication.processEvents()  # what a layout was given is shown by then
    texts = [text.whole_text() for text in widget.findChildren(Text) if text.isVisible()]
    buttons = [each.text() for each in widget.findChildren(QAbstractButton) if each.isVisible()]
    return "\n".join([*texts, *buttons]).replace(GAP, " ")


def lying_in(folder: Path, pair: CataloguePair, *, longer: int = 0) -> list[LocalModel]:
    """Both models of ``pair`` as another program keeps them."""
    return [
        LocalModel(
            path=folder / model.files[0].name.rpartition("/")[2],
            files=tuple(folder / file.name.rpartition("/")[2] for file in model.files),
            name=model.key,
            origin=Origin.LM_STUDIO,
            size=model.size + longer,
            about=None,
        )
        for model in (pair.target, pair.draft)
    ]


def standing(item: Item, state: State, paths: tuple[Path, ...] = ()) -> Status:
    """How a download of ``item`` stands, which may have left files at ``paths``."""
    return Status(
        key="1",
        title=item.title,
        state=state,
        done=0,
        total=item.size,
        speed=0.0,
        seconds_left=None,
        doing=Doing.FETCHING,
        source="",
        error=None,
        item=item,
        folder=Path(),
        paths=paths,
    )
