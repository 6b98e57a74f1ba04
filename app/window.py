"""The window: chats on the desk at the left, the chat on its sheet, the live panel at the right."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QPainter,
    QPaintEvent,
    QPalette,
)
from PySide6.QtWidgets import QMainWindow, QStackedWidget, QVBoxLayout, QWidget

from app import strokes
from app.actions import Actions
from app.cards import Card, Matter, Offer
from app.chatpane import ChatPane
from app.commands import Commands
from app.controls import Rule, margins
from app.files import Opener
from app.models.screens import ModelScreens
from app.notices import UndoBar
from app.pages import Pages
from app.palette import Palette
from app.panel.panel import LivePanel
from app.panes import Panes, state_of
from app.parts import Parts
from app.phases import Mode
from app.sentences import translated
from app.sidebar import Sidebar
from app.theme import Role, Theme
from app.topbar import TopBar
from app.tuning.screens import TuningScreens
from app.wiring import wire_panel

_FIRST_SIZE = QSize(1280, 820)
_LEAST_SIZE = QSize(640, 480)
_LINES = 2  # pixels: the sheet's line at either side of what is in it


class Sheet(QWidget):
    """The raised surface that is read."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(1, 1, 1, 1)
        self.column.setSpacing(0)
        theme.changed.connect(self._restyle)
        self._restyle()

    def _restyle(self) -> None:
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Window, self._theme.color(Role.WINDOW))
        self.setPalette(palette)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        painter = QPainter(self)
        fill, line = self._theme.color(Role.WINDOW), self._theme.color(Role.LINE)
        strokes.rounded(painter, QRectF(self.rect()), self._theme.space(3), fill, line)
        painter.end()


class Window(QMainWindow):
    """Puts the rooms together; what goes on in them is the session's.

    Signals:
        closed: It is gone, and every process with it.
    """

    closed = Signal()

    def __init__(self, parts: Parts) -> None:
        super().__init__()
        self.parts = parts
        self.theme = parts.theme
        self._state = state_of(self)
        self._is_closed = False
        self.setWindowTitle("Foreword")
        self.setAcceptDrops(True)
        self.actions_ = Actions(self.theme, self)
        self._build()
        self.opener = Opener(parts, self)
        self.models = ModelScreens(self)
        self.tuning = TuningScreens(self)
        self.palette_ = Palette(self.theme, self)
        self.commands = Commands(self)
        self._connect()
        self._restyle()
        self._restore()

    def start(self, file: Path | None = None) -> None:
        """Load what is to be loaded, or offer what could be. ``file``: a model to open."""
        self.parts.models.fetches.restore(self.opener.folder)
        if self.parts.trouble:
            said = (translated(code, sentence) for code, sentence in self.parts.trouble)
            self.parts.session.board.show(Card(" ".join(said)), Matter.START)
        if file is not None:
            self.opener.open_first(file)
        else:
            self.opener.open_last()

    def open_files(self, paths: list[Path]) -> None:
        """Take in what was dropped or named: models are loaded, chats imported, text attached."""
        self.opener.open_any(paths, self.chat.composer)

    def raise_up(self) -> None:
        """Come to the front."""
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.show()
        self.raise_()
        self.activateWindow()

    # Building ------------------------------------------------------------------------------------

    def _build(self) -> None:
        parts, theme = self.parts, self.theme
        self.sidebar = Sidebar(theme, self.actions_, parts.conversations)
        self.topbar = TopBar(theme, self.actions_, parts.session)
        self.chat = ChatPane(theme, parts.session, parts.edits, parts.models)
        self.panel = LivePanel(theme)
        self.pages = Pages(theme, parts.choices, self.actions_, parts.session)
        self.stack = QStackedWidget()
        self.stack.addWidget(self.chat)
        self.stack.addWidget(self.pages)
        self.sheet = Sheet(theme)
        self.sheet.column.addWidget(self.topbar)
        self.sheet.column.addWidget(Rule(theme))
        self.sheet.column.addWidget(self.stack, 1)
        self.panes = Panes(theme, self.sidebar, self.sheet, self.panel)
        self._desk = QWidget()
        self._desk.setAutoFillBackground(True)
        self._desk_layout = QVBoxLayout(self._desk)
        self._desk_layout.addWidget(self.panes)
        self.setCentralWidget(self._desk)
        self.actions_.fill(self.menuBar())
        # Its commands are at hand as buttons and in the palette; a Mac shows it anyway.
        self.menuBar().setVisible(self.menuBar().isNativeMenuBar())

    def _connect(self) -> None:
        parts = self.parts
        wire_panel(self.panel, parts)
        self.theme.changed.connect(self._restyle)
        self.panes.changed.connect(self._show_ways_back)
        self.topbar.models_wanted.connect(self.show_models)
        self.topbar.refusal_wanted.connect(self._explain_refusal)
        self.sidebar.opened.connect(self._open)
        self.sidebar.deleted.connect(self._delete)
        self.chat.announced.connect(self.announce)
        self.chat.dropped.connect(lambda paths: self.open_files([Path(each) for each in paths]))
        self.chat.cards.chosen.connect(self._take_up)
        self.opener.nothing_there.connect(
            lambda note: self.chat.offer_models(self.opener.folder, note)
        )
        self.opener.chat_wanted.connect(self._uncover_chat)
        self.panel.compare_requested.connect(self._uncover_chat)
        parts.session.changed.connect(self._follow)
        parts.session.begun.connect(lambda conversation, *_: self.sidebar.set_busy(conversation))
        parts.life.force_offered.connect(self._offer_force)
        parts.choices.unsaved.connect(lambda said: parts.session.show(Card(said)))
        parts.conversations.opened.connect(self._name)
        parts.conversations.listed.connect(self._name)
        self.pages.left.connect(self.show_chat)
        self.pages.reload_asked.connect(self.opener.reload)

    # What is shown -------------------------------------------------------------------------------

    @property
    def undo_bar(self) -> UndoBar:
        """What an undo would take back: on the page of models a deleted model, else in the chat."""
        page = self.models.page
        is_there = page is not None and page.isVisible() and page.undo_bar.undo is not None
        return page.undo_bar if page is not None and is_there else self.chat.undo_bar

    def show_chat(self) -> None:
        """Show the chat in place of a page."""
        self._turn_to(self.chat)
        self.chat.composer.focus()
        self.commands.refresh()

    def show_page(self, name: str) -> None:
        """Show a page in place of the chat."""
        self.pages.show_page(name)
        self._turn_to(self.pages)
        self.pages.setFocus(Qt.FocusReason.OtherFocusReason)
        self.commands.refresh()

    def show_models(self) -> None:
        """Let a person choose the pair."""
        self.models.choose()

    def announce(self, sentence: str) -> None:
        """Have a screen reader say a sentence."""
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, sentence))

    def _open(self, conversation: int, entry: int | None) -> None:
        current = self.parts.conversations.current
        if current is None or current.id != conversation or entry is None:
            self.parts.conversations.open(conversation)
        self.show_chat()
        if entry is not None:
            self.chat.transcript.show_entry(entry)

    def _delete(self, conversation: int) -> None:
        """The chance to undo it is in the chat."""
        self.parts.edits.delete_conversation(conversation)
        self._uncover_chat()

    def _uncover_chat(self) -> None:
        if self.stack.currentWidget() is not self.chat:
            self.show_chat()

    def _turn_to(self, area: QWidget) -> None:
        """Show the chat or a page. What went wrong is said beside either."""
        self.stack.setCurrentWidget(area)
        self.chat.place_cards(None if area is self.chat else self.sheet.column)

    def _follow(self) -> None:
        """The session is at something else."""
        session = self.parts.session
        if session.work is None:
            self.sidebar.set_busy(None)
        self.commands.refresh()

    def _offer_force(self, offered: bool) -> None:
        sentence = self.tr("The engine does not answer. What was written is kept.")
        card = Card(sentence, offers=(Offer.FORCE,)) if offered else None
        self.parts.session.board.show(card, Matter.SILENCE)

    def _take_up(self, offer: Offer) -> None:
        match offer:
            case Offer.RELOAD:
                self.opener.reload()
            case Offer.OPEN:
                self.opener.ask_for_model()
            case Offer.FORCE:
                self._offer_force(False)
                self.parts.life.force_stop()

    def _explain_refusal(self) -> None:
        ready = self.parts.life.ready
        if ready is None or ready.verdict.ok:
            return
        if ready.verdict.code == "no-draft":
            self.show_models()
            return
        sentence = self.tr("Replies are written plainly, without a draft: {reason}.")
        reason = translated(ready.verdict.code, ready.verdict.reason).rstrip(".")
        card = Card(sentence.format(reason=reason), is_trouble=False)
        self.parts.session.board.show(card, Matter.MODEL)

    def _name(self) -> None:
        current = self.parts.conversations.current
        title = current.title if current else ""
        self.setWindowTitle(f"{title} – Foreword" if title else "Foreword")
        self.commands.refresh()

    def _show_ways_back(self) -> None:
        panes = self.panes
        has_sidebar, has_panel = panes.is_shown(self.sidebar), panes.is_shown(self.panel)
        self.topbar.show_ways_back(sidebar=not has_sidebar, panel=not has_panel)
        self.actions_.check("view.sidebar", has_sidebar)
        self.actions_.check("view.panel", has_panel)
        self._measure()

    # Measures ------------------------------------------------------------------------------------

    def _restyle(self) -> None:
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Window, self.theme.color(Role.SURFACE))
        self._desk.setPalette(palette)
        self._measure()

    def _measure(self) -> None:
        space = self.theme.space
        begin = 0 if self.panes.is_shown(self.sidebar) else space(2)
        end = 0 if self.panes.is_shown(self.panel) else space(2)
        self._desk_layout.setContentsMargins(margins(self, begin, space(2), end, space(2)))
        least = self.topbar.minimumSizeHint().width()
        self.sheet.setMinimumWidth(max(self.panes.least_sheet, least + _LINES))
        self.setMinimumSize(_LEAST_SIZE.expandedTo(QSize(least + space(4), 0)))

    def _restore(self) -> None:
        self.resize(_FIRST_SIZE)
        geometry = self._state.value("geometry")
        if geometry is not None:
            self.restoreGeometry(geometry)
        self.panes.restore(self._state)
        mode = str(self._state.value("mode", Mode.SPECULATIVE))
        if mode in set(Mode):
            self.parts.session.choose_mode(Mode(mode))
        self._show_ways_back()
        self.chat.composer.focus()

    # Coming and going ----------------------------------------------------------------------------

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802
        """Files may be dropped anywhere."""
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802
        """Take them."""
        paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        event.acceptProposedAction()
        self.open_files(paths)

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802
        """Keep everything, end every process, then go. It is out of sight at once."""
        event.accept()
        if self._is_closed:
            return
        self._is_closed = True
        self._state.setValue("geometry", self.saveGeometry())
        self._state.setValue("mode", str(self.parts.session.mode))
        self.panes.save(self._state)
        self._state.sync()
        self.hide()
        self.chat.counting.stop()
        self.models.close()
        self.parts.close()
        self.closed.emit()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        """Full screen may come from outside."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.WindowStateChange:
            self.actions_.check("view.full-screen", self.isFullScreen())
