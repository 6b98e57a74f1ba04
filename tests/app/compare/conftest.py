"""The theme and the language that widgets are tested in."""

from __future__ import annotations

from tests.app.panel.conftest import english, theme

__all__ = ["english", "theme"]  # fixtures, found here by name
