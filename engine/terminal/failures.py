"""What may go wrong, and the exit code for it."""

from __future__ import annotations

from engine.errors import (
    BadPrompts,
    BadSetting,
    FetchCancelled,
    FileIsFolder,
    FileMissing,
    FileUnreadable,
    ForewordError,
    GgufDamaged,
    GgufTruncated,
    NotGguf,
    PairRefused,
    PromptTooLong,
)

OK, FAILED, BAD_INPUT, INTERRUPTED, PIPE_CLOSED = 0, 1, 2, 130, 141
"""All went well; the engine failed; the input makes no sense; Ctrl-C; nobody reads any more."""

_INPUT = frozenset(
    error.code
    for error in (
        BadPrompts,
        BadSetting,
        FileIsFolder,
        FileMissing,
        FileUnreadable,
        GgufDamaged,
        GgufTruncated,
        NotGguf,
        PairRefused,
        PromptTooLong,
    )
)


class BadInput(Exception):
    """Something on the command line makes no sense; the text says what, and what to do."""

    code = "bad-input"
    detail = ""


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
