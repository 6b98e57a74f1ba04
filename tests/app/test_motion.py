"""What the system wants to move: asked without waiting, and heard of when it changes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from app import motion
from app.motion import Motion
from app.theme import Theme
from tests.app.windows import until
from tests.support.workers import ROOT, script

PORTAL = """
import sys
from jeepney import DBusAddress, HeaderFields, MessageType, new_error, new_method_return, new_signal
from jeepney.bus_messages import message_bus
from jeepney.io.blocking import open_dbus_connection

namespace, key, kind, first, then = sys.argv[1:]
value = {"b": lambda text: text == "true", "u": int, "s": str}[kind]
bus = open_dbus_connection()
bus.send_and_get_reply(message_bus.RequestName("org.freedesktop.portal.Desktop"))
print("ready", flush=True)
asked = 0
while True:
    call = bus.receive()
    if call.header.fields.get(HeaderFields.member) != "Read":
        continue
    if call.body == (namespace, key):
        bus.send(new_method_return(call, "v", (("v", (kind, value(first))),)))
    else:
        bus.send(new_error(call, "org.freedesktop.portal.Error.NotFound"))
    asked += 1
    if asked == 3:
        place = DBusAddress(
            "/org/freedesktop/portal/desktop", interface="org.freedesktop.portal.Settings"
        )
        for said in ((namespace, key, (kind, value(then))), ("org.example", "key", ("s", "1"))):
            bus.send(new_signal(place, "SettingChanged", "ssv", said))
"""

CLIENT = """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from app.theme import Theme

app = QApplication([])
theme = Theme("light")
said = []
def hear():
    said.append(theme.reduced_motion)
    if len(said) == 2:
        app.quit()
theme.changed.connect(hear)
theme.motion.ask()
assert not theme.reduced_motion  # nothing waits
QTimer.singleShot(10_000, app.quit)
app.exec()
print(said)
"""

on_linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="a Linux desktop's")


@pytest.fixture(name="bus")
def _session_bus(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    daemon = shutil.which("dbus-daemon")
    if daemon is None:
        pytest.skip("dbus-daemon is not here (Debian: dbus)")
    command = [daemon, "--session", "--nofork", "--print-address"]
    pipe = subprocess.PIPE
    running = subprocess.Popen(command, stdout=pipe, stderr=subprocess.DEVNULL, text=True)
    assert running.stdout is not None
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", running.stdout.readline().strip())
    yield
    running.kill()
    running.communicate()


@on_linux
@pytest.mark.usefixtures("bus")
@pytest.mark.parametrize(
    ("namespace", "key", "kind", "less", "more"),
    [
        ("org.freedesktop.appearance", "reduced-motion", "u", "1", "0"),
        ("org.gnome.desktop.interface", "enable-animations", "b", "false", "true"),
        ("org.kde.kdeglobals.KDE", "AnimationDurationFactor", "s", "0", "1"),
    ],
)
def test_a_desktop_tells_at_first_and_when_it_changes(
    namespace: str, key: str, kind: str, less: str, more: str
) -> None:
    told = [namespace, key, kind, less, more]
    portal = subprocess.Popen([*script(PORTAL), *told], stdout=subprocess.PIPE, text=True)
    assert portal.stdout is not None
    assert portal.stdout.readline() == "ready\n"
    asked = subprocess.run(
        script(CLIENT), cwd=ROOT, capture_output=True, text=True, timeout=30, check=False
    )
    portal.kill()
    portal.communicate()
    assert (asked.stdout, asked.stderr) == ("[True, False]\n", "")


@on_linux
def test_without_a_bus_nothing_is_asked(
    qapp, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS", raising=False)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setattr(Motion, "_ask_desktop", lambda _self: pytest.fail("a bus was asked for"))
    Motion().ask()


@pytest.mark.skipif(os.name == "nt", reason="a script of the shell's")
@pytest.mark.parametrize(
    ("answer", "reduced"), [("echo 1", True), ("echo 0", False), ("exit 1", False)]
)
def test_a_mac_answers_with_one_or_nothing(
    qapp, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, answer: str, reduced: bool
) -> None:
    program = tmp_path / "defaults"
    program.write_text(
        f"#!/bin/sh\n[ \"$*\" = 'read com.apple.universalaccess reduceMotion' ] && {answer}\n"
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    theme = Theme("light")
    told: list[bool] = []
    theme.changed.connect(lambda: told.append(theme.reduced_motion))
    theme.motion._ask_mac(*motion._ON_A_MAC)
    until(lambda: theme.motion._wishes)
    assert theme.reduced_motion is reduced
    assert told == [True] * reduced


def test_a_choice_of_the_users_outranks_the_system(qapp) -> None:
    theme = Theme("light", reduced_motion=False)
    told: list[None] = []
    theme.changed.connect(lambda: told.append(None))
    theme.motion._note(("a desktop", "says"), True)
    assert not theme.reduced_motion
    assert told == []
