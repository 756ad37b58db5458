"""`--follow-query`: only what the user's own query names is visited."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from tests.crawl.crawls import crawled, hurried, reaching
from tests.crawl.sites import Pages, Sent, crawled_site

from gossamer.config import Config, Crawl
from gossamer.demo.paths import shelf_of
from gossamer.demo.process import DemoServer
from gossamer.demo.rendering import rendered
from gossamer.demo.robots import forbidden
from gossamer.demo.world import Page, World
from gossamer.model import Url
from gossamer.values import Lines

WORLD = World(seed=11, pages=400, hosts=13, crawl_delay=0.05)
SEE_ALSO = re.compile(r"\S+ <http://www\.w3\.org/2000/01/rdf-schema#seeAlso> <([^>]*)>")
QUERY = Lines(
    "# What to see, but nothing with a 7\nSELECT DISTINCT ?page {\n ?thing rdfs:seeAlso ?page\n"
    ' FILTER(!CONTAINS(STR(?page), "7"))\n}\n'
)


def following(query: str, *, sitemaps: bool = False) -> Config:
    return hurried(sitemaps=sitemaps, crawl=Crawl(workers=1, follow_query=Lines(query)))


def named_by(page: Page) -> Iterator[Url]:
    """The links that the query finds on a page of the world, by what the world wrote there."""
    said = rendered(WORLD, page).triples.values()
    found = (SEE_ALSO.match(statement) for each in said for statement in each)
    yield from (Url(match[1]) for match in found if match and "7" not in match[1])


def closed(url: Url) -> bool:
    name, _, path = url.removeprefix("http://").partition("/")
    host = WORLD.host(name)
    assert host is not None
    return shelf_of(f"/{path}") in forbidden(WORLD.robots(host), "gossamer")


def walked(seeds: list[Url]) -> set[str]:
    """The pages that such a crawl asks for."""
    asked: set[str] = set()
    queue = list(seeds)
    while queue:
        url = queue.pop()
        if url in asked or closed(url):
            continue
        asked.add(url)
        number = WORLD.number(url)  # None: a file that holds nothing for us
        if number is not None and not WORLD.page(number).nofollow("gossamer"):
            queue += named_by(WORLD.page(number))
    return asked


def test_only_what_the_query_names_is_visited(tmp_path: Path) -> None:
    pages = [WORLD.page(number) for number in range(WORLD.pages)]
    seeds = [page.url for page in pages if any(named_by(page))][:8]
    right = walked(seeds)
    assert len(right) > 2 * len(seeds)
    with DemoServer(WORLD, tmp_path / "access.jsonl") as server:
        config = reaching(following(QUERY, sitemaps=True), server.address)
        found = crawled(tmp_path / "data", config, seeds)
    asked = {f"http://{each.host}{each.path}" for each in server.accesses()}
    assert {url for url in asked if "robots.txt" not in url} == right
    assert found.summary.quads


TURTLE = {"Content-Type": "text/turtle"}
SITE: Pages = {
    "http://a.test/": Sent(
        "<> <http://v.test/page> </one> ; <http://v.test/other> </two> ; <http://v.test/page> 5 .",
        headers=TURTLE,
    ),
    "http://a.test/one": Sent("", 302, {"Location": "/three"}),
    "http://a.test/three": '<a href="/two">two</a>',
    "http://a.test/two": "never",
}


def test_seeds_and_redirects_are_followed_all_the_same(tmp_path: Path) -> None:
    query = "SELECT ?page { ?thing <http://v.test/page> ?page }"
    found, site = crawled_site(tmp_path, SITE, ["http://a.test/"], following(query))
    assert site.pages_asked == ["http://a.test/", "http://a.test/one", "http://a.test/three"]
    assert found.summary.problems == 0


def test_a_page_without_links_by_the_query_is_fine(tmp_path: Path) -> None:
    query = "SELECT ?page { ?thing <http://v.test/nothing> ?page }"
    found, site = crawled_site(tmp_path, SITE, ["http://a.test/"], following(query))
    assert site.pages_asked == ["http://a.test/"]
    assert (found.summary.pages, found.summary.problems) == (1, 0)


def test_the_links_of_a_page_can_be_asked_for_where_they_are_kept(tmp_path: Path) -> None:
    pages: Pages = {
        "http://a.test/": '<a href="/next">Next page</a><a href="/else">Something else</a>',
        "http://a.test/next": "end",
    }
    query = 'SELECT ?page { ?page rdfs:label ?label FILTER(STRSTARTS(?label, "Next")) }'
    config = following(query)
    config = replace(config, transform=replace(config.transform, links=True))
    _, site = crawled_site(tmp_path, pages, ["http://a.test/"], config)
    assert site.pages_asked == ["http://a.test/", "http://a.test/next"]
