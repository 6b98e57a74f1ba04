"""The app's icon as each system wants it."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from PIL import Image
from PySide6.QtGui import QImage


@pytest.fixture
def generate(script):
    return script("generate", "icons")


def colours(picture: QImage) -> int:
    side = range(picture.width())
    return len({picture.pixel(x, y) for x in side for y in side})


def assert_is_the_icon(data: bytes, side: int) -> None:
    picture = QImage.fromData(data, "PNG")
    assert (picture.width(), picture.height()) == (side, side)
    assert picture.pixelColor(0, 0).alpha() == 0
    assert picture.pixelColor(side // 2, side * 9 // 10).alpha() == 255
    assert colours(picture) > 8


def test_every_size_of_the_theme_is_drawn(generate, tmp_path) -> None:
    generate.main(["--hicolor", str(tmp_path)])
    for side in (16, 24, 32, 48, 64, 128, 256, 512):
        path = tmp_path / f"hicolor/{side}x{side}/apps/{generate.ID}.png"
        assert_is_the_icon(path.read_bytes(), side)
    scalable = tmp_path / f"hicolor/scalable/apps/{generate.ID}.svg"
    assert scalable.read_bytes() == generate.SVG.read_bytes()


def test_the_icon_for_windows_holds_every_size(generate, tmp_path) -> None:
    path = tmp_path / "foreword.ico"
    generate.main(["--ico", str(path)])
    with Image.open(path) as icon:
        assert icon.ico.sizes() == {(side, side) for side in generate.ICO_SIZES}
        for side in (16, 48, 256):
            drawn = icon.ico.getimage((side, side)).convert("RGBA")
            assert drawn.tobytes() == pixels(generate.draw(side))


def pixels(picture: QImage) -> bytes:
    """As red, green, blue and alpha, a byte each."""
    converted = picture.convertToFormat(QImage.Format.Format_RGBA8888)
    return bytes(converted.constBits())


def test_the_icon_for_macos_holds_every_size(generate, tmp_path) -> None:
    path = tmp_path / "foreword.icns"
    generate.main(["--icns", str(path)])
    parts = dict(icns_parts(path))
    assert {name: QImage.fromData(data).width() for name, data in parts.items()} == (
        generate.ICNS_TYPES
    )
    assert_is_the_icon(parts["ic10"], 1024)
    with Image.open(path) as icon:
        assert (512, 512, 2) in icon.info["sizes"]


def icns_parts(path: Path):
    data = path.read_bytes()
    assert data[:4] == b"icns"
    assert struct.unpack(">I", data[4:8]) == (len(data),)
    at = 8
    while at < len(data):
        name, length = struct.unpack(">4sI", data[at : at + 8])
        yield name.decode(), data[at + 8 : at + length]
        at += length
