"""The terminal: ``foreword chat | compare | tune | bench | models``. Needs no display and no Qt.

Exit codes: 0 all went well, 1 the engine failed, 2 the input makes no sense, 130 Ctrl-C, 143
SIGTERM, 129 SIGHUP.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from engine import settings
from engine.errors import ForewordError
from engine.terminal import failures
from engine.terminal.ending import Endings
from engine.terminal.failures import BadInput, Interrupted, OutputFailed, RequestFailed
from engine.terminal.log import log_file, logged
from engine.terminal.options import MODELS, merged
from engine.terminal.parser import make_parser
from engine.terminal.screen import JsonTarget, Screen, open_screen

log = logging.getLogger(__name__)

Command = Callable[[Screen, argparse.Namespace, settings.Settings], int]


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code. Prints; never raises, never shows a traceback."""
    screen = open_screen()
    with logged(), Endings() as endings:
        code = _fenced(screen, list(sys.argv[1:] if argv is None else argv), endings)
    return endings.code or code


def _fenced(screen: Screen, argv: list[str], endings: Endings) -> int:
    """Run one command, and turn whatever it raises into words and an exit code."""
    try:
        try:
            return _run(screen, argv)
        finally:
            sys.stdout.flush()  # what cannot be written is met here at the latest
    except SystemExit as end:  # --help and --version, and a signal
        return end.code if isinstance(end.code, int) else failures.OK
    except OutputFailed as error:
        _give_up_output()
        return failures.explain(screen, error)
    except (BadInput, ForewordError, RequestFailed) as error:
        return failures.explain(screen, error)
    except (Interrupted, KeyboardInterrupt):
        return failures.INTERRUPTED
    except BrokenPipeError:
        _give_up_output()  # whoever read it has gone
        return failures.PIPE_CLOSED
    except Exception as error:  # the last fence: nobody is shown a traceback
        if endings.code:  # the terminal went, and so nothing could be given back to it
            _give_up_output()
            return endings.code
        log.exception("A command failed")
        screen.say(f"Something went wrong inside Foreword ({type(error).__name__}).", "red")
        screen.note(f"The details are in {log_file()}.")
        return failures.FAILED


def _run(screen: Screen, argv: list[str]) -> int:
    parser = make_parser()
    if not argv:
        # A person gets a conversation; a program, which could not hold one, a comparison.
        argv = ["chat" if screen.interactive else "compare"]
    if argv == ["--selftest"]:
        return _selftest()
    given = parser.parse_args(argv)
    loaded = settings.load()
    for note in loaded.notes:
        screen.note(note)
    if any(getattr(given, option, None) for option in MODELS):
        from engine.terminal.naming import resolve

        resolve(given, loaded.settings)
    command = COMMANDS[given.command]
    return command(screen, given, merged(loaded.settings, given))


def _give_up_output() -> None:
    """Let nothing that is left in a buffer try to be written."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


# The commands ----------------------------------------------------------------------------------


def _chat(screen: Screen, given: argparse.Namespace, chosen: settings.Settings) -> int:
    from engine.terminal.chat import chat
    from engine.terminal.choosing import choose
    from engine.terminal.session import open_session

    prompt = _asked(given.prompt)
    folder = settings.models_folder(chosen)
    pair = choose(screen, *_named(given), folder, needs_draft=False)
    if pair.note:
        screen.note(pair.note)
    with open_session(screen, pair, chosen) as session:
        return chat(screen, session, chosen, prompt=prompt, as_json=given.json, quiet=given.quiet)


def _compare(screen: Screen, given: argparse.Namespace, chosen: settings.Settings) -> int:
    from engine.terminal.choosing import choose
    from engine.terminal.compare import PROMPT, check, compare
    from engine.terminal.session import open_session

    _check_json(given.json)
    check(chosen, exact=given.exact)
    prompt = _asked(given.prompt) or PROMPT
    folder = settings.models_folder(chosen)
    pair = choose(screen, *_named(given), folder, needs_draft=True)
    with open_session(screen, pair, chosen) as session:
        session.tell_notes()
        return compare(screen, session, chosen, prompt, exact=given.exact, to=given.json)


def _bench(screen: Screen, given: argparse.Namespace, chosen: settings.Settings) -> int:
    from engine.bench import Plan
    from engine.duel import Duel, peer_options
    from engine.paths import asset
    from engine.peer import Peer, find_server
    from engine.prompts import read_prompts
    from engine.terminal.bench import bench, check_prompts
    from engine.terminal.choosing import choose
    from engine.terminal.session import open_session

    _check_json(given.json)
    rows = given.prompts or asset("prompts.toml")
    plan = Plan(
        prompts=tuple(read_prompts(rows)),
        gammas=tuple(given.gammas),
        temperatures=tuple(given.temperatures),
        max_tokens=given.length,
        repeats=given.repeats,
        seed=given.first_seed,
        rule=given.rule,
    )
    folder = settings.models_folder(chosen)
    program = find_server(given.peer) if given.peer else None
    pair = choose(screen, *_named(given), folder, needs_draft=True)
    with open_session(screen, pair, chosen) as session:
        session.tell_notes()
        plan = replace(plan, n_ctx=session.ready.n_ctx)
        check_prompts(session, plan, rows)
        if program is None:
            return bench(screen, session, plan, given.json)
        with Peer(program, peer_options(session.ready, chosen.gpu_layers)) as peer:
            return bench(screen, session, plan, given.json, Duel(peer, plan.drafting))


def _tune(screen: Screen, given: argparse.Namespace, chosen: settings.Settings) -> int:
    from engine.terminal.choosing import choose
    from engine.terminal.session import open_session
    from engine.terminal.tune import tune

    _check_json(given.json)
    pair = choose(screen, *_named(given), settings.models_folder(chosen), needs_draft=True)
    with open_session(screen, pair, chosen) as session:
        session.tell_notes()
        return tune(
            screen,
            session,
            chosen,
            quick=given.quick,
            exhaustive=given.exhaustive,
            to=given.json,
        )


def _models(screen: Screen, given: argparse.Namespace, chosen: settings.Settings) -> int:
    from engine.terminal import getting, models, removing

    to = JsonTarget("-") if given.json else None
    if given.action == "search":
        from engine.terminal.searching import search

        return search(screen, " ".join(given.words), chosen, to)
    if given.action == "fetch":
        return getting.fetch(screen, given.what, chosen, to, sure=given.yes)
    if given.action == "remove":
        return removing.take_away(screen, given.model, chosen, to, sure=given.yes)
    if given.action == "check":
        return models.check(screen, given.models, chosen, to)
    if given.action == "pair":
        from engine.terminal.pairs import show

        return show(screen, given.model, chosen, to)
    return models.show(screen, chosen, to)


def _named(given: argparse.Namespace) -> tuple[Path | None, Path | None]:
    """The files named on the command line. Those last used in the window are the window's."""
    return getattr(given, "target", None), getattr(given, "draft", None)


def _asked(prompt: str | None) -> str | None:
    """What is to be answered; "-" stands for all of standard input. None: nothing was named.

    Raises BadInput where there is nothing in it.
    """
    text = sys.stdin.read() if prompt == "-" else prompt
    if text is not None and not text.strip():
        raise BadInput("The prompt is empty. Say what is to be answered.")
    return text


def _check_json(target: JsonTarget | None) -> None:
    if target:
        target.check()


def _selftest() -> int:
    from engine.selftest.checks import check_engine

    return failures.OK if check_engine(print) else failures.FAILED


COMMANDS: Mapping[str, Command] = MappingProxyType(
    {"chat": _chat, "compare": _compare, "bench": _bench, "tune": _tune, "models": _models}
)
