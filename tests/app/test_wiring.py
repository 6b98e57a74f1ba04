"""What the live panel is told of the session."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from app.pairs import Pair
from app.panel import words
from app.panel.explain import Key
from app.panel.facts import Act, Kind, advice
from app.panel.panel import LivePanel
from app.panel.run import State
from app.phases import Mode
from app.theme import Theme
from app.tuning.tuner import Tuner
from app.wiring import wire_panel
from engine.errors import DecodeFailed, PromptTooLong
from engine.protocol import PLAIN, SPECULATIVE, Compared, Figures, Prompt, Record, Tuned
from tests.app.windows import Desk
from tests.support.stub_bridge import plain_figures
from tests.support.tuned import CPU, RECORD


@pytest.fixture(name="desk")
def desk_of_the_test(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk.make(tmp_path)
    yield desk
    desk.conversations.close()


@pytest.fixture(name="panel")
def wired_panel(desk: Desk, theme: Theme, qtbot) -> LivePanel:
    panel = LivePanel(theme)
    qtbot.addWidget(panel)
    parts: Any = SimpleNamespace(session=desk.session, life=desk.life, edits=desk.edits)
    wire_panel(panel, parts)
    desk.load()
    return panel


def measure(desk: Desk) -> None:
    """A plain reply says how fast the pair is without drafting."""
    desk.session.choose_mode(Mode.PLAIN)
    desk.session.send("Hello")
    desk.bridge.finish("Good day.", figures=plain_figures())
    desk.session.choose_mode(Mode.SPECULATIVE)


def test_a_plain_speed_is_known_again_after_each_load(desk: Desk, panel: LivePanel) -> None:
    measure(desk)
    assert panel.facts.plain_speed == 10.0
    desk.life.load(Pair(Path("/models/other.gguf")), desk.session.settings)
    desk.bridge.be_ready()
    assert panel.facts.plain_speed is None
    desk.load()
    assert panel.facts.plain_speed == 10.0


@pytest.mark.parametrize("mode", [Mode.SPECULATIVE, Mode.COMPARE])
def test_a_run_that_fails_before_its_first_word_ends(
    desk: Desk, panel: LivePanel, mode: Mode
) -> None:
    desk.session.choose_mode(mode)
    desk.session.send("Hello")
    assert advice(panel.facts).kind is Kind.READING
    desk.bridge.fail(PromptTooLong(tokens=9000, limit=4096))
    assert advice(panel.facts).kind is Kind.WAITING


def test_a_run_that_fails_in_its_midst_is_over(desk: Desk, panel: LivePanel) -> None:
    desk.session.send("Hello")
    desk.bridge.tell(Prompt("chat", 3, 3))
    desk.bridge.write("Good ")
    desk.bridge.fail(DecodeFailed(status=-3))
    assert panel.facts.run.state is State.OVER
    assert panel.facts.run.figures.tokens == 1


def test_an_exact_comparison_is_not_held_against_the_usual_plain_speed(
    desk: Desk, panel: LivePanel
) -> None:
    measure(desk)
    desk.session.choose_mode(Mode.COMPARE)
    desk.session.send("Hello")
    desk.bridge.finish_comparison("Fast.")
    assert panel.facts.measure == 10.0
    desk.session.compare_again(3, exact=True)
    assert panel.facts.measure is None
    desk.bridge.finish_comparison("Fast.")
    assert panel.facts.measure == 10.0
    assert panel.facts.run.is_exact


DRAFTED = Figures(
    tokens=60, rounds=30, drafted=90, accepted=30, seconds=6.0, prompt_tokens=19, gamma=3
)
"""Of a drafted reply, at 10 tokens/s."""


def tune(desk: Desk) -> Record:
    """A tuning that ends a minute from now."""
    tuner = Tuner(desk.session)
    tuner.begin()
    found = replace(RECORD, at=(datetime.now(UTC) + timedelta(minutes=1)).isoformat())
    desk.bridge.tell(Tuned(found))
    return found


def test_a_tuning_is_what_replies_are_held_against_from_then_on(
    desk: Desk, panel: LivePanel
) -> None:
    measure(desk)
    desk.session.send("Hello")
    desk.bridge.finish("Good day.", figures=DRAFTED)
    assert advice(panel.facts).kind is Kind.SAME
    tune(desk)
    assert panel.facts.plain_speed == pytest.approx(1 / CPU.plain)
    # What was written under other circumstances is not judged by it.
    assert advice(panel.facts).kind is Kind.BEFORE_TUNING
    assert panel.facts.worth is None
    desk.session.send("Again")
    desk.bridge.finish("Good day.", figures=DRAFTED)
    figures = desk.session.views()[-1].figures
    assert figures is not None
    assert figures["speed_up"] == pytest.approx(10 * CPU.plain)
    assert advice(panel.facts).kind is Kind.COSTS


def test_the_verdict_offers_what_the_chip_advises(desk: Desk, panel: LivePanel) -> None:
    tune(desk)
    desk.session.choose_gamma(7)
    bad = replace(DRAFTED, tested_by_position=[60, 12], accepted_by_position=[12, 2])
    for _reply in range(3):
        desk.session.send("Hello")
        desk.bridge.finish("Good day.", figures=replace(bad, gamma=7, drafted=210))
    advised = desk.session.advice
    assert advised is not None
    found = advice(panel.facts)
    assert found.kind is Kind.COSTS
    assert found.gamma == advised.gamma
    assert found.act is (Act.SET_GAMMA if advised.gamma else Act.GO_PLAIN)


def test_no_plain_chat_is_advised_where_the_clock_said_that_drafting_pays(desk: Desk) -> None:
    desk.load()
    tune(desk)
    bad = replace(DRAFTED, tested_by_position=[300, 60], accepted_by_position=[6, 1])
    desk.session.send("Hello")
    desk.bridge.finish("Good day.", figures=bad)
    advised = desk.session.advice
    assert advised is not None
    assert advised.gamma == 0
    desk.session.send("Again")
    desk.bridge.finish("Good day.", figures=replace(bad, seconds=2.0))
    assert desk.session.advice is None


def test_another_chat_empties_the_panel(desk: Desk, panel: LivePanel) -> None:
    desk.session.send("Hello")
    desk.bridge.finish("Good day.", figures=DRAFTED)
    first = desk.conversations.current
    assert first is not None
    assert panel.facts.context_used == 79
    desk.conversations.opened.emit()  # the same one, shown anew
    assert panel.facts.run.state is State.OVER
    desk.conversations.begin()
    assert panel.facts.run.state is State.EMPTY
    assert panel.facts.context_used == 0
    desk.conversations.open(first.id)
    assert panel.facts.run.state is State.EMPTY
    assert panel.facts.context_used == 79


def test_what_is_being_written_stays_in_sight_from_another_chat(
    desk: Desk, panel: LivePanel
) -> None:
    desk.session.send("Hello")
    desk.bridge.write("Good ")
    desk.conversations.begin()
    assert panel.facts.run.state is State.WRITING


def test_a_chat_with_figures_of_another_program_opens(desk: Desk, panel: LivePanel) -> None:
    store = desk.conversations.store
    chat = store.create()
    entry = store.add(chat.id, "assistant", "Good day.")
    store.update(entry.id, figures={"prompt_tokens": "many", "tokens": -3})
    desk.conversations.open(chat.id)
    assert panel.facts.context_used == 0


def test_a_comparison_has_the_clocks_of_its_own_lanes(desk: Desk, panel: LivePanel) -> None:
    measure(desk)
    desk.session.choose_mode(Mode.COMPARE)
    desk.session.send("Hello")
    drafted = replace(DRAFTED, prompt_seconds=2.3, first_token_seconds=2.5)
    plain = Figures(tokens=60, rounds=60, seconds=4.0, prompt_seconds=1.8)
    desk.bridge.finish("Good day.", SPECULATIVE, figures=drafted)
    desk.bridge.finish("Good day.", PLAIN, figures=plain)
    desk.bridge.tell(Compared(0.67, -2.5, None, 60, None))
    worth = panel.facts.worth
    assert worth is not None
    assert worth.saved == pytest.approx((1.8 + 4.0) - (2.3 + 6.0))
    assert words.values(panel.facts)[Key.FIRST_TOKEN] == "2.5\u00a0s"
