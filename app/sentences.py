"""The engine's sentences in the user's language.

The engine tells an error as a code and a sentence in English. The catalogue has the template that
the sentence was made from, so what stands in its gaps can be found again and put into the
translation. What it says besides, in its notes and verdicts, is found in the same way. What comes
from llama.cpp or the system stays as it is.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from string import Formatter

from PySide6.QtCore import QCoreApplication, QLocale

from app.reasons import REASONS
from engine.errors import BadSetting, ForewordError

_AMOUNT = re.compile(r"([\d,]+)(?:\.(\d))?( [kMG]B)?")

SAYINGS = (
    *REASONS,
    "Loading {name}",
    "Timing both models",
    "Timing both models with fewer threads",
    "Timing both models, {depth} tokens deep",
    "Timing the passes of the best γ",
    "Writing plainly, greedily: {kind}",
    "Writing plainly, at temperature {temperature}: {kind}",
    "Trying γ {gamma}: {kind}",
    "Trying every γ, {gamma}: {kind}",
    "Choosing",
    "code",
    "rewriting",
    "structured output",
    "explanation",
    "story",
    "everyday",
    "target",
    "draft",
    "no draft is chosen",
    "the {role} has no vocabulary in its file",
    "the target's tokenizer is {ours} and the draft's is {theirs}",
    "the target {ours} and the draft {theirs}",
    "{place} its prompts with a {end} token (add_{field} is true)",
    "begins",
    "ends",
    "adds no {end} token (add_{field} is false)",
    "the {end} token is {ours} in the target and {theirs} in the draft",
    (
        "the target's vocabulary has {ours} tokens and the draft's {theirs}, {apart} apart where "
        "at most {most} can be padding"
    ),
    (
        "token {token} reads {ours} in the target ({all} tokens) and {theirs} in the draft "
        "({others} tokens)"
    ),
    "some tokens read otherwise in the target than in the draft",
    "the {role}'s memory ({architecture}) cannot take back a rejected token",
    "both models together need {need} of memory and {free} are free",
    "The context is {n_ctx} tokens, the most this model was made for.",
    "{some} of {all} layers of {name} are on the GPU: its memory does not hold more.",
    (
        "{name} needs {need} of memory and {free} are free: it is read from the disk again and "
        "again, which is slow. Close other programs, or choose a smaller model."
    ),
    "The model's chat template cannot be used ({reason}); a plain one is.",
    (
        "The conversation outgrew the context of {limit} tokens: its oldest {dropped} messages are "
        "no longer read."
    ),
    "The stored tuning of this pair cannot be read. Tune again to know its best γ.",
    (
        "The stored tuning of this pair was measured with {what} and is not used. Tune again to "
        "know its best γ."
    ),
    "another driver ({driver})",
    "it ran out of memory",
    "an assertion in its native code failed ({assertion})",
    "signal {number} ({name}, by someone or for want of memory)",
    "signal {number} ({name})",
    "killed",
    "aborted",
    "segmentation fault",
    "it ended with exit code {code}",
    (
        "What was found cannot be stored in {folder} ({reason}): it is in force only until the "
        "models are loaded again."
    ),
    "In {path}, {sentence} The default is used.",
    "The settings in {path} cannot be read ({reason}). The defaults are used.",
    "The settings in {path} are not valid TOML ({reason}). The defaults are used.",
    (
        "The settings were not valid TOML ({reason}) and were set aside as {aside}. The defaults "
        "are used."
    ),
    "The window's settings in {path} cannot be read ({reason}). The defaults are used.",
    "The window's settings in {path} are not valid TOML ({reason}). The defaults are used.",
    (
        "The window's settings were not valid TOML ({reason}) and were set aside as {aside}. The "
        "defaults are used."
    ),
)
"""What the engine says that is no error: what it is doing, its notes, why a draft cannot serve, and
what the worker died of, which stands in the gap of an error."""


def said(sentence: str) -> str:
    """One of the engine's sayings in the user's language; as it is where it is none."""
    for template in SAYINGS:
        found = _pattern(template).fullmatch(sentence)
        if found:
            gaps = {name: _gap(name, gap) for name, gap in found.groupdict().items()}
            return QCoreApplication.translate("Sayings", template).format(**gaps)
    return sentence


def _gap(name: str, gap: str) -> str:
    return translated(BadSetting.code, gap) if name == "sentence" else said(_local(gap))


def translated(code: str, sentence: str) -> str:
    """``sentence``, of the error ``code``, in the user's language; as it is where none is known."""
    for template in _templates(code):
        found = _pattern(template).fullmatch(sentence)
        if found:
            gaps = {name: said(_local(gap)) for name, gap in found.groupdict().items()}
            return _plain(QCoreApplication.translate("Errors", template)).format(**gaps)
    return said(sentence)


def templates() -> Iterator[str]:
    """Every template of the catalogue, for the translators."""
    yield from sorted({kind.template for kind in _kinds(ForewordError)})


def _templates(code: str) -> list[str]:
    return [kind.template for kind in _kinds(ForewordError) if kind.code == code]


def _kinds(kind: type[ForewordError]) -> Iterator[type[ForewordError]]:
    yield kind
    for special in kind.__subclasses__():
        yield from _kinds(special)


@functools.cache
def _pattern(template: str) -> re.Pattern[str]:
    """An expression with a group for each gap."""
    parts: list[str] = []
    for text, name, _spec, _conversion in Formatter().parse(template):
        parts.append(re.escape(text))
        if name:
            parts.append(f"(?P={name})" if f"(?P<{name}>" in "".join(parts) else f"(?P<{name}>.*?)")
    return re.compile("".join(parts), re.DOTALL)


def _local(gap: str) -> str:
    """What stands in a gap; a number or a size as the user's language writes it."""
    found = _AMOUNT.fullmatch(gap)
    if found is None:
        return gap
    whole, decimal, unit = found.groups()
    number = float(f"{whole.replace(',', '')}.{decimal or 0}")
    return f"{QLocale().toString(number, 'f', 1 if decimal else 0)}{unit or ''}"


def _plain(template: str) -> str:
    """The template with its gaps bare: what fills them is formatted already."""
    return re.sub(r"(?<!\{)\{(\w+)[^{}]*\}(?!\})", r"{\1}", template)
