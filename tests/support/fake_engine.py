"""A worker without llama.cpp: it speaks the real protocol and does as its options say.

``python -m tests.support.fake_engine [options]``, or `fake(...)` for the command. It "writes"
canned replies at a chosen pace, accepts drafted tokens by a fixed pattern, and can be slow, refuse,
fail, hang or die. The contract tests hold it to what the real worker does.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from engine import errors, protocol
from engine.accept import Source, Token
from engine.outbox import Outbox
from engine.pairing import Verdict
from engine.protocol import CHAT, PLAIN, SPECULATIVE
from engine.stats import End, Figures, PromptProgress, Round
from engine.text import Piece

REPLY = (
    "Here is a small function that adds two numbers.\n\n"
    "```python\ndef add(a: int, b: int) -> int:\n    return a + b\n```\n\n"
    "Call it as `add(1, 2)`."
)
PATTERN = (3, 1, 3, 0, 2)
"""How many drafted tokens pass, round by round."""

_DEVICE = protocol.Device("CPU", "A processor", "cpu", 6 * 2**30, 8 * 2**30)


def fake(*options: str) -> list[str]:
    """The command of a fake engine."""
    return [sys.executable, "-P", "-m", "tests.support.fake_engine", *options]


def parse(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--reply", action="append", help="the replies, in turn")
    parser.add_argument("--repeat", type=int, default=1, help="how often each reply's text comes")
    parser.add_argument("--pace", type=float, default=0.0, help="seconds a round")
    parser.add_argument("--load", type=float, default=0.0, help="seconds a load takes")
    parser.add_argument("--prompt", type=float, default=0.0, help="seconds to read a prompt")
    parser.add_argument("--die-after", type=int, default=-1, help="rounds until it aborts")
    parser.add_argument("--die-once", help="a file: die only while it is not there, and make it")
    parser.add_argument("--die-idle", type=float, default=0.0, help="seconds after a load")
    parser.add_argument("--last-words", default="", help="what it prints before it dies")
    parser.add_argument("--refuse", default="", help="why the draft cannot serve")
    parser.add_argument("--fail", default="", help="the class of engine.errors each reply meets")
    parser.add_argument("--fail-load", default="", help="the same for a load")
    parser.add_argument("--gamma", type=int, default=3)
    parser.add_argument("--tuned", action="store_true", help="a tuning is stored")
    parser.add_argument("--tune", type=float, default=0.0, help="seconds a tuning takes")
    parser.add_argument("--fail-tune", default="", help="the class of errors each tuning meets")
    parser.add_argument("--plain-pace", type=float, default=0.0, help="seconds a plain step")
    parser.add_argument("--part-at", type=int, default=-1, help="where the lanes' texts part")
    parser.add_argument("--deaf", action="store_true", help="no Pong and no Stop once it writes")
    parser.add_argument("--stubborn", action="store_true", help="a Stop is not obeyed")
    return parser.parse_args(argv)


class Fake:
    """One loaded "pair"."""

    def __init__(self, options: argparse.Namespace, outbox: Outbox) -> None:
        self.options = options
        self.stop = threading.Event()
        self.is_deaf = False
        self._outbox = outbox
        self._loaded: protocol.Load | None = None
        self._replies = 0
        self._fits = False
        self._is_tuned = options.tuned

    def answer(self, request: protocol.Request) -> protocol.Event:
        """Do what is asked; the event that ends it."""
        try:
            return self._answer(request)
        except errors.ForewordError as error:
            is_load = isinstance(request, protocol.Load)
            failed = protocol.Failed.of(error, request.id)
            return replace(failed, unloaded=is_load and self._loaded is None)

    def _answer(self, request: protocol.Request) -> protocol.Event:
        match request:
            case protocol.Load():
                return self._load(request)
            case protocol.Unload():
                self._loaded = None
                return protocol.Unloaded(id=request.id)
            case protocol.Survey():
                return protocol.Surveyed((_DEVICE,), ("AVX2", "REPACK"), id=request.id)
        if self._loaded is None:
            raise errors.NothingLoaded
        match request:
            case protocol.Chat():
                return self._chat(request)
            case protocol.Compare():
                return self._compare(request)
            case protocol.Count():
                tokens = sum(len(_words(message.content)) for message in request.messages)
                return protocol.Counted(tokens, self._loaded.n_ctx, id=request.id)
            case protocol.Measure():
                costs = {width: 0.03 + 0.002 * width for width in request.widths}
                return protocol.Measured(0.012, costs, id=request.id)
            case protocol.Tune():
                return self._tune(request)
        raise AssertionError(request)

    # Loading -------------------------------------------------------------------------------------

    def _load(self, load: protocol.Load) -> protocol.Ready:
        if not Path(load.target).exists():
            raise errors.FileMissing(path=load.target)
        self._loaded = None
        if self.options.fail_load:
            raise _error(self.options.fail_load)
        for step in range(11):
            self._tell(protocol.Loading(step / 10, f"Loading {Path(load.target).name}", id=load.id))
            if self.stop.wait(self.options.load / 11):
                raise errors.LoadCancelled
        self._loaded = load
        if self.options.die_idle:
            threading.Timer(self.options.die_idle, self._die).start()
        return self._ready(load)

    def _ready(self, load: protocol.Load) -> protocol.Ready:
        verdict = self._verdict(load)
        draft = _model(load.draft or "", "Draft 0.5B", 491_400_064, 24)
        self._fits = verdict.ok
        return protocol.Ready(
            target=_model(load.target, "Target 1.5B", 1_117_320_768, 28),
            draft=draft if verdict.ok else None,
            devices=("CPU (Fake Processor)",),
            n_ctx=load.n_ctx,
            threads=2,
            gamma=self._own_gamma if verdict.ok else 0,
            verdict=verdict,
            notes=(),
            costs=protocol.Costs(0.012, {1: 0.03, 4: 0.04, 8: 0.05}) if verdict.ok else None,
            memory=protocol.Memory(1_608_720_832, 168_000_000, 41_000_000),
            tuning=_record() if self._is_tuned and verdict.ok else None,
            id=load.id,
        )

    @property
    def _own_gamma(self) -> int:
        return _record().gamma if self._is_tuned else self.options.gamma

    def _verdict(self, load: protocol.Load) -> Verdict:
        if load.draft is None:
            return Verdict(ok=False, code="no-draft", reason="no draft is chosen")
        if not Path(load.draft).exists():
            error = errors.FileMissing(path=load.draft)
            return Verdict(ok=False, code=error.code, reason=error.sentence)
        refused = self.options.refuse
        return Verdict(ok=False, code="kind", reason=refused) if refused else Verdict(ok=True)

    def _tune(self, request: protocol.Tune) -> protocol.Tuned:
        if not self._fits:
            raise errors.PairRefused(reason=self.options.refuse or "no draft is chosen")
        if self.options.fail_tune:
            raise _error(self.options.fail_tune)
        for step in range(10):
            self._tell(protocol.Tuning(step / 10, "Timing both models", id=request.id))
            if self.stop.wait(self.options.tune / 10):
                raise errors.Stopped
        self._is_tuned = True
        return protocol.Tuned(_record(), id=request.id)

    # Writing -------------------------------------------------------------------------------------

    def _chat(self, chat: protocol.Chat) -> protocol.Done:
        if self.options.fail:
            raise _error(self.options.fail)
        *_, done = self._write(chat, CHAT, self._gamma(chat.options), self._text())
        assert isinstance(done, protocol.Done)
        return done

    def _compare(self, compare: protocol.Compare) -> protocol.Compared:
        text = self._text()
        parted = " ".join(text.split(" ")[: self.options.part_at] + ["otherwise", "now."])
        lanes = {
            SPECULATIVE: self._write(compare, SPECULATIVE, self._gamma(compare.options), text),
            PLAIN: self._write(compare, PLAIN, 0, text if self.options.part_at < 0 else parted),
        }
        done: dict[str, protocol.Done] = {}
        while lanes:
            for lane, steps in list(lanes.items()):
                step = next(steps)
                if step is not None:
                    done[lane] = step
                    del lanes[lane]
                    self._tell(step)
        return self._compared(done[SPECULATIVE], done[PLAIN], compare.id)

    def _compared(
        self, drafting: protocol.Done, plain: protocol.Done, request: int
    ) -> protocol.Compared:
        same = 0
        for ours, theirs in zip(drafting.tokens, plain.tokens, strict=False):
            if ours != theirs:
                break
            same += 1
        parting = None
        if same < min(len(drafting.tokens), len(plain.tokens)) and not self.stop.is_set():
            texts = ("one", "otherwise")
            ids = (drafting.tokens[same], plain.tokens[same])
            parting = protocol.Parting(same, ids, texts, (0.42, 0.41), 0.02, at_the_edge=False)
        slow, fast = plain.figures.tokens_per_second, drafting.figures.tokens_per_second
        return protocol.Compared(fast / slow if slow else 0.0, 1.9, 12.0, same, parting, id=request)

    def _write(
        self, request: protocol.Chat | protocol.Compare, lane: str, gamma: int, text: str
    ) -> Iterator[protocol.Done | None]:
        """The steps of one lane: None for each, at last its Done."""
        figures, known = Figures(), _known(request.messages)
        yield from self._read(request, lane, figures)
        words = _words(text)[: request.options.max_tokens]
        at, rounds = 0, 0
        while at < len(words) and not self._is_stopped():
            if rounds == self.options.die_after:
                self._die()
            taken = words[at : at + self._passed(gamma, rounds)]
            round_ = self._round(taken, gamma)
            figures.add(round_)
            pieces = [Piece(word, at + i) for i, word in enumerate(taken)]
            self._tell_round(round_, pieces, lane, figures, request.id)
            at, rounds = at + len(taken), rounds + 1
            self.is_deaf = self.options.deaf
            time.sleep(self.options.pace if gamma else self.options.plain_pace)
            yield None
        why = End.STOPPED if at < len(words) else End.END
        limit = request.options.max_tokens
        if why is End.END and limit is not None and at >= limit:
            why = End.LENGTH
        ids = tuple(map(_number, words[:at]))
        said = "".join(words[:at])
        yield protocol.Done(lane, why, said, (*known, *ids), figures, seed=7, id=request.id)

    def _read(
        self, request: protocol.Chat | protocol.Compare, lane: str, figures: Figures
    ) -> Iterator[None]:
        assert self._loaded is not None
        count = sum(len(_words(message.content)) for message in request.messages)
        if count >= self._loaded.n_ctx:
            raise errors.PromptTooLong(tokens=count, limit=self._loaded.n_ctx)
        figures.prompt_tokens = count
        for step in range(11):
            done = 2 * count * step // 10
            figures.read(PromptProgress(done, 2 * count, self.options.prompt / 11, 0.001))
            self._tell(protocol.Prompt(lane, done, 2 * count, id=request.id))
            if self.stop.wait(self.options.prompt / 11) and not self.options.stubborn:
                return
            yield None

    def _passed(self, gamma: int, rounds: int) -> int:
        return min(gamma, PATTERN[rounds % len(PATTERN)]) + 1

    def _round(self, words: Sequence[str], gamma: int) -> Round:
        """A round in which all but the last word were drafted."""
        tokens = [Token(_number(word), Source.ACCEPTED, 0.9, 0.8) for word in words]
        if gamma == 0:
            tokens[-1] = replace(tokens[-1], source=Source.PLAIN, q=None)
        elif len(words) == gamma + 1:
            tokens[-1] = replace(tokens[-1], source=Source.BONUS, q=None)
        elif len(words) > 0:
            tokens[-1] = replace(tokens[-1], source=Source.CORRECTED, p=0.2)
        draft = 0.012 * gamma
        return Round(tokens, gamma, 0.032 + draft, draft, 0.03)

    def _tell_round(
        self, round_: Round, pieces: list[Piece], lane: str, figures: Figures, request: int
    ) -> None:
        times = protocol.RoundTimes(
            emitted=len(round_.tokens),
            drafted=round_.drafted,
            seconds=round_.seconds,
            draft_seconds=round_.draft_seconds,
            verify_seconds=round_.verify_seconds,
        )
        now = replace(
            figures,
            tested_by_position=[*figures.tested_by_position],
            accepted_by_position=[*figures.accepted_by_position],
        )
        self._tell(protocol.Emitted(lane, pieces, [*round_.tokens], [times], now, id=request))

    def _gamma(self, options: protocol.Options) -> int:
        assert self._loaded is not None
        if not self._verdict(self._loaded).ok:
            return 0
        return self._own_gamma if options.gamma is None else options.gamma

    def _text(self) -> str:
        replies = self.options.reply or [REPLY]
        self._replies += 1
        return str(replies[(self._replies - 1) % len(replies)]) * self.options.repeat

    def _is_stopped(self) -> bool:
        return self.stop.is_set() and not self.options.stubborn

    def _tell(self, event: protocol.Event) -> None:
        self._outbox.put(event)

    def _die(self) -> None:
        once = self.options.die_once
        if once and Path(once).exists():
            return
        if once:
            Path(once).touch()
        time.sleep(0.05)  # what was told before must get out
        sys.stderr.write(self.options.last_words + "\n")
        sys.stderr.flush()
        os.abort()


class Listener:
    """The worker's main thread: pings, stops, and one request at a time for the engine's."""

    def __init__(self, fake: Fake, outbox: Outbox) -> None:
        self._fake = fake
        self._outbox = outbox
        self._current: protocol.Request | None = None
        self._thread: threading.Thread | None = None

    def hear(self, request: protocol.Request | errors.BadMessage) -> None:
        if self._fake.is_deaf:
            return
        match request:
            case errors.BadMessage():
                number = request.fields["id"]
                assert isinstance(number, int)
                self._outbox.put(protocol.Failed.of(request, number))
            case protocol.Ping():
                self._outbox.put(protocol.Pong(id=request.id))
            case protocol.Stop():
                if self._current is not None and self._current.id == request.id:
                    self._fake.stop.set()
            case _:
                self._begin(request)

    def _begin(self, request: protocol.Request) -> None:
        if isinstance(request, protocol.Unload) or self._fake.stop.is_set():
            self._fake.stop.set()
            self._join()
        if self._current is not None:
            self._outbox.put(protocol.Failed.of(errors.Busy(), request.id))
            return
        self._fake.stop.clear()
        self._current = request
        self._thread = threading.Thread(target=self._work, args=(request,), daemon=True)
        self._thread.start()

    def _work(self, request: protocol.Request) -> None:
        event = self._fake.answer(request)
        self._current = None
        self._outbox.put(event)

    def close(self) -> None:
        self._fake.stop.set()
        self._join()

    def _join(self) -> None:
        if self._thread is not None:
            self._thread.join(0.5)


def _record() -> protocol.Record:
    """A tuning; to compute it takes as long as all the rest of a start, and few tests want one."""
    from tests.support.tuned import RECORD

    return RECORD


def _error(name: str) -> errors.ForewordError:
    """An error of the catalogue, with something in every field."""
    kind = getattr(errors, name)
    names = re.findall(r"{(\w+)", kind.template)
    numbers = {"tokens", "limit", "n_ctx", "status", "have", "need"}
    return kind("the details", **{n: 5000 if n in numbers else f"some {n}" for n in names})


def _model(path: str, name: str, size: int, layers: int) -> protocol.ModelInfo:
    return protocol.ModelInfo(name, f"fake {name} Q4_K", path, size, size * 2, layers)


def _words(text: str) -> list[str]:
    """One token a word, spaces before it included: joined they are the text."""
    return re.findall(r"\s*\S+|\s+$", text)


def _number(word: str) -> int:
    return sum(byte * (i + 1) for i, byte in enumerate(word.encode())) % 30_000


def _known(messages: Sequence[protocol.Message]) -> tuple[int, ...]:
    """The ids of a reply that is gone on with."""
    last = messages[-1] if messages else None
    if last is None or last.role != "assistant":
        return ()
    return last.tokens or tuple(map(_number, _words(last.content)))


def main() -> None:
    outbox = Outbox(os.fdopen(os.dup(1), "wb"), lost=lambda: os._exit(0))
    outbox.put(protocol.Hello(protocol.VERSION, os.getpid()))
    listener = Listener(Fake(parse(sys.argv[1:]), outbox), outbox)
    with open(0, "rb", closefd=False) as requests:
        for request in protocol.messages(requests, protocol.Request):
            if isinstance(request, protocol.Quit):
                break
            listener.hear(request)
    listener.close()
    outbox.close(0.3)
    os._exit(0)


if __name__ == "__main__":
    main()
