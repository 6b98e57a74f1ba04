"""``foreword --selftest``, in a process of its own as it is called."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def selftest(folder: Path, **environment: str) -> tuple[int, list[str]]:
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-m", "app.main", "--selftest"],
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(folder), **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.stderr == ""
    return ran.returncode, ran.stdout.splitlines()


def test_a_whole_installation_passes_and_leaves_nothing(own_folders, tmp_path) -> None:
    folder = tmp_path / "temporary"
    folder.mkdir()
    # A display that is not there is none of its business.
    code, said = selftest(folder, DISPLAY=":4711", QT_QPA_PLATFORM="xcb")
    assert code == 0, said
    assert said[-1] == "All parts work."
    assert {"database", "window"} <= {line[8:].partition(":")[0] for line in said[1:-1]}
    assert not any(folder.iterdir())
    assert not own_folders.exists()  # the user's


def test_what_does_not_work_is_told_in_its_line(own_folders, tmp_path) -> None:
    broken = tmp_path / "libraries"
    broken.mkdir()
    code, said = selftest(tmp_path, LLAMA_CPP_LIB_PATH=str(broken))
    assert code == 1
    assert said[1].startswith("FAILED  libraries: ")
    assert said[-2].startswith("ok      window: ")
    assert said[-1].startswith("Something does not work")
