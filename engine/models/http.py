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
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urljoin, urlsplit

from huggingface_hub import __version__ as _hub_version

from engine import __version__
from engine.errors import ForewordError, ProxyWrong

# The one that the Hub's own library speaks through: httpx2 is httpx under a new name.
if TYPE_CHECKING or int(_hub_version.partition(".")[0]) >= 2:
    import httpx2 as httpx
else:
    import httpx

__all__ = [
    "USER_AGENT",
    "Head",
    "Lost",
    "Patience",
    "Request",
    "httpx",
    "in_words",
    "origin",
    "trusted",
]

USER_AGENT = f"foreword/{__version__}"

_POLL = 0.02  # seconds
_HELD = 64  # pieces received and not yet taken; one is at most 64 KiB
_REDIRECTS = 5
_GRACE = 1.0  # seconds beyond the library's own timeout, which is the more exact one
_ERRNO = re.compile(r"^\[Errno -?\d+\] ")

# Where the Hub leads to is a signed address, which is a key to the file: it belongs in no log.
for _name in ("httpx", "httpcore", "httpx2", "httpcore2"):
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
        headers: Names in lower case.
    """

    status: int
    headers: Mapping[str, str]


class Request:
    """A request under way: a context manager; leaving it gives up what has not come yet."""

    def __init__(
        self,
        url: str,
        *,
        check: Callable[[], None],
        patience: Patience,
        method: str = "GET",
        headers: Mapping[str, str] | None = None,
        token: str = "",
        follow: bool = True,
    ) -> None:
        """Nothing is sent before the context is entered.

        Args:
            url: Whom to ask.
            check: Raises to give up; it is called on the thread that waits, very often.
            patience: How long to wait.
            method: "GET" or "HEAD".
            headers: What else to say.
            token: Goes to no other origin than that of ``url``.
            follow: Go where redirects lead, instead of handing them over.
        """
        self._url = url
        self._method = method
        self._follow = follow
        self._check = check
        self._patience = patience
        self._headers = {"user-agent": USER_AGENT, **(headers or {})}
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
        except (Lost, httpx.HTTPError, httpx.InvalidURL, OSError, ValueError) as error:
            self._hand_over(Lost(in_words(error), connected=self._connected.is_set()))
        except ForewordError as error:
            self._hand_over(error)

    def _answer(self) -> Iterator[Head | bytes]:
        """The answer's head, then its body."""
        url = self._url
        with _client(self._patience) as client:
            for _ in range(_REDIRECTS):
                with client.stream(
                    self._method,
                    url,
                    headers=self._headers_for(url),
                    extensions={"trace": self._trace},
                ) as response:
                    headers = {name.lower(): value for name, value in response.headers.items()}
                    if not (self._follow and response.has_redirect_location):
                        yield Head(response.status_code, headers)
                        yield from response.iter_bytes()
                        return
                    url = urljoin(url, headers["location"])
        raise Lost("it leads in circles", connected=True)

    def _headers_for(self, url: str) -> dict[str, str]:
        if not self._token or origin(url) != origin(self._url):
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


def _client(patience: Patience) -> httpx.Client:
    """A client for one request, which takes up the environment as it is now."""
    timeout = httpx.Timeout(patience.silence, connect=patience.connect)
    try:
        context = trusted()
    except OSError as error:
        reason = "SSL_CERT_FILE or SSL_CERT_DIR names no certificates that can be read"
        raise Lost(reason, connected=False) from error
    try:
        return httpx.Client(timeout=timeout, verify=context)
    except (ImportError, ValueError, httpx.InvalidURL) as error:
        # An address of a proxy may hold a password: the sentence must not quote it.
        reason = "SOCKS is not supported" if isinstance(error, ImportError) else "not an address"
        raise ProxyWrong(reason=reason) from error


@functools.cache
def trusted() -> ssl.SSLContext:
    """Whom this system trusts. Read once: it takes longer than many a connection."""
    return httpx.create_ssl_context()


def origin(url: str) -> tuple[str, str | None, int | None]:
    """Scheme, host and port of an address. Raises ValueError for what is none."""
    parts = urlsplit(url)
    return parts.scheme, parts.hostname, parts.port


def in_words(error: Exception) -> str:
    """What ended a connection. Never an address: it may be signed, or name a proxy's password."""
    if isinstance(error, Lost):
        return str(error)
    if isinstance(error, httpx.ConnectTimeout):
        return "it does not answer"
    if isinstance(error, httpx.TimeoutException):
        return "the connection fell silent"
    if isinstance(error, httpx.ProxyError):
        return "the proxy refuses"
    if isinstance(error, httpx.TooManyRedirects):
        return "it leads in circles"
    if isinstance(error, httpx.InvalidURL | httpx.UnsupportedProtocol | ValueError):
        return "that is no address of the web"
    if isinstance(error, httpx.RemoteProtocolError):
        return "the connection ended early"
    if "CERTIFICATE_VERIFY_FAILED" in str(error):
        return "its certificate is not trusted by this computer"
    text = _ERRNO.sub("", (str(error) or type(error).__name__).splitlines()[0])
    return text.rstrip(".")
