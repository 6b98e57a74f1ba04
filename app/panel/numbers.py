"""Numbers as a person of the user's language writes them."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QLocale

MINUS = "−"
GAP = "\N{NO-BREAK SPACE}"
"""Between a number and its unit, which must not be parted."""


def number(value: float, decimals: int = 0) -> str:
    """``value`` with so many decimals, and a true minus."""
    return QLocale().toString(float(value), "f", decimals).replace("-", MINUS)


def whole(value: int) -> str:
    """A count, its thousands set apart."""
    return QLocale().toString(value)


def rate(tokens_per_second: float) -> str:
    """A speed, without its unit."""
    return number(tokens_per_second, 1 if tokens_per_second < 99.95 else 0)


def times(factor: float) -> str:
    """A speed-up."""
    return f"{number(factor, 2 if factor < 9.995 else 1)}×"


def percent(share: float) -> str:
    """A share, with a decimal where it is small."""
    return f"{number(100 * share, 1 if 0 < share < 0.0995 else 0)}{GAP}%"


def seconds(value: float) -> str:
    """A length of time; below a second in milliseconds."""
    if abs(value) < 0.9995:
        return milliseconds(value)
    if abs(value) < 99.5:
        return f"{number(value, 1)}{GAP}s"
    return f"{number(value / 60, 1)}{GAP}min"


def milliseconds(value: float) -> str:
    """Seconds as milliseconds, with a decimal where they are few."""
    thousandths = 1000 * value
    return f"{number(thousandths, 1 if abs(thousandths) < 9.95 else 0)}{GAP}ms"


def tokens(count: int) -> str:
    """So many tokens."""
    if count == 1:
        return QCoreApplication.translate("Panel", "1 token")
    return QCoreApplication.translate("Panel", "{count} tokens").format(count=whole(count))


def gigabytes(*counts: int) -> str:
    """Bytes, as memory is sold: one amount, or several to be added up."""
    unit, size = ("GB", 1e9) if max(counts) >= 0.9995e9 else ("MB", 1e6)
    shown = " + ".join(number(count / size, 1 if unit == "GB" else 0) for count in counts)
    return f"{shown}{GAP}{unit}"
