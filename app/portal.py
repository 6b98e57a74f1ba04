"""What a Linux desktop tells programs of its settings, through its portal on the session bus."""

from __future__ import annotations

from PySide6.QtCore import SLOT, QObject, Signal, Slot
from PySide6.QtDBus import QDBusConnection, QDBusMessage, QDBusPendingCallWatcher, QDBusVariant

# https://flatpak.github.io/xdg-desktop-portal/docs/doc-org.freedesktop.portal.Settings.html
_PLACE = (
    "org.freedesktop.portal.Desktop",
    "/org/freedesktop/portal/desktop",
    "org.freedesktop.portal.Settings",
)


class Portal(QObject):
    """Nothing is waited for: a desktop without a portal never answers.

    Signals:
        told: Namespace, key and value of a setting: of those asked for, and of all that change.
    """

    told = Signal(str, str, object)

    def __init__(self, bus: QDBusConnection, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bus = bus
        slot = SLOT("hear(QDBusMessage)")  # text, whatever PySide's annotations say
        bus.connect(*_PLACE, "SettingChanged", self, slot)  # type: ignore[call-overload]

    def ask(self, namespace: str, key: str) -> None:
        """Have a setting told, if the desktop knows it."""
        call = QDBusMessage.createMethodCall(*_PLACE, "Read")
        call.setArguments([namespace, key])
        waiting = QDBusPendingCallWatcher(self._bus.asyncCall(call), self)
        waiting.finished.connect(lambda: self._take(namespace, key, waiting))

    @Slot(QDBusMessage)
    def hear(self, message: QDBusMessage) -> None:
        """A setting is another."""
        namespace, key, value = message.arguments()
        self.told.emit(namespace, key, _bare(value))

    def _take(self, namespace: str, key: str, waiting: QDBusPendingCallWatcher) -> None:
        if not waiting.isError():
            self.told.emit(namespace, key, _bare(waiting.reply().arguments()[0]))
        waiting.deleteLater()


def _bare(value: object) -> object:
    """A value out of its variants: older portals wrap it in two."""
    while isinstance(value, QDBusVariant):
        value = value.variant()
    return value
