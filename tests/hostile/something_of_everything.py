"""A site with a page of every kind that we read, good and broken, packed and plain."""

import gzip

import brotli
from tests.crawl.sites import Pages, Sent

HOST = "http://a.test/"
SEEDS = [HOST]
SPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
HTML = """<!doctype html><title>All</title><meta name="robots" content="noarchive">
<script type="application/ld+json">{"@context": "https://schema.org", "@id": "#x", "name": "X"}</script>
<script type="application/ld+json">{"@context": "http://a.test/context", "@id": "#x", "name": "X"}</script>
<p vocab="https://schema.org/" typeof="Person"><span property="name">Ada</span></p>
<p itemscope itemtype="https://schema.org/Person"><span itemprop="name">Ada</span></p>
<p class="h-card"><a class="u-url p-name" href="/ada">Ada</a></p>"""
BODIES = {
    "rdf": ("application/rdf+xml", "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'/>"),
    "turtle": ("text/turtle", "<#a> <#b> <#c> ."),
    "broken": ("text/turtle", "<#a> <#b> ."),
    "jsonld": ("application/ld+json", '{"@id": "#a", "http://b.test/": "c"}'),
    "deep": ("application/ld+json", "[" * 100_000),
    "feed": ("application/atom+xml", "<feed xmlns='http://www.w3.org/2005/Atom'><title>x</title></feed>"),
    "entities": ("application/xml", "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>"),
    "attributes": ("text/html", "<p " + " ".join(f"a{n}=''" for n in range(20_000)) + ">"),
}  # fmt: skip


def site() -> Pages:
    """All pages by URL."""
    links = "".join(f'<a href="/{name}">x</a>' for name in (*BODIES, "gzip", "brotli"))
    entries = f"<url><loc>{HOST}listed</loc></url>"
    packed = gzip.compress(f"<urlset {SPACE}>{entries}</urlset>".encode())
    pages: dict[str, Sent | str] = {
        HOST: HTML + links,
        f"{HOST}listed": "<p>by a sitemap",
        f"{HOST}robots.txt": Sent(f"Sitemap: {HOST}sitemap.gz", headers={"Content-Type": "text/plain"}),
        f"{HOST}sitemap.gz": Sent(packed, headers={"Content-Type": "application/gzip"}),
        f"{HOST}gzip": Sent(gzip.compress(HTML.encode()), headers={"Content-Encoding": "gzip"}),
        f"{HOST}brotli": Sent(brotli.compress(HTML.encode()), headers={"Content-Encoding": "br"}),
    }  # fmt: skip
    for name, (media_type, body) in BODIES.items():
        pages[HOST + name] = Sent(body, headers={"Content-Type": media_type})
    return pages
