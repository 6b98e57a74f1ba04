"""What can compute here is asked once, of a worker of its own."""

from __future__ import annotations

from pathlib import Path

from app.jobs import Job, Jobs
from app.models import surveyor
from app.models.surveyor import Surveyor
from tests.app.windows import until
from tests.support.fake_engine import fake


def asked(jobs: Jobs, *options: str) -> Surveyor:
    made = Surveyor(jobs, fake(*options))
    made.ask()
    until(lambda: made.is_done)
    return made


def test_the_devices_come_from_the_worker(jobs: Jobs, tmp_path: Path) -> None:
    machine = asked(jobs).machine(tmp_path)
    assert [device.kind for device in machine.devices] == ["cpu"]
    assert machine.features == ("AVX2", "REPACK")


def test_before_the_answer_only_the_processor_counts(jobs: Jobs, tmp_path: Path) -> None:
    machine = Surveyor(jobs, fake()).machine(tmp_path)
    assert machine.devices == ()
    assert machine.memory > 0


def test_it_is_asked_once(jobs: Jobs, monkeypatch) -> None:
    made, starts = asked(jobs), []
    monkeypatch.setattr(jobs, "start", lambda *_args, **_how: starts.append(1))
    made.ask()
    assert starts == []


def test_a_worker_that_does_not_start_is_waited_for_no_longer(jobs: Jobs, tmp_path: Path) -> None:
    made = Surveyor(jobs, [str(tmp_path / "no such program")])
    made.ask()
    until(lambda: made.is_done)
    assert made.machine(tmp_path).devices == ()


def test_a_worker_that_says_nothing_is_given_up(jobs: Jobs, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(surveyor, "_PATIENCE", 2)
    made = Surveyor(jobs, ["cat"])
    made.ask()
    until(lambda: made.is_done)
    assert made.machine(tmp_path).devices == ()


def test_closing_the_window_waits_for_no_answer(jobs: Jobs) -> None:
    made = Surveyor(jobs, ["cat"])
    made.ask()
    assert isinstance(made._job, Job)
    jobs.close()
    assert made._job.cancelled()
