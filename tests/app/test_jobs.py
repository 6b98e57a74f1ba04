"""Work beside the window's thread."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication

from app.jobs import Job, Jobs
from engine.errors import ForewordError, NothingLoaded
from tests.app.windows import until
from tests.support.tidy import ExpectLog


@pytest.fixture(name="jobs")
def running_jobs(qapp: QApplication) -> Iterator[Jobs]:
    jobs = Jobs()
    yield jobs
    jobs.close()


def test_a_result_comes_back_on_the_windows_thread(jobs: Jobs) -> None:
    heard: list[tuple[object, int]] = []
    jobs.start(
        lambda _job: threading.get_ident(),
        done=lambda result: heard.append((result, threading.get_ident())),
    )
    until(lambda: heard)
    worked_on, heard_on = heard[0]
    assert heard_on == threading.get_ident() != worked_on


def test_an_error_of_the_catalogue_comes_back_as_it_is(jobs: Jobs) -> None:
    def fail(_job: Job) -> None:
        raise NothingLoaded

    failures: list[ForewordError] = []
    jobs.start(fail, done=lambda _result: None, failed=failures.append)
    until(lambda: failures)
    assert isinstance(failures[0], NothingLoaded)


def test_any_other_error_is_logged_and_comes_back_in_words(
    jobs: Jobs, expect_log: ExpectLog
) -> None:
    def fail(_job: Job) -> None:
        raise ZeroDivisionError

    expect_log("A job failed")
    failures: list[ForewordError] = []
    jobs.start(fail, done=lambda _result: None, failed=failures.append)
    until(lambda: failures)
    assert "ZeroDivisionError" in failures[0].detail


def test_a_job_tells_how_far_it_is_and_can_be_cancelled(jobs: Jobs) -> None:
    def work(job: Job) -> str:
        for step in range(10_000):
            job.report(step)
            if job.cancelled():
                return "cancelled"
            threading.Event().wait(0.001)
        return "done"

    steps: list[int] = []
    results: list[str] = []
    job = jobs.start(work, done=results.append, progressed=steps.append)
    until(lambda: len(steps) > 2)
    job.cancel()
    until(lambda: results)
    assert results == ["cancelled"]
    assert steps == sorted(steps)


def test_nobody_hears_of_a_job_that_is_forgotten(jobs: Jobs) -> None:
    results: list[str] = []
    job = jobs.start(lambda _job: "done", done=results.append)
    job.forget()
    other: list[str] = []
    jobs.start(lambda _job: "done", done=other.append)
    until(lambda: other)
    assert results == []


def test_closing_ends_what_is_under_way(jobs: Jobs) -> None:
    ended = threading.Event()

    def work(job: Job) -> None:
        while not job.cancelled():
            threading.Event().wait(0.001)
        ended.set()

    heard: list[object] = []
    jobs.start(work, done=heard.append)
    jobs.close()
    assert ended.is_set()
    assert heard == []
