"""The conversations beside the chat: the list by day, and what a search found."""

from app.sidebar.sidebar import Sidebar

__all__ = ["Sidebar"]
