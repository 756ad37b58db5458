import asyncio
import json
import shutil
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import apsw
import pytest
from tests.crawl.crawls import hurried
from tests.crawl.sites import Sent, Site, crawled_site, on_site
from tests.hostile.sleeping_worker import MARK
from tests.in_process import gossamer

from gossamer.archive.writer import Archive
from gossamer.config import Archive as ArchiveSettings
from gossamer.config import Transform
from gossamer.crawl.admission import Admission
from gossamer.crawl.backlog import Backlog
from gossamer.crawl.handle import CrawlHandle
from gossamer.crawl.verdicts import Judge
from gossamer.demo.process import DemoServer
from gossamer.demo.world import World
from gossamer.folder.data import DataFolder
from gossamer.frontier.thread import FrontierThread
from gossamer.index.graph.client import GraphProcess
from gossamer.index.graph.pages import PageChanged, PageGraphs
from gossamer.moments import from_microseconds, now_utc
from gossamer.reading.inputs import read_inputs
from gossamer.reading.page_pool import TransformPool
from gossamer.reading.pool.pool import usable_cores
from gossamer.settings.node import open_folder
from gossamer.upkeep.rebuild import Rebuilding, Rebuilt
from gossamer.urls import SeedScope


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> tuple[DataFolder, int]:
    """A crawl, and how many quads it found."""
    data = DataFolder(tmp_path_factory.mktemp("rebuild") / "data")
    world = World(seed=6, pages=60, hosts=3, crawl_delay=0)
    with DemoServer(world) as server:
        said = gossamer(
            *("crawl", world.front(0), "--data", str(data.path), "--scope", "any", "--delay", "0"),
            *("--exclude", "malice", "--connect-to", server.connect_to, "--json"),
        )
    return data, json.loads(said.splitlines()[-1])["quads"]


def quads(data: DataFolder) -> int:
    return int(json.loads(gossamer("status", "--json", "--data", str(data.path)))["graph"]["quads"])


def rebuilt(data: DataFolder, *words: str) -> dict[str, int]:
    said = json.loads(gossamer("rebuild", "--json", "--data", str(data.path), *words))
    assert isinstance(said, dict)
    return said


def test_the_same_readers_change_nothing(crawled: tuple[DataFolder, int]) -> None:
    data, before = crawled
    said = rebuilt(data)
    assert said["pages"] > 20
    assert (said["changed"], said["added"], said["removed"], said["unreadable"]) == (0, 0, 0, 0)
    assert quads(data) == before


def test_what_other_readers_find_is_told_and_taken_back(crawled: tuple[DataFolder, int]) -> None:
    data, before = crawled
    fewer = rebuilt(data, "--only", "jsonld")
    assert fewer["changed"] > 0
    assert fewer["removed"] > 0
    assert quads(data) == before + fewer["added"] - fewer["removed"]
    lines = gossamer("rebuild", "--data", str(data.path)).splitlines()
    assert quads(data) == before
    told = [line.split("\t") for line in lines[:-1]]
    assert len(told) == fewer["changed"]
    assert all(change.startswith("+") and url.startswith("http://") for change, url in told)
    assert f"{fewer['changed']:,} changed" in lines[-1]


def test_a_record_that_is_lost_leaves_its_page_alone(crawled: tuple[DataFolder, int]) -> None:
    data, before = crawled
    (file,) = data.archive_folder.glob("*.warc.gz")
    elsewhere = file.rename(file.with_suffix(".elsewhere"))
    said = rebuilt(data)
    assert said["pages"] == 0
    assert said["unreadable"] > 20
    assert quads(data) == before
    elsewhere.rename(file)


def test_a_graph_that_is_gone_is_made_anew_but_for_what_was_not_archived(
    crawled: tuple[DataFolder, int],
) -> None:
    data, before = crawled
    shutil.rmtree(data.graph_folder)
    said = rebuilt(data)
    assert said["pages"] > 20
    assert quads(data) == said["added"]
    assert (said["added"] == before) == (said["lost"] == 0)
    again = rebuilt(data)
    assert (again["changed"], again["lost"]) == (0, 0)


def test_a_page_that_is_too_much_to_be_read_anew_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = f"<title>Long</title>{MARK.decode()}"
    found, _ = crawled_site(tmp_path, {"http://a.test/": page}, ["http://a.test/"])
    data = DataFolder(tmp_path)
    monkeypatch.setattr("gossamer.reading.page_pool.WORKER", "tests.hostile.sleeping_worker:answer")
    said = rebuilt(data, "--config", "transform.time_limit=0.01s")
    assert (said["pages"], said["changed"], said["unreadable"]) == (0, 0, 1)
    assert found.summary.quads
    assert quads(data) == found.summary.quads


A = "http://a.test/"
ANSWERS = {"200": "fetched", "304": "unchanged", "403": "failed"}


def without_times(data: DataFolder) -> list[str]:
    """All that the graph says, but for when pages were fetched."""
    told = gossamer("export", "--data", str(data.path)).splitlines()
    return sorted(line for line in told if "AtTime>" not in line)


def crawled_again(folder: Path, status_of: Callable[[str], int]) -> None:
    """All pages once more, which are answered so."""
    page = Sent("<title>A</title>", headers={"ETag": '"1"'})

    async def work(running: CrawlHandle, _: Site) -> None:
        await running.frontier_thread.do(running.frontier.refetch, now_utc())
        await running.crawl.run()

    on_site(folder, lambda url, _: replace(page, status=status_of(url)), work)


def test_what_is_said_of_the_last_visit_stays(tmp_path: Path) -> None:
    urls = [A + status for status in ANSWERS]
    page = Sent("<title>A</title>", headers={"ETag": '"1"'})
    crawled_site(tmp_path, dict.fromkeys(urls, page), urls)
    crawled_again(tmp_path, lambda url: int(url.removeprefix(A)))
    data = DataFolder(tmp_path)
    before = without_times(data)
    for status, outcome in ANSWERS.items():
        said = f'<{A}{status}#fetch> <urn:gossamer:outcome> "{outcome}" <{A}{status}#fetch> .'
        assert said in before
    for words in ((), ("--anew",)):
        assert rebuilt(data, *words)["pages"] == len(urls)
        assert without_times(data) == before


def test_a_page_that_said_the_same_again_keeps_the_time_of_its_last_visit(tmp_path: Path) -> None:
    crawled_site(tmp_path, {A: "<title>A</title>"}, [A])
    data, day = DataFolder(tmp_path), 24 * 60 * 60 * 1_000_000
    with closing(apsw.Connection(str(data.frontier_file))) as database:
        database.execute("UPDATE pages SET settled_at = settled_at + ?", (day,))
        settled = from_microseconds(database.execute("SELECT settled_at FROM pages").get)
    assert rebuilt(data)["pages"] == 1
    told = gossamer("export", "--data", str(data.path)).splitlines()
    assert f'<{A}#fetch> <urn:gossamer:outcome> "fetched" <{A}#fetch> .' in told
    times = [line for line in told if "AtTime>" in line]
    assert len(times) == 2
    assert all(f"{settled:%Y-%m-%dT%H:%M:%S}" in line for line in times)


def test_records_that_a_killed_forget_has_moved_are_found(tmp_path: Path) -> None:
    urls = [f"{A}{number}" for number in range(4)]
    crawled_site(tmp_path, {url: f"<title>{url}</title>" for url in urls}, urls)
    data = DataFolder(tmp_path)
    with Archive(data.archive_folder, hurried().archive, node="killed") as archive:
        next(archive.forget(lambda url: url == urls[0]))  # and here it dies
    said = rebuilt(data, "--anew")
    assert (said["pages"], said["unreadable"]) == (3, 1)  # but for the one that is gone


def test_a_crawl_that_archived_only_pages_with_data_is_made_anew(tmp_path: Path) -> None:
    pages: dict[str, Sent | str] = {
        f"{A}data": "<title>A</title>",
        f"{A}dull": "<p>Nothing.",
        f"{A}moved": Sent("", 301, {"Location": f"{A}data"}),
        f"{A}gone": Sent("", 404),
    }
    config = replace(hurried(), archive=ArchiveSettings(keep="data"))
    found, _ = crawled_site(tmp_path, pages, list(pages), config=config)
    assert {url for url, page in found.pages.items() if page.archived} == {f"{A}data"}
    data = DataFolder(tmp_path)
    (file,) = data.archive_folder.glob("*.warc.gz")
    assert [page.url for page in read_inputs(str(file))] == [f"{A}data"]
    said = rebuilt(data)
    assert (said["pages"], said["changed"], said["lost"]) == (1, 0, 0)
    said = rebuilt(data, "--anew")
    assert (said["pages"], said["lost"]) == (1, 0)
    assert quads(data) == found.summary.quads
    told = gossamer(
        "explain", f"{A}dull", "--data", str(data.path), "--connect-to", "*.test=127.0.0.1:1"
    )
    assert "no: it has no data, or" in told
    forgotten = gossamer("forget", f"{A}dull", f"{A}data", "--data", str(data.path))
    assert "2 pages" in forgotten
    assert list(read_inputs(str(data.archive_folder))) == []


def test_pages_without_a_copy_get_the_names_of_schema_org_of_today(tmp_path: Path) -> None:
    page = '<p itemscope itemtype="https://schema.org/Event"><b itemprop=name>One</b>'
    config = replace(
        hurried(), archive=ArchiveSettings(keep="none"), transform=Transform(keep_schemes=True)
    )
    crawled_site(tmp_path, {A: page}, [A], config=config)
    data = DataFolder(tmp_path)
    said = rebuilt(data, "--config", "transform.keep_schemes=true")
    assert (said["rewritten"], said["added"]) == (0, 0)
    told = gossamer("rebuild", "--data", str(data.path))
    assert "1 page without an archived copy: names of schema.org written as http" in told
    exported = gossamer("export", "--data", str(data.path), "--graph", A)
    assert "https://schema.org/" not in exported
    assert exported.count("http://schema.org/") == 2
    assert rebuilt(data)["rewritten"] == 0


def test_contexts_that_were_fetched_serve_once_more(tmp_path: Path) -> None:
    json_ld = {"Content-Type": "application/ld+json"}
    page = '{"@context": "http://c.test/context", "@id": "http://a.test/", "name": "A"}'
    context = '{"@context": {"name": "http://n.test/name"}}'
    found, _ = crawled_site(
        tmp_path,
        {
            "http://a.test/": Sent(page, headers=json_ld),
            "http://c.test/context": Sent(context, headers=json_ld),
        },
        ["http://a.test/"],
    )
    assert b"<http://n.test/name>" in found.nquads
    said = rebuilt(DataFolder(tmp_path))
    assert (said["pages"], said["changed"], said["removed"]) == (1, 0, 0)


def test_what_is_said_about_the_use_of_pages_is_read_once_more(tmp_path: Path) -> None:
    page = Sent("<meta name=tdm-reservation content=1>", headers={"Content-Usage": "search=y"})
    rules = Sent("User-agent: *\nContent-Usage: train-ai=n")
    crawled_site(tmp_path, {A: page, f"{A}robots.txt": rules}, [A])
    data = DataFolder(tmp_path)
    before = without_times(data)
    assert sum("urn:gossamer:source" in line for line in before) == 3
    assert rebuilt(data, "--anew")["pages"] == 1
    assert without_times(data) == before


class Watched(Backlog):
    """Places that note how many bytes were in hand at most."""

    most = 0

    def fill(self, size: int, site: str = "") -> None:
        """An answer of so many bytes is here."""
        super().fill(size, site)
        self.most = max(self.most, self.bytes_in_hand)


class Counting:
    """A graph that notes how much it was handed at once."""

    def __init__(self, graph: GraphProcess) -> None:
        self._graph = graph
        self.sizes: list[int] = []

    async def renew(self, pages: Sequence[PageGraphs]) -> tuple[PageChanged, ...]:
        """Keep pages."""
        self.sizes.append(sum(len(page.nquads or b"") for page in pages))
        return await self._graph.renew(pages)

    async def unify_schema(self) -> tuple[tuple[PageChanged, ...], int]:
        """Rewrite names of schema.org."""
        return await self._graph.unify_schema()

    async def flush(self) -> None:
        """Have it on the disk."""
        await self._graph.flush()


def rebuilt_here(folder: Path, places: Backlog) -> tuple[Rebuilt, list[int]]:
    """A graph made anew in this process, and how many bytes it was handed at once."""

    async def run() -> tuple[Rebuilt, list[int]]:
        data, config = DataFolder(folder), hurried()
        with (
            open_folder(data, config.frontier) as place,
            FrontierThread("frontier") as frontier_thread,
        ):
            frontier = place.frontier(config)
            async with (
                TransformPool(config.transform, workers=1) as pool,
                GraphProcess(data.graph_folder) as process,
            ):
                graph = Counting(process)
                rebuilding = Rebuilding(
                    config=config,
                    frontier=frontier,
                    frontier_thread=frontier_thread,
                    graph=graph,
                    archive=data.archive_folder,
                    pool=pool,
                    judge=Judge(config, Admission(config, SeedScope(config.scope, []))),
                    now=now_utc,
                    differs=lambda _: None,
                    unreadable=lambda _page, _error: None,
                    backlog=places,
                )
                return await rebuilding.run(), graph.sizes

    return asyncio.run(run())


def test_large_pages_are_not_all_in_memory_at_once(tmp_path: Path) -> None:
    size, count = 256 * 1024, 16
    urls = [f"http://a.test/{number}" for number in range(count)]
    crawled_site(tmp_path, dict.fromkeys(urls, "<p>" + "x" * size), urls)
    places = Watched(4, size)
    done, handed = rebuilt_here(tmp_path, places)
    assert (done.pages, len(handed)) == (count, 1)
    assert size <= places.most < 5 * size


def test_what_pages_say_goes_to_the_graph_in_portions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said, count = 10_000, 40
    urls = [f"http://a.test/{number}" for number in range(count)]
    crawled_site(tmp_path, dict.fromkeys(urls, f"<title>{'x' * said}</title>"), urls)
    monkeypatch.setattr("gossamer.upkeep.archived_pages.TOGETHER_BYTES", 4 * said)
    done, handed = rebuilt_here(tmp_path, Backlog(4, 10 * said))
    assert (done.pages, done.changed, done.unreadable) == (count, 0, 0)
    assert sum(handed) > count * said
    assert max(handed) < (4 + 4 * usable_cores() + 1) * 2 * said
    assert len(handed) > 2


def test_pages_of_older_folders_have_their_text_from_the_archive(tmp_path: Path) -> None:
    page = "<title>Keeper</title><p>He counts the ships by lamplight.</p>"
    config = hurried()
    config = replace(config, index=replace(config.index, text="none"))
    crawled_site(tmp_path, {"http://a.test/": page}, ["http://a.test/"], config)
    data = DataFolder(tmp_path)
    search = ("search", "lamplight", "--in", "text", "--json", "--data", str(data.path))
    assert json.loads(gossamer(*search))["total"] == 0
    rebuilt(data)
    (found,) = json.loads(gossamer(*search))["results"]
    assert found["id"] == "http://a.test/"
    rebuilt(data, "--config", "index.text=none")
    assert json.loads(gossamer(*search))["total"] == 0
