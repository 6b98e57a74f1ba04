"""Where a message is written: a text box, what goes with it, and how full the context is."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QFileDialog,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app import strokes
from app.chat.chips import ChipRow
from app.chat.controls import IconButton, Pictures, once, page_width
from app.chat.files import Trouble, read_text
from app.chat.meter import Meter
from app.chat.model import Attachment
from app.chat.state import ComposerState, Phase
from app.chat.textbox import MOST_CHARACTERS, TextBox
from app.controls import Text
from app.theme import Role, Theme, Type

__all__ = ["Composer", "ComposerState"]

_DRAFT_MS = 200
_SAID_MS = 5_000
_MOST_RECALLED = 100
_NARROW = 110  # units: below, the meter says less
_MOST_CHIPS = 30  # units: about three lines of attachments; of more the rest is scrolled to


class Composer(QWidget):
    """The text box and what belongs to it. What was typed stays until it is sent.

    Signals:
        send: Text and `Attachment`s; the box is empty now.
        stop: The reply that is written is to end.
        draft_changed: The text in the box, a moment after it or the attachments changed.
    """

    send = Signal(str, list)
    stop = Signal()
    draft_changed = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._state = ComposerState.idle()
        self._attachments: list[Attachment] = []
        self._sent: list[str] = []
        self._recalled = 0  # how many messages back the box shows; 0 for none
        self._draft = once(self, _DRAFT_MS, self._tell)
        self._hush = once(self, _SAID_MS, self._show_state)
        self._frame = _Frame(theme, self)
        self._build()
        self._restyle()
        theme.changed.connect(self._restyle)

    # What it holds -----------------------------------------------------------------------------

    @property
    def text(self) -> str:
        """What is in the box."""
        return self.box.toPlainText()

    @property
    def attachments(self) -> list[Attachment]:
        """What goes with it."""
        return list(self._attachments)

    @property
    def hint(self) -> str:
        """What it says beside the buttons."""
        return self._hint.whole_text()

    def set_draft(self, text: str, attachments: Sequence[Attachment] = ()) -> None:
        """Put a message into it, as it was kept with its conversation. A text that the box does
        not hold goes with it as an attachment."""
        self._recalled = 0
        self._attachments = [Attachment.of(each) for each in attachments]
        if len(text) <= MOST_CHARACTERS:
            self._put(text)
            self._show_chips()
        else:  # as a paste of it would
            self._put("")
            self._attach_paste(text)

    def clear(self) -> None:
        """Empty it."""
        self.set_draft("")

    def set_recall(self, texts: Sequence[str]) -> None:
        """What Up brings back in an empty box: the messages of this conversation, oldest first,
        without those that the box does not hold."""
        self._sent = [text for text in texts if len(text) <= MOST_CHARACTERS][-_MOST_RECALLED:]
        self._recalled = 0

    def attach(self, attachment: Attachment) -> None:
        """Add an attachment."""
        self._attachments.append(attachment)
        self._show_chips()

    def attach_files(self, paths: Sequence[str]) -> list[str]:
        """Add the text of files. What cannot be added is said, and returned."""
        refused = []
        for path in paths:
            found = read_text(Path(path))
            if isinstance(found, Attachment):
                self._attachments.append(found)
            else:
                self.say(self._trouble(found, Path(path).name), warn=True)
                refused.append(path)
        self._show_chips()  # once: every chip is made anew
        return refused

    # What is known about it --------------------------------------------------------------------

    def set_state(self, state: ComposerState) -> None:
        """Whether a message can be sent now."""
        self._state = state
        self._show_state()

    def set_counts(self, tokens: int, used: int, limit: int) -> None:
        """Tokens of what is typed, and what the conversation takes without it of ``limit``."""
        self.meter.set_counts(tokens, used, limit)

    def say(self, words: str, *, warn: bool = False) -> None:
        """Say something beside the buttons for a moment."""
        self._hint.set_role(Role.WARNING if warn else Role.FAINT)
        self._hint.setText(words)
        self._hush.start()

    def focus(self) -> None:
        """Let a person type."""
        self.box.setFocus(Qt.FocusReason.OtherFocusReason)

    # Doing -------------------------------------------------------------------------------------

    def submit(self) -> None:
        """Send what is there, if it can be sent now; else say why not and keep it."""
        text = self.text.strip()
        if not text and not self._attachments:
            return
        if self._state.phase is Phase.DISABLED:
            self.say(self._state.reason, warn=True)
        elif self._state.phase is not Phase.IDLE:
            self.say(self.tr("A reply is being written. Esc stops it."))
        else:
            attachments = self.attachments
            self._sent = [*self._sent, text][-_MOST_RECALLED:] if text else self._sent
            self.clear()
            self.send.emit(text, attachments)

    def _press(self) -> None:
        if self._state.phase is Phase.BUSY:
            self._stop()
        else:
            self.submit()

    def _stop(self) -> None:
        if self._state.phase is Phase.BUSY:
            self.set_state(ComposerState.stopping())  # seen at once, whatever the engine does
            self.stop.emit()

    def _attach_paste(self, text: str) -> None:
        pasted = sum(each.name.startswith(self.tr("Pasted text")) for each in self._attachments)
        name = self.tr("Pasted text") + (f" {pasted + 1}" if pasted else "")
        self.attach(Attachment(name, text))

    def choose_files(self) -> None:
        """Let a person choose files to attach."""
        dialog = QFileDialog(self.window(), self.tr("Attach the text of files"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.filesSelected.connect(self.attach_files)
        dialog.finished.connect(dialog.deleteLater)
        dialog.finished.connect(self.focus)
        dialog.open()

    def _detach(self, index: int) -> None:
        del self._attachments[index]
        self._show_chips()
        self.focus()

    def _recall(self, step: int) -> bool:
        """Bring back an older message, or a newer one; False where that makes no sense."""
        shown = self._sent[-self._recalled] if self._recalled else ""
        wanted = self._recalled + step
        if self.text != shown or not 0 <= wanted <= len(self._sent) or not self._sent:
            return False
        self._recalled = wanted
        self._put(self._sent[-wanted] if wanted else "")
        return True

    def _put(self, text: str) -> None:
        self.box.setPlainText(text)
        self.box.moveCursor(self.box.textCursor().MoveOperation.End)

    # Showing -----------------------------------------------------------------------------------

    def _build(self) -> None:
        # In the order in which they are seen: the tab key goes by it.
        pictures = Pictures(self._theme)
        self.chips = ChipRow(self._theme, pictures, removable=True)
        self.chips.removed.connect(self._detach)
        self._chip_area = self._area_of_chips()
        self.box = TextBox(self._theme, self._frame)
        self.box.setAccessibleName(self.tr("Message"))
        self.box.setPlaceholderText(self.tr("Message"))
        self.box.installEventFilter(self)
        self.box.entered.connect(self.submit)
        self.box.escaped.connect(self._stop)
        self.box.pasted.connect(self._attach_paste)
        self.box.dropped.connect(self.attach_files)
        self.box.textChanged.connect(self._grow)
        picture, words = pictures.get("attach"), self.tr("Attach files")
        self.attach_button = IconButton(
            self._theme, picture, words, self._frame, action="message.attach"
        )
        self.attach_button.clicked.connect(self.choose_files)
        hush = Type.SECONDARY, Role.FAINT
        self._hint = Text(self._theme, "", *hush, elided=True, parent=self._frame)
        self.meter = Meter(self._theme, self._frame)
        self.button = QPushButton(self._frame)
        self.button.clicked.connect(self._press)
        self._lay_out()

    def _area_of_chips(self) -> QScrollArea:
        area = QScrollArea(self._frame)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(self.chips)
        for widget in (area.viewport(), self.chips):
            widget.setAutoFillBackground(False)
        return area

    def _lay_out(self) -> None:
        self._outer = QHBoxLayout(self)
        self._outer.addWidget(self._frame)
        self._inner = QVBoxLayout(self._frame)
        self._inner.addWidget(self._chip_area)
        self._inner.addWidget(self.box)
        self._row = QHBoxLayout()
        self._row.addWidget(self.attach_button)
        self._row.addWidget(self._hint, 1)
        self._row.addWidget(self.meter)
        self._row.addWidget(self.button)
        self._inner.addLayout(self._row)

    def _restyle(self) -> None:
        theme = self._theme
        pictures = Pictures(theme)
        self._inner.setContentsMargins(*[theme.space(2)] * 4)
        self._inner.setSpacing(theme.space(1.5))
        self._row.setSpacing(theme.space(2))
        self.attach_button.restyle(pictures.get("attach"))
        self.button.setFont(theme.font(Type.STRONG))
        self.box.restyle()
        self.meter.restyle()
        self.chips.restyle(pictures)
        self._show_chips()
        self._show_state()
        self._place()

    def _show_state(self) -> None:
        phase = self._state.phase
        words = {
            Phase.BUSY: self.tr("Stop"),
            Phase.STOPPING: self.tr("Stopping…"),
        }
        self.button.setMinimumWidth(self._widest_button())
        self.button.setText(words.get(phase, self.tr("Send")))
        self.button.setEnabled(phase in (Phase.IDLE, Phase.BUSY))
        look = "primary" if phase in (Phase.IDLE, Phase.DISABLED) else ""
        self.button.setProperty("look", look)
        self.button.update()
        self._hint.set_role(Role.FAINT)
        self._hint.setText(self._state.reason if phase is Phase.DISABLED else "")

    def _widest_button(self) -> int:
        """So that nothing moves when "Send" becomes "Stop"."""
        widest = 0
        for words in (self.tr("Send"), self.tr("Stop"), self.tr("Stopping…")):
            self.button.setText(words)
            widest = max(widest, self.button.sizeHint().width())
        return widest

    def _show_chips(self) -> None:
        self.chips.show_attachments(self._attachments)
        self._chip_area.setVisible(bool(self._attachments))
        self._place()
        self._draft.start()

    def _grow(self) -> None:
        self._draft.start()
        self._place()

    def _place(self) -> None:
        """Take the room that the text and the chips need."""
        width = page_width(self._theme, self.width())
        side = max(0, (self.width() - width) // 2)
        space = self._theme.space
        self._outer.setContentsMargins(side, space(1), side, space(4))
        inner = width - 2 * space(2)
        self.meter.set_narrow(inner < space(_NARROW))
        if self._attachments:
            self._place_chips(inner, space(_MOST_CHIPS))
        self.box.set_margin(space(1))
        self.box.setFixedHeight(self.box.height_for(inner))

    def _place_chips(self, width: int, most: int) -> None:
        height = self.chips.height_for(width)
        if height > most:
            width -= self._chip_area.verticalScrollBar().sizeHint().width()
            height = self.chips.height_for(width)
        self.chips.resize(width, height)
        self._chip_area.setFixedHeight(min(height, most))

    def _tell(self) -> None:
        self.draft_changed.emit(self.text)

    def _trouble(self, trouble: Trouble, name: str) -> str:
        words = {
            Trouble.NO_FILE: self.tr("{name} is not a file."),
            Trouble.UNREADABLE: self.tr("{name} cannot be read."),
            Trouble.TOO_LARGE: self.tr("{name} is larger than 4 MB."),
            Trouble.NO_TEXT: self.tr("{name} is not a text file."),
        }
        return words[trouble].format(name=name)

    # Qt ----------------------------------------------------------------------------------------

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self._frame.has_focus = event.type() == QEvent.Type.FocusIn
            self._frame.update()
        elif isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            steps = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1}
            step = steps.get(Qt.Key(event.key()))
            if step and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
                return self._recall(step)
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._place()


class _Frame(QWidget):
    """The box around the text and the buttons; its line is the text's ring of focus."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.has_focus = False

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        return QSize(self._theme.space(100), super().sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        line, width = (Role.FOCUS, 2.0) if self.has_focus else (Role.BORDER, 1.0)
        painter = QPainter(self)
        fill, edge = self._theme.color(Role.RAISED), self._theme.color(line)
        strokes.rounded(painter, QRectF(self.rect()), self._theme.space(3.5), fill, edge, width)
        painter.end()
