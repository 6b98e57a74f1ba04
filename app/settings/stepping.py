"""How far a plus or a minus leads."""

from __future__ import annotations

from engine.settings import Kind, Setting, Value

_FRACTION = 0.05  # the step of numbers with a fraction
_LARGE = 256  # whole numbers are stepped by one below, to the next power of two above
_STEPS = {"text_size": 10}
_BEGINNINGS = {"max_tokens": 512}  # where the step up from a word leads, if not to the least


def stepped(setting: Setting, value: Value, steps: int) -> Value:
    """``value`` so many steps up, or down. A word lies below the least number."""
    for _ in range(abs(steps)):
        value = _next(setting, value, up=steps > 0)
    return value


def _next(setting: Setting, value: Value, *, up: bool) -> Value:
    if not isinstance(value, int | float):
        return max(int(setting.low), _BEGINNINGS.get(setting.name, 0)) if up else value
    if setting.kind is Kind.NUMBER:
        found = round(value + (_FRACTION if up else -_FRACTION), 6)
    elif setting.name in _STEPS:
        found = value + (_STEPS[setting.name] if up else -_STEPS[setting.name])
    else:
        found = _whole(int(value), up=up)
    if found < setting.low and setting.words:
        return next(iter(setting.words.values()))
    return type(found)(min(setting.high, max(setting.low, found)))


def _whole(number: int, *, up: bool) -> int:
    if number < _LARGE or (number == _LARGE and not up):
        return number + (1 if up else -1)
    return 1 << (number.bit_length() if up else (number - 1).bit_length() - 1)
