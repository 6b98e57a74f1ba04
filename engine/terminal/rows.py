"""A model on this machine in a line for a person, and as an object for a program."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.text import Text

from engine.models import local, stores
from engine.models.local import LocalModel, Scan
from engine.models.partners import Worth
from engine.models.stores import Origin
from engine.settings import Settings
from engine.terminal.screen import Screen, safe
from engine.terminal.session import Ticker
from engine.terminal.words import count

if TYPE_CHECKING:
    from engine.models.catalogue import CatalogueModel


def scan(screen: Screen, settings: Settings) -> Scan:
    """Every model on this machine; says what could not be read, and how far a first look is."""
    ticker = Ticker(screen)

    def told(done: int, name: str) -> None:
        ticker.show(f"Looking at the models here: {count(done, 'file')} · {name}")

    try:
        found = local.scan(stores.places(settings), progress=told)
    finally:
        ticker.clear()
    for note in found.notes:
        screen.note(note)
    return found


def as_json(model: LocalModel, path: Path | None = None) -> dict[str, Any]:
    """What there is to know of a model. ``ok``: it can be a target or a draft."""
    about = model.about
    return {
        "path": str(path or model.path),
        "ok": model.ok,
        "code": model.code,
        "reason": model.reason,
        "name": name(model),
        "title": model.title,
        "origin": str(model.origin),
        "size": model.size,
        "files": [str(file) for file in model.files],
        "kind": str(about.kind) if about else None,
        "architecture": about.architecture if about else None,
        "parameters": about.parameters if about else None,
        "quantisation": about.quantisation or None if about else None,
        "context": about.context_length if about else None,
        "chat_template": about.has_template if about else None,
    }


def cell(text: str) -> Text:
    """A cell of a table: as it is, with nothing in it that a terminal or rich would obey."""
    return Text(safe(text))


def name(model: LocalModel) -> str:
    """Its file's name, or the one that Ollama gave it, whose files are called by numbers."""
    return model.name if model.origin is Origin.OLLAMA else model.path.name


def catalogue_as_json(model: CatalogueModel) -> dict[str, Any]:
    """A model that the catalogue has."""
    return {
        "key": model.key,
        "title": model.title,
        "parameters": model.parameters,
        "quantisation": model.quantisation,
        "context": model.context,
        "licence": model.licence,
        "gated": model.gated,
        "repo": model.repo,
        "files": [asdict(file) for file in model.files],
    }


def in_words(model: LocalModel) -> str:
    """What it is, in a few words: "qwen2, 1.8 B parameters, Q4_K_M, 32,768 tokens of context"."""
    about = model.about
    if about is None:
        return ""
    parts = [about.architecture, f"{parameters(about.parameters)} parameters", about.quantisation]
    if about.context_length:
        parts.append(f"{about.context_length:,} tokens of context")
    if not about.has_template:
        parts.append("no chat template")
    return ", ".join(part for part in parts if part)


def parameters(number: int) -> str:
    """A number of weights for a person: "135 M", "7.6 B"."""
    if number < 999_500_000:
        return f"{number / 10**6:.0f} M"
    return f"{number / 10**9:.1f} B"


def worth_as_json(worth: Worth | None) -> dict[str, Any] | None:
    """What drafting brings, for a program."""
    if worth is None:
        return None
    return {"speed_up": worth.speed_up, "gamma": worth.gamma, "measured": worth.measured}


def worth_in_words(worth: Worth) -> str:
    """What drafting brings, and how that is known."""
    if not worth.measured:
        return f"up to {worth.speed_up:.1f}× (a guess from sizes), γ {worth.gamma}"
    if not worth.gamma:
        return "measured here: drafting does not pay"
    return f"{worth.speed_up:.2f}× (measured here), γ {worth.gamma}"
