"""``foreword chat``: a conversation in the terminal."""

from __future__ import annotations

from pathlib import Path

from engine import __version__
from engine.errors import BrokenCopy, PromptTooLong, WorkerDied
from engine.models import starter
from engine.protocol import ModelInfo, Ready
from engine.settings import Settings
from engine.terminal import commands
from engine.terminal.advising import NEEDS_TUNING, Advising
from engine.terminal.conversation import Conversation, Talk
from engine.terminal.failures import RequestFailed
from engine.terminal.lines import Lines, open_lines
from engine.terminal.options import sampling
from engine.terminal.screen import Screen
from engine.terminal.session import Session
from engine.tunings import temperature_of

_PROMPT = "> "
_BOLD, _PLAIN = "\001\033[1m\002", "\001\033[0m\002"  # as what takes no room is marked


def chat(
    screen: Screen,
    session: Session,
    settings: Settings,
    *,
    prompt: str | None = None,
    as_json: bool = False,
    quiet: bool = False,
) -> int:
    """Answer ``prompt``, or converse until the input ends."""
    conversation = Conversation(settings, settings.system, settings.gamma)
    advising = Advising(session.ready, settings)
    talk = Talk(screen, session, conversation, advising, as_json, quiet)
    if prompt is not None:
        _explain(screen, session.ready, quiet=quiet)
        talk.say(prompt)
        return 130 if session.interrupted else 0
    if screen.interactive:
        _greet(screen, session.ready, settings)
    else:
        _explain(screen, session.ready)
    styled = screen.out.color_system is not None and not screen.out.no_color
    prompt = f"{_BOLD}{_PROMPT}{_PLAIN}" if styled else _PROMPT
    lines = open_lines(prompt, list(commands.COMMANDS), interactive=screen.interactive)
    return _Loop(talk, lines).run()


class _Loop:
    """Reads lines and answers them.

    ``warned``: the last thing that happened was a Ctrl-C, so that another one leaves.
    """

    def __init__(self, talk: Talk, lines: Lines) -> None:
        self._talk = talk
        self._lines = lines
        self._screen = talk.screen
        self._warned = False

    def run(self) -> int:
        while True:
            try:
                line = self._lines.next()
            except KeyboardInterrupt:
                if self._warned or not self._screen.interactive:
                    raise
                self._warned = True
                self._screen.line()
                self._screen.note("Ctrl-C again leaves, and so do /quit and Ctrl-D.")
                continue
            self._warned = False
            if line is None:
                if self._screen.interactive:
                    self._screen.line()
                return 0
            if line.strip() and not self._answer(line):
                return 0

    def _answer(self, line: str) -> bool:
        """Do what the line says; False to leave."""
        self._talk.session.interrupted = False  # that was another line's
        try:
            go_on = commands.run(self._talk, self._lines, line)
            if go_on is None:
                self._talk.say(commands.message(line), self._lines)
                go_on = True
        except RequestFailed as error:
            self._recover(error)
            return True
        if self._talk.session.interrupted:
            self._warned = True
            if not self._screen.interactive:
                raise KeyboardInterrupt
        if go_on and self._screen.interactive:
            self._screen.line()
        return go_on

    def _recover(self, error: RequestFailed) -> None:
        """A person may go on after an error; a program is told by the exit code."""
        if not self._screen.interactive:
            raise error
        self._screen.say(f"\n{error}", "red")
        if error.code in (WorkerDied.code, BrokenCopy.code):
            self._talk.session.restart()
            self._screen.note("The models are loaded again.")
        elif error.code != PromptTooLong.code:
            self._screen.note("/regenerate tries again.")
        self._screen.line()


def _greet(screen: Screen, ready: Ready, settings: Settings) -> None:
    screen.line(f"Foreword {__version__}", "bold")
    drafting = f", drafted by {_title(ready.draft)}" if ready.draft else ""
    screen.note(f"{_title(ready.target)}{drafting}")
    threads = f"{ready.threads} threads" if ready.threads != 1 else "1 thread"
    places = ", ".join(ready.devices)
    screen.note(f"{places}, {threads}, {ready.n_ctx:,} tokens of context")
    _explain(screen, ready)
    if ready.draft:
        screen.note(_gamma(ready, settings))
        if settings.auto_gamma and not ready.tuning:
            screen.note(NEEDS_TUNING)
    screen.note("/help lists the commands. Ctrl-C stops a reply.")
    screen.line()


def _title(model: ModelInfo) -> str:
    """Its name; of the files we know, the one they are known by."""
    titles = {file.name: file.title for file in (*starter.STARTER_PAIR, starter.SMALL)}
    return titles.get(Path(model.path).name, model.name)


def _gamma(ready: Ready, settings: Settings) -> str:
    if settings.gamma is not None and not settings.auto_gamma:
        return f"γ {settings.gamma}, as you chose"
    if settings.auto_gamma and ready.tuning:
        return "Auto: γ is chosen anew for each reply"
    if ready.tuning:
        gamma = ready.tuning.gamma_at(temperature_of(sampling(settings)))
        return f"γ {gamma}, as tuned for this machine" + ("" if gamma else ": plain is faster here")
    if ready.gamma == 0:
        return "γ 0: by a first guess drafting does not pay here; /gamma 3 tries it all the same"
    return f"γ {ready.gamma}, a first guess; `foreword tune` measures it"


def _explain(screen: Screen, ready: Ready, *, quiet: bool = False) -> None:
    """What the user must know of the pair, whether or not someone watches.

    ``quiet``: only that a draft does not serve.
    """
    for note in () if quiet else ready.notes:
        screen.note(note)
    if ready.draft is None and ready.verdict.code != "no-draft":
        screen.say(f"Speculation is off: {ready.verdict.reason}.", "yellow")
