"""Ordinary pages with RDFa, and how we and pyRdfa3 read them: both from bytes to N-Triples."""

import io

import pyRdfa
import rdflib

from gossamer.transform.document import Document
from gossamer.transform.rdfa import rdfa_statements

rdflib.NORMALIZE_LITERALS = False  # or its graph would not be the page's

URL = "http://shop.test/things/1"

_PAGE = """<!DOCTYPE html>
<html lang="en"{prefix}>
<head>
<meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="/assets/site.css?v=3"><link rel="icon" href="/favicon.ico">
<meta property="og:title" content="{title}"><meta property="og:type" content="article">
<meta property="og:url" content="http://shop.test/things/1"><meta property="og:site_name" content="Shop">
<meta property="og:image" content="http://shop.test/images/1.jpg">
<meta property="og:description" content="What there is to say of it, in one sentence or two.">
</head>
<body class="page page-{kind}">
<header class="site"><a class="logo" href="/"><img src="/logo.svg" alt="Shop" width="120"></a>
<nav class="menu"><ul>{menu}</ul></nav>
<form action="/search"><input name="q" placeholder="Search"><button>Go</button></form></header>
<div class="columns">{main}
<aside class="side"><h2>Latest</h2><ol>{latest}</ol></aside></div>
<footer><ul><li><a href="/terms" rel="nofollow">Terms</a></li><li><a href="/privacy">Privacy</a></li>
<li><a href="/imprint">Imprint</a></li></ul><p>© Shop, <b>all</b> rights reserved.</p></footer>
<script>window.site = {{"page": "{kind}", "user": null}};</script>
</body></html>
"""
_MENU = "".join(
    f'<li class="item item-{n}"><a href="/section/{n}"><span>Section {n}</span></a></li>'
    for n in range(9)
)
_LATEST = "".join(
    f'<li><a href="/news/{n}">The news of day {n}, and what came of it</a> <small>{n} May</small></li>'
    for n in range(1, 8)
)
_TEXT = """<p>Some ordinary words between, with <a href="/about/{n}">links</a>, <b>bold</b> words and
<em>stressed</em> ones; paragraph {n} of its kind, neither longer nor shorter than it must be. It
goes on for a while, as text does, so that there is more of it than of anything else.</p>
"""
_ARTICLE = """<main vocab="http://schema.org/" typeof="Article" resource="#article">
<ol class="crumbs" property="breadcrumb" typeof="BreadcrumbList">
<li property="itemListElement" typeof="ListItem"><a property="item" href="/"><span property="name">Home</span></a></li>
<li property="itemListElement" typeof="ListItem"><a property="item" href="/news"><span property="name">News</span></a></li>
</ol>
<h1 property="headline">How it was made</h1>
<p class="by">By <span property="author" typeof="Person"><a property="url" href="/people/7"><span
property="name">Ada Byron</span></a></span>, <time property="datePublished" datetime="2021-03-04">4 March</time></p>
<figure><img property="image" src="/images/1.jpg" alt=""><figcaption>The thing itself</figcaption></figure>
<div property="articleBody" class="body">{text}</div></main>"""
_PRODUCT = """<main vocab="http://schema.org/" typeof="Product" resource="#it">
<h1 property="name">The thing</h1><img property="image" src="/images/1.jpg" alt="">
<p property="description">What there is to say of it &amp; more.</p>{text}
<div property="offers" typeof="Offer"><span property="price" content="12.50">12,50</span>
<meta property="priceCurrency" content="EUR"><link property="availability" href="http://schema.org/InStock"></div>
<ul class="reviews">{reviews}</ul></main>"""
_REVIEW = """<li property="review" typeof="Review" class="review"><h3 property="name">A fine thing {n}</h3>
<div class="stars" property="reviewRating" typeof="Rating"><meta property="ratingValue" content="{n}">
<i class="star"></i><i class="star"></i><i class="star"></i><i class="star off"></i></div>
<p property="reviewBody">It does what it says. I have had it for {n} years, and would take it again:
solid, quiet, well made, and it came in time.</p>
<p class="tools"><a href="/reviews/{n}">more</a> <a href="/reviews/{n}/report" rel="nofollow">report</a></p></li>
"""
_NODE = """<main><article about="/node/{n}" typeof="sioc:Item foaf:Document" class="node">
<h2 property="dc:title">Entry {n}</h2>
<div class="meta"><span property="dc:date dc:created" content="2020-05-0{n}T10:00:00+02:00"
datatype="xsd:dateTime">{n} May 2020</span> by <a rel="sioc:has_creator" href="/user/{n}" class="name">User {n}</a></div>
<div property="content:encoded" class="field">{text}</div>
<ul class="tags"><li><a rel="dc:subject" href="/tags/a{n}">Tag a</a></li><li><a rel="dc:subject" href="/tags/b">Tag b</a></li></ul>
<p class="more"><a href="/node/{n}#comments">Comments</a> <a href="/node/{n}/print">Print</a></p></article></main>"""
_FRIEND = """<li typeof="foaf:Person"><a property="foaf:homepage" href="http://friend{n}.test/"><span
property="foaf:name">Friend {n}</span></a> <span class="since">since 200{n}</span></li>
"""
_HOME = """<main about="#me" typeof="foaf:Person"><h1 property="foaf:name">Ada Byron</h1>
<p>Write to <a rel="foaf:mbox" href="mailto:ada@people.test">ada@people.test</a>.</p>{text}
<h2>Friends</h2><ul rel="foaf:knows">{friends}</ul></main>"""


def pages() -> list[bytes]:
    """An article, a product with reviews, a list of entries, a person's page, one with no more than its head."""
    home = _HOME.format(text=_text(7), friends="".join(_FRIEND.format(n=n) for n in range(5)))
    nodes = "".join(_NODE.format(n=n, text=_text(2)) for n in range(1, 6))
    prefix = (
        ' prefix="content: http://purl.org/rss/1.0/modules/content/ shop: http://shop.test/terms#"'
    )
    reviews = "".join(_REVIEW.format(n=n) for n in range(1, 5))
    return [
        _page("article", _ARTICLE.format(text=_text(16))),
        _page("product", _PRODUCT.format(text=_text(5), reviews=reviews)),
        _page("list", nodes, prefix),
        _page("home", home),
        _page("plain", f"<main><h1>Plain</h1>{_text(12)}</main>"),
    ]


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


def _page(kind: str, main: str, prefix: str = "") -> bytes:
    parts = {"prefix": prefix, "title": "The thing", "kind": kind, "main": main}
    return _PAGE.format(menu=_MENU, latest=_LATEST, **parts).encode()


def _text(paragraphs: int) -> str:
    return "".join(_TEXT.format(n=n) for n in range(paragraphs))
