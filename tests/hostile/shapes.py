"""Inputs that grow, for every reader of bytes that strangers wrote: more than a hundred shapes.

A shape is a reader and a function from a size to what it reads. Each repeats, nests or multiplies
something that a page is free to repeat, nest or multiply.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any

from gossamer import extract
from gossamer.config import Sitemaps, Transform, Traps
from gossamer.detect import detect
from gossamer.detect.prescan import meta_label, xml_label
from gossamer.fetch.decode import decode
from gossamer.model import Url
from gossamer.politeness.directives import page_directives
from gossamer.politeness.outcome import retry_after
from gossamer.politeness.robots.policy import RobotsPolicy
from gossamer.proxy.cache.directives import request_directives, response_directives
from gossamer.proxy.cache.fields import end_to_end
from gossamer.proxy.cache.fields import read_date as parsed_date
from gossamer.sitemaps.read import read_sitemap
from gossamer.transform.document import Document
from gossamer.transform.grddl import grddl_statements
from gossamer.transform.jsonld.repair import repaired
from gossamer.transform.stylesheet import Stylesheet, StylesheetError
from gossamer.transform.turtle_mend import closed
from gossamer.transform.xml_mend import mended
from gossamer.urls import canonical
from gossamer.urls.traps import trapped

PAGE = "http://h.test/folder/page"
# Limits that are reached soon, so that growth beyond them shows on small inputs.
LIMITS = Transform(max_quads=1_000, max_nquads_bytes=1 << 18, max_literal_bytes=1 << 14)
TREE_LIMITS = {"DEEPEST": 100, "MANY": 32, "FEW": 16, "LONG": 256, "_ODD": 8}
"""The same for `gossamer.transform.depth`."""
MOST_CONTEXT_WORK = 20_000  # the same for `gossamer.transform.jsonld.limits`

NOW = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Shape:
    """What is read, by whom, and from which size on it is measured."""

    read: Callable[[Any], object]
    make: Callable[[int], Any]
    start: int = 32  # larger where a limit ends what grows too fast before


def repeat(unit: bytes, before: bytes = b"", after: bytes = b"") -> Callable[[int], bytes]:
    """The unit n times, numbered where it has a `%d`."""

    def make(n: int) -> bytes:
        middle = b"".join(unit % i for i in range(n)) if b"%d" in unit else unit * n
        return before + middle + after

    return make


def nest(opening: bytes, closing: bytes, inmost: bytes = b"x") -> Callable[[int], bytes]:
    """An opening n times, and as many closings."""
    return lambda n: repeat(opening)(n) + inmost + closing * n


def both(*parts: Callable[[int], bytes]) -> Callable[[int], bytes]:
    """Several of them, one after the other: what may be multiplied with each other."""
    return lambda n: b"".join(part(n) for part in parts)


def as_page(media_type: str | None) -> Callable[[bytes], object]:
    """All readers that see a body of this type: of quads, links and items, and these in one form."""

    def read(body: bytes) -> object:
        page = extract(body, url=PAGE, content_type=media_type, options=LIMITS)
        return page.uniform_items, page.extracted()

    return read


html = as_page("text/html")
xhtml = as_page("application/xhtml+xml")
svg = as_page("image/svg+xml")
turtle = as_page("text/turtle")
trig = as_page("application/trig")
n_triples = as_page("application/n-triples")
n_quads = as_page("application/n-quads")
rdf_xml = as_page("application/rdf+xml")
rss = as_page("application/rss+xml")
atom = as_page("application/atom+xml")
json_feed = as_page("application/feed+json")
json_ld = as_page("application/ld+json")
unknown = as_page(None)


def in_json(value: Callable[[int], Any]) -> Callable[[int], bytes]:
    """A JSON value of some size."""
    return lambda n: json.dumps(value(n)).encode()


def terms(n: int) -> dict[str, Any]:
    """Terms of a context."""
    return {f"t{i}": f"http://h.test/{i}" for i in range(n)}


SCOPED = {"@id": "http://h.test/p", "@context": {"a": "http://h.test/a"}}
FULL = {"@base": "http://h.test/"}  # makes PyLD read it

HTML_PIECES = (
    b"<", b">", b"</", b"<!--", b"-->", b"<!", b"<?", b"<![CDATA[", b"&amp", b"&#", b"&#x41;",
    b"<div>", b"<p>", b"<b>", b"<i a=%d>", b"<a href=x>", b"<a><div>", b"<b><div></b>",
    b"<table>", b"<table><b>x", b"<table><tr><td>", b"<tr>", b"<select><option>", b"<option>",
    b"<form>", b"<svg>", b"<svg><option>", b"<math><mi>", b"<template>", b"<button>", b"<h1>",
    b"<ul><li>", b"<dl><dd>", b"<ruby><rt>", b"<font><p>", b"<nobr>", b"<frameset>", b"<body a%d=1>",
    b"<html a%d=1>", b"</p>", b"</br>", b"<br>", b"<script>", b"</script>", b"<textarea>", b"<title>",
    b"<style>", b"<plaintext>", b"<p a='", b'<p a="', b"<p a=", b"\0", b"\r\n", b"\xff", b"<object>",
    b"<div></x>", b"<marquee></div>", b"<a name=%d>", b"<meta charset=x>", b"<base href=x>",
)  # fmt: skip

SHAPES: dict[str, Shape] = {
    f"html {unit.decode('latin-1')!r}": Shape(html, repeat(unit)) for unit in HTML_PIECES
}
SHAPES |= {
    # The tree.
    "attributes of one tag": Shape(html, repeat(b" a%d=1", b"<p", b">x")),
    "attributes of one tag, quoted marks": Shape(html, repeat(b" a%d='<>'", b"<p", b">x")),
    "attributes without values": Shape(html, repeat(b" a%d", b"<p", b">x")),
    "one attribute, given again": Shape(html, repeat(b" a=1", b"<p", b">x")),
    "formatting elements over blocks": Shape(
        html, both(repeat(b"<b a=%d>", b"<div>", b"</div>"), repeat(b"<div>x</div>"))
    ),
    "adoption of deep blocks": Shape(
        html, both(repeat(b"", b"<b><b><b>"), repeat(b"<div>"), repeat(b"</b>"))
    ),
    "end tags of nobody, deep inside": Shape(html, both(repeat(b"<span>"), repeat(b"</p>"))),
    "end tags that stop at a border": Shape(
        html, repeat(b"<div>" * 8 + b"<marquee>" + b"</div>" * 8)
    ),
    "links": Shape(html, repeat(b"<a href=/%d rel=nofollow title=x>x</a>")),
    "links in drawings": Shape(html, nest(b"<a href=/%d>", b"</a>")),
    "links with long labels": Shape(html, repeat(b"x ", b"<a href=/>", b"</a>")),
    "base elements": Shape(html, repeat(b"<base href=/%d/><a href=x>")),
    "languages": Shape(html, nest(b"<b lang=l%d>", b"</b>")),
    "refresh": Shape(html, repeat(b"<meta http-equiv=refresh content='0;url=/%d'>")),
    "titles": Shape(html, repeat(b"<svg><title>x</title></svg>")),
    "mailboxes": Shape(html, repeat(b"a%d@h.test,", b"<a href='mailto:", b"'>")),
    # Open Graph and robots.
    "meta elements": Shape(html, repeat(b'<meta property="og:p%d" content="x">')),
    "names of one meta element": Shape(
        html, repeat(b" og:p%d", b'<meta content="long" property="', b'">')
    ),
    "keywords": Shape(html, repeat(b"word%d,", b'<meta name=keywords content="', b'">')),
    "wishes to robots": Shape(html, repeat(b'<meta name=robots content="noindex,nofollow">')),
    "prefixes of Open Graph": Shape(
        html,
        repeat(b"p%d: http://ogp.me/ns# ", b'<html prefix="', b'"><meta property=og:x content=y>'),
    ),
    # RDFa.
    "rdfa properties": Shape(html, repeat(b'<b property="schema:p%d">x</b>')),
    "rdfa properties, nested": Shape(html, nest(b'<b property="schema:p%d">', b"</b>")),
    "rdfa names in one property": Shape(
        html, both(repeat(b" schema:p%d", b'<b property="', b'">'), repeat(b"text "))
    ),
    "rdfa links and children": Shape(
        html,
        both(
            repeat(b" schema:p%d", b'<div rel="', b'">'),
            repeat(b'<b about="http://h.test/%d"></b>'),
        ),
        64,
    ),
    "rdfa links and one child again": Shape(
        html,
        both(
            repeat(b" schema:p%d", b'<div rel="', b'">'), repeat(b'<b about="http://h.test/"></b>')
        ),
        64,
    ),
    "rdfa lists": Shape(
        html,
        both(repeat(b" schema:p%d", b'<div inlist rel="', b'">'), repeat(b"<b about=/></b>")),
        64,
    ),
    "rdfa types": Shape(html, repeat(b" schema:T%d", b'<b typeof="', b'">')),
    "rdfa prefixes": Shape(
        html,
        repeat(
            b"p%d: http://h.test/%%d ".replace(b"%%d", b""),
            b'<div prefix="',
            b'"><b property=p1:x>x</b>',
        ),
    ),
    "rdfa prefixes, nested": Shape(
        html, nest(b'<div prefix="p%d: http://h.test/" property="schema:x">', b"</div>")
    ),
    "rdfa namespaces of html": Shape(
        html, repeat(b' xmlns:p%d="http://h.test/"', b"<div", b"><b property=p1:x>x</b>")
    ),
    "rdfa vocabularies": Shape(
        html, repeat(b'<div vocab="http://h.test/%d/"><b property=x>y</b></div>')
    ),
    "rdfa links, nested": Shape(
        html, nest(b'<div rel="schema:p%d">', b"</div>", b"<b about=/></b>")
    ),
    "rdfa markup": Shape(html, nest(b'<b property="schema:x" datatype="rdf:HTML">', b"</b>")),
    "rdfa patterns": Shape(
        html,
        both(
            repeat(
                b'<link property="schema:p%d" href="/">',
                b'<div resource="#p" typeof="rdfa:Pattern">',
                b"</div>",
            ),
            repeat(b'<div about="#%d"><link property="rdfa:copy" href="#p"></div>'),
        ),
        64,
    ),
    "rdfa roles": Shape(html, repeat(b'<b id=i%d role="main note"></b>')),
    "rdfa mistakes": Shape(
        html, repeat(b'<b property="nobody%d:x y%d">x</b>'.replace(b"y%d", b"y"))
    ),
    "rdfa in xml with namespaces": Shape(
        svg,
        both(
            repeat(
                b' xmlns:p%d="http://h.test/"', b'<svg xmlns="http://www.w3.org/2000/svg"', b">"
            ),
            repeat(b'<g property="p1:x">x</g>', b"", b"</svg>"),
        ),
    ),
    "rdfa in xhtml": Shape(
        xhtml,
        repeat(
            b'<p property="schema:p%d">x</p>',
            b'<html xmlns="http://www.w3.org/1999/xhtml"><body>',
            b"</body></html>",
        ),
    ),
    # Microdata.
    "items": Shape(
        html, repeat(b"<p itemscope itemtype=http://h.test/T><b itemprop=p%d>x</b></p>")
    ),
    "items, nested": Shape(html, nest(b"<div itemscope itemprop=p%d>", b"</div>")),
    "item properties, nested": Shape(html, nest(b"<b itemprop=p%d>", b"</b>", b"x" * 100)),
    "item names": Shape(
        html, both(repeat(b" p%d", b'<p itemscope><b itemprop="', b'">'), repeat(b"text "))
    ),
    "one block of many items": Shape(
        html,
        both(
            repeat(b"<b itemprop=p%d>x</b>", b"<div id=b>", b"</div>"),
            repeat(b"<p itemscope itemref=b></p>"),
        ),
        64,
    ),
    "references of one item": Shape(
        html,
        both(
            repeat(b"<b id=i%d itemprop=p>x</b>"), repeat(b" i%d", b'<p itemscope itemref="', b'">')
        ),
    ),
    "items in a loop": Shape(
        html, repeat(b"<p itemscope itemprop=p id=i%d itemref=i1></p>", b"<p itemscope itemref=i2>")
    ),
    "item types": Shape(html, repeat(b" http://h.test/T%d", b'<p itemscope itemtype="', b'">')),
    # Microformats.
    "cards": Shape(html, repeat(b'<p class="h-card"><b class="p-name">x</b></p>')),
    "cards, nested": Shape(html, nest(b'<div class="h-card p-author">', b"</div>")),
    "names of cards, nested": Shape(html, nest(b'<b class="p-name">', b"</b>"), 64),
    "properties of one class": Shape(
        html, both(repeat(b" p-x%d", b'<p class="h-card"><b class="', b'">'), repeat(b"text "))
    ),
    "known properties of one element": Shape(
        html, repeat(b"text ", b'<p class="h-card"><b class="p-name p-note p-role e-content">')
    ),
    "classes": Shape(html, repeat(b" c%d", b'<p class="h-card', b'">x')),
    "pictures in cards": Shape(html, repeat(b"<img alt=x>", b'<p class="h-card">')),
    "values in values": Shape(
        html, repeat(b'<b class="value">1</b>', b'<p class="h-event"><b class="dt-start">')
    ),
    "classic cards": Shape(
        html, repeat(b'<p class="vcard"><b class="fn">x</b><a rel=tag href=/t></a></p>')
    ),
    "markup within markup of cards": Shape(
        html, nest(b'<div class="h-entry"><div class="e-content">', b"</div></div>")
    ),
    # What items alone repeat.
    "relations of Dublin Core": Shape(
        html,
        both(repeat(b" DC.title", b'<link href=x rel="', b'"'), repeat(b"x", b" title=", b">")),
    ),
    "names of one long content": Shape(
        html,
        both(repeat(b" og:p%d", b'<meta property="', b'"'), repeat(b"x" * 9, b" content=", b">")),
    ),
    "lines of properties, nested": Shape(
        html, nest(b"<div itemprop=p>x<br>", b"</div>", b"<p itemscope>")
    ),
    "items that refer to the next": Shape(
        html, repeat(b"<p itemscope itemprop='p q' id=i%d itemref=i%%d></p>".replace(b"%%d", b"2"))
    ),
    # JSON-LD.
    "json-ld nodes": Shape(
        json_ld,
        in_json(
            lambda n: {
                "@context": "https://schema.org",
                "@graph": [{"@id": f"http://h.test/{i}", "name": "x"} for i in range(n)],
            }
        ),
    ),
    "json-ld nodes with own contexts": Shape(
        json_ld,
        in_json(lambda n: [{"@context": {"a": "http://h.test/a"}, "a": i} for i in range(n)]),
    ),
    "json-ld terms": Shape(json_ld, in_json(lambda n: {"@context": terms(n), "t0": 1})),
    "json-ld terms and contexts": Shape(
        json_ld,
        in_json(
            lambda n: {
                "@context": terms(n),
                "@graph": [{"@context": {}, "t0": i} for i in range(n)],
            }
        ),
        192,
    ),
    "json-ld terms in a chain": Shape(
        json_ld,
        in_json(lambda n: {"@context": {f"t{i}": f"t{i + 1}:x" for i in range(n)}, "t0": 1}),
        512,
    ),
    "json-ld terms in a chain, and circles": Shape(
        json_ld,
        in_json(lambda n: {"@context": {f"t{i}": f"t{(i + 1) % n}:x" for i in range(n)}, "t0": 1}),
        512,
    ),
    "json-ld contexts in a list": Shape(
        json_ld,
        in_json(lambda n: {"@context": [terms(n), *({} for _ in range(n))], "t0": 1}),
        192,
    ),
    "json-ld scoped by property": Shape(
        json_ld,
        in_json(
            lambda n: {"@context": {**terms(n), "p": SCOPED}, "p": [{"a": i} for i in range(n)]}
        ),
        192,
    ),
    "json-ld scoped by type": Shape(
        json_ld,
        in_json(
            lambda n: {
                "@context": {**terms(n), "p": SCOPED},
                "@graph": [{"@type": "p", "a": i} for i in range(n)],
            }
        ),
        192,
    ),
    "json-ld scoped, large": Shape(
        json_ld,
        in_json(
            lambda n: {
                "@context": {"p": {"@id": "http://h.test/p", "@context": terms(n)}},
                "p": [{"t0": i} for i in range(n)],
            }
        ),
        64,
    ),
    "json-ld values": Shape(
        json_ld, in_json(lambda n: {"@context": {"p": "http://h.test/p"}, "p": [*range(n)]})
    ),
    "json-ld values, by PyLD": Shape(
        json_ld, in_json(lambda n: {"@context": FULL, "http://h.test/p": [*range(n)]})
    ),
    "json-ld links, by PyLD": Shape(
        json_ld,
        in_json(
            lambda n: {"@context": FULL, "http://h.test/p": [{"@id": f"/{i}"} for i in range(n)]}
        ),
    ),
    "json-ld types, by PyLD": Shape(
        json_ld,
        in_json(lambda n: {"@context": FULL, "@type": [f"http://h.test/{i}" for i in range(n)]}),
    ),
    "json-ld one name, by PyLD": Shape(
        json_ld,
        in_json(
            lambda n: {
                "@context": FULL,
                "@graph": [{"@id": "/x", "http://h.test/p": i} for i in range(n)],
            }
        ),
    ),
    "json-ld properties, by PyLD": Shape(
        json_ld,
        in_json(lambda n: {"@context": FULL, **{f"http://h.test/{i}": 1 for i in range(n)}}),
    ),
    "json-ld nests, by PyLD": Shape(
        json_ld,
        in_json(
            lambda n: {
                "@context": {**FULL, "n": "@nest"},
                "n": [{"http://h.test/p": i} for i in range(n)],
            }
        ),
    ),
    "json-ld maps, by PyLD": Shape(
        json_ld,
        in_json(
            lambda n: {
                "@context": {**FULL, "p": {"@id": "http://h.test/p", "@container": "@id"}},
                "p": {f"/{i}": {} for i in range(n)},
            }
        ),
    ),
    "json-ld terms, by PyLD": Shape(
        json_ld, in_json(lambda n: {"@context": {**FULL, **terms(n)}, "t0": 1})
    ),
    "json-ld lists": Shape(json_ld, in_json(lambda n: {"http://h.test/p": {"@list": [*range(n)]}})),
    "json-ld json literals": Shape(
        json_ld, in_json(lambda n: {"http://h.test/p": {"@type": "@json", "@value": [*range(n)]}})
    ),
    "json-ld bad parts": Shape(
        json_ld,
        in_json(
            lambda n: {
                "@context": {"@vocab": "http://h.test/"},
                "@graph": [{"@id": i, "p": 1} for i in range(n)],
            }
        ),
    ),
    "json-ld nesting": Shape(json_ld, nest(b'{"a":', b"}", b"1"), 256),
    "json-ld arrays": Shape(json_ld, nest(b"[", b"]", b""), 256),
    "json-ld numbers": Shape(json_ld, lambda n: b'{"http://h.test/p":' + b"1" * n + b"}"),
    "json-ld surrogates": Shape(
        json_ld, lambda n: b'{"http://h.test/p":"' + b"\\ud800" * n + b'"}'
    ),
    "json-ld blocks": Shape(
        html,
        repeat(
            b'<script type="application/ld+json">{"@context":"https://schema.org","name":"%d"}</script>'
        ),
    ),
    "json-ld broken blocks": Shape(
        html,
        repeat(
            b'<script type="application/ld+json">{"@context":"https://schema.org","name":}</script>'
        ),
    ),
    "json-ld contexts that are not known": Shape(
        json_ld, in_json(lambda n: {"@context": [f"http://h.test/{i}" for i in range(n)], "p": 1})
    ),
    "json-ld escapes": Shape(json_ld, in_json(lambda n: {"http://h.test/p": "é" * n})),
    # RDF syntaxes.
    "turtle statements": Shape(turtle, repeat(b"<s%d> <p> <o> .\n")),
    "turtle statements, again": Shape(turtle, repeat(b"<s> <p> <o> .\n")),
    "turtle objects": Shape(turtle, repeat(b"<o%d>, ", b"<s> <p> ", b"1 .")),
    "turtle blank nodes": Shape(turtle, nest(b"[ <p> ", b"]", b"1")),
    "turtle collections": Shape(turtle, nest(b"(", b")", b"1")),
    "turtle collections, alone": Shape(turtle, repeat(b"1 ", b"<s> <p> (", b") .")),
    "turtle prefixes": Shape(turtle, repeat(b"@prefix p%d: <http://h.test/> .\n")),
    "turtle open quotes": Shape(turtle, repeat(b'<s%d> <p> "x .\n')),
    "turtle open long quotes": Shape(turtle, repeat(b'<s> <p> """x ')),
    "turtle open brackets": Shape(turtle, repeat(b"<s> <p> [ ")),
    "turtle open iris": Shape(turtle, repeat(b"<s%d> <p> <x y .\n")),
    "turtle errors": Shape(turtle, repeat(b"<s%d> ! <o> .\n")),
    "turtle triple terms": Shape(turtle, repeat(b"<s> <p> <<( <s> <p> %d )>> .\n")),
    "turtle triple terms, nested": Shape(turtle, nest(b"<<( <s> <p> ", b" )>>", b"1")),
    "turtle literal": Shape(turtle, repeat(b"text ", b'<s> <p> "', b'" .')),
    "turtle comments": Shape(turtle, repeat(b"# x\n")),
    "trig graphs": Shape(trig, repeat(b"<g%d> { <s> <p> <o> }\n")),
    "trig errors": Shape(trig, repeat(b"<g> { <s%d> ! }\n")),
    "n-triples": Shape(n_triples, repeat(b"<http://h.test/%d> <http://h.test/p> _:b .\n")),
    "n-triples errors": Shape(n_triples, repeat(b"<s%d> <http://h.test/p> .\n")),
    "n-quads": Shape(
        n_quads, repeat(b"<http://h.test/%d> <http://h.test/p> _:b <http://h.test/g> .\n")
    ),
    "n-quads in one line": Shape(n_quads, repeat(b"<http://h.test/s> <http://h.test/p> ")),
}
RDF = b'<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://h.test/"'
SHAPES |= {
    "rdf/xml descriptions": Shape(
        rdf_xml,
        repeat(
            b'<rdf:Description rdf:about="http://h.test/%d" e:p="x"/>', RDF + b">", b"</rdf:RDF>"
        ),
    ),
    "rdf/xml nesting": Shape(rdf_xml, nest(b"<rdf:Description><e:p>", b"</e:p></rdf:Description>")),
    "rdf/xml attributes": Shape(
        rdf_xml, repeat(b' e:a%d="x"', RDF + b"><rdf:Description", b"/></rdf:RDF>")
    ),
    "rdf/xml namespaces": Shape(
        rdf_xml,
        both(
            repeat(b' xmlns:p%d="http://h.test/"', RDF, b">"),
            repeat(b"<rdf:Description><e:p>x</e:p></rdf:Description>", b"", b"</rdf:RDF>"),
        ),
    ),
    "rdf/xml old attributes": Shape(
        rdf_xml,
        repeat(b'<rdf:Description about="http://h.test/%d" e:p="x"/>', RDF + b">", b"</rdf:RDF>"),
    ),
    "rdf/xml ids": Shape(
        rdf_xml, repeat(b'<rdf:Description rdf:ID="i%d" e:p="x"/>', RDF + b">", b"</rdf:RDF>")
    ),
    "rdf/xml markup": Shape(
        rdf_xml,
        repeat(
            b"<a>x</a>",
            RDF + b'><rdf:Description><e:p rdf:parseType="Literal">',
            b"</e:p></rdf:Description></rdf:RDF>",
        ),
    ),
    "rdf/xml open tags": Shape(rdf_xml, repeat(b"<e:p>", RDF + b">")),
    "rdf/xml bad ampersands": Shape(
        rdf_xml,
        repeat(b"& ", RDF + b"><rdf:Description><e:p>", b"</e:p></rdf:Description></rdf:RDF>"),
    ),
    "xml entities": Shape(
        rdf_xml,
        both(
            repeat(
                b'<!ENTITY e%d "x">', b"<!DOCTYPE x [", b"]>" + RDF + b"><rdf:Description><e:p>"
            ),
            repeat(b"&e%d;", b"", b"</e:p></rdf:Description></rdf:RDF>"),
        ),
    ),
    "xml entities of entities": Shape(
        rdf_xml,
        both(
            repeat(
                b'<!ENTITY e%d "&e1;&e1;&e2;">',
                b"<!DOCTYPE x [",
                b"]>" + RDF + b"><rdf:Description><e:p>&e3;",
            ),
            repeat(b"", b"", b"</e:p></rdf:Description></rdf:RDF>"),
        ),
    ),
    "xml doctype without end": Shape(rdf_xml, repeat(b"<!--", b"<!DOCTYPE x [")),
    "xml comments": Shape(rdf_xml, repeat(b"<!-- x -->", RDF + b">", b"</rdf:RDF>")),
    "rss entries": Shape(
        rss,
        repeat(
            b"<item><title>x</title><link>/%d</link></item>",
            b"<rss><channel><title>x</title>",
            b"</channel></rss>",
        ),
    ),
    "rss categories": Shape(
        rss,
        repeat(
            b"<category>c%d</category>",
            b"<rss><channel><item><title>x</title>",
            b"</item></channel></rss>",
        ),
    ),
    "rss titles": Shape(
        rss, repeat(b"<title>x</title>", b"<rss><channel><item>", b"</item></channel></rss>")
    ),
    "rss namespaces": Shape(
        rss,
        both(
            repeat(b' xmlns:p%d="http://h.test/"', b"<rss", b"><channel>"),
            repeat(b"<item><p1:x>x</p1:x><title>y</title></item>", b"", b"</channel></rss>"),
        ),
    ),
    "rss open tags": Shape(rss, repeat(b"<item><title>", b"<rss><channel>")),
    "rss cdata": Shape(
        rss,
        repeat(
            b"<![CDATA[x]]>", b"<rss><channel><item><title>", b"</title></item></channel></rss>"
        ),
    ),
    "rss open cdata": Shape(rss, repeat(b"<![CDATA[", b"<rss><channel><item><title>")),
    "atom entries": Shape(
        atom,
        repeat(
            b'<entry><id>http://h.test/%d</id><title>x</title><link href="/"/></entry>',
            b'<feed xmlns="http://www.w3.org/2005/Atom">',
            b"</feed>",
        ),
    ),
    "atom links": Shape(
        atom,
        repeat(
            b'<link href="/%d"/>',
            b'<feed xmlns="http://www.w3.org/2005/Atom"><entry>',
            b"</entry></feed>",
        ),
    ),
    "atom bases": Shape(
        atom,
        repeat(
            b'<entry xml:base="/%d/"><link href="x"/></entry>',
            b'<feed xmlns="http://www.w3.org/2005/Atom">',
            b"</feed>",
        ),
    ),
    "atom markup": Shape(
        atom,
        repeat(
            b"<b>x</b>",
            b'<feed xmlns="http://www.w3.org/2005/Atom"><entry><content type="xhtml"><div>',
            b"</div></content></entry></feed>",
        ),
    ),
    "json feed": Shape(
        json_feed,
        in_json(
            lambda n: {
                "version": "https://jsonfeed.org/version/1.1",
                "items": [{"id": str(i), "url": f"/{i}", "tags": ["x"]} for i in range(n)],
            }
        ),
    ),
    "json feed tags": Shape(
        json_feed,
        in_json(
            lambda n: {
                "version": "https://jsonfeed.org/version/1.1",
                "items": [{"id": "1", "tags": [f"t{i}" for i in range(n)]}],
            }
        ),
    ),
}
GRDDL = b'<x xmlns:g="http://www.w3.org/2003/g/data-view#" g:transformation="'
SHEET = b'<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"'


def stylesheet(source: bytes) -> object:
    try:
        return Stylesheet(source)
    except StylesheetError as error:
        return error


def grddl(body: bytes) -> object:
    return list(grddl_statements(Document(PAGE, body, options=Transform())))


def robots(body: bytes) -> object:
    policy = RobotsPolicy.parse(body, "gossamer")
    return [policy.decide(Url(f"http://h.test/a/b{i}?q=x")) for i in range(4)]


def sitemap(body: bytes) -> object:
    return list(read_sitemap(body, Url("http://h.test/sitemap.xml"), Sitemaps()))


def text_of(read: Callable[[str], object]) -> Callable[[bytes], object]:
    return lambda body: read(body.decode("latin-1"))


def url_of(reference: str) -> object:
    url = canonical(reference, Url("http://h.test/a/b"))
    return trapped(url, NOW, Traps()) if isinstance(url, str) else url


def fields_of(value: bytes) -> object:
    fields = ((b"Cache-Control", value), (b"Connection", value), (b"Vary", value))
    return response_directives(fields), end_to_end(fields), request_directives(value, value)


def wishes(value: str) -> object:
    return page_directives([value], [("robots", value)], "gossamer", NOW)


HEAD = b'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
SHAPES |= {
    "grddl transformations": Shape(grddl, repeat(b"/t%d ", GRDDL, b'"/>')),
    "grddl links": Shape(grddl, repeat(b'<link rel="transformation" href="/%d"/>', b'<html xmlns="http://www.w3.org/1999/xhtml"><head profile="http://www.w3.org/2003/g/data-view">', b"</head></html>")),
    "stylesheet namespaces": Shape(stylesheet, both(repeat(b' xmlns:p%d="http://h.test/"', SHEET, b">"), repeat(b'<xsl:variable name="v%d"/>', b"", b"</xsl:stylesheet>"))),
    "stylesheet templates": Shape(stylesheet, repeat(b'<xsl:template match="t%d"/>', SHEET + b">", b"</xsl:stylesheet>")),
    "robots rules": Shape(robots, repeat(b"Disallow: /a/b%d\n", b"User-agent: *\n")),
    "robots wild rules": Shape(robots, repeat(b"Disallow: /*a*b%d*c\n", b"User-agent: *\n")),
    "robots stars": Shape(robots, repeat(b"*a", b"User-agent: *\nDisallow: /")),
    "robots groups": Shape(robots, repeat(b"User-agent: a%d\nDisallow: /\n")),
    "robots agents": Shape(robots, repeat(b"User-agent: gossamer\n", b"", b"Disallow: /\n")),
    "robots sitemaps": Shape(robots, repeat(b"Sitemap: http://h.test/%d\n")),
    "robots one line": Shape(robots, repeat(b"x: ")),
    "robots comments": Shape(robots, repeat(b"# x\n")),
    "robots returns": Shape(robots, repeat(b"\r")),
    "sitemap urls": Shape(sitemap, repeat(b"<url><loc>http://h.test/%d</loc><lastmod>2026-01-01</lastmod></url>", HEAD, b"</urlset>")),
    "sitemap attributes": Shape(sitemap, repeat(b" a%d='1'", b"<urlset><url", b"></url></urlset>")),
    "sitemap nesting": Shape(sitemap, repeat(b"<url>", HEAD)),
    "sitemap text": Shape(sitemap, repeat(b"http://h.test/%d\n")),
    "sitemap open comments": Shape(sitemap, repeat(b"<!--", HEAD)),
    "sitemap ampersands": Shape(sitemap, repeat(b"& ", HEAD + b"<url><loc>")),
    "sitemap long address": Shape(sitemap, repeat(b"x", HEAD + b"<url><loc>http://h.test/", b"</loc></url></urlset>")),
    "sitemap namespaces": Shape(sitemap, both(repeat(b" xmlns:p%d='http://h.test/'", b"<urlset", b">"), repeat(b"<url><loc>http://h.test/</loc></url>", b"", b"</urlset>"))),
    "sitemap entities": Shape(sitemap, repeat(b"&amp;", HEAD + b"<url><loc>http://h.test/", b"</loc></url></urlset>")),
    "json repair": Shape(text_of(lambda text: repaired(text, 100)), repeat(b"{'a':1,,}")),
    "json repair, comments": Shape(text_of(lambda text: repaired(text, 100)), repeat(b"/*")),
    "json repair, quotes": Shape(text_of(lambda text: repaired(text, 100)), repeat(b'{"a":"')),
    "json repair, escapes": Shape(text_of(lambda text: repaired(text, 100)), repeat(b"&quot;")),
    "turtle mend, quotes": Shape(text_of(closed), repeat(b'<s> <p> "x" "')),
    "turtle mend, apostrophes": Shape(text_of(closed), repeat(b"<s> <p> 'x\n")),
    "turtle mend, brackets": Shape(text_of(closed), repeat(b'[ <p> ( "x ')),
    "turtle mend, brackets before quotes": Shape(text_of(closed), both(repeat(b"[ <p> "), repeat(b'; <q> "x\n'))),
    "xml mend, marks": Shape(text_of(mended), repeat(b"<")),
    "xml mend, references": Shape(text_of(mended), repeat(b"&#x;")),
    "xml mend, opaque": Shape(text_of(mended), repeat(b"<?x ")),
    "detect nothing": Shape(unknown, repeat(b" ")),
    "detect binary": Shape(unknown, repeat(b"\0\1")),
    "detect marks": Shape(unknown, repeat(b"<?xml ")),
    "detect prefixes": Shape(unknown, repeat(b"@prefix a: <b> ")),
    "detect json": Shape(unknown, repeat(b"[1,")),
    "detect lines": Shape(unknown, repeat(b"<a> ")),
    "detect words": Shape(partial(detect, url=PAGE, content_type="text/plain"), repeat(b"word ")),
    "prescan meta": Shape(meta_label, repeat(b"<meta charset ")),
    "prescan attributes": Shape(meta_label, repeat(b" a=b", b"<meta charset x")),
    "prescan comments": Shape(meta_label, repeat(b"<!--", b"charset")),
    "prescan xml": Shape(xml_label, repeat(b" ", b"<?xml")),
    "content type": Shape(text_of(lambda text: detect(b"x", PAGE, text)), repeat(b"; charset=x", b"text/html")),
    "content type, quoted": Shape(text_of(lambda text: detect(b"x", PAGE, text)), repeat(b"\\", b'text/html; charset="')),
    "content codings": Shape(text_of(lambda text: decode(b"x" * 100, text, 1 << 20)), repeat(b"gzip, ")),
    "retry after": Shape(text_of(lambda text: retry_after(text, NOW)), repeat(b"9")),
    "retry after, spaces": Shape(text_of(lambda text: retry_after(text, NOW)), repeat(b" ", b"Mon,", b"x")),
    "wishes in headers": Shape(text_of(wishes), repeat(b"gossamer: noindex, ")),
    "wishes for a time": Shape(text_of(wishes), repeat(b"unavailable_after: ")),
    "cache directives": Shape(fields_of, repeat(b"max-age=1, x%d=y, ")),
    "cache directives, quoted": Shape(fields_of, repeat(b'\\"', b'a="')),
    "dates": Shape(lambda value: parsed_date(value, 0.0), repeat(b" ", b"Sun, 06 Nov 1994", b"x")),
    "addresses with dots": Shape(text_of(url_of), repeat(b"../a/")),
    "addresses with escapes": Shape(text_of(url_of), repeat(b"%25")),
    "addresses with parameters": Shape(text_of(url_of), repeat(b"a=b&", b"?")),
    "addresses with labels": Shape(text_of(url_of), repeat(b"a.", b"http://", b"test/")),
    "addresses with digits": Shape(text_of(url_of), repeat(b"2026/01/")),
    "addresses with colons": Shape(text_of(url_of), repeat(b"a:")),
}  # fmt: skip
