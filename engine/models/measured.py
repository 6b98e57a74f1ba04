"""What this machine has measured of the pairs at hand: stored tunings, found by files' contents."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from engine import tunings
from engine.errors import ForewordError
from engine.models.local import LocalModel
from engine.models.partners import Worth
from engine.tunings import Record


class Tuned:
    """The newest stored tuning of each pair, its draft recast or not: call it as
    `partners.Measured`.

    Files are told apart by their contents, which is read only where some tuning may be theirs.
    """

    def __init__(self, records: Iterable[Record] | None = None) -> None:
        self._records: dict[tuple[str, str], Record] = {}
        self._identities: dict[Path, str] = {}
        for record in sorted(_stored() if records is None else records, key=lambda each: each.at):
            self._records[record.key.target, record.key.draft] = record

    def __call__(self, target: LocalModel, draft: LocalModel) -> Worth | None:
        """What drafting brought with this pair; None where it was never tuned."""
        if not self._records:
            return None
        ours = self._identity(target.path)
        if not any(known == ours for known, _draft in self._records):
            return None
        record = self._records.get((ours, self._identity(draft.path)))
        return _worth(record) if record else None

    def _identity(self, path: Path) -> str:
        if path not in self._identities:
            self._identities[path] = ""
            with suppress(ForewordError):
                self._identities[path] = tunings.identity(path)
        return self._identities[path]


def _stored() -> Iterable[Record]:
    try:
        binding = version("llama-cpp-python")
    except PackageNotFoundError:
        return ()
    return tunings.every(tunings.versions(binding, on_gpu=False))


def _worth(record: Record) -> Worth:
    everyday = record.curve()
    speed_up = everyday.speed_up[record.gamma] if everyday else 1.0
    return Worth(speed_up, record.gamma, measured=True)
