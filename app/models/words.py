"""Models, downloads and what fits, in the user's words. No widgets."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QLocale

from app.panel import numbers
from app.sentences import said, translated
from engine.errors import HubError
from engine.machine import Machine
from engine.models.arriving import Doing
from engine.models.downloads import State, Status
from engine.models.fits import (
    Fit,
    Room,
    Step,
    fits_roughly,
    needs_roughly,
    room_usually,
    room_wherever,
)
from engine.models.local import LocalModel
from engine.models.needs import SHORTEST_CONTEXT, Needs
from engine.models.partners import Partner, Worth
from engine.models.stores import Origin
from engine.models.suits import Recommendation


def _tr(text: str) -> str:
    return QCoreApplication.translate("Models", text)


def joined(*parts: str) -> str:
    """Parts of one line; those that are empty are left out."""
    return " · ".join(numbers.isolated(part) for part in parts if part)


# Models ------------------------------------------------------------------------------------------


def parameters(number: int) -> str:
    """How many weights, as names of models have it: "135M", "7.6B"."""
    if number < 999_500_000:
        return f"{numbers.number(number / 10**6, 0 if number > 9_950_000 else 1)}M"
    return f"{numbers.number(number / 10**9, 1)}B"


def facts(model: LocalModel) -> str:
    """What a model here is, in a line."""
    about = model.about
    if about is None:
        return joined(numbers.size(model.size), whereabouts(model))
    context = about.context_length
    return joined(
        parameters(about.parameters),
        about.quantisation,
        _tr("{n} tokens of context").format(n=numbers.whole(context)) if context else "",
        numbers.size(model.size),
        _tr("{n} files").format(n=len(model.files)) if len(model.files) > 1 else "",
        whereabouts(model),
    )


def short_facts(model: LocalModel) -> str:
    """The same in fewer words, for a list to choose from."""
    about = model.about
    told = (parameters(about.parameters), about.quantisation) if about else ()
    elsewhere = "" if model.origin is Origin.OURS else whereabouts(model)
    return joined(*told, numbers.size(model.size), elsewhere)


def whereabouts(model: LocalModel) -> str:
    """Whose place a model lies in."""
    return {
        Origin.OURS: _tr("models folder"),
        Origin.ADDED: _tr("folder {name}").format(name=model.path.parent.name),
        Origin.HUB: _tr("Hugging Face cache"),
        Origin.LM_STUDIO: "LM Studio",
        Origin.OLLAMA: "Ollama",
        Origin.NAMED: "",
    }[model.origin]


def looking(done: int, name: str) -> str:
    """How far a look into the folders is: so many files, and the next."""
    words = _tr("Looking … 1 file, {name}") if done == 1 else _tr("Looking … {n} files, {name}")
    return words.format(n=numbers.whole(done), name=name)


def problem(model: LocalModel) -> str:
    """What is wrong with a model, as a sentence, without its path, which stands there already."""
    sentence = translated(model.code, model.problem)
    rest = sentence.removeprefix(f"{model.path} ")
    if rest == sentence:
        return sentence
    return _tr("The file {rest}").format(rest=rest)


def why_not(partner: Partner) -> str:
    """Why a model cannot draft, as a sentence."""
    reason = translated(partner.verdict.code, partner.verdict.reason)
    return reason[:1].upper() + reason[1:] + ("" if reason.endswith(".") else ".")


def worth(found: Worth) -> str:
    """What drafting brings, and how that is known."""
    if found.measured and not found.gamma:
        return _tr("measured here: drafting does not pay")
    if found.measured:
        return _tr("{times} measured here").format(times=numbers.times(found.speed_up))
    guessed = numbers.isolated(f"{numbers.number(found.speed_up, 1)}×")
    return _tr("up to {times}, a guess").format(times=guessed)


# Memory ------------------------------------------------------------------------------------------


def room_of(machine: Machine) -> int:
    """Bytes that models can have on this machine, wherever."""
    return room_wherever(machine)


def size_verdict(size: int, machine: Machine) -> str:
    """Whether a model of so many bytes fits, and where."""
    room = room_usually(machine)
    if room.gpu and needs_roughly(size) <= room.gpu:
        return _tr("fits the graphics processor")
    if fits_roughly(size, machine):
        return _tr("fits, in part on the processor") if room.gpu else _tr("fits")
    words = _tr("needs about {need} of memory, {room} can be had")
    need, found = needs_roughly(size), room_wherever(machine)
    return words.format(need=numbers.size(need), room=numbers.size(found))


def fit(found: Fit) -> str:
    """How a pair fits; where it does not, what would."""
    if found.ok:
        return _tr("Needs {amounts}.").format(amounts=amounts(found.needs, found.room))
    both = Step.NO_DRAFT in found.steps
    words = _tr("Both models together need {amounts}.") if both else _tr("Needs {amounts}.")
    asked = words.format(amounts=amounts(found.asked, found.room))
    if found.plan is None:
        words = _tr(
            "Even alone and with a context of {n} tokens the target needs {amounts}. Choose a "
            "smaller model."
        )
        least = numbers.whole(SHORTEST_CONTEXT)
        return f"{asked} {words.format(n=least, amounts=amounts(found.needs, found.room))}"
    given = ", ".join(_given(step, found) for step in found.steps)
    return f"{asked} " + _tr("It fits {given}.").format(given=given)


def _given(step: Step, found: Fit) -> str:
    assert found.plan is not None
    if step is Step.NO_DRAFT:
        return _tr("without the draft")
    if step is Step.FEWER_LAYERS:
        words = _tr("with {n} of {all} layers on the graphics processor")
        return words.format(n=found.plan.gpu_layers, all=found.layers)
    return _tr("with a context of {n} tokens").format(n=numbers.whole(found.plan.n_ctx))


def amounts(found: Needs, room: Room) -> str:
    """Both numbers: what is needed, and what there is."""
    if room.shared or not found.gpu.total:
        need = found.total if room.shared else found.memory
        words = _tr("{need} of memory, of {room} that can be had")
        return words.format(need=numbers.size(need), room=numbers.size(room.host))
    words = _tr(
        "{need} of the graphics processor’s memory, of {room}, and {host} of the computer’s, of "
        "{host_room}"
    )
    return words.format(
        need=numbers.size(found.gpu.total),
        room=numbers.size(room.gpu),
        host=numbers.size(found.memory),
        host_room=numbers.size(room.host),
    )


def recommendation(found: Recommendation) -> str:
    """How a pair suits this machine, with every number that speaks against it."""
    parts = [fit(found.fit)]
    if not found.quick and found.fit.plan:
        parts.append(_tr("It would write slower than one reads."))
    if found.disk:
        words = _tr("On the disk {n} are missing.")
        parts.append(words.format(n=numbers.size(found.disk)))
    return " ".join(parts)


def expectation(text: str) -> str:
    """What the catalogue says of a pair."""
    return QCoreApplication.translate("Catalogue", text)


def licence(name: str, *, gated: bool) -> str:
    """Its licence, and whether it asks for more."""
    return joined(name, _tr("asks for an account and consent") if gated else "")


# Downloads ---------------------------------------------------------------------------------------


def standing(status: Status, *, is_leaving: bool = False) -> str:
    """How a download stands, in a line; ``is_leaving``: cancelled, and nothing removed yet."""
    if is_leaving:
        return joined(amount(status), _tr("cancelled; what came is about to be removed"))
    match status.state:
        case State.DONE:
            return joined(numbers.size(status.total), _tr("finished"))
        case State.WAITING:
            return joined(amount(status), _tr("waits for its turn"))
        case State.PAUSED:
            return joined(amount(status), _tr("paused"))
        case State.FAILED:
            return joined(amount(status), _tr("did not come"))
    return joined(amount(status), *_pace(status))


def trouble(status: Status) -> str:
    """Why it does not go on; empty where nothing is wrong."""
    error = status.error
    if error is None:
        return ""
    told = translated(error.code, error.sentence)
    is_kept = isinstance(error, HubError) and status.done > 0
    return f"{told} {_tr('What came so far is kept.')}" if is_kept else told


def amount(status: Status) -> str:
    """So much of so much."""
    if not status.total:
        return ""
    words = _tr("{done} of {total}")
    return words.format(done=numbers.size(status.done), total=numbers.size(status.total))


def time_left(seconds: float) -> str:
    """How long it will take."""
    if seconds < 90:
        return _tr("{n} s left").format(n=round(seconds))
    if seconds < 90 * 60:
        return _tr("{n} min left").format(n=round(seconds / 60))
    return _tr("{n} h left").format(n=QLocale().toString(seconds / 3600, "f", 1))


def _pace(status: Status) -> tuple[str, ...]:
    if status.doing is not Doing.FETCHING:
        return (_doing(status.doing),)
    speed = _tr("{speed}/s").format(speed=numbers.size(round(status.speed))) if status.speed else ""
    left = time_left(status.seconds_left) if status.seconds_left is not None else ""
    source = _tr("from {source}").format(source=said(status.source)) if status.source else ""
    return speed, left, source


def _doing(doing: Doing) -> str:
    return {
        Doing.FETCHING: "",
        Doing.WAITING: _tr("waiting for another download of it"),
        Doing.CHECKING: _tr("checking what is here"),
        Doing.CONNECTING: _tr("connecting"),
        Doing.TRYING_AGAIN: _tr("the connection was lost; trying again"),
        Doing.TOLD_TO_WAIT: _tr("asked to wait a little"),
        Doing.PASSING_OVER: _tr("the server starts over; passing over what is here"),
    }[doing]
