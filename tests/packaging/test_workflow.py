"""The workflow that builds every package on its own system."""

from __future__ import annotations

import re
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
