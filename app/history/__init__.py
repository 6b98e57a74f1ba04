"""Conversations in one SQLite file: kept as they stream, searched, exported. No Qt in here."""

from app.history.incoming import Incoming
from app.history.markdown import Words
from app.history.model import Changes, Conversation, Entry, Hit, Said, Span, State
from app.history.store import Store

__all__ = [
    "Changes",
    "Conversation",
    "Entry",
    "Hit",
    "Incoming",
    "Said",
    "Span",
    "State",
    "Store",
    "Words",
]
