"""The slash commands of a conversation: one table, from which /help and completion are made."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from rich.table import Table

from engine.bench import pooled
from engine.errors import BadSetting
from engine.protocol import Done
from engine.settings import SETTINGS
from engine.stats import Figures
from engine.terminal import words
from engine.terminal.advising import NEEDS_TUNING
from engine.terminal.conversation import Talk
from engine.terminal.lines import Lines
from engine.terminal.screen import safe
from engine.terminal.typed import STOP

_COMMAND = re.compile(r"/([A-Za-z]+|\?)([0-9]*)(?:\s+(.*))?")

Action = Callable[[Talk, Lines, str], bool]
"""What a command does with what follows it; False ends the conversation."""


@dataclass(frozen=True)
class Command:
    """One command. ``usage``: its name and what follows it; ``what``: for /help."""

    usage: str
    what: str
    action: Action

    @property
    def takes_number(self) -> bool:
        """Whether a number follows, which may stand right behind the name."""
        return self.usage.endswith(" N")


def run(talk: Talk, lines: Lines, line: str) -> bool | None:
    """Do what ``line`` says if it is a command; None if it is a message.

    A message may begin with a slash by doubling it. Several lines are no command: someone who
    pastes them wants them read.
    """
    line = line.strip()
    found = _COMMAND.fullmatch(line)
    if found is None or "\n" in line:
        return None
    name, number, rest = found[1], found[2], (found[3] or "").strip()
    command = COMMANDS.get(f"/{name.lower()}")
    if command is None or (number and not command.takes_number):
        talk.screen.say(f"There is no /{name}{number}. /help lists the commands.", "yellow")
        return True
    return command.action(talk, lines, f"{number} {rest}".strip())


def message(line: str) -> str:
    """A line that is no command, as it is meant. Several lines are meant as they are."""
    is_doubled = line.startswith("//") and "\n" not in line.strip()
    return line[1:] if is_doubled else line


def _stop(talk: Talk, _lines: Lines, _rest: str) -> bool:
    talk.screen.note("Nothing is being written just now.")
    return True


def _new(talk: Talk, _lines: Lines, _rest: str) -> bool:
    talk.conversation.clear()
    talk.advising.begin()
    talk.screen.note("A new conversation.")
    return True


def _plain(talk: Talk, _lines: Lines, _rest: str) -> bool:
    conversation = talk.conversation
    if not talk.session.ready.draft:
        talk.screen.note("Without a draft every reply is plain.")
        return True
    conversation.is_plain = not conversation.is_plain
    if conversation.is_plain:
        talk.screen.note("Replies are written plainly now; /plain switches drafting on again.")
    else:
        talk.screen.note(f"Drafting is on again. {_gamma_in_words(talk)}")
    return True


def _gamma(talk: Talk, _lines: Lines, rest: str) -> bool:
    if not talk.session.ready.draft:
        talk.screen.note("Without a draft every reply is plain.")
        return True
    if rest:
        try:
            gamma = SETTINGS["gamma"].parse(rest)
        except BadSetting as error:
            talk.screen.say(error.sentence, "yellow")
            return True
        assert gamma is None or isinstance(gamma, int)
        again = "Drafting is on again. " if talk.conversation.is_plain else ""
        talk.conversation.gamma, talk.conversation.is_plain = gamma, False
        talk.advising.is_auto = False
        talk.screen.note(f"{again}{_gamma_in_words(talk)}")
    elif talk.conversation.is_plain:
        talk.screen.note(f"Drafting is off until /plain or /gamma N. {_gamma_in_words(talk)}")
    else:
        talk.screen.note(_gamma_in_words(talk))
    return True


def _gamma_in_words(talk: Talk) -> str:
    gamma, advising, who = talk.gamma, talk.advising, ""
    if advising.gamma is not None:
        who = " for the next reply, chosen by Auto"
    elif talk.conversation.gamma is None:
        who = ", as tuned" if advising.is_able else ", the engine's guess for this machine"
    plainly = ": replies are written plainly" if gamma == 0 else ""
    return f"γ is {gamma}{who}{plainly}."


def _auto(talk: Talk, _lines: Lines, _rest: str) -> bool:
    advising = talk.advising
    if not talk.session.ready.draft:
        talk.screen.note("Without a draft every reply is plain.")
    elif not advising.is_able:
        talk.screen.note(NEEDS_TUNING)
    else:
        advising.is_auto = not advising.is_auto
        talk.conversation.is_plain = talk.conversation.is_plain and not advising.is_auto
        state = "on: γ is chosen anew for each reply" if advising.is_auto else "off"
        talk.screen.note(f"Auto is {state}. {_gamma_in_words(talk)}")
    return True


def _system(talk: Talk, _lines: Lines, rest: str) -> bool:
    if rest:
        talk.conversation.system = "" if rest == "none" else rest
    said = talk.conversation.system
    talk.screen.note(f"The system prompt is: {said}" if said else "There is no system prompt.")
    return True


def _regenerate(talk: Talk, lines: Lines, _rest: str) -> bool:
    if not talk.again(lines):
        talk.screen.note("There is no reply to write anew.")
    return True


def _stats(talk: Talk, _lines: Lines, _rest: str) -> bool:
    done = talk.conversation.done
    if not done:
        talk.screen.note("No reply has been written yet.")
        return True
    talk.screen.out.print(_figures(done[-1], pooled([each.figures for each in done]), len(done)))
    return True


def _figures(last: Done, whole: Figures, replies: int) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for title, justify in (("", "left"), ("last reply", "right"), (f"all {replies}", "right")):
        table.add_column(title, justify=justify)  # type: ignore[arg-type]
    figures = last.figures
    for name, show in _ROWS.items():
        table.add_row(name, show(figures), show(whole))
    table.add_row("first token after", words.seconds(figures.first_token_seconds), "")
    table.add_row("prompt", words.count(figures.prompt_tokens, "token"), "")
    table.add_row("read anew", words.count(figures.target_prompt_evaluated, "token"), "")
    if figures.draft_prompt_evaluated:
        draft = words.count(figures.draft_prompt_evaluated, "token")
        table.add_row("read anew by the draft", draft, "")
    if figures.accepted_by_position:
        table.add_row("accepted by position", safe(_by_position(figures)), "")
    return table


_ROWS: Mapping[str, Callable[[Figures], str]] = MappingProxyType(
    {
        "tokens/s": lambda f: f"{f.tokens_per_second:.1f}",
        "tokens": lambda f: f"{f.tokens:,}",
        "acceptance rate": lambda f: words.percent(f.acceptance_rate) if f.drafted else "–",
        "α, of those tested": lambda f: words.percent(f.alpha) if f.drafted else "–",
        "tokens per round": lambda f: f"{f.tokens_per_round:.2f}",
        "drafting": lambda f: words.seconds(f.draft_seconds),
        "verifying": lambda f: words.seconds(f.verify_seconds),
        "other": lambda f: words.percent(f.other_share),
    }
)


def _by_position(figures: Figures) -> str:
    """For each place in a round, how much of what was tested there stood."""
    pairs = zip(figures.accepted_by_position, figures.tested_by_position, strict=True)
    return " ".join(words.percent(accepted / tested) for accepted, tested in pairs)


def _help(talk: Talk, _lines: Lines, _rest: str) -> bool:
    table = Table.grid(padding=(0, 2))
    for command in dict.fromkeys(COMMANDS.values()):
        table.add_row(command.usage, command.what)
    talk.screen.out.print(table, highlight=False)
    talk.screen.note(
        'Ctrl-C or Esc stops a reply, Ctrl-D leaves; """ begins and ends a message of several '
        "lines; // begins one with a slash."
    )
    return True


def _quit(_talk: Talk, _lines: Lines, _rest: str) -> bool:
    return False


COMMANDS: Mapping[str, Command] = MappingProxyType(
    {
        STOP: Command(STOP, "stop the reply that is being written, and keep it", _stop),
        "/regenerate": Command("/regenerate", "write the last reply anew", _regenerate),
        "/new": Command("/new", "begin a new conversation", _new),
        "/system": Command("/system TEXT", "tell the model who it is; none for nothing", _system),
        "/plain": Command("/plain", "switch drafting off, or on again", _plain),
        "/gamma": Command("/gamma N", "draft N tokens a round, 0 to 16, or auto", _gamma),
        "/auto": Command("/auto", "choose γ anew for each reply, or no longer", _auto),
        "/stats": Command("/stats", "figures of the last reply, and of all", _stats),
        "/help": Command("/help", "this list", _help),
        "/quit": Command("/quit", "leave", _quit),
    }
)
