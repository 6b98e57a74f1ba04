"""The Hub as a source of bytes: streamed from where a file's last try ended, until none is missing.

A range is asked for without If-Range: the address names a commit, whose bytes never change, while
the ETags of the hosts that deliver them do. What is right is decided by the sha256 of the whole.
"""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from engine.errors import AnotherFile, HubBusy, HubError, HubFailing, NotOnHub
from engine.models.arriving import Arriving, Doing, ModelFile
from engine.models.download import SourceFailed
from engine.models.http import Head, Lost, Request
from engine.models.hub import Hub, Located
from engine.models.hub_client import expect_no_trouble

log = logging.getLogger("engine.models")

_SHA256 = re.compile(r"[0-9a-f]{64}")
_COMMIT = re.compile(r"[0-9a-f]{40}")
_RANGE = re.compile(r"bytes (\d+)-\d+/(\d+|\*)")
_TRIES = 5  # connections in a row that bring nothing, before giving up
_LONGEST_WAIT = 60.0  # seconds that the Hub may ask us to wait
_POLL = 0.05  # seconds


@dataclass(frozen=True)
class HubSource:
    """The Hugging Face Hub, over HTTP with resume.

    Attributes:
        hub: Which one.
        pause: Seconds before the next try after a connection that broke; it doubles with each that
            brought nothing.
        name: For a person.
    """

    hub: Hub = field(default_factory=Hub)
    pause: float = 1.0
    name: str = "the Hugging Face Hub"

    def spare(self, file: ModelFile) -> int:
        """Nothing: bytes go straight into the file."""
        return 0

    def pour(self, file: ModelFile, arriving: Arriving) -> None:
        """Stream what is missing, connecting anew as long as connections bring anything."""
        _Pouring(self.hub, self.pause, file, arriving).run()


class _Pouring:
    """One file's streaming, over as many connections as it takes."""

    def __init__(self, hub: Hub, pause: float, file: ModelFile, arriving: Arriving) -> None:
        self._hub = hub
        self._pause = pause
        self._file = file
        self._arriving = arriving
        self._begin = arriving.length
        self._barren = 0

    def run(self) -> None:
        arriving = self._arriving
        while arriving.missing:
            before = arriving.length
            arriving.does(Doing.TRYING_AGAIN if self._barren else Doing.CONNECTING)
            trouble = self._connect()
            if arriving.missing:
                self._barren = 0 if arriving.length > before else self._barren + 1
                self._before_next(trouble)

    def _connect(self) -> HubError | Lost:
        """Write what one connection brings; return why it brought no more.

        Raises SourceFailed for what another try would not change.
        """
        try:
            self._stream()
        except (Lost, HubBusy, HubFailing) as trouble:
            return trouble
        except HubError as error:
            raise SourceFailed(error) from error
        return Lost("the connection ended early", connected=True)

    def _before_next(self, trouble: HubError | Lost) -> None:
        """Wait before the next connection, or give up."""
        arriving = self._arriving
        log.info("%s: %s", self._file.name, trouble)
        error = self._hub.unreachable(trouble) if isinstance(trouble, Lost) else trouble
        has_come = arriving.length > self._begin
        never_there = isinstance(trouble, Lost) and not trouble.connected and not has_come
        wait = self._pause * 2 ** max(0, self._barren - 1)
        if isinstance(error, HubBusy):
            wait = max(wait, float(str(error.fields["seconds"])))
        if self._barren >= _TRIES or never_there or wait > _LONGEST_WAIT:
            raise SourceFailed(error) from trouble
        busy = isinstance(error, HubBusy)
        arriving.does(Doing.TOLD_TO_WAIT if busy else Doing.TRYING_AGAIN)
        _wait(wait, arriving.check)

    # One connection ------------------------------------------------------------------------------

    def _stream(self) -> None:
        have = self._arriving.length
        there = self._hub.locate(self._file, check=self._arriving.check)
        self._look_at(there)
        with self._asked(there, {"range": f"bytes={have}-"} if have else {}) as request:
            head = request.head()
            if head.status != 416:
                self._copy(head, request)
                return
        # Of a file as long as ours it makes no sense: some say it that know no ranges.
        with self._asked(there, {}) as request:
            self._copy(request.head(), request)

    def _asked(self, there: Located, headers: dict[str, str]) -> Request:
        return Request(
            there.url,
            check=self._arriving.check,
            patience=self._hub.patience,
            headers={"accept-encoding": "identity", **headers},
            token=there.token,
        )

    def _look_at(self, there: Located) -> None:
        """Keep the commit, and refuse at once what the Hub itself calls another file."""
        if _COMMIT.fullmatch(there.commit):
            self._file = replace(self._file, revision=there.commit)
        if there.size is not None:
            self._expect_size(there.size)
        if _SHA256.fullmatch(there.etag) and there.etag != self._file.sha256:
            raise self._another("the sha256 differs")

    def _copy(self, head: Head, request: Request) -> None:
        over = self._passed_over(head)
        self._arriving.does(Doing.PASSING_OVER if over else Doing.FETCHING)
        for data in request.pieces():
            new = data[over:]
            over = max(0, over - len(data))
            if new:
                self._arriving.does(Doing.FETCHING)
                self._arriving.write(new)
            if not self._arriving.missing:
                break

    def _passed_over(self, head: Head) -> int:
        """How many bytes of the body are ones we have: all, where the server ignores ranges."""
        have = self._arriving.length
        is_packed = "content-encoding" in head.headers
        if head.status == 206:
            came = _RANGE.fullmatch(head.headers.get("content-range", ""))
            if not came or int(came[1]) != have or is_packed:
                raise self._hub.strange("it sent another part than was asked for")
            if came[2] != "*":
                self._expect_size(int(came[2]))
            return 0
        self._expect_whole(head)
        length = head.headers.get("content-length", "")
        if length.isdecimal() and not is_packed:
            self._expect_size(int(length))
        return have

    def _expect_whole(self, head: Head) -> None:
        expect_no_trouble(head)
        if head.status in (401, 403):  # an address that has grown old: a new one is better
            raise HubFailing(status=head.status)
        if head.status == 404:
            file = self._file
            raise NotOnHub(what=f"file {file.path or file.name} in {file.repo}")
        if head.status != 200:
            raise self._hub.strange(f"it answers {head.status}")

    def _expect_size(self, size: int) -> None:
        if size != self._file.size:
            raise self._another(f"it has {size:,} bytes")

    def _another(self, reason: str) -> AnotherFile:
        return AnotherFile(name=self._file.name, repo=self._file.repo, reason=reason)


def _wait(seconds: float, check: Callable[[], None]) -> None:
    deadline = time.monotonic() + seconds
    while (left := deadline - time.monotonic()) > 0:
        check()
        time.sleep(min(_POLL, left))
