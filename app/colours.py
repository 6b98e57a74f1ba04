"""The palette: every colour has a role, in light and in dark. Data only, no Qt.

Three colours mean something, the same everywhere: accepted, corrected and bonus. All else is grey,
but for the red of danger, the colours of code and the blue of a selection.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType


class Role(StrEnum):
    """What a colour is for."""

    # Surfaces, from the page that is read to what lies on top of it.
    WINDOW = "window"
    SURFACE = "surface"
    RAISED = "raised"
    MESSAGE = "message"
    HOVER = "hover"
    PRESSED = "pressed"
    CODE_BACKGROUND = "code_background"
    TOOLTIP = "tooltip"
    # Lines of one pixel: between areas, around what can be typed into or pressed.
    LINE = "line"
    BORDER = "border"
    # Words, from loud to quiet. All of them can be read on every surface.
    TEXT = "text"
    SECONDARY = "secondary"
    FAINT = "faint"
    DISABLED = "disabled"
    TOOLTIP_TEXT = "tooltip_text"
    # The one loud button, the focus ring, what is selected, links.
    ACCENT = "accent"
    ON_ACCENT = "on_accent"
    FOCUS = "focus"
    SELECTION = "selection"
    LINK = "link"
    MARK = "mark"
    # Where a token came from; the tints lie behind text.
    ACCEPTED = "accepted"
    CORRECTED = "corrected"
    BONUS = "bonus"
    ACCEPTED_TINT = "accepted_tint"
    CORRECTED_TINT = "corrected_tint"
    BONUS_TINT = "bonus_tint"
    UNTESTED = "untested"
    NEUTRAL = "neutral"
    # Trouble.
    WARNING = "warning"
    DANGER = "danger"
    DANGER_TINT = "danger_tint"
    # Code.
    CODE_KEYWORD = "code_keyword"
    CODE_STRING = "code_string"
    CODE_NUMBER = "code_number"
    CODE_NAME = "code_name"
    CODE_COMMENT = "code_comment"


Colours = Mapping[Role, str]

LIGHT: Colours = MappingProxyType(
    {
        Role.WINDOW: "#ffffff",
        Role.SURFACE: "#f5f6f8",
        Role.RAISED: "#ffffff",
        Role.MESSAGE: "#f1f2f4",
        Role.HOVER: "#e9ebee",
        Role.PRESSED: "#dfe2e6",
        Role.CODE_BACKGROUND: "#f7f8f9",
        Role.TOOLTIP: "#1b1e22",
        Role.LINE: "#e3e6e9",
        Role.BORDER: "#cfd4d9",
        Role.TEXT: "#14171a",
        Role.SECONDARY: "#4b535c",
        Role.FAINT: "#5d6670",
        Role.DISABLED: "#9aa2ab",
        Role.TOOLTIP_TEXT: "#f2f4f6",
        Role.ACCENT: "#14171a",
        Role.ON_ACCENT: "#ffffff",
        Role.FOCUS: "#2563c9",
        Role.SELECTION: "#c9dcf8",
        Role.LINK: "#1d56b8",
        Role.MARK: "#fbe7a1",
        Role.ACCEPTED: "#087557",
        Role.CORRECTED: "#a5400a",
        Role.BONUS: "#2459c8",
        Role.ACCEPTED_TINT: "#d5f0e4",
        Role.CORRECTED_TINT: "#fbdcc2",
        Role.BONUS_TINT: "#d3defb",
        Role.UNTESTED: "#dfe3e7",
        Role.NEUTRAL: "#858e98",
        Role.WARNING: "#8a5a00",
        Role.DANGER: "#b42318",
        Role.DANGER_TINT: "#fdecea",
        Role.CODE_KEYWORD: "#1d56b8",
        Role.CODE_STRING: "#0a6b50",
        Role.CODE_NUMBER: "#9a4407",
        Role.CODE_NAME: "#6a3fb0",
        Role.CODE_COMMENT: "#545d66",
    }
)

DARK: Colours = MappingProxyType(
    {
        Role.WINDOW: "#16181b",
        Role.SURFACE: "#101214",
        Role.RAISED: "#1d2024",
        Role.MESSAGE: "#22262a",
        Role.HOVER: "#25292e",
        Role.PRESSED: "#2e3338",
        Role.CODE_BACKGROUND: "#111315",
        Role.TOOLTIP: "#e9ecef",
        Role.LINE: "#2a2e33",
        Role.BORDER: "#3b4147",
        Role.TEXT: "#eceef0",
        Role.SECONDARY: "#b3bac1",
        Role.FAINT: "#939ba4",
        Role.DISABLED: "#5f676f",
        Role.TOOLTIP_TEXT: "#16181b",
        Role.ACCENT: "#eceef0",
        Role.ON_ACCENT: "#14171a",
        Role.FOCUS: "#7fb0ff",
        Role.SELECTION: "#2c4a78",
        Role.LINK: "#8ab6ff",
        Role.MARK: "#5c4a12",
        Role.ACCEPTED: "#3ecf9e",
        Role.CORRECTED: "#f0954a",
        Role.BONUS: "#7fb0ff",
        Role.ACCEPTED_TINT: "#123a2d",
        Role.CORRECTED_TINT: "#4a2a11",
        Role.BONUS_TINT: "#1c345e",
        Role.UNTESTED: "#343a40",
        Role.NEUTRAL: "#7d868f",
        Role.WARNING: "#e0b04a",
        Role.DANGER: "#ff8f85",
        Role.DANGER_TINT: "#3a1c1a",
        Role.CODE_KEYWORD: "#8ab6ff",
        Role.CODE_STRING: "#6fd6b0",
        Role.CODE_NUMBER: "#f2a96b",
        Role.CODE_NAME: "#c3a6ff",
        Role.CODE_COMMENT: "#9da5ad",
    }
)
