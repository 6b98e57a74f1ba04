"""The tint: words coloured by where their token came from, and what the colours mean.

A colour never stands alone: a corrected token is underlined, a bonus one dotted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QCoreApplication, QLocale, QRectF, QSize, Qt
from PySide6.QtGui import (
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QTextCharFormat,
    QTextDocument,
)
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from app.chat.controls import Caption, ink
from app.chat.model import Span
from app.chat.segments import Kind, Segment
from app.chat.sources import Stretch, stretches, verbatim_stretches
from app.theme import Role, Theme, Type
from engine.protocol import Source

PARTED = "parted"
"""The source of the one token at which two replies part; it looks like a corrected one."""

HERE = "here"
"""The mark of the token that the keyboard is on; it lies over the tint."""

_Underline = QTextCharFormat.UnderlineStyle

_TINTS: Mapping[str, tuple[Role, Role, QTextCharFormat.UnderlineStyle]] = {
    Source.ACCEPTED: (Role.ACCEPTED_TINT, Role.ACCEPTED, _Underline.NoUnderline),
    Source.CORRECTED: (Role.CORRECTED_TINT, Role.CORRECTED, _Underline.SingleUnderline),
    Source.BONUS: (Role.BONUS_TINT, Role.BONUS, _Underline.DotLine),
    PARTED: (Role.CORRECTED_TINT, Role.CORRECTED, _Underline.SingleUnderline),
}


class Tint:
    """The sources of one message, ready to be shown on its segments."""

    def __init__(self, theme: Theme, text: str, spans: Sequence[Span]) -> None:
        self.text = text
        self.spans = spans
        self.formats = {source: _format(theme, source) for source in _TINTS}
        self.formats[HERE] = QTextCharFormat()
        self.formats[HERE].setBackground(theme.color(Role.ACCENT))
        self.formats[HERE].setForeground(theme.color(Role.ON_ACCENT))

    def stretches(self, document: QTextDocument, segment: Segment) -> list[Stretch]:
        """The tokens of ``segment`` as ``document`` shows it."""
        source = self.text[segment.start : segment.end]
        if source.startswith(segment.text) and segment.kind in (Kind.CODE, Kind.TEXT):
            return verbatim_stretches(segment.text, segment.start, self.spans)
        return stretches(_shown(document), source, segment.start, self.spans)


def _shown(document: QTextDocument) -> str:
    """What a document shows, position by position."""
    texts = []
    block = document.begin()
    while block.isValid():
        texts.append(block.text())
        block = block.next()
    return "\n".join(texts)


def _format(theme: Theme, source: str) -> QTextCharFormat:
    tint, line, underline = _TINTS[source]
    format_ = QTextCharFormat()
    format_.setBackground(theme.color(tint))
    if underline is not _Underline.NoUnderline:
        format_.setUnderlineStyle(underline)
        format_.setUnderlineColor(theme.color(line))
    return format_


def explained(span: Span) -> str:
    """What decided about a token, in a sentence."""
    if span.source == PARTED:
        return _tr("Here the two replies part.")
    p = _chance(span.p)
    if span.source == Source.BONUS:
        return _tr("Bonus: every drafted token had passed, so the target added this one (p = {p}).",
                   p=p)  # fmt: skip
    if span.source == Source.PLAIN or span.q is None:
        return _tr("Plain: nothing was drafted here. The target gave it p = {p}.", p=p)
    q = _chance(span.q)
    if span.source == Source.CORRECTED:
        return _tr(
            "Corrected: the draft proposed another token, which it gave q = {q} and the target "
            "only p = {p}. The target chose this one instead.", p=p, q=q,
        )  # fmt: skip
    return _tr("Accepted: the draft gave it q = {q}, the target p = {p}.", p=p, q=q)


def source_words(source: str) -> str:
    """What a source is called."""
    words: dict[str, str] = {
        Source.ACCEPTED: QCoreApplication.translate("Legend", "accepted"),
        Source.CORRECTED: QCoreApplication.translate("Legend", "corrected"),
        Source.BONUS: QCoreApplication.translate("Legend", "bonus"),
    }
    return words.get(source, source)


def _chance(chance: float | None) -> str:
    return "?" if chance is None else QLocale().toString(float(chance), "g", 3)


def _tr(text: str, **values: str) -> str:
    return QCoreApplication.translate("Tint", text).format(**values)


class Legend(QWidget):
    """What the tints mean, in one line. Where that is narrow, it has no title."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._row = QHBoxLayout(self)
        self._title = Caption(theme, self.tr("Where the words came from"), self, role=Role.FAINT)
        meanings = {
            Source.ACCEPTED: self.tr("drafted, and kept by the target"),
            Source.CORRECTED: self.tr("put in a drafted token's place"),
            Source.BONUS: self.tr("added when all drafted were kept"),
        }
        self._keys = [
            _Key(theme, source, source_words(source), meaning, self)
            for source, meaning in meanings.items()
        ]
        self._row.addStretch()
        for widget in (self._title, *self._keys):
            self._row.addWidget(widget)
        self._row.addStretch()
        self.restyle()

    def restyle(self) -> None:
        """Take the theme's fonts and sizes."""
        space = self._theme.space
        self._row.setContentsMargins(space(4), space(2), space(4), space(1))
        self._row.setSpacing(space(3))
        self._title.setFont(self._theme.font(Type.SECONDARY))
        ink(self._title, self._theme, Role.FAINT)
        for key in self._keys:
            key.setFont(self._theme.font(Type.SECONDARY))
        self._make_room()

    def minimumSizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Without the title."""
        return QSize(self._needed(self._keys), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._make_room()

    def _make_room(self) -> None:
        self._title.setVisible(self._needed([self._title, *self._keys]) <= self.width())

    def _needed(self, labels: Sequence[QLabel]) -> int:
        edges, gaps = self._row.contentsMargins(), self._row.spacing() * (len(labels) + 1)
        words = sum(label.sizeHint().width() for label in labels)
        return words + gaps + edges.left() + edges.right()


class _Key(QLabel):
    """One word of the legend, tinted as the words it stands for."""

    def __init__(self, theme: Theme, source: str, word: str, meaning: str, parent: QWidget) -> None:
        super().__init__(word, parent)
        self._theme = theme
        self._source = source
        self.setFont(theme.font(Type.SECONDARY))
        self.setToolTip(meaning)
        self.setAccessibleDescription(meaning)

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        hint = super().sizeHint()
        return QSize(hint.width() + self._theme.space(3), hint.height() + self._theme.space(1))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        tint, line, underline = _TINTS[self._source]
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.color(tint))
        painter.setPen(self._theme.color(Role.TEXT))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.text())
        if underline is not _Underline.NoUnderline:
            dotted = underline is _Underline.DotLine
            style = Qt.PenStyle.DotLine if dotted else Qt.PenStyle.SolidLine
            painter.setPen(QPen(self._theme.color(line), 1.5, style))
            words = QRectF(self.rect()).adjusted(
                self._theme.space(1.5), 0, -self._theme.space(1.5), -self._theme.space(0.75)
            )
            painter.drawLine(words.bottomLeft(), words.bottomRight())
        painter.end()
