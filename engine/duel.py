"""Ours against a peer, in turns: the same replies, and how much faster ours came."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from statistics import median
from typing import Any

from engine.bench import Run, Task
from engine.errors import PairRefused
from engine.peer import Peer, PeerOptions, PeerReply
from engine.protocol import Count, Counted, Event, Ready, Request
from engine.sampling import Sampling

_FIRST_PATIENCE = 60.0
_TIMES_OURS = 10.0
"""The peer's reply is given up after a minute and ten times the slowest of ours."""


@dataclass(frozen=True)
class Match:
    """One reply written by both."""

    run: Run
    theirs: PeerReply

    @property
    def ratio(self) -> float:
        """Our tokens per second ÷ the peer's."""
        return self.run.figures.tokens_per_second / self.theirs.tokens_per_second

    def as_dict(self) -> dict[str, Any]:
        """For JSON; times in seconds."""
        task, theirs = self.run.task, self.theirs
        return {
            "prompt": task.prompt.id,
            "kind": task.prompt.kind,
            "gamma": task.gamma,
            "temperature": task.temperature,
            "repeat": task.repeat,
            "seed": self.run.seed,
            "prompt_tokens": self.run.figures.prompt_tokens,
            "tokens_per_second": self.run.figures.tokens_per_second,
            "peer_tokens": theirs.tokens,
            "peer_seconds": theirs.seconds,
            "peer_tokens_per_second": theirs.tokens_per_second,
            "peer_drafted": theirs.drafted,
            "peer_accepted": theirs.accepted,
            "ratio": self.ratio,
        }


def peer_options(ready: Ready, gpu_layers: int) -> PeerOptions:
    """What ours runs with, for the peer. Raises PairRefused where there is no draft to run with."""
    if ready.draft is None:
        raise PairRefused(reason=ready.verdict.reason)
    return PeerOptions(
        target=Path(ready.target.path),
        draft=Path(ready.draft.path),
        n_ctx=ready.n_ctx,
        threads=ready.threads,
        gpu_layers=gpu_layers,
    )


class Duel:
    """The matches so far. ``program``: the peer's file."""

    def __init__(self, peer: Peer, gammas: list[int]) -> None:
        """``gammas``: at which γ to match, those that draft; plain decoding where there is none."""
        self.matches: list[Match] = []
        self._peer = peer
        self._gammas = set(gammas) or {0}
        self._slowest = 0.0

    @property
    def program(self) -> Path:
        return self._peer.program

    def includes(self, task: Task) -> bool:
        """Whether the peer writes this reply too."""
        return task.gamma in self._gammas

    def write(
        self, task: Task, seed: int, max_tokens: int, ask: Callable[[Request], Event]
    ) -> PeerReply:
        """The peer's turn. ``ask`` tells the prompt's tokens. Raises PeerFailed."""
        counted = ask(Count(task.prompt.messages, listed=True))
        assert isinstance(counted, Counted)
        return self._peer.write(
            counted.prompt,
            gamma=task.gamma,
            sampling=Sampling(temperature=task.temperature),
            seed=seed,
            max_tokens=max_tokens,
            patience=_FIRST_PATIENCE + _TIMES_OURS * self._slowest,
        )

    def ran(self, run: Run) -> None:
        """How long ours took is how long the peer may be expected to."""
        self._slowest = max(self._slowest, run.figures.prompt_seconds + run.figures.seconds)

    def keep(self, run: Run, theirs: PeerReply) -> None:
        """One match is over. Where either wrote too little to have a speed, it does not count."""
        if run.figures.tokens > 1 and theirs.tokens_per_second:
            self.matches.append(Match(run, theirs))

    def summary(self) -> list[dict[str, Any]]:
        """One row for each γ, temperature and kind: the median ratio and its range."""
        ordered = sorted(self.matches, key=lambda match: match.run.group)
        return [
            _row(group, list(matches))
            for group, matches in groupby(ordered, key=lambda match: match.run.group)
        ]


def _row(group: tuple[int, float, str], matches: list[Match]) -> dict[str, Any]:
    ratios = [match.ratio for match in matches]
    gamma, temperature, kind = group
    return {
        "gamma": gamma,
        "temperature": temperature,
        "kind": kind,
        "matches": len(matches),
        "ratio": median(ratios),
        "ratio_low": min(ratios),
        "ratio_high": max(ratios),
        "tokens_per_second": median(m.run.figures.tokens_per_second for m in matches),
        "peer_tokens_per_second": median(m.theirs.tokens_per_second for m in matches),
    }
