"""A crash in mid-reply loses nothing that was kept."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from app.history import State, Store

ROOT = Path(__file__).parents[3]

WRITER = """
import sys, time
from pathlib import Path
from app.history import Store

store = Store(Path(sys.argv[1]))
conversation = store.create().id
store.add(conversation, "user", "Count for me")
reply = store.add(conversation, "assistant", "", state="writing").id
text = ""
for number in range(100_000):
    text += f"{number} "
    store.update(reply, content=text)
    print(number, flush=True)
    time.sleep(0.02)
"""


def test_a_killed_window_keeps_every_update_it_made(path) -> None:
    command = [sys.executable, "-c", WRITER, str(path)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        time.sleep(0.6)
        said = writer.stdout.readline()
        for _ in range(15):
            said = writer.stdout.readline()
        writer.kill()
    with Store(path) as store:
        assert store.trouble is None
        (conversation,) = store.conversations()
        question, reply = store.entries(conversation.id)
        assert conversation.title == question.content == "Count for me"
        assert reply.state is State.LOST
        numbers = [int(number) for number in reply.content.split()]
        assert numbers == list(range(len(numbers)))
        assert len(numbers) > int(said)
