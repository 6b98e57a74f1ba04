"""What a tuning found, and where it is kept: a file for each pair, device and way of loading.

Whatever cannot be read, or was measured with other versions, is not used. Nothing here needs
llama.cpp.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import platform
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine import __version__, paths
from engine.errors import FileUnreadable
from engine.models.header import read_header
from engine.plain import Mismatch, plain, reader
from engine.sampling import Sampling
from engine.speedup import Pace

log = logging.getLogger(__name__)

EVERYDAY = "all"
"""The kind that stands for all kinds of text together, each writing equally much."""

MAX_GAMMA = 16

_FORMAT = 2
_MOST_THREADS = 512  # ggml ends the process at more (GGML_MAX_N_THREADS)
_BEYOND = 1e4  # no pass takes so many seconds, no draft makes so many times as fast
_SAMPLES, _SAMPLE = 64, 1 << 16
_NVIDIA = Path("/sys/module/nvidia/version")


@dataclass(frozen=True)
class Key:
    """What a tuning holds for.

    ``target``, ``draft``: identities of the files' contents; ``layers``: of each on the GPU;
    ``threads``: how many were loaded with, and ``is_auto``: the engine's choice; ``recast``:
    whether the draft's weights were its recast copy's.
    """

    target: str
    draft: str
    devices: tuple[str, ...]
    layers: tuple[int, int]
    threads: int
    is_auto: bool
    n_ctx: int
    recast: bool

    @property
    def path(self) -> Path:
        """Its file."""
        text = json.dumps(plain(self), sort_keys=True)
        name = hashlib.sha256(text.encode()).hexdigest()[:32]
        return paths.cache_folder() / "tunings" / f"{name}.json"


@dataclass(frozen=True)
class Versions:
    """What it was measured with: another one of any of these may be faster or slower."""

    foreword: str
    llama: str
    driver: str


@dataclass(frozen=True)
class Timing:
    """Seconds at ``depth`` tokens, each the median of ``samples``.

    ``passes``, ``low``, ``high``: of the target by width, and what half of the samples lie between.
    """

    depth: int
    samples: int
    draft_step: float
    catch_up: float
    passes: dict[int, float]
    low: dict[int, float]
    high: dict[int, float]


@dataclass(frozen=True)
class Overhead:
    """The engine's own seconds at one temperature: ``step`` in a plain round, ``row`` for each
    further row of logits."""

    temperature: float
    step: float
    row: float


@dataclass(frozen=True)
class Curve:
    """What drafting does for one kind of text at one temperature.

    Rows by γ from 0: ``tokens_per_round`` E, ``speed_up`` S as predicted, and ``low`` to ``high``,
    its band, in which it lies nine times in ten. ``survival``: s_1 … s_16; ``tokens``: of plain
    replies that it was counted on; ``gamma``: the best, 0 where drafting does not pay.
    """

    kind: str
    temperature: float
    tokens: int
    survival: tuple[float, ...]
    tokens_per_round: tuple[float, ...]
    speed_up: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    gamma: int


@dataclass(frozen=True)
class Point:
    """γ tried in fact, on the replies of one kind: its speed-up ``measured``, and as predicted."""

    kind: str
    temperature: float
    gamma: int
    tokens: int
    predicted: float
    measured: float


@dataclass(frozen=True)
class Sizes:
    """Bytes against γ: ``caches`` of plain decoding and of drafting at the chosen context,
    ``buffers`` by γ from 0."""

    caches: tuple[int, int]
    buffers: tuple[int, ...]


@dataclass(frozen=True)
class Record:
    """What a tuning found.

    ``gamma``: for everyday use at ``temperature``; ``at``: when, as ISO 8601; ``took``: seconds;
    ``passes``: target passes by width 1 … 17, ``interpolated``: widths among them that were not
    timed; ``scale``: how much faster drafting was in fact than its parts say; ``threads``: the best
    number, ``by_threads``: seconds of a token with each that was tried; ``curves``: one for each
    kind and temperature, EVERYDAY among them; ``checks``: the best γ tried in fact; ``sweep``:
    every γ, where that was asked for.
    """

    key: Key
    versions: Versions
    at: str
    took: float
    is_quick: bool
    temperature: float
    gamma: int
    threads: int
    by_threads: dict[int, float]
    timings: tuple[Timing, ...]
    draft_step: float
    catch_up: float
    passes: tuple[float, ...]
    interpolated: tuple[int, ...]
    overheads: tuple[Overhead, ...]
    scale: float
    curves: tuple[Curve, ...]
    checks: tuple[Point, ...]
    sweep: tuple[Point, ...]
    sizes: Sizes

    @property
    def kinds(self) -> list[str]:
        """The kinds of text, in the order they were tried."""
        return [name for name in dict.fromkeys(c.kind for c in self.curves) if name != EVERYDAY]

    def curve(self, kind: str = EVERYDAY, temperature: float | None = None) -> Curve | None:
        """The curve of a kind: greedy where the temperature is 0, else the sampled one.

        Where only one way was tried, that one's. None for a kind that was not.
        """
        ours = [each for each in self.curves if each.kind == kind]
        wanted = self.temperature if temperature is None else temperature
        alike = [each for each in ours if (each.temperature > 0) == (wanted > 0)]
        return next(iter(alike or ours), None)

    def tried(self, curve: Curve) -> dict[int, float]:
        """By γ, the speed-up of ``curve``, one of ours, as it was found by running it."""
        return tried(self.sweep or self.checks, curve, self.scale)

    def gamma_at(self, temperature: float) -> int:
        """The γ for everyday use at ``temperature``."""
        if temperature == self.temperature:
            return self.gamma
        curve = self.curve(temperature=temperature)
        return curve.gamma if curve else self.gamma

    def pace(self, temperature: float | None = None) -> Pace:
        """What rounds take."""
        wanted = self.temperature if temperature is None else temperature
        alike = [each for each in self.overheads if (each.temperature > 0) == (wanted > 0)]
        own = (alike or list(self.overheads))[0]
        return Pace(self.draft_step, self.passes, self.catch_up, own.step, own.row, self.scale)

    def as_dict(self) -> dict[str, Any]:
        """For JSON; times in seconds."""
        kinds = {
            each.kind: each.gamma
            for each in self.curves
            if each.kind != EVERYDAY and each.temperature == self.temperature
        }
        everyday = self.curve()
        expected = everyday.speed_up[self.gamma] if everyday else 1.0
        recommended = {
            "gamma": self.gamma,
            "temperature": self.temperature,
            "speed_up": expected,
            "threads": self.threads,
            "by_kind": kinds,
        }
        found: dict[str, Any] = plain(self)
        return {"recommended": recommended} | found


def tried(points: Iterable[Point], curve: Curve, scale: float) -> dict[int, float]:
    """By γ, the speed-up of a curve's text as ``points`` have it.

    For all kinds together, of which only some were run: the curve's, times by how much these were
    faster than predicted for them. ``scale``: of the curve; what a point has as predicted is not
    scaled.
    """
    ours = [
        point
        for point in points
        if curve.kind in (EVERYDAY, point.kind)
        and (point.temperature > 0) == (curve.temperature > 0)
    ]
    found = {}
    for gamma in dict.fromkeys(point.gamma for point in ours):
        run = [point for point in ours if point.gamma == gamma]
        speed = len(run) / sum(1 / point.measured for point in run)
        if curve.kind == EVERYDAY and gamma:  # γ = 0 is as fast as itself, whatever was scaled
            foretold = len(run) / sum(1 / point.predicted for point in run)
            speed *= curve.speed_up[gamma] / (scale * foretold)
        found[gamma] = speed
    return found


def temperature_of(sampling: Sampling) -> float:
    """0 for every way of always taking the likeliest token."""
    return 0.0 if sampling.greedy else sampling.temperature


def find(key: Key, versions: Versions) -> tuple[Record | None, str]:
    """The tuning kept for ``key``, and a sentence where there is one that cannot be used.

    Where there is none: None and "".
    """
    try:
        content = json.loads(key.path.read_text(encoding="utf-8"))
        if isinstance(content, dict) and content.pop("format", None) != _FORMAT:
            return None, _stale("an earlier version of Foreword")
        record = _whole(reader(Record)(content))
    except FileNotFoundError:
        return None, ""
    except (OSError, ValueError, RecursionError, Mismatch) as error:
        log.warning("The tuning %s cannot be read: %s", key.path, type(error).__name__)
        return None, "The stored tuning of this pair cannot be read. Tune again to know its best γ."
    if record.versions != versions:
        return None, _stale(_difference(record.versions, versions))
    return (record, "") if record.key == key else (None, "")


def every(now: Versions) -> Iterator[Record]:
    """All tunings that can be read and were measured with these versions; drivers may differ."""
    for path in sorted((paths.cache_folder() / "tunings").glob("*.json")):
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
            if content.pop("format", None) != _FORMAT:
                continue
            record = _whole(reader(Record)(content))
        except (OSError, ValueError, TypeError, AttributeError, RecursionError, Mismatch) as error:
            log.info("The tuning %s cannot be read: %s", path, type(error).__name__)
            continue
        if (record.versions.foreword, record.versions.llama) == (now.foreword, now.llama):
            yield record


def _whole(record: Record) -> Record:
    """The record, if every γ is in all of it, and all can have been measured. Raises Mismatch."""
    rows = [record.passes, record.sizes.buffers]
    rows += [row for c in record.curves for row in (c.tokens_per_round, c.speed_up, c.low, c.high)]
    points = (*record.checks, *record.sweep)
    chosen = [record.gamma, *(c.gamma for c in record.curves), *(p.gamma for p in points)]
    is_whole = all(len(row) == MAX_GAMMA + 1 for row in rows)
    is_whole &= all(0 <= gamma <= MAX_GAMMA for gamma in chosen)
    is_whole &= all(len(curve.survival) == MAX_GAMMA for curve in record.curves)
    times = [record.draft_step, *record.passes]
    ratios = [record.scale, *(x for point in points for x in (point.measured, point.predicted))]
    ratios += [speed_up for curve in record.curves for speed_up in curve.speed_up]
    is_whole &= all(0 < number < _BEYOND for number in (*times, *ratios))
    is_whole &= 1 <= record.threads <= _MOST_THREADS
    if not (is_whole and record.overheads and record.curve()):
        raise Mismatch("whole")
    return record


def _stale(what: str) -> str:
    return (
        f"The stored tuning of this pair was measured with {what} and is not used. "
        "Tune again to know its best γ."
    )


def _difference(then: Versions, now: Versions) -> str:
    if then.llama != now.llama:
        return then.llama
    if then.driver != now.driver:
        return f"another driver ({then.driver})"
    return f"Foreword {then.foreword}"


def keep(record: Record) -> None:
    """Store it, in place of an earlier one. Raises OSError where the folder refuses."""
    path = record.key.path
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps({"format": _FORMAT} | plain(record), allow_nan=False)
    handle, name = tempfile.mkstemp(prefix=path.name, dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(name, path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise


def versions(llama: str, *, on_gpu: bool) -> Versions:
    """Those at work now. ``llama``: the binding's; the driver counts where a GPU computes."""
    return Versions(__version__, f"llama-cpp-python {llama}", _driver() if on_gpu else "")


def _driver() -> str:
    """NVIDIA's where it is loaded; elsewhere drivers come with the system."""
    try:
        return f"NVIDIA {_NVIDIA.read_text().strip()}"
    except OSError:
        return f"{platform.system()} {platform.release()}"


def identity(path: Path) -> str:
    """What tells a model's contents from another's, whatever the file is called.

    A digest of the header, the size and samples of the weights: two fine-tunes differ in nearly
    all of them. Raises as read_header does.
    """
    header = read_header(path)
    digest = hashlib.sha256(str(header.file_size).encode())
    try:
        with path.open("rb") as file:
            digest.update(file.read(min(header.data_offset, 1 << 24)))
            room = max(header.file_size - header.data_offset - _SAMPLE, 0)
            for i in range(_SAMPLES):
                file.seek(header.data_offset + room * i // (_SAMPLES - 1))
                digest.update(file.read(_SAMPLE))
    except OSError as error:
        raise FileUnreadable(path=path, reason=error.strerror or str(error)) from error
    return digest.hexdigest()[:32]
