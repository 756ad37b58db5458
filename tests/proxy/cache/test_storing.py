import gzip
import zlib

import brotli
import pytest

from gossamer.fetch.zstd import zstd
from gossamer.proxy.cache import storing
from gossamer.proxy.cache.directives import RequestDirectives
from gossamer.proxy.cache.protocol import Request
from gossamer.proxy.cache.storing import (
    SCANNED_BYTES,
    header_asks,
    is_anonymous,
    is_useful,
    kept_fields,
    may_ask,
    obstacle,
    page_asks,
    with_length,
)
from gossamer.proxy.cache.terms import Terms

from .world import START, URL, Said, fields

PLAIN = Request("GET", URL, ())


def why_not(
    said: Said, status: int = 200, ask: Said | None = None, keep: bool = False
) -> str | None:
    request = Request("GET", URL, fields(ask or {}))
    return obstacle(request, RequestDirectives(), status, fields(said), keep_anyway=keep)


@pytest.mark.parametrize(
    ("said", "status", "why"),
    [
        ({"Cache-Control": "no-store"}, 200, "no-store"),
        ({"Cache-Control": "private"}, 200, "private"),
        ({"Cache-Control": "must-understand, max-age=1"}, 599, "must-understand"),
        ({"Vary": "a, *"}, 200, "vary"),
        ({"Cache-Control": "max-age=1"}, 206, "status"),
        ({"Cache-Control": "max-age=1"}, 304, "status"),
        ({"Cache-Control": "max-age=1"}, 412, "status"),
        ({"Cache-Control": "max-age=1"}, 416, "status"),
        ({}, 403, "no-freshness"),
        ({}, 200, None),
        ({"Expires": "0"}, 403, None),
    ],
)
def test_each_obstacle_has_a_name(said: Said, status: int, why: str | None) -> None:
    assert why_not(said, status) == why


def test_long_words_are_judged_and_not_remembered() -> None:
    before = storing._known_objection.cache_info().currsize
    for number in range(100):
        assert why_not({"Cache-Control": f"no-store, x={number:05000}"}) == "no-store"
    assert storing._known_objection.cache_info().currsize == before


def test_credentials_keep_a_response_to_one_client() -> None:
    assert why_not({"Cache-Control": "max-age=1"}, ask={"Authorization": "x"}) == "authorization"


def test_what_is_kept_anyway_is_kept_against_the_origins_word_and_not_against_sense() -> None:
    assert why_not({"Cache-Control": "no-store, private"}, keep=True) is None
    assert why_not({"Vary": "*"}, keep=True) == "vary"
    assert why_not({"X-Robots-Tag": "noarchive"}, keep=True) == "noarchive"
    assert why_not({}, 503, keep=True) == "status"


def test_kept_fields_are_what_any_client_may_see() -> None:
    said = fields(
        {"Age": "5", "Set-Cookie": "a=b", "Cache-Control": 'max-age=9, private="x"', "X": "1"}
    )
    assert kept_fields(said, START)[0] == (b"Date", b"Fri, 15 Jan 2027 08:00:00 GMT")
    assert [name for name, _ in kept_fields(said, START)] == [b"Date", b"Cache-Control"]


def test_who_asks_is_told_by_cookies_and_credentials() -> None:
    assert is_anonymous(PLAIN)
    assert not is_anonymous(PLAIN._replace(fields=fields({"cookie": "a"})))
    assert not is_anonymous(PLAIN._replace(fields=fields({"AUTHORIZATION": "a"})))


def test_what_could_never_answer_is_not_worth_its_room() -> None:
    over = Terms(START, 0)
    assert not is_useful(over, (), 200)
    assert is_useful(over, fields({"ETag": '"1"'}), 200)
    assert not is_useful(over, fields({"ETag": '"1"'}), 404)  # nobody validates a 404
    assert is_useful(Terms(START, 1), (), 200)


def test_only_a_status_that_has_a_body_has_a_length() -> None:
    assert with_length((), 200, 5) == ((b"Content-Length", b"5"),)
    assert with_length((), 204, 0) == ()


HTML = fields({"Content-Type": "text/html"})
ASKS = b'<!doctype html><meta name="robots" content="noarchive"><p>private'


def packed(coding: str) -> tuple[tuple[bytes, bytes], ...]:
    return fields({"Content-Type": "text/html", "Content-Encoding": coding})


@pytest.mark.parametrize(
    "page",
    [
        b'<meta name="robots" content="noarchive">',
        b"<META CONTENT='NoArchive,noindex' NAME='ROBOTS'/>",
        b"<meta name=robots content=noarchive>",
        b'<meta\n\tname="googlebot"\ncontent="noindex ; noarchive">',
        b'<meta/name="robots"/content="nocache">',
        b'<meta title="a > b" name="robots" content="noarchive">',
        b"<meta title='\"' name=robots content=noarchive>",
        b'<p title="><meta name=robots content=noarchive>',
        '<meta name="robots" content="noarchive">'.encode("utf-16"),
    ],
)
def test_a_page_asks_in_any_spelling(page: bytes) -> None:
    assert page_asks(b"<html><head>" + page + b"</head>", HTML)


@pytest.mark.parametrize(
    "page",
    [
        b"",
        b"<p>noarchive",
        b"<metadata>noarchive</metadata>",
        b"<meta charset=utf-8><p>The word is noarchive.",
        b'<meta http-equiv="Cache-Control" content="no-cache">',
        b'<meta name="robots" content="noarchived">',
        b" " * SCANNED_BYTES + ASKS,
    ],
)
def test_what_asks_for_nothing_is_kept(page: bytes) -> None:
    assert not page_asks(page, HTML)


@pytest.mark.parametrize(
    ("coding", "pack"),
    [
        ("gzip", gzip.compress),
        ("deflate", zlib.compress),
        ("br", brotli.compress),
        ("zstd", zstd.compress),
        ("identity", bytes),
    ],
)
def test_a_packed_page_is_looked_into_as_far_as_it_is_scanned(coding: str, pack: type) -> None:
    assert page_asks(pack(ASKS), packed(coding))
    assert page_asks(pack(ASKS + b"x" * 1_000_000), packed(coding))
    assert not page_asks(pack(b"x" * 1_000_000 + ASKS), packed(coding))
    assert not page_asks(pack(b"<p>hello"), packed(coding))


@pytest.mark.parametrize(
    ("coding", "body"),
    [
        ("gzip", b"\x1f\x8b\x08 and then nonsense"),
        ("unheard-of", b"\0\1\2\3"),
        ("gzip, gzip", gzip.compress(gzip.compress(b"<p>hello", mtime=0), mtime=0)),
        ("gzip", gzip.compress(b"", mtime=0) * 3000),
    ],
    # What gzip makes has the time in it: as a name it would be another in each process of a run.
    ids=["nonsense", "unknown", "twice", "many members"],
)
def test_what_cannot_be_looked_into_counts_as_asking(coding: str, body: bytes) -> None:
    assert page_asks(body, packed(coding))


@pytest.mark.parametrize(
    "value", [b"noarchive", b"NOINDEX, NoArchive", b"bot: noarchive", b"nocache"]
)
def test_a_header_asks_whichever_robot_it_names(value: bytes) -> None:
    assert header_asks(value)


def test_a_header_that_says_other_things_asks_for_nothing() -> None:
    assert not header_asks(b"noindex, nofollow, max-snippet:-1, noarchives")


@pytest.mark.parametrize(
    "kind", ["text/html", "application/xhtml+xml", "unknown/unknown", "html", ""]
)
def test_what_may_be_a_page_is_looked_into(kind: str) -> None:
    assert may_ask(fields({"Content-Type": kind}))
    assert may_ask(())


@pytest.mark.parametrize("kind", ["image/png", "application/json", "text/css"])
def test_what_is_no_page_is_not(kind: str) -> None:
    assert not may_ask(fields({"Content-Type": kind}))
