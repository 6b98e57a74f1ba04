"""What the Hub answers about repositories, read into words of ours.

The library takes over the answers as they are, and they are a stranger's: whatever is missing or of
another kind is left out, and a file whose name could lie outside the models folder is not seen at
all.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from engine.errors import BadFileName, NoSuchVariant
from engine.models.arriving import ModelFile
from engine.models.item import Item
from engine.models.variants import Variant, variants

if TYPE_CHECKING:
    from huggingface_hub import ModelInfo

log = logging.getLogger("engine.models")

NAME = re.compile(r"[\w.-]+/[\w.-]+")
"""A repository: "owner/name"."""

_COMMIT = re.compile(r"[0-9a-f]{40}")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_MOST = 2**53
"""Above it JSON has no whole numbers that all programs agree on."""


class NotAListing(ValueError):
    """An answer that is none; the text says why, for a person."""


@dataclass(frozen=True)
class Found:
    """A repository with GGUF files that a search found.

    Attributes:
        repo: "owner/name".
        downloads: In the last 30 days.
        likes: Of all time.
        gated: Whether terms must be accepted first.
        licence: As its card says; "" where it does not.
        updated: Date of the last change, "2026-11-29"; "" where not told.
        architecture: As GGUF names it; "" where the Hub could not read it.
        parameters: How many weights; None where not told.
        context: Tokens it was trained for; None where not told.
        page: Its address for a browser.
    """

    repo: str
    downloads: int
    likes: int
    gated: bool
    licence: str
    updated: str
    architecture: str
    parameters: int | None
    context: int | None
    page: str


@dataclass(frozen=True)
class Repository:
    """What a repository holds at one commit.

    Attributes:
        repo: "owner/name", as the Hub spells it.
        commit: 40 hexadecimal digits.
        gated: Whether terms must be accepted before a file comes.
        licence: As its card says; "" where it does not.
        page: Its address for a browser.
        variants: Its models, smallest first; projectors and importance matrices are none.
        files: All its GGUF files by their path in it.
    """

    repo: str
    commit: str
    gated: bool
    licence: str
    page: str
    variants: tuple[Variant, ...]
    files: Mapping[str, ModelFile] = field(repr=False, compare=False)

    def variant(self, wanted: str) -> Variant:
        """The one of that quantisation, name, or file name. Raises NoSuchVariant.

        Where several have the quantisation, the smallest.
        """
        name = wanted.casefold().removesuffix(".gguf")
        for variant in self.variants:
            names = [file.path or file.name for file in variant.files]
            names += [file.name for file in variant.files]
            known = {each.casefold().removesuffix(".gguf") for each in (*names, variant.name)}
            if name in known:
                return variant
        for variant in self.variants:
            if name == variant.quantisation.casefold():
                return variant
        known_ones = sorted({each.quantisation or each.name for each in self.variants})
        known_words = ", ".join(known_ones) or "no model in the GGUF format"
        raise NoSuchVariant(repo=self.repo, wanted=wanted, known=known_words)


def read_search(answer: Iterable[ModelInfo], address: str) -> list[Found]:
    """The repositories that a search found; ``address`` is the Hub's."""
    return [_found(info, address) for info in answer if NAME.fullmatch(_text(info.id))]


def read_repository(answer: ModelInfo, repo: str, address: str) -> Repository:
    """What is in ``repo``; ``address`` is the Hub's. Raises NotAListing."""
    commit = _text(answer.sha)
    if not _COMMIT.fullmatch(commit):
        raise NotAListing("it named no commit")
    name = _text(answer.id)
    name = name if NAME.fullmatch(name) else repo  # renamed repositories answer to old names
    licence = _licence(answer)
    files = {file.path or file.name: file for file in _files(answer, name, commit, licence)}
    return Repository(
        repo=name,
        commit=commit,
        gated=bool(answer.gated),
        licence=licence,
        page=f"{address}/{name}",
        variants=variants(files.values()),
        files=files,
    )


def _found(info: ModelInfo, address: str) -> Found:
    gguf = info.gguf if isinstance(info.gguf, dict) else {}
    return Found(
        repo=info.id,
        downloads=_number(info.downloads) or 0,
        likes=_number(info.likes) or 0,
        gated=bool(info.gated),
        licence=_licence(info),
        updated=f"{info.last_modified:%Y-%m-%d}" if info.last_modified else "",
        architecture=_text(gguf.get("architecture")),
        parameters=_number(gguf.get("total")),
        context=_number(gguf.get("context_length")),
        page=f"{address}/{info.id}",
    )


def _files(answer: ModelInfo, repo: str, commit: str, licence: str) -> Iterator[ModelFile]:
    """The GGUF files that a repository lists, as far as they can be kept under their names."""
    for sibling in answer.siblings or ():
        place = _text(sibling.rfilename)
        if not place.lower().endswith(".gguf"):
            continue
        size, sha256 = sibling.size, ""
        if sibling.lfs is not None:
            size, sha256 = sibling.lfs.size, _text(sibling.lfs.sha256)
        file = ModelFile(
            name=place.rpartition("/")[2],
            title=place.rpartition("/")[2],
            role="",
            size=_number(size) or 0,
            sha256=sha256 if _SHA256.fullmatch(sha256) else "",
            licence=licence,
            repo=repo,
            revision=commit,
            path=place if "/" in place else "",
        )
        try:
            Item(file.title, (file,))
        except BadFileName:
            log.info("%s has a file whose name cannot be kept", repo)
            continue
        yield file


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _number(value: Any) -> int | None:
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return value if is_number and 0 <= value <= _MOST else None


def _licence(info: ModelInfo) -> str:
    """From the card or, where only tags are there, from them."""
    stated = _text(getattr(info.card_data, "license", None))
    named: list[Any] = info.tags if isinstance(info.tags, list) else []
    tagged = [tag.removeprefix("license:") for tag in named if _text(tag).startswith("license:")]
    return stated or (tagged[0] if tagged else "")
