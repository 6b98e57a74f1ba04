"""The head of the sheet."""

from app.topbar.topbar import MOST_GAMMA, TopBar

__all__ = ["MOST_GAMMA", "TopBar"]
