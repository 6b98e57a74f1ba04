"""A conversation in the terminal: what was said, and a reply as it comes."""

from __future__ import annotations

import json
from contextlib import nullcontext
from dataclasses import dataclass, field

from engine.errors import PromptTooLong, Stopped
from engine.plain import plain
from engine.protocol import Chat, Done, Emitted, Event, Message, Options, Prompt
from engine.settings import Settings
from engine.terminal import words
from engine.terminal.advising import Advising
from engine.terminal.failures import Interrupted, RequestFailed
from engine.terminal.lines import Lines
from engine.terminal.options import sampling
from engine.terminal.reasoning import Reasoning
from engine.terminal.screen import Screen
from engine.terminal.session import Asked, Session


@dataclass
class Conversation:
    """What was said, and how the next reply is to be written.

    Attributes:
        settings: The user's.
        system: What the model is told first; "" for nothing.
        gamma: γ; None for the engine's own.
        is_plain: Whether drafting is switched off.
        messages: All but the system's.
        variant: How often the last message was answered anew.
        done: The replies' ends, one after the other, with their figures.
    """

    settings: Settings
    system: str = ""
    gamma: int | None = None
    is_plain: bool = False
    messages: list[Message] = field(default_factory=list)
    variant: int = 0
    done: list[Done] = field(default_factory=list)

    def request(self, automatic: int | None = None) -> Chat:
        """The request for the next reply; ``automatic``: Auto's γ, None where it is off."""
        settings = self.settings
        options = Options(
            gamma=0 if self.is_plain else self.gamma if automatic is None else automatic,
            sampling=sampling(settings),
            seed=settings.seed,
            variant=self.variant,
            max_tokens=settings.max_tokens,
            think=settings.think,
        )
        head = [Message("system", self.system)] if self.system else []
        return Chat((*head, *self.messages), options)

    def clear(self) -> None:
        """Forget what was said; the figures so far stay."""
        self.messages.clear()
        self.variant = 0


@dataclass
class Talk:
    """Asks for replies and shows them.

    Attributes:
        advising: Advice on γ, and Auto.
        as_json: One JSON object for each reply instead of its text.
        quiet: No line of figures after a reply.
    """

    screen: Screen
    session: Session
    conversation: Conversation
    advising: Advising
    as_json: bool = False
    quiet: bool = False

    def say(self, text: str, lines: Lines | None = None) -> None:
        """Send a message and show the reply. Raises RequestFailed; what came until then is kept."""
        self.conversation.messages.append(Message("user", text))
        self.conversation.variant = 0
        try:
            self._reply(lines)
        except RequestFailed as error:
            if error.code == PromptTooLong.code:
                self.conversation.messages.pop()  # a shorter one can take its place
            raise

    def again(self, lines: Lines | None = None) -> bool:
        """Write the last reply anew; False where there is none.

        It stays until another one begins. Raises RequestFailed.
        """
        conversation = self.conversation
        messages, variant = conversation.messages, conversation.variant
        if not messages:
            return False
        if messages[-1].role != "assistant":
            self._reply(lines)
            return True
        last = messages.pop()
        conversation.variant += 1
        before = len(messages)
        try:
            self._reply(lines)
        finally:
            if len(messages) == before:
                messages.append(last)
                conversation.variant = variant
        return True

    def _reply(self, lines: Lines | None) -> None:
        reply = _Reply(self.screen, shown=not self.as_json)
        try:
            self._follow(reply, lines)
        except Interrupted:
            self.screen.note("Stopped before it began.")
        except RequestFailed as error:
            if error.code != Stopped.code:
                raise
            self.screen.note("Stopped before it began.")
        finally:
            if reply.text:
                message = Message("assistant", reply.text, tuple(reply.tokens))
                self.conversation.messages.append(message)
            reply.close()
        if reply.done:
            self.conversation.done.append(reply.done)
            self._after(reply.done)
            self._advise(reply.done)

    def _advise(self, done: Done) -> None:
        gamma = 0 if self.conversation.is_plain else self.gamma
        advice = self.advising.learn(done, gamma)
        if advice and not (self.as_json or self.quiet):
            self.screen.note(advice)

    @property
    def gamma(self) -> int:
        """γ of the next reply that is drafted, whoever chose it."""
        usual = self.session.ready.gamma
        choices = (self.advising.gamma, self.conversation.gamma, self.advising.usual, usual)
        return next(gamma for gamma in choices if gamma is not None)

    def _follow(self, reply: _Reply, lines: Lines | None) -> None:
        request = self.conversation.request(self.advising.gamma)
        with (
            self.session.ask(request) as asked,
            lines.watching(asked.stop) if lines else nullcontext(),
        ):
            for event in asked:
                reply.take(event, asked)

    def _after(self, done: Done) -> None:
        if self.as_json:
            row = {"text": done.text, "end": done.why, "seed": done.seed, "notes": done.notes}
            row |= {"tokens": done.tokens, "figures": done.figures.as_dict()}
            self.screen.line(json.dumps(plain(row)))
            return
        for note in done.notes:
            self.screen.note(note)
        if not self.quiet:
            self.screen.line(words.summary(done.figures, done.why), "dim")


class _Reply:
    """One reply as it comes."""

    def __init__(self, screen: Screen, *, shown: bool) -> None:
        screen.begin()
        self._screen = screen
        self._shown = shown
        self._reasoning = Reasoning()
        self._last = "\n"
        self.text = ""
        self.tokens: list[int] = []
        self.done: Done | None = None

    def take(self, event: Event, asked: Asked) -> None:
        """Show what ``event`` brings."""
        match event:
            case Prompt(done=done, total=total) if done < total:
                asked.ticker.show(f"Reading the prompt {100 * done // total} %")
            case Emitted():
                asked.ticker.clear()
                self._add("".join(piece.text for piece in event.pieces))
                self.tokens += [token.id for token in event.tokens]
            case Done():
                asked.ticker.clear()
                self._add(event.text[len(self.text) :])  # what was held back until the end
                self.tokens = list(event.tokens)
                self.done = event

    def close(self) -> None:
        """The reply is over, however it ended: leave the cursor at the start of a line."""
        self._show(self._reasoning.finish())
        if self._shown and self._last != "\n":
            self._screen.line()

    def _add(self, text: str) -> None:
        self.text += text
        self._show(self._reasoning.feed(text))

    def _show(self, parts: list[tuple[str, bool]]) -> None:
        for text, is_reasoning in parts:
            if self._shown and text:
                self._screen.stream(text, "dim" if is_reasoning else "")
                self._last = text[-1]
