"""What sites say about the use of their content, from the first request to the graph."""

from dataclasses import dataclass, replace
from pathlib import Path

import pyoxigraph as ox
import pytest
from tests.crawl.crawls import Crawled, hurried
from tests.crawl.sites import Pages, Sent, Site, crawled_site

from gossamer.config import Budget
from gossamer.frontier.protocol import Ended

SEED = "http://a.test/"
FREE = "http://a.test/free/page"
FILE = "/.well-known/tdmrep.json"
RESERVED = '[{"location": "/", "tdm-reservation": 1}]'
HOSTS = ("a", "moved", "shut", "failing", "abroad", "huge")
PREFIXES = "PREFIX g: <urn:gossamer:> PREFIX tdm: <http://www.w3.org/ns/tdmrep#>"
SITE: Pages = {
    **{f"http://{host}.test/": "<title>a page</title>" for host in HOSTS},
    "http://a.test/robots.txt": Sent(
        "User-agent: *\nContent-Usage: train-ai=n\nContent-Usage: /free/ train-ai=y\n"
    ),
    SEED: Sent(
        '<meta name=TDM-Reservation content=1><meta name=tdm-policy content="/policy.json">'
        '<a href="/free/page">free</a>',
        headers={"TDM-Reservation": "0", "Content-Usage": "search=y, bots=n"},
    ),
    FREE: "<title>nothing but words</title>",
    "http://a.test/later": "<title>known after the others</title>",
    f"http://a.test{FILE}": '[{"location": "/free/*", "tdm-reservation": 0},'
    '{"location": "/", "tdm-reservation": 1, "tdm-policy": "terms"}]',
    f"http://moved.test{FILE}": Sent("", 302, {"Location": "/tdm"}),
    "http://moved.test/tdm": RESERVED,
    "http://shut.test/robots.txt": "User-agent: *\nDisallow: /.well-known/",
    f"http://shut.test{FILE}": RESERVED,
    f"http://failing.test{FILE}": Sent(RESERVED, 503),
    f"http://abroad.test{FILE}": Sent("", 302, {"Location": f"http://other.test{FILE}"}),
    f"http://other.test{FILE}": RESERVED,
    f"http://huge.test{FILE}": RESERVED + " " * 100_000,
}
ASKING = replace(hurried(tdmrep=True), budget=Budget(requests_elsewhere=0))


@dataclass(frozen=True)
class World:
    """A crawl that asked for tdmrep.json, and what it left behind."""

    folder: Path
    crawled: Crawled
    site: Site

    def asked_for(self, path: str) -> list[str]:
        """The hosts that were asked for a path, one for each request."""
        asked = (url.removeprefix("http://").partition("/") for url in self.site.asked)
        return sorted(host for host, _, rest in asked if f"/{rest}" == path)


def found(crawled: Crawled, query: str) -> list[tuple[str, ...]]:
    """The rows that a query finds, over all graphs."""
    store = ox.Store()
    store.load(crawled.nquads, ox.RdfFormat.N_QUADS)
    rows = store.query(PREFIXES + query, use_default_graph_as_union=True)
    assert isinstance(rows, ox.QuerySolutions)
    return sorted(tuple(getattr(term, "value", "") for term in row) for row in rows)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    folder = tmp_path_factory.mktemp("usage")
    crawled, site = crawled_site(folder, SITE, [f"http://{host}.test/" for host in HOSTS], ASKING)
    return World(folder, crawled, site)


def test_reservations_are_kept_with_their_sources_and_none_is_decided_away(world: World) -> None:
    query = """SELECT ?page ?source ?reserved {
        ?page g:usage [ g:source ?source ; tdm:reservation ?reserved ] }"""
    assert found(world.crawled, query) == [
        (SEED, "header", "0"),
        (SEED, "meta", "1"),
        (SEED, "tdmrep.json", "1"),
        (FREE, "tdmrep.json", "0"),
        ("http://moved.test/", "tdmrep.json", "1"),
    ]


def test_a_policy_is_an_address_beside_its_reservation(world: World) -> None:
    query = """SELECT ?page ?source ?policy {
        ?page g:usage [ g:source ?source ; tdm:reservation 1 ; tdm:policy ?policy ] }"""
    assert found(world.crawled, query) == [
        (SEED, "meta", "http://a.test/policy.json"),
        (SEED, "tdmrep.json", "http://a.test/.well-known/terms"),
    ]


def test_preferences_are_kept_from_headers_and_from_the_lines_about_the_page(world: World) -> None:
    query = """SELECT ?page ?source ?what {
        ?page g:usage [ g:source ?source ; g:contentUsage ?what ] }"""
    assert found(world.crawled, query) == [
        (SEED, "header", "bots=n"),
        (SEED, "header", "search=y"),
        (SEED, "robots.txt", "train-ai=n"),
        (FREE, "robots.txt", "train-ai=y"),
    ]


def test_the_file_is_asked_for_once_before_pages_and_where_robots_txt_allows(world: World) -> None:
    allowing = [f"{host}.test" for host in sorted(HOSTS) if host != "shut"]
    assert world.asked_for(FILE) == allowing
    ours = [url for url in world.site.asked if url.startswith(SEED)]
    assert ours[:3] == ["http://a.test/robots.txt", f"http://a.test{FILE}", SEED]


def test_a_site_can_have_nobody_else_asked_for_its_file_beyond_its_allowance(world: World) -> None:
    assert not any(url.startswith("http://other.test/") for url in world.site.asked)


def test_a_file_that_cannot_be_had_keeps_no_page_from_being_fetched(world: World) -> None:
    pages = world.crawled.pages.values()
    assert {page.ended for page in pages} == {Ended.CONTENT}


def test_a_second_run_does_not_ask_again_within_the_day(world: World) -> None:
    later = "http://a.test/later"
    crawled, site = crawled_site(world.folder, SITE, [later], ASKING)
    assert site.asked == [later]
    query = f"SELECT ?reserved {{ <{later}> g:usage/tdm:reservation ?reserved }}"
    assert found(crawled, query) == [("1",)]


def test_without_the_setting_nobody_is_asked_and_silence_has_no_statement(tmp_path: Path) -> None:
    page, file = "http://moved.test/", f"http://moved.test{FILE}"
    crawled, site = crawled_site(tmp_path, {page: "<title>A</title>", file: RESERVED}, [page])
    assert site.asked == ["http://moved.test/robots.txt", page]
    assert b"urn:gossamer:usage" not in crawled.nquads
