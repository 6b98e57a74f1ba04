"""The workflow that builds every package on its own system."""

from __future__ import annotations

import re
from pathlib import Path

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


def test_every_package_runs_before_it_is_kept() -> None:
    """Either the workflow starts it, or the script that builds it does."""
    for job, builder in (("linux", ""), ("macos", "macos/dmg.py"), ("windows", "")):
        ran = " ".join(step.get("run", "") for step in JOBS[job]["steps"])
        if builder:
            assert builder in ran
            ran = (ROOT / "packaging" / builder).read_text(encoding="utf-8")
        assert "--selftest" in ran
