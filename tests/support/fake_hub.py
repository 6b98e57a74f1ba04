"""A Hub on the loopback interface that can misbehave in the ways real ones do."""

from __future__ import annotations

import hashlib
import json
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self
from urllib.parse import parse_qsl, quote, unquote, urlsplit

COMMIT = "0123456789abcdef0123456789abcdef01234567"


@dataclass(frozen=True)
class Request:
    """One request as it came: where the bytes were asked from, None for the whole."""

    method: str
    path: str
    start: int | None
    token: str = ""
    host: str = ""
    agent: str = ""
    cookie: str = ""


@dataclass
class FakeHub:
    """Serves the Hub's API, and files as the Hub does: by way of a second address.

    Attributes:
        files: Content by (repo, path in it).
        cards: Licences by repo.
        gated: Repos that want a token whose account accepted the terms.
        private: Repos that a stranger does not hear of.
        tokens: What each known token may read.
        drop_after: Bytes that each of the next data connections sends before it is lost.
        ignore_range: Send the whole file, whatever part was asked for.
        refuse_range: Answer 416 to every request for a part.
        wrong_range: Send a part that begins so many bytes too late.
        wrong_byte: Position of a byte that is sent wrong.
        status: Answer everything with this instead.
        statuses: Answer the next requests with these instead, one each.
        data_status: Answer requests for data, not for metadata, with this instead.
        retry_after: Sent with a 429.
        stall_after: Bytes of data after which it goes silent.
        silent: Answer nothing at all.
        claimed_size: What metadata and headers say of sizes, whatever is sent.
        published_sha256: What the metadata claim; the true one by default.
        listing: The answer to every question to the API instead.
        renamed: New names of repos by their old ones.
        headers: Sent with the API's answers, and with every refusal.
        base: Path that everything but the data lies below, as on a mirror beside other things.
        circles: Lead from address to address without end.
        pace: Seconds between pieces of ``piece`` bytes.
        requests: All that came, in order.
    """

    files: dict[tuple[str, str], bytes]
    cards: dict[str, str] = field(default_factory=dict)
    gated: set[str] = field(default_factory=set)
    private: set[str] = field(default_factory=set)
    tokens: dict[str, set[str]] = field(default_factory=dict)
    drop_after: list[int] = field(default_factory=list)
    ignore_range: bool = False
    refuse_range: bool = False
    wrong_range: int = 0
    wrong_byte: int | None = None
    status: int | None = None
    statuses: list[int] = field(default_factory=list)
    data_status: int | None = None
    retry_after: str | None = None
    stall_after: int | None = None
    silent: bool = False
    claimed_size: int | None = None
    published_sha256: str | None = None
    listing: bytes | None = None
    renamed: dict[str, str] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    base: str = ""
    circles: bool = False
    pace: float = 0.0
    piece: int = 16384
    requests: list[Request] = field(default_factory=list)

    def __enter__(self) -> Self:
        self._released = threading.Event()
        handler = type("Handler", (_Handler,), {"hub": self})
        self._server = _Server(("127.0.0.1", 0), handler)
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
        return f"http://127.0.0.1:{self._server.server_port}{self.base}"

    @property
    def elsewhere(self) -> str:
        """Where it leads for large files: another origin."""
        return f"http://localhost:{self._server.server_port}"

    @property
    def starts(self) -> list[int | None]:
        """From where the data were asked for, one entry a connection."""
        return [r.start for r in self.requests if "/data/" in r.path]

    @property
    def is_closing(self) -> bool:
        """Whether nobody is to be waited for any more."""
        return self._released.is_set()

    def stall(self) -> None:
        """Say nothing until the hub closes."""
        self._released.wait()

    def may_read(self, repo: str, token: str) -> bool:
        """Whether a token opens a repository."""
        return repo in self.tokens.get(token, set())


class _Server(ThreadingHTTPServer):
    daemon_threads = False  # closing waits for them: none outlives the test
    request_queue_size = 64

    def handle_error(self, _request: Any, _address: Any) -> None:
        """Say nothing of clients that are killed."""


class _Handler(BaseHTTPRequestHandler):
    hub: FakeHub

    def do_HEAD(self) -> None:
        self._answer()

    def do_GET(self) -> None:
        self._answer()

    def log_message(self, *_args: object) -> None:
        """Keep quiet."""

    def _answer(self) -> None:
        hub = self.hub
        given = self.headers.get("Range")
        start = int(given.removeprefix("bytes=").removesuffix("-")) if given else None
        self.token = self.headers.get("Authorization", "").removeprefix("Bearer ")
        hub.requests.append(
            Request(
                self.command,
                self.path,
                start,
                self.token,
                self.headers.get("Host", ""),
                self.headers.get("User-Agent", ""),
                self.headers.get("Cookie", ""),
            )
        )
        # To a proxy the whole address is said.
        address = urlsplit(self.path)
        self.path = self.path.removeprefix(f"{address.scheme}://{address.netloc}")
        status = hub.statuses.pop(0) if hub.statuses else hub.status
        if not self.path.startswith("/data/"):
            status = status if self.path.startswith(hub.base) else 404
            self.path = self.path.removeprefix(hub.base)
        if hub.silent:
            hub.stall()
        elif status:
            self._empty(status)
        elif hub.circles:
            self._head(302, {"Location": f"{self.path}x", "Content-Length": "0"})
        elif self.path.startswith("/data/"):
            self._data(start)
        elif self.path.startswith("/api/"):
            self._api()
        else:
            self._metadata()

    # The API -------------------------------------------------------------------------------------

    def _api(self) -> None:
        address = urlsplit(self.path)
        if self.hub.listing is not None:
            self._body(self.hub.listing)
        elif address.path == "/api/models":
            self._search(dict(parse_qsl(address.query)))
        else:
            self._repository(address.path.removeprefix("/api/models/"))

    def _search(self, query: dict[str, str]) -> None:
        words = query.get("search", "").lower()
        repos = sorted({repo for repo, _ in self.hub.files} - self.hub.private)
        found = [self._card(repo) for repo in repos if words in repo.lower()]
        self._body(json.dumps(found[: int(query["limit"])]).encode())

    def _repository(self, place: str) -> None:
        repo = "/".join(place.split("/")[:2])
        if repo in self.hub.renamed:
            to = f"{self.hub.base}/api/models/{place.replace(repo, self.hub.renamed[repo])}"
            self._head(307, {"Location": to, "Content-Length": "0"})
            return
        names = [name for known, name in self.hub.files if known == repo]
        if repo in self.hub.private and not self.hub.may_read(repo, self.token):
            self._empty(401, {"X-Error-Code": "RepoNotFound"})
        elif not names:
            # As the Hub does, who tells strangers no more than that they are strangers.
            self._empty(404 if self.token else 401, {"X-Error-Code": "RepoNotFound"})
        else:
            siblings = [self._sibling(repo, name) for name in names]
            answer = self._card(repo) | {"sha": COMMIT, "siblings": siblings}
            self._body(json.dumps(answer).encode())

    def _card(self, repo: str) -> dict[str, Any]:
        return {
            "id": repo,
            "downloads": 1234,
            "likes": 56,
            "gated": "manual" if repo in self.hub.gated else False,
            "lastModified": "2026-11-29T12:00:00.000Z",
            "tags": ["gguf", f"license:{self.hub.cards.get(repo, 'mit')}"],
            "gguf": {"total": 1_500_000_000, "architecture": "qwen2", "context_length": 32768},
        }

    def _sibling(self, repo: str, name: str) -> dict[str, Any]:
        content = self.hub.files[repo, name]
        size = self.hub.claimed_size or len(content)
        if not name.endswith(".gguf"):
            return {"rfilename": name, "size": size, "blobId": "0" * 40}
        lfs = {"sha256": self._sha256(content), "size": size, "pointerSize": 135}
        return {"rfilename": name, "size": size, "blobId": "0" * 40, "lfs": lfs}

    def _sha256(self, content: bytes) -> str:
        return self.hub.published_sha256 or hashlib.sha256(content).hexdigest()

    # Files ---------------------------------------------------------------------------------------

    def _metadata(self) -> None:
        repo, _, rest = unquote(self.path).strip("/").partition("/resolve/")
        if repo in self.hub.renamed:
            to = self.hub.base + self.path.replace(repo, self.hub.renamed[repo])
            self._head(307, {"Location": to, "Content-Length": "0"})
            return
        name = rest.partition("/")[2]
        content = self.hub.files.get((repo, name))
        if self._is_denied(repo):
            return
        if content is None:
            self._empty(404, {"X-Error-Code": "EntryNotFound"})
            return
        # Large files lie elsewhere: the answer leads there, and speaks of them in X-Linked headers.
        self._head(
            302,
            {
                "Location": f"{self.hub.elsewhere}/data/{quote(f'{repo}/{name}')}",
                "X-Linked-Size": str(self.hub.claimed_size or len(content)),
                "X-Linked-Etag": f'"{self._sha256(content)}"',
                "X-Repo-Commit": COMMIT,
                "ETag": '"not-the-file"',
                "Content-Length": "0",
            },
        )

    def _is_denied(self, repo: str) -> bool:
        hub = self.hub
        if repo not in hub.gated | hub.private or hub.may_read(repo, self.token):
            return False
        code = "GatedRepo" if repo in hub.gated else "RepoNotFound"
        is_known = self.token in hub.tokens
        self._empty(403 if is_known else 401, {"X-Error-Code": code})
        return True

    def _data(self, start: int | None) -> None:
        hub = self.hub
        if hub.data_status:
            self._empty(hub.data_status)
            return
        owner, name, path = unquote(self.path).removeprefix("/data/").split("/", 2)
        content = bytearray(hub.files[f"{owner}/{name}", path])
        if hub.wrong_byte is not None:
            content[hub.wrong_byte] ^= 0xFF
        total = len(content)
        if start is None or hub.ignore_range:
            self._head(200, {"Content-Length": str(total)})
        elif hub.refuse_range or start >= total:
            self._empty(416, {"Content-Range": f"bytes */{total}"})
            return
        else:
            start += hub.wrong_range
            content = content[start:]
            rest = f"bytes {start}-{total - 1}/{hub.claimed_size or total}"
            self._head(206, {"Content-Length": str(len(content)), "Content-Range": rest})
        self._send(bytes(content))

    def _send(self, content: bytes) -> None:
        hub = self.hub
        if hub.drop_after:
            content = content[: hub.drop_after.pop(0)]
        content = content[: hub.stall_after]
        step = hub.piece if hub.pace else max(1, len(content))
        try:
            for at in range(0, len(content), step):
                self.wfile.write(content[at : at + step])
                if hub.is_closing:
                    break
                time.sleep(hub.pace)
            if hub.stall_after is not None:
                self.wfile.flush()
                hub.stall()
        except OSError:
            self.close_connection = True  # the other side left

    # Answers -------------------------------------------------------------------------------------

    def _body(self, content: bytes) -> None:
        about = {"Content-Type": "application/json", "Content-Length": str(len(content))}
        self._head(200, about | self.hub.headers)
        self.wfile.write(content)

    def _empty(self, status: int, headers: dict[str, str] | None = None) -> None:
        more = {"Retry-After": self.hub.retry_after} if self.hub.retry_after else {}
        self._head(status, {"Content-Length": "0"} | more | self.hub.headers | (headers or {}))

    def _head(self, status: int, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
