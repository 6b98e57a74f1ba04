"""The engine's sentences find their way into the user's language."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from string import Formatter

import pytest
from PySide6.QtCore import QLocale, QTranslator

from app.sentences import SAYINGS, said, templates, translated
from engine import errors
from engine.errors import ContextFailed, FileMissing, GgufTruncated, NothingLoaded, WorkerDied
from engine.pairing import VocabularyFacts, verdict


class _German(QTranslator):
    """Answers with what it was asked, between quotation marks, gaps turned round."""

    def translate(self, context, source, disambiguation=None, n=-1) -> str | None:
        return f"„{source}“" if context == "Errors" else None


@pytest.fixture
def german(qapp) -> Iterator[None]:
    translator = _German()
    qapp.installTranslator(translator)
    yield
    qapp.removeTranslator(translator)


@pytest.mark.usefixtures("german", "english")
@pytest.mark.parametrize(
    "error",
    [
        FileMissing(path="/a {strange} path"),
        GgufTruncated(path="x.gguf", have=12345, need=67890),
        ContextFailed(n_ctx=4096),
        NothingLoaded(),
        WorkerDied(reason="out of memory; the system ended it"),
    ],
)
def test_what_stands_in_the_gaps_is_kept(error) -> None:
    assert translated(error.code, error.sentence) == f"„{error.sentence}“"


@pytest.mark.usefixtures("german")
def test_numbers_are_written_as_the_language_does() -> None:
    before = QLocale()
    QLocale.setDefault(QLocale(QLocale.Language.German))
    error = ContextFailed(n_ctx=131072)
    assert "131.072" in translated(error.code, error.sentence)
    QLocale.setDefault(before)


def test_an_unknown_sentence_stays_as_it_is(qapp) -> None:
    assert translated("load-failed", "Something new.") == "Something new."
    assert translated("no-such-code", "Something new.") == "Something new."


@pytest.mark.usefixtures("german", "english")
def test_every_template_can_be_found_again() -> None:
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type)]
    kinds = [kind for kind in kinds if issubclass(kind, errors.ForewordError)]
    for kind in kinds:
        gaps = [(name, spec) for _t, name, spec, _c in Formatter().parse(kind.template) if name]
        error = kind(**{name: 12345 if spec else f"({name})" for name, spec in gaps})
        assert translated(error.code, error.sentence) == f"„{error.sentence}“", kind


FACTS = VocabularyFacts("gpt2", 27, True, 1, False, 2, (b"a", b"b", b"c") * 9)


class _Marked(QTranslator):
    """Marks what it was asked for as translated."""

    def translate(self, context, source, disambiguation=None, n=-1) -> str | None:
        return f"<{source}>" if context == "Sayings" else None


@pytest.fixture
def marked(qapp) -> Iterator[None]:
    translator = _Marked()
    qapp.installTranslator(translator)
    yield
    qapp.removeTranslator(translator)


@pytest.mark.usefixtures("marked", "english")
@pytest.mark.parametrize(
    "draft",
    [
        replace(FACTS, kind=""),
        replace(FACTS, kind="llama"),
        replace(FACTS, bos=2),
        replace(FACTS, add_bos=False),
        replace(FACTS, add_eos=True),
        replace(FACTS, size=5000),
        replace(FACTS, texts=(b"a", b"b", b"x") * 9),
    ],
)
def test_why_a_draft_cannot_serve_is_said_in_the_users_language(draft: VocabularyFacts) -> None:
    found = verdict(FACTS, draft)
    assert not found.ok
    assert translated(found.code, found.reason).startswith("<"), found.reason


@pytest.mark.usefixtures("marked", "english")
def test_every_saying_is_found_again() -> None:
    for template in SAYINGS:
        names = [name for _t, name, _s, _c in Formatter().parse(template) if name]
        sentence = template.format(**dict.fromkeys(names, "x y"))
        assert said(sentence) == f"<{sentence}>"


@pytest.mark.usefixtures("marked")
def test_sizes_within_a_saying_are_written_as_the_language_does() -> None:
    before = QLocale()
    QLocale.setDefault(QLocale(QLocale.Language.German))
    told = said("both models together need 12.5 GB of memory and 1,024 are free")
    QLocale.setDefault(before)
    assert told == "<both models together need 12,5 GB of memory and 1.024 are free>"


def test_templates_are_listed_once() -> None:
    listed = list(templates())
    assert len(set(listed)) == len(listed)
    assert NothingLoaded.template in listed
