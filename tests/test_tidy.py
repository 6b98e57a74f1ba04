"""The watch over what tests leave behind does notice."""

from __future__ import annotations

import pytest

HEADER = """
import logging, subprocess, sys, threading, time
from tests.support.tidy import expect_log, no_leaks
"""


def run(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, body: str) -> pytest.RunResult:
    monkeypatch.setattr("tests.support.tidy.GRACE_SECONDS", 0.05)
    pytester.makepyfile(HEADER + body)
    # Python may still apply an inner run's filters when the whole process ends, where llama_cpp
    # leaves a file open: hence the second filter.
    filters = ("-W", "error", "-W", "ignore::ResourceWarning")
    return pytester.runpytest_inprocess("-p", "no:cacheprovider", *filters)


@pytest.fixture
def inner_logger(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets the inner run watch a logger that the outer one does not."""
    monkeypatch.setattr("tests.support.tidy.OUR_LOGGERS", ("inner",))


@pytest.mark.usefixtures("inner_logger")
def test_an_unexpected_record_fails(pytester, monkeypatch) -> None:
    body = """
def test_it():
    logging.getLogger("inner.module").warning("a surprise")
"""
    result = run(pytester, monkeypatch, body)
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines(["*WARNING inner.module: a surprise*"])


@pytest.mark.usefixtures("inner_logger")
def test_an_announced_record_is_forgiven(pytester, monkeypatch) -> None:
    body = """
def test_it(expect_log):
    expect_log("ERROR .* surprise$")
    logging.getLogger("inner").error("a surprise")
"""
    run(pytester, monkeypatch, body).assert_outcomes(passed=1)


@pytest.mark.usefixtures("inner_logger")
def test_an_announced_record_that_never_comes_fails(pytester, monkeypatch) -> None:
    body = """
def test_it(expect_log):
    expect_log("a surprise")
    logging.getLogger("inner").info("a surprise")
"""
    run(pytester, monkeypatch, body).assert_outcomes(passed=1, errors=1)


def test_a_thread_left_running_fails(pytester, monkeypatch) -> None:
    body = """
def test_it():
    threading.Thread(target=time.sleep, args=(0.5,), name="engine-x", daemon=True).start()
"""
    result = run(pytester, monkeypatch, body)
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines(["*threads left running: *engine-x*"])


def test_a_child_process_left_behind_fails(pytester, monkeypatch) -> None:
    body = """
left = []
def test_it():
    left.append(subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"]))
def teardown_module():
    left[0].kill()
    left[0].wait()
"""
    result = run(pytester, monkeypatch, body)
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines(["*child processes left behind: *"])


def test_an_exception_that_nobody_can_catch_fails(pytester, monkeypatch) -> None:
    body = """
def test_thread():
    thread = threading.Thread(target=lambda: 1 / 0)
    thread.start()
    thread.join()
class Fails:
    def __del__(self):
        raise ValueError
def test_finaliser():
    Fails()
"""
    result = run(pytester, monkeypatch, body)
    result.assert_outcomes(failed=2)
