"""One HTTP answer at a time, received on a thread that can be left behind.

Looking up a host's name obeys no timeout, and a connection that fell silent cannot be interrupted.
So a thread of its own receives, and whoever waits looks up every few hundredths of a second: to
hear of a cancel at once, and to notice within `Patience.connect` that nobody can be reached.

Proxies are taken from the environment for each connection (HTTPS_PROXY, HTTP_PROXY, NO_PROXY).
"""

from __future__ import annotations

import functools
import logging
import queue
import re
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self
from urllib.parse import urljoin, urlsplit

import httpx2

from engine import __version__
from engine.errors import ForewordError, ProxyWrong

_POLL = 0.02  # seconds
_HELD = 64  # pieces received and not yet taken; one is at most 64 KiB
_REDIRECTS = 5
_GRACE = 1.0  # seconds beyond the library's own timeout, which is the more exact one
_ERRNO = re.compile(r"^\[Errno -?\d+\] ")

# Where the Hub leads to is a signed address, which is a key to the file: it belongs in no log.
for _name in ("httpx2", "httpcore2"):
    logging.getLogger(_name).setLevel(logging.WARNING)


class Lost(Exception):
    """No connection, or one that broke; the text says how, for a person.

    Attributes:
        connected: Whether the other side was reached at all.
    """

    def __init__(self, reason: str, *, connected: bool) -> None:
        super().__init__(reason)
        self.connected = connected


@dataclass(frozen=True)
class Patience:
    """How long to wait.

    Attributes:
        connect: Seconds until a host must be found and reached.
        silence: Seconds without a byte after which a connection counts as lost.
    """

    connect: float = 3.0
    silence: float = 10.0


@dataclass(frozen=True)
class Head:
    """What an answer says before its body.

    Attributes:
        status: HTTP status.
        headers: Of the last answer, names in lower case.
        linked: Of the answer that led elsewhere, if one did: the Hub's words on a large file.
    """

    status: int
    headers: Mapping[str, str]
    linked: Mapping[str, str]


class Request:
    """A GET under way: a context manager; leaving it gives up what has not come yet.

    Redirects are followed; the token goes to no other origin than the one that was asked.
    """

    def __init__(
        self,
        url: str,
        *,
        check: Callable[[], None],
        patience: Patience,
        headers: Mapping[str, str] | None = None,
        token: str = "",
    ) -> None:
        """``check`` raises to give up; it is called on the thread that waits, very often."""
        self._url = url
        self._check = check
        self._patience = patience
        self._headers = {"User-Agent": f"foreword/{__version__}", **(headers or {})}
        self._token = token
        self._came: queue.Queue[Head | bytes | Exception | None] = queue.Queue(_HELD)
        self._connected = threading.Event()
        self._over = threading.Event()

    def __enter__(self) -> Self:
        threading.Thread(target=self._receive, name="http", daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._over.set()

    def head(self) -> Head:
        """Wait for the answer. Raises Lost, ProxyWrong, and whatever ``check`` raises."""
        came = self._next()
        assert isinstance(came, Head), "head() comes first, and once"
        return came

    def pieces(self) -> Iterator[bytes]:
        """The body as it comes. Raises Lost where it ends early, and whatever ``check`` raises."""
        while (came := self._next()) is not None:
            assert isinstance(came, bytes), "pieces() comes after head()"
            yield came

    def body(self, most: int) -> bytes:
        """The whole body. Raises Lost, also for one of more than ``most`` bytes."""
        whole = bytearray()
        for piece in self.pieces():
            whole += piece
            if len(whole) > most:
                raise Lost("the answer is far too long", connected=True)
        return bytes(whole)

    # The side that waits ---------------------------------------------------------------------

    def _next(self) -> Head | bytes | None:
        begin = time.monotonic()
        while True:
            self._check()
            try:
                came = self._came.get(timeout=_POLL)
            except queue.Empty:
                self._watch_patience(time.monotonic() - begin)
                continue
            if isinstance(came, Exception):
                raise came
            return came

    def _watch_patience(self, waited: float) -> None:
        if not self._connected.is_set():
            if waited > self._patience.connect:
                seconds = f"{self._patience.connect:g}"
                raise Lost(f"no connection within {seconds} seconds", connected=False)
        elif waited > self._patience.silence + _GRACE:
            raise Lost("the connection fell silent", connected=True)

    # The thread that receives ----------------------------------------------------------------

    def _receive(self) -> None:
        try:
            for came in self._answer():
                if not self._hand_over(came):
                    return
            self._hand_over(None)
        except (Lost, httpx2.HTTPError, httpx2.InvalidURL, OSError, ValueError) as error:
            self._hand_over(self._lost(error))
        except ForewordError as error:
            self._hand_over(error)

    def _answer(self) -> Iterator[Head | bytes]:
        """The answer's head, then its body; redirects are gone after."""
        url, linked = self._url, dict[str, str]()
        with _client(self._patience) as client:
            for _ in range(_REDIRECTS):
                with client.stream(
                    "GET",
                    url,
                    headers=self._headers_for(url),
                    extensions={"trace": self._trace},
                ) as response:
                    headers = {name.lower(): value for name, value in response.headers.items()}
                    if not response.has_redirect_location:
                        yield Head(response.status_code, headers, linked)
                        yield from response.iter_bytes()
                        return
                    url = urljoin(url, headers["location"])
                    linked = headers if "x-linked-size" in headers else linked
        raise Lost("it leads in circles", connected=True)

    def _headers_for(self, url: str) -> dict[str, str]:
        if not self._token or _origin(url) != _origin(self._url):
            return self._headers
        return self._headers | {"Authorization": f"Bearer {self._token}"}

    def _trace(self, event: str, _info: Mapping[str, Any]) -> None:
        if event == "connection.connect_tcp.complete":
            self._connected.set()

    def _hand_over(self, came: Head | bytes | Exception | None) -> bool:
        """Pass on what came; False once nobody waits for it any more."""
        while not self._over.is_set():
            try:
                self._came.put(came, timeout=_POLL)
            except queue.Full:
                continue
            return True
        return False

    def _lost(self, error: Exception) -> Lost:
        return Lost(_in_words(error), connected=self._connected.is_set())


def _client(patience: Patience) -> httpx2.Client:
    """A client for one request, which takes up the environment as it is now."""
    timeout = httpx2.Timeout(patience.silence, connect=patience.connect)
    try:
        return httpx2.Client(timeout=timeout, verify=trusted())
    except (ImportError, ValueError, httpx2.InvalidURL) as error:
        # An address of a proxy may hold a password: the sentence must not quote it.
        reason = "SOCKS is not supported" if isinstance(error, ImportError) else "not an address"
        raise ProxyWrong(reason=reason) from error


@functools.cache
def trusted() -> ssl.SSLContext:
    """Whom this system trusts. Read once: it takes longer than many a connection."""
    return httpx2.create_ssl_context()


def _origin(url: str) -> tuple[str, str | None, int | None]:
    parts = urlsplit(url)
    return parts.scheme, parts.hostname, parts.port


def _in_words(error: Exception) -> str:
    """What ended a connection. Never an address: it may be signed, or name a proxy's password."""
    if isinstance(error, Lost):
        return str(error)
    if isinstance(error, httpx2.ConnectTimeout):
        return "it does not answer"
    if isinstance(error, httpx2.TimeoutException):
        return "the connection fell silent"
    if isinstance(error, httpx2.ProxyError):
        return "the proxy refuses"
    if isinstance(error, httpx2.InvalidURL | httpx2.UnsupportedProtocol | ValueError):
        return "that is no address of the web"
    if isinstance(error, httpx2.RemoteProtocolError):
        return "the connection ended early"
    if "CERTIFICATE_VERIFY_FAILED" in str(error):
        return "its certificate is not trusted by this computer"
    text = _ERRNO.sub("", (str(error) or type(error).__name__).splitlines()[0])
    return text.rstrip(".")
