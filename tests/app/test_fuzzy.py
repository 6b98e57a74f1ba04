"""Few letters find the right title first."""

from __future__ import annotations

import pytest

from app.fuzzy import score

TITLES = [
    "New chat", "Search chats", "Next chat", "Regenerate the reply", "Settings",
    "System prompt and settings of this chat", "Dark theme", "Light theme", "Live panel",
    "Show where words came from", "Command palette", "Keyboard shortcuts",
]  # fmt: skip


def best(wanted: str) -> str:
    scored = {title: points for title in TITLES if (points := score(wanted, title)) is not None}
    return max(scored, key=lambda title: scored[title])


@pytest.mark.parametrize(
    ("wanted", "title"),
    [
        ("new", "New chat"),
        ("nc", "New chat"),
        ("set", "Settings"),
        ("reg", "Regenerate the reply"),
        ("dark", "Dark theme"),
        ("theme dark", "Dark theme"),
        ("panel", "Live panel"),
        ("ks", "Keyboard shortcuts"),
        ("words", "Show where words came from"),
        ("LIGHT", "Light theme"),
    ],
)
def test_it_finds(wanted: str, title: str) -> None:
    assert best(wanted) == title


def test_letters_must_come_in_order() -> None:
    assert score("wen", "New chat") is None
    assert score("xyz", "New chat") is None


def test_nothing_wanted_fits_everything() -> None:
    assert all(score("", title) is not None for title in TITLES)
    assert all(score("  ", title) is not None for title in TITLES)
