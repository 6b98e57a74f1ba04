"""The models on this machine: where each lies, what it is, and what is wrong with it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from engine import paths
from engine.errors import (
    FileIsFolder,
    FileMissing,
    FileUnreadable,
    ForewordError,
    HeaderTooLarge,
    NotForChat,
    ShardComing,
    ShardMisnamed,
    ShardMissing,
)
from engine.models.about import About, about, joined
from engine.models.header import read_header
from engine.models.item import coming
from engine.models.remembered import Found, Problem, Remembered
from engine.models.shards import shard_in
from engine.models.stores import Lying, Origin, Place

# May be right at the next look though the file is the same: permissions, a disk that was away.
_PASSING = frozenset(
    {FileMissing.code, FileIsFolder.code, FileUnreadable.code, HeaderTooLarge.code}
)


@dataclass(frozen=True)
class LocalModel:
    """A model that lies on this machine, in one file or several.

    Attributes:
        path: The file to load: the only one, or the first part.
        files: Its files, as far as they are there.
        name: A short name to call it by: the file's without its ending, or the one that Ollama
            gave it ("llama3.2:1b").
        origin: Whose place it lies in; only `Origin.OURS` is ever written to.
        size: Bytes of its files.
        about: What it is; None where it cannot be read.
        code: Of the error that says why it cannot be used, "" where it can be.
        problem: That error's sentence; "" where it can be used.
        identity: The same for two paths to the same files; empty where nobody can say.
    """

    path: Path
    files: tuple[Path, ...]
    name: str
    origin: Origin
    size: int
    about: About | None
    code: str = ""
    problem: str = ""
    identity: frozenset[tuple[int, int]] = field(default=frozenset(), repr=False, compare=False)

    @property
    def ok(self) -> bool:
        """Whether it can be a target or a draft."""
        return not self.problem

    @property
    def damaged(self) -> bool:
        """Whether it is broken or out of reach, rather than made for another purpose."""
        return self.about is None

    @property
    def title(self) -> str:
        """The name its maker gave it, or its short one."""
        return self.about.title if self.about else self.name

    @property
    def reason(self) -> str:
        """The problem without the file's name, for a list that shows it anyway."""
        return self.problem.removeprefix(f"{self.path} ").removeprefix("is ")


@dataclass(frozen=True)
class Scan:
    """What was found. ``notes``: a sentence for each place that could not be read."""

    models: tuple[LocalModel, ...]
    notes: tuple[str, ...] = ()


def scan(
    places: Iterable[Place],
    *,
    memory: Remembered | None = None,
    progress: Callable[[int, str], None] = lambda _done, _name: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Scan:
    """Every model in ``places``, each once, the usable ones of each place first.

    Takes about 0.1 s for each file that was not seen before, and next to nothing for the others.

    Args:
        places: Where to look, see `stores.places`.
        memory: What earlier scans found; what this one finds is added and kept.
        progress: Told the number of files looked at and the name of the next, on this thread.
        cancelled: Asked before each file whether to stop; what was found until then is returned.
    """
    memory = Remembered(cache_file()) if memory is None else memory
    looking = _Looking(memory, progress, cancelled)
    models: list[LocalModel] = []
    try:
        for place in places:
            lying = place.files(looking.notes.append, cancelled)
            models += sorted(looking.models(lying, place.origin), key=_usable_first)
    finally:
        memory.save()  # a Ctrl-C must not cost what a long first scan has read
    return Scan(tuple(models), tuple(looking.notes))


def look_at(named: Iterable[Path], *, memory: Remembered | None = None) -> Scan:
    """The models that files or folders hold which somebody named, dropped or opened.

    A part of a split model stands for the whole. A file is looked at whatever its name ends in.
    """
    memory = Remembered(cache_file()) if memory is None else memory
    looking = _Looking(memory)
    models: list[LocalModel] = []
    for path in named:
        path = path.absolute()
        if os.path.isdir(path):
            below = Place(Origin.NAMED, path).files(looking.notes.append)
            models += looking.models(below, Origin.NAMED)
        else:
            models += looking.models(map(Lying, _with_other_parts(path)), Origin.NAMED)
    memory.save()
    return Scan(tuple(models), tuple(looking.notes))


def check_file(path: Path, *, memory: Remembered | None = None) -> LocalModel:
    """The one model that ``path`` is, or is a part of; a folder is a problem here."""
    looking = _Looking(Remembered(None) if memory is None else memory)
    return next(looking.models(map(Lying, _with_other_parts(path.absolute())), Origin.NAMED))


def _usable_first(model: LocalModel) -> tuple[bool, bool, str]:
    return not model.ok, model.damaged, model.name.lower()


def cache_file() -> Path:
    """Where scans remember what they found."""
    return paths.cache_folder() / "models.json"


class _Looking:
    """One look around: what it has met so far, so that nothing is told twice."""

    def __init__(
        self,
        memory: Remembered,
        progress: Callable[[int, str], None] = lambda _done, _name: None,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> None:
        self.notes: list[str] = []
        self._memory = memory
        self._progress = progress
        self._cancelled = cancelled
        self._done = 0
        self._met: set[object] = set()

    def models(self, lying: Iterable[Lying], origin: Origin) -> Iterator[LocalModel]:
        """The models that files make, those that were met elsewhere left out."""
        for parts in _grouped(lying):
            if self._cancelled():
                return
            model = self._model(parts, origin)
            same = model.identity or tuple(map(_real, model.files))
            if same in self._met:
                continue
            self._met.add(same)
            yield model

    def _model(self, parts: Sequence[Lying], origin: Origin) -> LocalModel:
        files = tuple(part.path for part in parts)
        statuses = [status for status in map(_status, files) if status]
        found = _together(files, [self._look(path) for path in files])
        problem = found if isinstance(found, Problem) else _refused(files[0], found)
        return LocalModel(
            path=files[0],
            files=files,
            name=parts[0].name or _short(files[0]),
            origin=origin,
            size=sum(status.st_size for status in statuses),
            about=found if isinstance(found, About) else None,
            code=problem.code if problem else "",
            problem=problem.sentence if problem else "",
            identity=_identity(statuses),
        )

    def _look(self, path: Path) -> Found:
        self._progress(self._done, path.name)
        self._done += 1
        status = _status(path)
        known = self._memory.get(path, status) if status else None
        if known is not None:
            return known
        found: Found
        try:
            found = about(read_header(path), self._memory.vocabularies)
        except FileMissing as error:
            dangling = FileUnreadable(path=path, reason="the link leads nowhere")
            found = _problem(dangling if os.path.islink(path) else error)
        except ForewordError as error:
            found = _problem(error)
        except MemoryError:
            found = _problem(HeaderTooLarge(path=path))
        if status and not (isinstance(found, Problem) and found.code in _PASSING):
            self._memory.put(path, status, found)
        return found


def _problem(error: ForewordError) -> Problem:
    return Problem(error.code, error.sentence)


def _refused(path: Path, found: About) -> Problem | None:
    return _problem(NotForChat(path=path, reason=found.why_not)) if found.why_not else None


def _identity(statuses: Sequence[os.stat_result]) -> frozenset[tuple[int, int]]:
    """The files' numbers; none where their disk gives none, as some network drives on Windows."""
    if not all(status.st_ino for status in statuses):
        return frozenset()
    return frozenset((status.st_dev, status.st_ino) for status in statuses)


def _real(path: Path) -> str:
    try:
        return os.path.realpath(path)
    except (OSError, ValueError):  # as below
        return str(path)


def _status(path: Path) -> os.stat_result | None:
    try:
        return os.stat(path)
    except (OSError, ValueError):  # ValueError: a zero byte in the name
        return None


# Parts of split models ---------------------------------------------------------------------------


def _grouped(lying: Iterable[Lying]) -> Iterator[list[Lying]]:
    """Files that belong together; each group as soon as its folder was read."""
    groups: dict[object, list[Lying]] = {}
    folder = None
    for each in lying:
        if each.path.parent != folder:
            yield from map(_once, groups.values())
            groups, folder = {}, each.path.parent
        shard = shard_in(each.path.name)
        key = (shard.stem, shard.count) if shard else (each.path, each.name)
        groups.setdefault(key, []).append(each)
    yield from map(_once, groups.values())


def _once(parts: list[Lying]) -> list[Lying]:
    """Each part once, though a copy of it lies there as "….GGUF": llama.cpp looks for "….gguf"."""
    names = {part.path.name for part in parts}
    return [
        part
        for part in parts
        if part.path.suffix == ".gguf" or part.path.with_suffix(".gguf").name not in names
    ]


def _with_other_parts(path: Path) -> list[Path]:
    """The file and, where it is a part of a split model, the other parts that are there."""
    shard = shard_in(path.name)
    if shard is None:
        return [path]
    numbered = (
        path.with_name(f"{shard.stem}-{number:05d}-of-{shard.count:05d}{path.suffix}")
        for number in range(1, min(shard.count, 1000) + 1)
    )
    return [other for other in numbered if other == path or os.path.isfile(other)] or [path]


def _together(files: Sequence[Path], looks: Sequence[Found]) -> Found:
    """What files that belong together are, or what is wrong with the first that is not right."""
    parts = []
    for look in looks:
        if isinstance(look, Problem):
            return look
        parts.append(look)
    return _misplaced(files, parts) or joined(parts)


def _misplaced(files: Sequence[Path], parts: Sequence[About]) -> Problem | None:
    """What is wrong with a set of parts, each of which is whole."""
    named = [shard_in(file.name) for file in files]
    expected = [(shard.number, shard.count) if shard else (1, 1) for shard in named]
    count = expected[0][1]
    for number in range(1, count + 1):
        if (number, count) not in expected:
            return _lacking(files[0], number, count)
    for file, place, part in zip(files, expected, parts, strict=True):
        if part.split != place:
            number, count = part.split
            return _problem(ShardMisnamed(path=file, number=number, count=count))
    return None


def _lacking(there: Path, number: int, count: int) -> Problem:
    """That a part is not there, or not yet."""
    shard = shard_in(there.name)
    name = shard and f"{shard.stem}-{number:05d}-of-{count:05d}.gguf"
    is_coming = name in {file.name for file in coming(there.parent)}
    kind = ShardComing if is_coming else ShardMissing
    return _problem(kind(path=there, number=number, count=count))


def _short(path: Path) -> str:
    shard = shard_in(path.name)
    if shard:
        return shard.stem
    return path.stem if path.suffix.lower() == ".gguf" else path.name
