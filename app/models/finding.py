"""What the Hub has: asked when a person says so, and only then."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Signal

from app.jobs import Job, Jobs
from engine.errors import FetchCancelled, ForewordError
from engine.models.wanted import on_hub


class Finding(QObject):
    """One question to the Hub at a time; a new one takes the place of the last.

    Attributes:
        is_asking: Whether an answer is waited for.

    Signals:
        began: A question is asked.
        found: The repositories that fit words, as a list of Found.
        opened: What a Repository holds.
        failed: The ForewordError in place of an answer.
    """

    began = Signal()
    found = Signal(object)
    opened = Signal(object)
    failed = Signal(object)

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._job: Job | None = None

    @property
    def is_asking(self) -> bool:
        return self._job is not None

    def search(self, words: str) -> None:
        """Look for repositories; where the words are one's name or address, open that."""
        place = on_hub(words)
        if place is not None:
            self.open(place.repo, place.revision)
        else:
            self._ask(lambda hub, check: hub.search(words, check=check), self.found.emit)

    def open(self, repo: str, revision: str = "") -> None:
        """Look what a repository holds."""
        self._ask(lambda hub, check: hub.repository(repo, revision, check=check), self.opened.emit)

    def cancel(self) -> None:
        """Wait for no answer any more."""
        if self._job is not None:
            self._job.forget()
            self._job = None

    def _ask(self, question: Callable[..., Any], told: Callable[[Any], None]) -> None:
        self.cancel()

        def work(job: Job) -> Any:
            # Only here: HTTP takes longer to import than all the rest.
            from engine.models.hub import Hub

            def check() -> None:
                if job.cancelled():
                    raise FetchCancelled

            return question(Hub(), check)

        def done(answer: Any) -> None:
            self._job = None
            told(answer)

        self._job = self._jobs.start(work, done=done, failed=self._fail)
        self.began.emit()

    def _fail(self, error: ForewordError) -> None:
        self._job = None
        self.failed.emit(error)
