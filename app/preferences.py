"""What a person chose for the window itself: a typed table like the engine's, in a file beside it.

The terminal never reads it, so the engine's own table stays free of what only a window has.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import tomli_w
from PySide6.QtCore import QIODevice, QSaveFile

from engine import paths
from engine.errors import BadSetting
from engine.settings import Kind, Setting, kept_toml, read_toml

_WHAT = "The window's settings"


def _row(kind: Kind, default: Any, title: str, description: str, **limits: Any) -> Any:
    """A field of `Preferences`. ``Any``, so that the field's own annotation is its type."""
    setting = Setting("", kind, default, title, description, **limits)
    return dataclasses.field(default=default, metadata={"setting": setting})


def _one_of(*words: str) -> dict[str, str]:
    return {word: word for word in words}


@dataclass(frozen=True)
class Preferences:
    """How the window looks and behaves."""

    theme: str = _row(
        Kind.CHOICE, "system", "Theme",
        "Light or dark colours, or as the system has it.",
        words=_one_of("system", "light", "dark"),
    )  # fmt: skip
    text_size: int = _row(
        Kind.WHOLE, 100, "Text size",
        "In per cent; everything around the text grows with it.",
        low=80, high=200,
    )  # fmt: skip
    language: str = _row(
        Kind.CHOICE, "system", "Language",
        "The language of the window, from the next start on; models answer in their own.",
        words=_one_of("system", "en", "de"),
    )  # fmt: skip
    follow: bool = _row(
        Kind.CHOICE, True, "While a reply is written",
        "Whether the chat moves along with its end, for as long as you are at the end.",
        words={"follow": True, "stay": False},
    )  # fmt: skip
    reduced_motion: bool | None = _row(
        Kind.CHOICE, None, "Reduced motion",
        "Nothing moves that need not; auto does as the system says.",
        words={"auto": None, "yes": True, "no": False},
    )  # fmt: skip
    tint: bool = _row(
        Kind.CHOICE, False, "Where words came from",
        "Whether a reply's words are tinted by how they were found.",
        words={"yes": True, "no": False},
    )  # fmt: skip


PREFERENCES: Mapping[str, Setting] = MappingProxyType(
    {
        field.name: dataclasses.replace(field.metadata["setting"], name=field.name)
        for field in dataclasses.fields(Preferences)
    }
)
"""The table, by name."""


def preferences_file() -> Path:
    """Where they lie, as TOML."""
    return paths.config_folder() / "window.toml"


def load(path: Path | None = None) -> tuple[Preferences, tuple[str, ...]]:
    """What the file holds, and a sentence for each thing in it that was passed over."""
    path = path or preferences_file()
    raw, notes = read_toml(path, _WHAT)
    values: dict[str, Any] = {}
    for name in PREFERENCES.keys() & raw.keys():
        try:
            values[name] = PREFERENCES[name].check(raw[name])
        except BadSetting as error:
            notes.append(f"In {path}, {error.sentence} The default is used.")
    return Preferences(**values), tuple(notes)


def save(preferences: Preferences, path: Path | None = None) -> None:
    """Write them whole or not at all; keys we do not know are kept. Raises OSError."""
    path = path or preferences_file()
    raw = kept_toml(path)
    for name, setting in PREFERENCES.items():
        value = getattr(preferences, name)
        if value != setting.default or name in raw:
            raw[name] = setting.written(value)
    path.parent.mkdir(parents=True, exist_ok=True)
    file = QSaveFile(str(path))
    content = tomli_w.dumps(raw).encode()
    opened = file.open(QIODevice.OpenModeFlag.WriteOnly)
    if not opened or file.write(content) != len(content) or not file.commit():
        raise OSError(file.errorString())
