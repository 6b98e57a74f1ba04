"""What may go wrong, and the exit code for it."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from engine.errors import (
    AccessPending,
    AmbiguousModel,
    BadPrompts,
    BadSetting,
    FetchCancelled,
    FileIsFolder,
    FileMissing,
    FileUnreadable,
    ForewordError,
    GgufDamaged,
    GgufTruncated,
    NoSuchModel,
    NoSuchVariant,
    NotFetchable,
    NotForChat,
    NotGguf,
    NotOnHub,
    NotOurs,
    PairRefused,
    PeerFailed,
    PromptTooLong,
    RepoGated,
    ShardMisnamed,
    ShardMissing,
    ShardsJoined,
    TokenRefused,
    WorkerDied,
)

if TYPE_CHECKING:
    from engine.terminal.screen import Screen

log = logging.getLogger(__name__)

OK, FAILED, BAD_INPUT, INTERRUPTED, PIPE_CLOSED = 0, 1, 2, 130, 141
"""All went well; the engine failed; the input makes no sense; Ctrl-C; nobody reads any more."""

_INPUT = frozenset(
    error.code
    for error in (
        AmbiguousModel,
        BadPrompts,
        BadSetting,
        FileIsFolder,
        FileMissing,
        FileUnreadable,
        GgufDamaged,
        GgufTruncated,
        NoSuchModel,
        NoSuchVariant,
        NotFetchable,
        NotForChat,
        NotGguf,
        NotOnHub,
        NotOurs,
        PairRefused,
        PeerFailed,
        PromptTooLong,
        ShardMisnamed,
        ShardMissing,
        ShardsJoined,
    )
)


_OF_TOKENS = frozenset(error.code for error in (AccessPending, RepoGated, TokenRefused))


class BadInput(Exception):
    """Something on the command line makes no sense; the text says what, and what to do."""

    code = "bad-input"
    detail = ""


class OutputFailed(BadInput):
    """Standard output leads to where nothing can be written."""


class Interrupted(Exception):
    """Ctrl-C ended a request before it had anything to show."""


class RequestFailed(Exception):
    """The worker's answer to a request was an error of engine.errors."""

    def __init__(self, code: str, sentence: str, detail: str) -> None:
        super().__init__(sentence)
        self.code = code
        self.detail = detail


def exit_code(error: BadInput | ForewordError | RequestFailed) -> int:
    """What a program that called us is told."""
    if error.code == FetchCancelled.code:
        return INTERRUPTED
    return BAD_INPUT if isinstance(error, BadInput) or error.code in _INPUT else FAILED


def explain(screen: Screen, error: BadInput | ForewordError | RequestFailed) -> int:
    """Say what went wrong in its one sentence; the exit code for it."""
    code = exit_code(error)
    log.info("%s: %s", error.code, error.detail)
    screen.say(str(error), "" if code == INTERRUPTED else "red")
    if error.code == WorkerDied.code:
        screen.note("Run the command again to start the engine anew.")
    if error.code in _OF_TOKENS:
        screen.note("The token goes into HF_TOKEN, or into the window: Models, Search the Hub.")
    return code
