"""The Hugging Face Hub: what it has, and what its refusals mean.

It is asked through its own library (`hub_client`). A token is sent only where the Hub refuses to
answer without one.
"""

from __future__ import annotations

import ipaddress
import json
import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import quote, urljoin, urlsplit

import engine.models.hub_import  # noqa: F401 - before the library

# isort: split

from huggingface_hub import HfApi, hf_hub_url
from huggingface_hub.errors import (
    GatedRepoError,
    HfHubHTTPError,
    HFValidationError,
    RemoteEntryNotFoundError,
    RevisionNotFoundError,
)

from engine.errors import (
    AccessPending,
    AnotherFile,
    ForewordError,
    HubStrange,
    HubUnreachable,
    NoChecksum,
    NotOnHub,
    RepoGated,
    TokenRefused,
)
from engine.models import token
from engine.models.arriving import ModelFile
from engine.models.http import Lost, Patience, origin
from engine.models.hub_client import asking
from engine.models.item import Item
from engine.models.listing import (
    NAME,
    Found,
    NotAListing,
    Repository,
    read_repository,
    read_search,
)

if TYPE_CHECKING:
    from huggingface_hub.hf_api import ExpandModelProperty_T

__all__ = ["Found", "Hub", "Repository"]

log = logging.getLogger("engine.models")

_HUB = "https://huggingface.co"
_EXPANDED: list[ExpandModelProperty_T] = [
    "downloads",
    "likes",
    "gated",
    "gguf",
    "lastModified",
    "tags",
]
_LONGEST_WORDS = 500  # bytes
_YES = ("1", "ON", "YES", "TRUE")

T = TypeVar("T")

Check = Callable[[], None]
"""Called often while waiting; raises to give up."""


def _never() -> None:
    """Nobody gives up."""


@dataclass(frozen=True)
class Located:
    """Where a file's bytes are, and what the Hub says of them.

    Attributes:
        url: Their address now. It may be signed, which makes it a key to the file: not for a log.
        token: The token that the address wants, not shown by repr; "" for none.
        commit: That of the repository; "" where not told.
        size: In bytes; None where not told.
        etag: The sha256 of a large file; of others something else.
    """

    url: str = field(repr=False)
    token: str = field(repr=False)
    commit: str
    size: int | None
    etag: str


@dataclass(frozen=True)
class Hub:
    """The Hugging Face Hub, or a mirror of it. Nothing is contacted but by the four verbs.

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
        words = words.strip()
        if not _could_be_found(words):
            return []
        with self._told():
            answer = self._ask(
                lambda api: list(
                    api.list_models(
                        search=words,
                        filter="gguf",
                        sort="downloads",
                        limit=limit,
                        expand=_EXPANDED,
                    )
                ),
                "",
                check,
            )
        return read_search(answer, self.address)

    def repository(self, repo: str, revision: str = "", *, check: Check = _never) -> Repository:
        """The GGUF files of ``repo``, with sizes and checksums.

        Raises:
            NotOnHub, RepoGated, AccessPending, TokenRefused: It is not ours to see.
            HubUnreachable, HubBusy, HubFailing, HubStrange, ProxyWrong: As they say.
        """
        if not NAME.fullmatch(repo):
            raise NotOnHub(what=f"repository {repo}")
        with self._told():
            answer = self._ask(
                lambda api: api.model_info(repo, revision=revision or None, files_metadata=True),
                repo,
                check,
            )
            return read_repository(answer, repo, self.address)

    def locate(self, file: ModelFile, *, check: Check = _never) -> Located:
        """Where the bytes of ``file`` are at this moment.

        Raises what `repository` raises, but Lost where there is no connection.
        """
        place = file.path or file.name

        def question(api: HfApi) -> Located:
            asked = hf_hub_url(
                file.repo, place, revision=file.revision or None, endpoint=self.address
            )
            told = api.get_hf_file_metadata(url=asked, timeout=None)
            url = urljoin(asked, told.location)
            token = api.token if isinstance(api.token, str) else ""
            return Located(
                url=url,
                token=token if origin(url) == origin(self.address) else "",
                commit=told.commit_hash or "",
                size=told.size,
                etag=told.etag or "",
            )

        return self._ask(question, file.repo, check, place)

    def known(self, item: Item, *, check: Check = _never) -> Item:
        """``item`` with the size, checksum and commit of each file that lacks one.

        Raises what `repository` raises, AnotherFile where it contradicts what is known already, and
        NoChecksum.
        """
        seen: dict[tuple[str, str], Repository] = {}
        files = []
        for file in item.files:
            at = (file.repo, file.revision)
            if not file.is_known and at not in seen:
                seen[at] = self.repository(*at, check=check)
            files.append(file if file.is_known else _filled(file, seen[at]))
        return replace(item, files=tuple(files))

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Turn what can go wrong with an answer into words."""
        try:
            yield
        except Lost as lost:
            raise self.unreachable(lost) from lost
        except NotAListing as error:
            raise self.strange(str(error)) from error

    # Asking, and being refused -------------------------------------------------------------------

    def _ask(self, question: Callable[[HfApi], T], repo: str, check: Check, place: str = "") -> T:
        """The library's answer: asked without a token, and if the Hub refuses that, with one.

        Raises:
            Lost: There is no connection.
            RepoGated, AccessPending, TokenRefused, NotOnHub, HubUnreachable: As they say.
            HubBusy, HubFailing, HubStrange, ProxyWrong: As they say.
        """
        if os.environ.get("HF_HUB_OFFLINE", "").strip().upper() in _YES:
            raise HubUnreachable(host=self.host, reason="HF_HUB_OFFLINE forbids asking it")
        try:
            return self._ask_with("", question, repo, check)
        except HfHubHTTPError as refusal:
            secret = self._token() if refusal.response.status_code in (401, 403) else None
            if secret is None:
                raise self._meaning(refusal, repo, place, None) from refusal
        try:
            return self._ask_with(secret.text, question, repo, check)
        except HfHubHTTPError as refusal:
            raise self._meaning(refusal, repo, place, secret) from refusal

    def _ask_with(self, secret: str, question: Callable[[HfApi], T], repo: str, check: Check) -> T:
        try:
            with asking(self.address, secret, check, self.patience) as api:
                return question(api)
        except HFValidationError as error:
            raise NotOnHub(what=f"repository {repo}") from error
        except json.JSONDecodeError as error:
            raise self.strange("it is not JSON") from error
        # The library believes in an answer's form; a login page or a stranger's server has another.
        except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
            raise self.strange("it is not what a Hub would say") from error

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

    def _meaning(
        self, refusal: HfHubHTTPError, repo: str, place: str, secret: token.Token | None
    ) -> ForewordError:
        """What an error of the library's means; ``place``: of a file in the repository."""
        status = refusal.response.status_code
        if secret and status == 401:
            return TokenRefused(source=secret.source, page=token.PAGE)
        if isinstance(
            refusal, GatedRepoError
        ):  # before the repository that is not found: it is one
            kind = AccessPending if secret else RepoGated
            return kind(repo=repo, page=self.page(repo))
        if isinstance(refusal, RevisionNotFoundError):
            return NotOnHub(what=f"such revision of {repo}")
        if isinstance(refusal, RemoteEntryNotFoundError):
            return NotOnHub(what=f"file {place} in {repo}")
        if repo and (status in (401, 404) or (status == 403 and secret)):
            # The Hub does not tell a stranger whether a private repository exists.
            return NotOnHub(what=f"repository {repo}")
        return self.strange(f"it answers {status}")


def _filled(file: ModelFile, repository: Repository) -> ModelFile:
    """``file`` with what the Hub publishes of it."""
    there = repository.files.get(file.path or file.name)
    if there is None:
        raise NotOnHub(what=f"file {file.path or file.name} in {file.repo}")
    if not there.is_known:
        raise NoChecksum(name=file.name)
    if file.size not in (0, there.size):
        reason = f"it has {there.size:,} bytes"
        raise AnotherFile(name=file.name, repo=file.repo, reason=reason)
    if file.sha256 not in ("", there.sha256):
        raise AnotherFile(name=file.name, repo=file.repo, reason="the sha256 differs")
    return replace(file, size=there.size, sha256=there.sha256, revision=there.revision)


def _could_be_found(words: str) -> bool:
    """Whether anything can be called so: not by half a character, nor by a whole page."""
    try:
        return len(words.encode()) <= _LONGEST_WORDS
    except UnicodeEncodeError:
        return False


def _is_this_machine(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
