"""Figures in words: the line after a reply, the verdict of a comparison, how two texts parted."""

from __future__ import annotations

from engine.speedup import break_even, time_saved
from engine.stats import End, Figures

SAME = 0.03
"""Speeds closer than this are called the same: two runs of one setting differ as much."""


def rate(figures: Figures) -> str:
    """Its speed."""
    return f"{figures.tokens_per_second:.1f} tokens/s"


def percent(share: float) -> str:
    """A share, with a decimal where it is small."""
    return f"{100 * share:.1f} %" if 0 < share < 0.0995 else f"{100 * share:.0f} %"


def seconds(value: float) -> str:
    """A time for a person."""
    sign = "−" if value < 0 else ""
    value = abs(value)
    if value < 0.9995:
        return f"{sign}{1000 * value:.0f} ms"
    return f"{sign}{value:.1f} s" if value < 99.5 else f"{sign}{value / 60:.1f} min"


def count(number: int, noun: str) -> str:
    """A number and what it counts."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def ending(end: End | str, tokens: int) -> str:
    """Why a reply is over."""
    return {
        End.END: "finished",
        End.STOP: "stop string",
        End.LENGTH: f"cut at {tokens:,}",
        End.STOPPED: "stopped",
    }.get(End(end), str(end))


def summary(figures: Figures, end: End | str) -> str:
    """The one line after a reply."""
    if not figures.tokens:
        return f"{ending(end, 0)} before the first token"
    parts = [rate(figures)]
    if figures.drafted:
        parts += [
            f"{percent(figures.acceptance_rate)} accepted",
            f"{figures.tokens_per_round:.1f} tokens per round",
            f"γ {figures.gamma}",
        ]
    else:
        parts.append("plain")
    return " · ".join([*parts, ending(end, figures.tokens)])


def speed_up(speculative: Figures, plain: Figures) -> float:
    """Plain time per token ÷ speculative time per token; 0 where either wrote nothing."""
    rate = plain.tokens_per_second
    return speculative.tokens_per_second / rate if rate else 0.0


def saving(speculative: Figures, plain: Figures) -> tuple[float, float]:
    """Seconds saved on this reply, prompt included, and the tokens from which on any are."""
    token, plain_token = _token(speculative), _token(plain)
    draft_prompt = speculative.draft_prompt_seconds
    saved = time_saved(
        plain_token=plain_token, token=token, tokens=speculative.tokens, draft_prompt=draft_prompt
    )
    return saved, break_even(plain_token=plain_token, token=token, draft_prompt=draft_prompt)


def _token(figures: Figures) -> float:
    return figures.seconds / figures.tokens if figures.tokens else 0.0


def part(value: float, figures: Figures) -> str:
    """A part of a reply's time: its share, and seconds."""
    share = value / figures.seconds if figures.seconds else 0.0
    return f"{seconds(value)} ({percent(share)})" if value else "–"


def pays(speculative: Figures, plain: Figures) -> bool:
    """Whether this reply came sooner for drafting."""
    return speed_up(speculative, plain) > 1 and saving(speculative, plain)[0] > 0


def verdict(speculative: Figures, plain: Figures) -> str:
    """One sentence: does drafting pay here?"""
    if not speculative.tokens or not plain.tokens:
        return "Nothing to judge by: a lane wrote no token."
    gain = speed_up(speculative, plain)
    if abs(gain - 1) < SAME:
        return "Drafting makes no difference here: both lanes are as fast, within 3 %."
    if gain < 1:
        return f"Drafting costs time here: plain is {100 * (1 / gain - 1):.0f} % faster."
    saved, from_tokens = saving(speculative, plain)
    if saved < 0:
        return (
            f"Drafting writes {gain:.2f}× faster, but the draft reads the prompt too: "
            f"it pays from {from_tokens:,.0f} tokens of reply on."
        )
    return f"Drafting pays here: {gain:.2f}× faster."


def saved_in_words(speculative: Figures, plain: Figures) -> str:
    """The time saved and the reply length it breaks even at."""
    saved, from_tokens = saving(speculative, plain)
    if from_tokens == float("inf"):
        return f"{seconds(saved)}, never breaks even"
    return f"{seconds(saved)}, breaks even at {count(max(1, round(from_tokens)), 'token')}"


def quoted(text: str) -> str:
    """A token's text between quotation marks, its white space visible."""
    shown = text.replace("\n", "⏎").replace("\t", "⇥")
    return f"“{shown}”" if shown else "the end of the reply"
