"""The rules are exact: whatever the draft proposes, what is emitted has the target's law.

The laws are computed from the real ``accept`` by cases (tests/support/enumeration.py), so nothing
of the algebra is repeated here.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine.accept import Coupled, Greedy, Ratio, Rule, Source, Token, accept
from engine.noise import Noise
from engine.sampling import Distribution, Ids, Sampling, filtered, one_hot
from tests.support.enumeration import Note, Uniform, exact_law

TOLERANCE = 1e-12
"""Of laws in single precision too: their weights are rounded, what is made of them is not."""

MakeRule = Callable[[Uniform], Rule]


def sparse(**weights: float) -> Distribution:
    """A law over some ids: ``sparse(_3=1, _7=2)``."""
    ids = np.array([int(name[1:]) for name in weights], np.int64)
    return some(ids, list(weights.values()))


def some(ids: Ids | Sequence[int], weights: Sequence[float]) -> Distribution:
    values = np.array(weights, np.float64)
    return Distribution(np.array(ids, np.int64), values, float(values.sum()))


def dense(*weights: float, dtype: Any = np.float64) -> Distribution:
    """A law over every id from 0."""
    values = np.array(weights, dtype)
    return Distribution(None, values, float(values.sum(dtype=np.float64)))


def support(*laws: Distribution) -> range:
    """Every id that one of ``laws`` might know, and one more."""
    return range(max(len(law.weights) if law.ids is None else max(law.ids) + 1 for law in laws) + 1)


def hints(*laws: Distribution) -> set[float]:
    """Where something may change: cumulative sums of the laws and of what is left, and ratios."""
    found: set[float] = set()
    rows = [[law[x] for x in support(*laws)] for law in laws]
    pairs = list(itertools.permutations(rows, 2))
    left = [[max(a - b, 0.0) for a, b in zip(p, q, strict=True)] for p, q in pairs]
    for row in [*rows, *left]:
        if total := sum(row):
            found.update(np.cumsum(row) / total)
    for p, q in pairs:
        found.update(a / b for a, b in zip(p, q, strict=True) if b and a < b)
    return found


def emitted_law(
    make: MakeRule, p: Distribution, q: Distribution, count: int = 1
) -> dict[Hashable, float]:
    """The law of the first ``count`` tokens of a round that drafts one token."""

    def program(uniform: Uniform, note: Note) -> Hashable:
        rule = make(uniform)
        x = rule.draw(q, 0)
        note(("drafted", x))
        tokens = accept(rule, [x], [q], noted(note, [p, one_hot(0)]), 0)
        return tuple(token.id for token in tokens[:count])

    return exact_law(program, hints(p, q))


def noted(note: Note, laws: Sequence[Distribution]) -> Iterator[Distribution]:
    """The laws one by one; what was asked for is noted, for it tells accepting from rejecting."""
    for i, law in enumerate(laws):
        note(("law", i))
        yield law


def check_position(make: MakeRule, p: Distribution, q: Distribution) -> None:
    """The emitted token has the law p."""
    law = emitted_law(make, p, q)
    assert sum(law.values()) == pytest.approx(1, abs=TOLERANCE)
    for x in support(p, q):
        assert law.pop((x,), 0.0) == pytest.approx(p[x], abs=TOLERANCE), f"token {x}"
    assert not law, "tokens that neither knows"


# Ratio: one position ---------------------------------------------------------------------------

CASES = {
    "alike": (sparse(_0=1, _1=2), sparse(_0=1, _1=2)),
    "one common token": (sparse(_0=1, _1=2), sparse(_1=5, _2=1)),
    "nothing in common": (sparse(_0=1, _2=3), sparse(_1=1, _3=2)),
    "target certain": (one_hot(3), sparse(_2=1, _3=1, _4=7)),
    "draft certain": (sparse(_2=1, _3=1, _4=7), one_hot(3)),
    "draft certain of the impossible": (sparse(_2=1, _3=1), one_hot(9)),
    "weights of zero": (some([0, 1, 2], [0, 3, 1]), some([0, 1, 2], [2, 0, 1])),
    "whole vocabularies": (dense(5, 3, 1.5, 0.5, 0), dense(1, 3, 3, 0, 3)),
    "the draft's is longer": (dense(1, 2, 0.5), dense(1, 1, 1, 4, 2)),
    "the draft's is shorter": (dense(1, 1, 1, 4, 2), dense(1, 2, 0.5)),
    "few against whole": (sparse(_1=1, _4=2), dense(1, 1, 1)),
    "whole against few": (dense(1, 1, 1), sparse(_1=1, _4=2)),
    "nearly alike": (dense(1, 1), dense(1, 1 + 1e-9)),
    "single precision": (dense(0.3, 1, 0.7, dtype="f4"), dense(1, 0.6, 0.1, dtype="f4")),
    "single against double": (dense(0.3, 1, 0.7, dtype="f4"), sparse(_0=0.1, _2=0.7)),
}


@pytest.mark.parametrize(("p", "q"), CASES.values(), ids=CASES.keys())
def test_ratio_emits_the_targets_law(p: Distribution, q: Distribution) -> None:
    check_position(Ratio, p, q)


@pytest.mark.parametrize("temperature", [1.0, 1e-30, 1e-40, 1e-310])
@pytest.mark.parametrize("top_k", [0, 3])
def test_ratio_emits_the_law_of_the_logits_at_any_temperature(
    temperature: float, top_k: int
) -> None:
    wanted = Sampling(temperature=temperature, top_k=top_k, top_p=1.0, min_p=0.0)
    # Apart by nothing, by as much as the temperature, and by far more.
    row = np.array([0, 0, -temperature, -1000, -1000], np.float32)
    p, q = filtered(row, wanted), filtered(np.roll(row, 1), wanted)
    check_position(Ratio, p, q)
    chances = np.array([1, 1, np.exp(float(row[2]) / temperature), 0, 0])
    assert [p[x] for x in range(5)] == pytest.approx(list(chances / chances.sum()), abs=1e-7)


weights = st.lists(
    st.one_of(st.just(0.0), st.floats(1e-3, 1.0), st.sampled_from([1e-6, 0.5, 1.0])),
    min_size=1,
    max_size=6,
).filter(any)


@st.composite
def laws(draw: st.DrawFn) -> Distribution:
    values = draw(weights)
    if draw(st.booleans()):
        return dense(*values, dtype=draw(st.sampled_from(["f4", "f8"])))
    ids = draw(st.lists(st.integers(0, 8), min_size=len(values), max_size=len(values), unique=True))
    return some(sorted(ids), values)


@given(p=laws(), q=laws())
@settings(max_examples=40)
def test_ratio_emits_any_targets_law_whatever_the_draft(p: Distribution, q: Distribution) -> None:
    check_position(Ratio, p, q)


@given(p=laws(), q=laws())
@settings(max_examples=30)
def test_ratio_accepts_as_often_as_the_laws_overlap(p: Distribution, q: Distribution) -> None:
    law = emitted_law(Ratio, p, q, count=2)
    accepted = sum(mass for tokens, mass in law.items() if len(tokens) == 2)
    overlap = sum(min(p[x], q[x]) for x in support(p, q))
    assert accepted == pytest.approx(overlap, abs=TOLERANCE)


def test_a_token_without_probability_is_refused_even_at_zero() -> None:
    p, q = some([1, 2], [0, 1]), sparse(_1=1)
    numbers = iter([0.0, 0.0])
    tokens = accept(Ratio(lambda: next(numbers)), [1], [q], iter([p]), 0)
    assert tokens == [Token(2, Source.CORRECTED, 0.0, 1.0)]


def test_a_rejection_with_nothing_left_draws_from_the_target() -> None:
    # Rounding alone leads here: p = q to the last bit leaves a residual of zero.
    p = some([1, 2], [1, 2])
    rule = Ratio(iter([1.5, 0.5]).__next__)  # 1.5 stands for a u that rounding pushed over the edge
    [token] = accept(rule, [1], [p], iter([p]), 0)
    assert token.id == 2


def test_every_random_number_is_used_once() -> None:
    asked: list[float] = []

    def uniform() -> float:
        asked.append(0.999)
        return asked[-1]

    p, q = sparse(_1=1, _2=1), sparse(_2=1, _3=1)
    accept(Ratio(uniform), [3], [q], iter([p]), 0)
    assert len(asked) == 2  # one to reject x, one for the corrected token


# Ratio: a whole round --------------------------------------------------------------------------


class Table:
    """A model of three words whose law depends on all that was said: random, but fixed."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def law(self, said: Sequence[int]) -> Distribution:
        random = np.random.default_rng((self._seed, len(said), *said))
        values = random.exponential(size=3) * (random.random(3) > 0.25)
        ids = np.flatnonzero(values) if values.any() else np.array([1])
        return some(ids, values[ids] if values.any() else [1.0])

    def chance(self, words: Sequence[int], said: Sequence[int] = ()) -> float:
        """Of ``words`` after ``said``, one word after another."""
        before = list(said)
        chance = 1.0
        for word in words:
            chance *= self.law(before)[word]
            before.append(word)
        return chance


def round_law(make: MakeRule, target: Table, draft: Table, gamma: int) -> dict[Hashable, float]:
    def program(uniform: Uniform, note: Note) -> Hashable:
        rule, drafted, q = make(uniform), [], []
        for i in range(gamma):
            q.append(draft.law(drafted))
            drafted.append(rule.draw(q[i], i))
            note(("drafted", drafted[i]))
        p = [target.law(drafted[:i]) for i in range(gamma + 1)]
        return tuple(token.id for token in accept(rule, drafted, q, noted(note, p), 0))

    said = [s for n in range(gamma + 1) for s in itertools.product(range(3), repeat=n)]
    found: set[float] = set()
    for words in said:
        found |= hints(target.law(words), draft.law(words))
    return exact_law(program, found)


def check_round(make: MakeRule, target: Table, draft: Table, gamma: int) -> None:
    """A round, written on by the target to γ + 1 words, has the law of writing word by word."""
    law = round_law(make, target, draft, gamma)
    for words in itertools.product(range(3), repeat=gamma + 1):
        begun = (words[:n] for n in range(1, gamma + 2))
        chance = sum(law.get(w, 0.0) * target.chance(words[len(w) :], w) for w in begun)
        assert chance == pytest.approx(target.chance(words), abs=TOLERANCE), words


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("gamma", [0, 1, 2])
def test_a_round_of_ratio_has_the_law_of_writing_word_by_word(seed: int, gamma: int) -> None:
    check_round(Ratio, Table(seed), Table(seed + 100), gamma)


def test_a_round_with_a_perfect_draft_emits_gamma_and_one() -> None:
    law = round_law(Ratio, Table(5), Table(5), 2)
    assert sum(mass for words, mass in law.items() if len(words) == 3) == pytest.approx(1)


# The checks above do notice --------------------------------------------------------------------


class ArgmaxDrafts(Ratio):
    """Wrong: the draft's favourite is tested as if it had been drawn."""

    def draw(self, law: Distribution, index: int) -> int:
        return law.likeliest


def test_correcting_from_the_whole_target_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.accept.residual", lambda p, q: p)
    with pytest.raises(AssertionError, match="token"):
        check_position(Ratio, *CASES["whole vocabularies"])
    with pytest.raises(AssertionError):
        check_round(Ratio, Table(0), Table(100), 2)


def test_testing_argmax_drafts_by_ratio_is_noticed() -> None:
    with pytest.raises(AssertionError, match="token"):
        check_position(ArgmaxDrafts, *CASES["whole vocabularies"])
    with pytest.raises(AssertionError):
        check_round(ArgmaxDrafts, Table(0), Table(100), 2)


def test_using_one_number_twice_is_noticed() -> None:
    class Reuses(Ratio):
        def __init__(self, uniform: Uniform) -> None:
            last: list[float] = []

            def twice() -> float:
                if len(last) == 2:  # the draft's draw, the test, and the test's number again
                    return last[1]
                last.append(uniform())
                return last[-1]

            super().__init__(twice)

    with pytest.raises(AssertionError, match="token"):
        check_position(Reuses, *CASES["whole vocabularies"])


# Greedy ----------------------------------------------------------------------------------------


def test_greedy_accepts_while_the_argmaxes_agree() -> None:
    p = [one_hot(4), one_hot(5), one_hot(6), one_hot(7)]
    q = [one_hot(4), one_hot(5), one_hot(9)]
    tokens = accept(Greedy(), [4, 5, 9], q, iter(p), 0)
    assert [(token.id, token.source) for token in tokens] == [
        (4, Source.ACCEPTED),
        (5, Source.ACCEPTED),
        (6, Source.CORRECTED),
    ]


def test_greedy_needs_no_random_number() -> None:
    tokens = accept(Greedy(), [4], [one_hot(4)], iter([one_hot(4), one_hot(5)]), 0)
    assert [token.id for token in tokens] == [4, 5]
    assert not vars(Greedy())  # there is nowhere to get one from


# Coupled ---------------------------------------------------------------------------------------


class Scripted(Noise):
    """Noise that is given: u of each id, whatever the position."""

    def __init__(self, u: Sequence[float]) -> None:
        super().__init__(0)
        self._u = np.array(u, np.float64)

    def uniforms(self, index: int, ids: Ids) -> np.ndarray:
        return self._u[ids]

    def _least_lateness(self, index: int, size: int) -> np.ndarray:
        return np.nextafter((1 - self._u[:size]).astype(np.float32), np.float32(-1))


def gumbel_argmax(law: Distribution, u: Sequence[float]) -> int:
    with np.errstate(divide="ignore"):
        return int(np.argmax([np.log(law[i]) - np.log(-np.log(x)) for i, x in enumerate(u)]))


@given(p=laws(), q=laws(), u=st.lists(st.floats(1e-9, 1, exclude_max=True), min_size=9, max_size=9))
@settings(max_examples=100)
def test_coupled_emits_the_targets_own_draw_whatever_the_draft(
    p: Distribution, q: Distribution, u: list[float]
) -> None:
    with np.errstate(divide="ignore"):
        races = sorted(np.log(p[i]) - np.log(-np.log(x)) for i, x in enumerate(u))
    assume(races[-1] - races[-2] > 1e-9)  # a dead heat may end either way
    rule = Coupled(Scripted(u))
    x = rule.draw(q, 0)
    emitted = accept(rule, [x], [q], iter([p, one_hot(0)]), 0)
    assert emitted[0].id == gumbel_argmax(p, u)
    assert (emitted[0].source is Source.ACCEPTED) == (x == emitted[0].id)


def coupled_acceptance(p: Distribution, q: Distribution) -> float:
    """Σ_i 1 ÷ Σ_j max(p_j ÷ p_i, q_j ÷ q_i) over the ids that both may draw."""
    both = [x for x in support(p, q) if p[x] and q[x]]
    every = support(p, q)
    return sum(1 / sum(max(p[j] / p[i], q[j] / q[i]) for j in every) for i in both)


def accepts(p: Distribution, q: Distribution, u: Sequence[float]) -> bool:
    rule = Coupled(Scripted(u))
    return len(accept(rule, [rule.draw(q, 0)], [q], iter([p, one_hot(0)]), 0)) == 2


def of_race(times: Sequence[float]) -> list[float]:
    """The uniforms whose −log u are ``times``. Only the times' proportions matter to the rule."""
    return [min(float(np.exp(-time)), 1 - 2.0**-53) for time in times]  # a u is never 1


@pytest.mark.parametrize("probability", [0.5, 0.9, 0.3, 1e-3, 1.0])
def test_coupled_accepts_two_tokens_as_often_as_its_closed_form(probability: float) -> None:
    # Of two exponential times the first one's share is uniform: one number tells the whole race.
    p, q = dense(0.6, 0.4), dense(probability, 1 - probability)

    def program(uniform: Uniform, note: Note) -> Hashable:
        share = max(uniform(), 1e-300)
        return accepts(p, q, of_race([share, 1 - share]))

    law = exact_law(program, [p[0], q[0], p[1], q[1]])
    assert law.get(True, 0.0) == pytest.approx(coupled_acceptance(p, q), abs=TOLERANCE)


@pytest.mark.parametrize(
    ("p", "q"),
    [
        (dense(0.5, 0.3, 0.2), dense(0.2, 0.3, 0.5)),
        (dense(0.7, 0.2, 0.1), some([0, 1, 2], [0.6, 0.4, 0.0])),
        (sparse(_0=0.1, _1=0.2, _2=0.7), dense(1, 1, 1)),
    ],
)
def test_coupled_accepts_three_tokens_as_often_as_its_closed_form(
    p: Distribution, q: Distribution
) -> None:
    # The shares of three exponential times are uniform on a triangle. Along each line of it the
    # accepted length is exact; across the lines it is piecewise linear, so midpoints serve well.
    lines = 200
    accepted = 0.0
    for line in range(lines):
        first = (line + 0.5) / lines
        rest = 1 - first

        def along(uniform: Uniform, note: Note, first: float = first) -> Hashable:
            share = (1 - first) * max(uniform(), 1e-300)
            return accepts(p, q, of_race([first, share, 1 - first - share]))

        found = {p[1] / (p[1] + p[2]), q[1] / (q[1] + q[2])}
        for law in (p, q):
            found |= {first * law[1] / law[0] / rest, 1 - first * law[2] / law[0] / rest}
        accepted += 2 * rest * exact_law(along, found).get(True, 0.0) / lines
    assert accepted == pytest.approx(coupled_acceptance(p, q), abs=5e-5)


def test_coupled_with_the_real_noise_accepts_as_often_as_its_closed_form() -> None:
    random = np.random.default_rng(1)
    p, q = (some(range(30), random.exponential(size=30)) for _ in range(2))
    rounds = 8000
    rule = Coupled(Noise(7))
    accepted = sum(rule.judge(rule.draw(q, i), p, q, i) is None for i in range(rounds))
    expected = coupled_acceptance(p, q)
    assert accepted / rounds == pytest.approx(expected, abs=4 * (0.25 / rounds) ** 0.5)


# The round's own book-keeping --------------------------------------------------------------------


def test_a_round_asks_for_no_law_past_the_first_rejection() -> None:
    asked: list[Hashable] = []
    laws = [one_hot(1), one_hot(2), one_hot(3)]
    tokens = accept(Greedy(), [1, 9], [one_hot(1), one_hot(9)], noted(asked.append, laws), 0)
    assert [token.source for token in tokens] == [Source.ACCEPTED, Source.CORRECTED]
    assert len(asked) == 2


def test_a_round_without_drafted_tokens_is_plain() -> None:
    [token] = accept(Greedy(), [], [], iter([one_hot(3)]), 0)
    assert token == Token(3, Source.PLAIN, 1.0)


def test_a_token_carries_the_probabilities_that_decided() -> None:
    p, q = sparse(_1=1, _2=3), sparse(_1=1, _2=1)
    tokens = accept(Ratio(iter([0.0, 0.0]).__next__), [2], [q], iter([p, p]), 0)
    assert [(token.p, token.q) for token in tokens] == [(0.75, 0.5), (0.25, None)]


def test_positions_count_on_from_where_the_reply_stands() -> None:
    asked: list[int] = []

    class Recording(Greedy):
        def draw(self, law: Distribution, index: int) -> int:
            asked.append(index)
            return super().draw(law, index)

        def judge(self, x: int, p: Distribution, q: Distribution, index: int) -> int | None:
            asked.append(index)
            return super().judge(x, p, q, index)

    accept(Recording(), [1, 1], [one_hot(1)] * 2, iter([one_hot(1)] * 3), 40)
    assert asked == [40, 41, 42]
