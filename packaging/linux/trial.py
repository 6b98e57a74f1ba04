"""``make package-test``: install the .deb in a clean system, use it as a person would, remove it.

Needs root, for it makes a system of its own in a folder. There is no network in it.
"""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "wheel"))
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import clean_root
import inputs
import places
import steps
import system
import tree
from desk import Desk, wait

from engine import paths
from engine.models import starter

START_LIMIT, READY_LIMIT = 1.5, 1.0
"""Seconds: a second start to a window that is there, the engine's process to its answer."""

TRIAL = places.ROOT / "build" / "trial"
_INSIDE = "FOREWORD_TRIAL_INSIDE"
_QUESTION = "Say hello in one short sentence."
# Nothing of these is the package's: what dpkg keeps about every package, and its log.
_DPKGS_OWN = re.compile(r"var/lib/dpkg/|var/log/|var/cache/|etc/ld\.so\.cache$")


def main() -> None:
    """Prepare with the network, then go where there is none and try."""
    if os.geteuid() != 0:
        sys.exit("make package-test makes a system of its own in a folder: run it as root.")
    deb = next((places.ROOT / "dist").glob("*.deb"))
    if _INSIDE in os.environ:
        Trial(deb).run()
        inputs.passed()
        return
    system.ensure(system.TRYING + system.X11)
    shutil.rmtree(TRIAL, ignore_errors=True)
    _try_wheel()
    _try_processors()
    clean_root.obtain(deb)
    command = ["unshare", "--mount", "--net", "--propagation", "private", "--", sys.executable]
    os.execvpe(command[0], [*command, __file__], {**os.environ, _INSIDE: "1"})


def _try_wheel() -> None:
    """Foreword's own wheel, by itself in a folder, with the libraries of ``.venv``."""
    site = TRIAL / "wheel"
    install = [*places.pip(), "install", "--no-deps", "--target", str(site), str(places.ROOT)]
    steps.run("Building and installing the wheel ...", install, "wheel")
    told = subprocess.run(
        [places.python(), "-P", "-m", "app.main", "--selftest"],
        cwd=TRIAL,
        env={**os.environ, "PYTHONPATH": str(site)},
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    steps.say(told.stdout.rstrip())
    if told.returncode != 0:
        raise SystemExit("FAILED: foreword --selftest from the wheel")


def _try_processors() -> None:
    steps.run(
        "Drafting and verifying on emulated processors of 2008 and 2013 ...",
        [places.python(), "-m", "pytest", "-q", "tests/packaging/test_processors.py"],
        "processors",
    )


class Trial:
    """One clean system, and what is done in it."""

    def __init__(self, deb: Path) -> None:
        self.deb = deb
        self.root = TRIAL / "root"
        self.home = self.root / clean_root.HOME.lstrip("/")

    def run(self) -> None:
        """All of it; SystemExit at the first thing that is wrong."""
        clean_root.unpack(clean_root.obtain(self.deb), self.root)
        self._mount()
        before = set(self._files())
        self._as_root("Installing the package ...", "dpkg", "--install", "/package.deb")
        self._selftest()
        with Desk() as desk:
            self._converse(desk)
            self._measure_starts(desk)
        self._as_root("Removing the package ...", "dpkg", "--purge", "foreword")
        self._look_for_rests(before)
        steps.say(f"All is well. The screen is in {TRIAL.relative_to(places.ROOT)}/screen.png")

    # The system -------------------------------------------------------------------------------

    def _mount(self) -> None:
        """What a system has besides its files; gone when this process is."""
        shutil.copy(self.deb, self.root / "package.deb")
        models = self.home / ".local/share/foreword/models"
        pair = [starter.installed(file) for file in starter.STARTER_PAIR]
        if None in pair:
            raise SystemExit("FAILED: the starter pair is not here. Run: foreword models fetch")
        sockets = self.root / "tmp/.X11-unix"
        for folder in (models, sockets):
            folder.mkdir(parents=True)
        Path("/tmp/.X11-unix").mkdir(mode=0o1777, exist_ok=True)
        for kind, source, target in (
            (["-t", "proc"], "proc", self.root / "proc"),
            (["--bind"], "/dev", self.root / "dev"),
            (["--bind"], "/tmp/.X11-unix", sockets),
            (["--bind", "-o", "ro"], str(paths.models_folder()), models),
        ):
            subprocess.run(["mount", *kind, source, str(target)], check=True)
        for folder in (*reversed(models.parents), models):
            if folder.is_relative_to(self.home) and folder != models:
                os.chown(folder, clean_root.USER, clean_root.USER)

    def _files(self) -> Iterator[str]:
        """Every file of the system's, but for those of devices, processes and the moment."""
        passing = {self.root / name for name in ("proc", "dev", "tmp")}
        for folder, names, files in os.walk(self.root):
            names[:] = [name for name in names if Path(folder) / name not in passing]
            for name in (*names, *files):
                yield str((Path(folder) / name).relative_to(self.root))

    def _as_root(self, sentence: str, *command: str) -> None:
        steps.run(sentence, ["chroot", str(self.root), *command], command[0])

    def _as_user(self, *command: str, display: str = "") -> list[str]:
        """A command as a person's session gives it."""
        user = f"{clean_root.USER}:{clean_root.USER}"
        variables = {"HOME": clean_root.HOME, "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin"}
        if display:
            variables["DISPLAY"] = display
        given = [f"{name}={value}" for name, value in variables.items()]
        return ["chroot", f"--userspec={user}", str(self.root), "env", "-i", *given, *command]

    # What a person does -----------------------------------------------------------------------

    def _selftest(self) -> None:
        seconds = []
        for _run in range(3):
            command = self._as_user("foreword", "--selftest")
            ran = subprocess.run(command, capture_output=True, text=True, check=False)
            if ran.returncode != 0:
                raise SystemExit(f"FAILED: foreword --selftest\n{ran.stdout}{ran.stderr}")
            if not (told := re.search(r"ready after ([\d.]+) s", ran.stdout)):
                raise SystemExit(f"FAILED: how long the engine took is not told\n{ran.stdout}")
            seconds.append(float(told[1]))
        steps.say(ran.stdout.rstrip())
        _keep_to("the engine's process to ready", min(seconds), READY_LIMIT)

    def _converse(self, desk: Desk) -> None:
        """Start from the menu's entry, ask, wait for the reply, look, and close."""
        entry = f"/usr/share/applications/{tree.ID}.desktop"
        command = self._as_user("gio", "launch", entry, display=desk.display)
        subprocess.run(command, check=True)
        window = wait("the window", desk.windows, 30)[0]
        log = self.home / ".local/state/foreword/log/engine.log"
        wait("loading the starter pair", lambda: log.exists() and "Loaded " in log.read_text(), 120)
        steps.say("The window is there and the starter pair is loaded.")
        time.sleep(1)
        desk.type(window, _QUESTION, "Return")
        try:
            reply = wait("a reply", self._reply, 180, every=0.5)
        finally:
            colours = desk.grab(TRIAL / "screen.png")
        steps.say(f"It was asked: {_QUESTION} It said: {reply}")
        if colours < 40:
            raise SystemExit(f"FAILED: the screen shows {colours} colours")
        self._close(desk, window)

    def _reply(self) -> str:
        database = self.home / ".local/share/foreword/conversations.db"
        if not database.exists():
            return ""
        with closing(sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True)) as connection:
            rows = connection.execute(
                "SELECT content FROM entries WHERE role = 'assistant' AND state = 'complete'"
            ).fetchall()
        return str(rows[0][0]).strip() if rows else ""

    def _close(self, desk: Desk, window: str) -> None:
        """As a person does; no process of it may be left."""
        desk.type(window, "", "ctrl+q")
        wait("closing", lambda: not desk.windows() and not self._processes(), 15)

    def _processes(self) -> list[int]:
        """Processes of the package's."""
        found = []
        for path in Path("/proc").glob("[0-9]*"):
            try:
                program = os.readlink(path / "exe")
            except OSError:
                continue
            if program.startswith(f"{self.root}/opt/foreword/"):
                found.append(int(path.name))
        return found

    def _measure_starts(self, desk: Desk) -> None:
        seconds = []
        for _start in range(3):
            started = time.monotonic()
            command = self._as_user("foreword", display=desk.display)
            process = subprocess.Popen(command)
            window = wait("the window", desk.windows, 30, every=0.005)[0]
            seconds.append(time.monotonic() - started)
            wait("the engine", lambda: len(self._processes()) > 1, 30)
            time.sleep(2)
            self._close(desk, window)
            process.wait()
        _keep_to("second start to the window", min(seconds), START_LIMIT)

    def _look_for_rests(self, before: set[str]) -> None:
        left = [name for name in self._files() if name not in before]
        users = clean_root.HOME.lstrip("/") + "/"
        rests = [name for name in left if not name.startswith(users) and not _is_dpkgs(name)]
        if rests:
            raise SystemExit("FAILED: the package left behind\n" + "\n".join(rests[:40]))
        kept = [name for name in left if name.startswith(users) and name.endswith(".db")]
        if not kept:
            raise SystemExit("FAILED: the conversations went with the package")
        steps.say("Removed, and nothing is left but the user's data.")


def _is_dpkgs(name: str) -> bool:
    return bool(_DPKGS_OWN.match(name))


def _keep_to(what: str, seconds: float, limit: float) -> None:
    steps.say(f"{what}: {seconds:.2f} s (at most {limit:.1f} s)")
    if seconds > limit:
        raise SystemExit(f"FAILED: {what} takes too long")


if __name__ == "__main__":
    main()
