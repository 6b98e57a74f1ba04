"""``foreword models pair``: which models may draft for a target, and what each would bring."""

from __future__ import annotations

from rich.table import Table

from engine.models import partners
from engine.models.arriving import size_in_words
from engine.models.called import told_apart
from engine.models.catalogue import catalogue
from engine.models.measured import Tuned
from engine.models.partners import Partner
from engine.models.recommended import draft_for
from engine.settings import Settings
from engine.terminal import failures, naming, rows
from engine.terminal.failures import BadInput
from engine.terminal.screen import JsonTarget, Screen


def show(screen: Screen, name: str, settings: Settings, to: JsonTarget | None) -> int:
    """List every model here as a draft for the target ``name``, those that fit first.

    Raises:
        NoSuchModel, AmbiguousModel: It is not clear which is meant.
        BadInput: The target itself cannot be used.
    """
    models = rows.scan(screen, settings).models
    target = naming.model(name, models)
    if not target.ok:
        raise BadInput(target.problem)
    found = partners.of(target, models, measured=Tuned())
    recommended = draft_for(target, catalogue())
    if to:
        told = rows.catalogue_as_json(recommended) if recommended else None
        drafts = [_as_json(each) for each in found]
        to.write({"target": rows.as_json(target), "drafts": drafts, "recommended": told})
        return failures.OK
    screen.line(f"Drafts for {target.title}: {rows.in_words(target)}", "bold")
    table = Table(box=None, pad_edge=False, header_style="bold")
    for title in ("draft", "size", "fits", "what it brings, or why not"):
        table.add_column(title, justify="right" if title == "size" else "left", overflow="fold")
    names = told_apart(models)
    for each in found:
        said = rows.worth_in_words(each.worth) if each.worth else each.verdict.reason
        size, fits = size_in_words(each.model.size), "yes" if each.ok else "no"
        cells = (names[each.model.path], size, fits, said)
        table.add_row(*map(rows.cell, cells), style="" if each.ok else "dim")
    screen.out.print(table)
    if not any(each.ok for each in found):
        screen.line("None of the models here fits.", "dim")
    here = {file.name for model in models for file in model.files}
    if recommended and not here.issuperset(file.name for file in recommended.files):
        title, key = recommended.title, recommended.key
        screen.line(f"Recommended: {title}. `foreword models fetch {key}` brings it.", "dim")
    return failures.OK


def _as_json(partner: Partner) -> dict[str, object]:
    return {
        **rows.as_json(partner.model),
        "fits": partner.ok,
        "why_not": {"code": partner.verdict.code, "reason": partner.verdict.reason}
        if not partner.ok
        else None,
        "worth": rows.worth_as_json(partner.worth),
    }
