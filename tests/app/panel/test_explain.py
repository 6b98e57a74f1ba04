"""Every figure explains itself, and the documentation says the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.panel.explain import Key, sentence, title

PAGE = Path(__file__).parents[3] / "docs" / "speculative-decoding.md"


@pytest.mark.parametrize("key", Key)
def test_a_figure_has_a_name_and_one_sentence(key: Key) -> None:
    assert title(key)
    assert sentence(key).endswith(".")
    assert sentence(key).count(". ") == 0


@pytest.mark.parametrize("key", Key)
def test_the_documentation_says_the_same(key: Key) -> None:
    assert f"| {title(key)} | {sentence(key)} |" in PAGE.read_text()
