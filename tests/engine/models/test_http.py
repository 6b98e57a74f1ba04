"""One request: redirects, tokens, silence, and encryption."""

from __future__ import annotations

import shutil
import ssl
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from engine.errors import FetchCancelled
from engine.models import http
from engine.models.http import Lost, Patience, Request
from tests.support.fake_hub import FakeHub

REPO, NAME = "someone/Model-GGUF", "model.gguf"
CONTENT = bytes(range(256)) * 4000


@pytest.fixture(name="fake")
def fake_hub() -> Iterator[FakeHub]:
    with FakeHub({(REPO, NAME): CONTENT}) as fake:
        yield fake


def request(url: str, **options) -> Request:
    options.setdefault("patience", Patience(connect=1.0, silence=1.0))
    options.setdefault("check", lambda: None)
    return Request(url, **options)


def resolved(fake: FakeHub) -> str:
    return f"{fake.address}/{REPO}/resolve/main/{NAME}"


def test_the_body_comes_in_pieces_and_whole(fake):
    with request(resolved(fake)) as asked:
        head = asked.head()
        pieces = list(asked.pieces())
    assert head.status == 200
    assert len(pieces) > 1
    assert b"".join(pieces) == CONTENT


def test_a_redirect_can_be_had_instead_of_followed(fake):
    with request(resolved(fake), method="HEAD", follow=False) as asked:
        head = asked.head()
        assert asked.body(10) == b""
    assert (head.status, head.headers["x-linked-size"]) == (302, str(len(CONTENT)))
    assert [(r.method, r.path) for r in fake.requests] == [("HEAD", f"/{REPO}/resolve/main/{NAME}")]


def test_a_token_stays_with_the_origin_that_was_asked(fake):
    with request(resolved(fake), token="hf_secret") as asked:
        asked.head()
    assert [(r.host.partition(":")[0], r.token) for r in fake.requests] == [
        ("127.0.0.1", "hf_secret"),
        ("localhost", ""),
    ]


def test_it_does_not_go_in_circles(fake):
    fake.circles = True
    with request(resolved(fake)) as asked, pytest.raises(Lost, match="circles"):
        asked.head()
    assert len(fake.requests) == 5


def test_what_came_before_a_cut_is_not_lost(fake):
    fake.drop_after = [1000]
    came: list[bytes] = []
    with request(resolved(fake)) as asked:
        asked.head()
        with pytest.raises(Lost, match="ended early") as caught:
            came.extend(asked.pieces())
    assert b"".join(came) == CONTENT[:1000]
    assert caught.value.connected


def test_an_answer_that_is_too_long_is_given_up(fake):
    with request(resolved(fake)) as asked:
        asked.head()
        with pytest.raises(Lost, match="too long"):
            asked.body(1000)


def test_giving_up_is_possible_in_the_middle(fake):
    fake.stall_after = 1000
    told: list[None] = []

    def check() -> None:
        if told:
            raise FetchCancelled

    with request(resolved(fake), check=check) as asked:
        asked.head()
        pieces = asked.pieces()
        next(pieces)
        told.append(None)
        with pytest.raises(FetchCancelled):
            next(pieces)


def test_a_slow_reader_loses_nothing(fake, monkeypatch):
    monkeypatch.setattr(http, "_HELD", 1)
    with request(resolved(fake)) as asked:
        asked.head()
        assert b"".join(asked.pieces()) == CONTENT


def test_nobody_there_is_told_as_not_connected(silent_host):
    with (
        request(silent_host, patience=Patience(connect=0.1)) as asked,
        pytest.raises(Lost) as caught,
    ):
        asked.head()
    assert not caught.value.connected


# Encryption ---------------------------------------------------------------------------------------


class _Secure(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"ok")

    def log_message(self, *_args: object) -> None:
        """Keep quiet."""


class _SecureServer(HTTPServer):
    def handle_error(self, _request: object, _address: object) -> None:
        """Say nothing of clients that leave."""


@pytest.fixture(name="certificate")
def own_certificate(tmp_path: Path) -> Path:
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("there is no openssl to make a certificate with")
    path = tmp_path / "own.pem"
    command = [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
    command += ["-keyout", str(path), "-out", str(tmp_path / "cert.pem"), "-subj", "/CN=localhost"]
    command += ["-addext", "subjectAltName=DNS:localhost"]
    subprocess.run(command, check=True, capture_output=True)
    return path


@pytest.fixture(name="secure")
def secure_server(certificate: Path) -> Iterator[str]:
    server = _SecureServer(("127.0.0.1", 0), _Secure)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate.with_name("cert.pem"), certificate)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    yield f"https://localhost:{server.server_port}/"
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_certificate_that_nobody_vouches_for_is_refused_in_words(secure):
    with request(secure) as asked, pytest.raises(Lost, match="certificate is not trusted"):
        asked.head()


def test_certificates_that_cannot_be_read_are_told_as_such(monkeypatch, tmp_path):
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "none.pem"))
    http.trusted.cache_clear()
    with request("https://localhost:1") as asked, pytest.raises(Lost, match="SSL_CERT_FILE"):
        asked.head()


def test_a_certificate_that_the_system_trusts_serves(secure, certificate, monkeypatch):
    trusting = ssl.create_default_context(cafile=str(certificate.with_name("cert.pem")))
    monkeypatch.setattr(http, "trusted", lambda: trusting)
    with request(secure, token="hf_secret") as asked:
        assert asked.head().status == 200
        assert asked.body(10) == b"ok"
