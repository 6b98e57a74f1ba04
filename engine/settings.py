"""The settings: one typed table, and its TOML file.

Each field of `Settings` carries its own limits and words, so that the file, the command line and
the window's dialog are all made from this one list. To add a setting, add a field.
"""

# ruff: noqa: RUF009 (each default is a dataclasses.field, made with its row of the table)

from __future__ import annotations

import dataclasses
import math
import os
import sys
import tempfile
import tomllib
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import Any

import tomli_w

from engine import paths
from engine.errors import BadSetting

Value = bool | int | float | str | Path | tuple[Path, ...] | None
"""What a setting may hold; None is "not set", written as one of the setting's words."""


class Kind(StrEnum):
    """How a setting is written and shown."""

    WHOLE = "whole number"
    NUMBER = "number"
    TEXT = "text"
    PATH = "path"
    PATHS = "list of paths"
    CHOICE = "choice"


@dataclass(frozen=True)
class Setting:
    """One row of the table.

    Attributes:
        name: In the file; with dashes for underscores, on the command line.
        kind: How it is written.
        default: What holds where nothing is said.
        title: A label, a few words.
        description: One sentence for a person.
        low: Least number allowed.
        high: Greatest number allowed.
        words: Words that may stand for a value ("auto"); a choice has nothing else.
    """

    name: str
    kind: Kind
    default: Value
    title: str
    description: str
    low: float = -math.inf
    high: float = math.inf
    words: Mapping[str, Value] = dataclasses.field(default_factory=dict)

    @property
    def allowed(self) -> str:
        """What it may be, as it stands after "it must be"."""
        words = list(self.words)
        if self.kind in (Kind.WHOLE, Kind.NUMBER):
            words.insert(0, f"a {self.kind} from {_shown(self.low)} to {_shown(self.high)}")
        elif self.kind is not Kind.CHOICE:
            words.insert(0, f"a {self.kind}")
        head, last = words[:-1], words[-1]
        return f"{', '.join(head)} or {last}" if head else last

    def check(self, value: object) -> Value:
        """``value`` in the form that `Settings` holds. Raises BadSetting, naming the allowed."""
        if isinstance(value, str) and value.strip().lower() in self.words:
            return self.words[value.strip().lower()]
        if any(value is known for known in self.words.values()):
            return value  # type: ignore[return-value]  # it is one of the words' own values
        taken = _TAKERS[self.kind](value)
        number = taken if isinstance(taken, int | float) else self.low
        if taken is None or not self.low <= number <= self.high:
            raise BadSetting(name=self.name, value=value, allowed=self.allowed)
        return taken

    def parse(self, text: str) -> Value:
        """The value that ``text`` means on a command line. Raises BadSetting."""
        return self.check(_number(text) if self.kind in (Kind.WHOLE, Kind.NUMBER) else text)

    def written(self, value: Value) -> bool | int | float | str | list[str]:
        """``value`` as TOML holds it, which knows no None."""
        for word, meaning in self.words.items():
            if meaning is value:
                return word
        if isinstance(value, tuple):
            return [str(path) for path in value]
        return str(value) if value is None or isinstance(value, Path) else value


def _shown(number: float) -> str:
    return f"{int(number):,}" if math.isfinite(number) and number == int(number) else f"{number:g}"


def _number(text: str) -> int | float | str:
    for kind in (int, float):
        with suppress(ValueError):
            return kind(text)
    return text


def _whole(value: object) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value // 1:
        return None
    return int(value)


def _real(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    # Also false for what is no number, and for integers beyond every float.
    return float(value) if abs(value) <= sys.float_info.max else None


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _path(value: object) -> Path | None:
    if not isinstance(value, str | Path) or not str(value).strip() or "\0" in str(value):
        return None
    return Path(os.path.expanduser(value))  # pathlib's own raises for unknown users


def _paths(value: object) -> tuple[Path, ...] | None:
    given = [part for part in value.split(os.pathsep) if part] if isinstance(value, str) else value
    if not isinstance(given, list | tuple):
        return None
    taken = [_path(each) for each in given]
    return tuple(path for path in taken if path) if None not in taken else None


_TAKERS: Mapping[Kind, Callable[[object], Value]] = {
    Kind.WHOLE: _whole,
    Kind.NUMBER: _real,
    Kind.TEXT: _text,
    Kind.PATH: _path,
    Kind.PATHS: _paths,
    Kind.CHOICE: lambda _value: None,
}


def _row(kind: Kind, default: Value, title: str, description: str, **limits: Any) -> Any:
    """A field of `Settings`. ``Any``, so that the field's own annotation is its type."""
    setting = Setting("", kind, default, title, description, **limits)
    return dataclasses.field(default=default, metadata={"setting": setting})


@dataclass(frozen=True)
class Settings:
    """What the user chose, or the defaults."""

    models_folder: Path | None = _row(
        Kind.PATH, None, "Models folder",
        "Where model files are kept and looked for.",
        words={"default": None},
    )  # fmt: skip
    more_folders: tuple[Path, ...] = _row(
        Kind.PATHS, (), "More folders",
        "Other folders whose models are listed too; nothing in them is ever changed.",
    )  # fmt: skip
    other_apps: bool = _row(
        Kind.CHOICE, True, "Models of other apps",
        "Whether models in the stores of Ollama, LM Studio and the Hugging Face Hub are listed.",
        words={"yes": True, "no": False},
    )  # fmt: skip
    target: Path | None = _row(
        Kind.PATH, None, "Target",
        "The model whose words you read, as last chosen in the window.",
        words={"none": None},
    )  # fmt: skip
    draft: Path | None = _row(
        Kind.PATH, None, "Draft",
        "The small model that guesses ahead, as last chosen in the window.",
        words={"none": None},
    )  # fmt: skip
    n_ctx: int = _row(
        Kind.WHOLE, 4096, "Context",
        "How many tokens of conversation and reply the models see at once; memory grows with it.",
        low=32, high=4_194_304,
    )  # fmt: skip
    threads: int = _row(
        Kind.WHOLE, 0, "Threads",
        "Processor threads to compute with; auto takes the performance cores.",
        low=0, high=512, words={"auto": 0},
    )  # fmt: skip
    gpu_layers: int = _row(
        Kind.WHOLE, -1, "Layers on the GPU",
        "How many of a model's layers the graphics processor computes; all takes what fits.",
        low=-1, high=1000, words={"all": -1},
    )  # fmt: skip
    recast: bool = _row(
        Kind.CHOICE, True, "Recast drafts",
        "Whether a draft is rounded anew for this processor where that is faster; "
        "the copy lies in the cache folder, and what is written stays the target's own.",
        words={"yes": True, "no": False},
    )  # fmt: skip
    gamma: int | None = _row(
        Kind.WHOLE, None, "γ",
        "How many tokens are drafted in each round; 0 is plain decoding, auto what pays here.",
        low=0, high=16, words={"auto": None},
    )  # fmt: skip
    auto_gamma: bool = _row(
        Kind.CHOICE, False, "Auto",
        "Whether γ is chosen anew for each reply, from how often drafts were accepted so far.",
        words={"yes": True, "no": False},
    )  # fmt: skip
    temperature: float = _row(
        Kind.NUMBER, 0.7, "Temperature",
        "How freely tokens are chosen; 0 always takes the likeliest.",
        low=0, high=5,
    )  # fmt: skip
    top_k: int = _row(
        Kind.WHOLE, 40, "Top-k",
        "Only the k likeliest tokens are candidates; 0 is off.",
        low=0, high=1_000_000,
    )  # fmt: skip
    top_p: float = _row(
        Kind.NUMBER, 0.95, "Top-p",
        "Only the likeliest tokens that together reach this probability are candidates; 1 is off.",
        low=0, high=1,
    )  # fmt: skip
    min_p: float = _row(
        Kind.NUMBER, 0.05, "Min-p",
        "Only tokens at least this likely, relative to the likeliest, are candidates; 0 is off.",
        low=0, high=1,
    )  # fmt: skip
    repetition_penalty: float = _row(
        Kind.NUMBER, 1.0, "Repetition penalty",
        "Above 1, tokens that were used lately become less likely; 1 is off.",
        low=0.1, high=10,
    )  # fmt: skip
    presence_penalty: float = _row(
        Kind.NUMBER, 0.0, "Presence penalty",
        "Taken once from the score of every token that was used lately; 0 is off.",
        low=-2, high=2,
    )  # fmt: skip
    frequency_penalty: float = _row(
        Kind.NUMBER, 0.0, "Frequency penalty",
        "Taken from the score of a token for each time it was used lately; 0 is off.",
        low=-2, high=2,
    )  # fmt: skip
    seed: int | None = _row(
        Kind.WHOLE, None, "Seed",
        "The same seed and settings give the same draws; none draws afresh for each reply.",
        low=0, high=2**63 - 1, words={"none": None},
    )  # fmt: skip
    max_tokens: int | None = _row(
        Kind.WHOLE, None, "Longest reply",
        "After how many tokens a reply is cut; none lets it fill the context.",
        low=1, high=4_194_304, words={"none": None},
    )  # fmt: skip
    think: bool | None = _row(
        Kind.CHOICE, None, "Reasoning",
        "Whether a reasoning model thinks before it answers; auto leaves it to the model.",
        words={"auto": None, "yes": True, "no": False},
    )  # fmt: skip
    system: str = _row(
        Kind.TEXT, "", "System prompt",
        "What the model is told before the first message.",
    )  # fmt: skip


SETTINGS: Mapping[str, Setting] = MappingProxyType(
    {
        field.name: dataclasses.replace(field.metadata["setting"], name=field.name)
        for field in dataclasses.fields(Settings)
    }
)
"""The table, by name, in the order a dialog shows it."""


def check(name: str, value: object) -> Value:
    """``value`` in the form that the setting ``name`` holds. Raises BadSetting."""
    return SETTINGS[name].check(value)


@dataclass(frozen=True)
class Loaded:
    """What the file gave. ``notes``: a sentence for each thing in it that was passed over."""

    settings: Settings
    notes: tuple[str, ...] = ()


def load(path: Path | None = None) -> Loaded:
    """Read the settings. Whatever is wrong with the file costs that part of it, never the start.

    A value that makes no sense is passed over, a file that is no TOML set aside; ``notes`` say so.
    """
    path = path or paths.settings_file()
    raw, notes = read_toml(path)
    values: dict[str, Any] = {}
    for name in [name for name in SETTINGS if name in raw]:
        try:
            values[name] = check(name, raw[name])
        except BadSetting as error:
            notes.append(f"In {path}, {error.sentence} The default is used.")
    return Loaded(Settings(**values), tuple(notes))


def save(settings: Settings, path: Path | None = None) -> None:
    """Write the settings whole or not at all; keys we do not know are kept as they are.

    Defaults are written only over an older value, so that a better default reaches everyone else.
    Raises OSError where the folder refuses, or where TOML, which is text, cannot hold a path.
    """
    path = path or paths.settings_file()
    raw = kept_toml(path)
    for name, setting in SETTINGS.items():
        value = getattr(settings, name)
        if value != setting.default or name in raw:
            raw[name] = setting.written(value)
    try:
        content = tomli_w.dumps(raw).encode()
    except UnicodeEncodeError as error:
        raise OSError("a path in them is no text") from error
    path.parent.mkdir(parents=True, exist_ok=True)
    _replace(path, content)


def models_folder(settings: Settings) -> Path:
    """The models folder in force: the environment's, else the setting's, else the usual one."""
    if settings.models_folder is None or os.environ.get("FOREWORD_MODELS", "").strip():
        return paths.models_folder()
    return settings.models_folder.absolute()


def read_toml(path: Path, what: str = "The settings") -> tuple[dict[str, Any], list[str]]:
    """What a file of settings holds, and a sentence where that is nothing because of a fault.

    A file that is no TOML is set aside; ``what`` begins the sentence.
    """
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig")), []
    except FileNotFoundError:
        return {}, []
    except OSError as error:
        sentence = f"{what} in {path} cannot be read ({error.strerror or error})."
    except (ValueError, RecursionError) as error:  # no TOML, no UTF-8, or nested beyond sense
        sentence = _set_aside(path, what, str(error))
    return {}, [f"{sentence} The defaults are used."]


def kept_toml(path: Path) -> dict[str, Any]:
    """What of a file of settings is kept when it is written anew.

    Raises OSError where it is there and cannot be read: the little that is known must not take its
    place.
    """
    with suppress(FileNotFoundError):
        path.open("rb").close()
    return read_toml(path)[0]


def _set_aside(path: Path, what: str, reason: str) -> str:
    aside = path.with_name(f"{path.name}.broken")
    try:
        os.replace(path, aside)
    except OSError:
        return f"{what} in {path} are not valid TOML ({reason})."
    return f"{what} were not valid TOML ({reason}) and were set aside as {aside}."


def _replace(path: Path, content: bytes) -> None:
    """Put ``content`` where ``path`` is; a crash leaves the old file or the new one."""
    handle, name = tempfile.mkstemp(prefix=f"{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise
