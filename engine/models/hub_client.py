"""The Hub's own library, sending through our requests.

By itself it repeats a request for 23 s before it says that it is offline, cannot be interrupted
meanwhile, and asks the Hub for names of programs that might be running it. So its client sends by
`http.Request`, and what would be repeated leaves as an error of ours, which it lets pass.
It keeps the environment of its first use: address and token are given to it with each call.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

import engine.models.hub_import  # noqa: F401 - before the library

# isort: split

from huggingface_hub import HfApi, constants, set_client_factory
from huggingface_hub.errors import HfHubHTTPError
from huggingface_hub.utils import parse_ratelimit_headers  # type: ignore[attr-defined]

from engine.errors import HubBusy, HubFailing
from engine.models.http import USER_AGENT, Head, Lost, Patience, Request, httpx, in_words, origin

_LONGEST_ANSWER = 32 << 20  # bytes of JSON
_MOST_ANSWERS = 20  # pages of a list, and addresses that lead on, for one question
_MOST_DIGITS = 9  # of the seconds to wait: 31 years
_SAID = ("accept", "accept-encoding", "user-agent")  # what goes on as the library says it
# The body is unpacked already; and no visit is to be recognised by the last one.
_KEPT_BACK = ("content-encoding", "set-cookie")


@dataclass
class _Asking:
    """Who waits for an answer, for how long, and how many have come so far."""

    origin: tuple[str, str | None, int | None]
    check: Callable[[], None]
    patience: Patience
    answers: int = 0


_asking: ContextVar[_Asking] = ContextVar("asking")


@contextmanager
def asking(
    address: str, token: str, check: Callable[[], None], patience: Patience
) -> Iterator[HfApi]:
    """The library's verbs, asking the Hub at ``address``; ``token``: "" for none.

    ``check`` is called often while they wait, and raises to give up.

    Raises:
        HfHubHTTPError: The Hub refuses.
        HubBusy, HubFailing: It is in trouble that passes.
        Lost, ProxyWrong: There is no connection.
    """
    try:
        mark = _asking.set(_Asking(origin(address), check, patience))
    except ValueError as error:
        raise Lost(in_words(error), connected=False) from error
    try:
        yield HfApi(endpoint=address, token=token or False, headers={"user-agent": USER_AGENT})
    except HfHubHTTPError:
        raise
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        there = isinstance(error, httpx.TooManyRedirects)
        raise Lost(in_words(error), connected=there) from error
    finally:
        _asking.reset(mark)


def expect_no_trouble(head: Head) -> None:
    """Raise HubBusy or HubFailing where a later try may find the Hub in a better state."""
    if head.status == 429:
        raise HubBusy(seconds=_seconds_to_wait(head))
    if head.status == 408 or head.status >= 500:
        raise HubFailing(status=head.status)


def _seconds_to_wait(head: Head) -> int:
    """By Retry-After, or by what the Hub says of its limits; else a minute."""
    told = head.headers.get("retry-after", "").strip()
    if told.isdecimal():
        return int(told[:_MOST_DIGITS])
    try:
        limits = parse_ratelimit_headers(head.headers)
    except ValueError:  # numbers without end
        limits = None
    return limits.reset_in_seconds if limits else 60


class _Transport(httpx.BaseTransport):
    """Sends what the library asks, for whoever is asking in this thread."""

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """One answer; redirects are the library's to follow."""
        who, url = _asking.get(), str(request.url)
        who.answers += 1
        if who.answers > _MOST_ANSWERS:
            raise Lost("it leads in circles", connected=True)
        said = {name: value for name, value in request.headers.items() if name in _SAID}
        # The library gives it to further hosts that it knows; it was kept for this one.
        if origin(url) == who.origin and "authorization" in request.headers:
            said["authorization"] = request.headers["authorization"]
        with Request(
            url,
            check=who.check,
            patience=who.patience,
            method=request.method,
            headers=said,
            follow=False,
        ) as sent:
            head = sent.head()
            expect_no_trouble(head)
            body = sent.body(_LONGEST_ANSWER)
        told = [
            (name.encode(), value.encode())
            for name, value in head.headers.items()
            if name not in _KEPT_BACK
        ]
        return httpx.Response(head.status, headers=told, content=body, request=request)


def _client() -> httpx.Client:
    return httpx.Client(transport=_Transport(), follow_redirects=True, trust_env=False)


set_client_factory(_client)
constants.HF_HUB_DISABLE_TELEMETRY = True
logging.getLogger("huggingface_hub").setLevel(logging.ERROR)  # it writes to the terminal itself
