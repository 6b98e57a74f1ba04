"""Numbers as a person writes them."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QLocale

from app.chat.figures import figures_line
from app.panel import numbers

GAP = "\u00a0"


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (numbers.rate(16.44), "16.4"),
        (numbers.rate(99.96), "100"),
        (numbers.times(1.384), "1.38×"),
        (numbers.times(12.34), "12.3×"),
        (numbers.percent(0.917), f"92{GAP}%"),
        (numbers.percent(0.034), f"3.4{GAP}%"),
        (numbers.percent(0.0), f"0{GAP}%"),
        (numbers.seconds(0.0341), f"34{GAP}ms"),
        (numbers.seconds(-0.0021), f"−2.1{GAP}ms"),
        (numbers.seconds(1.94), f"1.9{GAP}s"),
        (numbers.seconds(150), f"2.5{GAP}min"),
        (numbers.tokens(1), "1 token"),
        (numbers.size(1_608_720_832), f"1.6{GAP}GB"),
        (numbers.size(23_400_000_000), f"23{GAP}GB"),
        (numbers.size(999_900_000), f"1.0{GAP}GB"),
        (numbers.size(91_400_064), f"91{GAP}MB"),
        (numbers.size(4_100), f"4{GAP}kB"),
        (numbers.size(12), "12 bytes"),
    ],
)
def test_numbers_are_short_and_their_units_stay_with_them(shown: str, expected: str) -> None:
    assert shown == expected


def test_thousands_are_set_apart() -> None:
    assert numbers.tokens(4096) == "4,096 tokens"


def test_numbers_follow_the_language() -> None:
    QLocale.setDefault(QLocale(QLocale.Language.German, QLocale.Country.Germany))
    assert numbers.times(1.384) == "1,38×"
    assert numbers.whole(4096) == "4.096"
    assert numbers.size(1_608_720_832) == f"1,6{GAP}GB"
    assert numbers.seconds(2.34) == f"2,3{GAP}s"
    assert figures_line({"tokens_per_second": 16.42, "speed_up": 0.87, "tokens": 24}) == (
        "16,4 tokens/s  ·  0,87× plain  ·  24 tokens"
    )


def test_any_whole_number_can_be_written() -> None:
    most = 2**63 - 1
    assert "".join(filter(str.isdigit, numbers.whole(most))) == str(most)
    assert numbers.whole(2**64) == "1.8E+19"
    assert numbers.whole(10**5000) == "1.0E+5000"
