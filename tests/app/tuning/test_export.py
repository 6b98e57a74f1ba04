"""The curve as a table and as files."""

from __future__ import annotations

import csv
import io

import pytest
from PySide6.QtGui import QGuiApplication, QImage, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from app.theme import Theme
from app.tuning.export import as_csv, as_png
from app.tuning.reading import Reading
from app.tuning.table import CurveTable
from engine.tunings import EVERYDAY
from tests.support.tuned import RECORD


def test_every_kind_way_and_gamma_is_a_line_of_numbers() -> None:
    rows = list(csv.DictReader(io.StringIO(as_csv(RECORD).decode())))
    assert len(rows) == 17 * len(RECORD.curves)
    code = [row for row in rows if (row["kind"], row["temperature"]) == ("code", "0.7")]
    assert [int(row["gamma"]) for row in code] == list(range(17))
    assert float(code[3]["tried"]) == pytest.approx(1.68)
    assert code[4]["tried"] == ""
    whole = [row for row in rows if (row["kind"], row["temperature"]) == (EVERYDAY, "0.7")]
    assert float(whole[3]["tried"]) == pytest.approx(1.68 / 1.7 * float(whole[3]["speed_up"]))
    assert float(code[3]["pass_seconds"]) == RECORD.passes[3]
    assert (code[4]["pass_timed"], code[5]["pass_timed"]) == ("1", "0")
    assert int(code[0]["cache_bytes"]) == RECORD.sizes.caches[0]
    assert sum(int(row["recommended"]) for row in code) == 1


def test_the_picture_is_drawn_twice_as_fine_on_the_pages_ground(qtbot, theme: Theme) -> None:
    label = QLabel("γ")
    qtbot.addWidget(label)
    label.resize(60, 40)
    image = QImage.fromData(as_png(label, theme), "PNG")
    assert (image.width(), image.height()) == (120, 80)
    assert image.pixelColor(119, 79).name() == "#ffffff"


def test_the_table_holds_a_line_for_each_gamma_and_can_be_copied(
    qtbot, theme: Theme, reading: Reading
) -> None:
    table = CurveTable(theme)
    qtbot.addWidget(table)
    table.show_reading(reading)
    lines = table.as_text().splitlines()
    assert len(lines) == 18
    assert lines[4].split("\t")[:4] == ["3", "1.28×", "1.22× – 1.34×", "1.27×"]
    assert "≈ 2.50" in lines[6]
    QTest.keySequence(table, QKeySequence(QKeySequence.StandardKey.Copy))
    assert QGuiApplication.clipboard().text() == table.as_text()
