"""Pages that ask that no copy be kept."""

import gzip
import zlib

import brotli
import pytest

from gossamer.proxy.cache.noarchive import SCANNED_BYTES, header_asks, may_ask, page_asks
from gossamer.zstd import zstd

from .world import fields

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
