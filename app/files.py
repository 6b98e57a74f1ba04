"""Files that come in and go out: models, exported chats, texts to attach."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, QSaveFile, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from app.cards import Card, Matter, Offer
from app.chat.composer import Composer
from app.engine_life import Life
from app.exported import words
from app.importing import Importing
from app.models.library import Opened
from app.pairs import Pair, last_pair
from app.panel.numbers import whole
from app.parts import Parts
from app.sentences import translated
from engine.errors import BadImport, FileUnreadable, ForewordError
from engine.settings import models_folder

_LARGEST_CHAT = 256 * 2**20  # bytes: more is no chat


class Opener(QObject):
    """Opens and saves what a person names, and says what is in the way.

    Signals:
        nothing_there: There is no model to load; a sentence where one was expected.
        folders_dropped: Folders that were dropped.
        chat_wanted: Something came into the chat that a person wants to see there.
    """

    nothing_there = Signal(str)
    folders_dropped = Signal(list)
    chat_wanted = Signal()

    def __init__(self, parts: Parts, window: QWidget) -> None:
        super().__init__(window)
        self._parts = parts
        self._window = window
        self._chosen: Pair | None = None
        self._importing = Importing(parts.jobs, parts.session, self)
        self._importing.taken.connect(self.chat_wanted)
        parts.life.changed.connect(self._remember)

    @property
    def folder(self) -> Path:
        """Where models are kept."""
        return models_folder(self._parts.choices.engine)

    # Models --------------------------------------------------------------------------------------

    def open_last(self) -> None:
        """Load the pair used last, or the starter pair."""
        chosen = self._parts.choices.engine
        pair = last_pair(chosen)
        note = ""
        if chosen.target is not None and not os.path.isfile(chosen.target):
            note = self.tr("The model used last is not there any more: {path}")
            note = note.format(path=chosen.target)
        if pair is None:
            self.nothing_there.emit(note)
            return
        self._parts.life.load(pair, chosen)
        if note:
            self._parts.session.board.show_also(Card(note, is_trouble=False))

    def open_first(self, path: Path) -> None:
        """Open a model that was named at the start. Where none could be loaded by itself, others
        are offered until one is there."""
        if last_pair(self._parts.choices.engine) is None:
            self.nothing_there.emit("")
        self.open_model(path)

    def open_model(self, path: Path) -> None:
        """Look at a file and load it with a draft that fits. If it is none, all stays as it is."""
        self._parts.models.library.open(path, self._load_opened, self._tell_no_model)

    def _load_opened(self, opened: Opened) -> None:
        model = opened.model
        if opened.pair is None:
            sentence = translated(model.code, model.problem)
            card = Card(sentence, offers=(Offer.OPEN,), code=model.code)
            self._parts.session.board.show(card, Matter.MODEL)
        else:
            self.load(opened.pair)

    def _tell_no_model(self, error: ForewordError) -> None:
        self._parts.session.board.show(Card.of(error, Offer.OPEN), Matter.MODEL)

    def load(self, pair: Pair) -> None:
        """Load a pair, and remember it once it is there."""
        parts = self._parts
        parts.session.stop()
        parts.session.board.begin_load()
        self._chosen = pair
        parts.life.load(pair, parts.choices.engine)

    def _remember(self) -> None:
        """Be it loaded at the next start: one that cannot be must not take its place."""
        life, pair = self._parts.life, self._chosen
        if pair is not None and life.life is Life.READY and life.pair == pair:
            self._chosen = None
            choices = self._parts.choices
            choices.choose("target", pair.target.absolute())
            choices.choose("draft", pair.draft.absolute() if pair.draft else None)

    def reload(self) -> None:
        """Load the same pair again, with the settings as they are now."""
        self._parts.session.stop()
        self._parts.session.board.begin_load()
        if self._parts.life.pair is None:
            self.open_last()
        else:
            self._parts.life.reload(self._parts.choices.engine)

    def ask_for_model(self) -> None:
        """Let a person choose a model file."""
        title, kind = self.tr("Open a model"), self.tr("Models (*.gguf)")
        everything = self.tr("All files (*)")
        self._ask(title, f"{kind};;{everything}", self.folder, self.open_model)

    # Chats ---------------------------------------------------------------------------------------

    def ask_for_chat(self) -> None:
        """Let a person choose an exported chat."""
        kind = self.tr("Chats (*.json)")
        self._ask(self.tr("Import a chat"), kind, Path.home(), self.open_chat)

    def open_chat(self, path: Path) -> None:
        """Add an exported chat."""
        try:
            found = path.stat()
            if not stat.S_ISREG(found.st_mode):
                raise BadImport(reason=self.tr("it is not a file"))
            if found.st_size > _LARGEST_CHAT:
                raise BadImport(reason=self.tr("it is too large for a chat"))
        except OSError as error:
            self.tell(FileUnreadable(path=path, reason=error.strerror or str(error)))
        except ForewordError as error:
            self.tell(error)
        else:
            self._importing.start(path, found.st_size)

    def save_chat(self, *, as_markdown: bool) -> None:
        """Let a person say where the open chat is to be written."""
        conversations = self._parts.conversations
        current = conversations.current
        if current is None:
            return
        suffix = "md" if as_markdown else "json"
        name = _file_name(current.title or self.tr("Chat"))
        dialog = self._dialog(self.tr("Export the chat"), f"*.{suffix}")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix(suffix)
        dialog.selectFile(str(Path.home() / f"{name}.{suffix}"))
        number = current.id
        dialog.fileSelected.connect(
            lambda path: self.write_chat(number, Path(path), as_markdown=as_markdown)
        )
        dialog.open()

    def save_as(self, title: str, name: str, content: bytes) -> None:
        """Let a person say where a file is to be written; ``name``: proposed, with its suffix."""
        suffix = Path(name).suffix.removeprefix(".")
        dialog = self._dialog(title, f"*.{suffix}")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix(suffix)
        dialog.selectFile(str(Path.home() / name))
        dialog.fileSelected.connect(lambda path: self.write(Path(path), content))
        dialog.open()

    def write_chat(self, conversation: int, path: Path, *, as_markdown: bool) -> None:
        """Write a chat to a file, whole or not at all."""
        store = self._parts.conversations.store
        with self._parts.conversations.telling():
            grown = self._parts.session.grown()
            text = (
                store.export_markdown(conversation, grown, words())
                if as_markdown
                else store.export_json(conversation, grown)
            )
            self.write(path, text.encode())

    def write(self, path: Path, content: bytes) -> None:
        """Write a file, whole or not at all."""
        file = QSaveFile(str(path))
        opened = file.open(QSaveFile.OpenModeFlag.WriteOnly)
        if not opened or file.write(content) != len(content) or not file.commit():
            said = self.tr("{path} cannot be written ({reason}). Choose another place.")
            self._parts.session.show(Card(said.format(path=path, reason=file.errorString())))

    # Anything ------------------------------------------------------------------------------------

    def open_any(self, paths: Sequence[Path], composer: Composer) -> None:
        """The first model is loaded, folders are listed from now on, exported chats are imported,
        and everything else is attached to the message."""
        folders = [path.absolute() for path in paths if os.path.isdir(path)]
        if folders:
            self.folders_dropped.emit(folders)
            paths = [path for path in paths if path.absolute() not in folders]
        models = [path for path in paths if path.suffix.lower() == ".gguf"]
        if models:
            self.open_model(models[0])
        chats = [path for path in paths if path.suffix.lower() == ".json" and _looks_exported(path)]
        for path in chats:
            self.open_chat(path)
        others = [path for path in paths if path not in models and path not in chats]
        if others:
            self._attach(others, composer)

    def _attach(self, paths: Sequence[Path], composer: Composer) -> None:
        """Texts go with the message. What is none was meant as a model where there is no box for
        messages yet, and is told as one."""
        refused = composer.attach_files([*map(str, paths)])
        is_waiting = composer.isHidden()
        if refused and is_waiting:
            self.open_model(Path(refused[0]))
        attached = [path for path in paths if str(path) not in refused]
        if attached or not is_waiting:
            self.chat_wanted.emit()
        if attached and is_waiting:
            self._tell_waiting(attached)

    def _tell_waiting(self, attached: Sequence[Path]) -> None:
        if len(attached) == 1:
            waits = self.tr("{name} goes with your first message, once a model is loaded.")
        else:
            waits = self.tr("{n} files go with your first message, once a model is loaded.")
        said = waits.format(name=attached[0].name, n=whole(len(attached)))
        self._parts.session.board.show_also(Card(said, is_trouble=False))

    def tell(self, error: ForewordError) -> None:
        """Say what went wrong, in the card above the message box."""
        self._parts.session.show(Card.of(error))

    def _ask(self, title: str, kinds: str, folder: Path, then: Callable[[Path], None]) -> None:
        dialog = self._dialog(title, kinds)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        if os.path.isdir(folder):
            dialog.setDirectory(str(folder))
        dialog.fileSelected.connect(lambda path: then(Path(path)))
        dialog.open()

    def _dialog(self, title: str, kinds: str) -> QFileDialog:
        dialog = QFileDialog(self._window, title)
        dialog.setNameFilters(kinds.split(";;"))
        dialog.finished.connect(dialog.deleteLater)
        return dialog


def _looks_exported(path: Path) -> bool:
    if not os.path.isfile(path):  # a pipe would be waited for
        return False
    try:
        with open(path, "rb") as file:
            return b'"foreword' in file.read(200).lower()
    except OSError:
        return False


def _file_name(title: str) -> str:
    """A title as every system takes it for a file's name."""
    kept = "".join(c if c.isalnum() or c in " -_.,()" else " " for c in title)
    return " ".join(kept.split())[:80].strip(" .") or "chat"
