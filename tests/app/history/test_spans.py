"""Packed sources come back as they were."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.history.spans import SOURCES, pack, unpack
from engine.protocol import Source

CHANCES = st.none() | st.floats(0, 1)
SPAN = st.tuples(
    st.integers(0, 2**31 - 1), st.integers(0, 2**31 - 1), st.sampled_from(SOURCES), CHANCES, CHANCES
)


@given(st.none() | st.lists(SPAN))
def test_what_was_packed_is_unpacked(spans) -> None:
    assert unpack(pack(spans)) == spans


@given(st.binary(max_size=120))
def test_any_bytes_are_spans_or_none(packed) -> None:
    unpack(packed)


def test_every_source_of_the_engine_has_its_place() -> None:
    assert set(SOURCES) == {source.value for source in Source}
    with pytest.raises(ValueError, match="not in tuple"):
        pack([(0, 1, "guessed", 0.5, None)])
