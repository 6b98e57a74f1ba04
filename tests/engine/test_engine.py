"""A loaded pair at work: replies, turns, comparisons, on tiny models."""

from __future__ import annotations

import codecs
import gc
import itertools
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import psutil
import pytest

from engine import costs
from engine.accept import Coupled, Greedy, Ratio, Source
from engine.chat import Message
from engine.engine import (
    PLAIN,
    SPECULATIVE,
    Comparison,
    Engine,
    Reply,
    ReplyOptions,
    Written,
    rule_for,
)
from engine.errors import PromptTooLong, Stopped
from engine.llama.context import StopFlag
from engine.loading import LoadOptions
from engine.sampling import Sampling
from engine.stats import End, PromptProgress
from tests.engine.conftest import TinyPath

EXACT = LoadOptions(n_ctx=512, threads=1, exact=True)
HELLO = [Message("system", "be kind"), Message("user", "hello the user")]
GREEDY = Sampling(temperature=0)
WARM = Sampling(temperature=0.9)

Load = Callable[..., Engine]


@pytest.fixture
def load(tiny_path: TinyPath) -> Iterator[Load]:
    """Loads a tiny target and, unless told otherwise, a draft that often agrees with it."""
    loaded: list[Engine] = []

    def engine(
        target: Path | None = None,
        draft: Path | None = None,
        options: LoadOptions = EXACT,
        *,
        plain: bool = False,
    ) -> Engine:
        draft = None if plain else draft or tiny_path(noise=0.04)
        loaded.append(Engine.load(target or tiny_path(), draft, options))
        return loaded[-1]

    yield engine
    for each in loaded:
        each.free()


@pytest.fixture
def engine(load: Load) -> Engine:
    return load()


def options(**changes: object) -> ReplyOptions:
    base = ReplyOptions(gamma=4, sampling=WARM, seed=11, max_tokens=40)
    return replace(base, **changes)


def reply(engine: Engine, messages: list[Message], wanted: ReplyOptions) -> Reply:
    *_steps, last = engine.reply(messages, wanted)
    assert isinstance(last, Reply)
    return last


def said(answer: Reply) -> Message:
    return Message("assistant", answer.text, tuple(answer.tokens))


def endless(engine: Engine) -> Engine:
    """The engine with no end of generation, so that replies have the length a test wants."""
    vocabulary = engine.pair.target.vocabulary
    vocabulary.__dict__["ends"] = frozenset()
    return engine


# Loading -----------------------------------------------------------------------------------------


def test_a_loaded_pair_has_a_first_guess_at_gamma(engine: Engine) -> None:
    assert engine.pair.verdict.ok
    assert engine.costs is not None
    assert engine.gamma in [width - 1 for width in costs.GUESS_WIDTHS]
    assert engine.lane.target.tokens == []


def test_without_a_draft_everything_is_plain(load: Load) -> None:
    engine = load(plain=True)
    assert (engine.gamma, engine.costs) == (0, None)
    answer = reply(engine, HELLO, options(gamma=4))
    assert answer.figures.drafted == 0
    assert answer.tokens


def test_a_refused_draft_leaves_a_chat_that_works(load: Load, tiny_path: TinyPath) -> None:
    engine = load(draft=tiny_path(tokenizer="llama"))
    assert not engine.pair.verdict.ok
    assert reply(engine, HELLO, options()).text == reply(load(), HELLO, options()).text


def test_a_recurrent_target_chats_plainly(load: Load, tiny_path: TinyPath) -> None:
    mamba = tiny_path(architecture="mamba")
    engine = load(mamba, mamba, LoadOptions(n_ctx=512, threads=1))
    assert engine.pair.verdict.code == "cannot-rewind"
    first = reply(engine, HELLO, options())
    turns = [*HELLO, said(first), Message("user", "and?")]
    second = reply(engine, turns, options())
    fresh = load(mamba, plain=True, options=LoadOptions(n_ctx=512, threads=1))
    assert reply(fresh, turns, options()).tokens == second.tokens


def test_a_hybrid_target_writes_again_what_it_wrote(load: Load, tiny_path: TinyPath) -> None:
    # A short reply is within what the memory says it can take back, over several passes.
    hybrid = tiny_path(architecture="lfm2", layers=4)
    for plain in (False, True):
        engine = load(hybrid, tiny_path(sharpness=1.0), plain=plain)
        texts = [reply(engine, HELLO, options(max_tokens=8)).tokens for _turn in range(3)]
        assert texts[0] == texts[1] == texts[2]


def test_the_given_flag_is_the_engines(tiny_path: TinyPath) -> None:
    flag = StopFlag()
    engine = Engine.load(tiny_path(), tiny_path(noise=0.04), EXACT, stop=flag)
    assert engine.stop is flag
    engine.free()


def test_memory_is_given_back_at_every_unload(tiny_path: TinyPath) -> None:
    target, draft = tiny_path(width=256, layers=3), tiny_path(width=256, layers=3, noise=0.04)
    process, sizes = psutil.Process(), []
    for _load in range(7):
        engine = Engine.load(target, draft, LoadOptions(n_ctx=2048, threads=1))
        reply(engine, HELLO, options(max_tokens=5))
        loaded = process.memory_info().rss
        engine.free()
        del engine
        gc.collect()
        sizes.append(process.memory_info().rss)
    # One load takes tens of megabytes; what the allocator keeps for the next does not add up.
    assert sizes[-1] - sizes[1] < 0.05 * sizes[1]
    assert loaded >= sizes[-1]


# One reply ---------------------------------------------------------------------------------------


def test_a_reply_is_prompt_progress_then_rounds_then_itself(engine: Engine) -> None:
    steps = list(engine.reply(HELLO, options()))
    kinds = [type(step) for step in steps]
    rank = {PromptProgress: 0, Written: 1, Reply: 2}
    assert [rank[kind] for kind in kinds] == sorted(rank[kind] for kind in kinds)
    assert kinds.count(Reply) == 1
    last, rounds = steps[-1], [step for step in steps if isinstance(step, Written)]
    assert isinstance(last, Reply)
    pieces = [piece for step in [*rounds, last] for piece in step.pieces]
    assert "".join(piece.text for piece in pieces) == last.text
    vocabulary = engine.pair.target.vocabulary
    raw = b"".join(vocabulary.piece(token) for token in last.tokens)
    assert last.text == raw.decode(errors="replace")
    assert last.figures.tokens == len(last.tokens)
    assert last.figures.prompt_tokens == len(engine.lane.target.tokens) + 1 - len(last.tokens)
    json.dumps(last.figures.as_dict())


def test_the_figures_of_a_reply_add_up(engine: Engine) -> None:
    figures = reply(endless(engine), HELLO, options(gamma=3)).figures
    assert figures.tokens == 40
    assert figures.gamma == 3
    assert 0 < figures.acceptance_rate <= figures.alpha < 1
    assert 1 < figures.tokens_per_round <= 4
    assert figures.drafted >= figures.accepted + figures.rejected
    assert figures.seconds > 0
    assert figures.first_token_seconds > figures.prompt_seconds > 0


def test_a_seed_writes_the_same_text_whatever_gamma_and_draft(
    load: Load, tiny_path: TinyPath
) -> None:
    engine, texts = load(), set()
    for gamma in (0, 1, 4, 16):
        texts.add(reply(engine, HELLO, options(gamma=gamma)).text)
    texts.add(reply(load(plain=True), HELLO, options()).text)
    texts.add(reply(load(draft=tiny_path(seed=5, layers=1)), HELLO, options()).text)
    assert len(texts) == 1


def test_regenerating_writes_another_text_and_the_same_again(engine: Engine) -> None:
    texts = [reply(engine, HELLO, options(variant=variant)).text for variant in (0, 1, 2, 1)]
    assert len(set(texts)) == 3
    assert texts[1] == texts[3]


def test_a_reply_without_a_seed_tells_the_one_it_drew(engine: Engine) -> None:
    first = reply(engine, HELLO, options(seed=None))
    second = reply(engine, HELLO, options(seed=None))
    assert first.seed != second.seed
    assert reply(engine, HELLO, options(rule="ratio", seed=first.seed)).tokens == first.tokens


def test_the_rule_is_ratio_unless_the_seed_is_fixed(engine: Engine) -> None:
    free = reply(engine, HELLO, options(seed=None))
    assert reply(engine, HELLO, options(seed=free.seed, rule="coupled")).seed == free.seed
    fixed = reply(engine, HELLO, options(seed=3))
    assert fixed.tokens == reply(engine, HELLO, options(seed=3, rule="coupled")).tokens


def test_greedy_touches_no_random_number(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_arguments: object) -> None:
        raise AssertionError("a random number was wanted")

    monkeypatch.setattr(np.random, "default_rng", refuse)
    monkeypatch.setattr("engine.engine.Noise", refuse)
    monkeypatch.setattr("engine.noise.splitmix64", refuse)
    texts = {reply(engine, HELLO, options(sampling=GREEDY, seed=seed)).text for seed in (None, 1)}
    top_one = Sampling(top_k=1)
    assert texts == {reply(engine, HELLO, options(sampling=top_one, seed=None)).text}


def test_nothing_is_written_where_nothing_is_asked_for(engine: Engine) -> None:
    answer = reply(engine, HELLO, options(max_tokens=0))
    assert (answer.text, answer.tokens, answer.end) == ("", [], End.LENGTH)


def test_a_reply_goes_on_to_the_end_of_the_context(engine: Engine) -> None:
    answer = reply(endless(engine), HELLO, options(max_tokens=None))
    assert answer.end is End.LENGTH
    assert answer.figures.prompt_tokens + len(answer.tokens) == EXACT.n_ctx


def test_an_end_token_is_kept_with_the_ids_and_not_in_the_text(
    load: Load, tiny_path: TinyPath
) -> None:
    engine = load(target=tiny_path(always=4))
    answer = reply(engine, HELLO, options())
    assert (answer.text, answer.tokens, answer.end) == ("", [4], End.END)


def test_a_stop_string_ends_the_reply_and_is_not_in_it(engine: Engine) -> None:
    whole = reply(endless(engine), HELLO, options()).text
    stop = whole[20:23]
    answer = reply(engine, HELLO, options(stops=(stop,)))
    assert answer.text == whole[: whole.index(stop)]
    assert answer.end is End.STOP


@pytest.mark.parametrize("template", ["{% for %}", "{% break %}", "{{ cycler() }}"])
def test_notes_about_the_template_come_with_the_reply(
    load: Load, tiny_path: TinyPath, template: str
) -> None:
    engine = load(target=tiny_path(template=template))
    assert "chat template" in reply(engine, HELLO, options()).notes[0]


@pytest.mark.parametrize("sampling", [GREEDY, WARM])
@pytest.mark.parametrize("gamma", [0, 4])
def test_what_the_models_maker_bans_is_never_written(
    load: Load, tiny_path: TinyPath, sampling: Sampling, gamma: int
) -> None:
    wanted = options(sampling=sampling, gamma=gamma)
    free = reply(endless(load()), HELLO, wanted).tokens
    banned = tuple(sorted(set(free[:10])))
    text = reply(endless(load(target=tiny_path(suppressed=banned))), HELLO, wanted).tokens
    assert len(text) == 40
    assert not set(text) & set(banned)


def test_a_prompt_too_long_is_refused_before_anything_is_computed(engine: Engine) -> None:
    before = list(engine.lane.target.tokens)
    with pytest.raises(PromptTooLong):
        next(engine.reply([Message("user", "x" * 600)], options()))
    assert engine.lane.target.tokens == before
    assert reply(engine, HELLO, options()).tokens


# Turns -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rule", ["ratio", "coupled"])
def test_a_second_turn_evaluates_only_what_is_new(load: Load, rule: str) -> None:
    engine = endless(load())
    first = reply(engine, HELLO, options(rule=rule))
    turns = [*HELLO, said(first), Message("user", "and?")]
    second = reply(engine, turns, options(rule=rule))
    new = second.figures.prompt_tokens - first.figures.prompt_tokens - len(first.tokens)
    assert second.figures.target_prompt_evaluated <= new + 1
    assert second.figures.draft_prompt_evaluated <= new + 1
    assert second.figures.prompt_reused
    fresh = reply(endless(load()), turns, options(rule=rule))
    assert fresh.tokens == second.tokens
    assert fresh.figures.prompt_reused == 0


def test_an_edited_turn_writes_what_a_fresh_engine_would(load: Load) -> None:
    engine = load()
    reply(engine, [*HELLO, Message("assistant", "the of"), Message("user", "and?")], options())
    edited = [*HELLO, Message("assistant", "the to"), Message("user", "and?")]
    assert reply(engine, edited, options()).tokens == reply(load(), edited, options()).tokens


def test_plain_turns_between_speculative_ones_change_nothing(load: Load) -> None:
    engine, turns, texts = load(), list(HELLO), []
    for gamma in (4, 0, 4):
        answer = reply(engine, turns, options(gamma=gamma))
        texts.append(answer.text)
        turns += [said(answer), Message("user", "more")]
    plain, turns = load(plain=True), list(HELLO)
    for text in texts:
        answer = reply(plain, turns, options())
        assert answer.text == text
        turns += [said(answer), Message("user", "more")]


def in_mid_character(engine: Engine, tokens: list[int]) -> bool:
    decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
    decoder.decode(b"".join(map(engine.pair.target.vocabulary.piece, tokens)))
    return bool(decoder.getstate()[0])


def test_going_on_writes_what_would_have_been_written_at_once(load: Load) -> None:
    engine = endless(load())
    whole = reply(engine, HELLO, options())
    halves = [cut for cut in range(1, 40) if in_mid_character(engine, whole.tokens[:cut])]
    assert halves
    for cut in {1, 20, 39, *halves[:6]}:
        begun = reply(engine, HELLO, options(max_tokens=cut))
        assert begun.tokens == whole.tokens[:cut]
        rest = reply(engine, [*HELLO, said(begun)], options())
        # All of the reply's ids, to be kept with it; half a character's were written anew.
        assert rest.tokens[:40] == whole.tokens
        assert (begun.text + rest.text).startswith(whole.text)


def test_going_on_under_ratio_draws_with_numbers_of_its_own(
    load: Load, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[float] = []

    class Watched(Ratio):
        def __init__(self, uniform: Callable[[], float]) -> None:
            super().__init__(lambda: drawn.append(uniform()) or drawn[-1])

    monkeypatch.setattr("engine.engine.Ratio", Watched)
    engine, wanted = endless(load()), options(rule="ratio", max_tokens=20)
    begun = reply(engine, HELLO, wanted)
    first = set(drawn)
    drawn.clear()
    reply(engine, [*HELLO, said(begun)], wanted)
    assert len(first) > 20
    assert drawn
    assert not first & set(drawn)


def test_a_full_context_is_trimmed_in_both_models_alike(load: Load) -> None:
    engine = endless(load())
    turns, notes = [Message("system", "be kind")], []
    for turn in range(8):
        turns.append(Message("user", f"question {turn} " + "the of and " * 8))
        answer = reply(engine, turns, options(max_tokens=30))
        notes.append(answer.notes)
        turns.append(said(answer))
        draft = engine.lane.draft
        assert draft is not None
        prompt = engine.lane.target.tokens[: answer.figures.prompt_tokens]
        assert draft.tokens[: len(prompt)] == prompt
    trimmed = [turn for turn, note in enumerate(notes) if note]
    assert trimmed
    assert "512 tokens" in notes[trimmed[0]][0]


# Stopping and leaving ----------------------------------------------------------------------------


def test_stopping_keeps_what_was_written(load: Load) -> None:
    engine = endless(load())
    whole = reply(engine, HELLO, options())
    seen = []
    for step in engine.reply(HELLO, options()):
        seen.append(step)
        if isinstance(step, Written) and step.figures.rounds == 3:
            engine.stop.set()
    last = seen[-1]
    assert isinstance(last, Reply)
    assert last.end is End.STOPPED
    assert whole.tokens[: len(last.tokens)] == last.tokens
    assert last.figures.rounds == 3
    engine.stop.clear()
    turns = [*HELLO, said(last), Message("user", "and?")]
    assert reply(engine, turns, options()).tokens == reply(endless(load()), turns, options()).tokens


def test_stopping_while_the_prompt_is_read_is_a_reply_without_text(load: Load) -> None:
    engine = load()
    long = [Message("user", "the of and to " * 40)]
    steps = engine.reply(long, options())
    next(steps)
    engine.stop.set()
    *_others, last = steps
    assert isinstance(last, Reply)
    assert (last.end, last.text, last.tokens) == (End.STOPPED, "", [])
    engine.stop.clear()
    assert reply(engine, long, options()).tokens == reply(load(), long, options()).tokens


@pytest.mark.parametrize("steps", range(1, 7))
def test_a_reply_that_nobody_listens_to_any_more_leaves_no_trace(load: Load, steps: int) -> None:
    engine = load()
    listening = engine.reply(HELLO, options())
    for _step in itertools.islice(listening, steps):
        pass
    listening.close()
    other = [Message("user", "what was it")]
    assert reply(engine, other, options()).tokens == reply(load(), other, options()).tokens


# Comparing ---------------------------------------------------------------------------------------


def compare(engine: Engine, wanted: ReplyOptions) -> tuple[list[str], Comparison]:
    *steps, last = engine.compare(HELLO, wanted)
    assert isinstance(last, Comparison)
    return [step[0] for step in steps if isinstance(step, tuple)], last


@pytest.mark.parametrize("sampling", [GREEDY, WARM, Sampling(1.0, 0, 1.0, 0.0)])
def test_both_lanes_write_the_same_words_under_exact_arithmetic(
    load: Load, sampling: Sampling
) -> None:
    engine = endless(load())
    _names, result = compare(engine, options(sampling=sampling, gamma=5))
    speculative, plain = result.replies[SPECULATIVE], result.replies[PLAIN]
    assert speculative.tokens == plain.tokens
    assert speculative.text == plain.text
    assert result.parting is None
    assert speculative.figures.drafted
    assert plain.figures.drafted == 0
    assert result.speed_up > 0
    assert speculative.seed == plain.seed


def test_lanes_take_turns_by_their_own_clocks(load: Load) -> None:
    names, result = compare(endless(load()), options())
    assert set(names) == {SPECULATIVE, PLAIN}
    first_end = min(max(i for i, n in enumerate(names) if n == name) for name in set(names))
    assert set(names[: first_end // 2]) == {SPECULATIVE, PLAIN}
    sources = {reply.figures.accepted > 0 for reply in result.replies.values()}
    assert sources == {True, False}


def test_a_comparison_leaves_a_lane_that_either_reply_can_be_kept_in(load: Load) -> None:
    engine = endless(load())
    _names, result = compare(engine, options())
    for name in (SPECULATIVE, PLAIN):
        turns = [*HELLO, said(result.replies[name]), Message("user", "and?")]
        kept = reply(engine, turns, options())
        assert kept.tokens == reply(endless(load()), turns, options()).tokens


@pytest.mark.parametrize("steps", [0, 1, 2, 5, 9])
def test_a_comparison_can_be_left_at_any_step(load: Load, steps: int) -> None:
    engine = load()
    comparing = engine.compare(HELLO, options())
    for _step in itertools.islice(comparing, steps):
        pass
    comparing.close()
    assert reply(engine, HELLO, options()).tokens == reply(load(), HELLO, options()).tokens


def test_stopping_a_comparison_stops_both_lanes(load: Load) -> None:
    engine, steps = endless(load()), []
    for step in engine.compare(HELLO, options()):
        steps.append(step)
        if len(steps) == 8:
            engine.stop.set()
    last = steps[-1]
    assert isinstance(last, Comparison)
    assert {answer.end for answer in last.replies.values()} == {End.STOPPED}
    engine.stop.clear()
    assert reply(engine, HELLO, options()).tokens


def test_stopping_the_look_at_a_parting_still_gives_the_comparison(
    load: Load, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_arguments: object) -> None:
        raise Stopped

    monkeypatch.setattr("engine.engine.find_parting", stopped)
    _names, result = compare(load(), options())
    assert result.parting is None
    assert len(result.replies) == 2


def test_without_a_draft_both_lanes_are_plain(load: Load) -> None:
    _names, result = compare(load(plain=True), options())
    assert {answer.figures.drafted for answer in result.replies.values()} == {0}
    assert result.parting is None


def test_rules_are_what_the_options_say() -> None:
    assert isinstance(rule_for(options(sampling=GREEDY), 0), Greedy)
    assert isinstance(rule_for(options(rule="coupled"), 0), Coupled)
    assert isinstance(rule_for(options(rule="ratio"), 0), Ratio)


def test_every_token_says_where_it_came_from(engine: Engine) -> None:
    steps = engine.reply(HELLO, options())
    sources = {t.source for step in steps if isinstance(step, Written) for t in step.round.tokens}
    assert Source.ACCEPTED in sources
    assert Source.PLAIN not in sources
