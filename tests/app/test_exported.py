"""An exported chat for people."""

from __future__ import annotations

import pytest

from app.exported import words
from app.history.markdown import to_markdown
from app.history.model import Conversation, Entry, State

FIGURES = {"tokens": 1214, "tokens_per_second": 23.06, "drafted": 9, "acceptance_rate": 0.714}


@pytest.mark.usefixtures("qapp", "english")
def test_in_english_it_is_the_file_that_the_history_writes() -> None:
    conversation = Conversation(1, "", 0.0, 0.0, system="Be brief.")
    entries = [
        Entry(1, 1, "user", "Why?", attachments=[{"name": "a.md", "text": "b"}]),
        *(Entry(2, 1, "assistant", "So.", state=state, figures=FIGURES) for state in State),
    ]
    assert to_markdown(conversation, entries, words()) == to_markdown(conversation, entries)
