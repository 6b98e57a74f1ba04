"""The loop on the real llama.cpp: its text is plain decoding's, and it can be left at any point."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import llama_cpp
import numpy as np
import pytest

from engine.accept import Coupled, Greedy, Ratio, Rule, Source
from engine.decoding import Lane, Request
from engine.errors import BrokenLogits, DecodeFailed, ForewordError, PromptTooLong, Stopped
from engine.llama.context import CHUNK, MAX_GAMMA, Context, ContextOptions, StopFlag
from engine.noise import Noise
from engine.sampling import Distribution, Sampling, filtered
from engine.stats import End, Round
from tests.engine.conftest import EXACT, NewContext, TinyModel
from tests.engine.llama.test_context import StopsAt
from tests.support.enumeration import Note, Uniform, exact_law
from tests.support.tiny_models import ENDS, IM_END

PROMPT: list[int] = np.random.default_rng(8).integers(6, 460, 20).tolist()
LONG: list[int] = np.random.default_rng(9).integers(6, 460, 2 * CHUNK + 9).tolist()

GREEDY = Sampling(temperature=0)
PENALISED = Sampling(
    temperature=0, repetition_penalty=1.3, presence_penalty=0.5, frequency_penalty=0.2
)
OFF = Sampling(temperature=1.0, top_k=0, top_p=1.0, min_p=0.0)

DRAFTS: dict[str, dict[str, Any]] = {
    "perfect": {},
    "noisy": {"noise": 0.04},
    "unrelated": {"seed": 2, "layers": 1},
    "always at the end": {"always": IM_END},
}

NewLane = Callable[..., Lane]


@pytest.fixture
def new_lane(new_context: NewContext, tiny_model: TinyModel) -> NewLane:
    """A lane of tiny models; ``draft`` None decodes plainly."""

    def lane(
        draft: Mapping[str, Any] | None = None,
        target: Mapping[str, Any] | None = None,
        *,
        options: ContextOptions = EXACT,
        stop: StopFlag | None = None,
    ) -> Lane:
        writes = new_context(tiny_model(**(target or {})), options, stop)
        if draft is None:
            return Lane(writes)
        return Lane(writes, new_context(tiny_model(**draft), replace(options, outputs=1), stop))

    return lane


def request(**changes: Any) -> Request:
    """Greedy, γ = 4, and no end of generation unless a test names some."""
    base = Request(gamma=4, sampling=GREEDY, rule=Greedy(), limit=512, max_tokens=50)
    return replace(base, **changes)


def coupled(sampling: Sampling, seed: int = 7, **changes: Any) -> Request:
    return request(sampling=sampling, rule=Coupled(Noise(seed)), **changes)


def read(lane: Lane, tokens: list[int], wanted: Request) -> None:
    for _progress in lane.read(tokens, wanted):
        pass


def write(lane: Lane, prompt: Sequence[int], wanted: Request) -> tuple[list[int], list[Round]]:
    """A whole reply and its rounds; both memories are looked at after each."""
    tokens = list(prompt)
    read(lane, tokens, wanted)
    rounds = []
    for each in lane.write(tokens, wanted):
        rounds.append(each)
        check_memories(lane, tokens)
        check_round(lane, tokens, each)
    return tokens[len(prompt) :], rounds


def check_memories(lane: Lane, tokens: Sequence[int]) -> None:
    """The target holds all but the pending token, the draft a beginning of that."""
    held = list(tokens[:-1])
    assert lane.target.tokens == held
    assert lane.target.position == len(held)
    if lane.draft is not None:
        known = lane.draft.model.vocabulary.size
        readable = [token if token < known else 0 for token in held]
        assert lane.draft.tokens == readable[: len(lane.draft.tokens)]
        assert lane.draft.position == len(lane.draft.tokens)


def check_round(lane: Lane, tokens: Sequence[int], round_: Round) -> None:
    emitted = [token.id for token in round_.tokens]
    assert 1 <= len(emitted) <= round_.drafted + 1
    assert list(tokens[-len(emitted) :]) == emitted
    assert round_.accepted <= round_.drafted
    sources = [token.source for token in round_.tokens]
    assert all(source is Source.ACCEPTED for source in sources[:-1])
    if lane.draft is not None and round_.drafted:
        behind = len(tokens) - 1 - len(lane.draft.tokens)
        assert behind == (1 if sources[-1] is Source.BONUS else 0)


def next_row(lane: Lane, tokens: Sequence[int]) -> np.ndarray:
    """The row after ``tokens``, whose last is pending."""
    lane.target.decode(list(tokens[-1:]), outputs=1)
    return lane.target.row(0).copy()


def check_as_fresh(lane: Lane, fresh: Lane, wanted: Request) -> None:
    """The next replies of a lane, to the old prompt and to another, are those of a fresh lane."""
    for prompt in ([*PROMPT, 50, 51], LONG):
        assert write(lane, prompt, wanted)[0] == write(fresh, prompt, wanted)[0]
        after = [*prompt, 60]
        for each in (lane, fresh):
            read(each, after, wanted)
        assert np.array_equal(next_row(lane, after), next_row(fresh, after))


# The text is plain decoding's --------------------------------------------------------------------


@pytest.mark.parametrize("draft", DRAFTS)
@pytest.mark.parametrize("gamma", range(MAX_GAMMA + 1))
def test_greedy_text_is_that_of_plain_decoding(new_lane: NewLane, gamma: int, draft: str) -> None:
    plain, _rounds = write(new_lane(), PROMPT, request())
    text, rounds = write(new_lane(DRAFTS[draft]), PROMPT, request(gamma=gamma))
    assert text == plain
    assert len(set(plain)) > 20  # the tiny model does have something to say
    if draft == "noisy" and gamma:
        tested = sum(each.accepted + each.rejected for each in rounds)
        assert 0.3 < sum(each.accepted for each in rounds) / tested < 0.9


SAMPLINGS = {
    "the defaults": Sampling(),
    "hot": Sampling(temperature=1.5, top_k=0, top_p=0.98, min_p=0.0),
    "every filter off": OFF,
    "min-p alone": Sampling(temperature=1.0, top_k=0, top_p=1.0, min_p=0.1),
    "penalties": replace(PENALISED, temperature=0.9),
    "penalties, every filter off": replace(OFF, repetition_penalty=1.2, presence_penalty=0.4),
}


@pytest.mark.parametrize("sampling", SAMPLINGS)
@pytest.mark.parametrize("gamma", [1, 3, 5, 16])
def test_coupled_text_is_that_of_plain_decoding(
    new_lane: NewLane, gamma: int, sampling: str
) -> None:
    wanted = coupled(SAMPLINGS[sampling])
    plain, _rounds = write(new_lane(), PROMPT, wanted)
    for draft in ("noisy", "unrelated"):
        text, rounds = write(new_lane(DRAFTS[draft]), PROMPT, replace(wanted, gamma=gamma))
        assert text == plain
    assert any(each.accepted for each in rounds) or draft == "unrelated"


@pytest.mark.parametrize("storage", ["Q8_0", "Q4_0"])
@pytest.mark.parametrize("gamma", [3, 16])
def test_greedy_text_with_penalties_is_that_of_plain_decoding(
    new_lane: NewLane, gamma: int, storage: str
) -> None:
    wanted, target = request(sampling=PENALISED, max_tokens=150), {"storage": storage}
    plain, _rounds = write(new_lane(target=target), PROMPT, wanted)
    text, rounds = write(new_lane({"noise": 0.02}, target), PROMPT, replace(wanted, gamma=gamma))
    assert text == plain
    assert sum(each.accepted for each in rounds)


def test_another_seed_writes_another_text(new_lane: NewLane) -> None:
    lane = new_lane(DRAFTS["noisy"])
    texts = [write(lane, PROMPT, coupled(OFF, seed))[0] for seed in (1, 2, 1)]
    assert texts[0] == texts[2] != texts[1]


def test_going_on_writes_what_would_have_been_written_at_once(new_lane: NewLane) -> None:
    wanted, lane = coupled(Sampling()), new_lane(DRAFTS["noisy"])
    whole, _rounds = write(lane, PROMPT, wanted)
    for cut in (1, 7, 30):
        begun = [*PROMPT, *whole[:cut]]
        rest, _rounds = write(lane, begun, replace(wanted, index=cut, max_tokens=50 - cut))
        assert whole == [*whole[:cut], *rest]


@pytest.mark.parametrize("begun", [0, 7])
@pytest.mark.parametrize("prompt", [PROMPT, LONG])
def test_draws_are_counted_from_the_beginning_of_the_reply_whatever_the_prompt(
    new_lane: NewLane, prompt: list[int], begun: int
) -> None:
    asked: list[int] = []

    class Counted(Greedy):
        def draw(self, law: Distribution, index: int) -> int:
            asked.append(index)
            return super().draw(law, index)

    lane, wanted = new_lane(DRAFTS["perfect"]), request(rule=Counted(), gamma=3, max_tokens=8)
    write(lane, prompt, replace(wanted, index=begun))
    assert asked == [begun + i for i in range(8)]


@pytest.mark.parametrize(
    "rule", [Greedy(), Coupled(Noise(3)), Ratio(np.random.default_rng(3).random)]
)
@pytest.mark.parametrize("penalised", [False, True])
def test_a_perfect_draft_is_accepted_whole(new_lane: NewLane, rule: Rule, penalised: bool) -> None:
    sampling = PENALISED if penalised else GREEDY
    if not isinstance(rule, Greedy):
        sampling = replace(sampling, temperature=0.9, top_k=0, top_p=1.0, min_p=0.0)
    wanted = request(rule=rule, sampling=sampling, gamma=3)
    _text, rounds = write(new_lane(DRAFTS["perfect"]), PROMPT, wanted)
    assert [len(each.tokens) for each in rounds] == [4] * 12 + [2]
    assert {each.tokens[-1].source for each in rounds} == {Source.BONUS}
    assert {each.drafted for each in rounds[:-1]} == {3}
    # With penalties too: on both sides they see the drafted tokens before.
    tested = [token for each in rounds for token in each.tokens if token.q is not None]
    assert [token.q for token in tested] == pytest.approx([token.p for token in tested], rel=1e-6)


def test_a_temperature_of_zero_accepts_too(new_lane: NewLane) -> None:
    _text, rounds = write(new_lane(DRAFTS["noisy"]), PROMPT, request())
    assert sum(each.accepted for each in rounds) > 10


def test_plain_rounds_emit_plain_tokens(new_lane: NewLane) -> None:
    for lane, gamma in ((new_lane(), 4), (new_lane(DRAFTS["noisy"]), 0)):
        _text, rounds = write(lane, PROMPT, request(gamma=gamma))
        assert {token.source for each in rounds for token in each.tokens} == {Source.PLAIN}
        assert {each.drafted for each in rounds} == {0}
        assert {each.draft_seconds for each in rounds} == {0.0}


def test_what_decided_about_a_token_goes_with_it(new_lane: NewLane) -> None:
    wanted = coupled(Sampling())
    text, rounds = write(new_lane(DRAFTS["noisy"]), PROMPT, wanted)
    plain, before = new_lane(), list(PROMPT)
    for token in itertools.chain.from_iterable(each.tokens for each in rounds):
        read(plain, before, wanted)
        law = filtered(next_row(plain, before), wanted.sampling, before)
        if token.source is not Source.CORRECTED:  # its p is the rejected token's
            assert token.p == pytest.approx(law[token.id])
        assert (token.q is None) == (token.source is Source.BONUS)
        before.append(token.id)
    assert before == [*PROMPT, *text]


@pytest.mark.parametrize(
    ("sampling", "bans"),
    [
        (replace(OFF, top_k=2), 0),
        (replace(OFF, top_k=3, presence_penalty=2), 0),
        (replace(OFF, top_k=2), 1),
    ],
)
def test_ratio_writes_with_the_targets_law(
    new_lane: NewLane, sampling: Sampling, bans: int
) -> None:
    """Two tokens of the real loop, every outcome of its random numbers weighed.

    ``bans``: how many of the likeliest first tokens may not be written."""
    lane, plain = new_lane(DRAFTS["noisy"]), new_lane()
    read(plain, PROMPT, request())
    banned = tuple(np.argsort(-next_row(plain, PROMPT))[:bans].tolist())

    def program(uniform: Uniform, note: Note) -> Hashable:
        tokens, wanted = (
            list(PROMPT),
            request(
                rule=Noted(uniform, note),
                sampling=sampling,
                suppressed=banned,
                gamma=1,
                max_tokens=2,
            ),
        )
        read(lane, tokens, wanted)
        for _round in lane.write(tokens, wanted):
            note(("round", *tokens[len(PROMPT) :]))
        return tuple(tokens[len(PROMPT) :])

    def law_after(tokens: list[int]) -> Distribution:
        read(plain, tokens, request())
        return filtered(next_row(plain, tokens), sampling, tokens, suppressed=banned)

    expected = {}
    first = law_after(PROMPT)
    for a, b in itertools.product(range(3), repeat=2):
        if a < len(first.weights):
            x = first.token(a)
            second = law_after([*PROMPT, x])
            if b < len(second.weights):
                y = second.token(b)
                expected[x, y] = first[x] * second[y]
    law = exact_law(program, resolution=1e-9)
    assert law == {said: pytest.approx(p, abs=1e-7) for said, p in expected.items()}


class Noted(Ratio):
    """Ratio that writes down what it draws and judges, so that its futures can be told apart."""

    def __init__(self, uniform: Uniform, note: Note) -> None:
        super().__init__(uniform)
        self._note = note

    def draw(self, law: Distribution, index: int) -> int:
        self._note(("draws", index))
        x = super().draw(law, index)
        self._note(("drawn", x))
        return x


# Where a reply ends ------------------------------------------------------------------------------


@pytest.mark.parametrize("draft", DRAFTS)
@pytest.mark.parametrize("gamma", [0, 3, 16])
@pytest.mark.parametrize("max_tokens", [0, 1, 2, 5, 17, 18])
def test_a_reply_is_never_longer_than_asked(
    new_lane: NewLane, draft: str, gamma: int, max_tokens: int
) -> None:
    wanted = request(gamma=gamma, max_tokens=max_tokens)
    text, rounds = write(new_lane(DRAFTS[draft]), PROMPT, wanted)
    assert len(text) == max_tokens
    assert [each.end for each in rounds[-1:]] == [End.LENGTH][:max_tokens]


@pytest.mark.parametrize("gamma", [0, 5, 16])
def test_a_reply_ends_where_the_users_context_does(new_lane: NewLane, gamma: int) -> None:
    # llama.cpp makes 256 of the 200; nothing of that is ours.
    options = ContextOptions(n_ctx=200).exact()
    lane = new_lane(DRAFTS["noisy"], options=options)
    text, rounds = write(lane, PROMPT, request(gamma=gamma, limit=200, max_tokens=1024))
    assert len(PROMPT) + len(text) == 200
    assert rounds[-1].end is End.LENGTH
    assert all(each.end is None for each in rounds[:-1])


@pytest.mark.parametrize("draft", DRAFTS)
@pytest.mark.parametrize("gamma", [0, 1, 4, 16])
def test_a_reply_ends_at_the_first_end_of_generation(
    new_lane: NewLane, draft: str, gamma: int
) -> None:
    endless, _rounds = write(new_lane(), PROMPT, request())
    end = endless[23]
    wanted = request(gamma=gamma, ends=frozenset({end}))
    text, rounds = write(new_lane(DRAFTS[draft]), PROMPT, wanted)
    assert text == endless[: endless.index(end) + 1]
    assert rounds[-1].end is End.END


def test_a_draft_that_wants_to_end_at_once_does_not_end_the_reply(new_lane: NewLane) -> None:
    wanted = request(ends=frozenset({IM_END}), max_tokens=40)
    plain, _rounds = write(new_lane(), PROMPT, wanted)
    text, rounds = write(new_lane(DRAFTS["always at the end"]), PROMPT, wanted)
    assert text == plain
    assert sum(each.accepted for each in rounds) <= 1


def test_every_end_of_generation_counts_not_eos_alone(new_lane: NewLane) -> None:
    for end in ENDS:
        lane = new_lane(DRAFTS["noisy"], target={"always": end})
        text, rounds = write(lane, PROMPT, request(ends=ENDS))
        assert text == [end]
        assert rounds[-1].end is End.END


@pytest.mark.parametrize("stop_at", range(1, 12))
def test_a_reply_ends_at_a_stop_string_anywhere_in_a_round(new_lane: NewLane, stop_at: int) -> None:
    endless, _rounds = write(new_lane(), PROMPT, request())
    seen: list[int] = []

    def watch(token: int) -> bool:
        seen.append(token)
        return len(seen) == stop_at

    lane = new_lane(DRAFTS["perfect"])
    text, rounds = write(lane, PROMPT, request(watch=watch))
    assert text == seen == endless[:stop_at]
    assert rounds[-1].end is End.STOP
    assert sum(len(each.tokens) for each in rounds) == stop_at


def test_an_end_of_generation_is_no_text_to_watch(new_lane: NewLane) -> None:
    seen: list[int] = []
    lane = new_lane(DRAFTS["noisy"], target={"always": IM_END})
    write(lane, PROMPT, request(ends=ENDS, watch=lambda token: bool(seen.append(token))))
    assert seen == []


@pytest.mark.parametrize("length", [512, 513, 600])
def test_a_prompt_that_fills_the_context_is_refused_before_anything_is_computed(
    new_lane: NewLane, length: int
) -> None:
    lane = new_lane(DRAFTS["noisy"])
    with pytest.raises(PromptTooLong) as caught:
        read(lane, [7] * length, request())
    assert caught.value.fields == {"tokens": length, "limit": 512}
    assert lane.target.position == 0
    text, _rounds = write(lane, [7] * 511, request())
    assert len(text) == 1


def test_a_prompt_of_one_token_is_enough(new_lane: NewLane) -> None:
    plain, _rounds = write(new_lane(), [7], request())
    assert write(new_lane(DRAFTS["noisy"]), [7], request())[0] == plain


# Leaving it at any point -------------------------------------------------------------------------


@pytest.mark.parametrize("rounds", range(6))
def test_a_closed_reply_leaves_a_lane_as_good_as_fresh(new_lane: NewLane, rounds: int) -> None:
    lane, tokens, wanted = new_lane(DRAFTS["noisy"]), list(PROMPT), coupled(Sampling())
    read(lane, tokens, wanted)
    writing = lane.write(tokens, wanted)
    for _round in itertools.islice(writing, rounds):
        pass
    writing.close()
    check_memories(lane, tokens)
    check_as_fresh(lane, new_lane(DRAFTS["noisy"]), wanted)


@pytest.mark.parametrize("steps", range(8))
def test_a_reading_left_half_way_leaves_a_lane_as_good_as_fresh(
    new_lane: NewLane, steps: int
) -> None:
    lane, wanted = new_lane(DRAFTS["noisy"]), coupled(Sampling())
    reading = lane.read(LONG, wanted)
    for _progress in itertools.islice(reading, steps):
        pass
    reading.close()
    check_as_fresh(lane, new_lane(DRAFTS["noisy"]), wanted)


class Fault:
    """``llama_decode``, failing at its n-th call: without doing anything, or having done it."""

    def __init__(self, call: int, status: int, *, done: bool) -> None:
        self._left, self._status, self._done = call, status, done
        self._real = llama_cpp.llama_decode

    def __call__(self, handle: int, batch: llama_cpp.llama_batch) -> int:
        self._left -= 1
        if self._left != -1:
            return int(self._real(handle, batch))
        if self._done:
            self._real(handle, batch)
        return self._status


@pytest.mark.parametrize(
    ("status", "done"), [(1, False), (2, False), (2, True), (-1, False), (-3, True)]
)
def test_a_pass_that_fails_leaves_a_lane_as_good_as_fresh(
    new_lane: NewLane, monkeypatch: pytest.MonkeyPatch, status: int, done: bool
) -> None:
    # Reading takes six passes, then come rounds of four drafts (the first with two) and a check.
    wanted, fresh = coupled(Sampling(), max_tokens=20), new_lane(DRAFTS["noisy"])
    lane = new_lane(DRAFTS["noisy"])
    for call in range(18):
        tokens = list(LONG)
        with monkeypatch.context() as patch:
            patch.setattr(llama_cpp, "llama_decode", Fault(call, status, done=done))
            with pytest.raises(Stopped if status == 2 else DecodeFailed):
                go_through(lane, tokens, wanted)
        for context in (lane.target, lane.draft):
            assert context is not None
            assert context.position == len(context.tokens)
            assert context.tokens == tokens[: len(context.tokens)]
        if call % 4 == 0:
            check_as_fresh(lane, fresh, wanted)
        lane.target.rewind(call)  # so that the next reading is long again
        lane.draft.rewind(call)


def go_through(lane: Lane, tokens: list[int], wanted: Request) -> None:
    read(lane, tokens, wanted)
    for _round in lane.write(tokens, wanted):
        check_memories(lane, tokens)


def test_an_error_in_the_middle_of_accepting_keeps_what_was_said(new_lane: NewLane) -> None:
    class Fails(Exception):
        pass

    seen: list[int] = []

    def watch(token: int) -> bool:
        seen.append(token)
        if len(seen) == 7:
            raise Fails
        return False

    lane, tokens = new_lane(DRAFTS["perfect"]), list(PROMPT)
    with pytest.raises(Fails):
        go_through(lane, tokens, request(watch=watch))
    assert tokens == [*PROMPT, *seen]
    check_memories(lane, tokens)
    check_as_fresh(lane, new_lane(DRAFTS["perfect"]), request())


def test_a_flag_that_is_up_lets_nothing_begin(new_lane: NewLane) -> None:
    flag = StopFlag()
    lane, tokens = new_lane(DRAFTS["noisy"], stop=flag), list(PROMPT)
    flag.set()
    with pytest.raises(Stopped):
        go_through(lane, tokens, request())
    assert lane.target.position == 0
    flag.clear()
    check_as_fresh(lane, new_lane(DRAFTS["noisy"]), request())


@pytest.mark.parametrize("node", [*range(0, 400, 57), 900, 1500])
def test_a_flag_raised_in_the_middle_of_anything_stops_it(new_lane: NewLane, node: int) -> None:
    flag = StopsAt(node)
    lane, tokens = new_lane(DRAFTS["noisy"], stop=flag), list(PROMPT)
    with pytest.raises(Stopped):
        go_through(lane, tokens, request())
    for context in (lane.target, lane.draft):
        assert context is not None
        assert context.position == len(context.tokens)
        assert context.tokens == tokens[: len(context.tokens)]
    flag.left = 10**9
    check_as_fresh(lane, new_lane(DRAFTS["noisy"]), request())


def test_a_memory_that_will_not_rewind_is_emptied_and_says_so(
    new_lane: NewLane, monkeypatch: pytest.MonkeyPatch
) -> None:
    lane, tokens = new_lane(DRAFTS["unrelated"]), list(PROMPT)
    read(lane, tokens, request())
    with monkeypatch.context() as patch:
        patch.setattr(llama_cpp, "llama_memory_seq_rm", lambda *_args: False)
        with pytest.raises(ForewordError, match="cannot be rewound"):
            next(lane.write(tokens, request()))
    assert lane.target.position == len(lane.target.tokens) == 0
    check_as_fresh(lane, new_lane(DRAFTS["unrelated"]), request())


@pytest.mark.parametrize("gamma", [0, 4])
def test_a_memory_that_cannot_go_back_after_an_error_does_not_hide_the_error(
    new_lane: NewLane, monkeypatch: pytest.MonkeyPatch, gamma: int
) -> None:
    target, options = {"architecture": "lfm2", "layers": 4}, replace(EXACT, rewindable=17)
    draft, wanted = {"sharpness": 1.0}, request(gamma=gamma)
    lane, tokens = new_lane(draft, target, options=options), list(PROMPT)
    read(lane, tokens, wanted)
    real = Context.row

    def row(self: Context, i: int) -> np.ndarray:
        return np.full_like(real(self, i), np.nan) if self is lane.target else real(self, i)

    with monkeypatch.context() as patch:
        patch.setattr(Context, "row", row)
        with pytest.raises(BrokenLogits):  # the whole pass is to be taken back
            next(lane.write(tokens, wanted))
    assert lane.target.position == len(lane.target.tokens) == 0
    assert lane.draft is not None
    assert lane.draft.tokens == tokens[: len(lane.draft.tokens)]
    check_as_fresh(lane, new_lane(draft, target, options=options), wanted)


# Vocabularies of different sizes -----------------------------------------------------------------


class Watched(Greedy):
    """Greedy that keeps what it was asked to draw."""

    def __init__(self) -> None:
        self.drawn: list[int] = []

    def draw(self, law: Distribution, index: int) -> int:
        self.drawn.append(super().draw(law, index))
        return self.drawn[-1]


@pytest.mark.parametrize("filters", [GREEDY, OFF])
def test_a_draft_with_more_rows_never_proposes_what_the_target_lacks(
    new_lane: NewLane, filters: Sampling
) -> None:
    # The padded rows are the loudest: left alone, the draft would propose little else.
    draft, rule = {"noise": 0.04, "padding": 128}, Watched()
    wanted = request(rule=rule) if filters is GREEDY else coupled(filters)
    plain, _rounds = write(new_lane(), PROMPT, wanted)
    lane = new_lane(draft)
    text, rounds = write(lane, PROMPT, wanted)
    assert text == plain
    assert lane.draft is not None
    assert lane.draft.model.vocabulary.size == lane.target.model.vocabulary.size + 128
    assert all(token < lane.target.model.vocabulary.size for token in rule.drawn)
    assert sum(each.accepted for each in rounds)


@pytest.mark.parametrize("filters", [GREEDY, OFF])
def test_a_draft_with_fewer_rows_is_never_fed_what_it_lacks(
    new_lane: NewLane, filters: Sampling
) -> None:
    target = {"padding": 128, "suppressed": (500, 589)}
    wanted = replace(request() if filters is GREEDY else coupled(filters), suppressed=(500, 589))
    plain, _rounds = write(new_lane(target=target), PROMPT, wanted)
    lane = new_lane(DRAFTS["noisy"], target)
    text, _rounds = write(lane, PROMPT, wanted)
    assert text == plain
    assert lane.draft is not None
    assert max(text) >= lane.draft.model.vocabulary.size  # the case does come up
    assert not {500, 589} & set(text)
    again, _rounds = write(lane, [*PROMPT, *text[:20]], replace(wanted, index=20))
    assert again[:20] == text[20:40]


@pytest.mark.parametrize("gamma", [0, 4])
@pytest.mark.parametrize("filters", [GREEDY, OFF])
def test_what_is_banned_is_never_written(new_lane: NewLane, filters: Sampling, gamma: int) -> None:
    wanted = request() if filters is GREEDY else coupled(filters)
    lane = new_lane(DRAFTS["noisy"])
    free, _rounds = write(lane, PROMPT, replace(wanted, gamma=gamma))
    banned = tuple(set(free[:10]))
    wanted = replace(wanted, suppressed=banned)
    text, _rounds = write(lane, PROMPT, replace(wanted, gamma=gamma))
    assert not set(text) & set(banned)
    assert text == write(new_lane(), PROMPT, wanted)[0]


# What is evaluated -------------------------------------------------------------------------------


def test_a_prompt_is_read_in_short_passes_and_each_is_told(new_lane: NewLane) -> None:
    lane = new_lane(DRAFTS["noisy"])
    told = list(lane.read(LONG, request()))
    assert [(each.done, each.total) for each in told] == [
        (done, 2 * len(LONG) - 2)
        for done in (
            *(0, 64, 128, 136),  # the target, then the draft
            *(200, 264, 272),
        )
    ]
    assert [each.draft_seconds > 0 for each in told] == [False] * 4 + [True] * 3
    assert all(each.seconds >= each.draft_seconds for each in told)


def test_a_second_turn_evaluates_only_what_is_new(new_lane: NewLane) -> None:
    lane, wanted = new_lane(DRAFTS["noisy"]), request()
    text, _rounds = write(lane, LONG, wanted)
    new = [50, 51, 52]
    told = list(lane.read([*LONG, *text, *new], wanted))
    # Behind is at most what the last round left unread: the pending token, and a bonus.
    assert told[-1].total - told[0].done <= 2 * len(new) + 2
    assert told[-1].done == told[-1].total


def test_another_beginning_is_read_anew_in_both(new_lane: NewLane) -> None:
    lane, wanted = new_lane(DRAFTS["noisy"]), request()
    write(lane, LONG, wanted)
    changed = [*LONG[:100], 7, *LONG[101:]]
    assert next(iter(lane.read(changed, wanted))).done == 200
    assert write(lane, changed, wanted)[0] == write(new_lane(), changed, wanted)[0]


@pytest.mark.parametrize("gamma", [1, 4])
def test_a_draft_far_behind_catches_up(new_lane: NewLane, gamma: int) -> None:
    lane, tokens = new_lane(DRAFTS["noisy"]), list(LONG)
    read(lane, tokens, request(gamma=0))
    for _round in lane.write(tokens, request(gamma=0, max_tokens=10)):
        check_memories(lane, tokens)
    assert lane.draft is not None
    assert lane.draft.tokens == []
    rounds = list(lane.write(tokens, request(gamma=gamma, max_tokens=30)))
    check_memories(lane, tokens)
    assert tokens == [*LONG, *write(new_lane(), LONG, request(max_tokens=40))[0]]
    assert sum(each.accepted for each in rounds)


@pytest.mark.parametrize("behind", [CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK])
def test_a_draft_that_is_whole_passes_behind_catches_up(new_lane: NewLane, behind: int) -> None:
    lane, tokens = new_lane(DRAFTS["noisy"]), LONG[:behind]
    read(lane, tokens, request(gamma=0))
    assert list(lane.write(tokens, request(max_tokens=8)))
    check_memories(lane, tokens)
    plain, _rounds = write(new_lane(), LONG[:behind], request(max_tokens=8))
    assert tokens == [*LONG[:behind], *plain]


def test_a_draft_that_holds_another_conversation_catches_up_too(new_lane: NewLane) -> None:
    lane, tokens = new_lane(DRAFTS["noisy"]), list(PROMPT)
    write(lane, LONG, request())
    read(lane, tokens, request(gamma=0))
    list(lane.write(tokens, request(gamma=0, max_tokens=5)))
    check_memories(lane, tokens)
    rounds = list(lane.write(tokens, request(max_tokens=30)))
    check_memories(lane, tokens)
    assert sum(each.accepted for each in rounds) >= 10


def test_gamma_moves_between_rounds(new_lane: NewLane) -> None:
    lane, tokens = new_lane(DRAFTS["noisy"]), list(PROMPT)
    read(lane, tokens, request())
    for gamma in (4, 0, 16, 1, 0, 0, 7, 3):
        list(lane.write(tokens, request(gamma=gamma, max_tokens=7)))
        check_memories(lane, tokens)
    assert tokens == [*PROMPT, *write(new_lane(), PROMPT, request(max_tokens=56))[0]]


def test_one_pass_is_never_wider_than_its_limits(
    new_lane: NewLane, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[int, int]] = []
    real = Context.decode

    def decode(self: Context, tokens: Sequence[int], *, outputs: int) -> None:
        seen.append((len(tokens), outputs))
        real(self, tokens, outputs=outputs)

    monkeypatch.setattr(Context, "decode", decode)
    write(new_lane(DRAFTS["noisy"]), LONG, request(gamma=MAX_GAMMA))
    assert max(width for width, _outputs in seen) == CHUNK
    assert {outputs for width, outputs in seen if width > MAX_GAMMA + 1} == {0}
    assert max(outputs for _width, outputs in seen) == MAX_GAMMA + 1


def test_both_memories_make_their_widest_pass_before_anything_is_written(
    new_lane: NewLane, monkeypatch: pytest.MonkeyPatch
) -> None:
    lane, real = new_lane(DRAFTS["noisy"]), Context.decode
    seen: list[tuple[Context, int, int]] = []

    def decode(self: Context, tokens: Sequence[int], *, outputs: int) -> None:
        seen.append((self, len(tokens), outputs))
        real(self, tokens, outputs=outputs)

    monkeypatch.setattr(Context, "decode", decode)
    lane.warm_up()
    assert seen == [(lane.target, 17, 17), (lane.draft, 1, 1)]
    for context, _width, _outputs in seen:
        assert context.tokens == []
        assert context.position == 0


def test_a_sliding_window_pair_writes_what_its_target_writes_alone(new_lane: NewLane) -> None:
    target = {"architecture": "gemma3", "layers": 6, "window": 32}
    plain, _rounds = write(new_lane(target=target), LONG, request())
    text, rounds = write(new_lane({**target, "noise": 0.02}, target), LONG, request())
    assert text == plain
    assert sum(each.rejected for each in rounds)
    assert sum(each.accepted for each in rounds)


@pytest.mark.parametrize("gamma", [1, 4, 16])
def test_a_hybrid_target_writes_what_it_writes_alone(new_lane: NewLane, gamma: int) -> None:
    target = {"architecture": "lfm2", "layers": 4}
    options = replace(EXACT, rewindable=MAX_GAMMA + 1)
    plain, _rounds = write(new_lane(target=target, options=options), LONG, coupled(Sampling()))
    lane = new_lane({"sharpness": 1.0}, target, options=options)
    text, rounds = write(lane, LONG, coupled(Sampling(), gamma=gamma))
    assert text == plain
    assert sum(each.rejected for each in rounds)


def test_the_times_of_a_round_fit_into_it(new_lane: NewLane) -> None:
    _text, rounds = write(new_lane(DRAFTS["noisy"]), PROMPT, request())
    for each in rounds:
        assert (each.draft_seconds > 0) == (each.drafted > 0)
        assert each.verify_seconds > 0
        assert each.other_seconds > 0
