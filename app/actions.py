"""Every command of the window, in one table.

Menus, shortcuts, the command palette and the page of shortcuts are made from it. To add a command,
add a row; to know when it is chosen, connect to its QAction or to `Actions.chosen`. Titles are
translated when the QActions are made: the strings for translators are read from the table.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from types import MappingProxyType

from PySide6.QtCore import QCoreApplication, QObject, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar, QWidget

from app.icons import icon
from app.theme import Role, Theme

_CONTEXT = "Actions"

Keys = tuple[QKeySequence.StandardKey | str, ...]


class Menu(StrEnum):
    """The menus, in order."""

    CHAT = "chat"
    EDIT = "edit"
    VIEW = "view"
    SPEED = "speed"
    HELP = "help"


class Fact(StrEnum):
    """What may be so just now; the window says which are. An action needs all of its facts."""

    READY = "ready"  # a target is loaded
    PAIR = "pair"  # and a draft that serves it
    LOADED_BEFORE = "loaded before"  # there is a pair that can be loaded again
    IDLE = "idle"  # nothing is being written
    BUSY = "busy"  # something is
    TUNING = "tuning"  # γ is being measured
    AUTO = "auto"  # γ is chosen anew for each reply, or could be: the pair is tuned
    CONVERSATION = "conversation"  # one is open that holds messages
    QUESTION = "question"  # it has a message of the user's
    REPLY = "reply"  # its last message is a reply
    CUT_SHORT = "cut short"  # which ended before its end
    EARLIER = "earlier"  # it has an earlier version, which can be shown now
    LATER = "later"  # or a later one
    DELETED = "deleted"  # something was deleted that can be had back
    CHAT_SHOWN = "chat shown"  # the chat is in front
    PAGE_SHOWN = "page shown"  # a page lies over it


@dataclass(frozen=True)
class Action:
    """One row.

    Attributes:
        id: For the program.
        title: For a person, before translation; & marks the letter that Alt reaches in a menu.
        menu: Where it stands.
        group: Groups of a menu are divided by a line.
        keys: Default shortcuts; the first is shown.
        when: What must be so.
        icon: The name of its drawing.
        role: Where macOS puts it.
        toggle: Whether it is on or off.
        choice: The name of a set of toggles of which one is on.
        also: Other words by which the palette finds it, before translation.
    """

    id: str
    title: str
    menu: Menu
    group: int
    keys: Keys = ()
    when: frozenset[Fact] = frozenset()
    icon: str = ""
    role: QAction.MenuRole = QAction.MenuRole.NoRole
    toggle: bool = False
    choice: str = ""
    also: str = ""


@dataclass(frozen=True)
class Hint:
    """Keys that work in one place only, and what they do there. Told, not bound."""

    place: str
    title: str
    keys: str


def _tr(text: str) -> str:
    return QCoreApplication.translate(_CONTEXT, text)


_Standard = QKeySequence.StandardKey
_Role = QAction.MenuRole
_CHAT = frozenset({Fact.CHAT_SHOWN})
_FREE = _CHAT | {Fact.IDLE}
_ANSWERABLE = _FREE | {Fact.READY}

MENU_TITLES: Mapping[Menu, str] = MappingProxyType(
    {
        Menu.CHAT: "&Chat",
        Menu.EDIT: "&Edit",
        Menu.VIEW: "&View",
        Menu.SPEED: "&Speed",
        Menu.HELP: "&Help",
    }
)

# fmt: off
ACTIONS: tuple[Action, ...] = (
    Action("chat.new", "&New chat", Menu.CHAT, 0, (_Standard.New,), icon="new-chat"),
    Action("chat.search", "&Search chats", Menu.CHAT, 0, (_Standard.Find,),
           icon="search"),
    Action("chat.next", "Ne&xt chat", Menu.CHAT, 0, ("Ctrl+Tab", "Ctrl+PgDown")),
    Action("chat.previous", "&Previous chat", Menu.CHAT, 0,
           ("Ctrl+Shift+Tab", "Ctrl+PgUp")),
    Action("chat.rename", "&Rename chat", Menu.CHAT, 1, ("F2",), _CHAT, "edit"),
    Action("chat.settings", "System prompt and settings of this chat", Menu.CHAT, 1,
           ("Ctrl+Shift+P",), _CHAT, "settings"),
    Action("chat.delete", "&Delete chat", Menu.CHAT, 1, (),
           _CHAT | {Fact.CONVERSATION}, "delete"),
    Action("models.choose", "Choose &models", Menu.CHAT, 2, ("Ctrl+Shift+M",),
           icon="model"),
    Action("models.page", "&All models", Menu.CHAT, 2, ("Ctrl+Shift+L",), icon="model"),
    Action("models.suiting", "Models that suit this computer", Menu.CHAT, 2, icon="chip"),
    Action("models.search", "Search the Hub for models", Menu.CHAT, 2, icon="search"),
    Action("models.downloads", "Do&wnloads", Menu.CHAT, 2, ("Ctrl+Shift+D",),
           icon="download"),
    Action("models.open", "&Open a model file…", Menu.CHAT, 2, (_Standard.Open,),
           icon="folder"),
    Action("models.reload", "Reload the models", Menu.CHAT, 2, (),
           frozenset({Fact.LOADED_BEFORE}), "restart"),
    Action("chat.export-markdown", "Export as Markdown…", Menu.CHAT, 3,
           ("Ctrl+Shift+S",), _CHAT | {Fact.CONVERSATION}, "upload"),
    Action("chat.export-json", "Export as JSON…", Menu.CHAT, 3, (),
           _CHAT | {Fact.CONVERSATION}, "upload"),
    Action("chat.import", "&Import a chat…", Menu.CHAT, 3, icon="download"),
    Action("app.settings", "Se&ttings", Menu.CHAT, 4,
           (_Standard.Preferences, "Ctrl+,"), icon="settings", role=_Role.PreferencesRole),
    Action("app.quit", "&Quit", Menu.CHAT, 5, (_Standard.Quit, "Ctrl+Q"),
           role=_Role.QuitRole),

    Action("edit.undo-delete", "&Undo delete", Menu.EDIT, 0, (_Standard.Undo,),
           frozenset({Fact.DELETED}), "undo"),
    Action("reply.copy", "&Copy the last reply", Menu.EDIT, 1, ("Ctrl+Shift+C",),
           _CHAT | {Fact.REPLY}, "copy"),
    Action("message.edit", "&Edit the last message", Menu.EDIT, 1, ("Ctrl+E",),
           _FREE | {Fact.QUESTION}, "edit"),
    Action("message.attach", "&Attach a file…", Menu.EDIT, 1, ("Ctrl+U",), _CHAT,
           "attach"),
    Action("reply.stop", "&Stop the reply", Menu.EDIT, 2, ("Esc",),
           _CHAT | {Fact.BUSY}, "stop"),
    Action("reply.regenerate", "&Regenerate the reply", Menu.EDIT, 2, ("Ctrl+R",),
           _ANSWERABLE | {Fact.REPLY, Fact.QUESTION}, "regenerate"),
    Action("reply.continue", "C&ontinue the reply", Menu.EDIT, 2,
           ("Ctrl+Shift+Return",), _ANSWERABLE | {Fact.REPLY, Fact.CUT_SHORT}, "continue"),
    Action("reply.earlier", "Earlier &version", Menu.EDIT, 2, ("Alt+,",),
           _FREE | {Fact.EARLIER}, "chevron-left", also="previous reply page"),
    Action("reply.later", "&Later version", Menu.EDIT, 2, ("Alt+.",),
           _FREE | {Fact.LATER}, "chevron-right", also="next reply page"),

    Action("view.palette", "Command &palette", Menu.VIEW, 0, ("Ctrl+K",),
           icon="command"),
    Action("view.write", "Go to the message box", Menu.VIEW, 0, ("Ctrl+L",)),
    Action("view.back", "&Back to the chat", Menu.VIEW, 0, ("Esc", "Alt+Left"),
           frozenset({Fact.PAGE_SHOWN}), "chevron-left"),
    Action("view.latest", "&Jump to the latest", Menu.VIEW, 0, ("Ctrl+Shift+End",),
           _CHAT | {Fact.CONVERSATION}, "jump-down"),
    Action("view.next-pane", "Next area", Menu.VIEW, 0, ("F6",)),
    Action("view.previous-pane", "Previous area", Menu.VIEW, 0, ("Shift+F6",)),
    Action("view.sidebar", "&Chats", Menu.VIEW, 1, ("Ctrl+B",), icon="panel-left",
           toggle=True),
    Action("view.panel", "&Live panel", Menu.VIEW, 1, ("Ctrl+J",),
           icon="panel-right", toggle=True),
    Action("view.tint", "Show where &words came from", Menu.VIEW, 1, ("Ctrl+T",),
           icon="tint", toggle=True, also="tint colour color highlight"),
    Action("view.larger", "Larger &text", Menu.VIEW, 2,
           (_Standard.ZoomIn, "Ctrl+="), icon="plus"),
    Action("view.smaller", "&Smaller text", Menu.VIEW, 2, (_Standard.ZoomOut,),
           icon="minus"),
    Action("view.usual-size", "&Usual text size", Menu.VIEW, 2, ("Ctrl+0",)),
    Action("theme.system", "Theme like the system", Menu.VIEW, 3, icon="system",
           toggle=True, choice="theme"),
    Action("theme.light", "Light theme", Menu.VIEW, 3, icon="sun", toggle=True,
           choice="theme"),
    Action("theme.dark", "Dark theme", Menu.VIEW, 3, icon="moon", toggle=True,
           choice="theme"),
    Action("view.full-screen", "&Full screen", Menu.VIEW, 4,
           (_Standard.FullScreen, "F11"), toggle=True),

    Action("mode.speculative", "&Speculative", Menu.SPEED, 0, ("Ctrl+1",),
           frozenset({Fact.PAIR}), "speculative", toggle=True, choice="mode"),
    Action("mode.plain", "&Plain", Menu.SPEED, 0, ("Ctrl+2",), icon="plain",
           toggle=True, choice="mode"),
    Action("mode.compare", "&Compare", Menu.SPEED, 0, ("Ctrl+3",),
           frozenset({Fact.PAIR}), "compare", toggle=True, choice="mode"),
    Action("gamma.more", "Draft one token &more (γ + 1)", Menu.SPEED, 1,
           ("Alt++", "Alt+="), frozenset({Fact.PAIR}), "plus"),
    Action("gamma.less", "Draft one token &less (γ − 1)", Menu.SPEED, 1, ("Alt+-",),
           frozenset({Fact.PAIR}), "minus"),
    Action("gamma.auto", "Use the γ found &best here", Menu.SPEED, 1, ("Alt+0",),
           frozenset({Fact.PAIR})),
    Action("gamma.each", "Choose γ &anew for each reply (Auto)", Menu.SPEED, 1,
           ("Ctrl+Shift+A",), frozenset({Fact.AUTO}), toggle=True),
    Action("gamma.tune", "&Tune γ for this computer", Menu.SPEED, 2, ("Ctrl+Shift+T",),
           frozenset({Fact.PAIR, Fact.IDLE}), "regenerate"),
    Action("gamma.tune-quick", "Tune γ &quickly", Menu.SPEED, 2, (),
           frozenset({Fact.PAIR, Fact.IDLE})),
    Action("gamma.stop-tuning", "Stop tun&ing", Menu.SPEED, 2, ("Esc",),
           _CHAT | {Fact.TUNING}, "stop"),
    Action("gamma.curve", "Cur&ve of γ", Menu.SPEED, 2, ("Ctrl+G",),
           frozenset({Fact.PAIR}), "speculative"),

    Action("help.shortcuts", "&Keyboard shortcuts", Menu.HELP, 0,
           (_Standard.HelpContents, "Ctrl+/"), icon="keyboard"),
    Action("help.network", "What touches the &network", Menu.HELP, 0, icon="globe"),
    Action("help.about", "&About Foreword", Menu.HELP, 1, icon="info",
           role=_Role.AboutRole),
)
HINTS: tuple[Hint, ...] = (
    Hint("Message box", "Send the message", "Return"),
    Hint("Message box", "Begin a new line", "Shift+Return"),
    Hint("Message box", "Bring back your last message, in an empty box", "Up"),
    Hint("Message box", "Go to the messages", "Shift+Tab"),
    Hint("Messages", "Go to the message above", "Up"),
    Hint("Messages", "Go to the message below", "Down"),
    Hint("Reply with tinted words", "See what decided about the token before", "Left"),
    Hint("Reply with tinted words", "See what decided about the next token", "Right"),
    Hint("Curve of γ", "Draft one token less", "Left"),
    Hint("Curve of γ", "Draft one token more", "Right"),
    Hint("List of chats", "Open the chat", "Return"),
    Hint("List of chats", "Delete the chat; it can be undone", "Del"),
)
# fmt: on


class Actions(QObject):
    """The table as QActions, which live as long as the window that they were added to.

    Signals:
        chosen: The id of an action a person chose, and whether it is on now (toggles only).
    """

    chosen = Signal(str, bool)

    def __init__(self, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self._actions: dict[str, QAction] = {}
        self._facts: frozenset[Fact] = frozenset()
        self._sets: dict[str, QActionGroup] = {}
        for row in ACTIONS:
            self._add(row, theme)
        window.addActions(list(self._actions.values()))
        self.set_facts(())

    def __getitem__(self, id_: str) -> QAction:
        return self._actions[id_]

    def __iter__(self) -> Iterator[tuple[Action, QAction]]:
        return ((row, self._actions[row.id]) for row in ACTIONS)

    def set_facts(self, facts: Collection[Fact]) -> None:
        """Enable what can be done while ``facts`` are so, and nothing else."""
        self._facts = frozenset(facts)
        for row, action in self:
            action.setEnabled(row.when <= self._facts)

    def check(self, id_: str, on: bool = True) -> None:
        """Show that a toggle is on, or off, without telling anyone."""
        self._actions[id_].setChecked(on)

    def fill(self, bar: QMenuBar) -> None:
        """Make the menus."""
        for menu in Menu:
            self._fill(bar.addMenu(_tr(MENU_TITLES[menu])), menu)

    def menu(self, parent: QWidget, ids: Iterable[str | None]) -> QMenu:
        """A menu of some actions, for a button or a right click; None is a line."""
        made = QMenu(parent)
        for id_ in ids:
            if id_ is None:
                made.addSeparator()
            else:
                made.addAction(self._actions[id_])
        return made

    def _fill(self, menu: QMenu, which: Menu) -> None:
        rows = [row for row in ACTIONS if row.menu is which]
        for group, members in groupby(rows, key=lambda row: row.group):
            if group:
                menu.addSeparator()
            menu.addActions([self._actions[row.id] for row in members])

    def _add(self, row: Action, theme: Theme) -> None:
        action = QAction(_tr(row.title), self)
        action.setObjectName(row.id)
        action.setShortcuts(sequences(row.keys))
        action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
        action.setMenuRole(row.role)
        action.setCheckable(row.toggle)
        if row.icon:
            action.setIcon(icon(theme, row.icon, Role.SECONDARY))
        if row.choice:
            self._set(row.choice).addAction(action)
        action.triggered.connect(lambda on: self.chosen.emit(row.id, on))
        self._actions[row.id] = action

    def _set(self, name: str) -> QActionGroup:
        if name not in self._sets:
            self._sets[name] = QActionGroup(self)
        return self._sets[name]


def sequences(keys: Keys) -> list[QKeySequence]:
    """The shortcuts that ``keys`` mean here, each once.

    A standard one differs by system. Of the several that a system may have for it, some are on few
    keyboards (F14 for undo): only the first counts.
    """
    found: list[QKeySequence] = []
    for key in keys:
        if isinstance(key, QKeySequence.StandardKey):
            every = QKeySequence.keyBindings(key)
            here = [keys_ for keys_ in every if not _is_media_key(keys_)][:1]
        else:
            here = [QKeySequence(key)]
        found += [keys_ for keys_ in here if keys_ not in found]
    return found


def _is_media_key(keys: QKeySequence) -> bool:
    """Whether it is a key that few keyboards have, such as one with New or Zoom In printed on."""
    first = keys[0]  # type: ignore[index]
    bare = first.keyboardModifiers() == Qt.KeyboardModifier.NoModifier
    return (bare and int(first.key()) >= int(Qt.Key.Key_Back)) or first.key() == Qt.Key.Key_Help


def shown(keys: QKeySequence | str) -> str:
    """A shortcut as a person reads it on this system."""
    return QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)


def keys_of(id_: str) -> str:
    """The first shortcut of an action, as a person reads it here; "" where it has none."""
    found = [keys for row in ACTIONS if row.id == id_ for keys in sequences(row.keys)]
    return shown(found[0]) if found else ""


def plain_title(action: QAction) -> str:
    """The title without the mark for Alt and without the dots of what asks further."""
    return action.text().replace("&", "").removesuffix("…")


def also(row: Action) -> str:
    """The other words for an action, in the user's language."""
    return _tr(row.also) if row.also else ""


def hints() -> list[Hint]:
    """The hints in the user's language."""
    return [Hint(_tr(hint.place), _tr(hint.title), hint.keys) for hint in HINTS]


def menu_title(menu: Menu) -> str:
    """A menu's title in the user's language."""
    return _tr(MENU_TITLES[menu]).replace("&", "")
