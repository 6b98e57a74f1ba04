"""What the Hub has: searched, listed, and refused in words."""

from __future__ import annotations

import json
import random
import socket
import time
from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import parse_qs, urlsplit

import pytest

from engine.errors import (
    AccessPending,
    AnotherFile,
    FetchCancelled,
    HubBusy,
    HubError,
    HubFailing,
    HubStrange,
    HubUnreachable,
    NoChecksum,
    NoSuchVariant,
    NotOnHub,
    ProxyWrong,
    RepoGated,
    TokenRefused,
)
from engine.models import token
from engine.models.arriving import ModelFile
from engine.models.http import Head, Patience, httpx
from engine.models.hub import Hub
from engine.models.hub_client import expect_no_trouble
from engine.models.hub_source import HubSource
from engine.models.item import Item
from tests.support.fake_hub import COMMIT, FakeHub

OPEN, GATED, PRIVATE = "someone/Open-GGUF", "meta/Gated-GGUF", "someone/Private-GGUF"
SECRET = "hf_averysecrettoken"
FILES = {
    (OPEN, "model-Q8_0.gguf"): b"8" * 800,
    (OPEN, "model-Q4_K_M.gguf"): b"4" * 400,
    (OPEN, "BF16/model-BF16-00001-of-00002.gguf"): b"b" * 1000,
    (OPEN, "BF16/model-BF16-00002-of-00002.gguf"): b"c" * 600,
    (OPEN, "mmproj-model-f16.gguf"): b"m" * 100,
    (OPEN, "model.imatrix.gguf"): b"i" * 50,
    (OPEN, "README.md"): b"# Model",
    (GATED, "gated-Q4_K_M.gguf"): random.Random(3).randbytes(5000),
    (PRIVATE, "private.gguf"): b"p" * 300,
}


@pytest.fixture(name="fake")
def fake_hub() -> Iterator[FakeHub]:
    fake = FakeHub(dict(FILES), cards={OPEN: "apache-2.0"}, gated={GATED}, private={PRIVATE})
    fake.tokens = {SECRET: {GATED, PRIVATE}, "hf_not_let_in_yet": set()}
    with fake:
        yield fake


@pytest.fixture(name="hub")
def over_it(fake: FakeHub) -> Hub:
    return Hub(fake.address, Patience(connect=1.0, silence=2.0))


def tokens_sent(fake: FakeHub) -> list[str]:
    return [request.token for request in fake.requests]


# Searching ----------------------------------------------------------------------------------------


def test_a_search_finds_repositories_with_gguf_files(hub, fake):
    found = hub.search(" gguf ")
    assert [each.repo for each in found] == [GATED, OPEN]
    each = found[1]
    assert (each.downloads, each.likes, each.gated, each.licence) == (1234, 56, False, "apache-2.0")
    assert (each.updated, each.architecture, each.context) == ("2026-11-29", "qwen2", 32768)
    assert each.parameters == 1_500_000_000
    assert each.page == f"{fake.address}/{OPEN}"
    assert found[0].gated
    asked = parse_qs(urlsplit(fake.requests[0].path).query)
    assert asked.pop("expand") == ["downloads", "likes", "gated", "gguf", "lastModified", "tags"]
    assert asked == {
        "search": ["gguf"],
        "filter": ["gguf"],
        "sort": ["downloads"],
        "limit": ["30"],
    }
    assert tokens_sent(fake) == [""]


def test_a_search_that_finds_nothing_is_an_empty_list(hub):
    assert hub.search("no such model") == []


@pytest.mark.parametrize("words", ["a" * 100_000, "half of \ud83d"])
def test_what_nothing_can_be_called_is_not_asked_for(hub, fake, words):
    assert hub.search(words) == []
    assert fake.requests == []


def test_what_a_search_sends_is_quoted(hub, fake):
    assert hub.search("a&b=c ü") == []
    asked = parse_qs(urlsplit(fake.requests[0].path).query)
    assert (asked["search"], asked["sort"]) == (["a&b=c ü"], ["downloads"])


@pytest.mark.parametrize(
    "entry", [b'[{"id": 5}]', b'[{"id": null}]', b'[{"id": "no-owner"}]', b'[{"id": "a/b/../c"}]']
)
def test_entries_that_make_no_sense_are_left_out(hub, fake, entry):
    fake.listing = entry
    assert hub.search("x") == []


def test_a_count_beyond_all_measure_is_none(hub, fake):
    fake.listing = b'[{"id": "a/b", "downloads": %d, "likes": 7, "gguf": {"total": %d}}]' % (
        2**70,
        10**400,
    )
    found = hub.search("x")[0]
    assert (found.downloads, found.likes, found.parameters) == (0, 7, None)


def test_what_an_entry_lacks_is_left_open(hub, fake):
    fake.listing = b'[{"id": "a/b", "gguf": null, "tags": 3, "downloads": "many", "likes": true}]'
    found = hub.search("x")[0]
    assert (found.downloads, found.likes, found.licence, found.parameters) == (0, 0, "", None)


@pytest.mark.parametrize(
    "answer",
    [b"<html>Log in to this network</html>", b"{", b'"no"', b"[" * 9, b"[1, null]", b"[{}]"],
)
def test_an_answer_that_is_none_is_told_as_strange(hub, fake, answer):
    fake.listing = answer
    with pytest.raises(HubStrange, match="login page"):
        hub.search("x")


def test_an_answer_without_end_is_not_read_to_it(hub, fake, monkeypatch):
    monkeypatch.setattr("engine.models.hub_client._LONGEST_ANSWER", 1000)
    fake.listing = b"[" + b" " * 100_000 + b"]"
    with pytest.raises(HubUnreachable, match="too long"):
        hub.search("x")


# A repository -------------------------------------------------------------------------------------


def test_a_repositorys_models_are_listed_smallest_first(hub):
    repository = hub.repository(OPEN)
    assert repository.commit == COMMIT
    assert (repository.licence, repository.gated) == ("apache-2.0", False)
    shown = [(each.quantisation, each.size, len(each.files)) for each in repository.variants]
    assert shown == [("Q4_K_M", 400, 1), ("Q8_0", 800, 1), ("BF16", 1600, 2)]
    parts = repository.variants[2].files
    assert [part.name for part in parts] == [
        "model-BF16-00001-of-00002.gguf",
        "model-BF16-00002-of-00002.gguf",
    ]
    assert parts[0].path == "BF16/model-BF16-00001-of-00002.gguf"
    assert all(part.is_known and part.revision == COMMIT for part in parts)


def test_one_can_be_named_by_quantisation_or_file(hub):
    repository = hub.repository(OPEN)
    for name in ("q8_0", "Q8_0", "model-Q8_0", "model-q8_0.gguf"):
        assert repository.variant(name).quantisation == "Q8_0"
    assert len(repository.variant("BF16/model-BF16-00002-of-00002.gguf").files) == 2
    with pytest.raises(NoSuchVariant, match=r"has no Q5_K_M. It has: BF16, Q4_K_M, Q8_0\."):
        repository.variant("Q5_K_M")


def test_a_revision_can_be_asked_for(hub, fake):
    hub.repository(OPEN, "refs/pr/1")
    assert fake.requests[0].path == f"/api/models/{OPEN}/revision/refs%2Fpr%2F1?blobs=true"


def test_names_that_could_lead_elsewhere_are_not_seen(hub, fake):
    fake.listing = (
        b'{"id": "a/b", "sha": "%s", "siblings": [{"rfilename": "x/..gguf", "size": 1},'
        b'{"rfilename": "c:evil.gguf", "size": 1}, {"rfilename": "fine.gguf", "size": 1}]}'
    ) % COMMIT.encode()
    assert [each.name for each in hub.repository("a/b").variants] == ["fine"]


@pytest.mark.parametrize(
    "name", ["CON.gguf", "com1.x.gguf", "\ud800.gguf", "a\x1b[31m.gguf", "a" * 250 + ".gguf"]
)
def test_names_that_no_disk_or_terminal_takes_are_not_seen(hub, fake, name):
    listing = {"id": "a/b", "sha": COMMIT, "siblings": [{"rfilename": name, "size": 1}]}
    fake.listing = json.dumps(listing).encode()
    assert hub.repository("a/b").variants == ()


def test_sizes_and_checksums_are_filled_in(hub, fake):
    whole = hub.repository(OPEN).variant("BF16").item
    bare = replace(
        whole, files=tuple(replace(f, size=0, sha256="", revision="") for f in whole.files)
    )
    fake.requests.clear()
    assert hub.known(bare) == whole
    assert len(fake.requests) == 1
    assert hub.known(whole) is not None
    assert len(fake.requests) == 1


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"size": 5}, AnotherFile),
        ({"sha256": "0" * 64}, AnotherFile),
        ({"path": "no/such.gguf"}, NotOnHub),
    ],
)
def test_what_the_catalogue_knows_must_agree(hub, change, error):
    file = ModelFile("model-Q8_0.gguf", "", "", 0, "", "", OPEN)
    with pytest.raises(error) as raised:
        hub.known(Item("x", (replace(file, **change),)))
    assert OPEN in raised.value.sentence  # where to look for what is there instead


def test_a_file_without_a_published_checksum_is_refused(hub, fake):
    fake.listing = b'{"id":"a/b","sha":"%s","siblings":[{"rfilename":"x.gguf","size":9}]}' % (
        COMMIT.encode()
    )
    with pytest.raises(NoChecksum, match="Choose another file"):
        hub.known(Item("x", (ModelFile("x.gguf", "", "", 0, "", "", "a/b"),)))


# Refusals -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("repo", ["someone/nothing", PRIVATE, "not a name", "a/b/c", "../../etc"])
def test_what_is_not_there_or_private_is_told_so(hub, repo):
    with pytest.raises(NotOnHub, match=f"has no repository {repo}"):
        hub.repository(repo)


def test_a_private_repository_opens_with_a_token(hub, fake):
    token.keep(SECRET, hub.host)
    assert [each.name for each in hub.repository(PRIVATE).variants] == ["private"]
    assert tokens_sent(fake) == ["", SECRET]


@pytest.mark.parametrize(
    ("trouble", "error"),
    [
        ({"status": 500}, HubFailing),
        ({"status": 503}, HubFailing),
        ({"status": 429, "retry_after": "7"}, HubBusy),
        ({"status": 403}, HubStrange),
        ({"status": 302}, HubStrange),
        ({"circles": True}, HubUnreachable),
    ],
)
def test_a_hub_in_trouble_is_told_by_its_kind(hub, fake, trouble, error):
    for name, value in trouble.items():
        setattr(fake, name, value)
    for ask in (lambda: hub.search("x"), lambda: hub.repository(OPEN)):
        with pytest.raises(error):
            ask()


def test_how_long_to_wait_is_told(hub, fake):
    fake.status, fake.retry_after = 429, "1234"
    with pytest.raises(HubBusy, match="1,234 seconds"):
        hub.search("x")


# Reaching it --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("header", "seconds"),
    [({"Retry-After": "9" * 5000}, 999_999_999), ({"RateLimit": f'"api";r=0;t={"9" * 5000}'}, 60)],
)
def test_a_wait_without_measure_is_told_as_a_long_one(header, seconds):
    with pytest.raises(HubBusy) as told:
        expect_no_trouble(Head(429, httpx.Headers(header)))
    assert told.value.fields["seconds"] == seconds


def test_being_offline_is_told_at_once(fake):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        hub = Hub(f"http://127.0.0.1:{unused.getsockname()[1]}")
        with pytest.raises(
            HubUnreachable, match=r"127\.0\.0\.1 cannot be reached \(Connection"
        ) as told:
            hub.search("x")
    assert "kept" not in told.value.sentence  # a search leaves nothing behind


def test_a_host_that_does_not_answer_is_told_within_the_patience(silent_host):
    begin = time.monotonic()
    with pytest.raises(HubUnreachable):
        Hub(silent_host, Patience(connect=0.2)).search("x")
    assert time.monotonic() - begin < 1


def test_a_name_that_is_looked_up_for_ever_is_told_within_the_patience(monkeypatch):
    slow = socket.getaddrinfo

    def look_up(*args, **options):
        time.sleep(1.0)
        return slow("127.0.0.1", *args[1:], **options)

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    begin = time.monotonic()
    with pytest.raises(HubUnreachable, match="no connection within"):
        Hub("http://hub.invalid", Patience(connect=0.2)).search("x")
    assert time.monotonic() - begin < 0.8


def test_a_hub_that_fell_silent_is_told(fake):
    fake.silent = True
    with pytest.raises(HubUnreachable, match="fell silent"):
        Hub(fake.address, Patience(silence=0.1)).search("x")


def test_a_search_can_be_given_up(fake):
    fake.silent = True

    def give_up() -> None:
        if fake.requests:
            raise FetchCancelled

    begin = time.monotonic()
    with pytest.raises(FetchCancelled):
        Hub(fake.address).search("x", check=give_up)
    assert time.monotonic() - begin < 1


def test_a_mirror_is_taken_from_the_environment_as_it_is(monkeypatch, fake):
    hub = Hub()
    assert hub.host == "huggingface.co"
    monkeypatch.setenv("HF_ENDPOINT", f"{fake.address}/")
    assert hub.host == "127.0.0.1"
    assert hub.search("open")[0].repo == OPEN


def test_a_mirror_may_lie_below_a_path(monkeypatch, fake, tmp_path):
    fake.base = "/ai/hf"
    fake.renamed = {"old/Name": OPEN}
    monkeypatch.setenv("HF_ENDPOINT", f"{fake.address}/")
    hub = Hub()
    (found,) = hub.search("open")
    assert found.page == hub.page(OPEN) == f"{fake.address}/{OPEN}"
    file = hub.repository("old/Name").variant("Q8_0").files[0]
    assert fetched(hub, replace(file, repo="old/Name"), tmp_path) == FILES[OPEN, file.name]


@pytest.mark.parametrize("endpoint", ["nonsense", "ftp://example.org", "http://", "http://["])
def test_a_mirror_that_is_none_is_told(endpoint):
    with pytest.raises(HubUnreachable):
        Hub(endpoint).search("x")


def test_it_is_not_asked_where_hugging_face_is_set_to_offline(monkeypatch, hub, fake):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(HubUnreachable, match="HF_HUB_OFFLINE"):
        hub.search("x")
    assert fake.requests == []


def test_a_proxy_is_taken_from_the_environment_as_it_is(monkeypatch, fake):
    monkeypatch.setenv("HTTP_PROXY", fake.address)
    hub = Hub("http://hub.invalid")
    assert hub.search("open")[0].repo == OPEN
    assert fake.requests[0].path.startswith("http://hub.invalid/api/models?")
    monkeypatch.setenv("NO_PROXY", "hub.invalid")
    with pytest.raises(HubUnreachable):
        hub.search("open")


@pytest.mark.parametrize(
    "proxy", ["socks5://me:hush@127.0.0.1:1", "gopher://me:hush@x", "http://me:hush@x:port"]
)
def test_a_proxy_that_cannot_be_used_is_told_without_its_password(monkeypatch, proxy):
    monkeypatch.setenv("ALL_PROXY", proxy)
    with pytest.raises(ProxyWrong) as caught:
        Hub("http://hub.invalid").search("x")
    assert "hush" not in f"{caught.value.sentence} {caught.value.detail}"


# Tokens -------------------------------------------------------------------------------------------


def file_of(hub: Hub, repo: str) -> ModelFile:
    return hub.repository(repo).variants[0].files[0]


def fetched(hub: Hub, file: ModelFile, folder) -> bytes:
    from engine.models import starter

    source = HubSource(hub, pause=0.01)
    return starter.fetch(
        file, folder, progress=lambda _p: None, cancelled=lambda: False, sources=[source]
    ).read_bytes()


def test_a_gated_file_says_where_to_accept_its_terms(hub, fake, tmp_path):
    with pytest.raises(RepoGated) as caught:
        fetched(hub, file_of(hub, GATED), tmp_path)
    assert f"Open {fake.address}/{GATED}" in caught.value.sentence


def test_a_token_opens_a_gated_file_and_goes_nowhere_else(hub, fake, tmp_path):
    token.keep(SECRET, hub.host)
    file = file_of(hub, GATED)
    fake.requests.clear()
    fake.drop_after = [1000]
    assert fetched(hub, file, tmp_path) == FILES[GATED, file.name]
    sent = {request.host.partition(":")[0]: set() for request in fake.requests}
    for request in fake.requests:
        sent[request.host.partition(":")[0]].add(request.token)
    # the data lie on another host; and after the cut the token was used again
    assert sent == {"127.0.0.1": {"", SECRET}, "localhost": {""}}
    assert fake.starts == [None, 1000]


def test_a_token_is_not_sent_where_it_is_not_needed(hub, fake, tmp_path):
    token.keep(SECRET, hub.host)
    fetched(hub, file_of(hub, OPEN), tmp_path)
    assert set(tokens_sent(fake)) == {""}


def test_a_token_without_access_says_so(hub, fake, tmp_path):
    token.keep("hf_not_let_in_yet", hub.host)
    with pytest.raises(AccessPending):
        fetched(hub, file_of(hub, GATED), tmp_path)


def test_a_wrong_token_is_told_with_its_source_and_without_itself(hub, monkeypatch, tmp_path):
    monkeypatch.setenv("HF_TOKEN", "hf_withdrawn_long_ago")
    with pytest.raises(TokenRefused, match="from HF_TOKEN") as caught:
        fetched(hub, file_of(hub, GATED), tmp_path)
    assert "withdrawn" not in f"{caught.value} {caught.value.detail} {caught.value.fields}"


def test_a_token_for_one_host_is_not_sent_to_another(hub, fake):
    token.keep(SECRET, "huggingface.co")
    with pytest.raises(NotOnHub):
        hub.repository(PRIVATE)
    assert set(tokens_sent(fake)) == {""}


def test_a_token_is_not_sent_where_it_could_be_overheard(monkeypatch, fake):
    monkeypatch.setenv("HTTP_PROXY", fake.address)
    monkeypatch.setenv("HF_TOKEN", SECRET)
    with pytest.raises(HubError):
        Hub("http://mirror.invalid").repository(PRIVATE)
    assert set(tokens_sent(fake)) == {""}


def test_no_token_and_no_signed_address_is_logged(hub, fake, tmp_path, caplog):
    caplog.set_level("INFO")
    token.keep(SECRET, hub.host)
    fetched(hub, file_of(hub, GATED), tmp_path)
    assert SECRET not in caplog.text
    assert "/data/" not in caplog.text
