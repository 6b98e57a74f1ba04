"""What the user has chosen, for the engine and the window: read once, written at each change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from app import preferences
from app.preferences import PREFERENCES
from app.theme import Mode, Theme
from engine import settings as engine_settings
from engine.settings import SETTINGS, Setting, Value


class Choices(QObject):
    """Both tables and their values.

    Attributes:
        engine: The engine's settings.
        window: The window's.
        notes: Sentences about what was wrong with the files.

    Signals:
        changed: The name of a setting that has another value now.
        unsaved: A sentence: the files could not be written.
    """

    changed = Signal(str)
    unsaved = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        loaded = engine_settings.load()
        self.engine = loaded.settings
        self.window, notes = preferences.load()
        self.notes = (*loaded.notes, *notes)

    @property
    def table(self) -> Mapping[str, Setting]:
        """Every setting by name."""
        return {**PREFERENCES, **SETTINGS}

    def value(self, name: str) -> Value:
        """What the setting ``name`` holds."""
        held: Value = getattr(self.engine if name in SETTINGS else self.window, name)
        return held

    def choose(self, name: str, value: object) -> None:
        """Let the setting ``name`` hold ``value`` from now on. Raises BadSetting."""
        checked = self.table[name].check(value)
        # 0 and False, 1 and True and 1.0 are equal, but written differently.
        if checked == self.value(name) and type(checked) is type(self.value(name)):
            return
        if name in SETTINGS:
            self.engine = replace(self.engine, **{name: checked})  # type: ignore[arg-type]
        else:
            self.window = replace(self.window, **{name: checked})  # type: ignore[arg-type]
        self.changed.emit(name)
        self._save(name)

    def reset(self, name: str) -> None:
        """Let the setting ``name`` hold its default again."""
        self.choose(name, self.table[name].default)

    def dress(self, theme: Theme) -> None:
        """Have ``theme`` look as chosen."""
        modes: dict[str, Mode] = {"light": "light", "dark": "dark"}
        theme.mode = modes.get(self.window.theme, "system")
        theme.scale = self.window.text_size / 100
        theme.reduced_motion = self.window.reduced_motion  # None: as the system says

    def _save(self, name: str) -> None:
        try:
            if name in SETTINGS:
                engine_settings.save(self.engine)
            else:
                preferences.save(self.window)
        except OSError as error:
            sentence = self.tr("The settings cannot be saved ({reason}). They hold until you quit.")
            self.unsaved.emit(sentence.format(reason=error.strerror or str(error)))
