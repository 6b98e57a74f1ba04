"""The curve as it is read now: the tuning of the loaded pair, and the γ in force."""

from __future__ import annotations

from app.session import Session
from app.tuning.reading import Reading
from app.tuning.tuner import Tuner
from engine.tunings import EVERYDAY, temperature_of


def reading_in_force(session: Session, tuner: Tuner, kind: str = EVERYDAY) -> Reading | None:
    """None where the loaded pair is not tuned."""
    if tuner.record is None:
        return None
    temperature = temperature_of(session.sampling)
    return Reading(tuner.record, temperature, session.gamma, kind)
