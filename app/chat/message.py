"""One message: what was said, and under it what can be known and done about it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QRectF, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QEnterEvent,
    QFocusEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QApplication, QMenu, QTextEdit, QToolTip, QWidget

from app import strokes
from app.chat.controls import Caption, Pictures
from app.chat.footer import CONTINUE, COPY, DELETE, EDIT, REGENERATE, Footer
from app.chat.pager import version_words
from app.chat.reply import Reply
from app.chat.rows import Row
from app.chat.selecting import Selecting
from app.chat.sources import counted
from app.chat.textbox import MOST_CHARACTERS
from app.chat.tint import Tint, explained, source_words
from app.chat.typed import Typed
from app.chat.walk import Place, Walk
from app.panel.numbers import whole
from app.theme import Role, Theme
from app.tips import plain_tip


class MessageWidget(QWidget):
    """Shows a `Row`. Its places are set by hand: a layout would ask all of them at every token.

    Signals:
        acted: Something of footer's is to be done with it.
        resent: The edited text is to be sent in its place.
        drafted: What stands in its editor is another text, or the editor was shut.
        resized: It has another height now, by what a person did.
        link: An address was pressed.
        copied: Text to be put on the clipboard.
        stepped: The focus is to go so many messages on.
        walked: The keyboard went to a token: from so many pixels below the top on, so many are to
            be in view.
        told: A sentence for screen readers that a person asked for.
    """

    acted = Signal(str)
    resent = Signal(str)
    drafted = Signal()
    resized = Signal()
    link = Signal(str)
    copied = Signal(str)
    stepped = Signal(int)
    walked = Signal(int, int)
    told = Signal(str)

    def __init__(
        self, theme: Theme, pictures: Pictures, row: Row, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self.row = row
        self._tint: Tint | None = None
        self._walk: Walk | None = None  # from the first step on
        self._is_current = False
        self._notes: list[Caption] = []
        self._refusal = ""
        self.words: Reply | Typed
        self.words = (Typed if row.is_typed else Reply)(theme, pictures, row, self)
        self.footer = Footer(theme, pictures, parent=self)
        self._selecting = Selecting(self.editors, self)
        self._connect()
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.refresh()
        if row.draft is not None and isinstance(self.words, Typed):
            self.words.edit(row.draft, take_focus=row.had_focus)

    def _connect(self) -> None:
        self.words.link.connect(self.link)
        self.words.copied.connect(self.copied)
        self.words.resized.connect(self._tell_size)
        self.footer.pressed.connect(self.act)
        self._selecting.copied.connect(self.copied)
        if isinstance(self.words, Typed):
            self.words.resent.connect(self.resent)
            self.words.drafted.connect(self.drafted)
            self.words.left.connect(self.setFocus)

    # What it shows -----------------------------------------------------------------------------

    def refresh(self) -> None:
        """Show all of the row anew; views whose segment is as it was are kept."""
        self.show_from(0)
        self._show_notes()
        self.refresh_footer()

    def show_from(self, first: int) -> None:
        """Show the segments from place ``first`` on: those before are as they were."""
        self.words.show_from(first)
        self._selecting.watch()

    def refresh_footer(self) -> None:
        """Say what is to be said under it, and offer what can be done with it now."""
        self.footer.say(self.row.footer(), warn=self.row.is_troubled)
        self.footer.offer(self._actions())
        had_pager = self.footer.pager is not None
        self.footer.page(self.row.shown_version)
        if self._is_current and not had_pager and self.footer.pager is not None:
            self.set_current(True)  # the tab key reaches it too
        self._describe()

    def set_idle(self, is_idle: bool) -> None:
        """Whether the engine is free for what can be asked of it here."""
        self.footer.set_idle(is_idle)
        if isinstance(self.words, Typed):
            self.words.set_idle(is_idle)

    def set_tint(self, is_on: bool) -> None:
        """Tint the words by their source, or stop."""
        self._stop_walking()
        wanted = is_on and self.row.is_reply
        self._tint = Tint(self._theme, self.row.text, self.row.spans) if wanted else None
        self.words.set_tint(self._tint)
        self._describe()

    def selected(self) -> str:
        """What a person selected in it."""
        return self._selecting.text()

    def editors(self) -> list[QTextEdit]:
        """Its text views, from the top."""
        return [view.editor for view in self.words.views]

    def edit(self, text: str) -> None:
        """Put an editor with ``text`` in the place of what a person said."""
        if not isinstance(self.words, Typed):
            return
        if len(text) <= MOST_CHARACTERS:
            self.words.edit(text)
        else:
            self._refusal = self.tr(
                "This message is too long to be changed here. Copy it, and send the changed text "
                "as a file."
            )
            self._show_notes()
            self._tell_size()

    def _show_notes(self) -> None:
        for note in self._notes:
            note.hide()
            note.deleteLater()
        told = filter(None, (*self.row.entry.notes, self._refusal))
        self._notes = [Caption(self._theme, said, self) for said in told]
        for note in self._notes:
            note.setWordWrap(True)
            note.show()

    def _tell_size(self) -> None:
        self._selecting.watch()
        self.resized.emit()

    # Doing -------------------------------------------------------------------------------------

    def act(self, action: str) -> None:
        """Do what a button of the footer or an entry of the menu stands for."""
        if action == EDIT:
            self.edit(self.row.entry.text)
        else:
            self.acted.emit(action)

    def menu(self) -> QMenu:
        """All that can be done with it."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if chosen := self.selected():
            menu.addAction(self.tr("Copy the selection"), lambda: self.copied.emit(chosen))
        self.footer.show_buttons()
        for name, button in self.footer.controls.items():
            entry = menu.addAction(button.icon(), button.accessibleName())
            entry.setEnabled(button.isEnabled())
            entry.triggered.connect(lambda _checked=False, name=name: self.act(name))
        return menu

    def _actions(self) -> list[str]:
        row = self.row
        if row.writing is not None:
            return [COPY]
        if row.is_typed:
            return [COPY, EDIT, DELETE]
        again = [REGENERATE] if row.is_last and row.is_reply and row.has_question else []
        return [COPY, *again, *([CONTINUE] if row.can_go_on else []), DELETE]

    # Places ------------------------------------------------------------------------------------

    def arrange(self, page: int) -> int:
        """Put everything in its place on a page so wide, and take the size that needs.

        Returns the height. The widget is wider than the page, by the room for the focus ring.
        """
        pad = self._theme.space(3)
        top = self._theme.space(4 if self.row.is_typed else 1.5)
        height = self.words.arrange(page)
        self.words.setGeometry(pad, top, page, height)
        top += height + self._theme.space(0 if self.row.is_typed else 1)
        for note in self._notes:
            tall = note.heightForWidth(page)
            note.setGeometry(pad, top + self._theme.space(1), page, tall)
            top += tall + self._theme.space(1)
        tall = self.footer.height_for(page)
        self.footer.setGeometry(pad, top, page, tall)
        self.resize(page + 2 * pad, top + tall + self._theme.space(1.5))
        return self.height()

    # People ------------------------------------------------------------------------------------

    def controls(self) -> list[QWidget]:
        """What the keyboard can reach in it, in the order of the tab key."""
        return [*self.words.controls(), *self.footer.controls.values()]

    def set_current(self, is_current: bool) -> None:
        """Let the tab key into it, or pass it by: only one message is on its way at a time."""
        self._is_current = is_current
        if is_current:
            self.footer.show_buttons()
        policy = Qt.FocusPolicy.StrongFocus if is_current else Qt.FocusPolicy.ClickFocus
        before: QWidget = self
        for control in self.controls():
            control.setFocusPolicy(policy)
            if is_current:
                QWidget.setTabOrder(before, control)
                before = control
        if not is_current and not self.underMouse():
            self.footer.hide_buttons()

    def _describe(self) -> None:
        """For those who cannot see it: who speaks, how it went, how many tokens came from where."""
        self.setAccessibleName(self.tr("You") if self.row.is_typed else self.tr("Reply"))
        parts = [self.row.footer()] if self.row.writing is None else []
        if self._tint is not None:
            sums = counted(self.row.spans).items()
            parts += [f"{whole(n)} {source_words(source)}" for source, n in sums]
        if version := self.row.shown_version:
            parts.append(version_words(version))
        self.setAccessibleDescription(", ".join(filter(None, parts)))

    def _token_step(self, event: QKeyEvent) -> int:
        """How many tokens on a key leads, as lines are read in the interface; 0 for another key."""
        is_bare = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1} if is_bare and self.hasFocus() else {}
        step = steps.get(Qt.Key(event.key()), 0)
        return -step if self.isRightToLeft() else step

    def _go_to_token(self, by: int) -> None:
        """Show what decided about the next token, or the one before, and have it read."""
        if self._walk is None:
            self._walk = Walk(lambda: self.words.views)
        place = self._walk.step(by)
        if place is None:
            return
        around = self._theme.space(8)
        place.scroll_sideways(around)
        top = place.view.editor.viewport().mapTo(self, place.rect().topLeft()).y()
        self.walked.emit(top - around, place.rect().height() + 2 * around)
        said = explained(place.span)
        self._show_tip(place, said)
        token = self.row.text[place.span.start : place.span.end].strip()
        self.told.emit(f"{token} – {said}" if token else said)

    def _show_tip(self, place: Place, said: str) -> None:
        """Its place is given: Qt would leave a tip with the same words where it is."""
        seen, rect = place.view.editor.viewport(), place.rect()
        QToolTip.showText(seen.mapToGlobal(rect.bottomLeft()), plain_tip(said), seen, rect)

    def _stop_walking(self) -> None:
        if self._walk is not None:
            self._walk.clear()
            QToolTip.hideText()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802 (Qt's name)
        at = event.globalPos()
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            at = self.mapToGlobal(QPoint(self._theme.space(4), self._theme.space(4)))
        self.menu().popup(at)

    def enterEvent(self, event: QEnterEvent) -> None:  # noqa: N802
        self.footer.show_buttons()

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802
        focus = QApplication.focusWidget()
        if focus is None or not (focus is self or self.isAncestorOf(focus)):
            self.footer.hide_buttons()

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        self._stop_walking()
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        self._selecting.clear()
        super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        steps = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copied.emit(self.selected() or self.row.answer())
        elif event.key() in steps:
            self.stepped.emit(steps[Qt.Key(event.key())])
        elif self._tint is not None and (by := self._token_step(event)):
            self._go_to_token(by)
        elif event.key() == Qt.Key.Key_Escape and not self.hasFocus():
            self.setFocus(Qt.FocusReason.OtherFocusReason)  # out of what is in it
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        if self.hasFocus():
            ring = self.rect()
            if isinstance(self.words, Typed):
                around = self._theme.space(0.75)
                place = self.words.bubble.translated(self.words.pos())
                ring = place.adjusted(-around, -around, around, around)
            color, radius = self._theme.color(Role.FOCUS), self._theme.space(3)
            painter = QPainter(self)
            strokes.rounded(painter, QRectF(ring), radius, None, color, 2.0)
            painter.end()
