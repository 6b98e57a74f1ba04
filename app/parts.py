"""What the window is put together from, and in which order it ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

from app.bridge import Bridge
from app.conversations import Conversations
from app.drafts import Drafts
from app.edits import Edits
from app.engine_life import EngineLife
from app.history import Store
from app.jobs import Jobs
from app.models.room import Models
from app.session import Session
from app.settings.choices import Choices
from app.speeds import PlainSpeeds
from app.theme import Theme
from engine import paths


@dataclass
class Parts:
    """Everything behind the widgets.

    ``trouble``: what was wrong with files, as codes ("" for a note) and sentences of the engine's.
    """

    choices: Choices
    theme: Theme
    jobs: Jobs
    bridge: Bridge
    life: EngineLife
    conversations: Conversations
    session: Session
    edits: Edits
    models: Models
    trouble: tuple[tuple[str, str], ...] = ()

    @classmethod
    def assemble(cls, worker: Sequence[str] | None = None, **queue: Any) -> Self:
        """Put them together. ``worker``: a test's own engine; ``queue``: its own downloads."""
        choices = Choices()
        theme = Theme()
        choices.dress(theme)
        store = Store(paths.data_folder() / "conversations.db")
        damage = store.trouble
        bridge = Bridge(worker)
        life = EngineLife(bridge)
        conversations = Conversations(store, Drafts(paths.data_folder() / "drafts.json"))
        session = Session(life, conversations, choices, PlainSpeeds())
        jobs = Jobs()
        trouble = [("", note) for note in choices.notes]
        trouble += [(damage.code, damage.sentence)] if damage is not None else []
        models = Models.assemble(jobs, choices, life, worker, **queue)
        edits = Edits(session)
        behind = (choices, theme, jobs, bridge, life, conversations, session, edits, models)
        return cls(*behind, tuple(trouble))

    def close(self) -> None:
        """End everything within three seconds: first what is on the disk, then the processes."""
        self.session.keep_all()
        self.jobs.cancel_all()
        self.models.fetches.close()
        self.life.close()
        self.session.keep_all(at_last=True)
        self.conversations.close()
        self.jobs.close()
