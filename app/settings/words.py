"""The tables of settings in the user's language."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from PySide6.QtCore import QCoreApplication, QLocale

from engine import paths
from engine.settings import Kind, Setting, Value

LANGUAGES: Mapping[str, str] = MappingProxyType({"en": "English", "de": "Deutsch"})
"""The window's languages, each in itself."""


_BRIEF = 80  # characters


def _tr(text: str) -> str:
    return QCoreApplication.translate("Settings", text)


def title(setting: Setting) -> str:
    """Its label."""
    return _tr(setting.title)


def description(setting: Setting) -> str:
    """One sentence about it."""
    return _tr(setting.description)


def word(text: str) -> str:
    """One of the words that may stand for a value, as it is shown and may be typed."""
    return LANGUAGES.get(text) or _tr(text)


def typed(setting: Setting, text: str) -> str:
    """What a person typed as the setting itself takes it: with the table's words and digits."""
    text = text.strip()
    own = {word(known).lower(): known for known in setting.words}
    if text.lower() in own:
        return own[text.lower()]
    if setting.kind is Kind.NUMBER:
        return text.replace(QLocale().decimalPoint(), ".")
    if setting.kind is Kind.WHOLE:
        return text.replace(QLocale().groupSeparator(), "").replace(" ", "")
    return text


def shown(setting: Setting, value: Value) -> str:
    """``value`` as a person reads and types it."""
    if setting.name == "models_folder" and value is None:
        return str(paths.models_folder())  # what its default means here
    written = setting.written(value)
    if isinstance(written, str) and written in setting.words:
        return word(written)
    if isinstance(written, float):
        return f"{written:g}".replace(".", QLocale().decimalPoint())
    return str(written)


def brief(setting: Setting, value: Value) -> str:
    """``value`` as it is told in passing: of a text, the beginning."""
    if setting.kind is not Kind.TEXT:
        return shown(setting, value)
    line = " ".join(str(value).split())
    return line if len(line) <= _BRIEF else f"{line[: _BRIEF - 1]}…"


def allowed(setting: Setting) -> str:
    """What the setting may be, as a sentence."""
    words = [word(known) for known in setting.words]
    if setting.kind not in (Kind.WHOLE, Kind.NUMBER):
        return _tr("This may be {words}.").format(words=", ".join(words) or _tr("any text"))
    whole = setting.kind is Kind.WHOLE
    template = (
        _tr("A whole number from {low} to {high}")
        if whole
        else _tr("A number from {low} to {high}")
    )
    sentence = template.format(low=_number(setting.low), high=_number(setting.high))
    return " ".join([sentence, *(_tr("or {word}").format(word=known) for known in words)]) + "."


def _number(number: float) -> str:
    locale = QLocale()
    whole = number == int(number)
    return locale.toString(int(number)) if whole else locale.toString(number, "g", 4)
