"""Which pair to load: the one last chosen, the starter pair, or a file somebody opens."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from app.sentences import said, translated
from engine.errors import ForewordError, NotGguf
from engine.models import starter
from engine.models.header import Header, read_header
from engine.pairing import verdict
from engine.settings import Settings, models_folder


@dataclass(frozen=True)
class Pair:
    """A target, and the draft that guesses for it, if any."""

    target: Path
    draft: Path | None = None


@dataclass(frozen=True)
class Candidate:
    """A model file and whether it can be used. ``reason`` says why not."""

    path: Path
    title: str
    size: int
    reason: str = ""

    @property
    def ok(self) -> bool:
        return not self.reason


def last_pair(settings: Settings) -> Pair | None:
    """The pair last chosen, else the starter pair; None where neither is there."""
    if settings.target is not None and settings.target.is_file():
        return Pair(settings.target, settings.draft)
    folder = models_folder(settings)
    target = starter.installed(starter.TARGET, folder)
    return Pair(target, starter.installed(starter.DRAFT, folder)) if target else None


def look_at(target: Path, settings: Settings) -> Pair:
    """The pair for a file that was opened: with the first draft at hand that fits it.

    Raises what `read_header` does, and NotGguf for a file that holds no language model.
    """
    header = _usable(target)
    drafts = (settings.draft, starter.installed(starter.DRAFT, models_folder(settings)))
    for draft in filter(None, drafts):
        if draft.resolve() != target.resolve() and not _misfit(header, draft):
            return Pair(target, draft)
    return Pair(target)


def candidates(folder: Path, target: Path | None) -> tuple[list[Candidate], list[Candidate]]:
    """The models in ``folder``, as targets, and as drafts for ``target``."""
    found = [_candidate(path) for path in _ggufs(folder)]
    if target is None:
        return found, []
    drafts = [_as_draft(each, target) for each in found if each.path.resolve() != target.resolve()]
    return found, drafts


def _ggufs(folder: Path) -> Iterator[Path]:
    try:
        paths = sorted(path for path in folder.iterdir() if path.suffix.lower() == ".gguf")
    except OSError:
        return
    yield from (path for path in paths if path.is_file())


def _candidate(path: Path) -> Candidate:
    size = path.stat().st_size
    try:
        return Candidate(path, _usable(path).name or path.stem, size)
    except ForewordError as error:
        return Candidate(path, path.stem, size, _reason(path, error))


def _usable(path: Path) -> Header:
    header = read_header(path)
    if "tokenizer.ggml.model" not in header.metadata:
        raise NotGguf(path=path, reason="it has no vocabulary, so it is no language model")
    if not header.tensors:
        raise NotGguf(path=path, reason="it holds a vocabulary and no weights")
    return header


def _as_draft(each: Candidate, target: Path) -> Candidate:
    if not each.ok:
        return each
    try:
        reason = _misfit(read_header(target), each.path)
    except ForewordError as error:
        reason = error.sentence
    return Candidate(each.path, each.title, each.size, reason)


def _misfit(target: Header, draft: Path) -> str:
    """Why the draft cannot serve, by the two headers alone; "" where it can."""
    try:
        return said(verdict(target.vocabulary(), _usable(draft).vocabulary()).reason)
    except ForewordError as error:
        return _reason(draft, error)


def _reason(path: Path, error: ForewordError) -> str:
    """Why a file cannot be used, without its name, which stands before it already."""
    sentence = translated(error.code, error.sentence)
    return sentence.removeprefix(f"{path} ").removeprefix("is ")
