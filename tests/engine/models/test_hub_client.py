"""The Hub's own library asks once, says no more than it must, and can be given up."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from huggingface_hub.errors import HfHubHTTPError

from engine.errors import FetchCancelled, HubBusy, HubError, HubFailing
from engine.models.http import USER_AGENT, Lost, Patience
from engine.models.hub import Hub
from engine.models.hub_client import asking
from tests.support.fake_hub import COMMIT, FakeHub

ROOT = Path(__file__).resolve().parents[3]
REPO, RENAMED, GATED = "someone/Model-GGUF", "someone/Old-GGUF", "meta/Gated-GGUF"
SECRET = "hf_averysecrettoken"
PATIENCE = Patience(connect=1.0, silence=2.0)


@pytest.fixture(name="fake")
def fake_hub() -> Iterator[FakeHub]:
    files = {(REPO, "model.gguf"): b"m" * 900, (GATED, "gated.gguf"): b"g" * 90}
    with FakeHub(files, gated={GATED}) as fake:
        fake.tokens = {SECRET: {GATED}}
        yield fake


def search(fake: FakeHub, token: str = "", check: Callable[[], None] = lambda: None) -> list[str]:
    with asking(fake.address, token, check, PATIENCE) as api:
        return [found.id for found in api.list_models(search="model", limit=5)]


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (429, HubBusy),
        (500, HubFailing),
        (503, HubFailing),
        (408, HubFailing),
        (403, HfHubHTTPError),
    ],
)
def test_a_refusal_is_asked_for_once(fake, status, error):
    fake.status = status
    begin = time.monotonic()
    with pytest.raises(error):
        search(fake)
    assert time.monotonic() - begin < 1
    assert len(fake.requests) == 1


def test_how_long_to_wait_is_read_from_the_hubs_own_header(fake):
    fake.status = 429
    fake.headers["RateLimit"] = '"api";r=0;t=55'
    with pytest.raises(HubBusy) as caught:
        search(fake)
    assert caught.value.fields["seconds"] == 55


def test_a_missing_connection_is_told_at_once(silent_host):
    begin = time.monotonic()
    with (
        pytest.raises(Lost) as caught,
        asking(silent_host, "", lambda: None, Patience(connect=0.2)) as api,
    ):
        api.model_info(REPO)
    assert not caught.value.connected
    assert time.monotonic() - begin < 1


def test_it_can_be_given_up(fake):
    fake.silent = True

    def check() -> None:
        if fake.requests:
            raise FetchCancelled

    begin = time.monotonic()
    with pytest.raises(FetchCancelled):
        search(fake, check=check)
    assert time.monotonic() - begin < 1


def test_a_renamed_repository_is_found_under_its_new_name(fake):
    fake.renamed[RENAMED] = REPO
    with asking(fake.address, "", lambda: None, PATIENCE) as api:
        info = api.model_info(RENAMED, files_metadata=True)
        told = api.get_hf_file_metadata(
            url=f"{fake.address}/{RENAMED}/resolve/main/model.gguf", timeout=None
        )
    assert (info.id, info.sha) == (REPO, COMMIT)
    assert told.location == f"{fake.elsewhere}/data/{REPO}/model.gguf"


def test_a_token_goes_to_no_further_page_on_another_host(fake):
    fake.headers["Link"] = f'<{fake.elsewhere}/api/models?search=model&limit=5>; rel="next"'
    assert search(fake, SECRET) == [REPO] * 5
    sent = {request.host.partition(":")[0]: request.token for request in fake.requests}
    assert sent == {"127.0.0.1": SECRET, "localhost": ""}


def test_pages_without_end_are_not_all_asked_for(fake):
    fake.headers["Link"] = f'<{fake.address}/api/models?search=none&limit=5>; rel="next"'
    with pytest.raises(Lost, match="circles"):
        search(fake)
    assert len(fake.requests) == 20


def test_no_cookie_comes_back(fake):
    fake.headers["Set-Cookie"] = "visitor=17; Path=/"
    search(fake)
    search(fake)
    assert [request.cookie for request in fake.requests] == ["", ""]


def test_nothing_else_is_said_or_asked(fake, tmp_path):
    """In a process of its own: the library reads its environment once, and would tell the Hub of
    programs that run it."""
    fake.headers["X-HF-Warning"] = "topic; Buy something"
    code = (
        "import sys; from engine.models.hub import Hub; hub = Hub(sys.argv[1]);"
        "print(len(hub.search('model')), hub.repository(sys.argv[2]).repo)"
    )
    kept = {name: value for name, value in os.environ.items() if not name.startswith("HF_")}
    environment = kept | {"HF_HOME": str(tmp_path), "HF_TOKEN": SECRET, "AI_AGENT": "somebody"}
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", code, fake.address, REPO],
        cwd=ROOT,
        env=environment | {"HF_ENDPOINT": fake.address, "HF_DEBUG": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert (ran.stdout, ran.stderr) == (f"1 {REPO}\n", "")
    assert [request.path.partition("?")[0] for request in fake.requests] == [
        "/api/models",
        f"/api/models/{REPO}",
    ]
    assert {request.agent for request in fake.requests} == {USER_AGENT}
    assert {request.token for request in fake.requests} == {""}
    assert list(tmp_path.iterdir()) == []


def test_an_answer_in_any_wrong_form_is_an_error_of_ours(fake):
    """Whatever a server sends in place of a repository."""
    hub = Hub(fake.address, PATIENCE)
    right = {"id": REPO, "sha": COMMIT, "siblings": [{"rfilename": "a.gguf", "lfs": None}]}
    wrong = [None, 7, "x", [], {}, [[]], {"a": 1}, True, "2026-99-99", -1, 1e300]
    for key in (*right, "lastModified", "tags", "gguf", "cardData", "gated", "downloads"):
        for value in wrong:
            answer = right | {key: value}
            with suppress(HubError):
                fake.listing = json.dumps(answer).encode()
                hub.repository(REPO)
            with suppress(HubError):
                fake.listing = json.dumps([answer]).encode()
                hub.search("x")
