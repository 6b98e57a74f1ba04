"""A conversation as a file for people."""

from __future__ import annotations

from app.history import Store, Words
from app.history.markdown import to_markdown
from app.history.model import Conversation, Entry, State


def entry(role: str, content: str, **more) -> Entry:
    return Entry(0, 0, role, content, **more)


def body(*entries: Entry, words: Words | None = None) -> str:
    text = to_markdown(Conversation(1, "Title", 0.0, 0.0), entries, words)
    return text.split("*\n\n", 1)[1]


def test_the_whole_file(store: Store) -> None:
    conversation = store.create("Sky").id
    store.set_system(conversation, "Be brief.")
    store.add(conversation, "user", "Why is it blue?\n")
    figures = {"tokens": 1214, "tokens_per_second": 23.06, "drafted": 9, "acceptance_rate": 0.714}
    store.add(conversation, "assistant", "Because.", state="stopped", figures=figures)
    title, date, *rest = store.export_markdown(conversation).split("\n\n")
    assert title == "# Sky"
    assert date.startswith("*20")
    assert "\n\n".join(rest) == (
        "## System prompt\n\nBe brief.\n\n## You\n\nWhy is it blue?\n\n## Assistant\n\nBecause.\n\n"
        "*1,214 tokens · 23.1 tokens/s · 71% of the drafted tokens accepted · stopped*\n"
    )


def test_an_untitled_conversation_has_a_heading() -> None:
    assert to_markdown(Conversation(1, "", 0.0, 0.0), []).startswith("# Untitled\n")


def test_a_plain_reply_says_nothing_of_drafts() -> None:
    figures = {"tokens": 5, "tokens_per_second": 2.0, "drafted": 0, "acceptance_rate": 0.0}
    text = body(entry("assistant", "Hi", figures=figures))
    assert text == "## Assistant\n\nHi\n\n*5 tokens · 2.0 tokens/s*\n"


def test_a_number_that_is_no_figure_is_left_out() -> None:
    figures = {"tokens": 10**400, "tokens_per_second": 2.0, "drafted": 9, "acceptance_rate": 1e300}
    assert body(entry("assistant", "Hi", figures=figures)).endswith("\n\n*2.0 tokens/s*\n")


def test_a_reply_cut_short_in_code_does_not_swallow_what_follows() -> None:
    cut = "See:\n````python\nx = '''\n```\n"
    text = body(entry("assistant", cut, state=State.LOST), entry("user", "Go on"))
    assert text == (
        f"## Assistant\n\n{cut}\n````\n\n*cut short: the engine stopped*\n\n## You\n\nGo on\n"
    )
    closed = "```\nx\n```\nand `y`"
    assert body(entry("assistant", closed)) == f"## Assistant\n\n{closed}\n"


def test_attachments_stand_in_fences_longer_than_any_they_hold() -> None:
    files = [{"name": "a.md", "text": "```\nx\n```"}, {"size": 5}, "odd"]
    assert body(entry("user", "", attachments=files)) == (
        "## You\n\n**Attachment: a.md**\n\n````\n```\nx\n```\n````\n\n**Attachment**\n\n"
        "**Attachment**\n"
    )


def test_figures_of_another_kind_are_left_out() -> None:
    odd = {"tokens": "many", "tokens_per_second": None, "drafted": True, "acceptance_rate": []}
    assert body(entry("assistant", "Hi", figures=odd)) == "## Assistant\n\nHi\n"


def test_every_word_can_be_translated() -> None:
    words = Words(user="Du", attachment="Anhang")
    assert body(entry("user", "Hallo", attachments=[1]), words=words) == (
        "## Du\n\n**Anhang**\n\nHallo\n"
    )
