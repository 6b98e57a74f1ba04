"""The command line: which commands there are, and what each may be told."""

from __future__ import annotations

import argparse
from pathlib import Path

from engine import __version__
from engine.errors import BadSetting
from engine.terminal.options import ENGINE, MODELS, SAMPLING, Parser, add_settings, value_of
from engine.terminal.screen import JsonTarget


def make_parser() -> Parser:
    """The whole command line."""
    parser = Parser(
        prog="foreword",
        description="A private chat that drafts ahead. Everything runs on this machine.",
        epilog="Exit codes: 0 all went well, 1 the engine failed, 2 the input makes no sense, "
        "130 Ctrl-C.",
    )
    parser.add_argument("--version", action="version", version=f"foreword {__version__}")
    # Read before the rest of the line is, for it wants no command.
    parser.add_argument("--selftest", action="store_true", help="does all of Foreword work here?")
    commands = parser.add_subparsers(metavar="COMMAND", required=True, parser_class=Parser)
    _add_chat(commands.add_parser("chat", help="talk; each reply ends with its figures"))
    _add_compare(commands.add_parser("compare", help="one prompt, two lanes: drafting and plain"))
    _add_bench(commands.add_parser("bench", help="prompts × settings → a table"))
    _add_tune(commands.add_parser("tune", help="measure this machine, recommend γ"))
    _add_models(commands.add_parser("models", help="what is on this machine, what can be fetched"))
    return parser


def _add_chat(parser: argparse.ArgumentParser) -> None:
    parser.description = "Converse in the terminal, or answer the lines of a pipe."
    parser.add_argument(
        "prompt", nargs="?", help="answer this one message and leave; - reads it from a pipe"
    )
    add_settings(parser, (*MODELS, "gamma", "auto_gamma", *SAMPLING, "max_tokens", "seed"))
    add_settings(parser, ("system", "think", *ENGINE))
    parser.add_argument("--json", action="store_true", help="one JSON object for each reply")
    parser.add_argument("-q", "--quiet", action="store_true", help="no figures after a reply")
    parser.set_defaults(command="chat")


def _add_compare(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Write one reply twice, drafting ahead and plainly, side by side, and measure both."
    )
    parser.add_argument(
        "prompt", nargs="?", help="what to answer; - reads it from a pipe; a code prompt by default"
    )
    add_settings(parser, (*MODELS, "gamma", *SAMPLING, "max_tokens", "seed", "think", *ENGINE))
    parser.add_argument(
        "--exact",
        action="store_true",
        help="kernels that round alike at any width: both texts are the same, and slower",
    )
    _add_json(parser)
    parser.set_defaults(command="compare")


def _add_bench(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Run prompts at several γ and temperatures, each against plain decoding, and say what "
        "drafting is worth by kind of text, measured and predicted."
    )
    add_settings(parser, (*MODELS, *ENGINE))
    _add_grid(parser)
    _add_runs(parser)
    parser.add_argument(
        "--peer",
        type=Path,
        metavar="PATH",
        help="write every drafted reply with this llama-server too, in turns with ours",
    )
    _add_json(parser)
    parser.set_defaults(command="bench")


def _add_grid(parser: argparse.ArgumentParser) -> None:
    """What is varied in a benchmark."""
    parser.add_argument(
        "--gamma",
        dest="gammas",
        type=_gamma,
        nargs="+",
        default=[3],
        metavar="N",
        help="γ to try; 3 by default; plain decoding is always measured too",
    )
    parser.add_argument(
        "--temperature",
        dest="temperatures",
        type=value_of("temperature"),
        nargs="+",
        default=[0.0],
        metavar="T",
        help="temperatures to try; 0 by default",
    )
    parser.add_argument(
        "--prompts", type=Path, metavar="FILE", help="TOML or JSON rows of {id, kind, messages}"
    )


def _add_runs(parser: argparse.ArgumentParser) -> None:
    """What is the same in all runs of a benchmark."""
    parser.add_argument(
        "--max-tokens",
        dest="length",
        type=value_of("max_tokens"),
        default=128,
        metavar="N",
        help="length of each reply; 128 by default",
    )
    parser.add_argument(
        "--repeats", type=_repeats, default=1, metavar="N", help="runs of each; 1 by default"
    )
    parser.add_argument(
        "--seed",
        dest="first_seed",
        type=value_of("seed"),
        default=1,
        metavar="N",
        help="of the first repeat; each later one adds 1; 1 by default",
    )
    parser.add_argument(
        "--rule",
        choices=("ratio", "coupled"),
        default="ratio",
        help="how drafted tokens are judged above temperature 0; ratio by default",
    )


def _add_tune(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Time what passes cost here and count how often drafts are accepted, predict the speed-up "
        "for every γ, try the best two, and recommend one. What is found is kept for this pair. "
        "Nothing else should compute meanwhile."
    )
    add_settings(parser, (*MODELS, *SAMPLING, *ENGINE))
    parser.add_argument(
        "--quick", action="store_true", help="a quarter of a minute instead of two; less certain"
    )
    parser.add_argument(
        "--exhaustive", action="store_true", help="try every γ on every kind of text; minutes"
    )
    _add_json(parser)
    parser.set_defaults(command="tune")


def _add_models(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Models: which are here and which work together; find, fetch and remove them."
    )
    actions = parser.add_subparsers(metavar="ACTION", dest="action", parser_class=Parser)
    listing = actions.add_parser("list", help="what is here, and what is wrong with it")
    searching = actions.add_parser("search", help="what the catalogue and the Hub have")
    _add_search(searching)
    fetching = actions.add_parser("fetch", help="bring the starter pair, or any other model")
    _add_fetch(fetching)
    removing = actions.add_parser("remove", help="delete a model of the models folder")
    _add_remove(removing)
    checking = actions.add_parser("check", help="whether files are whole models that can chat")
    _add_check(checking)
    pairing = actions.add_parser("pair", help="which models may draft for a target, and why not")
    pairing.add_argument("model", metavar="TARGET", help=_NAME)
    parser.add_argument("--json", action="store_true", help="for programs")
    for each in (listing, searching, fetching, removing, checking, pairing):
        # Without a default of its own: that would take back what stands before the action.
        each.add_argument(
            "--json", action="store_true", default=argparse.SUPPRESS, help="for programs"
        )
    parser.set_defaults(command="models")


_NAME = "a .gguf file, or the name of a model here, as far as it is unique"


def _add_search(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Search the catalogue and the Hugging Face Hub, or list the files of one repository there, "
        "and say which fit this computer. Without a QUERY the catalogue alone is listed."
    )
    parser.add_argument(
        "words", metavar="QUERY", nargs="*", help="words of a name, or owner/repository"
    )


def _add_fetch(parser: argparse.ArgumentParser) -> None:
    parser.description = "Bring a model to the models folder; a fetch that was cut short goes on."
    parser.add_argument(
        "what",
        metavar="WHAT",
        nargs="?",
        default="starter",
        help="starter (the pair, by default), small (for tests), a name of the catalogue, or a "
        "place on the Hugging Face Hub: owner/repository:Q4_K_M or owner/repository/file.gguf",
    )
    parser.add_argument("-y", "--yes", action="store_true", help="do not ask")


def _add_remove(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Delete a model's files, or what came of a download that was cut. Only the models folder "
        "is ever changed, never the folders that you added, nor what another program keeps."
    )
    parser.add_argument("model", metavar="NAME", help=_NAME)
    parser.add_argument("-y", "--yes", action="store_true", help="do not ask")


def _add_check(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Look at models: is each a whole model that can chat, and if not, why? Exit code 0 where "
        "all can, 2 otherwise. With --json a list of {path, ok, code, reason, ...}, one for each."
    )
    parser.add_argument("models", metavar="NAME", type=Path, nargs="+", help=_NAME)


def _add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--json", type=JsonTarget, metavar="PATH", help="write the results there; - prints them"
    )


def _gamma(text: str) -> int:
    gamma = value_of("gamma")(text)
    if not isinstance(gamma, int):
        raise argparse.ArgumentTypeError("--gamma takes numbers here: what auto is, is measured.")
    return gamma


def _repeats(text: str) -> int:
    number = int(text) if text.isdecimal() else 0
    if not 1 <= number <= 1000:
        raise argparse.ArgumentTypeError(
            str(BadSetting(name="--repeats", value=text, allowed="a whole number from 1 to 1,000"))
        )
    return number
