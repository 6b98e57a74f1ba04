"""Imports the Hub's library, whatever HF_ENDPOINT says."""

from __future__ import annotations

import os
from urllib.parse import urlsplit


def _prepare() -> None:
    """The library breaks at its import on what is no address, and then nobody says so.

    It is given the address with each call, and what is none is refused there.
    """
    named = os.environ.get("HF_ENDPOINT", "")
    try:
        urlsplit(named)
    except ValueError:
        del os.environ["HF_ENDPOINT"]
        try:
            import huggingface_hub.constants  # noqa: F401
        finally:
            os.environ["HF_ENDPOINT"] = named


_prepare()
