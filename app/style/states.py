"""Short names for what Qt tells of a control's state."""

from __future__ import annotations

from PySide6.QtWidgets import QStyle, QStyleOption, QWidget

CHOSEN = QStyle.StateFlag.State_Selected
DOWN = QStyle.StateFlag.State_Sunken
ENABLED = QStyle.StateFlag.State_Enabled
FOCUSED = QStyle.StateFlag.State_HasFocus
ON = QStyle.StateFlag.State_On
POINTED_AT = QStyle.StateFlag.State_MouseOver


def has(option: QStyleOption, state: QStyle.StateFlag) -> bool:
    """Whether any flag of ``state`` is set."""
    return bool(option.state & state)


def look(widget: QWidget | None) -> str:
    """The look that a button asks for, empty for the usual one."""
    asked = widget.property("look") if widget is not None else None
    return asked if isinstance(asked, str) else ""


def copy(option: QStyleOption) -> QStyleOption:
    """A copy that may be changed; Qt still uses the original."""
    return type(option)(option)
