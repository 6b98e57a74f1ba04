"""How colours look, and how they look to people who see fewer of them.

Contrast is WCAG's; colour-vision deficiencies are simulated after Machado, Oliveira and Fernandes
(2009, severity 1); differences are CIEDE2000 (Sharma, Wu and Dalal 2005).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Row = NDArray[np.float64]

SEEN_AS = {
    "all colours": np.eye(3),
    "protanopia": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "deuteranopia": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "tritanopia": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}
_XYZ = np.array(
    [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ]
)
_WHITE = np.array([0.95047, 1.0, 1.08883])


def contrast(one: str, other: str) -> float:
    """WCAG's contrast of two colours, from 1 to 21."""
    low, high = sorted(float(_XYZ[1] @ _linear(color)) for color in (one, other))
    return (high + 0.05) / (low + 0.05)


def difference(one: str, other: str, eyes: str) -> float:
    """How different two colours look to such ``eyes``: 1 is barely seen, 10 at a glance."""
    return _ciede2000(_lab(one, eyes), _lab(other, eyes))


def _linear(color: str) -> Row:
    parts = np.array([int(color[at : at + 2], 16) for at in (1, 3, 5)]) / 255
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def _lab(color: str, eyes: str) -> Row:
    seen = np.clip(SEEN_AS[eyes] @ _linear(color), 0, 1)
    scaled = _XYZ @ seen / _WHITE
    root = np.where(scaled > 0.008856, np.cbrt(scaled), 7.787 * scaled + 16 / 116)
    return np.array([116 * root[1] - 16, 500 * (root[0] - root[1]), 200 * (root[1] - root[2])])


def _ciede2000(one: Row, other: Row) -> float:
    l1, l2 = one[0], other[0]
    mean = (np.hypot(*one[1:]) + np.hypot(*other[1:])) / 2
    stretch = 1 + 0.5 * (1 - np.sqrt(mean**7 / (mean**7 + 25**7)))
    c1, h1 = _polar(one, stretch)
    c2, h2 = _polar(other, stretch)
    turn = (h2 - h1 + 180) % 360 - 180 if c1 * c2 else 0.0
    dh = 2 * np.sqrt(c1 * c2) * np.sin(np.radians(turn / 2))
    light, c, h = (l1 + l2) / 2, (c1 + c2) / 2, h1 + turn / 2
    t = (
        1
        - 0.17 * _cos(h - 30)
        + 0.24 * _cos(2 * h)
        + 0.32 * _cos(3 * h + 6)
        - 0.20 * _cos(4 * h - 63)
    )
    sl = 1 + 0.015 * (light - 50) ** 2 / np.sqrt(20 + (light - 50) ** 2)
    sc, sh = 1 + 0.045 * c, 1 + 0.015 * c * t
    bend = 60 * np.exp(-((((h % 360) - 275) / 25) ** 2))
    rt = -2 * np.sqrt(c**7 / (c**7 + 25**7)) * np.sin(np.radians(bend))
    parts = (l2 - l1) / sl, (c2 - c1) / sc, dh / sh
    return float(np.sqrt(sum(part**2 for part in parts) + rt * parts[1] * parts[2]))


def _polar(lab: Row, stretch: float) -> tuple[float, float]:
    a, b = lab[1] * stretch, lab[2]
    return float(np.hypot(a, b)), float(np.degrees(np.arctan2(b, a)) % 360)


def _cos(degrees: float) -> float:
    return float(np.cos(np.radians(degrees)))
