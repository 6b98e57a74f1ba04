"""The page of shortcuts, made from the table of actions."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QWidget

from app.actions import Actions, hints, menu_title, plain_title, shown
from app.controls import Card, Text
from app.icons import icon
from app.settings.page import Page
from app.theme import Role, Theme, Type

Keys = list[str]


class KeyCap(Card):
    """A shortcut as it is printed on keys."""

    def __init__(self, theme: Theme, keys: str, parent: QWidget | None = None) -> None:
        super().__init__(theme, fill=Role.SURFACE, line=Role.BORDER, radius=1.5, parent=parent)
        row = QHBoxLayout(self)
        row.setContentsMargins(theme.space(2), theme.space(0.5), theme.space(2), theme.space(0.5))
        row.addWidget(Text(theme, keys, Type.SECONDARY))


class ShortcutRow(QWidget):
    """What is done, and the keys that do it."""

    def __init__(self, theme: Theme, title: str, keys: Keys) -> None:
        super().__init__()
        self.title = title
        self.keys = keys
        row = QHBoxLayout(self)
        row.setContentsMargins(theme.space(4), theme.space(2), theme.space(3), theme.space(2))
        row.setSpacing(theme.space(1.5))
        row.addWidget(Text(theme, title, wrap=True), 1)
        for sequence in keys:
            row.addWidget(KeyCap(theme, sequence), 0, Qt.AlignmentFlag.AlignVCenter)
        self.setAccessibleName(f"{title}: {', '.join(keys)}")

    def matches(self, text: str) -> bool:
        """Whether ``text`` is found in its title or keys."""
        return text.casefold() in f"{self.title} {' '.join(self.keys)}".casefold()


class ShortcutsPage(Page):
    """Every action that has keys, by menus; then the keys of single places."""

    def __init__(self, theme: Theme, actions: Actions, parent: QWidget | None = None) -> None:
        title = QCoreApplication.translate("ShortcutsPage", "Keyboard shortcuts")
        palette = shown(actions["view.palette"].shortcut())
        introduction = QCoreApplication.translate(
            "ShortcutsPage", "Everything can be done by keyboard. {keys} finds any command by name."
        )
        super().__init__(theme, title, introduction.format(keys=palette), parent)
        self._groups: list[tuple[list[QWidget], list[ShortcutRow]]] = []
        self._search()
        for head, rows in _groups(actions):
            self._add(head, [ShortcutRow(theme, said, keys) for said, keys in rows])
        self.finish()

    def rows(self) -> Iterator[ShortcutRow]:
        """Every row."""
        for _widgets, rows in self._groups:
            yield from rows

    def _search(self) -> None:
        line = QLineEdit(self)
        line.setPlaceholderText(self.tr("Search shortcuts, or type a key"))
        line.setAccessibleName(self.tr("Search shortcuts"))
        line.setClearButtonEnabled(True)
        line.addAction(icon(self.theme, "search", Role.FAINT), _LEADING)
        line.textChanged.connect(self._filter)
        self.column.addWidget(line)
        self.setFocusProxy(line)

    def _add(self, head: str, rows: list[ShortcutRow]) -> None:
        label: QLabel = Text(self.theme, head, Type.STRONG)
        label.setContentsMargins(0, self.theme.space(3), 0, 0)
        card = self.card(rows)
        self.column.addWidget(label)
        self.column.addWidget(card)
        self._groups.append(([label, card], rows))

    def _filter(self, text: str) -> None:
        for widgets, rows in self._groups:
            for row in rows:
                row.setVisible(row.matches(text.strip()))
            for widget in widgets:
                widget.setVisible(any(not row.isHidden() for row in rows))


_LEADING = QLineEdit.ActionPosition.LeadingPosition


def _groups(actions: Actions) -> Iterator[tuple[str, list[tuple[str, Keys]]]]:
    """Heads, and what stands under each: titles and keys."""
    for menu, members in groupby(actions, key=lambda member: member[0].menu):
        rows = [
            (plain_title(action), [shown(keys) for keys in action.shortcuts()[:2]])
            for _row, action in members
            if not action.shortcut().isEmpty()
        ]
        yield menu_title(menu), rows
    for place, told in groupby(hints(), key=lambda hint: hint.place):
        yield place, [(hint.title, [shown(hint.keys)]) for hint in told]
