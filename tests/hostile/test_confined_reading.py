"""Nothing is lost by the sandbox: a confined worker reads what an unconfined process reads."""

import gzip
from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import brotli
import pytest
from tests.hostile.test_confined_workers import NEEDS_ALL
from tests.transform.canary import making_rdf

from gossamer.config import Transform as Options
from gossamer.fetch.zstd import zstd
from gossamer.reading.extraction import extract_page
from gossamer.reading.jobs import PageJob
from gossamer.reading.page_pool import extract_pages

pytestmark = [pytest.mark.timeout(1200), *NEEDS_ALL]
TYPES = {
    "html": "text/html",
    "xhtml": "application/xhtml+xml",
    "xml": None,
    "svg": "image/svg+xml",
    "rdf": "application/rdf+xml",
    "ttl": "text/turtle",
    "trig": "application/trig",
    "nt": "application/n-triples",
    "nq": "application/n-quads",
    "jsonld": "application/ld+json",
    "rss": "application/rss+xml",
    "json": "application/json",
    "txt": "text/plain",
}
SAMPLE = 150  # files, spread over all suites
OPTIONS = Options(time_limit=timedelta(seconds=120))  # a busy machine is no reason to differ
SHEET = "https://example.test/sheet.xsl"
CONTEXT = "https://example.test/context"
HTML = f"""
<html xmlns="http://www.w3.org/1999/xhtml" lang="de" vocab="http://schema.org/" prefix="ex: http://ex.test/">
<head data-view="x" profile="http://www.w3.org/2003/g/data-view"><title>Grüße</title>
<link rel="transformation" href="{SHEET}"/>
<meta property="og:title" content="T"/><meta name="DC.date" content="2024-02-29"/>
<script type="application/ld+json">
{{"@context": ["{CONTEXT}", {{"@vocab": "http://schema.org/"}}], "@type": "Event",
 "startDate": "2024-03-31T02:30:00+02:00", "called": "x"}}</script></head>
<body typeof="Event"><time property="startDate" datetime="2024-03-31T02:30:00+02:00">früh</time>
<div itemscope itemtype="http://schema.org/Person"><b itemprop="name">Ada</b></div>
<div class="vevent"><span class="dtstart" title="20240331T0230+0200">x</span></div>
<div class="h-event"><time class="dt-start" datetime="2024-03-31 02:30+0200">x</time></div>
<a href="/next">next</a></body></html>
"""


def assert_the_same(jobs: Iterable[PageJob], options: Options = OPTIONS) -> int:
    """Compare both ways, page by page; how many quads there were."""
    quads = 0
    for job, found in extract_pages(jobs, options, workers=2):
        assert found == extract_page(job), job.url
        quads += found.count
    return quads


def suite_pages(folder: Path, every: int) -> Iterable[PageJob]:
    files = sorted(each for each in folder.rglob("*") if each.suffix[1:] in TYPES)
    for file in files[::every]:
        url = f"http://suites.test/{file.relative_to(folder)}"
        yield PageJob(url, file.read_bytes(), TYPES[file.suffix[1:]], options=OPTIONS)


def test_conformance_suites_are_read_in_the_sandbox(suites: Path, full_size: bool) -> None:
    count = sum(each.suffix[1:] in TYPES for each in suites.rglob("*"))
    every = 1 if full_size else count // SAMPLE
    assert assert_the_same(suite_pages(suites, every)) > 200


def test_every_way_to_say_something_is_read_in_the_sandbox(tmp_path: Path) -> None:
    sheet = making_rdf("//*[local-name() = 'title']")
    (tmp_path / "book.xsl").write_bytes(sheet)
    context = b'{"@context": {"called": "http://schema.org/name"}}'
    options = replace(
        OPTIONS,
        stylesheets={"book": str(tmp_path / "book.xsl")},
        grddl=(SHEET,),
        links=True,
        processor_graph=True,
        expand_vocabularies=True,
    )
    page = PageJob(
        "https://example.test/page",
        HTML.encode(),
        "text/html; charset=utf-8",
        contexts={SHEET: sheet, CONTEXT: context},
        options=options,
    )
    xml = replace(page, content_type="application/xml")
    others = {
        "text/turtle": b"<a> <b> '2024-03-31T02:30:00+02:00' .",
        "application/xml": b"<book><title>T</title></book>",
        "application/rss+xml": b"<rss version='2.0'><channel><title>T</title><item><title>U</title>"
        b"<pubDate>Sun, 31 Mar 2024 02:30:00 EST</pubDate></item></channel></rss>",
        "application/ld+json": b'{"@id": "x", "http://schema.org/name": "y"}',
        "application/pdf": b"%PDF-1.7",
    }
    jobs = [
        page,
        xml,
        replace(page, link_query="SELECT ?s { ?s ?p ?o }"),
        *(replace(page, body=body, content_type=kind) for kind, body in others.items()),
        *(
            replace(page, body=HTML.encode(codec, "replace"), content_type=f"text/html; charset={codec}")
            for codec in ("utf-16", "iso-8859-1", "windows-1251", "shift_jis", "gb18030", "big5", "euc-kr")
        ),
        *(
            replace(page, body=pack(HTML.encode()), content_encoding=coding)
            for coding, pack in {
                "gzip": gzip.compress,
                "br": brotli.compress,
                "zstd": zstd.compress,
            }.items()
        ),
    ]  # fmt: skip
    assert assert_the_same(jobs, options) > 50
    [(_, book)] = extract_pages(
        [replace(page, body=others["application/xml"], content_type="application/xml")], options
    )
    assert b'"T"' in book.nquads
