"""The workflow that builds every package on its own system."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / ".github" / "workflows" / "packages.yml").read_text(encoding="utf-8")
JOBS = yaml.safe_load(TEXT)["jobs"]


def test_each_system_builds_and_keeps_its_packages() -> None:
    assert set(JOBS) == {"linux", "macos", "windows"}
    for job in JOBS.values():
        assert "timeout-minutes" in job
        kept = job["steps"][-1]
        assert kept["uses"].startswith("actions/upload-artifact@")
        assert kept["with"]["if-no-files-found"] == "error"


def test_it_builds_without_secrets() -> None:
    assert "secrets." not in TEXT


def test_the_scripts_that_it_runs_are_there() -> None:
    named = re.findall(r"packaging[\\/][\w\\/.-]+\.(?:py|txt)", TEXT)
    assert len(named) >= 5
    for name in named:
        assert (ROOT / name.replace("\\", "/")).is_file(), name


def test_on_linux_nothing_is_left_to_be_installed_by_somebody_who_may(script) -> None:
    """The runner is no root, and ``make package`` would end with what to install."""
    system = script("system")
    needed = system.RUNNING + system.COMPILER + system.PACKAGING + system.QT + system.X11
    installed = next(
        step["run"] for step in JOBS["linux"]["steps"] if step.get("name") == "System packages"
    ).split()
    # The image and actions/setup-python bring these.
    there = {
        "python3-venv",
        "g++",
        "make",
        "dpkg",
        *(each.package for each in system.python_library()),
    }
    assert {each.package for each in needed} - there <= set(installed)


@pytest.mark.skipif(not shutil.which("bash"), reason="bash is not here")
def test_what_it_has_linux_run_is_shell() -> None:
    for step in JOBS["linux"]["steps"]:
        subprocess.run(["bash", "-n", "-c", step.get("run", "")], check=True)


def test_metal_is_for_apple_silicon_alone() -> None:
    built = JOBS["macos"]["strategy"]["matrix"]["include"]
    off = {each["machine"]: "-DGGML_METAL=OFF" in each["arguments"].split() for each in built}
    assert off == {"arm64": False, "x86_64": True}


@pytest.mark.parametrize("builder", ["linux/package.py", "macos/dmg.py", "windows/installer.py"])
def test_every_package_runs_before_it_is_packed_and_has_its_sum(builder) -> None:
    text = (ROOT / "packaging" / builder).read_text(encoding="utf-8")
    assert text.index('"--selftest"') < text.index("sums.write(")


def test_what_was_built_is_installed_and_runs() -> None:
    for job in ("linux", "windows"):
        assert "--selftest" in " ".join(step.get("run", "") for step in JOBS[job]["steps"])
