"""Crawls that want something first: what they fetch and keep, with real workers, archive and graph."""

import random
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from tests.crawl.commands import CrawlCommand, crawl, states, until
from tests.crawl.crawls import hurried
from tests.crawl.sites import Pages, crawled_site

from gossamer.config import Config, Focus
from gossamer.demo.names import host_name
from gossamer.demo.process import DemoServer
from gossamer.demo.world import World
from gossamer.frontier.schema import SETTLED

HOST = "http://shop.test"
LD = '<script type="application/ld+json">{"@context": "https://schema.org", "@id": "#it", "@type": "%s", "name": "%s"}</script>'
KINDS = ("shoe", "essay", "note", "poem")


def page(*links: str, says: str = "") -> str:
    listed = "".join(f'<li><a href="{link}">{link.split("/")[1]}</a></li>' for link in links)
    return f"<title>A page</title><nav><a href=/>home</a></nav><main>{says}<ul class=list>{listed}</ul></main>"


def shop(each: int) -> Pages:
    """A site of four kinds of pages, of which one has products."""
    pages = {f"{HOST}/": page(*(f"/{kind}s/all" for kind in KINDS))}
    for kind in KINDS:
        items = [f"/{kind}/{number}" for number in range(each)]
        pages[f"{HOST}/{kind}s/all"] = page(*items)
        named = "ProductModel" if kind == "shoe" else "Article"
        for item in items:
            pages[HOST + item] = page(says=LD % (named, item))
    return pages


def wanting(**rest: object) -> Config:
    focus = Focus(want=("Product",), **rest)  # type: ignore[arg-type]
    config = hurried()
    return replace(config, focus=focus, sitemaps=replace(config.sitemaps, use=False))


def test_products_come_first_and_everything_else_after_them(tmp_path: Path) -> None:
    pages = shop(30)
    found, site = crawled_site(tmp_path, pages, [f"{HOST}/"], wanting())
    assert sorted(site.pages_asked) == sorted(pages)
    places = [place for place, url in enumerate(site.pages_asked) if "/shoe/" in url]
    assert sorted(places)[26] < 60
    assert found.summary.wanted is not None
    assert found.summary.wanted["things"] == 30


def test_only_what_is_wanted_is_kept_and_the_rest_is_settled_and_followed(tmp_path: Path) -> None:
    pages = shop(6)
    found, site = crawled_site(tmp_path, pages, [f"{HOST}/"], wanting(keep="wanted"))
    assert sorted(site.pages_asked) == sorted(pages)
    assert found.summary.pages == len(pages)
    with closing(sqlite3.connect(tmp_path / "frontier.db")) as database:
        kept = {
            url for (url,) in database.execute("SELECT url FROM pages WHERE archived IS NOT NULL")
        }
        quads = dict(database.execute("SELECT url, quads FROM pages"))
    shoes = {f"{HOST}/shoe/{number}" for number in range(6)}
    assert kept == shoes
    assert {url for url, count in quads.items() if count} == shoes


def test_a_crawl_ends_when_too_little_comes(tmp_path: Path) -> None:
    found, site = crawled_site(tmp_path, shop(40), [f"{HOST}/"], wanting(until_yield=0.05))
    assert found.summary.ended == "yield"
    assert len(site.pages_asked) < 160
    assert found.summary.wanted is not None
    assert found.summary.wanted["things"] == 40


ORDER = (
    *("--scope", "any", "--delay", "0", "--workers", "1", "--agent-contact", "me@a.test"),
    *("--want", "Product", "--want", "Event=2", "--keep", "wanted"),
)


def crawl_to_its_end(data: Path, server: DemoServer, kills: int) -> dict[str, object]:
    """Crawl the demo web, killed so many times; the summary."""
    chance = random.Random(5)
    order = (f"http://{host_name(0)}/", *ORDER, "--connect-to", f"*.test={server.address}")
    for number in range(kills):
        with CrawlCommand(data, *order) as command:
            asked = sum(1 for _ in server.accesses())
            more = chance.choice([3, 12, 25])
            until(
                lambda asked=asked, more=more: (
                    sum(1 for _ in server.accesses()) >= asked + more  # type: ignore[misc] # bound
                    or command.process.poll() is not None
                )
            )
            command.kill()
        assert number >= 0
    return crawl(data, *order)


@pytest.mark.timeout(600)
def test_a_focused_crawl_that_is_killed_comes_to_the_same(tmp_path: Path) -> None:
    world = World(seed=4, pages=60, hosts=2, crawl_delay=0)
    with DemoServer(world, tmp_path / "access.log") as server:
        whole = crawl_to_its_end(tmp_path / "whole", server, 0)
        killed = crawl_to_its_end(tmp_path / "killed", server, 4)
    assert states(tmp_path / "whole").keys() == states(tmp_path / "killed").keys()
    assert whole["pages"] == killed["pages"]
    assert whole["quads"] == killed["quads"]
    for summary in (whole, killed):
        assert isinstance(summary["wanted"], dict)
    assert whole["wanted"]["things"] == killed["wanted"]["things"] > 0  # type: ignore[index] # just seen
    with closing(sqlite3.connect(tmp_path / "killed" / "frontier.db")) as database:
        rows = database.execute(
            "SELECT count(*), count(archived), sum(state <> ?) FROM pages WHERE ended = 'content'",
            (SETTLED,),
        )
        content, archived, unsettled = rows.fetchone()
    assert not unsettled
    assert 0 < archived < content
