"""Panes beside the chat: what is shown where there is room for all, for one, for none."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QWidget

from app.panes import Panes
from app.theme import Theme


@pytest.fixture
def panes(theme: Theme, qtbot) -> Panes:
    found = Panes(theme, QWidget(), QWidget(), QWidget())
    qtbot.addWidget(found)
    found.resize(theme.space(320), 600)
    found.show()
    return found


def shown(panes: Panes) -> list[str]:
    names = {"sidebar": panes.sidebar, "panel": panes.panel}
    return [name for name, pane in names.items() if panes.is_shown(pane)]


def test_panes_give_way_where_there_is_no_room_and_come_back(panes: Panes, theme: Theme) -> None:
    assert shown(panes) == ["sidebar", "panel"]
    panes.resize(theme.space(240), 600)
    assert shown(panes) == ["sidebar"]
    panes.resize(theme.space(160), 600)
    assert shown(panes) == []
    panes.resize(theme.space(320), 600)
    assert shown(panes) == ["sidebar", "panel"]


def test_where_one_fits_it_is_the_one_that_was_asked_for_last(panes: Panes, theme: Theme) -> None:
    panes.resize(theme.space(165), 600)
    panes.want(panes.sidebar, True)
    assert shown(panes) == ["sidebar"]
    panes.want(panes.panel, True)
    assert shown(panes) == ["panel"]
    sheet, panel = panes.sheet.geometry(), panes.panel.geometry()
    assert sheet.right() < panel.left()
    panes.want(panes.panel, False)
    assert shown(panes) == ["sidebar"]


def test_both_are_shown_where_they_fit_beside_the_chat(panes: Panes, theme: Theme) -> None:
    panes.resize(theme.space(215), 600)
    panes.want(panes.sidebar, True)
    panes.want(panes.panel, True)
    assert shown(panes) == ["sidebar", "panel"]
