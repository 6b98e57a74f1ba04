"""``foreword models``: what is on this machine, and what can be fetched."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path

from rich.table import Table

from engine.errors import ForewordError
from engine.models import download, starter
from engine.models.arriving import ModelFile, size_in_words
from engine.models.header import Header, read_header
from engine.terminal.fetching import agree, fetch_all
from engine.terminal.screen import JsonTarget, Screen, safe

KNOWN = (*starter.STARTER_PAIR, starter.SMALL)
SETS = {"starter": starter.STARTER_PAIR, "small": (starter.SMALL,)}


@dataclass(frozen=True)
class Listed:
    """A model file that we know, or one that lies in the models folder.

    Attributes:
        name: Of the file.
        title: Of the model.
        role: "target", "draft" or "test" of the starter files, "" of others.
        size: In bytes, of the whole file.
        path: Where it lies or would lie.
        ok: Whether it can be used.
        reason: Why not.
        here: Bytes that are on the disk.
    """

    name: str
    title: str
    role: str
    size: int
    path: str
    ok: bool
    reason: str
    here: int


def list_models(folder: Path) -> list[Listed]:
    """The starter files, there or not, then every other GGUF in ``folder``."""
    known = [_known(file, folder) for file in KNOWN]
    names = {file.name for file in KNOWN}
    return known + [_found(path) for path in ggufs(folder) if path.name not in names]


def ggufs(folder: Path) -> list[Path]:
    """The .gguf files of ``folder``; none where it cannot be read."""
    try:
        found = [path for path in folder.iterdir() if path.suffix.lower() == ".gguf"]
    except OSError:
        return []
    return sorted(path for path in found if path.is_file())


def _known(file: ModelFile, folder: Path) -> Listed:
    here = file.size - download.missing(file, folder)
    ok = starter.installed(file, folder) is not None
    reason = "" if ok else "not fetched yet"
    if 0 < here < file.size:
        reason = f"{100 * here // file.size} % fetched"
    path = str(folder / file.name)
    return Listed(file.name, file.title, file.role, file.size, path, ok, reason, here)


def _found(path: Path) -> Listed:
    title, reason, size = path.stem, "", path.stat().st_size
    try:
        header = read_header(path)
        title, reason = header.name, _unusable(header)
    except ForewordError as error:
        reason = error.sentence.removeprefix(f"{path} ").removeprefix("is ")
    return Listed(path.name, title, "", size, str(path), not reason, reason, size)


def _unusable(header: Header) -> str:
    if "tokenizer.ggml.model" not in header.metadata:
        return "it has no vocabulary, so it is no language model"
    return "" if header.tensors else "it holds a vocabulary and no weights"


def show(screen: Screen, folder: Path, to: JsonTarget | None) -> int:
    """List the models, as a table or as JSON."""
    models = list_models(folder)
    if to:
        to.write({"folder": str(folder), "models": [asdict(model) for model in models]})
        return 0
    table = Table(box=None, pad_edge=False, header_style="bold")
    for title in ("model", "for", "size", "state", "file"):
        table.add_column(title, justify="right" if title == "size" else "left", overflow="fold")
    for model in models:
        state = "installed" if model.ok and model.role else model.reason or "ok"
        size = size_in_words(model.size)
        cells = (safe(model.title), model.role or "yours", size, state, safe(model.name))
        table.add_row(*cells, style="" if model.ok else "dim")
    screen.out.print(f"Models in {folder}", markup=False, highlight=False, soft_wrap=True)
    screen.out.print(table)
    if not all(model.ok for model in models if model.role in ("target", "draft")):
        screen.line("`foreword models fetch` brings the starter pair.", "dim")
    return 0


def fetch(
    screen: Screen,
    name: str,
    folder: Path,
    *,
    sure: bool,
) -> int:
    """Fetch one of SETS, as far as it is missing; 1 where the user declines."""
    files = [file for file in SETS[name] if not starter.installed(file, folder)]
    for file in SETS[name]:
        if file not in files:
            screen.say(f"{file.title} is here: {folder / file.name}")
    if not files:
        return 0
    if not agree(screen, files, folder, sure=sure):
        screen.say("Nothing was fetched.")
        return 1
    fetch_all(screen, files, folder)
    return 0
