"""What each command of the table does, and which of them can be done just now."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QApplication, QWidget

from app.actions import Fact
from app.chat.controls import put_on_clipboard
from app.chat.model import ASSISTANT, USER, EntryView
from app.chat.segments import Segmenter
from app.engine_life import Life
from app.history import State
from app.palette import of_actions
from app.phases import MOST_GAMMA, Mode, Phase
from app.preferences import PREFERENCES

if TYPE_CHECKING:
    from app.window import Window

_CUT_SHORT = (State.STOPPED, State.LENGTH, State.LOST)
_TEXT_STEP = 10  # per cent


class Commands(QObject):
    """Does what is chosen from a menu, by its keys or in the palette."""

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self._window = window
        self._parts = window.parts
        self._session = window.parts.session
        self._actions = window.actions_
        self._does: dict[str, Callable[[], object]] = {
            **self._chats(),
            **self._messages(),
            **self._views(),
            **self._speed(),
        }
        self._actions.chosen.connect(self._do)
        window.chat.undo_bar.changed.connect(self.refresh)
        self._parts.choices.changed.connect(self._apply)
        self._session.appended.connect(self.refresh)
        self._parts.edits.removed.connect(self.refresh)
        self._apply("theme")
        self._apply("tint")
        self._apply("follow")
        self.refresh()

    def refresh(self) -> None:
        """Enable what can be done now."""
        self._actions.set_facts(set(self._facts()))
        held = self._session.mode if self._session.can_speculate else Mode.PLAIN
        self._actions.check(f"mode.{held}")
        self._actions.check("gamma.each", self._session.settings.auto_gamma)

    def _do(self, id_: str, _is_on: bool) -> None:
        self._does[id_]()

    # The tables ----------------------------------------------------------------------------------

    def _chats(self) -> dict[str, Callable[[], object]]:
        window, opener = self._window, self._window.opener
        return {
            "chat.new": self._begin,
            "chat.search": self._find,
            "chat.next": lambda: self._step(1),
            "chat.previous": lambda: self._step(-1),
            "chat.rename": self._rename,
            "chat.settings": lambda: window.show_page("chat"),
            "chat.delete": self._delete_chat,
            "chat.export-markdown": lambda: opener.save_chat(as_markdown=True),
            "chat.export-json": lambda: opener.save_chat(as_markdown=False),
            "chat.import": opener.ask_for_chat,
            "models.choose": window.show_models,
            "models.page": lambda: window.models.show_page("here"),
            "models.suiting": lambda: window.models.show_page("suiting"),
            "models.search": lambda: window.models.show_page("hub"),
            "models.downloads": window.models.show_downloads,
            "models.open": opener.ask_for_model,
            "models.reload": opener.reload,
            "app.settings": lambda: window.show_page("settings"),
            "app.quit": window.close,
            "help.shortcuts": lambda: window.show_page("shortcuts"),
            "help.network": lambda: window.show_page("network"),
            "help.about": lambda: window.show_page("about"),
        }

    def _messages(self) -> dict[str, Callable[[], object]]:
        chat = self._window.chat
        return {
            "edit.undo-delete": self._undo_delete,
            "reply.copy": self._copy_reply,
            "message.edit": self._edit_last,
            "message.attach": chat.composer.choose_files,
            "reply.stop": self._session.stop,
            "reply.regenerate": lambda: self._on_last(self._parts.edits.regenerate),
            "reply.continue": lambda: self._on_last(self._parts.edits.go_on),
            "reply.earlier": lambda: self._parts.edits.versions.turn(-1),
            "reply.later": lambda: self._parts.edits.versions.turn(1),
        }

    def _views(self) -> dict[str, Callable[[], object]]:
        window, choices = self._window, self._parts.choices
        panes = window.panes
        return {
            "view.palette": lambda: window.palette_.open(of_actions(self._actions)),
            "view.write": window.show_chat,
            "view.back": window.show_chat,
            "view.latest": window.chat.transcript.go_to_latest,
            "view.next-pane": lambda: self._go_round(1),
            "view.previous-pane": lambda: self._go_round(-1),
            "view.sidebar": lambda: panes.want(window.sidebar, not panes.is_shown(window.sidebar)),
            "view.panel": lambda: panes.want(window.panel, not panes.is_shown(window.panel)),
            "view.tint": lambda: choices.choose("tint", not choices.window.tint),
            "view.larger": lambda: self._scale(choices.window.text_size + _TEXT_STEP),
            "view.smaller": lambda: self._scale(choices.window.text_size - _TEXT_STEP),
            "view.usual-size": lambda: self._scale(100),
            "view.full-screen": self._turn_full_screen,
            "theme.system": lambda: choices.choose("theme", "system"),
            "theme.light": lambda: choices.choose("theme", "light"),
            "theme.dark": lambda: choices.choose("theme", "dark"),
        }

    def _speed(self) -> dict[str, Callable[[], object]]:
        session, tuning = self._session, self._window.tuning
        return {
            "mode.speculative": lambda: session.choose_mode(Mode.SPECULATIVE),
            "mode.plain": lambda: session.choose_mode(Mode.PLAIN),
            "mode.compare": lambda: session.choose_mode(Mode.COMPARE),
            "gamma.more": lambda: session.choose_gamma(min(MOST_GAMMA, session.gamma + 1)),
            "gamma.less": lambda: session.choose_gamma(max(0, session.gamma - 1)),
            "gamma.auto": lambda: session.choose_gamma(None),
            "gamma.each": tuning.turn_auto,
            "gamma.tune": tuning.tune,
            "gamma.tune-quick": lambda: tuning.tune(quick=True),
            "gamma.stop-tuning": tuning.tuner.cancel,
            "gamma.curve": tuning.show_page,
        }

    # What is so ----------------------------------------------------------------------------------

    def _facts(self) -> Iterator[Fact]:
        session, life, window = self._session, self._parts.life, self._window
        is_tuning = session.phase is Phase.TUNING
        is_tuned = life.ready is not None and life.ready.tuning is not None
        facts = {
            Fact.READY: life.ready is not None,
            Fact.PAIR: session.can_speculate,
            Fact.LOADED_BEFORE: life.pair is not None and life.life is not Life.LOADING,
            Fact.IDLE: session.work is None and not is_tuning,
            Fact.TUNING: is_tuning,
            Fact.AUTO: session.can_speculate and (is_tuned or session.settings.auto_gamma),
            Fact.BUSY: session.phase in (Phase.REPLYING, Phase.COMPARING),
            Fact.DELETED: window.undo_bar.undo is not None,
            Fact.CHAT_SHOWN: window.stack.currentWidget() is window.chat,
            Fact.PAGE_SHOWN: window.stack.currentWidget() is not window.chat,
        }
        yield from (fact for fact, is_so in facts.items() if is_so)
        last = self._last()
        if last is not None:
            yield Fact.CONVERSATION
            current = self._parts.conversations.current
            if current is not None and self._parts.conversations.store.has_question(current.id):
                yield Fact.QUESTION
            if last.role == ASSISTANT:
                yield Fact.REPLY
                if last.state in _CUT_SHORT:
                    yield Fact.CUT_SHORT
            version = self._parts.edits.versions.shown
            if version is not None:
                steps = {Fact.EARLIER: -1, Fact.LATER: 1}
                yield from (fact for fact, step in steps.items() if version.has(step))

    def _last(self) -> EntryView | None:
        entries = self._session.views(limit=1)
        return entries[0] if entries else None

    # Doing ---------------------------------------------------------------------------------------

    def _begin(self) -> None:
        self._parts.conversations.begin()
        self._window.show_chat()

    def _find(self) -> None:
        self._show_sidebar()
        self._window.sidebar.go_to_search()

    def _show_sidebar(self) -> None:
        if not self._window.panes.is_shown(self._window.sidebar):
            self._window.panes.want(self._window.sidebar, True)

    def _step(self, step: int) -> None:
        number = self._window.sidebar.neighbour(step)
        if number is not None:
            self._parts.conversations.open(number)
            self._window.show_chat()

    def _rename(self) -> None:
        sidebar, current = self._window.sidebar, self._parts.conversations.current
        number = sidebar.chosen or (current.id if current else None)
        if number is not None:
            self._show_sidebar()
            sidebar.rename(number)

    def _delete_chat(self) -> None:
        current = self._parts.conversations.current
        if current is not None:
            self._parts.edits.delete_conversation(current.id)

    def _copy_reply(self) -> None:
        last = self._last()
        if last is not None:
            segmenter = Segmenter()
            segmenter.feed(last.text)
            segmenter.finish()
            put_on_clipboard(segmenter.answer)

    def _edit_last(self) -> None:
        asked = [view for view in self._session.views() if view.role == USER]
        if asked:
            self._window.chat.edit_message(asked[-1].id)

    def _undo_delete(self) -> None:
        self._window.undo_bar.take_back()

    def _on_last(self, act: Callable[[int], None]) -> None:
        last = self._last()
        if last is not None:
            act(last.id)

    def _scale(self, percent: int) -> None:
        row = PREFERENCES["text_size"]
        self._parts.choices.choose("text_size", int(max(row.low, min(row.high, percent))))

    def _turn_full_screen(self) -> None:
        window = self._window
        if window.isFullScreen():
            window.showNormal()
        else:
            window.showFullScreen()

    def _apply(self, name: str) -> None:
        """A setting of the window's has another value: let it hold."""
        choices, chat = self._parts.choices, self._window.chat
        if name in ("theme", "text_size", "reduced_motion"):
            choices.dress(self._parts.theme)
            self._actions.check(f"theme.{choices.window.theme}")
        elif name == "tint":
            chat.transcript.set_tint(choices.window.tint)
            self._actions.check("view.tint", choices.window.tint)
        elif name == "follow":
            chat.transcript.set_follow(choices.window.follow)

    def _go_round(self, step: int) -> None:
        """Give the keyboard to the next area that is shown."""
        window = self._window
        areas: list[tuple[QWidget, QWidget]] = [
            (window.sidebar, window.sidebar.list),
            (window.sheet, self._middle()),
            (window.panel, window.panel),
        ]
        shown = [(area, heir) for area, heir in areas if area.isVisible()]
        focus = QApplication.focusWidget()
        here = [i for i, (area, _) in enumerate(shown) if focus and area.isAncestorOf(focus)]
        index = ((here[0] if here else 0) + step) % len(shown)
        area, heir = shown[index]
        if heir.focusPolicy() == Qt.FocusPolicy.NoFocus or not heir.isVisible():
            _focus_first(area)
        else:
            heir.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _middle(self) -> QWidget:
        window = self._window
        on_page = window.stack.currentWidget() is window.pages
        return window.pages if on_page else window.chat.composer.box


def _focus_first(area: QWidget) -> None:
    """Give the keyboard to the first control of an area."""
    widget = area.nextInFocusChain()
    while widget is not None and widget is not area:
        can = widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isVisible()
        if area.isAncestorOf(widget) and can and widget.isEnabled():
            widget.setFocus(Qt.FocusReason.ShortcutFocusReason)
            return
        widget = widget.nextInFocusChain()
