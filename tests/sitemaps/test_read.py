import gzip
import json
import tracemalloc
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gossamer.config import Sitemaps
from gossamer.model import Problem, Url
from gossamer.sitemaps import SitemapEntry, SitemapItem, SitemapLink
from gossamer.sitemaps.read import read_sitemap

MIB = 1024 * 1024
SUITE_CASES = 17
HERE = Url("http://a.test/sitemap.xml")
OPEN = b'<?xml version="1.0"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'


def read(body: Iterable[bytes] | bytes, limits: Sitemaps | None = None) -> list[SitemapItem]:
    return list(read_sitemap(body, HERE, limits or Sitemaps()))


def urls(items: Iterable[SitemapItem]) -> list[str]:
    return [item.url for item in items if not isinstance(item, Problem)]


def problems(items: Iterable[SitemapItem]) -> list[str]:
    return [item.message for item in items if isinstance(item, Problem)]


def entry(name: object) -> bytes:
    return b"<url><loc>http://a.test/%s</loc><priority>0.5</priority></url>\n" % str(name).encode()


def sitemap(count: int) -> bytes:
    return OPEN + b"".join(entry(number) for number in range(count)) + b"</urlset>\n"


def chunked(body: bytes, cuts: Iterable[int]) -> list[bytes]:
    edges = [0, *sorted(cut % (len(body) + 1) for cut in cuts), len(body)]
    return [body[a:b] for a, b in pairwise(edges)]


# --- the suite ---------------------------------------------------------------------------


def test_every_file_of_the_suite_gives_its_urls_in_order(suites: Path) -> None:
    folder = suites / "sitemaps"
    cases = json.loads((folder / "manifest.json").read_text())
    assert len(cases) == SUITE_CASES
    for case in cases:
        body = (folder / case["file"]).read_bytes()
        for form in (body, gzip.compress(body)):
            items = read(form)
            # A forgiving reader may take `lenient_urls`; we are one.
            assert urls(items) == case["urls"] + case.get("lenient_urls", []), case["id"]
        kinds = {type(item) for item in items if not isinstance(item, Problem)}
        assert kinds == {SitemapLink if case["kind"] == "index" else SitemapEntry}, case["id"]


def test_only_the_wrong_files_of_the_suite_have_problems(suites: Path) -> None:
    folder = suites / "sitemaps"
    with_problems = {
        path.name for path in (folder / "files").iterdir() if problems(read(path.read_bytes()))
    }
    assert with_problems == {"sitemap.badns.xml", "feed.rss"}  # the feed has an item without link


# --- what sitemaps get wrong -------------------------------------------------------------


def test_an_entry_carries_what_the_protocol_knows() -> None:
    fields = b"<lastmod>2024-03-02</lastmod><changefreq>daily</changefreq><priority>2</priority>"
    [item] = read(OPEN + b"<url><loc>http://a.test/1</loc>" + fields + b"</url></urlset>")
    assert isinstance(item, SitemapEntry)
    assert item.lastmod == datetime(2024, 3, 2, tzinfo=UTC)
    assert (item.changefreq, item.priority) == ("daily", 1.0)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b"\n\n  " + sitemap(1), ["http://a.test/0"]),
        (b"\xef\xbb\xbf" + sitemap(1), ["http://a.test/0"]),
        (b"\n" * 200_000 + sitemap(1), ["http://a.test/0"]),
        (sitemap(1).decode().encode("utf-16"), ["http://a.test/0"]),
        (b"<b>Warning</b>: x in y\n" + sitemap(1), ["http://a.test/0"]),
        (sitemap(1).upper(), ["http://a.test/0"]),
        (OPEN + entry("?a=1&b=2&amp;c=3") + b"</urlset>", ["http://a.test/?a=1&b=2&c=3"]),
        (OPEN + entry("<![CDATA[?a=1&b=2]]>") + b"</urlset>", ["http://a.test/?a=1&b=2"]),
        (OPEN + b"<url><loc>\n\thttp://a.test/1\n</loc></url></urlset>", ["http://a.test/1"]),
        (OPEN + "<url><loc>/caf\xe9</loc></url>".encode("latin-1"), ["http://a.test/caf%C3%A9"]),
        (OPEN + b"<url>http://a.test/bare</url></urlset>", ["http://a.test/bare"]),
        (
            b"<sitemapindex><sitemap><sitemap><loc>http://a.test/s</loc></sitemap></sitemap>",
            ["http://a.test/s"],
        ),
        (
            b"<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'"
            b" xmlns='http://purl.org/rss/1.0/'><channel><link>http://a.test/</link></channel>"
            b"<item><link>http://a.test/1</link></item></rdf:RDF>",
            ["http://a.test/1"],
        ),
        (
            b"<rss><channel><item><guid>http://a.test/g</guid></item></channel></rss>",
            ["http://a.test/g"],
        ),
        (
            b"\xef\xbb\xbfhttp://a.test/1\r\n\r\nfoo\r\nhttp://a.test/2",
            ["http://a.test/1", "http://a.test/2"],
        ),
    ],
)
def test_what_is_meant_is_read(body: bytes, expected: list[str]) -> None:
    assert urls(read(body)) == expected


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (b"", "empty"),
        (b" \r\n\t", "empty"),
        (gzip.compress(b"", mtime=0), "empty"),
        (
            b"<!DOCTYPE html><p><a href='http://a.test/'>http://a.test/</a>",
            "an HTML page, not a sitemap",
        ),
        (
            b"<?xml version='1.0'?><html><url><loc>http://a.test/</loc></url>",
            "an HTML page, not a sitemap",
        ),
        (
            b"<svg><url><loc>http://a.test/</loc></url>",
            "an XML file of another kind ('svg'), not a sitemap",
        ),
        (b"<!-- only this -->", "no address in it: not a sitemap"),
        (b"Service unavailable", "1 of 1 entries have no usable address"),
        (b"%PDF-1.7\n\xff\xfe\0", "bytes that are not utf-8"),
        (gzip.compress(gzip.compress(sitemap(1), mtime=0), mtime=0), "bytes that are not utf-8"),
    ],
)
def test_what_is_no_sitemap_is_a_problem_and_gives_no_entries(body: bytes, problem: str) -> None:
    items = read(body)
    assert urls(items) == []
    assert problems(items)[0].startswith(problem)


def test_lines_are_those_of_the_file() -> None:
    body = b"\n<?xml version='1.0'\n?>\n" + OPEN.partition(b"\n")[2] + b"<url></loc>\n</urlset>"
    [line] = [item.line for item in read(body) if isinstance(item, Problem) and item.line]
    assert line == 5


# --- hostile files -----------------------------------------------------------------------


def test_entities_are_never_expanded_nor_fetched() -> None:
    names = "abcdefghijklm"
    bomb = "".join(f'<!ENTITY {name} "{f"&{before};" * 10}">' for before, name in pairwise(names))
    outside = (
        '<!ENTITY x SYSTEM "file:///etc/hostname"><!ENTITY % y SYSTEM "http://127.0.0.1:9/"> %y;'
    )
    doctype = (
        f'<!DOCTYPE urlset SYSTEM "http://127.0.0.1:9/dtd" [<!ENTITY a "lol">{bomb}{outside}]>'
    )
    body = doctype.encode() + OPEN.partition(b"\n")[2] + entry("&m;") + entry("&x;") + b"</urlset>"
    assert urls(read(body)) == ["http://a.test/&m;", "http://a.test/&x;"]


def test_a_bomb_of_parameter_entities_is_harmless() -> None:
    levels = "".join(f'<!ENTITY % p{n + 1} "{f"&#37;p{n};" * 10}">' for n in range(12))
    doctype = f'<!DOCTYPE urlset [<!ENTITY % p0 "<!-- x -->">{levels} %p12;]>'
    body = doctype.encode() + OPEN.partition(b"\n")[2] + entry(1) + b"</urlset>"
    assert urls(read(body)) in ([], ["http://a.test/1"])


@pytest.mark.parametrize(
    "filling",
    [
        b"<a>" * 100_000 + b"</a>" * 100_000,
        b"<url>" * 100_000,
        b"<url><loc>" + b"x" * (5 * MIB) + b"</loc></url>",
        b"<url>" + b"x" * (5 * MIB) + b"</url>",
        b"<!--" + b"x" * (5 * MIB) + b"-->",
        b"<a b='" + b"x" * (5 * MIB) + b"'/>",
        b"\0" * MIB,
        b"<q:r/>" * 200_000,
        b"&" * (MIB // 2),
        b"<" * (MIB // 2),
        b"<![CDATA[]]>" * 100_000,
    ],
    ids=[
        "depth",
        "open",
        "loc",
        "loose",
        "comment",
        "attribute",
        "nul",
        "prefix",
        "amp",
        "lt",
        "cdata",
    ],
)
def test_entries_before_and_after_a_monster_count(filling: bytes) -> None:
    found = urls(
        read(OPEN + entry(1) + filling + entry(2) + b"</urlset>", Sitemaps(max_entries=10**6))
    )
    assert [url for url in found if url in ("http://a.test/1", "http://a.test/2")] == [
        "http://a.test/1",
        "http://a.test/2",
    ]


def test_memory_does_not_grow_with_the_file() -> None:
    def body() -> Iterator[bytes]:
        yield OPEN
        for number in range(150):
            yield entry(number) + b"<a/>" * 5_000 + b"<x>" + b" " * 20_000

    def peak(limits: Sitemaps) -> int:
        tracemalloc.reset_peak()
        for _ in read_sitemap(body(), HERE, limits):
            pass
        return tracemalloc.get_traced_memory()[1]

    tracemalloc.start()
    try:
        few, many = peak(Sitemaps(max_bytes=MIB)), peak(Sitemaps())
    finally:
        tracemalloc.stop()
    assert many < few + MIB


# --- properties --------------------------------------------------------------------------


@given(st.integers(0, 12), st.integers(1, 12))
def test_the_limit_of_entries_is_exact(count: int, limit: int) -> None:
    for body in (sitemap(count), b"".join(b"http://a.test/%d\n" % n for n in range(count)) or b" "):
        items = read(body, Sitemaps(max_entries=limit))
        assert len(urls(items)) == min(count, limit)
        assert any("more than" in message for message in problems(items)) == (count > limit)


@given(st.integers(1024, 3000))
def test_entries_within_the_limit_of_bytes_count_and_no_others(limit: int) -> None:
    body = sitemap(40)
    whole = body[:limit].count(b"</loc>")
    items = read(body, Sitemaps(max_bytes=limit))
    assert len(urls(items)) == whole
    assert ("larger than" in "".join(problems(items))) == (limit < len(body))


@given(st.binary(max_size=400))
def test_no_bytes_raise(body: bytes) -> None:
    for form in (body, OPEN + body, b"\x1f\x8b\x08\0\0\0\0\0\0\0" + body, gzip.compress(body)):
        read(form)


TOKENS = [
    b"<urlset>", b"<sitemapindex>", b"<rss>", b"<feed>", b"<url>", b"</url>", b"<loc>", b"</loc>",
    b"<item>", b"<link>", b"<link href='/x'/>", b"<entry>", b"</entry>", b"<![CDATA[", b"]]>", b"&",
    b"&amp;", b"<!--", b"-->", b"<?xml version='1.0' encoding='utf-16'?>", b"<!DOCTYPE x [", b"]>",
    b"<!ENTITY a 'b'>", b"http://a.test/", b"\0", b"\xff", b"<", b">", b"\r\n", b"xmlns='", b"'",
]  # fmt: skip


@settings(max_examples=300)
@given(st.lists(st.sampled_from(TOKENS), max_size=40), st.lists(st.integers(0, 2000), max_size=5))
def test_no_markup_raises_and_chunks_do_not_matter(tokens: list[bytes], cuts: list[int]) -> None:
    body = b"".join(tokens)
    assert read(chunked(body, cuts)) == read(body)


@settings(max_examples=30)
@given(st.lists(st.integers(0, 10**6), max_size=6), st.booleans())
def test_chunks_do_not_matter_for_long_files(cuts: list[int], packed: bool) -> None:
    body = gzip.compress(LONG) if packed else LONG
    assert read(chunked(body, cuts)) == LONG_ITEMS


@given(st.integers(len(OPEN), len(sitemap(40)) - 1), st.integers(1, 255), st.booleans())
def test_entries_before_the_damage_are_kept(at: int, flip: int, truncate: bool) -> None:
    body = sitemap(40)
    damaged = body[:at] if truncate else body[:at] + bytes([body[at] ^ flip]) + body[at + 1 :]
    whole = body[:at].count(b"</url>")
    entries = [item for item in read(damaged) if isinstance(item, SitemapEntry)]
    assert entries[:whole] == read(body)[:whole]


LONG = sitemap(3_000)
LONG_ITEMS = read(LONG)
