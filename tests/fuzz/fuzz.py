"""Damaged pages, one target a syntax: nothing may raise, hang or give quads that are none.

`make fuzz` runs every target for a bounded time (SECONDS=… each) and prints what it found; a
failing input is written out as a file that `gossamer extract` takes. The same targets run for
a few rounds in `make test`.
"""

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pyoxigraph
from tests.transform.pdf.made import XMP, document

from gossamer import Page
from gossamer.demo.content import Anchor, Format, PageSpec
from gossamer.demo.formats import render
from gossamer.model import Syntax, Url
from gossamer.reading.extraction import extract

TARGETS: dict[Syntax, Sequence[Format]] = {
    Syntax.RDFA: (Format.RDFA, Format.MIXED),
    Syntax.JSON_LD: (Format.JSON_LD, Format.JSON_LD_IN_HTML, Format.BROKEN_JSON_LD_IN_HTML),
    Syntax.MICRODATA: (Format.MICRODATA, Format.MIXED),
    Syntax.MICROFORMATS: (Format.MICROFORMATS,),
    Syntax.OPEN_GRAPH: (Format.OPEN_GRAPH,),
    Syntax.PAGE: (Format.HTML, Format.MIXED),
    Syntax.RSS: (Format.RSS,),
    Syntax.ATOM: (Format.ATOM,),
    Syntax.JSON_FEED: (),
    Syntax.RDF_XML: (Format.RDF_XML,),
    Syntax.TURTLE: (Format.TURTLE,),
    Syntax.N_TRIPLES: (Format.N_TRIPLES,),
    Syntax.N_QUADS: (Format.N_TRIPLES,),
    Syntax.TRIG: (Format.TURTLE,),
    Syntax.PDF: (),
}
TYPES = {
    Syntax.JSON_FEED: "application/feed+json",
    Syntax.N_QUADS: "application/n-quads",
    Syntax.TRIG: "application/trig",
    Syntax.PDF: "application/pdf",
}
JSON_FEED = b"""{"version": "https://jsonfeed.org/version/1.1", "title": "A feed", "items": [
{"id": "1", "url": "http://a.test/1", "content_text": "x", "date_published": "2026-01-02T03:04:05Z",
"authors": [{"name": "N"}], "attachments": [{"url": "/a.mp3", "mime_type": "audio/mpeg"}]}]}"""
PDF = document("The tide comes in", "by night", xmp=XMP, information="/Title (Tides) /Author (N)")
WITHOUT_FORMAT = {Syntax.JSON_FEED: JSON_FEED, Syntax.PDF: PDF}  # the demo web has no such pages
SUITES = Path(__file__).resolve().parents[3] / "shared" / "suites"
SUITE_PAGES = {
    Syntax.RDFA: "rdfa/rdfa1.1/html5/*.html",
    Syntax.JSON_LD: "jsonld-html/html/*.html",
    Syntax.MICRODATA: "microdata-rdf/tests/*.html",
    Syntax.MICROFORMATS: "mf2/microformats-v2/**/*.html",
}
ANCHORS = (
    Anchor("/x", "a link"),
    Anchor("http://b.test/?q=1&r=2", "é"),
    Anchor("../y#z", "", True),
)
URL = "http://a.test/folder/page"
# What has broken readers before: ours, or others'.
TOKENS = (
    *(
        b"\x00",
        b"\xff\xfe",
        b"\xed\xa0\x80",
        b"]]>",
        b"<!--",
        b"-->",
        b"<![CDATA[",
        b"&#0;",
        b"&#x110000;",
    ),
    *(
        b"&lol;",
        b"<!DOCTYPE x [<!ENTITY a 'b'>]>",
        b"<template>",
        b"<svg>",
        b"<math>",
        b"</html>",
        b"<p " * 50,
    ),
    *(
        b"[" * 200,
        b"{" * 200,
        b'{"@context":',
        b'"@id"',
        b'"@graph":',
        b"\\u",
        b"\\ud800",
        b"_:",
        b"<>",
        b"^^",
        b"@",
    ),
    *(
        b' property="',
        b' typeof="',
        b' itemscope itemref="a b"',
        b' class="h-card"',
        b' prefix="a: b"',
        b' rel="x',
    ),
    *(
        b"http://[",
        b"javascript:",
        b"%zz",
        b"//",
        b"\n\r",
        b" " * 300,
        b"9" * 400,
        b"1e999",
        b"-",
        b"'",
        b'"',
    ),
)


def pages(syntax: Syntax) -> list[tuple[bytes, str | None]]:
    """Good pages of a syntax, and how they are served."""
    found: list[tuple[bytes, str | None]] = []
    for number in range(12):
        for each in TARGETS[syntax]:
            page = render(PageSpec(Url(URL), number, each, "utf-8", ANCHORS))
            found.append((page.body, TYPES.get(syntax, page.content_type)))
    if syntax is Syntax.TRIG:
        found += [
            (b"@prefix g: <http://g.test/> . g:%d { g:s g:p [ g:q 'x' ] } " % n + body, kind)
            for n, (body, kind) in enumerate(found)
        ]
    if syntax is Syntax.N_QUADS:
        found += [
            (body.replace(b" .\n", b" <http://victim.test/> .\n"), kind) for body, kind in found
        ]
    return [*found, *suite_pages(syntax)] or [(WITHOUT_FORMAT[syntax], TYPES[syntax])]


def suite_pages(syntax: Syntax) -> list[tuple[bytes, str | None]]:
    """Pages that others wrote, where the public suites are at hand."""
    pattern = SUITE_PAGES.get(syntax)
    files = sorted(SUITES.glob(pattern)) if pattern else []
    return [(path.read_bytes(), "text/html") for path in files[:: max(1, len(files) // 60)]]


def damaged(page: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    """The page after a few accidents."""
    body = bytearray(page)
    for _ in range(chance.choice((1, 1, 2, 4, 16))):
        at = chance.randrange(len(body) + 1)
        end = min(len(body), at + chance.choice((1, 2, 8, 64, 1024)))
        match chance.randrange(7):
            case 0:
                body[at:end] = b""
            case 1:
                body[at:at] = chance.choice(TOKENS)
            case 2:
                body[at:end] = chance.choice(TOKENS)
            case 3:
                body[at:at] = body[at:end] * chance.choice((1, 3, 20))
            case 4:
                body[at:end] = chance.randbytes(end - at)
            case 5:
                other = chance.choice(others)
                start = chance.randrange(len(other))
                body[at:end] = other[start : start + 200]
            case _:
                del body[at:]
    return bytes(body)


def complaint(extracted: Page) -> str | None:
    """What is wrong with a result, if anything."""
    for problem in extracted.problems:
        if problem.message.startswith("Our reader failed"):
            return problem.message
    try:
        quads = list(pyoxigraph.parse(extracted.nquads, pyoxigraph.RdfFormat.N_QUADS))
    except SyntaxError as error:
        return f"the quads are none: {error}"
    graphs = {str(quad.graph_name).strip("<>") for quad in quads}
    foreign = [graph for graph in graphs if graph != URL and not graph.startswith(f"{URL}#graph-")]
    return f"statements in the graph of others: {foreign[0]}" if foreign else None


def rounds(syntax: Syntax, seed: int) -> Iterator[tuple[bytes, str | None, str | None]]:
    """Damaged pages without end: body, content type, complaint."""
    chance = random.Random(seed)
    good = pages(syntax)
    bodies = [body for body, _ in good]
    while True:
        body, content_type = chance.choice(good)
        body = damaged(body, bodies, chance)
        yield body, content_type, complaint(extract(body, url=URL, content_type=content_type))


def main() -> int:
    """Run targets for so many seconds each; how many failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("syntaxes", nargs="*", type=Syntax, default=list(Syntax))
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    options = parser.parse_args()
    failures = 0
    for syntax in options.syntaxes:
        ends, count, slowest = time.monotonic() + options.seconds, 0, 0.0
        began = time.monotonic()
        for body, content_type, wrong in rounds(syntax, options.seed):
            count += 1
            slowest = max(slowest, time.monotonic() - began)
            if wrong:
                failures += 1
                path = Path(tempfile.mkdtemp()) / f"{syntax}.bin"
                path.write_bytes(body)
                print(
                    f"{syntax}: {wrong}\n  gossamer extract {path} --url {URL} --type '{content_type}'"
                )
                break
            began = time.monotonic()
            if began > ends:
                break
        print(
            f"{syntax}: {count:,} damaged pages, slowest {slowest * 1000:.0f} ms, seed {options.seed}"
        )
    return failures


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
