"""Whatever happens to a crawl, nothing is lost, nothing is settled twice, nobody is hurried."""

import os
import random
import resource
import signal
import sqlite3
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest
from tests.crawl.commands import CrawlCommand, crawl, states, until
from tests.crawl.door import Door
from tests.index.server.gate import Gate, Seen, Told
from warcio.archiveiterator import ArchiveIterator

from gossamer.archive.exchange import ArchivePlace
from gossamer.archive.reading import read_record
from gossamer.demo.accesslog import Access, audit
from gossamer.demo.names import host_name
from gossamer.demo.process import DemoServer
from gossamer.demo.robots import KINDS, RobotsKind
from gossamer.demo.truth import truth
from gossamer.demo.world import World
from gossamer.folder.data import DataFolder
from gossamer.frontier.schema import HANDED, SETTLED
from gossamer.frontier.sqlite import SqliteStore
from gossamer.index.graph.store import GraphStore
from gossamer.log import read_events

DELAY = 0.1
ORDER = (
    *("--scope", "any", "--delay", str(DELAY), "--workers", "1"),
    *("--config", "sitemaps.use=false", "--config", "politeness.backoff_first=0.2"),
    *("--config", "politeness.slowness=0"),
    *("--agent-contact", "me@a.test"),
)


@dataclass(frozen=True)
class Death:
    """What was on the disk when a crawl was killed."""

    at: float
    settled: frozenset[str]
    handed: frozenset[str]


def died(data: Path) -> Death:
    found = states(data)
    return Death(
        time.time(),
        frozenset(url for url, state in found.items() if state == SETTLED),
        frozenset(url for url, state in found.items() if state == HANDED),
    )


def records(data: Path) -> list[str]:
    """The answers in the archive, each read to its end."""
    urls = []
    for file in sorted((data / "archive").glob("*.warc.gz")):
        with file.open("rb") as stream:
            for record in ArchiveIterator(stream, check_digests="raise"):
                record.content_stream().read()
                if record.rec_type in ("response", "revisit"):
                    urls.append(record.rec_headers.get_header("WARC-Target-URI"))
    return urls


def archived(data: Path) -> dict[str, str | None]:
    """Where the frontier says that the archive has each page; every place can be read."""
    with closing(sqlite3.connect(f"file:{data / 'frontier.db'}?mode=ro", uri=True)) as database:
        places = dict(database.execute("SELECT url, archived FROM pages"))
    for url, place in places.items():
        if place is not None:
            found = read_record(data / "archive", ArchivePlace.parse(place))
            assert found.url == url
    return places


def killed(data: Path, server: DemoServer, chance: random.Random, *order: str) -> Death:
    """Run the crawl until some moment, or to its end, then kill -9 all of it."""
    with CrawlCommand(data, *order) as command:
        # Who is killed before a seed is kept has to be given it again.
        asked, more = count(server), chance.choice([1, 5] if order else [0, 1, 5, 20, 20, 40])
        until(lambda: count(server) >= asked + more or command.process.poll() is not None)
        time.sleep(chance.uniform(0, 2.0 if more == 0 else 0.4))  # the moment is the input here
        command.kill()
    return died(data)


def killed_in_the_middle(data: Path, door: Door, *order: str) -> Death:
    """Run the crawl until it has asked for a page, and kill it before it has the answer."""
    door.close(holds=lambda url: not url.endswith("/robots.txt"))
    with CrawlCommand(data, *order) as command:
        door.wait()
        command.kill()
    door.open()
    return died(data)


def count(server: DemoServer) -> int:
    return sum(1 for _ in server.accesses())


def url_of(access: Access) -> str:
    return f"http://{access.host}{access.path}"


@pytest.mark.timeout(1800)
def test_a_crawl_that_is_killed_again_and_again_comes_to_the_same(
    tmp_path: Path, full_size: bool
) -> None:
    chance = random.Random(11)
    kills = 50 if full_size else 8
    world = World(seed=9, pages=1500 if full_size else 180, hosts=8, crawl_delay=0.2)
    data, seed = tmp_path / "data", world.front(0)
    with DemoServer(world, tmp_path / "access.log") as server, Door(server.address) as door:
        order = (seed, *ORDER, "--connect-to", door.connect_to)
        deaths = [killed_in_the_middle(data, door, *order)]
        deaths += [killed(data, server, chance) for _ in range(kills - 1)]
        summary = crawl(data, patience=600)
        accesses = list(server.accesses())
    told = truth(world, [seed], scope="any")
    assert summary["ended"] == "done"
    assert summary["pages"] == len(told.visited)
    assert summary["refused"] == len(told.refused)
    assert summary["quads"] == told.quads()
    check_requests(accesses, deaths)
    asks_for_more = [
        a for a in accesses if a.host == host_name(KINDS.index(RobotsKind.CRAWL_DELAY))
    ]
    assert min(gaps_before_pages(asks_for_more)) >= world.crawl_delay
    kept = set(records(data))
    assert {url for url, place in archived(data).items() if place} <= kept
    assert len(kept) > len(told.visited) / 2  # all but those that ask not to be kept


def check_requests(accesses: list[Access], deaths: list[Death]) -> None:
    # A robots.txt may lead to another.
    pages = [access for access in accesses if not access.path.endswith("/robots.txt")]
    for death in deaths:  # what was settled is never asked for again
        later = {url_of(access) for access in pages if access.arrived > death.at}
        assert not later & death.settled
    asked = Counter(map(url_of, pages))
    for url, times in asked.items():  # what was in hand may be, once a death
        assert times <= 1 + sum(url in death.handed for death in deaths), url
    assert max(asked.values()) > 1  # or the crawl was never killed in the middle of anything
    for host, found in audit(accesses).items():
        assert found.most_in_flight == 1
        assert found.smallest_gap is None or found.smallest_gap >= DELAY, host


def gaps_before_pages(accesses: list[Access]) -> Iterator[float]:
    """Not before robots.txt: who is killed before it is kept has to ask for it anew."""
    for earlier, later in pairwise(sorted(accesses, key=lambda access: access.arrived)):
        if not later.path.endswith("/robots.txt"):
            yield later.arrived - earlier.ended


# ---- what else may go wrong


WORLD = World(seed=2, pages=60, hosts=5, crawl_delay=0.05)
SEED = WORLD.front(0)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DemoServer]:
    with DemoServer(WORLD, tmp_path_factory.mktemp("server") / "access.log") as running:
        yield running


def order(server: DemoServer | Door) -> tuple[str, ...]:
    return (SEED, *ORDER, "--connect-to", server.connect_to)


@contextmanager
def held_after(count: int, server: DemoServer) -> Iterator[Door]:
    """A door that is closed after so many answers."""
    with Door(server.address) as door:
        door.close(after=count)
        yield door


def is_all_there(summary: dict[str, object]) -> bool:
    told = truth(WORLD, [SEED], scope="any")
    return (summary["pages"], summary["quads"]) == (len(told.visited), told.quads())


def room_for_few_pages(folder: Path) -> int:
    """The most bytes of a file with which a crawl begins, and does not get far."""
    folder.mkdir()
    with closing(SqliteStore(folder / "frontier.db")):
        return sum(path.stat().st_size for path in folder.glob("frontier.db*")) + 130_000


def test_a_full_disk_is_waited_out(server: DemoServer, tmp_path: Path) -> None:
    room = room_for_few_pages(tmp_path / "empty")
    with CrawlCommand(tmp_path / "data", *order(server), max_file_bytes=room) as command:
        command.says(r"warning: paused: .*/frontier\.db cannot be written")  # which grows fastest
        command.lift_limit()
        assert is_all_there(command.summary())
        assert "going on: there is room again" in command.words


def test_a_graph_without_room_is_waited_for(server: DemoServer, tmp_path: Path) -> None:
    with held_after(5, server) as door, CrawlCommand(tmp_path / "data", *order(door)) as command:
        door.wait()
        (graph,) = command.named("gossamer.index.graph.process")
        # The next process has no such limit.
        resource.prlimit(graph, resource.RLIMIT_FSIZE, (4096, resource.RLIM_INFINITY))
        door.open()
        command.says("warning: paused: .*/graph")
        assert is_all_there(command.summary())
        assert "going on: there is room again" in command.words


def test_an_archive_without_room_is_waited_for(tmp_path: Path) -> None:
    links = "".join(f"<a href=/{number}>.</a>" for number in range(5))

    def page(seen: Seen) -> Told:
        noise = random.Random(seen.path).randbytes(1_200_000).hex()  # none fits into a file
        body = f"<p>{links}<!-- {noise} -->".encode()
        status = 404 if seen.path == "/robots.txt" else 200
        return Told(status, body, {"Content-Type": "text/html"})

    with Gate() as site:
        site.rule = page
        reach = ("--connect-to", f"*.test={site.url.removeprefix('http://')}")
        command = CrawlCommand(
            tmp_path / "data", "http://a.test/", *ORDER, *reach, max_file_bytes=1_000_000
        )
        with command:
            command.says(r"warning: paused: There is no room for .*/archive/.*\.warc\.gz")
            command.lift_limit()
            assert command.summary()["pages"] == 6
            assert "going on: there is room again" in command.words
    pages = ["http://a.test/", *(f"http://a.test/{number}" for number in range(5))]
    assert sorted(records(tmp_path / "data")) == pages
    assert all(archived(tmp_path / "data").values())


def test_a_crawl_on_a_full_disk_can_be_stopped_and_goes_on(
    server: DemoServer, tmp_path: Path
) -> None:
    room = room_for_few_pages(tmp_path / "empty")
    with CrawlCommand(tmp_path / "data", *order(server), max_file_bytes=room) as command:
        command.says("warning: paused: ")
        command.interrupt()
        assert command.ended() in (1, 130)
        assert "Traceback" not in command.words
    assert is_all_there(crawl(tmp_path / "data"))


def test_dead_processes_are_replaced(server: DemoServer, tmp_path: Path) -> None:
    with held_after(5, server) as door, CrawlCommand(tmp_path / "data", *order(door)) as command:
        door.wait()
        for module in ("gossamer.reading.pool.worker", "gossamer.index.graph.process"):
            (pid,) = command.named(module)
            os.kill(pid, signal.SIGKILL)
        door.open()
        assert is_all_there(command.summary())
        assert "the graph is opened anew" in command.words


def test_what_somebody_else_holds_is_a_sentence(server: DemoServer, tmp_path: Path) -> None:
    holder = GraphStore.open(tmp_path / "graph held" / "graph")
    with (
        DataFolder(tmp_path / "owned").owned(),
        CrawlCommand(tmp_path / "owned", *order(server)) as in_vain,
        CrawlCommand(tmp_path / "graph held", *order(server)) as without_graph,
    ):
        assert in_vain.ended() == without_graph.ended() == 1
        assert f"is in use by process {os.getpid()}" in in_vain.words
        assert "is in use by another process" in without_graph.words
        assert "Traceback" not in in_vain.words + without_graph.words
    del holder


def test_a_crawl_is_changed_while_it_runs(server: DemoServer, tmp_path: Path) -> None:
    data = DataFolder(tmp_path / "data")
    with CrawlCommand(data.path, *order(server), "--delay", "1000") as command:
        asked = count(server)
        until(lambda: count(server) > asked)
        data.keep_runtime_changes({"politeness.delay": "soon"})
        command.says("politeness.delay: 'soon' is not a time.* The crawl goes on as before.")
        data.keep_runtime_changes({"politeness.delay": "0", "crawl.max_pages": "5"})
        summary = command.summary()
    assert (summary["pages"], summary["ended"]) == (5, "pages")
    told = [event for event in read_events(data.log_folder) if event["event"] == "config-changed"]
    assert {str(event["key"]): event["value"] for event in told} == {
        "politeness.delay": "0s",
        "crawl.max_pages": "5",
    }
