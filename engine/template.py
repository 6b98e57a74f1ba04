"""A model's own Jinja chat template, rendered in a sandbox and within a time limit.

A GGUF is a download from strangers and its template is a program: it runs without access to
anything, on copies, and not for long.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from time import monotonic
from types import FrameType
from typing import Any

import psutil
from jinja2 import TemplateError, nodes
from jinja2.exceptions import SecurityError
from jinja2.ext import Extension, loopcontrols
from jinja2.parser import Parser
from jinja2.sandbox import ImmutableSandboxedEnvironment

TIME_LIMIT = 2.0
"""Seconds a template may take; a real one needs a few thousandths."""

MEMORY_LIMIT = 256 << 20
"""Bytes a template may take up, where the system can hold it to that."""

_LARGEST = 4_000_000


class TemplateFailed(Exception):
    """The template could not be rendered; the text says why."""


class _Environment(ImmutableSandboxedEnvironment):
    """The sandbox, with a cap on what one multiplication or power can make."""

    intercepted_binops = frozenset({"*", "**"})

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        sizes = [len(x) if isinstance(x, str | list | tuple) else x for x in (left, right)]
        if any(isinstance(x, str | list | tuple) for x in (left, right)):
            too_large = sizes[0] * sizes[1] > _LARGEST
        else:
            too_large = _too_large(operator, left, right)
        if too_large:
            raise SecurityError("a value grew too large")
        return super().call_binop(context, operator, left, right)


class _Generation(Extension):
    """``{% generation %}`` … ``{% endgeneration %}``: what lies between them, as it stands.

    They mark for training what the assistant wrote (transformers, ``apply_chat_template`` with
    ``return_assistant_tokens_mask``).
    """

    tags = {"generation"}  # noqa: RUF012 - as the base class has it

    def parse(self, parser: Parser) -> list[nodes.Node]:
        next(parser.stream)
        return parser.parse_statements(("name:endgeneration",), drop_needle=True)


def _too_large(operator: str, left: object, right: object) -> bool:
    """Whether a number would take long to compute: no trace interrupts one multiplication."""
    if not (isinstance(left, int) and isinstance(right, int)):
        return False
    if operator == "**":
        return abs(left) > 1000 or right > 100
    return left.bit_length() + right.bit_length() > 4096


class Template:
    """One compiled chat template. Raises TemplateFailed where its syntax is wrong."""

    def __init__(self, source: str, *, bos: str = "", eos: str = "") -> None:
        environment = _Environment(
            trim_blocks=True, lstrip_blocks=True, extensions=[loopcontrols, _Generation]
        )
        environment.filters["tojson"] = _to_json
        environment.globals.update(
            raise_exception=_refuse,
            strftime_now=lambda pattern: datetime.now().astimezone().strftime(pattern),
            bos_token=bos,
            eos_token=eos,
        )
        with _explained(), _memory(MEMORY_LIMIT), _deadline(TIME_LIMIT):
            self._template = environment.from_string(source)

    def render(self, messages: Sequence[Mapping[str, str]], **variables: object) -> str:
        """The prompt for ``messages`` ({role, content}), up to where the reply begins.

        Raises TemplateFailed when the template refuses, breaks or takes too long.
        """
        with _explained(), _memory(MEMORY_LIMIT), _deadline(TIME_LIMIT):
            return self._template.render(
                messages=[dict(message) for message in messages],
                add_generation_prompt=True,
                **variables,
            )


def _to_json(value: object, indent: int | None = None, **_options: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=indent)


def _refuse(reason: str) -> str:
    raise TemplateError(reason)


@contextmanager
def _explained() -> Iterator[None]:
    """Whatever a stranger's template raises becomes one kind of error, with its reason.

    Anything can come: Jinja makes Python of it, which the compiler may refuse, and runs that.
    """
    try:
        yield
    except Exception as error:
        raise TemplateFailed(str(error) or type(error).__name__) from error


@contextmanager
def _memory(size: int) -> Iterator[None]:
    """Lets the process grow by ``size`` bytes in the block and no further: MemoryError.

    There are too many ways to make a value grow for each to be guarded. Only Linux keeps this
    limit; elsewhere the multiplications alone are held back.
    """
    if sys.platform != "linux":
        yield
        return
    import resource

    before = soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = psutil.Process().memory_info().vms + size
    with suppress(ValueError):  # a lower limit is in force already
        resource.setrlimit(resource.RLIMIT_AS, (most if soft < 0 else min(soft, most), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


@contextmanager
def _deadline(seconds: float) -> Iterator[None]:
    """Raises TimeoutError in the block's own code once ``seconds`` are over.

    A trace function is the one means that works in any thread and ends any loop.
    """
    end = monotonic() + seconds

    def check(_frame: FrameType, _event: str, _argument: object) -> Callable[..., Any]:
        if monotonic() > end:
            raise TimeoutError(f"it took longer than {seconds:g} seconds")
        return check

    before = sys.gettrace()
    sys.settrace(check)
    try:
        yield
    finally:
        sys.settrace(before)
