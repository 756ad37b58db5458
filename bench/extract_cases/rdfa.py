"""Pages with RDFa, and how we and pyRdfa3 read them: both from bytes to N-Triples."""

import io

import pyRdfa
import rdflib

from gossamer.transform.document import Document
from gossamer.transform.rdfa import rdfa_statements

URL = "http://shop.test/things/1"

_PERSON = """
<div class="card" property="author" typeof="Person">
  <p><a property="url" href="/people/{n}"><span property="name">Ada Byron {n}</span></a>,
  <span property="jobTitle">Engineer &amp; mathematician</span>, lives in
  <span property="address" typeof="PostalAddress"><span property="addressLocality">Paris</span>
  (<span property="postalCode">7500{n}</span>)</span>.</p>
</div>"""
_REVIEW = """
<li property="review" typeof="Review" class="review review-{n}">
  <h3 property="name">A fine thing, number {n}</h3>
  <div class="stars" property="reviewRating" typeof="Rating"><meta property="ratingValue" content="{n}">
  <span class="star"></span><span class="star"></span><span class="star"></span></div>
  <p property="reviewBody">It does what it says. I have had it for {n} years, and would take it
  again: solid, quiet, well made, and it came in time.</p>
  <footer><time property="datePublished" datetime="2021-03-0{n}">{n} March 2021</time>
  <a href="/reviews/{n}" rel="nofollow">more</a> <a href="/reviews/{n}/report" rel="nofollow">report</a>
  </footer>
</li>"""
_LINKED = """
<div about="#item{n}" typeof="gr:Offering foaf:Document" class="row">
  <h2 property="dc:title">Item {n}</h2>
  <span property="gr:hasCurrencyValue" datatype="xsd:float" content="{n}.50">{n} francs</span>
  <a rel="foaf:depiction" href="/images/{n}.jpg"><img src="/images/{n}-small.jpg" alt=""></a>
  <p property="dc:description">Text with <em>emphasis</em> and a <a href="/more/{n}">link</a>.</p>
  <div rel="dc:creator"><span about="/people/{n}" property="foaf:name">Maker {n}</span></div>
</div>"""
_PLAIN = """
<p>Some ordinary words between, with <a href="/a/{n}">links</a>, <b>bold</b> words, and
<code>code</code>; number {n} of its kind, neither longer nor shorter than it must be.</p>"""
_PAGE = """<!DOCTYPE html>
<html lang="en"{prefix}>
<head><meta charset="utf-8"><title>Thing</title>
<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="/style.css">
<link rel="icon" href="/icon.png"><meta property="og:title" content="Thing">
<meta property="og:type" content="product"><meta property="og:image" content="/images/1.jpg">
</head>
<body><nav><ul>{menu}</ul></nav>
<main{main}><h1 property="{name}">The thing</h1>{body}</main>
<footer><p>© Shop <a href="/terms">terms</a> <a href="/privacy">privacy</a></p></footer>
</body></html>
"""
_MENU = "".join(f'<li><a href="/section/{n}">Section {n}</a></li>' for n in range(12))


def pages() -> list[bytes]:
    """Ordinary pages of 5 to 15 KB: with a vocabulary, and with prefixes."""
    return [_with_vocabulary(2, 5), _with_vocabulary(4, 9), _with_prefixes(6), _with_prefixes(14)]


def ours(page: bytes) -> bytes:
    """The page as N-Triples, by us."""
    document = Document(URL, page, media_type="text/html")
    lines = [f"{item} .\n" for item in rdfa_statements(document) if isinstance(item, str)]
    return "".join(lines).encode()


def peer(page: bytes) -> bytes:
    """The page as N-Triples, by pyRdfa3."""
    options = pyRdfa.options.Options(output_processor_graph=False, vocab_expansion=False)
    reader = pyRdfa.pyRdfa(options=options, base=URL, media_type="text/html")
    graph: rdflib.Graph = reader.graph_from_source(io.BytesIO(page))
    return graph.serialize(format="nt").encode()


def _with_vocabulary(people: int, reviews: int) -> bytes:
    parts = [_PERSON.format(n=n) for n in range(people)]
    parts += [_REVIEW.format(n=n % 9 + 1) + _PLAIN.format(n=n) for n in range(reviews)]
    main = ' vocab="http://schema.org/" typeof="Product" resource="#it"'
    return _page("", main, "name", parts)


def _with_prefixes(items: int) -> bytes:
    prefix = ' prefix="gr: http://purl.org/goodrelations/v1# shop: http://shop.test/terms#"'
    parts = [_LINKED.format(n=n) + _PLAIN.format(n=n) for n in range(items)]
    return _page(prefix, "", "dc:title", parts)


def _page(prefix: str, main: str, name: str, parts: list[str]) -> bytes:
    body = "".join(parts)
    return _PAGE.format(prefix=prefix, main=main, name=name, menu=_MENU, body=body).encode()
