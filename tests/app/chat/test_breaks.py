"""Line breaks stay where a paragraph has them, and nowhere else."""

from __future__ import annotations

import pytest

from app.chat.breaks import BREAK, with_breaks


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("Roses are red,\nviolets are blue.", f"Roses are red,{BREAK}violets are blue."),
        ("hard  \nbreak", f"hard{BREAK}break"),
        ("back\\\nslash", f"back{BREAK}slash"),
        ("- a\n  b\n- c", f"- a{BREAK}b\n- c"),
        ("a\n\nb", "a\n\nb"),
        ("# Head\ntext", "# Head\ntext"),
        ("text\n# Head", "text\n# Head"),
        ("text\n---", "text\n---"),
        ("text\n> quote", "text\n> quote"),
        ("1. a\n2. b", "1. a\n2. b"),
        ("intro\n- a", "intro\n- a"),
        ("    code\n    more", "    code\n    more"),
        ("[x]: http://a\ntext", "[x]: http://a\ntext"),
    ],
)
def test_breaks(written: str, kept: str) -> None:
    assert with_breaks(written) == kept
