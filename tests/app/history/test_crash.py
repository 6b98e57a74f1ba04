"""A crash in mid-reply loses nothing that was kept, and one in mid-import leaves nothing of it."""

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


IMPORTER = """
import sys, time
from pathlib import Path
from app.history import Incoming, Store, incoming

incoming._STEP = 0
store = Store(Path(sys.argv[1]))
for _ in store.take_in(Incoming(Path(sys.argv[2]).read_bytes())):
    print("a piece", flush=True)
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


def test_of_an_import_in_which_the_window_was_killed_nothing_is_left(path, tmp_path) -> None:
    file = tmp_path / "chat.json"
    with Store(path) as store:
        conversation = store.create("Kept").id
        for number in range(100):
            store.add(conversation, "user", f"needle {number}")
        file.write_text(store.export_json(conversation), encoding="utf-8")
    command = [sys.executable, "-c", IMPORTER, str(path), str(file)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as importer:
        assert importer.stdout is not None
        for _ in range(5):
            importer.stdout.readline()
        importer.kill()
    with Store(path) as store:
        assert [each.title for each in store.conversations()] == ["Kept"]
        assert store._database.rows("SELECT count(*) FROM entries")[0][0] == 100
        assert {hit.conversation for hit in store.search("needle")} == {conversation}
