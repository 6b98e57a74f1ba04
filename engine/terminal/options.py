"""Command-line options made from the table of settings."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import Any, NoReturn

from engine.errors import BadSetting
from engine.sampling import Sampling
from engine.settings import SETTINGS, Kind, Setting, Settings, Value
from engine.terminal.failures import BadInput

MODELS = ("target", "draft")
ENGINE = ("n_ctx", "threads", "gpu_layers", "recast")
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
    "target": "The model whose words you read: a .gguf file, or the name of a model here. "
    "Default: the starter pair's.",
    "draft": "The small model that guesses ahead, named likewise. Default: the starter pair's.",
}


class Parser(argparse.ArgumentParser):
    """An argument parser whose complaints are one sentence in our words, raised and not printed.

    It overrides where argparse finds a fault, because its own sentences differ by version.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(allow_abbrev=False, **options)

    def error(self, message: str) -> NoReturn:
        """Raise BadInput instead of printing the usage and leaving."""
        option, _, reason = message.removeprefix("argument ").partition(": ")
        if reason.startswith("--"):  # ours: it names the option itself
            self._refuse(reason)
        if option == "the following arguments are required":
            self._refuse(f"{reason} is missing.")
        if reason.startswith("ignored explicit argument"):
            self._refuse(f"{option} takes no value.")
        self._refuse(f"The command line makes no sense: {message}.")

    def _refuse(self, sentence: str) -> NoReturn:
        raise BadInput(f"{sentence} `{self.prog} --help` lists what there is.")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """As ever, but nothing may be left that this command does not know."""
        found, rest = super().parse_known_args(args, namespace)
        if rest:
            if not rest[0].startswith("-"):
                self._refuse(f"{rest[0]!r} is too much: put quotes around words of one message.")
            name = rest[0].partition("=")[0]
            known = [text for text in self._option_string_actions if text.startswith("--")]
            self._refuse(f"There is no {name} here.{suggestion(name, known)}")
        return found, rest

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Whether a word is one of those that may stand there."""
        if action.choices is None or value in action.choices:
            return
        known = [str(choice) for choice in action.choices]
        if action.option_strings:
            self._refuse(_not_allowed(action.option_strings[-1], value, known))
        hint = suggestion(str(value), known) or f" It may be {_either(known)}."
        self._refuse(f"There is no {value} here.{hint}")

    def _match_argument(self, action: argparse.Action, arg_strings_pattern: str) -> int:
        """How many words belong to an option."""
        try:
            return super()._match_argument(action, arg_strings_pattern)
        except argparse.ArgumentError:
            name, value = action.option_strings[-1], action.metavar or "value"
            self._refuse(f"{name} needs a value: {name} {value}.")


def suggestion(word: str, known: Sequence[str]) -> str:
    """What was probably meant, as a sentence with a space before it; "" where nothing is near."""
    near = [text for text in known if text.startswith(word)]
    near += get_close_matches(word, known, n=1, cutoff=0.75)
    return f" Did you mean {near[0]}?" if near else ""


def _not_allowed(name: str, value: Any, known: Sequence[str]) -> str:
    return BadSetting(name=name, value=value, allowed=_either(known)).sentence


def _either(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}" if len(words) > 1 else "".join(words)


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
            metavar=_placeholder(setting),
            help=_HELP.get(name) or f"{setting.description} Default: {default or 'none'}.",
        )


def _placeholder(setting: Setting) -> str:
    if setting.kind is Kind.CHOICE:
        return "|".join(setting.words)
    return _PLACEHOLDERS.get(setting.name, "N")


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
