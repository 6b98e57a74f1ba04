"""Whether the system asks for less motion, as far as it can be known."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

from PySide6.QtCore import QObject, QProcess, Qt, Signal
from PySide6.QtWidgets import QApplication

_ON_A_MAC = ("defaults", ["read", "com.apple.universalaccess", "reduceMotion"])

_ON_LINUX: Mapping[tuple[str, str], Callable[[object], bool]] = MappingProxyType(
    {
        ("org.freedesktop.appearance", "reduced-motion"): lambda value: value == 1,
        ("org.gnome.desktop.interface", "enable-animations"): lambda value: value is False,
        # A factor, as text: 0 is "instant".
        ("org.kde.kdeglobals.KDE", "AnimationDurationFactor"): lambda value: value in ("0", "0.0"),
    }
)
"""What desktops call it, and when a value asks for less."""


class Motion(QObject):
    """What the system wants. Windows is asked each time, a Mac once, a Linux desktop tells.

    QStyleHints.accessibility() would tell too, but PySide loses that object.

    Signals:
        changed: It wants something else.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._wishes: dict[tuple[str, str], bool] = {}

    @property
    def is_reduced(self) -> bool:
        """Whether nothing should move that need not."""
        if sys.platform == "win32":
            return not QApplication.isEffectEnabled(Qt.UIEffect.UI_General)
        return any(self._wishes.values())

    def ask(self) -> None:
        """Ask the system; nothing waits for its answer."""
        if sys.platform == "darwin":
            self._ask_mac(*_ON_A_MAC)
        elif sys.platform.startswith("linux") and _has_bus():
            self._ask_desktop()

    def _ask_mac(self, program: str, arguments: list[str]) -> None:
        asking = QProcess(self)
        asking.finished.connect(
            lambda: self._note(
                (program, arguments[-1]),
                bytes(asking.readAllStandardOutput().data()).strip() == b"1",
            )
        )
        asking.start(program, arguments)

    def _ask_desktop(self) -> None:
        # Only here: no other system has a bus, and a start is quicker without it.
        from PySide6.QtDBus import QDBusConnection

        from app.portal import Portal

        portal = Portal(QDBusConnection.sessionBus(), self)
        portal.told.connect(self._hear)
        for namespace, key in _ON_LINUX:
            portal.ask(namespace, key)

    def _hear(self, namespace: str, key: str, value: object) -> None:
        if (asks_for_less := _ON_LINUX.get((namespace, key))) is not None:
            self._note((namespace, key), asks_for_less(value))

    def _note(self, key: tuple[str, str], wish: bool) -> None:
        before = self.is_reduced
        self._wishes[key] = wish
        if self.is_reduced != before:
            self.changed.emit()


def _has_bus() -> bool:
    """Whether there is a session bus: where there is none, asking for it may start one."""
    folder = os.environ.get("XDG_RUNTIME_DIR", "")
    named = os.environ.get("DBUS_SESSION_BUS_ADDRESS", "")
    return bool(named) or (bool(folder) and os.path.exists(Path(folder, "bus")))
