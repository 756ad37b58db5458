"""A site that has us ask others, and keep what it likes: what that comes to in a real crawl."""

import gzip
import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from itertools import count
from pathlib import Path

from tests.crawl.crawls import Crawled, hurried
from tests.crawl.sites import Pages, Sent, Site, crawled_site

from gossamer.config import KIB, MIB, Budget, Crawl
from gossamer.folder.data import bytes_below
from gossamer.frontier.contexts import ContextStore
from gossamer.frontier.endings import EndKind
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.sqlite import SqliteStore
from gossamer.model import Url
from gossamer.urls import host_of

JSON = {"Content-Type": "application/ld+json"}
PAGES = [f"http://bad.test/{number}" for number in range(6)]
BOMB = gzip.compress(
    b'{"@context": {"name": "http://n.test/name"}}' + b" " * (4 * 1024 * 1024 - 99)
)
CONTEXT = b'{"@context": {"name": "http://n.test/name"}}'


def naming(contexts: list[str]) -> str:
    """A page that names contexts, and says something else as well."""
    blocks = "".join(
        f'<script type="application/ld+json">{{"@context": "{each}", "name": "x"}}</script>'
        for each in contexts
    )
    return f'<title>Kept</title><p vocab="http://v.test/" property="said">this too</p>{blocks}'


def answer(url: str, _: Mapping[str, str]) -> Sent | None:
    """Six pages name 32 contexts each, no two at the same host; each context is a bomb."""
    if url.endswith("/robots.txt"):
        return Sent("nothing", 404)
    if url in PAGES:
        number = PAGES.index(url)
        return Sent(naming([f"http://c.third{number}-{each}.test/c" for each in range(32)]))
    return Sent(BOMB, headers={**JSON, "Content-Encoding": "gzip"})


def asked_elsewhere(site: Site) -> list[str]:
    """The requests to other hosts than the hostile one."""
    return [url for url in site.asked if host_of(Url(url)) != "bad.test"]


def test_contexts_of_one_site_neither_fill_the_disk_nor_reach_everybody(tmp_path: Path) -> None:
    found, site = crawled_site(tmp_path, answer, PAGES)
    assert set(found.pages) == set(PAGES)
    assert len(asked_elsewhere(site)) <= 100
    assert max(Counter(map(host_of, map(Url, asked_elsewhere(site)))).values()) <= 2
    assert (tmp_path / "frontier.db").stat().st_size < 4 * 1024 * 1024
    for page in PAGES:
        assert f'this too" <{page}>'.encode() in found.nquads
        assert found.pages[Url(page)].problems
    kept = SqliteStore(tmp_path / "frontier.db")
    causes = {cause for (cause,) in kept.read(lambda txn: txn.rows("SELECT cause FROM contexts"))}
    assert causes == {"The body holds more than 524,288 bytes."}


def test_what_packs_absurdly_well_is_no_context(tmp_path: Path) -> None:
    packed = gzip.compress(CONTEXT + b" " * 300_000)
    pages: Pages = {
        "http://good.test/": naming(["http://c.test/c"]),
        "http://c.test/c": Sent(packed, headers={**JSON, "Content-Encoding": "gzip"}),
    }
    found, _ = crawled_site(tmp_path, pages, ["http://good.test/"])
    context = ContextStore(SqliteStore(tmp_path / "frontier.db")).of("http://c.test/c")
    assert context is not None
    assert "are no context" in context.cause
    assert context.body is None
    assert b"<http://n.test/name>" not in found.nquads


def test_a_site_that_used_its_allowance_up_leaves_other_sites_theirs(tmp_path: Path) -> None:
    named = [f"http://c.third{number}.test/c" for number in range(8)]
    own = "http://good.test/own"
    pages: Pages = {
        "http://bad.test/": naming(named),
        "http://good.test/": naming([named[-1], own]),
        own: Sent(CONTEXT, headers=JSON),
        **{each: Sent(CONTEXT, headers=JSON) for each in named},
    }
    config = replace(hurried(scope="host"), budget=Budget(requests_elsewhere=4))
    found, site = crawled_site(tmp_path, pages, ["http://bad.test/"], config)
    assert len(asked_elsewhere(site)) == 4
    found, site = crawled_site(tmp_path, pages, ["http://good.test/"], config)
    assert {own, named[-1]} <= set(site.asked)
    assert b'<http://n.test/name> "x" <http://good.test/>' in found.nquads
    assert not found.pages[Url("http://good.test/")].problems


def test_a_folder_that_is_as_large_as_it_may_be_ends_the_crawl_which_goes_on_when_it_may_be_larger(
    tmp_path: Path,
) -> None:
    numbers = count()

    def endless(url: str, _: Mapping[str, str]) -> Sent | None:
        if url.endswith("/robots.txt"):
            return None
        text = random.Random(url).randbytes(150_000).hex()  # which cannot be packed well
        return Sent(f'<title>{text}</title><a href="/{next(numbers)}">next</a>')

    def crawl(max_disk: int) -> tuple[Crawled, int]:
        config = hurried(scope="host", crawl=Crawl(workers=1, max_disk=max_disk))
        found, site = crawled_site(tmp_path, endless, ["http://bad.test/"], config)
        return found, len(site.pages_asked)

    found, asked = crawl(8 * MIB)
    assert found.ended.kind is EndKind.DISK
    assert "crawl.max_disk" in found.ended.why
    assert asked > 0
    assert crawl(MIB)[1] == 0
    found, asked = crawl(bytes_below(tmp_path) + 4 * MIB)
    assert found.ended.kind is EndKind.DISK
    assert asked > 0


def long_links(page: str, host: str, count: int) -> str:
    """Links that are new, as long as we take them, and cannot be packed."""
    chance = random.Random(f"{page} {host}")
    return "".join(
        f'<a href="http://{host}/{chance.randbytes(900).hex()}">x</a>' for _ in range(count)
    )


def test_links_of_one_site_do_not_fill_the_disk_and_the_crawl_goes_on(tmp_path: Path) -> None:
    good = [f"http://good.test/{number}" for number in range(5)]

    def answer(url: str, _: Mapping[str, str]) -> Sent | None:
        if url in good:
            return Sent("".join(f'<a href="{each}">x</a>' for each in good))
        if url.endswith("/robots.txt") or len(url) > 1_000:
            return None
        return Sent(long_links(url, "bad.test", 800) + long_links(url, "victim.test", 800))

    budget = Budget(waiting_bytes=64 * KIB, aside_bytes=64 * KIB)
    config = replace(hurried(scope="host", crawl=Crawl(workers=1)), budget=budget)
    seeds = [*(f"http://bad.test/{number}" for number in range(4)), good[0]]
    found, site = crawled_site(tmp_path, answer, seeds, config)
    assert found.ended.kind is EndKind.DONE
    assert {*good, *seeds} <= set(found.pages)
    assert "victim.test" not in {host_of(Url(url)) for url in site.asked}
    assert len(found.pages) < 200  # of 3,200 that were named
    assert sum(found.refusals.values()) < 100
    assert (tmp_path / "frontier.db").stat().st_size < 2 * MIB
    kept = SqlFrontier(SqliteStore(tmp_path / "frontier.db"), "test", config.politeness)
    over = kept.sites_over_budget()
    assert [each.site for each in over] == ["bad.test"]
    assert over[0].left_out > 5_000


def test_sitemaps_of_one_site_do_not_fill_the_disk_nor_lead_everywhere(tmp_path: Path) -> None:
    elsewhere = [f"http://m{number}.third{number}.test/s.xml" for number in range(20)]
    robots = "".join(f"Sitemap: {each}\n" for each in ["http://bad.test/s.xml", *elsewhere])
    listed = "".join(f"<url><loc>http://bad.test/{n}/{'x' * 1500}</loc></url>" for n in range(500))
    pages: Pages = {
        "http://bad.test/robots.txt": robots,
        "http://bad.test/s.xml": f"<urlset>{listed}</urlset>",
        "http://bad.test/": "nothing",
    }
    budget = Budget(waiting_bytes=32 * KIB, requests_elsewhere=6)
    config = replace(hurried(scope="host", sitemaps=True), budget=budget)
    found, site = crawled_site(tmp_path, pages, ["http://bad.test/"], config)
    assert 1 < len(found.pages) < 30
    assert len(asked_elsewhere(site)) <= 6


def test_robots_files_of_one_site_do_not_fill_the_disk(tmp_path: Path) -> None:
    hosts = [f"h{number}.bad.test" for number in range(12)]

    def answer(url: str, _: Mapping[str, str]) -> Sent | None:
        if host_of(Url(url)) in hosts and url.endswith("/robots.txt"):
            return Sent(random.Random(url).randbytes(400 * KIB))
        return Sent("nothing") if not url.endswith("/robots.txt") else None

    seeds = [*(f"http://{host}/" for host in hosts), "http://good.test/"]
    config = replace(hurried(scope="host"), budget=Budget(robots_bytes=MIB))
    found, site = crawled_site(tmp_path, answer, seeds, config)
    assert found.ended.kind is EndKind.PARKED  # until files that are kept are to be asked for anew
    assert "http://good.test/" in site.pages_asked
    assert len(site.pages_asked) == 1 + 2  # two files fit; where none is kept, nothing is asked for
    assert (tmp_path / "frontier.db").stat().st_size < 2 * MIB
    kept = SqlFrontier(SqliteStore(tmp_path / "frontier.db"), "test", config.politeness)
    closed = [host.host for host in kept.hosts() if "budget.robots_bytes" in host.why]
    assert len(closed) == 10


def test_robots_files_and_sitemaps_of_one_site_do_not_lead_everywhere(tmp_path: Path) -> None:
    hosts = [f"h{number}.bad.test" for number in range(6)]

    def answer(url: str, _: Mapping[str, str]) -> Sent | None:
        host, number = host_of(Url(url)), len(url)
        if host == "maps.test" and url.endswith("/robots.txt"):
            maps = "".join(f"Sitemap: http://maps.test/{n}.xml\n" for n in range(6))
            return Sent(maps)
        if url.endswith(".xml"):
            return Sent("", 302, {"Location": f"http://m{url[-5]}.third{url[-5]}.test/s"})
        if host in hosts and url.endswith("/robots.txt"):
            return Sent("", 302, {"Location": f"http://r{host[1]}.third{host[1]}.test/r"})
        return Sent("nothing") if host in (*hosts, "maps.test") else Sent(f"{number}", 404)

    seeds = [*(f"http://{host}/" for host in hosts), "http://maps.test/"]
    budget = Budget(requests_elsewhere=4)
    config = replace(hurried(scope="host", sitemaps=True), budget=budget)
    _, site = crawled_site(tmp_path, answer, seeds, config)
    third = [url for url in site.asked if ".third" in url]
    assert len([url for url in third if url.endswith("/r")]) == 4
    assert len(third) <= 4 + 4
    asked = {host_of(Url(url)) for url in site.pages_asked} & set(hosts)
    assert len(asked) == 4  # where rules were had, or there are none
