"""Numbers as a person of the user's language writes them."""

from __future__ import annotations

from decimal import Decimal

from PySide6.QtCore import QCoreApplication, QLocale, Qt
from PySide6.QtGui import QGuiApplication

MINUS = "−"
GAP = "\N{NO-BREAK SPACE}"
"""Between a number and its unit, which must not be parted."""


_MOST = 2**63
"""What Qt has numbers for."""

_ISOLATE = "\N{FIRST STRONG ISOLATE}{}\N{POP DIRECTIONAL ISOLATE}"


def isolated(text: str) -> str:
    """``text`` as one thing in a line that reads right to left, where its sign and its unit would
    else change sides. As it is where the interface reads left to right."""
    is_rtl = QGuiApplication.layoutDirection() is Qt.LayoutDirection.RightToLeft
    return _ISOLATE.format(text) if is_rtl and text else text


def number(value: float, decimals: int = 0) -> str:
    """``value`` with so many decimals, and a true minus."""
    return isolated(_number(value, decimals))


def whole(value: int) -> str:
    """A count, its thousands set apart; one that no count can be, in powers of ten."""
    is_count = -_MOST <= value < _MOST
    return isolated(QLocale().toString(value) if is_count else f"{Decimal(value):.1E}")


def rate(tokens_per_second: float) -> str:
    """A speed, without its unit."""
    return number(tokens_per_second, 1 if tokens_per_second < 99.95 else 0)


def times(factor: float) -> str:
    """A speed-up."""
    return isolated(f"{_number(factor, 2 if factor < 9.995 else 1)}×")


def percent(share: float) -> str:
    """A share, with a decimal where it is small."""
    return _with_unit(100 * share, 1 if 0 < share < 0.0995 else 0, "%")


def seconds(value: float) -> str:
    """A length of time; below a second in milliseconds."""
    if abs(value) < 0.9995:
        return milliseconds(value)
    if abs(value) < 99.5:
        return _with_unit(value, 1, "s")
    return _with_unit(value / 60, 1, "min")


def milliseconds(value: float) -> str:
    """Seconds as milliseconds, with a decimal where they are few."""
    thousandths = 1000 * value
    return _with_unit(thousandths, 1 if abs(thousandths) < 9.95 else 0, "ms")


def tokens(count: int) -> str:
    """So many tokens."""
    if count == 1:
        return QCoreApplication.translate("Panel", "1 token")
    return QCoreApplication.translate("Panel", "{count} tokens").format(count=whole(count))


def signed(seconds: float) -> str:
    """Milliseconds that are gained, with a plus, or lost."""
    plus = "+" if seconds > 0 else ""
    return isolated(f"{plus}{milliseconds(seconds)}")


def size(count: int) -> str:
    """Bytes, in the units that disks and memory are sold by."""
    for unit, factor in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if count >= 0.9995 * factor:
            amount = count / factor
            return _with_unit(amount, 1 if amount < 9.95 and unit == "GB" else 0, unit)
    return QCoreApplication.translate("Panel", "{count} bytes").format(count=whole(count))


def _with_unit(value: float, decimals: int, unit: str) -> str:
    return isolated(f"{_number(value, decimals)}{GAP}{unit}")


def _number(value: float, decimals: int) -> str:
    return QLocale().toString(float(value), "f", decimals).replace("-", MINUS)
