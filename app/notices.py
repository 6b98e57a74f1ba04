"""What the window says without being asked: a card above the composer, and a chance to undo."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.cards import Card, Offer, Undo
from app.controls import Card as Surface
from app.controls import IconButton, Text, margins
from app.icons import icon
from app.theme import Role, Theme, Type

UNDO_SECONDS = 12
"""How long an undo is in sight; its shortcut works until something else is done."""


class CardBar(QWidget):
    """The one card: what happened, and buttons for what can be done about it.

    Signals:
        chosen: The Offer that a person took up.
        shown: A card is there that says something new: the Card, with that alone.
    """

    chosen = Signal(object)
    shown = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.card: Card | None = None
        self._surface = Surface(theme)
        self._drawing = QLabel()
        self._words = Text(theme, "", Type.BODY, wrap=True)
        self._words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.buttons = {offer: self._button(offer) for offer in Offer}
        self.close_button = IconButton(theme, "close", self.tr("Close this message"), side=7)
        self.close_button.clicked.connect(lambda: self.show_card(None))
        self._lay_out()
        theme.changed.connect(self._measure)
        self._measure()
        self.hide()

    def show_card(self, card: Card | None) -> None:
        """Show a card in place of the one that is there, or none."""
        before, self.card = self.card.sentence if self.card is not None else "", card
        self.setVisible(card is not None)
        if card is None:
            return
        self._words.setText(card.sentence)
        self.setAccessibleName(card.sentence)
        for offer, button in self.buttons.items():
            button.setVisible(offer in card.offers)
        self._buttons.setVisible(bool(card.offers))
        self.buttons[Offer.DETAILS].setText(self.tr("Copy details"))
        self._surface.set_line(Role.DANGER if card.is_trouble else Role.LINE)
        self._draw()
        if card.sentence not in before:
            new = card.sentence.removeprefix(before).lstrip()
            self.shown.emit(replace(card, sentence=new))

    def _button(self, offer: Offer) -> QPushButton:
        titles = {
            Offer.RELOAD: self.tr("Reload"),
            Offer.OPEN: self.tr("Open another file…"),
            Offer.DETAILS: self.tr("Copy details"),
            Offer.FORCE: self.tr("Force stop"),
        }
        button = QPushButton(titles[offer])
        if offer is Offer.RELOAD:
            button.setProperty("look", "primary")
        button.clicked.connect(lambda: self._choose(offer))
        return button

    def _choose(self, offer: Offer) -> None:
        if offer is Offer.DETAILS and self.card is not None:
            QGuiApplication.clipboard().setText(self.card.report)
            self.buttons[offer].setText(self.tr("Copied"))
        self.chosen.emit(offer)

    def _lay_out(self) -> None:
        self._buttons = QWidget()
        self._row = QHBoxLayout(self._buttons)
        for button in self.buttons.values():
            self._row.addWidget(button)
        self._row.addStretch()
        self._middle = QVBoxLayout()
        self._middle.addWidget(self._words)
        self._middle.addWidget(self._buttons)
        self._across = QHBoxLayout(self._surface)
        top = Qt.AlignmentFlag.AlignTop
        self._across.addWidget(self._drawing, 0, top)
        self._across.addLayout(self._middle, 1)
        self._across.addWidget(self.close_button, 0, top)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._surface)

    def _measure(self) -> None:
        space = self._theme.space
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(space(2))
        self._middle.setContentsMargins(0, space(1), 0, space(0.5))
        self._middle.setSpacing(space(2.5))
        self._across.setContentsMargins(margins(self, space(3), space(2), space(2), space(2.5)))
        self._across.setSpacing(space(2.5))
        self._draw()

    def _draw(self) -> None:
        trouble = self.card is not None and self.card.is_trouble
        side = self._theme.space(5)
        name, role = ("warning", Role.DANGER) if trouble else ("info", Role.SECONDARY)
        self._drawing.setPixmap(icon(self._theme, name, role).pixmap(QSize(side, side)))
        self._drawing.setFixedHeight(self._theme.space(7))


class UndoBar(Surface):
    """What was just done, with a button that takes it back, for a while.

    Signals:
        taken_back: The Undo that a person wants.
        changed: There is something to take back, or nothing any more.
    """

    taken_back = Signal(object)
    changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, fill=Role.TOOLTIP, line=Role.TOOLTIP, radius=2.5, parent=parent)
        self._theme = theme
        self.undo: Undo | None = None
        self._words = Text(theme, "", Type.BODY, Role.TOOLTIP_TEXT, elided=True)
        self.button = QPushButton(self.tr("Undo"))
        self.button.clicked.connect(self.take_back)
        self._row = QHBoxLayout(self)
        self._row.addWidget(self._words, 1)
        self._row.addWidget(self.button)
        self._time = QTimer(self, singleShot=True, interval=UNDO_SECONDS * 1000)
        self._time.timeout.connect(self.hide)
        theme.changed.connect(self._measure)
        self._measure()
        self.hide()

    def offer(self, undo: Undo) -> None:
        """Offer to take something back; it is the only thing that can be from now on."""
        self.undo = undo
        self._words.setText(undo.text)
        self.setAccessibleName(undo.text)
        self.show()
        self.raise_()
        self._time.start()
        self.changed.emit()

    def take_back(self) -> None:
        """Take back what can be."""
        undo, self.undo = self.undo, None
        self.hide()
        if undo is not None:
            self.taken_back.emit(undo)
        self.changed.emit()

    def forget(self, conversation: int) -> None:
        """Something else was done in a conversation: what changed it before stays."""
        if self.undo is not None and self.undo.within == conversation:
            self.undo = None
            self._time.stop()
            self.hide()
            self.changed.emit()

    def place(self, bottom: int) -> None:
        """Lie in the middle of what it floats over, with the lower edge at ``bottom``."""
        parent, hint = self.parentWidget(), self.sizeHint()
        room = parent.width() if parent is not None else hint.width()
        width = min(hint.width(), room - self._theme.space(4))
        left = (room - width) // 2
        self.setGeometry(left, bottom - hint.height(), width, hint.height())

    def sizeHint(self) -> QSize:  # noqa: N802
        """As wide as its words, within reason."""
        hint = super().sizeHint()
        space = self._theme.space
        words = self._words.sizeHint().width() + self.button.sizeHint().width() + space(12)
        return QSize(min(words, space(130)), hint.height())

    def _measure(self) -> None:
        space = self._theme.space
        self._row.setContentsMargins(margins(self, space(4), space(1.5), space(1.5), space(1.5)))
        self._row.setSpacing(space(4))
