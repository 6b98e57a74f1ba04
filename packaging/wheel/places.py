"""The folders that setting up reads and writes."""

from __future__ import annotations

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PIN = Path(__file__).resolve().with_name("llama-cpp-python.txt")
VENV = ROOT / ".venv"


def python() -> str:
    """The interpreter in ``.venv``."""
    return str(VENV / "bin" / "python")


def pip() -> list[str]:
    """The command that runs the pip in ``.venv``."""
    return [python(), "-m", "pip", "--disable-pip-version-check", "--no-input"]


def cache() -> Path:
    """Foreword's cache folder, the one that ``engine.paths.cache_folder`` names too."""
    if own := os.environ.get("FOREWORD_CACHE", "").strip():
        return Path(own).expanduser().absolute()
    usual = "~/Library/Caches" if sys.platform == "darwin" else "~/.cache"
    return Path(os.environ.get("XDG_CACHE_HOME") or usual).expanduser() / "foreword"


def pinned_version() -> str:
    """The release of llama-cpp-python that ``llama-cpp-python.txt`` names."""
    for line in PIN.read_text(encoding="utf-8").splitlines():
        name, equals, version = line.partition("==")
        if name.strip() == "llama-cpp-python" and equals:
            return version.strip()
    raise SystemExit(f"{PIN} must hold a line llama-cpp-python==VERSION.")
