"""Messages → prompt tokens: template, splice of earlier replies, what a full context drops."""

from __future__ import annotations

import codecs
import re
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from engine.errors import PromptTooLong
from engine.template import Template, TemplateFailed

KEPT = 0.6
"""How much of the context is left filled after trimming: a trim costs a full reading, so it is
rare."""
FULL = 0.875
"""The context counts as full from here on: the rest is room for the reply."""

_GUARD = "\ue0f3"
"""A character of no vocabulary, so that it joins with nothing."""

_FALLBACK = (
    "{% for message in messages %}{{ message.role | capitalize }}: {{ message.content }}\n"
    "{% endfor %}Assistant:"
)


@dataclass(frozen=True)
class Message:
    """One message of a conversation. ``tokens``: the ids the engine wrote it with, if it did."""

    role: str
    content: str
    tokens: tuple[int, ...] = ()


@dataclass(frozen=True)
class Prompt:
    """What the models read. ``index``: how many tokens of the reply it holds already (Continue)."""

    tokens: list[int]
    index: int = 0
    stops: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    dropped: int = 0


class Speller(Protocol):
    """What is needed of a vocabulary: engine.llama.vocabulary.Vocabulary, or a test's own."""

    size: int
    bos: int
    eos: int
    add_bos: bool

    @property
    def ends(self) -> frozenset[int]: ...
    @property
    def control(self) -> dict[int, str]: ...
    def text(self, token: int) -> str: ...
    def piece(self, token: int) -> bytes: ...
    def tokenize(self, text: str, *, special: bool) -> list[int]: ...


@dataclass(frozen=True)
class _Form:
    """A template, the stop strings that it needs and a sentence for the user about it, if any."""

    template: Template
    stops: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Run:
    """A stretch of the prompt whose tokens are decided here, not by the template's text."""

    text: str
    tokens: list[int]


class Prompter:
    """Makes prompts for one model. Remembers what it trimmed, so that the next turn keeps it so."""

    def __init__(self, vocabulary: Speller, template: str | None) -> None:
        self._vocabulary = vocabulary
        self._dropped: list[Message] = []
        self._texts = {
            "bos": vocabulary.text(vocabulary.bos),
            "eos": vocabulary.text(vocabulary.eos),
        }
        # Marks stand for stretches of tokens while the template renders; nobody can type one.
        self._nonce = secrets.token_hex(8)
        self._mark = re.compile(f"\ue0f1{self._nonce}:(\\d+)\ue0f2")
        written = sorted(filter(None, vocabulary.control.values()), key=len, reverse=True)
        self._control = re.compile("|".join(map(re.escape, written))) if written else None
        self._guard = self._found_guard()
        try:
            if not template:
                raise TemplateFailed("the file holds none")
            self._form = _Form(Template(template, **self._texts))
            if "hello" not in self._render(self._form, [Message("user", "hello")], {}).lower():
                raise TemplateFailed("it leaves out what the user writes")
        except TemplateFailed as error:
            self._form = self._fallback(error)

    def _fallback(self, reason: TemplateFailed) -> _Form:
        note = f"The model's chat template cannot be used ({reason}); a plain one is."
        return _Form(Template(_FALLBACK, **self._texts), ("\nUser:",), (note,))

    def prompt(
        self, messages: Sequence[Message], *, limit: int, think: bool | None = None
    ) -> Prompt:
        """The prompt for the next reply, or for going on with the last one if it is the
        assistant's.

        ``limit``: the context in tokens. When it is full the oldest turns are dropped at once, down
        to KEPT of it; the system message stays. Raises PromptTooLong when the last turn alone is
        too much."""
        variables = {} if think is None else {"enable_thinking": think}
        head = [m for m in messages[:1] if m.role == "system"]
        turns = list(messages[len(head) :])
        dropped = len(self._dropped) if turns[: len(self._dropped)] == self._dropped else 0
        prompt = self._build([*head, *turns[dropped:]], variables)
        if len(prompt.tokens) > FULL * limit:
            dropped, prompt = self._trim(head, turns, dropped, prompt, limit, variables)
        self._dropped = turns[:dropped]
        if len(prompt.tokens) >= limit:
            raise PromptTooLong(tokens=len(prompt.tokens), limit=limit)
        if dropped:
            note = (
                f"The conversation outgrew the context of {limit:,} tokens: "
                f"its oldest {dropped} messages are no longer read."
            )
            prompt = replace(prompt, notes=(*prompt.notes, note), dropped=dropped)
        return prompt

    def count(self, messages: Sequence[Message]) -> int:
        """Tokens of the whole conversation's prompt, however long it is."""
        return len(self._build(list(messages), {}).tokens)

    def _trim(
        self,
        head: list[Message],
        turns: list[Message],
        dropped: int,
        prompt: Prompt,
        limit: int,
        variables: dict[str, bool],
    ) -> tuple[int, Prompt]:
        starts = [i for i, m in enumerate(turns) if m.role == "user" and i > dropped]
        for start in starts:
            dropped, prompt = start, self._build([*head, *turns[start:]], variables)
            if len(prompt.tokens) <= KEPT * limit:
                break
        return dropped, prompt

    def _build(self, messages: list[Message], variables: dict[str, bool]) -> Prompt:
        begun: list[int] = []
        if messages and messages[-1].role == "assistant":
            begun = self._spelled(messages[-1])
            messages = messages[:-1]
        form = self._form
        try:
            tokens, notes = self._spoken(form, messages, variables)
        except TemplateFailed as error:  # at these messages: another conversation may suit it
            form = self._fallback(error)
            tokens, notes = self._spoken(form, messages, variables)
        return Prompt(tokens + begun, len(begun), form.stops, (*form.notes, *notes))

    def _spoken(
        self, form: _Form, messages: list[Message], variables: dict[str, bool]
    ) -> tuple[list[int], tuple[str, ...]]:
        """The tokens of ``messages`` in ``form``, and what had to be done to them for it."""
        messages, notes = self._suited(form, messages, variables)
        tokens = self._one_bos(self._tokens(form, messages, variables))
        if not tokens:
            raise TemplateFailed("it renders nothing")
        return tokens, notes

    def _suited(
        self, form: _Form, messages: list[Message], variables: dict[str, bool]
    ) -> tuple[list[Message], tuple[str, ...]]:
        """The messages in a form this template takes: some know no system role, some want turns to
        alternate. Nothing is left out; it is said elsewhere in the prompt.
        """
        failed = TemplateFailed("it takes no conversation")
        tried = messages
        for shape, note in _SHAPES:
            tried = shape(tried)
            try:
                text = self._render(form, tried, variables)
            except TemplateFailed as error:
                failed = error
                continue
            if all(m.content.strip() in text for m in tried if m.role == "system"):
                return tried, (note,) if note else ()
        raise failed

    def _render(self, form: _Form, messages: Sequence[Message], variables: dict[str, bool]) -> str:
        rows = [{"role": m.role, "content": m.content} for m in messages]
        return form.template.render(rows, **variables)

    def _tokens(
        self, form: _Form, messages: list[Message], variables: dict[str, bool]
    ) -> list[int]:
        """Tokens of the rendered prompt. The ids of earlier replies go in as they were written, and
        control tokens that someone typed stay plain text.
        """
        runs: list[_Run] = []
        marked = [self._marked(message, runs) for message in messages]
        text = self._render(form, messages, variables)
        spliced = self._splice(text, self._pieces(form, marked, variables), runs) if runs else None
        return self._plainly(form, messages, variables) if spliced is None else spliced

    def _plainly(
        self, form: _Form, messages: list[Message], variables: dict[str, bool]
    ) -> list[int]:
        """Tokens of the rendered text as it is, for a template that does its own with contents.

        What somebody typed must not become a control token here either: an invisible character
        takes it apart.
        """
        if self._control is not None:
            split = self._control
            messages = [
                replace(m, content=split.sub(lambda found: _apart(found[0]), m.content))
                for m in messages
            ]
        return self._vocabulary.tokenize(self._render(form, messages, variables), special=True)

    def _pieces(self, form: _Form, marked: list[Message], variables: dict[str, bool]) -> list[str]:
        """The marked rendering, split at its marks: literal, run number, literal …"""
        try:
            return self._mark.split(self._render(form, marked, variables))
        except TemplateFailed:  # a template that looks into the contents may refuse marks
            return []

    def _marked(self, message: Message, runs: list[_Run]) -> Message:
        """The message with marks in place of the stretches whose tokens are ours to decide."""

        def mark(text: str, tokens: list[int]) -> str:
            runs.append(_Run(text, tokens))
            return f"\ue0f1{self._nonce}:{len(runs) - 1}\ue0f2"

        if message.tokens:
            return replace(message, content=mark(message.content, self._spelled(message)))
        if self._control is None:
            return message
        content = self._control.sub(lambda m: mark(m[0], self._within(m[0])), message.content)
        return replace(message, content=content)

    def _splice(self, text: str, pieces: list[str], runs: list[_Run]) -> list[int] | None:
        """Tokens of ``text``, the runs' ids where the template left their text alone.

        None when the template did something else with the contents; the plain text is tokenised
        then.
        """
        if not pieces or not text.startswith(pieces[0]):
            return None
        tokens, at = self._vocabulary.tokenize(pieces[0], special=True), len(pieces[0])
        for number, literal in zip(pieces[1::2], pieces[2::2], strict=True):
            run = runs[int(number)]
            end = _where(text, at, run.text, literal)
            if end is None:
                return None
            tokens += self._run_tokens(run, text[at:end])
            tokens += self._within(literal, special=True)
            at = end + len(literal)
        return tokens if at == len(text) else None

    def _run_tokens(self, run: _Run, shown: str) -> list[int]:
        """The run's own ids, or those of the part that the template shows (not the reasoning)."""
        if shown == run.text:
            return run.tokens
        wanted, raw = shown.encode(), b""
        for start in range(len(run.tokens) - 1, -1, -1):
            raw = self._vocabulary.piece(run.tokens[start]) + raw
            if raw == wanted:
                return run.tokens[start:]
            if len(raw) > len(wanted):
                break
        return self._within(shown)

    def _spelled(self, message: Message) -> list[int]:
        """The ids a reply was written with, as far as they spell its text; the rest tokenised.

        They differ behind a stop string, an edit, half a character where the reply was cut, or the
        end token, which the template adds itself.
        """
        size = self._vocabulary.size
        # Another model's reply may hold ids that this one lacks; llama.cpp aborts on them.
        ours = message.tokens if all(0 <= token < size for token in message.tokens) else ()
        raw = b"".join(self._vocabulary.piece(token) for token in ours)
        if raw.decode("utf-8", errors="replace") == message.content:
            return [token for token in ours if token not in self._vocabulary.ends]
        kept, spelled = self._agreeing(ours, message.content)
        rest = message.content[spelled:]
        return [*ours[:kept], *(self._within(rest) if rest else [])]

    def _agreeing(self, tokens: Sequence[int], content: str) -> tuple[int, int]:
        """How many of ``tokens`` spell a beginning of ``content``, and how long that is."""
        decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        kept = spelled = at = 0
        for count, token in enumerate(tokens, start=1):
            text = decoder.decode(self._vocabulary.piece(token))
            if token in self._vocabulary.ends or not content.startswith(text, at):
                break
            at += len(text)
            state = decoder.getstate()
            half = decoder.decode(b"", final=True)  # how a text would show it that ended here
            decoder.setstate(state)
            if content.startswith(half, at):
                kept, spelled = count, at + len(half)
        return kept, spelled

    def _found_guard(self) -> list[int]:
        """SentencePiece puts a space before the first word of whatever it tokenises. In the middle
        of a prompt a guard stands before the word instead, and is cut off again; here its ids."""
        first = self._vocabulary.tokenize("x", special=False)
        puts_space = bool(first) and self._vocabulary.piece(first[0]).startswith(b" ")
        return self._vocabulary.tokenize(_GUARD, special=False) if puts_space else []

    def _within(self, text: str, *, special: bool = False) -> list[int]:
        """Tokens of ``text`` in the middle of a prompt."""
        size = len(self._guard)
        tokens = self._vocabulary.tokenize((_GUARD if size else "") + text, special=special)
        return tokens[size:]

    def _one_bos(self, tokens: list[int]) -> list[int]:
        """Exactly one beginning-of-text token where the model wants one, whoever adds it."""
        bos = self._vocabulary.bos
        count = next((i for i, token in enumerate(tokens) if token != bos), len(tokens))
        wanted = 1 if self._vocabulary.add_bos or count else 0
        return [bos] * wanted + tokens[count:]


def _apart(text: str) -> str:
    return f"{text[:1]}\u200b{text[1:]}"


def _where(text: str, at: int, run: str, literal: str) -> int | None:
    """Where in ``text`` the run that begins at ``at`` ends, given the literal that follows it."""
    if text.startswith(run + literal, at):
        return at + len(run)
    end = text.find(literal, at) if literal else -1
    return end if end >= 0 else None


def _as_is(messages: list[Message]) -> list[Message]:
    return messages


def _system_in_user(messages: list[Message]) -> list[Message]:
    """The system message becomes the beginning of the first message of the user."""
    if not messages or messages[0].role != "system":
        return messages
    system, rest = messages[0].content, messages[1:]
    first = next((i for i, m in enumerate(rest) if m.role == "user"), None)
    if first is None:
        return [Message("user", system), *rest]
    rest[first] = Message("user", f"{system}\n\n{rest[first].content}")
    return rest


def _alternating(messages: list[Message]) -> list[Message]:
    """Neighbours of one role become one message, and the user begins, if with nothing."""
    if messages and messages[0].role == "assistant":
        messages = [Message("user", ""), *messages]
    return list(_merged(messages))


def _merged(messages: list[Message]) -> Iterator[Message]:
    held: Message | None = None
    for message in messages:
        if held and held.role == message.role:
            held = Message(held.role, f"{held.content}\n\n{message.content}")
            continue
        if held:
            yield held
        held = message
    if held:
        yield held


_SHAPES = (
    (_as_is, ""),
    (_system_in_user, "This model knows no system message: it is put before your first message."),
    (_alternating, "This model wants turns to alternate: neighbouring messages were joined."),
)
