"""A crawl does what its node is told through the database, once each time."""

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from tests.cli.conftest import Gossamer, here
from tests.crawl.commands import CrawlCommand, until
from tests.crawl.crawls import PATIENCE, crawled, hurried, opened, reaching
from tests.crawl.door import Door
from tests.crawl.nodes import CASE, folders, nodes, order

from gossamer.crawl.wishes import WishFollower, follow_wish
from gossamer.demo.process import DemoServer
from gossamer.demo.world import World
from gossamer.events import Draining, Event, Paused, Resumed
from gossamer.frontier.endings import EndKind
from gossamer.frontier.postgres import PostgresStore
from gossamer.frontier.schema import POSTGRES, TableVersions
from gossamer.nodes.steering import standings
from gossamer.nodes.store import BeatAnswer, ClockLead, NodeStore, NodeWish

__all__ = ["here"]  # a fixture
WORLD = World(seed=9, pages=40, hosts=3, crawl_delay=0)


def answer(wish: NodeWish | None, wished_at: int | None) -> BeatAnswer:
    return BeatAnswer(0, ClockLead(0, 0), wish, wished_at)


def test_a_crawl_that_drains_keeps_what_it_asked_for_and_another_run_takes_up_the_rest(
    tmp_path: Path,
) -> None:
    async def live(door: Door) -> list[Event]:
        events: list[Event] = []
        config = reaching(hurried(), door.address)
        async with (
            asyncio.timeout(PATIENCE),
            opened(tmp_path / "data", config, [WORLD.front(0)], events=events) as running,
        ):
            door.close(after=5)  # of which some are robots.txt
            crawling = asyncio.create_task(running.crawl.run())
            await asyncio.to_thread(door.wait)
            follow_wish(running.crawl, NodeWish.DRAIN)
            follow_wish(running.crawl, NodeWish.DRAIN)  # a second time
            await asyncio.sleep(0)
            assert not crawling.done()  # a request is under way
            door.open()
            ended = await crawling
            assert ended.kind is EndKind.DRAINED
            counts = await running.frontier_thread.do(running.frontier.counts)
            assert counts.left
            assert not counts.handed
        return events

    with DemoServer(WORLD, tmp_path / "access.log") as server:
        with Door(server.address) as door:
            events = asyncio.run(live(door))
        rest = crawled(tmp_path / "data", reaching(hurried(), server.address))
        asked = [each.path for each in server.accesses() if each.host == "www.site0.test"]
    assert events.count(Draining()) == 1
    assert rest.ended.kind is EndKind.DONE
    assert len(asked) == len(set(asked))  # nothing was asked for twice


def test_a_pause_counts_once_and_whoever_resumes_here_takes_it_back(tmp_path: Path) -> None:
    async def live() -> None:
        events: list[Event] = []
        async with opened(tmp_path, hurried(), ["https://a.test/"], events=events) as running:
            crawl, do = running.crawl, running.frontier_thread.do
            follow = WishFollower(running)
            store, node = NodeStore(running.frontier.store), running.frontier.node
            await do(store.join, node, "1.0")
            await do(store.wish, node, NodeWish.PAUSE)
            told = await do(store.beat, node, "1.0", "running", b"{}")
            follow(told)
            assert crawl.is_paused
            follow(told)  # by the next beat
            crawl.resume()
            follow(told)
            assert (await do(store.all))[1][0].wish is None
            crawl.pause()
            follow(answer(NodeWish.RUN, 1))
            assert [each for each in events if isinstance(each, Paused | Resumed)] == [
                Paused(),
                Resumed(),
            ]
            follow(answer(NodeWish.STOP, 2))
            follow(answer(None, None))
            assert crawl.stop_reason is not None

    asyncio.run(live())


def test_a_node_is_drained_by_its_name_and_the_others_finish(
    here: Gossamer, database: str, tmp_path: Path
) -> None:
    one, two = folders(tmp_path, 2)
    with DemoServer(CASE.world) as server, Door(server.address) as door:
        door.close()
        with nodes([one], *order(CASE, door, database)) as (first,):
            door.wait()
            unknown = here("nodes", "drain", "nobody", "--frontier", database)
            assert unknown.returncode == 2
            assert "There are: " in unknown.stderr
            name = unknown.stderr.rpartition("There are: ")[2].strip(". \n")
            told = here("nodes", "drain", name[:8], "--frontier", database, "--json")
            assert f"{name} is told to drain" in told.stderr
            with CrawlCommand(two, *order(CASE, door, database)) as second:
                with closing(PostgresStore(database)) as store:
                    until(lambda: [each.state for each in standings(store)].count("draining"))
                    until(lambda: len(standings(store)) == 2)
                door.open()
                waited = here("nodes", "drain", name, "--wait", "--data", str(two))
                assert waited.returncode == 0, waited.stderr
                assert waited.stderr.splitlines()[-1] == f"{name} has left."
                assert (first.ended(), first.last_line["ended"]) == (0, "drained")
                assert second.summary()["ended"] == "done"
    nobody = here("pause", "--all-nodes", "--frontier", database)
    assert (nobody.returncode, nobody.stderr) == (
        1,
        "gossamer: No node of this crawl is running.\n",
    )


@pytest.mark.parametrize("command", ["pause", "resume", "stop"])
def test_a_crawl_of_one_node_has_no_others(here: Gossamer, command: str) -> None:
    done = here(command, "--all-nodes")
    assert (done.returncode, "is not one of many nodes" in done.stderr) == (2, True), done.stderr
    done = here(command, "--frontier", "postgresql://me@127.0.0.1:1/b")
    assert (done.returncode, "add --all-nodes" in done.stderr) == (2, True), done.stderr


def test_a_node_goes_on_beneath_an_upgrade_that_it_can_live_with_and_leaves_for_another(
    database: str, tmp_path: Path
) -> None:
    newest, said = POSTGRES.newest, list[str]()
    gentle = replace(POSTGRES, statements=(*POSTGRES.statements, ("CREATE TABLE x (y bigint)",)))
    hard = TableVersions(
        (*gentle.statements, ("ALTER TABLE hosts RENAME COLUMN site TO place",)),
        POSTGRES.breaking | {newest + 2},
    )

    def open_as(versions: TableVersions) -> None:
        PostgresStore(database, node="newer", versions=versions, tell=said.append).close()

    with (
        ThreadPoolExecutor(1) as other,
        DemoServer(CASE.world) as server,
        Door(server.address) as door,
        nodes(folders(tmp_path, 1), *order(CASE, door, database)) as (older,),
        closing(PostgresStore(database)) as store,
    ):
        door.close()
        door.wait()
        until(lambda: standings(store))
        open_as(gentle)  # at once
        assert not said
        upgrading = other.submit(open_as, hard)
        until(lambda: said or upgrading.done())
        assert re.search(r"waited for: \S+ \(holds 1 host\)", said[0])
        until(lambda: [each.state for each in standings(store)] == ["draining"])
        door.open()
        assert older.ended() == 0, older.words
        upgrading.result(PATIENCE)
    assert older.last_line["ended"] == "drained"
    assert "Upgrade Gossamer on this machine" in older.words
    again = CrawlCommand(older.data)
    with again:
        assert again.ended() == 1
    assert "was written by a newer Gossamer" in again.words
