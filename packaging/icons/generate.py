"""Draws the app's icon, ``assets/app-icon.svg``, as each system wants it.

    python packaging/icons/generate.py --hicolor FOLDER   # freedesktop's theme, below FOLDER
    python packaging/icons/generate.py --ico FILE         # Windows
    python packaging/icons/generate.py --icns FILE        # macOS

Qt draws it and needs no screen for that.
"""

from __future__ import annotations

import argparse
import shutil
import struct
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice
from PySide6.QtGui import QImage, QImageWriter, QPainter
from PySide6.QtSvg import QSvgRenderer

ID = "io.github.foreword.Foreword"
SVG = Path(__file__).resolve().parents[2] / "assets" / "app-icon.svg"
HICOLOR_SIZES = (16, 22, 24, 32, 48, 64, 96, 128, 256, 512)
ICO_SIZES = (16, 20, 24, 32, 40, 48, 64, 256)
# Apple's names for a side in pixels, from IconFamily's types that hold a PNG; each point size is
# there once more at two pixels a point.
ICNS_TYPES = {
    "icp4": 16,
    "ic11": 32,
    "icp5": 32,
    "ic12": 64,
    "ic07": 128,
    "ic13": 256,
    "ic08": 256,
    "ic14": 512,
    "ic09": 512,
    "ic10": 1024,
}


def draw(side: int) -> QImage:
    """The icon, ``side`` pixels wide and high, on nothing."""
    image = QImage(side, side, QImage.Format.Format_ARGB32)
    image.fill(0)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    QSvgRenderer(str(SVG)).render(painter)
    painter.end()
    return image


def png(side: int) -> bytes:
    """The icon as the bytes of a PNG file."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    QImageWriter(buffer, QByteArray(b"png")).write(draw(side))
    return bytes(buffer.data().data())


def write_hicolor(folder: Path) -> None:
    """Every size and the drawing itself, at their places in the hicolor theme below ``folder``."""
    for side in HICOLOR_SIZES:
        target = folder / "hicolor" / f"{side}x{side}" / "apps" / f"{ID}.png"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(png(side))
    scalable = folder / "hicolor" / "scalable" / "apps" / f"{ID}.svg"
    scalable.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(SVG, scalable)


def write_ico(path: Path) -> None:
    """All sizes in one .ico. The large one is a PNG in it, which Windows reads since Vista."""
    pictures = [png(side) if side == 256 else _bitmap(side) for side in ICO_SIZES]
    offset = 6 + 16 * len(pictures)
    entries = b""
    for side, picture in zip(ICO_SIZES, pictures, strict=True):
        entries += struct.pack(
            "<BBBBHHII", side % 256, side % 256, 0, 0, 1, 32, len(picture), offset
        )
        offset += len(picture)
    path.write_bytes(struct.pack("<HHH", 0, 1, len(pictures)) + entries + b"".join(pictures))


def write_icns(path: Path) -> None:
    """All sizes in one .icns: a type, a length and a PNG each."""
    parts = b""
    for name, side in ICNS_TYPES.items():
        picture = png(side)
        parts += name.encode() + struct.pack(">I", 8 + len(picture)) + picture
    path.write_bytes(b"icns" + struct.pack(">I", 8 + len(parts)) + parts)


def _bitmap(side: int) -> bytes:
    """A BITMAPINFOHEADER, the pixels from the bottom up, and a mask that hides nothing.

    The header's height counts the mask too; the alpha channel is what is drawn by.
    """
    header = struct.pack("<IiiHHIIiiII", 40, side, 2 * side, 1, 32, 0, 0, 0, 0, 0, 0)
    image = draw(side)  # what constBits shows is gone with the image
    pixels, row = bytes(image.constBits()), 4 * side
    upwards = b"".join(pixels[at : at + row] for at in range(row * (side - 1), -1, -row))
    mask_row = (side + 31) // 32 * 4
    return header + upwards + bytes(mask_row * side)


def main(arguments: Sequence[str] | None = None) -> None:
    """Write what the command line asks for."""
    parser = argparse.ArgumentParser(description="Draw the app's icon for a system.")
    parser.add_argument("--hicolor", type=Path, metavar="FOLDER")
    parser.add_argument("--ico", type=Path, metavar="FILE")
    parser.add_argument("--icns", type=Path, metavar="FILE")
    wanted = parser.parse_args(arguments)
    for target, write in (
        (wanted.hicolor, write_hicolor),
        (wanted.ico, write_ico),
        (wanted.icns, write_icns),
    ):
        if target is not None:
            write(target)


if __name__ == "__main__":
    main()
