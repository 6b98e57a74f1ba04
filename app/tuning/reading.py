"""What the curve shows: one kind of text of a tuning, with the γ that is in force. No Qt."""

from __future__ import annotations

from dataclasses import dataclass

from engine.tunings import EVERYDAY, MAX_GAMMA, Curve, Record


@dataclass(frozen=True)
class Reading:
    """A tuning as it is read for one ``kind`` of text, in the chat's way of choosing tokens.

    ``gamma``: in force now.
    """

    record: Record
    temperature: float
    gamma: int
    kind: str = EVERYDAY

    @property
    def curve(self) -> Curve:
        """The kind's, else that of all kinds together, which every tuning has."""
        record = self.record
        found = record.curve(self.kind, self.temperature) or record.curve(EVERYDAY)
        assert found is not None
        return found

    @property
    def best(self) -> int:
        """The best γ of the kind; for all kinds together the recommended one."""
        if self.kind == EVERYDAY:
            return self.record.gamma_at(self.temperature)
        return self.curve.gamma

    @property
    def measured(self) -> dict[int, float]:
        """By γ, the speed-up that was tried in fact."""
        return self.record.tried(self.curve)

    @property
    def passes(self) -> tuple[float, ...]:
        """v(n) by width from 1: what a pass of the target takes, in plain ones."""
        first = self.record.passes[0]
        return tuple(each / first for each in self.record.passes)

    @property
    def spread(self) -> dict[int, tuple[float, float]]:
        """By width, what half of the timings at the least depth lie between, in plain passes."""
        timing = self.record.timings[0]
        first = timing.passes[1]
        return {n: (timing.low[n] / first, timing.high[n] / first) for n in timing.passes}

    def is_timed(self, width: int) -> bool:
        """Whether a pass so wide was timed, rather than read between its neighbours."""
        return width not in self.record.interpolated

    @property
    def survivals(self) -> dict[str, tuple[float, ...]]:
        """By kind, s_1 … s_16: how often the first i drafted tokens all pass."""
        kinds = [*self.record.kinds, EVERYDAY]
        found = {kind: self.record.curve(kind, self.temperature) for kind in kinds}
        return {kind: curve.survival for kind, curve in found.items() if curve is not None}

    def caches(self, gamma: int) -> int:
        """Bytes; plain decoding does without the draft's."""
        return self.record.sizes.caches[gamma > 0]

    def buffers(self, gamma: int) -> int:
        """Bytes."""
        return self.record.sizes.buffers[gamma]


GAMMAS = range(MAX_GAMMA + 1)
