"""γ and its curve in words."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QDateTime, QLocale, Qt

from app.panel import numbers
from app.panel.numbers import isolated
from app.sentences import said, translated
from app.tuning.advising import Choice, Why
from app.tuning.reading import Reading
from engine.advice import Advice
from engine.protocol import Failed, Ready, Record
from engine.tunings import EVERYDAY, Curve

translate = QCoreApplication.translate


def gamma(value: int) -> str:
    """γ and its value, as one thing."""
    return isolated(f"γ{numbers.GAP}{value}")


def kind(name: str) -> str:
    """A kind of text in the user's language."""
    return translate("Tuning", "all kinds") if name == EVERYDAY else said(name)


# The curve -------------------------------------------------------------------------------------


def speed(reading: Reading, value: int) -> str:
    """One γ of the curve: what is predicted, its band, and what was measured."""
    curve = reading.curve
    times = numbers.times(curve.speed_up[value])
    if value == 0:
        return translate("Tuning", "{gamma}: plain, {times}").format(gamma=gamma(0), times=times)
    low, high = numbers.times(curve.low[value]), numbers.times(curve.high[value])
    told = translate("Tuning", "{gamma}: {times}, {low} to {high}").format(
        gamma=gamma(value), times=times, low=low, high=high
    )
    tried = reading.measured.get(value)
    if tried is None:
        return told
    return translate("Tuning", "{told}, tried {times}").format(
        told=told, times=numbers.times(tried)
    )


def summary(reading: Reading) -> str:
    """The γ in force and the best one."""
    now, best = reading.gamma, reading.best
    speeds = reading.curve.speed_up
    promises_more = max(speeds) > speeds[best]
    if best == 0:
        template = (
            translate(
                "Tuning",
                "Plain decoding is best for {kind}: what drafting promises is not sure, or was "
                "not kept when it was tried.",
            )
            if promises_more
            else translate("Tuning", "Plain decoding is best for {kind}.")
        )
        return template.format(kind=kind(reading.kind))
    template = (
        translate(
            "Tuning",
            "{gamma} is best for {kind}: {times} plain. Another one promises more, but less "
            "surely, or did not keep it.",
        )
        if promises_more
        else translate(
            "Tuning",
            "{gamma} is best for {kind}: {times} plain. One more drafted token would cost more "
            "than it gains.",
        )
    )
    said_best = template.format(
        gamma=gamma(best), kind=kind(reading.kind), times=numbers.times(speeds[best])
    )
    if reading.curve.low[best] <= 1:
        said_best = f"{said_best} {unsure(reading.curve, best)}"
    if now == best:
        return said_best
    return translate("Tuning", "{best} In force is {gamma}: {times}.").format(
        best=said_best, gamma=gamma(now), times=numbers.times(speeds[now])
    )


def passed(reading: Reading, width: int) -> str:
    """What a pass so wide costs."""
    times = numbers.number(reading.passes[width - 1], 2)
    time = numbers.milliseconds(reading.record.passes[width - 1])
    if width == 1:
        return translate("Tuning", "1 token wide: {times} passes, {time}").format(
            times=times, time=time
        )
    if reading.is_timed(width):
        template = translate("Tuning", "{width} tokens wide: {times} passes, {time}")
    else:
        template = translate(
            "Tuning", "{width} tokens wide: {times} passes, {time}, between its neighbours"
        )
    return template.format(width=width, times=times, time=time)


def survived(reading: Reading, place: int) -> str:
    """How often so many drafted tokens all pass, for the kind that is read."""
    chance = numbers.percent(reading.curve.survival[place - 1])
    if place == 1:
        return translate("Tuning", "the first passes: {share}").format(share=chance)
    return translate("Tuning", "the first {count} all pass: {share}").format(
        count=place, share=chance
    )


def memory(reading: Reading, value: int) -> str:
    """What one γ takes in memory."""
    return translate("Tuning", "{gamma}: caches {caches}, buffers {buffers}").format(
        gamma=gamma(value),
        caches=numbers.size(reading.caches(value)),
        buffers=numbers.size(reading.buffers(value)),
    )


# The tuner -------------------------------------------------------------------------------------


def guess(ready: Ready) -> str:
    """What is known before anything was tuned."""
    if ready.gamma == 0:
        return translate(
            "Tuning", "That plain decoding is faster here is a guess from a short timing."
        )
    return translate("Tuning", "{gamma} is a guess from a short timing.").format(
        gamma=gamma(ready.gamma)
    )


def takes() -> str:
    """How long it will be."""
    return translate(
        "Tuning",
        "Measuring times both models and writes short replies. It takes up to two minutes, or a "
        "quarter of a minute in the quick form; with a large model it takes several.",
    )


def found(best: int, speed_up: float) -> str:
    """What a tuning recommends."""
    if best == 0:
        return translate("Tuning", "γ 0 is best here: plain decoding is faster than drafting.")
    return translate("Tuning", "{gamma} is best here: about {times} plain.").format(
        gamma=gamma(best), times=numbers.times(speed_up)
    )


def unsure(curve: Curve, best: int) -> str:
    """That drafting may not gain after all, where too little was measured to say."""
    return translate(
        "Tuning", "It may be no faster: nine times in ten it is {low} to {high}."
    ).format(low=numbers.times(curve.low[best]), high=numbers.times(curve.high[best]))


def measured_at(record: Record) -> str:
    """When and how."""
    when = QLocale().toString(
        QDateTime.fromString(record.at, Qt.DateFormat.ISODate).toLocalTime(),
        QLocale.FormatType.ShortFormat,
    )
    took = numbers.seconds(record.took)
    template = (
        translate("Tuning", "Measured {when} in {time}, in the quick form.")
        if record.is_quick
        else translate("Tuning", "Measured {when} in {time}.")
    )
    return template.format(when=isolated(when), time=took)


def failed(failure: Failed) -> str:
    """Why a tuning came to nothing."""
    return translated(failure.code, failure.sentence)


# Advice and Auto -------------------------------------------------------------------------------


def advised(advice: Advice) -> str:
    """What would be faster, in a sentence."""
    gain = numbers.percent(round(advice.gain, 2))
    if advice.gamma == 0:
        return translate(
            "Tuning", "Plain decoding would be about {gain} faster for this conversation"
        ).format(gain=gain)
    return translate(
        "Tuning", "γ = {gamma} would be about {gain} faster for this conversation"
    ).format(gamma=advice.gamma, gain=gain)


def interval(advice: Advice) -> str:
    """How sure that is."""
    return translate(
        "Tuning",
        "Between {low} and {high}, nine times in ten, from {tokens} that were tested here. "
        "Press to use it.",
    ).format(
        low=numbers.percent(round(max(advice.low, 0.0), 2)),
        high=numbers.percent(round(advice.high, 2)),
        tokens=numbers.tokens(advice.tested),
    )


def reason(choice: Choice) -> str:
    """Why Auto chose its γ."""
    times = numbers.times(choice.speed_up)
    match choice.why:
        case Why.TUNED:
            return translate(
                "Tuning", "{gamma}, as measured: this chat has shown nothing of its own yet."
            ).format(gamma=gamma(choice.gamma))
        case Why.PLAIN:
            return translate("Tuning", "γ 0: with text like this chat’s, drafting would cost time.")
        case Why.TRIAL:
            return translate(
                "Tuning", "{gamma}: a trial, to see whether drafting pays by now."
            ).format(gamma=gamma(choice.gamma))
        case Why.KEPT:
            template = translate(
                "Tuning",
                "{gamma} stays: {share} of {tokens} tested here were accepted; about {times} "
                "plain is expected.",
            )
        case Why.CHANGED:
            template = translate(
                "Tuning",
                "{gamma} after γ {before}: {share} of {tokens} tested here were accepted; about "
                "{times} plain is expected.",
            )
    return template.format(
        gamma=gamma(choice.gamma),
        before=choice.before,
        share=numbers.percent(choice.accepted),
        tokens=numbers.tokens(choice.tested),
        times=times,
    )
