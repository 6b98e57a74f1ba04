"""A Hub on the loopback interface that can misbehave in the ways real ones do."""

from __future__ import annotations

import hashlib
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self

COMMIT = "0123456789abcdef0123456789abcdef01234567"


@dataclass(frozen=True)
class Request:
    """One request as it came: where the bytes were asked from, None for the whole."""

    method: str
    path: str
    start: int | None


@dataclass
class FakeHub:
    """Serves ``/{repo}/resolve/{revision}/{name}`` as the Hub does, by way of a second address.

    Attributes:
        files: Content by (repo, name).
        drop_after: Bytes that each of the next data connections sends before it is lost.
        ignore_range: Send the whole file, whatever part was asked for.
        wrong_byte: Position of a byte that is sent wrong.
        status: Answer everything with this instead.
        data_status: Answer requests for data, not for metadata, with this instead.
        stall_after: Bytes of data after which it goes silent.
        silent: Answer nothing at all.
        published_sha256: What the metadata claim; the true one by default.
        requests: All that came, in order.
    """

    files: dict[tuple[str, str], bytes]
    drop_after: list[int] = field(default_factory=list)
    ignore_range: bool = False
    wrong_byte: int | None = None
    status: int | None = None
    data_status: int | None = None
    stall_after: int | None = None
    silent: bool = False
    published_sha256: str | None = None
    requests: list[Request] = field(default_factory=list)

    def __enter__(self) -> Self:
        self._released = threading.Event()
        handler = type("Handler", (_Handler,), {"hub": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = False  # closing waits for them: none outlives the test
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._released.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    @property
    def address(self) -> str:
        """For HF_ENDPOINT."""
        return f"http://127.0.0.1:{self._server.server_port}"

    @property
    def starts(self) -> list[int | None]:
        """From where the data were asked for, one entry a connection."""
        return [r.start for r in self.requests if r.method == "GET" and "/data/" in r.path]

    def stall(self) -> None:
        """Say nothing until the hub closes."""
        self._released.wait()


class _Handler(BaseHTTPRequestHandler):
    hub: FakeHub

    def do_HEAD(self) -> None:
        self._answer()

    def do_GET(self) -> None:
        self._answer()

    def log_message(self, *_args: object) -> None:
        """Keep quiet."""

    def _answer(self) -> None:
        given = self.headers.get("Range")
        start = int(given.removeprefix("bytes=").removesuffix("-")) if given else None
        self.hub.requests.append(Request(self.command, self.path, start))
        if self.hub.silent:
            self.hub.stall()
        elif self.hub.status:
            self._head(self.hub.status, {"Content-Length": "0"})
        elif self.path.startswith("/data/"):
            self._data(start)
        else:
            self._metadata()

    def _metadata(self) -> None:
        repo, _, rest = self.path.strip("/").partition("/resolve/")
        content = self.hub.files.get((repo, rest.partition("/")[2]))
        if content is None:
            self._head(404, {"X-Error-Code": "EntryNotFound", "Content-Length": "0"})
            return
        etag = self.hub.published_sha256 or hashlib.sha256(content).hexdigest()
        # Large files lie elsewhere: the answer leads there, and speaks of them in X-Linked headers.
        elsewhere = f"http://localhost:{self.server.server_address[1]}"
        self._head(
            302,
            {
                "Location": f"{elsewhere}/data/{repo}/{rest.partition('/')[2]}",
                "X-Linked-Size": str(len(content)),
                "X-Linked-Etag": f'"{etag}"',
                "X-Repo-Commit": COMMIT,
                "ETag": '"not-the-file"',
                "Content-Length": "0",
            },
        )

    def _data(self, start: int | None) -> None:
        if self.hub.data_status:
            self._head(self.hub.data_status, {"Content-Length": "0"})
            return
        repo, _, name = self.path.removeprefix("/data/").rpartition("/")
        content = bytearray(self.hub.files[repo, name])
        if self.hub.wrong_byte is not None:
            content[self.hub.wrong_byte] ^= 0xFF
        total = len(content)
        if start is None or self.hub.ignore_range:
            self._head(200, {"Content-Length": str(total)})
        else:
            content = content[start:]
            rest = f"bytes {start}-{total - 1}/{total}"
            self._head(206, {"Content-Length": str(len(content)), "Content-Range": rest})
        self._send(bytes(content))

    def _send(self, content: bytes) -> None:
        if self.hub.drop_after:
            content = content[: self.hub.drop_after.pop(0)]
        try:
            self.wfile.write(content[: self.hub.stall_after])
            if self.hub.stall_after is not None:
                self.wfile.flush()
                self.hub.stall()
        except OSError:
            self.close_connection = True  # the other side left

    def _head(self, status: int, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
