import asyncio
import json
from contextlib import closing
from pathlib import Path

import pytest
from fastwarc.warc import ArchiveIterator
from tests.crawl.crawls import hurried
from tests.crawl.sites import Pages, Sent, crawled_site
from tests.in_process import gossamer

from gossamer.archive.exchange import ArchivePlace
from gossamer.archive.reading import read_record
from gossamer.demo.process import DemoServer
from gossamer.demo.world import World
from gossamer.folder.data import DataFolder
from gossamer.frontier.facts import FactStore
from gossamer.frontier.sqlite import SqliteStore
from gossamer.index.graph.client import GraphProcess
from gossamer.index.graph.query import GraphQuery
from gossamer.model import Url
from gossamer.upkeep.forget import Target


def test_a_bare_name_is_a_host_and_anything_longer_a_page() -> None:
    root = Url("https://a.test/")
    assert Target.of(root, "a.test") == Target("a.test")
    assert Target.of(root, "a.test/") == Target("a.test")
    assert Target.of(root, "https://a.test/") == Target("a.test", root)
    page = Url("https://a.test/x")
    assert Target.of(page, "a.test/x") == Target("a.test", page)
    assert Target("a.test").covers("http://a.test:8080/y")
    assert not Target("a.test").covers("http://b.a.test/y")
    assert Target("a.test", page).covers(page)
    assert not Target("a.test", page).covers(page + "y")


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> DataFolder:
    data = DataFolder(tmp_path_factory.mktemp("forget") / "data")
    world = World(seed=5, pages=60, hosts=3, crawl_delay=0)
    with DemoServer(world) as server:
        gossamer(
            *("crawl", world.front(0), "--data", str(data.path), "--scope", "any", "--delay", "0"),
            *("--exclude", "malice", "--connect-to", server.connect_to, "--json"),
        )
    return data


def graphs(data: DataFolder) -> set[str]:
    async def ask() -> bytes:
        async with GraphProcess(data.graph_folder) as graph:
            return await graph.query(
                GraphQuery("SELECT DISTINCT ?g { GRAPH ?g {} }", ("json",))
            ).read()

    rows = json.loads(asyncio.run(ask()))["results"]["bindings"]
    return {row["g"]["value"] for row in rows}


def archived(data: DataFolder) -> set[str]:
    found: set[str] = set()
    for path in data.archive_folder.glob("*.warc.gz"):
        with path.open("rb") as file:
            targets = (record.headers.get("WARC-Target-URI") for record in ArchiveIterator(file))
            found.update(str(target) for target in targets if target)
    return found


def of_host(names: set[str], host: str) -> set[str]:
    return {name for name in names if name.startswith(f"http://{host}/")}


def test_a_page_and_then_its_host_leave_graph_archive_and_frontier(crawled: DataFolder) -> None:
    page = "http://www.site0.test/"
    assert page in graphs(crawled)
    assert page in archived(crawled)
    others = graphs(crawled) - of_host(graphs(crawled), "www.site0.test")
    said = json.loads(gossamer("forget", page, "--data", str(crawled.path), "--json"))
    assert said["pages"] == 1
    assert said["records"] >= 2  # a request and its answer
    assert not {page, page + "#fetch"} & graphs(crawled)
    assert page not in archived(crawled)
    assert of_host(graphs(crawled), "www.site0.test")
    gossamer("forget", "www.site0.test", "--data", str(crawled.path))
    assert not of_host(graphs(crawled), "www.site0.test")
    assert not of_host(archived(crawled), "www.site0.test")
    assert graphs(crawled) == others
    hosts = json.loads(gossamer("hosts", "--json", "--data", str(crawled.path)))
    names = {row["host"] for row in hosts}
    assert names
    assert "www.site0.test" not in names


def test_the_places_of_what_stays_are_still_right(crawled: DataFolder) -> None:
    gossamer("forget", "www.site0.test", "--data", str(crawled.path))
    import apsw

    database = apsw.Connection(str(crawled.frontier_file))
    rows = list(database.execute("SELECT url, archived FROM pages WHERE archived IS NOT NULL"))
    database.close()
    assert rows
    for url, place in rows:
        assert read_record(crawled.archive_folder, ArchivePlace.parse(str(place))).url == url


def test_no_bytes_of_what_was_forgotten_stay_in_the_frontier(tmp_path: Path) -> None:
    urls = [f"http://a.test/private-{number}" for number in range(300)]
    links = "".join(f'<a href="{url}">x</a>' for url in urls)
    rules = Sent("User-agent: *\nDisallow: /private-rule")
    pages: Pages = {
        **dict.fromkeys(urls, links),
        "http://a.test/robots.txt": rules,
        "http://b.test/": "<p>",
    }
    crawled_site(tmp_path, pages, [*urls[:3], "http://b.test/"])

    def files() -> bytes:
        return b"".join(path.read_bytes() for path in sorted(tmp_path.glob("frontier.db*")))

    assert b"private-" in files()
    gossamer("forget", "a.test", "--data", str(tmp_path))
    assert b"private-" not in files()
    assert b"http://b.test/" in files()
    found, _ = crawled_site(tmp_path, pages, ["http://b.test/x"])
    assert set(found.pages) == {"http://b.test/", "http://b.test/x"}


def test_graphs_that_were_put_aside_are_named(tmp_path: Path) -> None:
    crawled_site(tmp_path, {"http://a.test/": "<title>A</title>"}, ["http://a.test/"])
    data = ("--data", str(tmp_path))
    assert json.loads(gossamer("forget", "nobody.test", "--json", *data))["aside"] == []
    gossamer("rebuild", "--anew", *data)
    (aside,) = tmp_path.glob("graph-*")
    assert json.loads(gossamer("forget", "a.test", "--json", *data))["aside"] == [str(aside)]
    told = gossamer("forget", "a.test", *data)
    assert f"A graph that was put aside may still have it: delete {aside} too." in told


def test_nothing_remembers_that_a_forgotten_host_was_closed(tmp_path: Path) -> None:
    def answer(url: str, _: object) -> Sent:
        return Sent("", 503)

    crawled_site(tmp_path, answer, ["http://a.test/"], hurried())

    def remembered() -> list[str]:
        with closing(SqliteStore(tmp_path / "frontier.db")) as store:
            return [name for name in FactStore(store).named("") if "a.test" in name]

    assert remembered() == ["closed a.test"]
    gossamer("forget", "a.test", "--data", str(tmp_path))
    assert remembered() == []


def test_a_forgotten_host_is_found_anew_by_its_sitemap_within_the_day(tmp_path: Path) -> None:
    sitemap = "<urlset><url><loc>http://a.test/x</loc></url></urlset>"
    pages: Pages = {"http://a.test/": "<p>", "http://a.test/sitemap.xml": sitemap}
    config = hurried(sitemaps=True)
    first, _ = crawled_site(tmp_path, pages, ["http://a.test/", "http://b.test/"], config)
    gossamer("forget", "a.test", "--data", str(tmp_path))
    second, site = crawled_site(tmp_path, pages, ["http://a.test/", "http://b.test/y"], config)
    assert set(first.pages) < set(second.pages)
    assert "http://a.test/sitemap.xml" in site.asked
    assert "http://b.test/sitemap.xml" not in site.asked
