"""How far plus and minus lead."""

from __future__ import annotations

import pytest

from app.preferences import PREFERENCES
from app.settings.stepping import stepped
from engine.settings import SETTINGS, Kind

TABLE = {**SETTINGS, **PREFERENCES}
NUMBERS = [name for name, row in TABLE.items() if row.kind in (Kind.WHOLE, Kind.NUMBER)]


@pytest.mark.parametrize(
    ("name", "value", "steps", "found"),
    [
        ("gamma", 3, 1, 4),
        ("gamma", 0, -1, None),
        ("gamma", None, 1, 0),
        ("gamma", None, -1, None),
        ("gamma", 16, 1, 16),
        ("n_ctx", 4096, 1, 8192),
        ("n_ctx", 4096, -1, 2048),
        ("n_ctx", 5000, -1, 4096),
        ("n_ctx", 5000, 1, 8192),
        ("n_ctx", 256, -1, 255),
        ("n_ctx", 32, -1, 32),
        ("temperature", 0.7, 1, 0.75),
        ("temperature", 0.0, -1, 0.0),
        ("temperature", 0.1, -2, 0.0),
        ("top_p", 0.95, 2, 1.0),
        ("threads", 1, -1, 0),
        ("threads", 0, 1, 1),
        ("gpu_layers", 0, -1, -1),
        ("max_tokens", None, 1, 512),
        ("max_tokens", 1, -1, None),
        ("text_size", 100, 1, 110),
        ("text_size", 80, -1, 80),
    ],
)
def test_steps(name: str, value, steps: int, found) -> None:
    assert stepped(TABLE[name], value, steps) == found


@pytest.mark.parametrize("name", NUMBERS)
def test_every_step_is_allowed_and_ends(name: str) -> None:
    setting = TABLE[name]
    for direction in (1, -1):
        value = setting.default
        for _ in range(200):
            value = stepped(setting, value, direction)
            assert setting.check(value) == value
