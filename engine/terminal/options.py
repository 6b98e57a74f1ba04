"""Command-line options made from the table of settings."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, NoReturn

from engine.errors import BadSetting
from engine.sampling import Sampling
from engine.settings import SETTINGS, Settings, Value
from engine.terminal.failures import BadInput

MODELS = ("target", "draft")
ENGINE = ("n_ctx", "threads", "gpu_layers")
SAMPLING = (
    "temperature",
    "top_k",
    "top_p",
    "min_p",
    "repetition_penalty",
    "presence_penalty",
    "frequency_penalty",
)

_PLACEHOLDERS = {"target": "FILE", "draft": "FILE", "system": "TEXT", "temperature": "T"}
_HELP = {
    "target": "The model whose words you read: a .gguf file. Default: the starter pair's.",
    "draft": "The small model that guesses ahead: a .gguf file. Default: the starter pair's.",
}


class Parser(argparse.ArgumentParser):
    """An argument parser whose complaints are one sentence, raised and not printed."""

    def __init__(self, **options: Any) -> None:
        super().__init__(allow_abbrev=False, **options)

    def error(self, message: str) -> NoReturn:
        """Raise BadInput instead of printing the usage and leaving."""
        if message.startswith("unrecognized arguments: "):
            message = f"there is no {message.removeprefix('unrecognized arguments: ')} here"
        option, _, reason = message.removeprefix("argument ").partition(": ")
        if reason.startswith("--"):  # ours: it names the option itself
            message = reason
        elif message.startswith("argument "):
            message = f"{option}: {reason}"
        words = message if message.endswith(".") else f"{message}."
        raise BadInput(f"{words[:1].upper()}{words[1:]} `{self.prog} --help` lists what there is.")


def add_settings(parser: argparse.ArgumentParser, names: Iterable[str]) -> None:
    """Add one option for each setting named; absent from the result where it is not given."""
    for name in names:
        setting = SETTINGS[name]
        default = setting.written(setting.default)
        parser.add_argument(
            flag(name),
            dest=name,
            type=value_of(name),
            default=argparse.SUPPRESS,
            metavar=_PLACEHOLDERS.get(name, "N"),
            help=_HELP.get(name) or f"{setting.description} Default: {default or 'none'}.",
        )


def flag(name: str) -> str:
    """The option for a setting: "--top-k"."""
    return f"--{name.replace('_', '-')}"


def value_of(name: str) -> Callable[[str], Value]:
    """A converter for argparse that speaks of the option and says what is allowed."""

    def convert(text: str) -> Value:
        try:
            return SETTINGS[name].parse(text)
        except BadSetting as error:
            said = BadSetting(**{**error.fields, "name": flag(name)})  # type: ignore[arg-type]
            raise argparse.ArgumentTypeError(said.sentence) from error

    return convert


def merged(settings: Settings, given: argparse.Namespace) -> Settings:
    """The user's settings, with what the command line says in their place."""
    return replace(settings, **{k: v for k, v in vars(given).items() if k in SETTINGS})


def sampling(settings: Settings) -> Sampling:
    """The part of the settings that the sampler reads."""
    return Sampling(**{name: getattr(settings, name) for name in SAMPLING})
