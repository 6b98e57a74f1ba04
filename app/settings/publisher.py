"""Who publishes this Foreword, as ``assets/publisher.toml`` says."""

from __future__ import annotations

import tomllib

from engine import paths


def home_page() -> str:
    """Where new versions are; empty where the publisher names no page."""
    published = tomllib.loads(paths.asset("publisher.toml").read_text(encoding="utf-8"))
    return str(published["home_page"])
