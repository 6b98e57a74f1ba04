"""The Hugging Face Hub: what it has, and what its refusals mean.

Three addresses are all we need of it, so we ask them ourselves: the Hub's own library repeats a
request for 23 s before it says that it is offline, keeps the environment of its first use, and no
longer resumes. A token is sent only where the Hub refuses to answer without one.
"""

from __future__ import annotations

import ipaddress
import json
import logging
import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from engine.errors import (
    AccessPending,
    AnotherFile,
    ForewordError,
    HubBusy,
    HubFailing,
    HubStrange,
    HubUnreachable,
    NotOnHub,
    RepoGated,
    TokenRefused,
)
from engine.models import token
from engine.models.arriving import ModelFile
from engine.models.http import Head, Lost, Patience, Request
from engine.models.item import Item
from engine.models.listing import (
    NAME,
    Found,
    NotAListing,
    Repository,
    read_repository,
    read_search,
)

__all__ = ["Found", "Hub", "Repository"]

log = logging.getLogger("engine.models")

_HUB = "https://huggingface.co"
_LONGEST_ANSWER = 32 << 20  # bytes of JSON
_EXPANDED = ("downloads", "likes", "gated", "gguf", "lastModified", "tags")
_YES = ("1", "ON", "YES", "TRUE")

Check = Callable[[], None]
"""Called often while waiting; raises to give up."""


def _never() -> None:
    """Nobody gives up."""


@dataclass(frozen=True)
class Hub:
    """The Hugging Face Hub, or a mirror of it. Nothing is contacted but by the three verbs.

    Attributes:
        endpoint: Address of a mirror; "" for HF_ENDPOINT as it is at the call, or the Hub itself.
        patience: How long to wait for it.
    """

    endpoint: str = ""
    patience: Patience = field(default_factory=Patience)

    @property
    def address(self) -> str:
        """Where it is asked, without a slash at the end."""
        named = self.endpoint or os.environ.get("HF_ENDPOINT", "").strip()
        return (named or _HUB).rstrip("/")

    @property
    def host(self) -> str:
        """The host that is asked. A token is kept for it: ``token.keep(text, hub.host)``."""
        try:
            return urlsplit(self.address).hostname or self.address
        except ValueError:  # no address at all; asking it says so
            return self.address

    def page(self, repo: str) -> str:
        """A repository's address for a browser."""
        return f"{self.address}/{quote(repo)}"

    # What it has ---------------------------------------------------------------------------------

    def search(self, words: str, *, limit: int = 30, check: Check = _never) -> list[Found]:
        """Repositories with GGUF files that fit ``words``, the most downloaded first.

        Raises:
            HubUnreachable: Within `Patience.connect` seconds, if this computer is offline.
            HubBusy, HubFailing, HubStrange, ProxyWrong: As they say.
        """
        query = [("search", words.strip()), ("filter", "gguf"), ("sort", "downloads")]
        query += [("limit", str(limit))] + [("expand", name) for name in _EXPANDED]
        with self._told():
            return read_search(self._json(f"models?{urlencode(query)}", "", check), self.address)

    def repository(self, repo: str, revision: str = "", *, check: Check = _never) -> Repository:
        """The GGUF files of ``repo``, with sizes and checksums.

        Raises:
            NotOnHub, RepoGated, AccessPending, TokenRefused: It is not ours to see.
            HubUnreachable, HubBusy, HubFailing, HubStrange, ProxyWrong: As they say.
        """
        if not NAME.fullmatch(repo):
            raise NotOnHub(what=f"repository {repo}")
        at = f"/revision/{quote(revision, safe='')}" if revision else ""
        with self._told():
            answer = self._json(f"models/{repo}{at}?blobs=true", repo, check)
            return read_repository(answer, repo, self.address)

    def known(self, item: Item, *, check: Check = _never) -> Item:
        """``item`` with the size, checksum and commit of each file that lacks one.

        Raises what `repository` raises, and AnotherFile where it contradicts what is known already.
        """
        seen: dict[tuple[str, str], Repository] = {}
        files = []
        for file in item.files:
            at = (file.repo, file.revision)
            if not file.is_known and at not in seen:
                seen[at] = self.repository(*at, check=check)
            files.append(file if file.is_known else _filled(file, seen[at]))
        return replace(item, files=tuple(files))

    def _json(self, path: str, repo: str, check: Check) -> Any:
        with self.asked(f"{self.address}/api/{path}", repo, check) as (head, request):
            self.expect(head, repo)
            return json.loads(request.body(_LONGEST_ANSWER))

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Turn what can go wrong with an answer into words."""
        try:
            yield
        except Lost as lost:
            raise self.unreachable(lost) from lost
        except NotAListing as error:
            raise HubStrange(host=self.host, reason=str(error)) from error
        except (ValueError, RecursionError) as error:
            raise HubStrange(host=self.host, reason="it is not JSON") from error

    # Asking, and being refused -------------------------------------------------------------------

    @contextmanager
    def asked(
        self, url: str, repo: str, check: Check, headers: Mapping[str, str] | None = None
    ) -> Iterator[tuple[Head, Request]]:
        """The answer to a request: without a token, and if the Hub refuses that, with one.

        Raises:
            Lost: There is no connection.
            RepoGated, AccessPending, TokenRefused, NotOnHub, HubUnreachable: As they say.
        """
        if os.environ.get("HF_HUB_OFFLINE", "").strip().upper() in _YES:
            raise HubUnreachable(host=self.host, reason="HF_HUB_OFFLINE forbids asking it")
        with Request(url, check=check, patience=self.patience, headers=headers) as request:
            head = request.head()
            if not _is_denied(head):
                yield head, request
                return
        secret = self._token()
        if secret is None:
            raise self._denied(head, repo, None)
        with Request(
            url, check=check, patience=self.patience, headers=headers, token=secret.text
        ) as request:
            head = request.head()
            if _is_denied(head):
                raise self._denied(head, repo, secret)
            yield head, request

    def expect(self, head: Head, repo: str, file: ModelFile | None = None) -> None:
        """Raise what any other status than 200 means."""
        if head.status == 404:
            name = f"file {file.path or file.name} in {repo}" if file else f"repository {repo}"
            raise NotOnHub(what=name)
        if head.status == 429:
            raise HubBusy(seconds=_seconds_to_wait(head.headers))
        # What the Hub leads to refuses addresses that have grown old: a new one is better.
        if head.status >= 500 or (head.linked and head.status in (401, 403)):
            raise HubFailing(status=head.status)
        if head.status != 200:
            raise self.strange(f"it answers {head.status}")

    def strange(self, reason: str) -> HubStrange:
        """The error for an answer that makes no sense."""
        return HubStrange(host=self.host, reason=reason)

    def unreachable(self, lost: Lost) -> HubUnreachable:
        """The error for a connection that there is not."""
        return HubUnreachable(host=self.host, reason=str(lost))

    def _token(self) -> token.Token | None:
        """The token for this host, unless the way there can be overheard."""
        if urlsplit(self.address).scheme != "https" and not _is_this_machine(self.host):
            log.info("%s is asked without encryption, so it gets no token", self.host)
            return None
        return token.find(self.host)

    def _denied(self, head: Head, repo: str, secret: token.Token | None) -> ForewordError:
        """What a 401 or 403 means."""
        if secret and head.status == 401:
            return TokenRefused(source=secret.source, page=token.PAGE)
        if head.headers.get("x-error-code") == "GatedRepo":
            kind = AccessPending if secret else RepoGated
            return kind(repo=repo, page=self.page(repo))
        if head.status == 403 and not secret:
            return self.strange("it answers 403")
        # The Hub does not tell a stranger whether a private repository exists.
        return NotOnHub(what=f"repository {repo}")


def _filled(file: ModelFile, repository: Repository) -> ModelFile:
    """``file`` with what the Hub publishes of it."""
    there = repository.files.get(file.path or file.name)
    if there is None:
        raise NotOnHub(what=f"file {file.path or file.name} in {file.repo}")
    if not there.is_known:
        raise AnotherFile(name=file.name, reason="no checksum of it is published")
    if file.size not in (0, there.size):
        raise AnotherFile(name=file.name, reason=f"it has {there.size:,} bytes")
    if file.sha256 not in ("", there.sha256):
        raise AnotherFile(name=file.name, reason="the sha256 differs")
    return replace(file, size=there.size, sha256=there.sha256, revision=there.revision)


def _is_denied(head: Head) -> bool:
    """Whether the Hub itself, and not where it led to, refuses."""
    return head.status in (401, 403) and not head.linked


def _seconds_to_wait(headers: Mapping[str, str]) -> int:
    """By Retry-After, or by the t of RateLimit, which the Hub sends; else a minute."""
    told = headers.get("retry-after", "").strip()
    if told.isdecimal():
        return int(told)
    reset = re.search(r";\s*t\s*=\s*(\d+)", headers.get("ratelimit", ""))
    return int(reset[1]) if reset else 60


def _is_this_machine(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
