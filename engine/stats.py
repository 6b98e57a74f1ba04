"""What a reply counted and timed. The definitions are those of docs/speculative-decoding.md."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

from engine.accept import Source, Token


class End(StrEnum):
    """Why a reply is over."""

    END = "end"
    """The model said so: an end-of-generation token."""
    STOP = "stop"
    """A stop string."""
    LENGTH = "length"
    """``max_tokens`` or the context's end."""
    STOPPED = "stopped"
    """The user."""


@dataclass(frozen=True, slots=True)
class PromptProgress:
    """How much of the prompt is read, in tokens of both models together.

    ``done`` of ``total``, and the seconds this step took; ``draft_seconds`` of them were the
    draft's, and ``draft_read`` of its tokens."""

    done: int
    total: int
    seconds: float
    draft_seconds: float
    draft_read: int = 0


@dataclass(frozen=True, slots=True)
class Round:
    """One draft-verify-accept cycle. Times in seconds of the lane's own clock.

    ``tokens``: what was emitted, after cutting at an end; ``drafted``: γ of this round; ``end``:
    why the reply is over, or None."""

    tokens: list[Token]
    drafted: int
    seconds: float
    draft_seconds: float
    verify_seconds: float
    end: End | None = None

    @property
    def accepted(self) -> int:
        return sum(token.source is Source.ACCEPTED for token in self.tokens)

    @property
    def rejected(self) -> int:
        """1 when a drafted token was tested and failed; what came after it was never tested."""
        return sum(token.source is Source.CORRECTED for token in self.tokens)

    @property
    def other_seconds(self) -> float:
        """Everything but the two models' passes: sampling, acceptance, text, our own overhead."""
        return self.seconds - self.draft_seconds - self.verify_seconds


@dataclass
class Figures:
    """Sums over the rounds of one reply, and what follows from them.

    ``prompt_reused``, ``prompt_evaluated``: tokens of the prompt that were in memory already, and
    that were read, by both models together; ``draft_prompt_evaluated``: the draft's share of these.
    """

    gamma: int = 0
    tokens: int = 0
    rounds: int = 0
    drafted: int = 0
    accepted: int = 0
    rejected: int = 0
    seconds: float = 0.0
    draft_seconds: float = 0.0
    verify_seconds: float = 0.0
    prompt_tokens: int = 0
    prompt_reused: int | None = None
    prompt_evaluated: int = 0
    draft_prompt_evaluated: int = 0
    prompt_seconds: float = 0.0
    draft_prompt_seconds: float = 0.0
    first_token_seconds: float = 0.0
    tested_by_position: list[int] = field(default_factory=list)
    accepted_by_position: list[int] = field(default_factory=list)

    def read(self, progress: PromptProgress) -> None:
        """Count one step of reading the prompt; the first one tells what was reused."""
        if self.prompt_reused is None:
            self.prompt_reused = progress.done
        self.prompt_evaluated = progress.done - self.prompt_reused
        self.prompt_seconds += progress.seconds
        self.draft_prompt_seconds += progress.draft_seconds
        self.draft_prompt_evaluated += progress.draft_read

    def add(self, round_: Round) -> None:
        """Count one more round."""
        if self.rounds == 0:
            self.first_token_seconds = self.prompt_seconds + round_.seconds
        self.rounds += 1
        self.gamma = max(self.gamma, round_.drafted)
        self.tokens += len(round_.tokens)
        self.drafted += round_.drafted
        self.accepted += round_.accepted
        self.rejected += round_.rejected
        self.seconds += round_.seconds
        self.draft_seconds += round_.draft_seconds
        self.verify_seconds += round_.verify_seconds
        self._count_positions(round_)

    def _count_positions(self, round_: Round) -> None:
        tested = round_.accepted + round_.rejected
        missing = tested - len(self.tested_by_position)
        self.tested_by_position.extend([0] * missing)
        self.accepted_by_position.extend([0] * missing)
        for i in range(tested):
            self.tested_by_position[i] += 1
            self.accepted_by_position[i] += i < round_.accepted

    @property
    def target_prompt_evaluated(self) -> int:
        """Tokens of the prompt that the target read: what was new to it."""
        return self.prompt_evaluated - self.draft_prompt_evaluated

    @property
    def other_seconds(self) -> float:
        return self.seconds - self.draft_seconds - self.verify_seconds

    @property
    def tokens_per_second(self) -> float:
        """Emitted ÷ time generating; the prompt is excluded and shown apart."""
        return _ratio(self.tokens, self.seconds)

    @property
    def acceptance_rate(self) -> float:
        """Accepted ÷ drafted."""
        return _ratio(self.accepted, self.drafted)

    @property
    def alpha(self) -> float:
        """Accepted ÷ (accepted + rejected): per token that was tested."""
        return _ratio(self.accepted, self.accepted + self.rejected)

    @property
    def tokens_per_round(self) -> float:
        """Emitted ÷ rounds, between 1 and γ + 1."""
        return _ratio(self.tokens, self.rounds)

    @property
    def other_share(self) -> float:
        """The part of the time that neither model computed in."""
        return _ratio(self.other_seconds, self.seconds)

    def survival(self) -> list[float]:
        """s_i, the chance that the first i drafted tokens all pass; index 0 is i = 1.

        A product of per-position rates, so that rounds cut short at an end do not bias it.
        """
        chances, chance = [], 1.0
        for accepted, tested in zip(
            self.accepted_by_position, self.tested_by_position, strict=True
        ):
            chance *= _ratio(accepted, tested)
            chances.append(chance)
        return chances

    def as_dict(self) -> dict[str, Any]:
        """Counts, times and derived figures, ready for JSON."""
        derived = (
            "other_seconds",
            "tokens_per_second",
            "acceptance_rate",
            "alpha",
            "tokens_per_round",
            "other_share",
        )
        return asdict(self) | {name: getattr(self, name) for name in derived}


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else 0.0
