"""The archive for every other Linux: installed, upgraded and removed as a person would."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="for Linux")

NAMES = ("somebody", "Jörg & Müller", 'a"b|c\\d $e`f')


@pytest.fixture(name="archive")
def archive_script(script):
    return script("archive", "linux")


@pytest.fixture(name="kept", scope="module")
def folder_of_all_tests(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("build")


@pytest.fixture(name="root")
def laid_out(archive, kept, tmp_path) -> Path:
    """What the archive unpacks to, with a program that says how it was started."""
    program = kept / "program"
    if not program.exists():
        (program / "app").mkdir(parents=True)
        launcher = program / "foreword"
        launcher.write_text('#!/bin/sh\nprintf "%s\\n" "$0" "$@" >"$SAID"\n', encoding="utf-8")
        launcher.chmod(0o755)
        shutil.copy(shutil.which("sleep"), program / "app" / "foreword")
        archive.lay_out(program, "1.2.3")
    name = "foreword-1.2.3-linux-x86_64"
    return Path(shutil.copytree(kept / "archive" / name, tmp_path / name))


class Person:
    """A user's home, and what is run in it."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.data = home / ".local" / "share"
        self.program = home / ".local" / "opt" / "foreword"
        tools = home.parent / "tools"
        tools.mkdir(parents=True)
        # The tests may run as root, whom install.sh refuses.
        (tools / "id").write_text("#!/bin/sh\necho 1000\n", encoding="utf-8")
        (tools / "id").chmod(0o755)
        kept = {key: value for key, value in os.environ.items() if not key.startswith("XDG_")}
        self.environment = {**kept, "HOME": str(home), "SAID": str(home.parent / "said")}
        self.environment["PATH"] = f"{tools}:{os.environ['PATH']}"

    def run(self, *command: str | Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(word) for word in command],
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )

    def did(self, *command: str | Path) -> str:
        ran = self.run(*command)
        assert (ran.returncode, ran.stderr) == (0, "")
        return ran.stdout

    def files(self) -> list[str]:
        return sorted(str(path.relative_to(self.home)) for path in self.home.rglob("*"))


@pytest.fixture(name="person", params=NAMES)
def anybody(request, tmp_path) -> Person:
    home = tmp_path / "homes" / request.param
    home.mkdir(parents=True)
    return Person(home)


@pytest.fixture(name="somebody")
def person_of_plain_name(tmp_path) -> Person:
    (tmp_path / "homes" / "somebody").mkdir(parents=True)
    return Person(tmp_path / "homes" / "somebody")


def entry(person: Person, archive) -> Path:
    return person.data / "applications" / f"{archive.tree.ID}.desktop"


def test_what_is_installed_starts_from_the_menu_whatever_the_home_is_called(
    archive, root, person
) -> None:
    said = person.did(root / "install.sh")
    assert f"Foreword 1.2.3 is installed in {person.program}.\n" in said
    assert person.did(person.home / ".local/bin/foreword") == ""
    written = entry(person, archive)
    if shutil.which("desktop-file-validate"):
        person.did("desktop-file-validate", written)
    if shutil.which("gio"):
        person.did("gio", "launch", written, "/a file.gguf")
        said_by_program = Path(person.environment["SAID"])
        deadline = 100
        while "/a file.gguf" not in said_by_program.read_text() and (deadline := deadline - 1):
            subprocess.run(["sleep", "0.05"], check=True)
        assert said_by_program.read_text() == f"{person.program}/foreword\n/a file.gguf\n"


def test_what_is_removed_leaves_nothing_behind(root, person) -> None:
    before = person.files()
    person.did(root / "install.sh")
    said = person.did(person.program / "uninstall.sh")
    assert said.startswith("Foreword is removed.")
    left = [name for name in person.files() if name not in before]
    assert left == [".local", ".local/bin", ".local/opt", ".local/share"]


@pytest.mark.skipif(not shutil.which("update-mime-database"), reason="Debian: shared-mime-info")
@pytest.mark.skipif(
    not shutil.which("gtk-update-icon-cache"), reason="Debian: gtk-update-icon-cache"
)
def test_what_others_put_there_stays_and_ours_is_forgotten(archive, root, somebody) -> None:
    mime = somebody.data / "mime"
    icons = somebody.data / "icons" / "hicolor"
    other = mime / "packages" / "other.xml"
    other.parent.mkdir(parents=True)
    ours = archive.tree.HERE / f"{archive.tree.ID}-mime.xml"
    text = ours.read_text(encoding="utf-8")
    other.write_text(text.replace("x-gguf", "x-other").replace("*.gguf", "*.other"), "utf-8")
    (icons / "48x48" / "apps").mkdir(parents=True)
    shutil.copy(
        root / f"share/icons/hicolor/48x48/apps/{archive.tree.ID}.png",
        icons / "48x48/apps/other.png",
    )
    somebody.did("gtk-update-icon-cache", "--quiet", "--force", "--ignore-theme-index", icons)
    somebody.did(root / "install.sh")
    assert "application/x-gguf" in (mime / "globs2").read_text(encoding="utf-8")
    assert archive.tree.ID.encode() in (icons / "icon-theme.cache").read_bytes()
    somebody.did(somebody.program / "uninstall.sh")
    known = (mime / "globs2").read_text(encoding="utf-8")
    assert "application/x-other" in known
    assert "application/x-gguf" not in known
    assert not (mime / "application" / "x-gguf.xml").exists()
    kept = (icons / "icon-theme.cache").read_bytes()
    assert b"other" in kept
    assert archive.tree.ID.encode() not in kept


def test_a_newer_version_takes_away_what_only_the_older_one_had(archive, root, somebody) -> None:
    only_old = root / "share" / "metainfo" / "old" / "gone.xml"
    only_old.parent.mkdir()
    only_old.write_text("", encoding="utf-8")
    listed = root / "foreword" / "share.list"
    now = listed.read_text(encoding="utf-8")
    listed.write_text(f"metainfo/old/gone.xml\n{now}", encoding="utf-8")
    somebody.did(root / "install.sh")
    assert (somebody.data / "metainfo/old/gone.xml").exists()
    shutil.rmtree(only_old.parent)
    listed.write_text(now, encoding="utf-8")
    somebody.did(root / "install.sh")
    assert not (somebody.data / "metainfo/old").exists()
    assert entry(somebody, archive).exists()


def test_while_it_runs_nothing_is_replaced_or_removed(root, somebody) -> None:
    somebody.did(root / "install.sh")
    running = subprocess.Popen([str(somebody.program / "app" / "foreword"), "60"])
    try:
        before = somebody.files()
        installing, removing = (
            somebody.run(script)
            for script in (root / "install.sh", somebody.program / "uninstall.sh")
        )
        assert somebody.files() == before
    finally:
        running.kill()
        running.wait()
    assert (installing.returncode, removing.returncode) == (1, 1)
    assert installing.stderr == (
        "Foreword was not installed: the one that is installed is running. "
        "Close it and run this again.\n"
    )
    assert removing.stderr == (
        "Foreword was not removed: it is running. Close it and run this again.\n"
    )
    somebody.did(somebody.program / "uninstall.sh")


def test_a_place_that_takes_no_menu_entry_is_told_and_a_second_try_mends_it(
    archive, root, somebody
) -> None:
    somebody.data.mkdir(parents=True)
    (somebody.data / "applications").touch()  # no folder, as a full disk would have none
    ran = somebody.run(root / "install.sh")
    assert ran.returncode == 1
    assert "its menu entry could not be written to" in ran.stderr
    assert ran.stderr.endswith("Make room, check the permissions there, and run this again.\n")
    (somebody.data / "applications").unlink()
    somebody.did(root / "install.sh")
    assert entry(somebody, archive).exists()
    somebody.did(somebody.program / "uninstall.sh")


def test_what_there_is_no_room_for_leaves_the_old_one_as_it_was(root, somebody) -> None:
    somebody.did(root / "install.sh")
    before = somebody.files()
    limit = "ulimit -f 0; trap '' XFSZ; exec sh"  # no file may grow, as on a full disk
    ran = somebody.run("sh", "-c", f"{limit} {root / 'install.sh'}")
    assert ran.returncode == 1
    assert ran.stderr == (
        f"Foreword was not installed: there is no room for it in {somebody.home}/.local. "
        "Make room and run this again.\n"
    )
    assert somebody.files() == before


def test_another_installation_is_told_of(root, somebody, tmp_path) -> None:
    script = root / "install.sh"
    text = script.read_text(encoding="utf-8")
    other = tmp_path / "opt" / "foreword" / "foreword"
    assert text.count("/opt/foreword/foreword ]") == 1
    script.write_text(text.replace("/opt/foreword/foreword ]", f"{other} ]"), encoding="utf-8")
    assert "Another one" not in somebody.did(script)
    other.parent.mkdir(parents=True)
    shutil.copy(root / "foreword" / "foreword", other)
    assert "Another one is in /opt/foreword;" in somebody.did(script)


def test_what_is_not_installed_cannot_be_removed(root, somebody) -> None:
    ran = somebody.run(root / "uninstall.sh")
    assert (ran.returncode, ran.stderr) == (
        1,
        f"Foreword was not removed: there is none in {somebody.program}.\n",
    )
