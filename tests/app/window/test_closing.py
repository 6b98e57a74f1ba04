"""How the window closes, whatever goes on."""

from __future__ import annotations

import time

import psutil

from app.pairs import Pair
from tests.app.windows import SLOW, OpenWindow, said, until, write


def test_closing_in_mid_reply_keeps_it_and_ends_every_process(
    open_window: OpenWindow, pair: Pair
) -> None:
    window = open_window(*SLOW, pair=pair)
    write(window, "Hello")
    until(lambda: len(said(window)[-1][1]) > 20)
    pid = window.parts.bridge.pid
    entry = window.parts.session.views()[-1].id
    began = time.monotonic()
    window.close()
    assert time.monotonic() - began < 3
    assert not psutil.pid_exists(pid)
    again = open_window()
    kept = again.parts.conversations.store.entry(entry)
    assert kept.content.startswith("Here is a small")
    assert kept.state == "stopped"


def test_closing_while_a_deaf_worker_writes_takes_no_longer(
    open_window: OpenWindow, pair: Pair
) -> None:
    window = open_window(*SLOW, "--deaf", "--stubborn", pair=pair)
    write(window, "Hello")
    until(lambda: len(said(window)[-1][1]) > 20)
    pid = window.parts.bridge.pid
    began = time.monotonic()
    window.close()
    assert time.monotonic() - began < 3
    assert not psutil.pid_exists(pid)


def test_closing_while_loading_ends_it(open_window: OpenWindow, pair: Pair) -> None:
    window = open_window("--load", "20")
    window.opener.load(pair)
    until(lambda: window.parts.bridge.pid is not None)
    pid = window.parts.bridge.pid
    window.close()
    assert not psutil.pid_exists(pid)
