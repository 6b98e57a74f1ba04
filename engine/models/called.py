"""Which of the models at hand somebody means by a short name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from engine.errors import AmbiguousModel, NoSuchModel
from engine.models.local import LocalModel

_MOST_SHOWN = 6


def called(name: str, models: Iterable[LocalModel]) -> LocalModel:
    """The one model that ``name`` means: its name, title, file name or path, or how one begins.

    Name and file name may have the folder's before them, as `told_apart` writes it.

    Capitals do not count. A whole name goes before a beginning, and what can be used before what
    cannot.

    Raises:
        NoSuchModel: None of them is called that.
        AmbiguousModel: Several are.
    """
    wanted = name.casefold()
    everything = list(models)
    rules: tuple[Callable[[str], bool], ...] = (
        lambda known: known == wanted,
        lambda known: known.startswith(wanted),
    )
    for rule in rules:
        fitting = [each for each in everything if wanted and any(map(rule, _names(each, wanted)))]
        found = [model for model in fitting if model.ok] or fitting
        if len(found) == 1:
            return found[0]
        if found:
            raise AmbiguousModel(name=name, candidates=_candidates(found))
    raise NoSuchModel(name=name)


def told_apart(models: Iterable[LocalModel]) -> dict[Path, str]:
    """What to call each in a list, by its path: its name, after its folder's where several have it.

    Publishers call their versions of a model alike.
    """
    everything = list(models)
    often = Counter(model.name for model in everything)
    return {
        model.path: model.name if often[model.name] == 1 else _in_folder(model, model.name)
        for model in everything
    }


def _names(model: LocalModel, wanted: str) -> tuple[str, ...]:
    """With the folder's only where ``wanted`` has one: a folder's name alone means no model."""
    names = (model.name, model.path.name)
    in_folder = [_in_folder(model, name) for name in names] if "/" in wanted else []
    told = (*names, model.title, str(model.path), *in_folder)
    return tuple(name.casefold() for name in told)


def _in_folder(model: LocalModel, name: str) -> str:
    return f"{model.path.parent.name}/{name}"


def _candidates(models: Sequence[LocalModel]) -> str:
    """Their names; their paths where names alone would not tell them apart."""
    names = [model.name for model in models]
    if len(set(names)) < len(names):
        names = [str(model.path) for model in models]
    shown = ", ".join(names[:_MOST_SHOWN])
    more = len(names) - _MOST_SHOWN
    return f"{shown} and {more} more" if more > 0 else shown
