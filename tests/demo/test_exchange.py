from datetime import UTC, datetime

import pytest

from gossamer.demo.answers import Served
from gossamer.demo.exchange import Request, response

PAGE = Served(
    200,
    b"a page",
    (("Content-Type", "text/plain"),),
    zipped=b"zipped",
    etag='"t"',
    modified=datetime(2026, 1, 1, tzinfo=UTC),
)


def request(method: str = "GET", target: bytes = b"/p?q", **headers: str) -> Request:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Request(arrived=0, method=method, target=target, headers=named)


@pytest.mark.parametrize(
    ("target", "host_header", "host", "path"),
    [
        (b"/p?q", "Www.Site0.TEST:8080", "www.site0.test", "/p?q"),
        (b"/p", "site0.test.", "site0.test", "/p"),
        (b"http://data.site0.test:99/p?q", "ignored.test", "data.site0.test", "/p?q"),
        (b"http://data.site0.test", "", "data.site0.test", "/"),
        (b"/http://x.test/", "site0.test", "site0.test", "/http://x.test/"),
        (b"/bad%zz\xff", "site0.test", "site0.test", "/bad%zz\xff"),
    ],
)
def test_host_and_path_are_read_from_either_form(
    target: bytes, host_header: str, host: str, path: str
) -> None:
    asked = request(target=target, host=host_header)
    assert (asked.host, asked.path) == (host, path)


def test_a_plain_request_gets_the_body() -> None:
    status, head, body = response(request(), PAGE)
    assert (status, body) == (200, b"a page")
    assert head.startswith(b"HTTP/1.1 200 OK\r\n")
    assert b"\r\nContent-Length: 6\r\n" in head
    assert b"\r\nLast-Modified: Thu, 01 Jan 2026 00:00:00 GMT\r\n" in head
    assert head.endswith(b"\r\n\r\n")


def test_head_has_the_length_and_no_body() -> None:
    _, head, body = response(request("HEAD"), PAGE)
    assert body == b""
    assert b"Content-Length: 6" in head


@pytest.mark.parametrize(
    "asked",
    [
        request(if_none_match='"t"'),
        request(if_modified_since="Thu, 01 Jan 2026 00:00:00 GMT"),
    ],
)
def test_what_the_client_has_is_not_sent_again(asked: Request) -> None:
    status, head, body = response(asked, PAGE)
    assert (status, body) == (304, b"")
    assert b"Content-Length" not in head
    assert b'ETag: "t"' in head


def test_a_date_that_cannot_be_read_is_ignored() -> None:
    assert response(request(if_modified_since="yesterday"), PAGE)[0] == 200


@pytest.mark.parametrize(
    ("accepted", "zipped"),
    [
        ("gzip", True),
        ("br, GZIP;q=0.5", True),
        ("*", True),
        ("gzip;q=0", False),
        ("gzip; q=0.0", False),
        ("br", False),
        ("", False),
    ],
)
def test_gzip_goes_to_whoever_accepts_it(accepted: str, zipped: bool) -> None:
    _, head, body = response(request(accept_encoding=accepted), PAGE)
    assert (body == b"zipped") is zipped
    assert (b"Content-Encoding: gzip" in head) is zipped


def test_the_end_of_the_connection_is_announced() -> None:
    closing = request()
    closing.keep_alive = False
    assert b"\r\nConnection: close\r\n" in response(closing, PAGE)[1]
