"""``foreword models search``: what the catalogue has, what the Hub, and what of it fits here."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from rich.table import Table

from engine.errors import HubError
from engine.machine import Machine
from engine.models.arriving import size_in_words
from engine.models.catalogue import CatalogueModel, catalogue
from engine.models.fits import Step, fit, fits_roughly, plan_for, room_usually
from engine.models.wanted import OnHub, matching, on_hub
from engine.settings import Settings, models_folder
from engine.terminal import failures, rows
from engine.terminal.hub import asking
from engine.terminal.screen import JsonTarget, Screen
from engine.terminal.surveying import surveyed

if TYPE_CHECKING:
    from engine.models.hub import Found, Repository

_MOST = 30


def search(screen: Screen, words: str, settings: Settings, to: JsonTarget | None) -> int:
    """List models that fit ``words``, or what a repository on the Hub holds.

    The catalogue's come first, and stay where the Hub is out of reach; without words they are all,
    and the Hub is not asked.
    """
    place = on_hub(words)
    if place is not None:
        return _show_repository(screen, place, settings, to)
    machine = surveyed(screen, models_folder(settings))
    matches = sorted(matching(words, catalogue()), key=lambda model: model.parameters)
    known = [_Known(model, machine) for model in matches]
    if not to:
        _show_known(screen, known)
    found, problem = [], None
    try:
        if words:
            with asking() as (hub, check):
                found = hub.search(words, limit=_MOST, check=check)
    except HubError as error:
        problem = error
    if to:
        to.write(
            {
                "catalogue": [each.as_json() for each in known],
                "hub": [asdict(each) for each in found],
                "problem": problem.sentence if problem else "",
            }
        )
    if problem:
        raise problem
    if words and not to:
        _show_found(screen, found)
    return failures.OK


class _Known:
    """A model of the catalogue, and whether it fits this computer by itself."""

    def __init__(self, model: CatalogueModel, machine: Machine) -> None:
        context = min(4096, model.context)
        self.model = model
        found = fit(model.shape, None, plan_for(machine, context), room_usually(machine))
        # Layers that stay with the processor make it slower, not too large.
        self.fits = found.ok or found.steps == (Step.FEWER_LAYERS,)

    def as_json(self) -> dict[str, Any]:
        return {**rows.catalogue_as_json(self.model), "fits": self.fits}


def _show_known(screen: Screen, known: list[_Known]) -> None:
    if not known:
        return
    table = _table("name", "model", "weights", "size", "fits", "licence")
    for each in known:
        model = each.model
        weights, size = rows.parameters(model.parameters), size_in_words(model.size)
        terms = _terms(model.licence, model.gated)
        _add(table, model.key, model.title, weights, size, _yes(each.fits), terms)
    screen.line("In Foreword's catalogue; `foreword models fetch NAME` brings one:", "bold")
    screen.out.print(table)
    screen.line()


def _show_found(screen: Screen, found: list[Found]) -> None:
    if not found:
        screen.line("The Hugging Face Hub has nothing by these words.")
        return
    table = _table("repository", "weights", "kind", "downloads", "licence")
    for each in found:
        weights = rows.parameters(each.parameters) if each.parameters else ""
        terms = _terms(each.licence, each.gated)
        _add(table, each.repo, weights, each.architecture, f"{each.downloads:,}", terms)
    screen.line("On the Hugging Face Hub; `foreword models search REPOSITORY` lists its files:")
    screen.out.print(table)


def _show_repository(
    screen: Screen, place: OnHub, settings: Settings, to: JsonTarget | None
) -> int:
    with asking() as (hub, check):
        there = hub.repository(place.repo, place.revision, check=check)
    machine = surveyed(screen, models_folder(settings))
    if to:
        to.write(_repository_as_json(there, machine))
        return failures.OK
    screen.line(f"{there.repo}, {_terms(there.licence, there.gated) or 'no licence named'}", "bold")
    if not there.variants:
        screen.line("It holds no model in the GGUF format.")
        return failures.OK
    table = _table("quantisation", "size", "fits", "file")
    for each in there.variants:
        files = f" and {len(each.files) - 1} more" if len(each.files) > 1 else ""
        missing = "" if each.is_whole else ", some parts are missing"
        name = f"{each.files[0].path or each.files[0].name}{files}{missing}"
        fits = _yes(fits_roughly(each.size, machine))
        _add(table, each.quantisation, size_in_words(each.size), fits, name)
    screen.out.print(table)
    screen.line(f"`foreword models fetch {there.repo}:QUANTISATION` brings one.", "dim")
    return failures.OK


def _repository_as_json(there: Repository, machine: Machine) -> dict[str, Any]:
    variants = [
        {
            "name": each.name,
            "quantisation": each.quantisation,
            "size": each.size,
            "whole": each.is_whole,
            "fits": fits_roughly(each.size, machine),
            "files": [asdict(file) for file in each.files],
        }
        for each in there.variants
    ]
    return {
        "repo": there.repo,
        "commit": there.commit,
        "gated": there.gated,
        "licence": there.licence,
        "page": there.page,
        "variants": variants,
    }


def _yes(fits: bool) -> str:
    return "yes" if fits else "no"


def _terms(licence: str, gated: bool) -> str:
    return ", ".join(filter(None, (licence, "asks for consent" if gated else "")))


def _table(*titles: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for title in titles:
        right = title in ("size", "weights", "downloads")
        table.add_column(title, justify="right" if right else "left", overflow="fold")
    return table


def _add(table: Table, *cells: str) -> None:
    table.add_row(*map(rows.cell, cells))
