"""The Hugging Face Hub as a source of model files.

Its library is asked for metadata only. The bytes we fetch ourselves: the library's own download
takes 23 s to notice that it is offline, and cannot be cancelled dependably.
"""

from __future__ import annotations

import os
import queue
import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from huggingface_hub import get_hf_file_metadata, get_session, hf_hub_url
from huggingface_hub.errors import OfflineModeIsEnabled
from huggingface_hub.utils import httpx  # type: ignore[attr-defined]  # httpx or httpx2: its choice

from engine.models.arriving import Arriving, ModelFile
from engine.models.download import SourceFailed

T = TypeVar("T")

_READ_TIMEOUT = 5.0  # seconds of silence that count as a lost connection, and delay a cancel
_BARREN_TRIES = 3  # connections in a row that bring nothing, before giving up
_POLL = 0.05  # seconds
_SHA256 = re.compile(r"[0-9a-f]{64}")
_ERRNO = re.compile(r"^\[Errno -?\d+\] ")
_ERRORS = (httpx.HTTPError, httpx.InvalidURL, OfflineModeIsEnabled)


@dataclass(frozen=True)
class Hub:
    """The Hugging Face Hub, over HTTP with resume.

    Attributes:
        endpoint: Address of a mirror; None for HF_ENDPOINT, or the Hub itself.
        patience: Seconds to wait for its first answer before it counts as out of reach.
        pause: Seconds before the second of two connections that brought nothing.
        name: For a person.
    """

    endpoint: str | None = None
    patience: float = 3.0
    pause: float = 1.0
    name: str = "the Hugging Face Hub"

    def spare(self, file: ModelFile) -> int:
        """Nothing: bytes go straight into the file."""
        return 0

    def pour(self, file: ModelFile, arriving: Arriving) -> None:
        """Stream what is missing, connecting anew as long as connections bring anything."""
        url = self._locate(file, arriving)
        barren = 0
        while arriving.missing:
            before = arriving.length
            reason = _stream(url, arriving)
            barren = 0 if arriving.length > before else barren + 1
            if barren == _BARREN_TRIES:
                raise SourceFailed(reason)
            if barren:
                _wait(self.pause * barren, arriving.check)

    def _locate(self, file: ModelFile, arriving: Arriving) -> str:
        """The file's address at the present commit, if what lies there is the file we want."""
        endpoint = (self.endpoint or os.environ.get("HF_ENDPOINT", "")).rstrip("/") or None
        url = hf_hub_url(file.repo, file.name, endpoint=endpoint)
        found = _answer_within(
            self.patience,
            lambda: get_hf_file_metadata(url, token=False, timeout=self.patience),
            arriving.check,
        )
        if found.size not in (None, file.size):
            raise SourceFailed(f"what it has under that name has {found.size:,} bytes")
        if found.etag and _SHA256.fullmatch(found.etag) and found.etag != file.sha256:
            raise SourceFailed("what it has under that name is another file (the sha256 differs)")
        return hf_hub_url(file.repo, file.name, revision=found.commit_hash, endpoint=endpoint)


def _answer_within(seconds: float, ask: Callable[[], T], check: Callable[[], None]) -> T:
    """The answer to ``ask``, waited for on a thread: looking up a name obeys no timeout."""
    answers: queue.SimpleQueue[T | Exception] = queue.SimpleQueue()

    def run() -> None:
        try:
            answers.put(ask())
        except _ERRORS as error:
            answers.put(error)

    threading.Thread(target=run, name="hub-metadata", daemon=True).start()
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        check()
        try:
            answer = answers.get(timeout=_POLL)
        except queue.Empty:
            continue
        if isinstance(answer, Exception):
            raise SourceFailed(_in_words(answer)) from answer
        return answer
    raise SourceFailed(f"no answer within {seconds:.0f} seconds")


def _stream(url: str, arriving: Arriving) -> str:
    """Write what one connection brings; return why it ended, should it have brought nothing."""
    have = arriving.length
    headers = {"Accept-Encoding": "identity"} | ({"Range": f"bytes={have}-"} if have else {})
    try:
        with get_session().stream("GET", url, headers=headers, timeout=_READ_TIMEOUT) as response:
            status = response.status_code
            if status == 429 or status >= 500:
                return _STATUSES.get(status, f"it answers {status}")
            known = _bytes_known(status, response.headers.get("Content-Range", ""), have)
            for data in response.iter_bytes():
                arriving.write(data[known:])
                known = max(0, known - len(data))
                if not arriving.missing:
                    break
    except _ERRORS as error:
        return _in_words(error)
    return "the connection ended early"


def _bytes_known(status: int, content_range: str, have: int) -> int:
    """How many bytes of the answer's body are ones we have: all, where the server ignores Range."""
    if status == 200:
        return have
    if status == 206 and content_range.startswith(f"bytes {have}-"):
        return 0
    raise SourceFailed(_STATUSES.get(status, f"it answers {status}"))


_STATUSES = {
    401: "it wants a login (401)",
    403: "it refuses access (403)",
    404: "it does not have the file (404)",
    416: "it cannot resume (416)",
    429: "it is asked too often (429)",
    500: "it is out of order (500)",
    503: "it is out of order (503)",
}


def _in_words(error: Exception) -> str:
    status = getattr(getattr(error, "response", None), "status_code", None)
    if status is not None:
        return _STATUSES.get(status, f"it answers {status}")
    if isinstance(error, OfflineModeIsEnabled):
        return "HF_HUB_OFFLINE forbids asking it"
    text = (str(error) or type(error).__name__).splitlines()[0].rstrip(".")
    text = _ERRNO.sub("", text)
    return f"it cannot be reached ({text})" if isinstance(error, httpx.ConnectError) else text


def _wait(seconds: float, check: Callable[[], None]) -> None:
    deadline = time.monotonic() + seconds
    while (left := deadline - time.monotonic()) > 0:
        check()
        time.sleep(min(_POLL, left))
