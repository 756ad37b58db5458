"""What is no HTTP, sent to a real socket."""

import json
import socket
from urllib.parse import urlsplit

import pytest
from tests.service.running import Client
from tests.slowness import patience


def said(client: Client, sent: bytes) -> bytes:
    place = urlsplit(client.url)
    with socket.create_connection(
        (place.hostname or "", place.port or 0), timeout=patience(60)
    ) as talk:
        talk.sendall(sent)
        return b"".join(iter(lambda: talk.recv(65536), b""))


@pytest.mark.parametrize(
    "sent",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n",
    ],
)
def test_what_is_no_request_gets_the_shape_of_all_errors(ask: Client, sent: bytes) -> None:
    head, _, body = said(ask, sent).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 4")
    assert b"application/problem+json" in head
    assert b"Content-Security-Policy" in head
    assert json.loads(body)["code"] == "bad-request"
