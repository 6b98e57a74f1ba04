"""The user's access token for the Hugging Face Hub: where it is found, and where it is kept.

A token is a password. It is kept in the system's keyring where there is one, else in a file that
only its owner may read. It is bound to the host it was given for, and is in no log and no error.
HF_TOKEN is honoured, and for Hugging Face's own hosts the token that its programs keep; neither is
ever written.
"""

from __future__ import annotations

import json
import logging
import os
import re
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from engine import paths
from engine.errors import BadToken, TokenNotKept

if TYPE_CHECKING:
    from keyring.backend import KeyringBackend

T = TypeVar("T")

log = logging.getLogger("engine.models")

PAGE = "https://huggingface.co/settings/tokens"
"""Where a person makes one; a token for reading is enough."""

_SERVICE = "foreword"
_FORM = re.compile(r"[!-~]{8,512}")  # printable ASCII: what fits into a header
_KEYRING = "the system's keyring"
_HUBS_OWN = ("huggingface.co", "hf.co")


@dataclass(frozen=True)
class Token:
    """An access token.

    Attributes:
        text: The secret; not shown by repr.
        source: Where it was found, for a person.
        is_ours: Whether `keep` wrote it, so that `remove` can take it away.
    """

    text: str = field(repr=False)
    source: str
    is_ours: bool


def find(host: str) -> Token | None:
    """The token for ``host``: ours, then HF_TOKEN, then the one of Hugging Face's own programs.

    The last was given to them for the Hub itself, so no mirror gets it.
    A keyring may ask the user to unlock it: not for the window's thread.
    """
    text = _from_keyring(host)
    if text:
        return Token(text, _KEYRING, is_ours=True)
    text = _from_file().get(host, "")
    if text:
        return Token(text, str(_file()), is_ours=True)
    for name in ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN"):
        text = os.environ.get(name, "").strip()
        if _FORM.fullmatch(text):
            return Token(text, name, is_ours=False)
    text = _from_hubs_own_file() if _is_the_hubs(host) else ""
    return Token(text, str(_hubs_own_file()), is_ours=False) if text else None


def keep(text: str, host: str) -> Token:
    """Keep a token for ``host`` in the keyring, or else in the private file.

    Raises:
        BadToken: It cannot be one.
        TokenNotKept: No place takes it.
    """
    text = text.strip()
    if not _FORM.fullmatch(text):
        raise BadToken(page=PAGE)
    if _to_keyring(text, host):
        _write_file({name: kept for name, kept in _from_file().items() if name != host})
        return Token(text, _KEYRING, is_ours=True)
    _write_file(_from_file() | {host: text})
    return Token(text, str(_file()), is_ours=True)


def remove(host: str) -> None:
    """Forget the token that `keep` kept for ``host``. Raises TokenNotKept where that fails."""
    kept = _from_file()
    if kept.pop(host, None) is not None:
        _write_file(kept)
    if _from_keyring(host):
        _ask_keyring(lambda ring: ring.delete_password(_SERVICE, host))
        if _from_keyring(host):
            raise TokenNotKept(place=_KEYRING, reason="it does not let go of it")


# The keyring -------------------------------------------------------------------------------------


def _from_keyring(host: str) -> str:
    return _ask_keyring(lambda ring: ring.get_password(_SERVICE, host)) or ""


def _to_keyring(text: str, host: str) -> bool:
    _ask_keyring(lambda ring: ring.set_password(_SERVICE, host, text))
    return _from_keyring(host) == text


def _ask_keyring(ask: Callable[[KeyringBackend], T]) -> T | None:
    """The system's keyring's answer; None where there is no such keyring, or it stays locked."""
    import keyring
    from keyring.errors import KeyringError

    try:
        ring = keyring.get_keyring()
        return ask(ring) if ring.priority >= 1 else None  # below it hides nothing
    except KeyringError as error:
        log.info("The keyring gives nothing: %s", type(error).__name__)
    except Exception as error:  # noqa: BLE001 (each system's has errors of its own)
        log.info("The keyring is out of order: %s", type(error).__name__)
    return None


# The private file --------------------------------------------------------------------------------


def _file() -> Path:
    return paths.data_folder() / "token.json"


def _from_file() -> dict[str, str]:
    """Tokens by host; none where the file is not there or makes no sense."""
    try:
        kept = json.loads(_file().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    if not isinstance(kept, dict):
        return {}
    return {host: text for host, text in kept.items() if isinstance(text, str)}


def _write_file(tokens: dict[str, str]) -> None:
    """Replace the file by one that only its owner may read; without tokens there is none."""
    file = _file()
    try:
        if not tokens:
            file.unlink(missing_ok=True)
            return
        file.parent.mkdir(parents=True, exist_ok=True)
        # made with permissions 0600, so that nobody can open it even while it is written
        descriptor, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}-")
        try:
            with open(descriptor, "w", encoding="utf-8") as stream:
                json.dump(tokens, stream)
            os.replace(name, file)
        finally:
            with suppress(OSError):
                os.unlink(name)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise TokenNotKept(place=file, reason=reason) from error


# What Hugging Face's own programs keep -----------------------------------------------------------


def _is_the_hubs(host: str) -> bool:
    return any(host == own or host.endswith(f".{own}") for own in _HUBS_OWN)


def _hubs_own_file() -> Path:
    """Where they keep it, by their documentation of HF_TOKEN_PATH and HF_HOME."""
    named = os.environ.get("HF_TOKEN_PATH", "").strip()
    if named:
        return Path(os.path.expanduser(named))
    home = os.environ.get("HF_HOME", "").strip()
    if home:
        return Path(os.path.expanduser(home)) / "token"
    cache = os.environ.get("XDG_CACHE_HOME", "").strip() or "~/.cache"
    return Path(os.path.expanduser(cache)) / "huggingface" / "token"


def _from_hubs_own_file() -> str:
    try:
        text = _hubs_own_file().read_text(encoding="utf-8").strip()
    except (OSError, ValueError):
        return ""
    return text if _FORM.fullmatch(text) else ""
