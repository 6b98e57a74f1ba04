"""The engine's sentences in the user's language.

The engine tells an error as a code and a sentence in English. The catalogue has the template that
the sentence was made from, so what stands in its gaps can be found again and put into the
translation. What comes from llama.cpp or the system stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from string import Formatter

from PySide6.QtCore import QCoreApplication, QLocale

from engine.errors import ForewordError

_CONTEXT = "Errors"


def translated(code: str, sentence: str) -> str:
    """``sentence``, of the error ``code``, in the user's language; as it is where none is known."""
    for template in _templates(code):
        found = re.fullmatch(_pattern(template), sentence, re.DOTALL)
        if found:
            return _plain(_tr(template)).format(**_local(template, found.groupdict()))
    return sentence


def templates() -> Iterator[str]:
    """Every template of the catalogue, for the translators."""
    yield from sorted({kind.template for kind in _kinds(ForewordError)})


def _templates(code: str) -> list[str]:
    return [kind.template for kind in _kinds(ForewordError) if kind.code == code]


def _kinds(kind: type[ForewordError]) -> Iterator[type[ForewordError]]:
    yield kind
    for special in kind.__subclasses__():
        yield from _kinds(special)


def _pattern(template: str) -> str:
    """An expression with a group for each gap."""
    parts: list[str] = []
    for text, name, _spec, _conversion in Formatter().parse(template):
        parts.append(re.escape(text))
        if name:
            parts.append(f"(?P={name})" if f"(?P<{name}>" in "".join(parts) else f"(?P<{name}>.*?)")
    return "".join(parts)


def _local(template: str, gaps: dict[str, str]) -> dict[str, str]:
    """The gaps, with numbers of thousands written as the user's language does."""
    for _text, name, spec, _conversion in Formatter().parse(template):
        if name and spec == ",":
            gaps[name] = QLocale().toString(int(gaps[name].replace(",", "")))
    return gaps


def _plain(template: str) -> str:
    """The template with its gaps bare: what fills them is formatted already."""
    return re.sub(r"(?<!\{)\{(\w+)[^{}]*\}(?!\})", r"{\1}", template)


def _tr(text: str) -> str:
    return QCoreApplication.translate(_CONTEXT, text)
