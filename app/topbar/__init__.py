"""The head of the sheet."""

from app.topbar.topbar import TopBar

__all__ = ["TopBar"]
