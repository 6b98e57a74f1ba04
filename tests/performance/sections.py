"""Ours against llama.cpp's own programs, and against what it says of itself."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from statistics import median

from engine import costs
from engine.chat import Message
from engine.sampling import Sampling
from engine.speedup import predicted_speed_up
from tests.performance.bench import GREEDY, SAMPLED, UNFILTERED, Bench
from tests.performance.data import Result
from tests.performance.footprint import footprint
from tests.performance.ours import Ours
from tests.performance.turns import TOKENS, compare_clocks

GAMMA = 3


def plain(bench: Bench) -> Iterator[Result]:
    """Plain decoding against llama-bench at the same depth."""
    yield _beside_llama_bench(bench, bench.tokens(128), at_least=0.98)


def crowded(bench: Bench) -> Iterator[Result]:
    """The same while another program computes with one thread."""
    with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as another:
        try:
            result = _beside_llama_bench(bench, bench.tokens(48), at_least=None)
        finally:
            another.kill()
    yield replace(result, measure=f"beside a busy program: {result.measure}")


def _beside_llama_bench(bench: Bench, tokens: int, at_least: float | None) -> Result:
    depth, samples, pairs = 256, [], []
    for _repeat in range(bench.repeats):
        theirs = bench.programs.bench(bench.target, depth=depth, tokens=tokens)
        # Loaded anew as the peer is: where memory happens to lie is worth up to 4 % either way.
        with closing(Ours(bench.target, None)) as ours:
            prompt = (ours.tokens(bench.prompts["explanation"][0]) * depth)[: depth + 1]
            mine = ours.write(prompt, gamma=0, tokens=tokens, sampling=GREEDY, ends=False)
        samples.append(mine.tokens_per_second / theirs)
        pairs.append(f"{mine.tokens_per_second:.2f}/{theirs:.2f}")
    return Result(
        f"plain tokens/s ÷ llama-bench tg{tokens} at depth {depth}",
        samples,
        at_least=at_least,
        detail=f"tokens/s {', '.join(pairs)}",
    )


def greedy(bench: Bench) -> Iterator[Result]:
    """Greedy against llama-speculative-simple, starter pair."""
    yield from _against(bench, bench.target, "greedy", GREEDY, {"code": 1.18}, bench.repeats)


def inflated(bench: Bench) -> Iterator[Result]:
    """The same with a target that costs five times as much."""
    yield from _against(
        bench, bench.inflated, "inflated", GREEDY, {"code": 1.05}, min(3, bench.repeats)
    )


def sampled(bench: Bench) -> Iterator[Result]:
    """T = 0.8 with llama.cpp's default filters against llama-speculative-simple."""
    bounds = {"code": 1.25, "story": 1.25}
    yield from _against(bench, bench.target, "sampled", SAMPLED, bounds, bench.repeats)


def _against(
    bench: Bench,
    target: Path,
    section: str,
    sampling: Sampling,
    bounds: dict[str, float],
    repeats: int,
) -> Iterator[Result]:
    for kind, bound in bounds.items():
        sides: dict[bool, list[float]] = {True: [], False: []}
        pairs: dict[bool, list[str]] = {True: [], False: []}
        for repeat in range(repeats):
            messages = bench.prompts[kind][repeat % len(bench.prompts[kind])]
            how = {
                "gamma": GAMMA,
                "tokens": bench.tokens(200),
                "sampling": sampling,
                "seed": repeat + 1,
            }
            mine = {}
            for recast in sides:
                with closing(Ours(target, bench.draft, recast=recast)) as ours:
                    prompt = ours.tokens(messages)
                    text = ours.text(prompt)
                    mine[recast] = ours.write(prompt, **how).tokens_per_second
            theirs = bench.programs.speculative(target, bench.draft, text, **how)
            for recast, speed in mine.items():
                sides[recast].append(speed / theirs)
                pairs[recast].append(f"{speed:.2f}/{theirs:.2f}")
        for recast, samples in sides.items():
            said = "" if recast else ", the draft not recast"
            yield Result(
                f"{section}, γ = {GAMMA}, {kind}: ours ÷ llama-speculative-simple{said}",
                samples,
                at_least=bound if recast else None,
                detail=f"tokens/s {', '.join(pairs[recast])}",
            )


def overhead(bench: Bench) -> Iterator[Result]:
    """Time outside llama_decode, as a share of the whole."""
    cases = [
        ("greedy", GREEDY, "ratio", 1.5),
        ("sampled, ratio rule", SAMPLED, "ratio", 3.0),
        ("sampled, coupled rule", SAMPLED, "coupled", 3.0),
        ("every filter off, ratio rule", UNFILTERED, "ratio", 5.0),
        ("every filter off, coupled rule", UNFILTERED, "coupled", 5.0),
    ]
    ours = Ours(bench.target, bench.draft)
    try:
        prompt = ours.tokens(bench.prompts["code"][0])
        for name, sampling, rule, bound in cases:
            for gamma in (0, GAMMA):
                runs = [
                    ours.write(
                        prompt,
                        gamma=gamma,
                        tokens=bench.tokens(120),
                        sampling=sampling,
                        rule=rule,
                        seed=seed,
                    )
                    for seed in range(1, 2 if bench.is_quick else 4)
                ]
                shares = [100 * run.other_share for run in runs]
                measure = f"time outside llama_decode, {name}, γ = {gamma}"
                yield Result(measure, shares, at_most=bound, unit=" %")
    finally:
        ours.close()


def prediction(bench: Bench) -> Iterator[Result]:
    """The speed-up formula against what was measured, every part measured apart."""
    ours = Ours(bench.target, bench.draft)
    try:
        for kind in ("code", "story"):
            samples, details = [], []
            for repeat in range(bench.repeats):
                prompt = ours.tokens(bench.prompts[kind][repeat % len(bench.prompts[kind])])
                measured, predicted = _predicted(ours, prompt, bench.tokens(150))
                samples.append(measured / predicted)
                details.append(f"{measured:.3f}/{predicted:.3f}")
            yield Result(
                f"measured ÷ predicted speed-up, γ = {GAMMA}, greedy, {kind}",
                samples,
                at_least=0.95,
                at_most=1.05,
                detail=f"speed-up {', '.join(details)}",
            )
    finally:
        ours.close()


def _predicted(ours: Ours, prompt: list[int], tokens: int) -> tuple[float, float]:
    """Measured and predicted speed-up of one reply; costs are timed before, between and after."""
    depth = len(prompt) + tokens // 2
    widths = (1, GAMMA + 1)
    timed = [costs.measure(ours.lane, widths, depth=depth)]
    how = {"tokens": tokens, "sampling": GREEDY}
    plain_run = ours.write(prompt, gamma=0, **how)
    timed.append(costs.measure(ours.lane, widths, depth=depth))
    run = ours.write(prompt, gamma=GAMMA, **how)
    timed.append(costs.measure(ours.lane, widths, depth=depth))
    # A plain step is a pass of one token and the engine's own time for it.
    step = median(cost.passes[1] for cost in timed) + plain_run.other_seconds / plain_run.rounds
    predicted = predicted_speed_up(
        run.survival(),
        draft_cost=median(cost.draft_step for cost in timed) / step,
        pass_cost=median(cost.passes[GAMMA + 1] for cost in timed) / step,
        overhead=run.other_seconds / run.rounds / step,
        catch_up=median(cost.catch_up for cost in timed) / step,
    )
    return run.tokens_per_second / plain_run.tokens_per_second, predicted


def lanes(bench: Bench) -> Iterator[Result]:
    """A comparison's clocks against separate runs."""
    for name, prompt, repeats in (
        (f"{TOKENS} tokens", bench.prompts["code"][0], bench.repeats),
        ("a prompt of over 1,000 tokens", _long_prompt(bench), min(3, bench.repeats)),
    ):
        ratios = compare_clocks(bench.target, bench.draft, prompt, repeats)
        for lane, samples in ratios.items():
            yield Result(
                f"{lane}: tokens/s in a comparison ÷ alone, {name}",
                samples,
                at_least=0.97,
                at_most=1.03,
            )


def _long_prompt(bench: Bench) -> list[Message]:
    every = [m.content for kind in bench.prompts.values() for row in kind for m in row]
    text = "\n\n".join(every)
    return [Message("user", f"{text}\n\nAnswer the first of these in detail.")]


def memory(bench: Bench) -> Iterator[Result]:
    """What the worker takes beyond caches and repacked weights."""
    each = [footprint(bench.target, bench.draft) for _run in range(bench.repeats)]
    chats, lanes = ([round(run[which], 1) for run in each] for which in (0, 1))
    measure = "worker's anonymous memory − KV − repacked weights, chat"
    yield Result(measure, chats, at_most=120, unit=" MB")
    yield Result("a further lane, without its KV", lanes, at_most=40, unit=" MB")
