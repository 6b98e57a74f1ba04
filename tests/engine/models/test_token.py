"""The access token: kept where only its owner looks, and found again."""

from __future__ import annotations

import json
import os
import stat
import sys

import keyring
import keyring.backend
import keyring.errors
import pytest

from engine import paths
from engine.errors import BadToken, TokenNotKept
from engine.models import token
from tests.support.disks import read_only

HOST = "huggingface.co"
SECRET = "hf_abcdefghijklmnop"


class Ring(keyring.backend.KeyringBackend):
    """A keyring in memory, over the library's own interface."""

    priority = 5  # type: ignore[assignment]

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], str] = {}
        self.failure: Exception | None = None

    def get_password(self, service: str, username: str) -> str | None:
        self._fail()
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self._fail()
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        self._fail()
        del self.kept[service, username]

    def _fail(self) -> None:
        if self.failure:
            raise self.failure


@pytest.fixture(name="ring")
def system_keyring() -> Ring:
    ring = Ring()
    keyring.set_keyring(ring)  # conftest gives back the one before
    return ring


def file_kept():
    return paths.data_folder() / "token.json"


def test_there_is_none_at_first():
    assert token.find(HOST) is None


def test_the_keyring_keeps_it_where_there_is_one(ring):
    kept = token.keep(f" {SECRET}\n", HOST)
    assert ring.kept == {("foreword", HOST): SECRET}
    assert not file_kept().exists()
    assert token.find(HOST) == kept == token.Token(SECRET, "the system's keyring", is_ours=True)
    token.remove(HOST)
    assert ring.kept == {}
    assert token.find(HOST) is None


def test_without_a_keyring_a_private_file_keeps_it():
    kept = token.keep(SECRET, HOST)
    assert json.loads(file_kept().read_text()) == {HOST: SECRET}
    assert token.find(HOST) == kept
    assert kept.source == str(file_kept())
    assert [path.name for path in file_kept().parent.iterdir()] == ["token.json"]
    token.remove(HOST)
    assert not file_kept().exists()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such permissions")
def test_only_its_owner_may_read_the_file():
    token.keep(SECRET, HOST)
    assert stat.S_IMODE(os.stat(file_kept()).st_mode) == 0o600


@pytest.mark.parametrize(
    "failure", [keyring.errors.KeyringLocked("no"), RuntimeError("the bus is gone")]
)
def test_a_keyring_that_stays_locked_gives_way_to_the_file(ring, failure):
    ring.failure = failure
    assert token.keep(SECRET, HOST).source == str(file_kept())
    assert token.find(HOST).text == SECRET


def test_a_keyring_that_hides_nothing_is_none(ring, monkeypatch):
    monkeypatch.setattr(Ring, "priority", 0.5)
    token.keep(SECRET, HOST)
    assert ring.kept == {}


def test_what_the_file_kept_leaves_it_when_a_keyring_is_there(ring):
    file_kept().parent.mkdir(parents=True)
    file_kept().write_text(json.dumps({HOST: "hf_an_old_one", "mirror.org": SECRET}))
    token.keep(SECRET, HOST)
    assert json.loads(file_kept().read_text()) == {"mirror.org": SECRET}


def test_each_host_has_its_own():
    token.keep(SECRET, HOST)
    assert token.find("mirror.example") is None
    token.keep("hf_another_one", "mirror.example")
    assert token.find(HOST).text == SECRET
    assert token.find("mirror.example").text == "hf_another_one"


def test_the_environments_is_honoured_and_ours_comes_first(monkeypatch):
    monkeypatch.setenv("HF_TOKEN", "hf_of_the_environment")
    found = token.find(HOST)
    assert (found.text, found.source, found.is_ours) == (
        "hf_of_the_environment",
        "HF_TOKEN",
        False,
    )
    token.keep(SECRET, HOST)
    assert token.find(HOST).text == SECRET
    token.remove(HOST)
    assert token.find(HOST).source == "HF_TOKEN"


def test_the_one_of_hugging_faces_programs_is_read_and_not_written(monkeypatch, tmp_path):
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    (tmp_path / "token").write_text("hf_logged_in_before\n")
    assert token.find(HOST).text == "hf_logged_in_before"
    token.keep(SECRET, HOST)
    token.remove(HOST)
    assert (tmp_path / "token").read_text() == "hf_logged_in_before\n"
    monkeypatch.setenv("HF_TOKEN_PATH", str(tmp_path / "nowhere"))
    assert token.find(HOST) is None


@pytest.mark.parametrize(
    ("host", "gets"),
    [
        ("huggingface.co", True),
        ("hf.co", True),
        ("hub-ci.huggingface.co", True),
        ("mirror.example", False),
        ("127.0.0.1", False),
        ("nothuggingface.co", False),
        ("huggingface.co.example", False),
        ("", False),
    ],
)
def test_the_one_of_hugging_faces_programs_is_for_its_own_hosts(monkeypatch, tmp_path, host, gets):
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    (tmp_path / "token").write_text(SECRET)
    assert (token.find(host) is not None) is gets


def test_the_environments_is_for_whichever_host_the_environment_names(monkeypatch):
    monkeypatch.setenv("HF_TOKEN", SECRET)
    assert token.find("mirror.example").text == SECRET


@pytest.mark.parametrize("name", ["HF_TOKEN_PATH", "HF_HOME", "XDG_CACHE_HOME"])
def test_the_home_of_an_unknown_user_holds_none(monkeypatch, name):
    monkeypatch.delenv("HF_HOME")
    monkeypatch.setenv(name, "~nobody-at-all/x")
    assert token.find(HOST) is None


@pytest.mark.parametrize(
    "text", ["", "short", "hf with spaces in it", "hf_ünïcode_in_it", "a\nb" * 9]
)
def test_what_cannot_be_a_token_is_refused(text):
    with pytest.raises(BadToken, match="hf_"):
        token.keep(text, HOST)
    assert token.find(HOST) is None


@pytest.mark.parametrize("content", ["", "[]", "{", '{"huggingface.co": 5}', "\xff\xfe"])
def test_a_file_that_makes_no_sense_holds_none(content):
    file_kept().parent.mkdir(parents=True)
    file_kept().write_text(content, encoding="latin-1")
    assert token.find(HOST) is None
    token.keep(SECRET, HOST)
    assert token.find(HOST).text == SECRET


def test_a_folder_that_takes_nothing_is_told():
    paths.data_folder().mkdir(parents=True)
    with read_only(paths.data_folder()), pytest.raises(TokenNotKept, match=r"token\.json"):
        token.keep(SECRET, HOST)


def test_it_is_not_shown_by_accident():
    assert SECRET not in repr(token.keep(SECRET, HOST))
