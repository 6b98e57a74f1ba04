"""Where models may lie already: our own folder, the user's, and the stores of other programs.

The stores are read and never written. Where each program keeps its files:
the Hugging Face Hub's library: huggingface.co/docs/huggingface_hub, "Understand caching";
LM Studio: lmstudio.ai/docs, "Import models", and lmstudio-js, ``findLMStudioHome``;
Ollama: github.com/ollama/ollama, ``docs/faq`` and ``manifest``.
"""

from __future__ import annotations

import glob
import json
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from engine import paths
from engine.models import walk
from engine.settings import Settings, models_folder

Trouble = Callable[[str], None]
"""Told a sentence for each part of a place that cannot be read."""

Cancelled = Callable[[], bool]


class Origin(StrEnum):
    """Whose place a model lies in."""

    OURS = "models folder"
    ADDED = "your folder"
    HUB = "Hugging Face cache"
    LM_STUDIO = "LM Studio"
    OLLAMA = "Ollama"
    NAMED = "named"


_OTHERS = (Origin.LM_STUDIO, Origin.HUB, Origin.OLLAMA)


@dataclass(frozen=True)
class Lying:
    """A file that lies in a place. ``name``: what the place calls the model; "" the file's own."""

    path: Path
    name: str = ""


@dataclass(frozen=True)
class Place:
    """A folder that models lie in.

    Attributes:
        origin: Whose it is.
        folder: Where.
        wanted: Whether the user chose it, so that its absence is worth a sentence.
    """

    origin: Origin
    folder: Path
    wanted: bool = False

    def files(self, trouble: Trouble, cancelled: Cancelled = lambda: False) -> Iterator[Lying]:
        """What lies there, as far as it can be read."""
        try:
            os.scandir(self.folder).close()
        except (FileNotFoundError, NotADirectoryError, ValueError):  # the last: no path at all
            if self.wanted:
                trouble(f"There is no folder at {self.folder}.")
        except OSError as error:
            if self.origin not in _OTHERS:  # whose stores may be closed to this user
                trouble(f"The folder {self.folder} cannot be read ({error.strerror or error}).")
        else:
            yield from _READERS[self.origin](self.folder, trouble, cancelled)


def places(
    settings: Settings,
    environment: Mapping[str, str] | None = None,
    home: Path | None = None,
) -> tuple[Place, ...]:
    """The places to look in, ours first: what lies in several is listed where it comes first."""
    environment = os.environ if environment is None else environment
    home = home or Path(os.path.expanduser("~"))  # pathlib's own raises where there is none
    ours = models_folder(settings)
    chosen = ours != paths.models_folder()  # which need not be connected; the usual one is made
    found = [Place(Origin.OURS, ours, wanted=chosen)]
    found += [Place(Origin.ADDED, folder, wanted=True) for folder in settings.more_folders]
    if settings.other_apps:
        found += [Place(Origin.LM_STUDIO, folder) for folder in _lm_studio(home)]
        found.append(Place(Origin.HUB, _hub(environment, home)))
        found += [Place(Origin.OLLAMA, folder) for folder in _ollama(environment, home)]
    return tuple(found)


def _lm_studio(home: Path) -> list[Path]:
    """Its models folder: where its settings say, else below wherever it lives."""
    homes = [home / ".lmstudio", home / ".cache" / "lm-studio"]
    moved = _text(home / ".lmstudio-home-pointer").strip()
    if moved:
        homes.insert(0, Path(moved))
    folders = []
    for place in homes:
        chosen = _json(place / "settings.json").get("downloadsFolder")
        folders.append(Path(chosen) if isinstance(chosen, str) and chosen else place / "models")
    return list(dict.fromkeys(folders))


def _hub(environment: Mapping[str, str], home: Path) -> Path:
    """As the Hub's library finds it, which takes longer to import than this to look."""
    if named := environment.get("HF_HUB_CACHE") or environment.get("HUGGINGFACE_HUB_CACHE"):
        return Path(os.path.expanduser(named))
    caches = environment.get("XDG_CACHE_HOME") or home / ".cache"
    theirs = environment.get("HF_HOME") or Path(caches) / "huggingface"
    return Path(os.path.expanduser(theirs)) / "hub"


def _ollama(environment: Mapping[str, str], home: Path) -> list[Path]:
    """The user's, and that of the service which its Linux installer sets up."""
    if named := environment.get("OLLAMA_MODELS"):
        return [Path(os.path.expanduser(named))]
    return [home / ".ollama" / "models", Path("/usr/share/ollama/.ollama/models")]


# How each is read --------------------------------------------------------------------------------


def _read_folder(folder: Path, trouble: Trouble, cancelled: Cancelled) -> Iterator[Lying]:
    for path in walk.ggufs(folder, trouble=trouble, cancelled=cancelled):
        yield Lying(path)


def _read_hub(folder: Path, trouble: Trouble, cancelled: Cancelled) -> Iterator[Lying]:
    """models--OWNER--NAME/snapshots/REVISION/…: links to files, or files where links cannot be."""
    for repository in _below(folder, "models--*"):
        snapshots = repository / "snapshots"
        if not os.path.isdir(snapshots):
            continue
        for path in walk.ggufs(snapshots, trouble=trouble, cancelled=cancelled):
            yield Lying(path)


def _read_ollama(folder: Path, trouble: Trouble, cancelled: Cancelled) -> Iterator[Lying]:
    """manifests/HOST/OWNER/NAME/TAG says which file of blobs/ holds the model."""
    manifests = folder / "manifests"
    for path in _below(manifests, "*/*/*/*"):
        if cancelled():
            return
        if not os.path.isfile(path):
            continue
        layers = _json(path).get("layers")
        if not isinstance(layers, list):
            trouble(f"{path} cannot be read as one of Ollama's lists. The model is passed over.")
            continue
        for digest in filter(None, map(_weights, layers)):
            yield Lying(folder / "blobs" / digest, _ollama_name(path.relative_to(manifests)))


def _below(folder: Path, pattern: str) -> list[Path]:
    """What fits, in order; pathlib's own gives up at the first folder that may not be entered."""
    return sorted(folder / name for name in glob.glob(pattern, root_dir=folder))


def _weights(layer: Any) -> str:
    """The file name of a layer that holds weights; "" of any other."""
    if not isinstance(layer, dict):
        return ""
    digest = layer.get("digest")
    kind = layer.get("mediaType")
    if kind != "application/vnd.ollama.image.model" or not isinstance(digest, str):
        return ""
    method, _, number = digest.partition(":")
    # A name, never a way out of the folder.
    return f"sha256-{number}" if method == "sha256" and number.isalnum() else ""


def _ollama_name(manifest: Path) -> str:
    """As ``ollama list`` writes it: what is usual is left out."""
    host, owner, name, tag = manifest.parts
    shown = f"{name}:{tag}"
    if host != "registry.ollama.ai":
        return f"{host}/{owner}/{shown}"
    return shown if owner == "library" else f"{owner}/{shown}"


_READERS: Mapping[Origin, Callable[[Path, Trouble, Cancelled], Iterator[Lying]]] = {
    Origin.OURS: _read_folder,
    Origin.ADDED: _read_folder,
    Origin.HUB: _read_hub,
    Origin.LM_STUDIO: _read_folder,
    Origin.OLLAMA: _read_ollama,
    Origin.NAMED: _read_folder,
}


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return ""


def _json(path: Path) -> dict[str, Any]:
    """The object in a file; an empty one where there is none."""
    try:
        value = json.loads(_text(path) or "{}")
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
