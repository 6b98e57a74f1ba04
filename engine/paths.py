"""Where things lie: the user's folders, each with an override, and the assets shipped with us.

The environment is read at each call, so that a test or a launcher may point a place elsewhere. No
function here makes a folder: whoever writes into one does.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import platformdirs

from engine.errors import FileMissing

_APP = "foreword"


def models_folder() -> Path:
    """Where model files lie, by plain names a person can find (FOREWORD_MODELS)."""
    return _override("FOREWORD_MODELS") or _user_data() / "models"


def data_folder() -> Path:
    """Where conversations lie (FOREWORD_DATA)."""
    return _override("FOREWORD_DATA") or _user_data()


def config_folder() -> Path:
    """Where settings lie (FOREWORD_CONFIG)."""
    return _override("FOREWORD_CONFIG") or platformdirs.user_config_path(_APP, appauthor=False)


def log_folder() -> Path:
    """Where logs lie (FOREWORD_LOGS). They never hold a message's text."""
    return _override("FOREWORD_LOGS") or platformdirs.user_log_path(_APP, appauthor=False)


def cache_folder() -> Path:
    """Where things lie that can be made again (FOREWORD_CACHE)."""
    return _override("FOREWORD_CACHE") or platformdirs.user_cache_path(_APP, appauthor=False)


def settings_file() -> Path:
    """The settings, as TOML."""
    return config_folder() / "settings.toml"


def asset(name: str) -> Path:
    """The file or folder ``name`` among the assets: in a checkout, a wheel or a frozen build.

    Raises:
        FileMissing: The installation lacks it; the path is the first place looked at.
    """
    places = [root / name for root in _asset_roots()]
    for place in places:
        if place.exists():
            return place
    raise FileMissing(path=places[0], detail=f"looked at {', '.join(map(str, places))}")


def _asset_roots() -> list[Path]:
    package = Path(__file__).resolve().parent
    frozen: str | None = getattr(sys, "_MEIPASS", None)  # set by the bootloader of a frozen build
    roots = [Path(frozen) / "assets"] if frozen else []
    return [*roots, package / "assets", package.parent / "assets"]


def _user_data() -> Path:
    return platformdirs.user_data_path(_APP, appauthor=False)


def _override(variable: str) -> Path | None:
    value = os.environ.get(variable, "").strip()
    # Absolute, because the worker may be started in another folder than the one this was set in.
    return Path(os.path.expanduser(value)).absolute() if value else None
