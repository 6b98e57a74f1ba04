"""What goes on in the window, without a widget and without a process."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from app.cards import Card, Offer
from app.chat.model import ASSISTANT, Attachment
from app.engine_life import Life
from app.history import State
from app.phases import Mode, Phase
from engine.errors import DecodeFailed, HistoryUnsaved, NotGguf, PromptTooLong, Stopped
from engine.protocol import PLAIN, SPECULATIVE, Chat, Compare, Compared, End, Loading, Verdict
from tests.app.windows import Desk
from tests.support.stub_bridge import done, emitted, plain_figures

NOVEL = {"name": "novel.txt", "text": "Call me …"}
OUTGROWN = (
    "The conversation outgrew the context of 4,096 tokens: its oldest 2 messages are no longer "
    "read."
)


# Sending -----------------------------------------------------------------------------------------


def test_a_message_and_its_reply_are_kept(desk: Desk) -> None:
    desk.say("Hello", "Good day.")
    assert desk.said == [("user", "Hello", "complete"), ("assistant", "Good day.", "complete")]
    reply = desk.session.views()[-1]
    assert desk.stored(reply.id) == ("Good day.", "complete")
    assert desk.conversations.current is not None
    assert desk.conversations.current.title == "Hello"


def test_a_reply_is_asked_for_with_what_was_said_and_the_tokens_it_was_written_with(
    desk: Desk,
) -> None:
    desk.say("One", "First.")
    desk.session.send("Two")
    sent = desk.bridge.last
    assert isinstance(sent, Chat)
    assert [(m.role, m.content) for m in sent.messages] == [
        ("user", "One"),
        ("assistant", "First."),
        ("user", "Two"),
    ]
    assert sent.messages[1].tokens == (1, 2, 3)
    assert sent.options.gamma == 3


def test_a_second_message_is_refused_while_a_reply_is_written(desk: Desk) -> None:
    desk.session.send("One")
    assert not desk.session.send("Two")
    desk.bridge.finish("First.")
    assert [text for _role, text, _state in desk.said] == ["One", "First."]


def test_nothing_is_sent_where_nothing_is_loaded(qapp: QApplication, tmp_path: Path) -> None:
    desk = Desk.make(tmp_path)
    assert not desk.session.send("Hello")
    assert desk.session.phase is Phase.EMPTY
    desk.life.load(desk_pair(), desk.session.settings)
    assert desk.session.phase is Phase.LOADING
    assert not desk.session.send("Hello")
    assert desk.conversations.store.conversations() == []
    desk.conversations.close()


def desk_pair():
    from app.pairs import Pair

    return Pair(Path("/models/target.gguf"))


@pytest.mark.parametrize("text", ["", "   ", "\n"])
def test_an_empty_message_is_not_sent(desk: Desk, text: str) -> None:
    assert not desk.session.send(text)


def test_attachments_are_kept_and_sent_before_the_text(desk: Desk) -> None:
    assert desk.session.send("What is this?", [Attachment("notes.txt", "milk\neggs")])
    content = desk.bridge.last.messages[-1].content
    assert content.index("milk") < content.index("What is this?")
    desk.bridge.finish("A list.")
    assert desk.session.views()[0].attachments == [{"name": "notes.txt", "text": "milk\neggs"}]


def test_the_system_prompt_of_the_chat_goes_before_that_of_the_settings(desk: Desk) -> None:
    desk.session.choices.choose("system", "Be brief.")
    desk.say("One")
    assert desk.bridge.last.messages[0].content == "Be brief."
    desk.conversations.set_system("Be rude.")
    desk.say("Two")
    first = desk.bridge.last.messages[0]
    assert (first.role, first.content) == ("system", "Be rude.")


def test_the_settings_of_the_chat_go_before_the_users(desk: Desk) -> None:
    desk.session.choices.choose("temperature", 0.5)
    desk.say("One")
    assert desk.bridge.last.options.sampling.temperature == 0.5
    desk.conversations.set_settings({"temperature": 0.0, "max_tokens": 9})
    desk.session.send("Two")
    options = desk.bridge.last.options
    assert (options.sampling.temperature, options.max_tokens) == (0.0, 9)


def test_a_setting_of_the_chat_that_makes_no_sense_is_said_and_nothing_is_lost(desk: Desk) -> None:
    desk.say("One")
    desk.conversations.set_settings({"temperature": "hot"})
    assert not desk.session.send("Two")
    assert desk.card is not None
    assert "temperature" in desk.card.sentence
    assert desk.session.phase is Phase.READY
    assert [text for _role, text, _state in desk.said] == ["One", "A reply."]


# While it is written -----------------------------------------------------------------------------


def test_what_is_written_is_in_the_view_before_it_is_on_the_disk(desk: Desk) -> None:
    desk.session.send("Hello")
    desk.bridge.write("Good ")
    assert desk.said[-1] == ("assistant", "Good ", "writing")
    assert desk.session.views()[-1].sources == [(0, 5, "accepted", 0.9, 0.8)]


def test_a_reply_goes_on_in_its_own_conversation_when_another_is_opened(desk: Desk) -> None:
    desk.session.send("Hello")
    first = desk.conversations.current
    assert first is not None
    desk.bridge.write("Good ")
    desk.conversations.begin()
    assert desk.said == []
    desk.bridge.finish("Good day.")
    desk.conversations.open(first.id)
    assert desk.said[-1] == ("assistant", "Good day.", "complete")


def test_stopping_is_seen_at_once_and_keeps_what_there_is(desk: Desk) -> None:
    desk.session.send("Hello")
    desk.bridge.write("Good ")
    desk.session.stop()
    assert desk.session.phase is Phase.STOPPING
    assert desk.bridge.stopped == [desk.bridge.last.id]
    desk.session.stop()
    assert len(desk.bridge.stopped) == 1
    desk.bridge.finish("Good ", why=End.STOPPED)
    assert desk.session.phase is Phase.READY
    assert desk.said[-1] == ("assistant", "Good ", "stopped")


def test_a_reply_that_is_stopped_before_it_begins_is_no_error(desk: Desk) -> None:
    desk.session.send("Hello")
    desk.session.stop()
    desk.bridge.fail(Stopped())
    assert desk.said[-1] == ("assistant", "", "stopped")
    assert desk.card is None


def test_events_of_another_request_change_nothing(desk: Desk) -> None:
    desk.session.send("Hello")
    stray = emitted("Not mine.")
    desk.bridge.told.emit(stray)
    assert desk.said[-1][1] == ""


def test_a_reply_cut_at_the_limit_says_so(desk: Desk) -> None:
    desk.session.send("Hello")
    desk.bridge.finish("Good", why=End.LENGTH)
    assert desk.said[-1][2] == "length"


# Errors ------------------------------------------------------------------------------------------


def test_a_failure_keeps_what_there_is_and_shows_a_card(desk: Desk) -> None:
    desk.session.send("Hello")
    desk.bridge.write("Good ")
    desk.bridge.fail(DecodeFailed("the details", status=-3))
    assert desk.said[-1] == ("assistant", "Good ", "lost")
    assert desk.card is not None
    assert "code -3" in desk.card.sentence
    assert Offer.DETAILS in desk.card.offers
    assert desk.session.phase is Phase.READY


def test_a_failure_costs_nothing_that_came_and_the_reply_goes_on_from_there(desk: Desk) -> None:
    """Of the last token the engine held the text back: half a character, or of a stop string."""
    desk.session.send("Hello")
    entry = desk.session.views()[-1].id
    desk.bridge.write("Good ")
    desk.bridge.tell(replace(emitted("ö", place=1), pieces=[]))
    desk.bridge.fail(DecodeFailed("the details", status=-3))
    kept = desk.conversations.store.entry(entry)
    assert (kept.content, kept.tokens, kept.state) == ("Good ", (5, 1), State.LOST)
    assert kept.sources == [(0, 5, "accepted", 0.9, 0.8)]
    desk.edits.go_on(entry)
    sent = desk.bridge.last.messages[-1]
    assert (sent.content, sent.tokens) == ("Good ", (5, 1))
    desk.bridge.write("day.")
    desk.bridge.finish("day.", tokens=(5, 9))
    assert desk.said[-1] == ("assistant", "Good day.", "complete")


@pytest.mark.usefixtures("english")
def test_a_message_that_is_too_long_is_given_back(desk: Desk) -> None:
    desk.session.send("A novel", [Attachment("novel.txt", "Call me …")])
    desk.bridge.fail(PromptTooLong(tokens=9000, limit=4096))
    current = desk.conversations.current
    assert current is not None
    assert desk.conversations.draft == "A novel"
    assert desk.conversations.drafts.attachments(current.id) == [NOVEL]
    assert desk.said == []
    assert desk.card is not None
    assert "9,000" in desk.card.sentence
    assert "4,096" in desk.card.sentence


def test_a_message_that_is_too_long_is_given_back_where_it_was_sent(desk: Desk) -> None:
    desk.say("Hello")
    first = desk.conversations.current
    assert first is not None
    desk.session.send("A novel", [Attachment("novel.txt", "Call me …")])
    desk.conversations.typed("and more")
    desk.conversations.begin()
    desk.conversations.typed("an idea")
    desk.bridge.fail(PromptTooLong(tokens=9000, limit=4096))
    assert desk.conversations.draft == "an idea"
    desk.conversations.open(first.id)
    assert desk.conversations.draft == "A novel\n\nand more"
    assert desk.conversations.drafts.attachments(first.id) == [NOVEL]
    assert desk.conversations.drafts.attachments(None) == []
    assert [text for _role, text, _state in desk.said] == ["Hello", "A reply."]


def test_the_next_reply_takes_the_card_away(desk: Desk) -> None:
    desk.session.send("Hello")
    desk.bridge.fail(DecodeFailed(status=-3))
    desk.session.send("Again")
    assert desk.card is None


def test_a_message_that_cannot_be_kept_is_not_taken(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_arguments: object, **_more: object) -> None:
        raise HistoryUnsaved(path="/full", reason="no space left")

    monkeypatch.setattr(desk.conversations.store, "add", refuse)
    assert not desk.session.send("Hello")
    assert desk.card is not None


def test_a_message_whose_reply_cannot_be_kept_stands_in_the_chat_and_is_not_given_back(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = desk.conversations.store
    add = store.add

    def refuse_replies(conversation: int, role: str, *arguments: object, **more: object) -> object:
        if role == ASSISTANT:
            raise HistoryUnsaved(path="/full", reason="no space left")
        return add(conversation, role, *arguments, **more)  # type: ignore[arg-type]

    desk.say("Hello")
    with monkeypatch.context() as full:
        full.setattr(store, "add", refuse_replies)
        assert desk.session.send("More")
    assert desk.card is not None
    assert [text for _role, text, _state in desk.said] == ["Hello", "A reply.", "More"]
    desk.edits.edit(desk.session.views()[0].id, "A novel")
    desk.bridge.fail(PromptTooLong(tokens=9000, limit=4096))
    assert desk.said[0] == ("user", "A novel", "complete")
    assert desk.conversations.draft == ""


# The engine's death ------------------------------------------------------------------------------


def test_death_in_mid_reply_keeps_it_and_offers_to_reload(desk: Desk) -> None:
    desk.session.send("Hello")
    desk.bridge.write("Good ")
    loads = len(desk.bridge.sent)
    desk.bridge.die("out of memory")
    assert desk.said[-1] == ("assistant", "Good ", "lost")
    assert desk.session.phase is Phase.LOST
    assert desk.card is not None
    assert "out of memory" in desk.card.sentence
    assert desk.card.offers == (Offer.RELOAD, Offer.DETAILS)
    assert "the last words" in desk.card.report
    assert len(desk.bridge.sent) == loads


def test_reloading_takes_the_card_away(desk: Desk) -> None:
    desk.session.send("Hello")
    desk.bridge.die()
    desk.life.reload()
    assert desk.session.phase is Phase.LOADING
    desk.bridge.be_ready()
    assert desk.session.phase is Phase.READY
    assert desk.card is None


def test_death_while_idle_is_mended_once_and_told(desk: Desk) -> None:
    desk.bridge.die()
    assert desk.session.phase is Phase.LOADING
    assert desk.card is not None
    assert not desk.card.is_trouble
    desk.bridge.be_ready()
    assert desk.session.phase is Phase.READY
    assert desk.card is None
    desk.bridge.die()
    assert desk.session.phase is Phase.LOST
    assert desk.card is not None
    assert desk.card.is_trouble


def test_forcing_a_stop_loads_the_pair_again_and_calls_the_reply_stopped(desk: Desk) -> None:
    desk.session.send("Hello")
    desk.bridge.write("Good ")
    desk.life.force_stop()
    assert desk.bridge.killed
    desk.bridge.die()
    assert desk.said[-1] == ("assistant", "Good ", "stopped")
    assert desk.session.phase is Phase.LOADING


def test_closing_in_mid_reply_keeps_the_last_words(desk: Desk) -> None:
    desk.session.send("Hello")
    desk.bridge.write("Good ")
    entry = desk.session.views()[-1].id
    desk.session.keep_all()
    assert desk.stored(entry) == ("Good ", "writing")
    desk.session.keep_all(at_last=True)
    assert desk.stored(entry) == ("Good ", "stopped")


# Loading -----------------------------------------------------------------------------------------


def test_a_load_that_fails_is_told_with_what_can_be_done(desk: Desk) -> None:
    desk.life.load(desk_pair(), desk.session.settings)
    desk.bridge.fail(DecodeFailed(status=1), unloaded=True)
    assert desk.session.phase is Phase.EMPTY
    assert desk.card is not None
    assert desk.card.offers[:2] == (Offer.OPEN, Offer.RELOAD)


def test_a_load_that_fails_before_it_cost_anything_leaves_the_chat_as_it_was(desk: Desk) -> None:
    desk.life.load(desk_pair(), desk.session.settings)
    desk.bridge.fail(NotGguf(path="/models/other.gguf", reason="it is a web page"))
    assert desk.session.phase is Phase.READY
    assert desk.session.can_speculate
    assert desk.card is not None
    assert "web page" in desk.card.sentence
    assert desk.card.offers == (Offer.OPEN,)
    desk.say("Hello")
    assert desk.said[-1][1] == "A reply."


def test_what_the_engine_wants_to_be_known_is_shown(desk: Desk) -> None:
    desk.life.load(desk_pair(), desk.session.settings)
    desk.bridge.be_ready(notes=("The context is 2,048 tokens.",))
    assert desk.card is not None
    assert desk.card.sentence == "The context is 2,048 tokens."
    assert not desk.card.is_trouble


def test_what_the_engine_wants_to_be_known_hides_no_trouble_that_nobody_has_closed(
    desk: Desk,
) -> None:
    desk.session.show(Card("The database was set aside."))
    desk.session.board.show_also(Card("The model used last is gone.", is_trouble=False))
    desk.life.load(desk_pair(), desk.session.settings)
    desk.bridge.be_ready(notes=("The context is 2,048 tokens.",))
    assert desk.card == Card(
        "The database was set aside. The model used last is gone. The context is 2,048 tokens."
    )
    desk.session.board.show_also(Card("The model used last is gone.", is_trouble=False))
    assert desk.card.sentence.endswith("The context is 2,048 tokens.")
    desk.session.board.put_away()
    desk.life.load(desk_pair(), desk.session.settings)
    desk.bridge.be_ready(notes=("The context is 4,096 tokens.",))
    assert desk.card == Card("The context is 4,096 tokens.", is_trouble=False)


@pytest.mark.usefixtures("english")
def test_what_is_to_be_known_of_a_reply_stays_with_it(desk: Desk) -> None:
    desk.session.send("Hello")
    first = desk.conversations.current
    assert first is not None
    desk.conversations.begin()
    desk.bridge.finish("Good day.", notes=(OUTGROWN,))
    desk.conversations.open(first.id)
    assert [tuple(view.notes) for view in desk.session.views()] == [(), (OUTGROWN,)]
    desk.say("More")
    assert [tuple(view.notes) for view in desk.session.views()][2:] == [(), ()]


@pytest.mark.usefixtures("english")
def test_what_is_to_be_known_of_a_kept_reply_of_a_comparison_stays_with_it(desk: Desk) -> None:
    compare(desk)
    desk.bridge.finish("Fast.", SPECULATIVE)
    desk.bridge.finish("Slow.", PLAIN, figures=plain_figures(), notes=(OUTGROWN,))
    desk.bridge.tell(Compared(1.3, 1.0, 12.0, 3, None))
    desk.session.keep(PLAIN)
    assert [tuple(view.notes) for view in desk.session.views()] == [(), (OUTGROWN,)]


def test_a_conversation_can_be_deleted_while_a_model_is_loading(desk: Desk) -> None:
    desk.say("Hello")
    current = desk.conversations.current
    assert current is not None
    desk.life.load(desk_pair(), desk.session.settings)
    desk.edits.delete_conversation(current.id)
    assert desk.life.life is Life.LOADING
    desk.bridge.be_ready()
    assert desk.session.phase is Phase.READY
    assert desk.conversations.store.conversations() == []


def test_deleting_the_conversation_that_is_written_in_stops_the_reply(desk: Desk) -> None:
    desk.session.send("Hello")
    current = desk.conversations.current
    assert current is not None
    desk.edits.delete_conversation(current.id)
    assert desk.session.phase is Phase.STOPPING
    desk.bridge.finish("Good", why=End.STOPPED)
    desk.undo()
    assert desk.said[-1] == ("assistant", "Good", "stopped")


def test_what_the_engine_died_of_is_told_in_the_users_language(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.cards.translated", lambda code, _sentence: f"({code})")
    failures: list[str] = []
    desk.session.compare_failed.connect(failures.append)
    desk.bridge.die()
    assert desk.card is not None
    assert desk.card.sentence.startswith("(worker-died)")
    desk.bridge.be_ready()
    compare(desk)
    desk.bridge.fail(DecodeFailed(status=-3))
    assert failures == ["(decode-failed)"]


# γ, the mode, speeds -----------------------------------------------------------------------------


def test_gamma_is_the_engines_until_a_person_chooses(desk: Desk) -> None:
    assert desk.session.gamma == 3
    desk.session.choose_gamma(5)
    desk.session.send("Hello")
    assert desk.bridge.last.options.gamma == 5
    desk.session.choose_gamma(None)
    assert desk.session.gamma == 3


def test_the_plain_mode_drafts_nothing(desk: Desk) -> None:
    desk.session.choose_mode(Mode.PLAIN)
    desk.session.send("Hello")
    assert desk.bridge.last.options.gamma == 0


def test_a_refused_draft_leaves_plain_chat(desk: Desk) -> None:
    desk.life.load(desk_pair(), desk.session.settings)
    verdict = Verdict(ok=False, code="kind", reason="the tokenizers differ")
    desk.bridge.be_ready(verdict=verdict, draft=None, gamma=0)
    assert not desk.session.can_speculate
    desk.session.choose_mode(Mode.COMPARE)
    desk.session.send("Hello")
    assert isinstance(desk.bridge.last, Chat)
    assert desk.bridge.last.options.gamma == 0


def test_a_plain_reply_measures_what_speed_ups_are_told_against(desk: Desk) -> None:
    speeds: list[float | None] = []
    desk.session.plain_speed.connect(speeds.append)
    desk.session.choose_mode(Mode.PLAIN)
    desk.session.send("Hello")
    desk.bridge.finish("Good day.", figures=plain_figures())
    assert speeds == [10.0]
    desk.session.choose_mode(Mode.SPECULATIVE)
    desk.say("Again")
    figures = desk.session.views()[-1].figures
    assert figures is not None
    assert figures["speed_up"] == pytest.approx(2.0)


# Comparing ---------------------------------------------------------------------------------------


def compare(desk: Desk, text: str = "Hello") -> None:
    desk.session.choose_mode(Mode.COMPARE)
    assert desk.session.send(text)


def test_a_comparison_answers_one_message_twice(desk: Desk) -> None:
    begun: list[object] = []
    desk.session.compared.connect(begun.append)
    compare(desk)
    assert isinstance(desk.bridge.last, Compare)
    assert desk.session.phase is Phase.COMPARING
    assert begun == [desk.session.contest]
    desk.bridge.write("Fast", SPECULATIVE)
    desk.bridge.write("Slow", PLAIN)
    desk.bridge.finish_comparison("Fast.", "Slow.")
    assert desk.session.phase is Phase.READY
    assert desk.said[-1] == ("assistant", "Fast.", "complete")


def test_either_reply_of_a_comparison_can_be_kept(desk: Desk) -> None:
    compare(desk)
    desk.bridge.finish_comparison("Fast.", "Slow.")
    desk.session.keep(PLAIN)
    assert [text for _role, text, _state in desk.said] == ["Hello", "Slow."]
    assert desk.session.contest is None


def test_writing_on_keeps_the_speculative_reply(desk: Desk) -> None:
    compare(desk)
    desk.bridge.finish_comparison("Fast.", "Slow.")
    desk.session.choose_mode(Mode.PLAIN)
    desk.session.send("Next")
    assert [m.content for m in desk.bridge.last.messages] == ["Hello", "Fast.", "Next"]


def test_a_comparison_can_be_run_again_with_another_gamma(desk: Desk) -> None:
    compare(desk)
    desk.bridge.finish_comparison("Fast.", "Slow.")
    desk.session.compare_again(6, exact=True)
    sent = desk.bridge.last
    assert (sent.options.gamma, sent.exact) == (6, True)
    assert [m.content for m in sent.messages] == ["Hello"]
    desk.bridge.finish_comparison("Faster.", "Slow.")
    assert [text for _role, text, _state in desk.said] == ["Hello", "Faster."]


@pytest.mark.parametrize("ending", ["stopped", "cut", "failed", "killed"])
def test_a_comparison_run_again_that_ends_without_a_word_leaves_what_was_there(
    desk: Desk, ending: str
) -> None:
    compare(desk)
    desk.bridge.finish_comparison("Fast.", "Slow.")
    desk.session.compare_again(6, exact=False)
    desk.session.stop()
    match ending:
        case "stopped":
            desk.bridge.fail(Stopped())
        case "cut":
            desk.bridge.finish_comparison("", "", End.STOPPED)
        case "failed":
            desk.bridge.fail(DecodeFailed(status=-3))
        case "killed":
            desk.bridge.die()
    assert desk.said == [("user", "Hello", "complete"), ("assistant", "Fast.", "complete")]
    assert desk.session.contest is None


def test_what_a_comparison_left_can_be_had_back_after_it_was_run_again(desk: Desk) -> None:
    compare(desk)
    desk.bridge.finish_comparison("Fast.", "Slow.")
    desk.session.compare_again(6, exact=False)
    desk.bridge.write("Fas", SPECULATIVE)
    desk.session.stop()
    desk.bridge.fail(Stopped())
    assert desk.said[-1] == ("assistant", "Fas", "stopped")
    desk.undo()
    assert desk.said == [("user", "Hello", "complete"), ("assistant", "Fast.", "complete")]


def test_a_comparison_that_the_disk_refuses_to_run_again_leaves_what_was_there(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_arguments: object, **_more: object) -> None:
        raise HistoryUnsaved(path="/full", reason="no space left")

    compare(desk)
    desk.bridge.finish_comparison("Fast.", "Slow.")
    monkeypatch.setattr(desk.conversations.store, "add", refuse)
    desk.session.compare_again(6, exact=False)
    assert desk.card is not None
    assert desk.said[-1] == ("assistant", "Fast.", "complete")


def test_a_comparison_is_not_run_again_without_a_draft(desk: Desk) -> None:
    compare(desk)
    desk.bridge.finish_comparison("Fast.", "Slow.")
    desk.load(draft=None)
    sent = len(desk.bridge.sent)
    desk.session.compare_again(3, exact=False)
    assert len(desk.bridge.sent) == sent
    assert desk.said[-1] == ("assistant", "Fast.", "complete")


def test_what_exact_arithmetic_takes_is_no_measure_for_usual_replies(desk: Desk) -> None:
    speeds: list[float | None] = []
    desk.session.plain_speed.connect(speeds.append)
    compare(desk)
    desk.bridge.finish_comparison("Fast.", "Slow.")
    assert speeds == [10.0]
    desk.session.compare_again(3, exact=True)
    desk.bridge.finish("Fast.", SPECULATIVE)
    desk.bridge.finish("Fast.", PLAIN, figures=replace(plain_figures(), seconds=8.0))
    desk.bridge.tell(Compared(1.0, 0.0, None, 3, None))
    assert speeds == [10.0]
    assert desk.session.known_plain_speed == 10.0
    figures = desk.session.views()[-1].figures
    assert figures is not None
    assert "speed_up" not in figures


def test_a_comparison_with_settings_that_make_no_sense_is_not_run_again(desk: Desk) -> None:
    compare(desk)
    desk.bridge.finish_comparison("Fast.", "Slow.")
    desk.conversations.set_settings({"temperature": "hot"})
    desk.session.compare_again(3, exact=False)
    assert desk.session.contest is not None
    assert [text for _role, text, _state in desk.said] == ["Hello", "Fast."]


def test_loading_the_exact_copy_is_told(desk: Desk) -> None:
    told: list[object] = []
    desk.session.told.connect(told.append)
    compare(desk)
    desk.bridge.tell(Loading(0.5, "Loading target.gguf"))
    assert isinstance(told[-1], Loading)
    assert desk.life.life is Life.READY


def test_death_in_mid_comparison_keeps_what_there_is(desk: Desk) -> None:
    failures: list[str] = []
    desk.session.compare_failed.connect(failures.append)
    compare(desk)
    desk.bridge.write("Slow", PLAIN)
    desk.bridge.die()
    assert [text for _role, text, _state in desk.said] == ["Hello", "Slow"]
    assert desk.said[-1][2] == "lost"
    assert len(failures) == 1


def test_a_comparison_that_is_too_long_is_given_back(desk: Desk) -> None:
    compare(desk, "A novel")
    desk.bridge.fail(PromptTooLong(tokens=9000, limit=4096))
    assert desk.conversations.draft == "A novel"
    assert desk.said == []


def test_a_comparison_goes_on_in_its_own_conversation(desk: Desk) -> None:
    compare(desk)
    first = desk.conversations.current
    assert first is not None
    desk.conversations.begin()
    desk.bridge.finish_comparison("Fast.", "Slow.")
    assert desk.said == []
    desk.conversations.open(first.id)
    assert desk.said[-1][1] == "Fast."


def test_a_comparison_measures_the_plain_speed(desk: Desk) -> None:
    speeds: list[float | None] = []
    desk.session.plain_speed.connect(speeds.append)
    compare(desk)
    desk.bridge.finish_comparison("Fast.")
    assert speeds == [10.0]


def test_a_done_is_as_it_is_told(desk: Desk) -> None:
    finished: list[tuple[int, object, object]] = []
    desk.session.finished.connect(lambda *told: finished.append(told))
    desk.session.send("Hello")
    desk.bridge.tell(done("Good day."))
    conversation, view, notes = finished[0]
    assert conversation == 1
    assert view.text == "Good day."  # type: ignore[attr-defined]
    assert view.state is State.COMPLETE  # type: ignore[attr-defined]
    assert notes == ()
