"""The curve for other programs: as a picture and as a table."""

from __future__ import annotations

import csv
import io

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QPoint
from PySide6.QtGui import QImage, QImageWriter
from PySide6.QtWidgets import QWidget

from app.theme import Role, Theme
from app.tuning.reading import GAMMAS
from engine.tunings import Record

_PIXELS = 2  # of the picture for each of the screen's points
_TITLES = (
    "kind", "temperature", "gamma", "speed_up", "low", "high", "tried", "tokens_per_round",
    "survival", "pass_width", "pass_seconds", "pass_timed", "cache_bytes", "buffer_bytes",
    "recommended",
)  # fmt: skip


def as_png(widget: QWidget, theme: Theme) -> bytes:
    """What ``widget`` paints, on the ground of the page."""
    image = QImage(widget.size() * _PIXELS, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(_PIXELS)
    image.fill(theme.color(Role.WINDOW))
    flags = QWidget.RenderFlag.DrawChildren
    widget.render(image, QPoint(), renderFlags=flags)
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    QImageWriter(buffer, QByteArray(b"png")).write(image)
    return bytes(buffer.data().data())


def as_csv(record: Record) -> bytes:
    """A row for each kind of text, way of choosing tokens and γ; numbers with a point, in seconds
    and bytes. Empty where nothing was tried."""
    file = io.StringIO()
    rows = csv.writer(file, lineterminator="\r\n")
    rows.writerow(_TITLES)
    for curve in record.curves:
        tried = record.tried(curve)
        for gamma in GAMMAS:
            rows.writerow(
                [
                    curve.kind,
                    curve.temperature,
                    gamma,
                    curve.speed_up[gamma],
                    curve.low[gamma],
                    curve.high[gamma],
                    tried.get(gamma, ""),
                    curve.tokens_per_round[gamma],
                    curve.survival[gamma - 1] if gamma else "",
                    gamma + 1,
                    record.passes[gamma],
                    int(gamma + 1 not in record.interpolated),
                    record.sizes.caches[gamma > 0],
                    record.sizes.buffers[gamma],
                    int(gamma == curve.gamma),
                ]
            )
    return file.getvalue().encode()
