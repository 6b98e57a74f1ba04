"""The window's languages: chosen well, complete, and with every gap in its place."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree as ET

import pytest
from PySide6.QtCore import QCoreApplication, QLocale, QTranslator
from PySide6.QtWidgets import QMainWindow

from app import languages
from app.actions import Actions, plain_title
from app.exported import words
from app.history.markdown import to_markdown
from app.history.model import Conversation, Entry
from engine import paths

ROOT = Path(__file__).resolve().parents[2]
GAP = re.compile(r"\{[^{}]*\}|%n")

CODES = pytest.mark.parametrize("code", languages.TRANSLATED)


@pytest.fixture
def strings(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script that finds every string."""
    monkeypatch.syspath_prepend(str(ROOT / "packaging" / "translations"))
    return importlib.import_module("strings")


@pytest.fixture
def spoken(qapp) -> Iterator[None]:
    """Takes away the translators that the test installs, and gives the locale back."""
    locale = QLocale()
    yield
    for translator in qapp.findChildren(QTranslator):
        qapp.removeTranslator(translator)
        translator.setParent(None)
    QLocale.setDefault(locale)


def translations(code: str) -> dict[tuple[str, str], ET.Element]:
    """(context, source) → the translation's element, of the .ts file."""
    tree = ET.parse(paths.asset(f"translations/foreword_{code}.ts"))
    return {
        (context.findtext("name", ""), message.findtext("source", "")): translation
        for context in tree.iter("context")
        for message in context.iter("message")
        if (translation := message.find("translation")) is not None
    }


@CODES
def test_every_string_of_the_window_is_known(code: str, strings: ModuleType) -> None:
    known, wanted = set(translations(code)), {tuple(source) for source in strings.every()}
    assert wanted - known == set(), "run packaging/translations/update.py"
    assert known - wanted == set(), "run packaging/translations/update.py"


@CODES
def test_no_string_is_unfinished(code: str) -> None:
    unfinished = [
        source
        for (_context, source), translation in translations(code).items()
        if translation.get("type") or not "".join(translation.itertext()).strip()
    ]
    assert unfinished == []


@pytest.mark.usefixtures("spoken")
def test_an_exported_chat_is_in_the_language_of_the_window(qapp) -> None:
    languages.speak(qapp, "de")
    figures = {"tokens": 1214, "tokens_per_second": 23.06, "drafted": 9, "acceptance_rate": 0.714}
    entries = [Entry(1, 1, "user", "Hallo"), Entry(2, 1, "assistant", "Hallo!", figures=figures)]
    text = to_markdown(Conversation(1, "Gruß", 0.0, 0.0), entries, words())
    assert text.split("*\n\n", 1)[1] == (
        "## Sie\n\nHallo\n\n## Assistent\n\nHallo!\n\n"
        "*1.214 Token · 23,1 Token/s · 71 % der entworfenen Token angenommen*\n"
    )


@CODES
def test_no_gap_is_lost(code: str) -> None:
    for (_context, source), translation in translations(code).items():
        text = "".join(translation.itertext())
        names = [re.sub(r"[:!].*", "}", gap) for gap in GAP.findall(source)]
        assert sorted(set(names)) == sorted({re.sub(r"[:!].*", "}", g) for g in GAP.findall(text)})


@CODES
def test_endings_are_kept(code: str) -> None:
    """A sentence stays one, a command that asks further keeps its dots."""
    for (context, source), translation in translations(code).items():
        text = "".join(translation.itertext())
        for ending in ("…", ":", "?", "!"):
            assert source.endswith(ending) == text.endswith(ending), (context, source)
        assert source[-1:].isspace() == text[-1:].isspace(), (context, source)
        assert source[:1].isspace() == text[:1].isspace(), (context, source)


@CODES
def test_the_compiled_file_is_up_to_date(code: str, qapp) -> None:
    translator = QTranslator()
    assert translator.load(str(paths.asset(f"translations/foreword_{code}.qm")))
    for (context, source), translation in translations(code).items():
        assert translator.translate(context, source) == "".join(translation.itertext())


@CODES
@pytest.mark.usefixtures("spoken")
def test_menus_of_the_language_have_unique_letters(code: str, qapp, theme, qtbot) -> None:
    languages.speak(qapp, code)
    window = QMainWindow()
    qtbot.addWidget(window)
    actions = Actions(theme, window)
    letters: dict[str, list[str]] = {}
    for row, action in actions:
        if "&" in action.text():
            letters.setdefault(row.menu, []).append(action.text().split("&")[1][0].lower())
    for menu, found in letters.items():
        assert len(set(found)) == len(found), (menu, found)


@pytest.mark.usefixtures("spoken")
def test_german_is_spoken(qapp, theme, qtbot) -> None:
    assert languages.speak(qapp, "de") == "de"
    window = QMainWindow()
    qtbot.addWidget(window)
    assert plain_title(Actions(theme, window)["chat.new"]) == "Neuer Chat"
    assert QLocale().toString(1234567) == "1.234.567"


@pytest.mark.usefixtures("spoken")
def test_english_needs_no_translator(qapp) -> None:
    assert languages.speak(qapp, "en") == "en"
    assert qapp.findChildren(QTranslator) == []
    assert QCoreApplication.translate("Actions", "&New chat") == "&New chat"


@pytest.mark.parametrize(
    ("system", "spoken_then"),
    [(["de-AT", "en"], "de"), (["en-GB", "de"], "en"), (["fr-FR", "de"], "de"), (["fr"], "en")],
)
def test_the_systems_first_language_that_we_have(
    monkeypatch: pytest.MonkeyPatch, system: list[str], spoken_then: str
) -> None:
    class _System:
        def uiLanguages(self) -> list[str]:  # noqa: N802 (Qt's name)
            return system

    monkeypatch.setattr(languages.QLocale, "system", staticmethod(_System))
    assert languages.language("system") == spoken_then


def test_a_choice_is_taken_as_it_is() -> None:
    assert languages.language("de") == "de"
    assert languages.language("en") == "en"


def test_the_finder_sees_strings_however_they_are_written(strings: ModuleType) -> None:
    found = set(strings.every())
    assert ("Actions", "&New chat") in found  # a table
    assert ("SettingsPage", "Search settings") in found  # self.tr in a class
    assert ("NetworkPage", "Conversations") in found  # a helper
    assert ("Settings", "Temperature") in found  # the engine's table
    assert all(context and text for context, text in found)
