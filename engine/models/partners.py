"""Which of the models at hand may draft for a target, why the others may not, and what it brings.

All from metadata: nothing is loaded. What drafting brings is a guess until this machine has
measured the pair: weights are read once for each step, so a step takes about as long as its
weights are large, and checking several tokens is taken to cost no more than one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from engine.errors import ForewordError
from engine.models.about import About
from engine.models.header import read_header
from engine.models.kinds import can_rewind
from engine.models.local import LocalModel
from engine.pairing import Verdict, VocabularyFacts, verdict
from engine.speedup import best_gamma, independent_survival, predicted_speed_up

TYPICAL_ALPHA = 0.75
"""Per-token acceptance that a guess assumes."""

_GAMMAS = range(1, 17)


@dataclass(frozen=True)
class Worth:
    """What drafting brings: the speed-up over plain decoding at its best ``gamma``.

    ``measured``: by this machine with this pair; else a guess from sizes, which only what checks
    several tokens as fast as one comes near to.
    """

    speed_up: float
    gamma: int
    measured: bool = False


@dataclass(frozen=True)
class Partner:
    """A model as a draft for the target.

    ``verdict``: whether it may serve and, if not, exactly why; ``worth``: None where it may not.
    """

    model: LocalModel
    verdict: Verdict
    worth: Worth | None = None

    @property
    def ok(self) -> bool:
        return self.verdict.ok


_FITS = Verdict(ok=True)

Measured = Callable[[LocalModel, LocalModel], Worth | None]
"""What this machine has measured of a target and a draft, if it has."""


def of(
    target: LocalModel,
    models: Iterable[LocalModel],
    *,
    measured: Measured = lambda _target, _draft: None,
) -> list[Partner]:
    """Every one of ``models`` as a draft for ``target``: those that fit first, the best at the top.

    Takes a moment for hundreds of models; only where a token differs is a file read, to name it.
    """
    pairing = _Pairing(target)
    partners = []
    for draft in models:
        ruling = pairing.verdict(draft)
        worth = _worth(target, draft, measured) if ruling.ok else None
        partners.append(Partner(draft, ruling, worth))
    return sorted(partners, key=_rank)


def guess(target: About, draft: About) -> Worth:
    """What drafting might bring at best, from the two models' sizes alone; γ 0: nothing."""

    def speed_up(gamma: int) -> float:
        survival = independent_survival(TYPICAL_ALPHA, gamma)
        return predicted_speed_up(survival, draft_cost=cost, pass_cost=1.0)

    cost = draft.bytes_per_token / max(target.bytes_per_token, 1)
    gamma = best_gamma(speed_up, _GAMMAS)
    return Worth(speed_up(gamma) if gamma else 1.0, gamma)


def _worth(target: LocalModel, draft: LocalModel, measured: Measured) -> Worth:
    assert target.about is not None
    assert draft.about is not None
    return measured(target, draft) or guess(target.about, draft.about)


def _rank(partner: Partner) -> tuple[bool, float, str]:
    gain = partner.worth.speed_up if partner.worth else 0.0
    return not partner.ok, -gain, partner.model.name.lower()


class _Pairing:
    """One target and what is known of its fellows; each differing vocabulary is read once."""

    def __init__(self, target: LocalModel) -> None:
        self._target = target
        self._named: dict[tuple[bytes, ...], Verdict] = {}

    def verdict(self, draft: LocalModel) -> Verdict:
        """Whether ``draft`` may serve; of several reasons why not, the plainest."""
        target = self._target
        if draft.path == target.path or (draft.identity and draft.identity == target.identity):
            return _no("itself", "it is the target itself")
        ours, theirs = target.about, draft.about
        if theirs is None or not draft.ok:
            return _no(draft.code, _problem(draft, "it"))
        if ours is None or not target.ok:
            return _no(target.code, _problem(target, "the target"))
        return _rewinding(ours, theirs) or self._misfit(draft) or _too_large(ours, theirs) or _FITS

    def _misfit(self, draft: LocalModel) -> Verdict | None:
        """What pairing says of the outlines and, where a token differs, of the texts themselves."""
        ours, theirs = _vocabulary(self._target), _vocabulary(draft)
        ruling = verdict(ours, theirs)
        if ruling.code == "text":
            if theirs.digests not in self._named:
                self._named[theirs.digests] = self._exact(draft) or ruling
            ruling = self._named[theirs.digests]
        return None if ruling.ok else ruling

    def _exact(self, draft: LocalModel) -> Verdict | None:
        """The verdict that names the token; None where a file cannot be read any more."""
        try:
            return verdict(
                *(read_header(model.path).vocabulary() for model in (self._target, draft))
            )
        except ForewordError:
            return None


def _problem(model: LocalModel, subject: str) -> str:
    if model.about and model.about.why_not:
        return model.about.why_not
    return model.problem.replace(str(model.path), subject, 1).rstrip(".")


def _vocabulary(model: LocalModel) -> VocabularyFacts:
    assert model.about is not None
    assert model.about.vocabulary is not None, "it can chat, so it has words"
    return model.about.vocabulary


def _rewinding(target: About, draft: About) -> Verdict | None:
    for role, found in (("target", target), ("draft", draft)):
        if not can_rewind(found.architecture, one_by_one=role == "draft"):
            memory = f"the {role}'s memory ({found.architecture})"
            return _no("cannot-rewind", f"{memory} cannot take back a rejected token")
    return None


def _too_large(target: About, draft: About) -> Verdict | None:
    if guess(target, draft).gamma:
        return None
    if draft.bytes_per_token > target.bytes_per_token:
        return _no("too-large", "it is larger than the target, so it would only slow it down")
    return _no("too-large", "it is not much smaller than the target, so it would save no time")


def _no(code: str, reason: str) -> Verdict:
    return Verdict(ok=False, code=code, reason=reason)
