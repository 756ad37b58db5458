"""Clients that mean the service no good, at a real socket: what they take is bounded."""

import json
import resource
import socket
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from tests.service.running import TOKEN, Client, service_on
from tests.slowness import patience

from gossamer.config import Service
from gossamer.folder.data import DataFolder

MIB = 1024 * 1024
JSON = {"Content-Type": "application/json"}


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    folder = DataFolder(tmp_path_factory.mktemp("hostile-service") / "data")
    folder.make()
    with service_on(folder, Service(token=TOKEN, max_connections=40)) as client:
        yield client


def memory() -> int:
    """Bytes that this process has, in which the service runs as well."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize()


def connected(ask: Client) -> socket.socket:
    place = urlsplit(ask.url)
    return socket.create_connection((place.hostname or "", place.port or 0), timeout=patience(60))


def said(ask: Client, *sent: bytes) -> bytes:
    """What comes back, until the service hangs up or resets the connection."""
    heard = b""
    with closing(connected(ask)) as talk:
        with suppress(ConnectionError):
            for each in sent:
                talk.sendall(each)
        with suppress(ConnectionError):
            while part := talk.recv(65536):
                heard += part
    return heard


def test_headers_without_end_are_cut_off(ask: Client) -> None:
    """Each of these was taken in whole: 300 MB of header made the process 431 MB large."""
    line = b"X-A: " + b"a" * 1_000 + b"\r\n"
    taken, before = 0, memory()
    with closing(connected(ask)) as talk:
        talk.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
        with suppress(ConnectionError):
            while taken < 64 * MIB:
                talk.sendall(line * 100)
                taken += 100 * len(line)
        assert memory() - before < 32 * MIB
    assert ask("/health").status == 200


def test_headers_that_are_too_many_or_too_long_are_told_so(ask: Client) -> None:
    begin = b"GET / HTTP/1.1\r\nHost: localhost\r\n"
    for sent in (begin + b"X: y\r\n" * 5_000 + b"\r\n", begin + b"X: " + b"y" * 200_000):
        assert said(ask, sent).startswith(b"HTTP/1.1 431 ")


def test_one_address_does_not_take_all_connections_with_idle_ones(ask: Client) -> None:
    held = [connected(ask) for _ in range(35)]
    try:
        told = [each.recv(100) for each in held[30:]]
        assert all(each.startswith(b"HTTP/1.1 503 ") for each in told)
    finally:
        for each in held:
            each.close()


@pytest.mark.parametrize(
    "bad",
    [
        b"GET\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n",
        b"GET /%ff%fe%00 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        b"POST /sparql HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n",
        b"POST /sparql HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n",
    ],
)
def test_bad_requests_fill_no_log(
    ask: Client, bad: bytes, full_size: bool, capfd: pytest.CaptureFixture[str]
) -> None:
    before = len(ask.events)
    for _ in range(10_000 if full_size else 50):
        with closing(connected(ask)) as talk:
            talk.sendall(bad)
            talk.shutdown(socket.SHUT_WR)
            with suppress(ConnectionError):
                while talk.recv(65536):
                    pass
    assert len(ask.events) - before <= 10
    told = capfd.readouterr()
    assert len(told.out) + len(told.err) < 10_000


def test_a_login_of_eight_megabytes_is_not_read(ask: Client) -> None:
    head = (
        b"POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded"
        b"\r\nContent-Length: 8000000\r\n\r\n"
    )
    assert said(ask, head).startswith(b"HTTP/1.1 413 ")
    chunked = head.replace(b"Content-Length: 8000000", b"Transfer-Encoding: chunked")
    piece = b"10000\r\n" + b"a" * 65536 + b"\r\n"
    assert said(ask, chunked, *[piece] * 10).startswith(b"HTTP/1.1 413 ")


@pytest.mark.parametrize("depth", [65, 300, 900, 990, 1_500, 100_000])
@pytest.mark.parametrize("path", ["/politeness", "/politeness/verbose", "/politeness/lease"])
def test_a_body_that_is_nested_deeply_is_a_bad_request(ask: Client, path: str, depth: int) -> None:
    for begin, end in (("[", "]"), ('{"url":', "}")):
        body = begin * depth + "1" + end * depth
        answer = ask(path, "POST", body=body, headers=JSON)
        assert (answer.status, answer.json["code"]) == (400, "bad-body")
    assert not ask.events


def test_guesses_through_a_header_are_guesses_of_one_address(ask: Client) -> None:
    """`X-Forwarded-For` made each guess one of somebody else, and locked others out."""
    statuses = []
    for number in range(8):
        headers = {
            "Authorization": f"Bearer guess-{number}",
            "X-Forwarded-For": f"192.0.2.{number}",
        }
        statuses.append(ask("/health", headers=headers).status)
    assert statuses == [200] * 5 + [429] * 3
    right = {"Authorization": f"Bearer {TOKEN}"}
    assert ask("/health", headers=right).status == 200
    body = json.dumps({"value": 2})
    changed = ask("/api/config/politeness.delay", "PUT", body=body, headers={**right, **JSON})
    assert changed.status == 200


def test_names_that_were_made_to_lead_here_are_refused(ask: Client) -> None:
    for host in ("evil.test", "localhost.evil.test", "127.0.0.1.evil.test:80", "", "a@localhost"):
        sent = f"GET /api/status HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
        assert said(ask, sent.encode()).startswith(b"HTTP/1.1 421 ")
