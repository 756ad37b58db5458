"""Microdata: pages of the usual shapes, to quads by us and by way of extruct.

extruct ends at items; its `uniform` form is JSON-LD, which PyLD takes on to quads. PyLD has
the context at hand, in our small form. Against extruct's items alone, which have neither
types of values nor languages and in which links and text look alike, see `peer_items`.
"""

import argparse
import json
import time
from collections.abc import Callable, Mapping
from typing import Any

import extruct
from pyld import jsonld

from gossamer.demo.content import Anchor, Format, PageSpec
from gossamer.demo.formats import render
from gossamer.model import Url
from gossamer.transform.document import Document
from gossamer.transform.jsonld.schema_org import whole_context
from gossamer.transform.microdata import microdata_statements

URL = Url("http://shop.example.test/list")
_ANCHORS = tuple(Anchor(f"/things/{number}", f"Thing {number}") for number in range(30))
_REMOTE = {
    "contentType": "application/ld+json",
    "contextUrl": None,
    "documentUrl": "https://schema.org",
    "document": {"@context": dict(whole_context())},
}
_REVIEW = """
<li itemprop="review" itemscope itemtype="https://schema.org/Review" class="review">
  <h3 itemprop="name">A fine thing, number {n}</h3>
  <div itemprop="author" itemscope itemtype="https://schema.org/Person">by
    <b itemprop="name">Ada Byron {n}</b></div>
  <div itemprop="reviewRating" itemscope itemtype="https://schema.org/Rating">
    <meta itemprop="ratingValue" content="{n}"><span class="star"></span></div>
  <div itemprop="reviewBody"><p>It does what it says. I have had it for {n} years, and would take
    it again: <em>solid</em>, quiet, well made.</p><p>It came in time.</p></div>
  <time itemprop="datePublished" datetime="2021-03-0{n}">{n} March 2021</time>
  <a href="/reviews/{n}" rel="nofollow">more</a>
</li>"""
_CARD = """
<article class="card" itemprop="itemListElement" itemscope itemtype="https://schema.org/Product">
  <div class="media"><img itemprop="image" src="/pictures/{n}.jpg" alt=""></div>
  <h2 class="title"><a itemprop="url" href="/products/{n}"><span itemprop="name">Product {n}</span>
    </a></h2><p itemprop="description">One of the finest of its kind, number {n}.</p>
  <div itemprop="offers" itemscope itemtype="https://schema.org/Offer">
    <span class="price"><data itemprop="price" value="{n}.99">{n}.99</data></span>
    <meta itemprop="priceCurrency" content="EUR">
    <link itemprop="availability" href="https://schema.org/InStock"></div>
</article>"""
_PLAIN = """
<p>Some ordinary words between, with <a href="/a/{n}">links</a>, <b>bold</b> words, and
<code>code</code>; number {n} of its kind, neither longer nor shorter than it must be.</p>"""


def pages() -> list[bytes]:
    """Demo pages with one item, products with reviews, lists of products, articles; 4 to 30 KB."""
    made = [_demo(number) for number in range(4)]
    made += [_page("Product", _PLAIN, 3, _REVIEW, count) for count in (3, 9)]
    made += [_page("ItemList", _PLAIN, 1, _CARD, count) for count in (12, 36)]
    made += [_page("Article", _article(paragraphs), 1, _REVIEW, 4) for paragraphs in (10, 40)]
    return made


def ours(page: bytes) -> int:
    """How many statements we find."""
    return len(list(microdata_statements(Document(URL, page))))


def peer(page: bytes) -> int:
    """How many statements extruct and PyLD find together."""
    found = extruct.extract(page, base_url=URL, syntaxes=["microdata"], uniform=True)
    options = {"base": URL, "format": "application/n-quads", "documentLoader": _load}
    return sum(len(jsonld.to_rdf(item, options).splitlines()) for item in found["microdata"])


def peer_items(page: bytes) -> int:
    """How many top-level items extruct finds: as far as it goes by itself."""
    return len(extruct.extract(page, base_url=URL, syntaxes=["microdata"])["microdata"])


def _load(_address: str, _options: Mapping[str, Any]) -> dict[str, Any]:
    return _REMOTE


def _demo(number: int) -> bytes:
    return render(PageSpec(URL, number, Format.MICRODATA, "utf-8", _ANCHORS)).body


def _article(paragraphs: int) -> str:
    body = "".join(_PLAIN.format(n=number) for number in range(paragraphs))
    return f'<div itemprop="articleBody">{body}</div>'


def _page(type_: str, before: str, times: int, part: str, count: int) -> bytes:
    menu = "".join(f'<li><a href="/section/{n}">Section {n}</a></li>' for n in range(12))
    plain = "".join(before.format(n=number) for number in range(times))
    parts = "".join(part.format(n=number % 9 + 1) for number in range(count))
    return f"""<!DOCTYPE html>
<html lang="en" itemscope itemtype="https://schema.org/WebPage">
<head><meta charset="utf-8"><title>Thing</title><meta itemprop="inLanguage" content="en"></head>
<body><nav><ul>{menu}</ul></nav>
<main itemprop="mainEntity" itemscope itemtype="https://schema.org/{type_}">
<h1 itemprop="name">The thing</h1>{plain}<ul>{parts}</ul></main>
<footer><p>© Shop <a href="/terms">terms</a> <a href="/privacy">privacy</a></p></footer>
</body></html>""".encode()


def _best(rounds: int, works: Mapping[str, Callable[[bytes], int]]) -> dict[str, float]:
    """Seconds for all pages, the best of several rounds taken in turns."""
    best = dict.fromkeys(works, float("inf"))
    sample = pages()
    for _ in range(rounds):
        for name, work in works.items():
            start = time.perf_counter()
            for page in sample:
                work(page)
            best[name] = min(best[name], time.perf_counter() - start)
    return best


def main() -> None:
    """Print the figures of this syntax alone."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    rounds = 5 if parser.parse_args().quick else 30
    best = _best(rounds, {"ours": ours, "peer": peer, "peer_items": peer_items})
    ratios = {name: round(best[name] / best["ours"], 2) for name in ("peer", "peer_items")}
    figures = {
        f"{name}_pages_per_second": round(len(pages()) / took) for name, took in best.items()
    }
    print(json.dumps({"name": "extract_microdata", "ratios": ratios, "figures": figures}))


if __name__ == "__main__":
    main()
