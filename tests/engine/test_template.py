"""A chat template is a stranger's program: it renders prompts, and can do nothing else."""

from __future__ import annotations

import sys
import threading
import time
from datetime import datetime

import pytest

from engine.template import Template, TemplateFailed
from tests.support.tiny_models import CHATML

HELLO = [{"role": "user", "content": "hello"}]

ESCAPES = [
    "{{ ''.__class__.__mro__[1].__subclasses__() }}",
    "{{ messages.__class__.__base__.__subclasses__()[0] }}",
    "{{ raise_exception.__globals__['sys'].modules }}",
    "{{ strftime_now.__code__.co_consts }}",
    "{{ self.__init__.__globals__ }}",
    "{{ cycler.__init__.__globals__.os.popen('id').read() }}",
    "{{ ''|attr('__class__')|attr('__mro__') }}",
    "{{ '{0.__class__.__mro__}'.format('') }}",
    "{{ namespace.__init__.__globals__ }}",
    "{% include '/etc/passwd' %}",
    "{% import 'os' as os %}{{ os.getcwd() }}",
    "{% generation %}{{ cycler.__init__.__globals__.os.popen('id').read() }}{% endgeneration %}",
]

ENDLESS = {
    "loops": "{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}",
    "a macro that calls itself": "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
    "growing output": "{% for i in range(99999) %}{% for j in range(99999) %}x{% endfor %}"
    "{% endfor %}",
    "a number that squares itself": "{% set n = namespace(x=999) %}{% for i in range(34) %}"
    "{% set n.x = n.x * n.x %}{% endfor %}",
}

DOUBLED = "{% set n = namespace(x=START) %}{% for i in range(60) %}STEP{% endfor %}{{ n.x|length }}"

BOMBS = {
    "times": "{{ 'x' * 10**10 }}",
    "a list": "{{ ([0] * 10**10)|length }}",
    "a power": "{{ 10 ** 10 ** 8 }}",
    "joining": DOUBLED.replace("START", "'xxxx'").replace("STEP", "{% set n.x = n.x ~ n.x %}"),
    "adding": DOUBLED.replace("START", "[1, 2]").replace("STEP", "{% set n.x = n.x + n.x %}"),
    "a width": "{{ 'x'.ljust(10**10) }}",
    "a format": "{{ '{:>10000000000}'.format('x') }}",
    "a filter": "{{ 'x'|center(10**10) }}",
    "replacing": "{% set x = 'a' * 1000000 %}{{ x.replace('a', x) }}",
}


def test_a_template_sees_the_messages_and_its_variables() -> None:
    source = (
        "{{ bos_token }}{% for m in messages %}{{ m.role }}/{{ m['content'] }};{% endfor %}"
        "{% if add_generation_prompt %}>{% endif %}{{ eos_token }}{{ enable_thinking }}"
    )
    template = Template(source, bos="<s>", eos="</s>")
    assert template.render(HELLO, enable_thinking=False) == "<s>user/hello;></s>False"


def test_blocks_leave_no_blank_lines_behind() -> None:
    source = "{% for m in messages %}\n  {% if 1 %}\n{{ m.content }}\n  {% endif %}\n{% endfor %}"
    assert Template(source).render(HELLO) == "hello\n"


def test_what_templates_in_the_wild_call_is_there() -> None:
    source = "{{ {'a': 'é<'}|tojson }}{% for m in messages %}{% continue %}{% endfor %}"
    assert Template(source).render(HELLO) == '{"a": "é<"}'
    year = Template("{{ strftime_now('%Y') }}").render(HELLO)
    assert abs(int(year) - datetime.now().astimezone().year) <= 1


def test_marks_of_what_the_assistant_wrote_change_nothing() -> None:
    marked = (
        "{% for m in messages %}{% if m.role == 'assistant' %}{% generation %}"
        "{% if m.content %}{% for part in m.content.split() %}{% generation %}[{{ part }}]"
        "{% if part == 'stop' %}{% break %}{% endif %}{%- endgeneration -%}{% endfor %}{% endif %}"
        "{% set last = m.content %}<{{ last }}>{% endgeneration %}\n"
        "{% else %}{{ m.content }}{% endif %}{% endfor %}"
        "{% if add_generation_prompt %}{%- generation %}>{% endgeneration %}{% endif %}"
    )
    messages = [*HELLO, {"role": "assistant", "content": "a b stop c"}, *HELLO]
    assert Template(marked).render(messages) == "hello[a][b][stop]<a b stop c>hello>"


@pytest.mark.parametrize(
    "source",
    ["{% generation %}x", "{% endgeneration %}", "{% generation %}{% if 1 %}{% endgeneration %}"],
)
def test_marks_that_do_not_match_are_a_fault_of_the_template(source: str) -> None:
    with pytest.raises(TemplateFailed):
        Template(source)


def test_a_template_that_refuses_says_why() -> None:
    with pytest.raises(TemplateFailed, match="no tools here"):
        Template("{{ raise_exception('no tools here') }}").render(HELLO)


@pytest.mark.parametrize(
    "source",
    [
        "{% for %}",
        "{{ nothing.at.all }}",
        "{{ 1 / 0 }}",
        "{{ messages[7].content }}",
        "{{ [] + 1 }}",
        "{{ cycler() }}",
        "{% break %}",
        25 * "{% for m in messages %}" + 25 * "{% endfor %}",
        120 * "{% if messages %}" + 120 * "{% endif %}",
        "{{ " + 3000 * "(" + "1" + 3000 * ")" + " }}",
    ],
    ids=lambda source: source[:30],
)
def test_whatever_goes_wrong_is_one_kind_of_error(source: str) -> None:
    with pytest.raises(TemplateFailed):
        Template(source).render(HELLO)


@pytest.mark.parametrize("source", ESCAPES)
def test_nothing_outside_the_sandbox_is_reached(source: str) -> None:
    try:
        shown = Template(source).render(HELLO)
    except TemplateFailed:
        return
    assert shown == ""


@pytest.mark.parametrize("change", ["append({})", "clear()", "pop()", "insert(0, 1)"])
def test_the_messages_cannot_be_changed(change: str) -> None:
    messages = [dict(HELLO[0])]
    with pytest.raises(TemplateFailed):
        Template(f"{{% set x = messages.{change} %}}").render(messages)
    with pytest.raises(TemplateFailed):
        Template("{% set x = messages[0].update({'role': 'x'}) %}").render(messages)
    assert messages == HELLO


@pytest.mark.parametrize("source", ENDLESS.values(), ids=ENDLESS.keys())
def test_a_template_that_never_ends_is_ended(source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.template.TIME_LIMIT", 0.1)
    started = time.monotonic()
    with pytest.raises(TemplateFailed):
        Template(source).render(HELLO)
    assert time.monotonic() - started < 3


def test_the_time_limit_holds_in_any_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.template.TIME_LIMIT", 0.1)
    caught: list[TemplateFailed] = []

    def render() -> None:
        try:
            Template(ENDLESS["loops"]).render(HELLO)
        except TemplateFailed as error:
            caught.append(error)

    thread = threading.Thread(target=render)
    thread.start()
    thread.join(10)
    assert "longer than 0.1 seconds" in str(caught[0])


def test_the_time_limit_leaves_no_trace_function_behind() -> None:
    before = sys.gettrace()
    Template(CHATML).render(HELLO)
    with pytest.raises(TemplateFailed):
        Template("{{ 1 / 0 }}").render(HELLO)
    assert sys.gettrace() is before


@pytest.mark.parametrize("source", BOMBS.values(), ids=BOMBS.keys())
def test_a_template_cannot_fill_the_memory(source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.template.MEMORY_LIMIT", 64 << 20)
    with pytest.raises(TemplateFailed):
        Template(source).render(HELLO)


@pytest.mark.parametrize("source", ["{{ 2 ** 10 }}", "{{ 3 * 7 }}", "{{ ('-' * 40)|length }}"])
def test_ordinary_arithmetic_is_allowed(source: str) -> None:
    assert Template(source).render(HELLO) in ("1024", "21", "40")
