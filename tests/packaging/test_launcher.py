"""The launcher: whatever the system lacks is said on the screen, before the loader ends it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="for Linux")

TRACE = """#!/bin/sh
printf '%s' "$LACKING"
"""
DIALOG = """#!/bin/sh
printf '%s\\n' "$*" >"$DIALOG_SAID"
[ "${1:-}" != -center ] || cat >>"$DIALOG_SAID"
"""


class System:
    """A launcher as installed, on a system that the test makes up."""

    def __init__(self, script, folder: Path) -> None:
        tree = script("tree", "linux")
        self.folder = folder
        self.commands = folder / "bin"
        self.commands.mkdir()
        # Nothing else: this machine may have a dialog of its own.
        for tool in ("dirname", "readlink", "sed", "sort", "tr", "fold", "cat"):
            (self.commands / tool).symlink_to(shutil.which(tool))
        self.answer("uname", "x86_64")
        self.answer("getconf", "glibc 2.35")
        (folder / "app/_internal").mkdir(parents=True)
        (folder / "app/_internal/base_library.zip").touch()
        self.program("app/foreword", 'printf "started %s\\n" "$*"')
        tree.put(
            tree.HERE / "launcher.sh", folder / "foreword", executable=True, **tree.launcher_words()
        )
        self.loader = self.program("ld.so", TRACE)
        self.put("loader=/lib64/ld-linux-x86-64.so.2\n", f"loader={self.loader}\n")
        # With that variable set, the shell that stands in for the loader would be traced itself.
        self.put("LD_TRACE_LOADED_OBJECTS=1 ", "")

    def put(self, old: str, new: str) -> None:
        """Change a piece of the launcher."""
        launcher = self.folder / "foreword"
        before, found, after = launcher.read_text().partition(old)
        assert found
        launcher.write_text(f"{before}{new}{after}")

    def answer(self, command: str, words: str, status: int = 0) -> None:
        """Have a command say something."""
        self.program(f"bin/{command}", f"echo '{words}'\nexit {status}")

    def program(self, name: str, body: str) -> Path:
        path = self.folder / name
        path.write_text(body if body.startswith("#!") else f"#!/bin/sh\n{body}\n")
        path.chmod(0o755)
        return path

    def start(self, *arguments: str, lacking: str = "", display: str = "") -> tuple[int, str, str]:
        """Exit code, output, and what stood on standard error."""
        ran = subprocess.run(
            ["/bin/sh", str(self.folder / "foreword"), *arguments],
            env={
                "PATH": str(self.commands),
                "LACKING": lacking,
                "DISPLAY": display,
                "DIALOG_SAID": str(self.folder / "said"),
            },
            capture_output=True,
            text=True,
            check=False,
        )
        return ran.returncode, ran.stdout, ran.stderr


@pytest.fixture(name="system")
def made_up_system(script, tmp_path) -> System:
    return System(script, tmp_path)


def test_where_all_is_there_it_hands_the_command_line_on(system) -> None:
    assert system.start("chat", "a b") == (0, "started chat a b\n", "")


@pytest.mark.parametrize("version", ["2.34", "2.9", "1.99"])
def test_an_old_glibc_is_told(system, version) -> None:
    system.answer("getconf", f"glibc {version}")
    code, out, said = system.start()
    assert (code, out) == (1, "")
    assert f"needs glibc 2.35 or newer, and this system has {version}." in said


@pytest.mark.parametrize("version", ["2.35", "2.36", "2.100", "3.0"])
def test_a_newer_one_is_fine(system, version) -> None:
    system.answer("getconf", f"glibc {version}")
    assert system.start()[0] == 0


def test_another_c_library_is_told(system) -> None:
    system.answer("getconf", "", status=1)
    code, _out, said = system.start()
    assert code == 1
    assert "another C library" in said


def test_a_system_without_glibc_is_told_even_where_nothing_tells_its_version(system) -> None:
    (system.commands / "getconf").unlink()
    assert system.start()[0] == 0
    system.loader.unlink()
    code, out, said = system.start()
    assert (code, out) == (1, "")
    assert said == (
        f"Foreword cannot start: it needs glibc 2.35 or newer, and this system has no "
        f"{system.loader}.\n"
    )


def test_another_processor_is_told(system) -> None:
    system.answer("uname", "aarch64")
    assert "x86-64 processors, and this one is aarch64" in system.start()[2]


@pytest.mark.parametrize("part", ["app/_internal/base_library.zip", "app/foreword"])
def test_a_package_that_is_not_whole_is_told(system, part) -> None:
    (system.folder / part).unlink()
    code, out, said = system.start()
    assert (code, out) == (1, "")
    assert said.endswith("Install it again.\n")


LACKING = "\tlibEGL.so.1 => not found\n\tlibc.so.6 => /lib/libc.so.6 (0x00)\n"
OLD = "x: /lib/libstdc++.so.6: version `GLIBCXX_3.4.30' not found (required by x)\n"


@pytest.mark.parametrize(
    ("lacking", "name", "package"),
    [(LACKING, "libEGL.so.1", "libegl1"), (OLD, "GLIBCXX_3.4.30", "libstdc++6")],
)
def test_missing_libraries_are_told_with_what_to_install(system, lacking, name, package) -> None:
    code, _out, said = system.start(lacking=lacking, display=":0")
    assert code == 1
    assert f"this system lacks {name}." in said
    assert f"Debian calls those: {package}" in said


BOTH = LACKING + OLD


@pytest.mark.parametrize(
    ("manager", "command"),
    [
        ("apt-get", "sudo apt-get install libegl1 libstdc++6"),
        (
            "dnf",
            "sudo dnf install 'libstdc++.so.6(GLIBCXX_3.4.30)(64bit)' 'libEGL.so.1()(64bit)'",
        ),
        (
            "zypper",
            "sudo zypper install 'libstdc++.so.6(GLIBCXX_3.4.30)(64bit)' 'libEGL.so.1()(64bit)'",
        ),
    ],
)
def test_the_command_is_that_of_the_systems_own_packages(system, manager, command) -> None:
    system.answer(manager, "")
    assert f"Run: {command}" in system.start(lacking=BOTH, display=":0")[2]


@pytest.mark.parametrize("dialog", ["zenity", "kdialog", "xmessage", "notify-send"])
def test_on_a_desktop_a_dialog_says_it(system, dialog) -> None:
    system.program(f"bin/{dialog}", DIALOG)
    system.answer("getconf", "glibc 2.31")
    assert system.start(display=":0")[0] == 1
    assert "this system has 2.31" in " ".join((system.folder / "said").read_text().split())


def test_without_a_display_nothing_is_opened(system) -> None:
    system.program("bin/zenity", DIALOG)
    system.answer("getconf", "glibc 2.31")
    assert "this system has 2.31" in system.start()[2]
    assert not (system.folder / "said").exists()
