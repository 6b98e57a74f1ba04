"""The pair as a button: what is told where, at any width."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from PySide6.QtCore import QRect, QRectF
from PySide6.QtGui import QFontMetrics, QPainter

from app import strokes
from app.theme import Theme, Type
from app.topbar.pair_button import PairButton

TARGET, DRAFT, PLACE = "Qwen2.5 Coder 1.5B", "drafted by 0.5B", "CPU · 2 threads · 1.6 GB"


@dataclass
class Painted:
    """What was drawn: words with their places, and where the mark is that it opens something."""

    words: list[tuple[str, QRect]] = field(default_factory=list)
    marks: list[QRectF] = field(default_factory=list)

    @property
    def texts(self) -> list[str]:
        return [text for text, _rect in self.words]


@pytest.fixture(name="button")
def pair_button(installed: Theme, qtbot) -> PairButton:
    button = PairButton(installed)
    qtbot.addWidget(button)
    button.tell(TARGET, DRAFT, PLACE)
    button.resize(button.sizeHint())
    return button


def painted(button: PairButton, width: int, monkeypatch: pytest.MonkeyPatch) -> Painted:
    found = Painted()

    def words(painter: QPainter, rect: QRect, text: str, *_: object) -> None:
        found.words.append((text, QRect(rect)))

    def stroke(painter: QPainter, rect: QRectF, *_: object) -> None:
        found.marks.append(QRectF(rect))

    button.resize(width, button.height())
    with monkeypatch.context() as patched:
        patched.setattr(strokes, "words", words)
        patched.setattr(strokes, "stroke", stroke)
        button.grab()
    for _text, rect in found.words:
        assert button.rect().contains(rect)
    assert len(found.marks) == 1
    assert button.rect().toRectF().contains(found.marks[0])
    return found


def advance(theme: Theme, text: str, type_: Type) -> int:
    return QFontMetrics(theme.font(type_)).horizontalAdvance(text)


def test_where_there_is_room_the_draft_stands_beside_the_name(
    button: PairButton, monkeypatch
) -> None:
    found = painted(button, button.sizeHint().width(), monkeypatch)
    assert found.texts == [TARGET, DRAFT, PLACE]
    (_, name), (_, draft), (_, place) = found.words
    assert name.right() < draft.left()
    assert draft.right() < found.marks[0].left()
    assert place.top() > name.top()


def test_where_it_does_not_fit_whole_the_draft_moves_to_the_second_line(
    button: PairButton, installed: Theme, monkeypatch
) -> None:
    button.tell(TARGET, DRAFT, "CPU")
    narrow = advance(installed, TARGET, Type.STRONG) + installed.space(16)
    found = painted(button, narrow, monkeypatch)
    assert found.texts == [TARGET, f"{DRAFT} · CPU"]


def test_in_the_second_line_where_it_runs_gives_way_before_the_draft(
    button: PairButton, installed: Theme, monkeypatch
) -> None:
    narrow = advance(installed, TARGET, Type.STRONG) + installed.space(12)
    found = painted(button, narrow, monkeypatch)
    assert found.texts[0] == TARGET
    assert found.texts[1].startswith(f"{DRAFT} · ")
    assert found.texts[1].endswith("…")


@pytest.mark.parametrize("spare", range(-30, 31, 3))
def test_at_any_width_the_draft_is_told_once_and_whole(
    button: PairButton, monkeypatch, spare: int
) -> None:
    """Around the width at which it moves."""
    whole = button.sizeHint().width()
    found = painted(button, whole + spare, monkeypatch)
    assert sum(DRAFT in text for text in found.texts) == 1
    assert found.texts[0] == TARGET


def test_without_its_second_line_the_draft_is_told_only_where_there_is_room(
    button: PairButton, installed: Theme, monkeypatch
) -> None:
    button.shorten(True)
    assert painted(button, button.sizeHint().width(), monkeypatch).texts == [TARGET, DRAFT]
    narrow = advance(installed, TARGET, Type.STRONG) + installed.space(12)
    assert painted(button, narrow, monkeypatch).texts == [TARGET]


def test_at_the_least_the_end_of_the_name_gives_way(button: PairButton, monkeypatch) -> None:
    button.shorten(True)
    found = painted(button, button.minimumSizeHint().width(), monkeypatch)
    assert len(found.texts) == 1
    assert found.texts[0].endswith("…")
    assert TARGET.startswith(found.texts[0].removesuffix("…").rstrip())


def test_what_is_cut_is_told_whole_elsewhere(button: PairButton) -> None:
    for words in (TARGET, DRAFT, PLACE):
        assert words in button.toolTip()
        assert words in button.accessibleName()
