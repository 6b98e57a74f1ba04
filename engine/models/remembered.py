"""What earlier looks at model files found, by path, size and time: a second scan is quick."""

from __future__ import annotations

import hashlib
import json
import logging
import os
import tempfile
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from engine import __version__, errors, pairing
from engine.models import about, architectures, cursor, header, kinds, lookalikes
from engine.models.about import About
from engine.models.kinds import Kind
from engine.pairing import VocabularyFacts

log = logging.getLogger(__name__)

_DECIDING = (about, architectures, cursor, errors, header, kinds, lookalikes, pairing)
"""The modules that say what a file is, and what is wrong with it."""


@dataclass(frozen=True)
class Problem:
    """What is wrong with a file: an error's code and its sentence."""

    code: str
    sentence: str


Found = About | Problem


class Remembered:
    """The memory of looks, in one file that can be made again at any time.

    Attributes:
        vocabularies: The digests of every vocabulary that was met, for `about`.
    """

    def __init__(self, file: Path | None = None) -> None:
        """Read ``file``; None forgets everything at the end."""
        self.vocabularies: dict[str, tuple[bytes, ...]] = {}
        self._file = file
        self._known: dict[str, tuple[int, int, Found]] = {}
        self._used: set[str] = set()
        self._changed = False
        if file is not None:
            self._read(file)

    def get(self, path: Path, status: os.stat_result) -> Found | None:
        """What was found in the file, if it is still of that size and time."""
        known = self._known.get(str(path))
        if known is None or known[:2] != (status.st_size, status.st_mtime_ns):
            return None
        self._used.add(str(path))
        return known[2]

    def put(self, path: Path, status: os.stat_result, found: Found) -> None:
        """Keep what was found."""
        self._known[str(path)] = (status.st_size, status.st_mtime_ns, found)
        self._used.add(str(path))
        self._changed = True

    def save(self) -> None:
        """Write the file, without what is gone. A folder that refuses costs a slower next scan."""
        if self._file is None or not self._changed:
            return
        kept = {
            path: known
            for path, known in self._known.items()
            if path in self._used or os.path.exists(path)
        }
        try:
            _write(self._file, _as_json(kept, self.vocabularies))
        except OSError as error:
            log.info("What the scan found cannot be kept in %s: %s", self._file, error)
        self._changed = False

    def _read(self, file: Path) -> None:
        try:
            raw = json.loads(file.read_text(encoding="utf-8"))
            if raw["rules"] != rules():
                return  # others may see other things in a file
            vocabularies = _vocabularies(raw["vocabularies"])
            known = {path: _entry(row, vocabularies) for path, row in raw["files"].items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            if not isinstance(error, FileNotFoundError):
                log.info("What earlier scans found cannot be read: %s", error)
            return
        self.vocabularies, self._known = vocabularies, known


def rules() -> str:
    """By which rules files are judged: another release, llama.cpp or state of the sources has
    others. An installation without sources has those of its release."""
    sources = hashlib.sha256()
    for module in _DECIDING:
        with suppress(OSError):
            sources.update(Path(module.__file__ or "").read_bytes())
    return f"{__version__} {architectures.binding()} {sources.hexdigest()[:16]}"


def _as_json(
    known: dict[str, tuple[int, int, Found]], vocabularies: dict[str, tuple[bytes, ...]]
) -> dict[str, Any]:
    # Many files share a vocabulary: each is written once.
    by_digests = {digests: key for key, digests in vocabularies.items()}
    used = {
        found.vocabulary.digests
        for _size, _time, found in known.values()
        if isinstance(found, About) and found.vocabulary
    }
    return {
        "rules": rules(),
        "vocabularies": {
            key: b"".join(digests).hex() for digests, key in by_digests.items() if digests in used
        },
        "files": {
            path: [size, time, _found_as_json(found, by_digests)]
            for path, (size, time, found) in known.items()
        },
    }


def _found_as_json(found: Found, keys: dict[tuple[bytes, ...], str]) -> dict[str, Any]:
    if isinstance(found, Problem):
        return asdict(found)
    facts = found.vocabulary
    row = asdict(replace(found, vocabulary=None))
    if facts is not None:
        row["vocabulary"] = asdict(replace(facts, digests=())) | {
            "digests": keys.get(facts.digests)
        }
    return row


def _vocabularies(raw: dict[str, str]) -> dict[str, tuple[bytes, ...]]:
    split = {}
    for key, text in raw.items():
        whole = bytes.fromhex(text)
        split[key] = tuple(whole[i : i + 16] for i in range(0, len(whole), 16))
    return split


def _entry(row: list[Any], vocabularies: dict[str, tuple[bytes, ...]]) -> tuple[int, int, Found]:
    size, time, raw = row
    if "sentence" in raw:
        return size, time, Problem(**raw)
    facts = raw.pop("vocabulary")
    if facts is not None:
        key = facts.pop("digests")
        digests = vocabularies[key] if key else ()
        facts = VocabularyFacts(**{**facts, "texts": (), "digests": digests})
    split = tuple(raw.pop("split"))
    kind = Kind(raw.pop("kind"))
    return size, time, About(**raw, kind=kind, split=split, vocabulary=facts)


def _write(file: Path, value: dict[str, Any]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f"{file.name}.", dir=file.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as written:
            json.dump(value, written)
        os.replace(name, file)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise
