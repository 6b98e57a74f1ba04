"""Markdown in a QTextDocument, in our type and spacing.

Nothing that a message says is ever loaded: pictures become links, and raw HTML is literal.
"""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtGui import (
    QBrush,
    QFont,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFragment,
    QTextLength,
    QTextList,
    QTextOption,
    QTextTable,
    QTextTableFormat,
)

from app.chat.breaks import with_breaks
from app.theme import Role, Theme, Type

_FEATURES = (
    QTextDocument.MarkdownFeature.MarkdownDialectGitHub
    | QTextDocument.MarkdownFeature.MarkdownNoHTML
)
_Property = QTextFormat.Property
_SIZES = (1.0, 1.43, 1.29, 1.14, 1.0, 1.0, 1.0)  # of the body's: text, and headings by level
_AIRY, _TIGHT = 1.58, 1.35  # lines of text and of headings, of their size


class Sheet:
    """Writes Markdown or plain text into documents, in the theme's look."""

    def __init__(self, theme: Theme, *, quiet: bool = False) -> None:
        """``quiet``: in the colour of what is secondary."""
        self._theme = theme
        self._is_quiet = quiet
        self._muted = QTextCharFormat()
        self._muted.setForeground(theme.color(Role.SECONDARY))
        self.gap = theme.space(2.5)
        """Pixels between two paragraphs."""

    def heading_gap(self) -> int:
        """Pixels above a heading."""
        return self._theme.space(4.5)

    def prepare(self, document: QTextDocument) -> None:
        """What holds for a document whatever is written into it."""
        document.setUndoRedoEnabled(False)
        document.setDocumentMargin(0)
        document.setDefaultFont(self._theme.font(Type.BODY))
        document.setIndentWidth(self._theme.space(6))
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        document.setDefaultTextOption(option)

    def write(self, document: QTextDocument, markdown: str) -> None:
        """Replace what ``document`` holds by ``markdown``: prose, or one table."""
        document.setLayoutEnabled(False)
        document.setMarkdown(with_breaks(markdown), _FEATURES)
        cursor = QTextCursor(document)
        cursor.beginEditBlock()
        for block in _blocks(document):
            self._style_block(cursor, block)
        self._trim_top(cursor)
        cursor.endEditBlock()
        document.setLayoutEnabled(True)

    def write_plain(self, document: QTextDocument, text: str) -> None:
        """Replace what ``document`` holds by ``text`` as it is."""
        document.setLayoutEnabled(False)
        document.setPlainText(text)
        cursor = QTextCursor(document)
        cursor.select(QTextCursor.SelectionType.Document)
        layout = QTextBlockFormat()
        layout.setLineHeight(self._line_height(), _at_least())
        cursor.mergeBlockFormat(layout)
        document.setLayoutEnabled(True)

    # Blocks ------------------------------------------------------------------------------------

    def _style_block(self, cursor: QTextCursor, block: QTextBlock) -> None:
        was = block.blockFormat()
        cursor.setPosition(block.position())
        cursor.mergeBlockFormat(self._block_format(block, was))
        if self._is_quiet or _quote_level(was):
            cursor.mergeBlockCharFormat(self._muted)  # what the bullets are drawn with
        for fragment in list(_fragments(block)):
            self._style_fragment(cursor, fragment, was)

    def _block_format(self, block: QTextBlock, was: QTextBlockFormat) -> QTextBlockFormat:
        layout = QTextBlockFormat()
        level = was.headingLevel()
        layout.setLineHeight(self._line_height(level), _at_least())
        layout.setTopMargin(self.heading_gap() if level else self.gap)
        layout.setBottomMargin(0)
        listed = _list_around(block)
        if listed is None:  # Qt lets the box of a task stand before what follows the list
            layout.setMarker(QTextBlockFormat.MarkerType.NoMarker)
        elif listed.itemNumber(block) > 0 or listed.format().indent() > 1:
            layout.setTopMargin(self._theme.space(1))
        if level := _quote_level(was):
            layout.setLeftMargin(level * self._theme.space(4))
        return layout

    def _line_height(self, level: int = 0) -> float:
        """Pixels from line to line: even, whatever the font's own spacing is."""
        return round(self._pixels(level) * (_TIGHT if level else _AIRY))

    def _pixels(self, level: int) -> float:
        return self._theme.font(Type.BODY).pixelSize() * _SIZES[level]

    def _trim_top(self, cursor: QTextCursor) -> None:
        """No margin above the first line: the space between segments is their column's."""
        first = QTextBlockFormat()
        first.setTopMargin(0)
        cursor.setPosition(0)
        cursor.mergeBlockFormat(first)

    # Words -------------------------------------------------------------------------------------

    def _style_fragment(
        self, cursor: QTextCursor, fragment: QTextFragment, block: QTextBlockFormat
    ) -> None:
        was = fragment.charFormat()
        if was.isImageFormat():
            self._replace_image(cursor, fragment)
            return
        format_ = QTextCharFormat(was)
        if level := block.headingLevel():
            format_.clearProperty(_Property.FontSizeAdjustment)
            format_.setProperty(_Property.FontPixelSize, round(self._pixels(level)))
        if was.fontFixedPitch():
            self._style_code(format_, level)
        if was.isAnchor():
            self._style_link(format_)
        elif self._is_quiet or _quote_level(block):
            format_.setForeground(self._theme.color(Role.SECONDARY))
        if was.fontWeight() > QFont.Weight.Medium:
            format_.setFontWeight(QFont.Weight.DemiBold)
        if format_ != was:
            _select(cursor, fragment)
            cursor.setCharFormat(format_)

    def _style_code(self, format_: QTextCharFormat, level: int) -> None:
        font = self._theme.font(Type.CODE)
        pixels = font.pixelSize() * _SIZES[level]
        format_.setFontFamilies(font.families())
        format_.setProperty(_Property.FontPixelSize, round(pixels))
        format_.setBackground(self._theme.color(Role.HOVER))

    def _style_link(self, format_: QTextCharFormat) -> None:
        format_.setForeground(self._theme.color(Role.LINK))
        format_.setFontUnderline(True)

    def _replace_image(self, cursor: QTextCursor, fragment: QTextFragment) -> None:
        """A link that says what the picture shows, in its place."""
        image = fragment.charFormat().toImageFormat()
        link = QTextCharFormat()
        link.setAnchor(True)
        link.setAnchorHref(image.name())
        self._style_link(link)
        said = image.property(_Property.ImageAltText) or image.name()
        _select(cursor, fragment)
        cursor.insertText(str(said), link)


def style_table(document: QTextDocument, theme: Theme) -> None:
    """The tables of ``document`` with hairlines, and air around what the cells say."""
    # One block around all of it: each change outside of one lays the whole table out again.
    cursor = QTextCursor(document)  # table.document() would take ours with it when it goes
    cursor.beginEditBlock()
    for frame in document.rootFrame().childFrames():
        if isinstance(frame, QTextTable):
            form = QTextTableFormat(frame.format())
            form.setBorderCollapse(True)
            form.setBorder(1)
            form.setBorderBrush(QBrush(theme.color(Role.LINE)))
            form.setBorderStyle(QTextTableFormat.BorderStyle.BorderStyle_Solid)
            form.setCellPadding(theme.space(1.75))
            form.setCellSpacing(0)
            form.setMargin(0)
            form.setWidth(QTextLength())
            frame.setFormat(form)
            _style_cells(cursor, frame, theme)
    cursor.endEditBlock()


def _style_cells(cursor: QTextCursor, table: QTextTable, theme: Theme) -> None:
    no_margin = QTextBlockFormat()
    no_margin.setTopMargin(0)
    no_margin.setLineHeight(0, QTextBlockFormat.LineHeightTypes.SingleHeight.value)
    for row in range(table.rows()):
        for column in range(table.columns()):
            cell = table.cellAt(row, column)
            cursor.setPosition(cell.firstPosition())
            cursor.mergeBlockFormat(no_margin)
            if row == 0:
                shade = QTextCharFormat(cell.format())
                shade.setBackground(theme.color(Role.SURFACE))
                cell.setFormat(shade)


def _blocks(document: QTextDocument) -> Iterator[QTextBlock]:
    block = document.begin()
    while block.isValid():
        yield block
        block = block.next()


def _fragments(block: QTextBlock) -> Iterator[QTextFragment]:
    at = block.begin()
    while not at.atEnd():
        yield at.fragment()
        at += 1


def _select(cursor: QTextCursor, fragment: QTextFragment) -> None:
    cursor.setPosition(fragment.position())
    end = fragment.position() + fragment.length()
    cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)


def _list_around(block: QTextBlock) -> QTextList | None:
    return block.textList()  # its own annotation forgets the None


def _quote_level(format_: QTextBlockFormat) -> int:
    return int(format_.property(_Property.BlockQuoteLevel) or 0)


def _at_least() -> int:
    return QTextBlockFormat.LineHeightTypes.MinimumHeight.value
