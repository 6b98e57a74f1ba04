"""The search of the Hub."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QWidget

from app.models.hub_section import HubSection
from app.theme import Theme
from tests.app.models.conftest import MakeModels, words
from tests.app.models.test_fetches import Source
from tests.app.models.test_page import press, row
from tests.app.windows import until
from tests.support.fake_hub import FakeHub


def test_what_was_cancelled_can_be_had_again(
    installed: Theme,
    make_models: MakeModels,
    window: QWidget,
    folder: Path,
    hub: FakeHub,
    hasty: None,
) -> None:
    models = make_models(sources=lambda _item: [Source(endless=True)])
    section = HubSection(installed, models, window)
    section.resize(window.size())
    section.fetched.connect(lambda item: models.fetches.add(item, folder))
    section.show()
    section.open("some/Model-GGUF")
    until(lambda: "model-Q4_K_M" in words(section))
    press(row(section, "model-Q4_K_M"), "Download")
    until(lambda: list(folder.glob("*.part")))
    assert "In the downloads" in words(row(section, "model-Q4_K_M"))
    models.fetches.cancel(models.fetches.statuses[0].key)
    until(lambda: "Download" in words(row(section, "model-Q4_K_M")))
