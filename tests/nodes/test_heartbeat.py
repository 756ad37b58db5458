import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from tests.frontier.worlds import World
from tests.slowness import patience

from gossamer.errors import StorageAwayError
from gossamer.nodes.heartbeat import Heartbeat, clock_of, point_of
from gossamer.nodes.report import (
    NO_REPORT,
    CrawlFigures,
    DiskRoom,
    MachineMemory,
    NodeReport,
    load_report,
)
from gossamer.nodes.seen import node_told, see_nodes, state_of
from gossamer.nodes.store import BeatAnswer, ClockLead, NodeCondition, NodeStore, NodeWish

T = TypeVar("T")
CRAWL = CrawlFigures(1.5, 20.0, None, 3, 4, 5, 6, "read", 7)


@dataclass
class Beats:
    """A heartbeat, and those who wait for its answers."""

    store: NodeStore
    heard: "asyncio.Queue[BeatAnswer]" = field(default_factory=asyncio.Queue)
    is_away: bool = False
    calls: "asyncio.Queue[object]" = field(default_factory=asyncio.Queue)

    def heartbeat(self, sample: Callable[[], NodeReport] = lambda: NO_REPORT) -> Heartbeat:
        return Heartbeat(
            node="one",
            store=self.store,
            do=self.do,
            sample=sample,
            state=lambda: NodeCondition.PAUSED,
            figures=lambda: CRAWL,
            every=0.0,
            version="1.0",
            listeners=[self.heard.put_nowait],
        )

    async def do(self, call: Callable[..., T], *arguments: Any) -> T:
        self.calls.put_nowait(call)
        if self.is_away:
            raise StorageAwayError("It is away.")
        return call(*arguments)

    async def called(self, count: int) -> None:
        async with asyncio.timeout(patience(20)):
            for _ in range(count):
                await self.calls.get()

    async def wait(self, count: int = 1) -> BeatAnswer:
        async with asyncio.timeout(patience(20)):
            for _ in range(count):
                answer = await self.heard.get()
        return answer


def test_a_node_joins_beats_and_leaves(world: World) -> None:
    async def live() -> None:
        beats = Beats(NodeStore(world.store()))
        heartbeat = beats.heartbeat(lambda: NodeReport(cpu=1.5, memory=MachineMemory(1, 2, 3)))
        beating = asyncio.create_task(heartbeat.run())
        await beats.wait(2)
        (one,) = beats.store.all()[1]
        assert (one.node, one.state, one.version) == ("one", "paused", "1.0")
        assert load_report(one.report).crawl == CRAWL
        assert load_report(one.report).clock_ahead is not None
        (_, point), *_ = beats.store.figures()["one"]
        assert json.loads(point)["pages_per_second"] == 1.5
        beating.cancel()
        await asyncio.wait([beating])
        await heartbeat.leave("disk")
        assert beats.store.all()[1][0].has_left
        seen = see_nodes(world.store())
        told = node_told(seen.nodes[0], seen.now)
        assert (told["pages"], told["pages_per_second"], told["in_flight"]) == (3, None, None)
        assert (told["memory"], told["ended"]) == ({"used": 1, "free": 2, "total": 3}, "disk")
        assert state_of(told) == "left: disk"
        assert state_of({**told, "ended": "done"}) == state_of({**told, "ended": None}) == "left"

    asyncio.run(live())


def test_a_wish_reaches_whoever_listens(world: World) -> None:
    async def live() -> None:
        beats = Beats(NodeStore(world.store()))
        beating = asyncio.create_task(beats.heartbeat().run())
        assert (await beats.wait()).wish is None
        NodeStore(world.store()).wish("one", NodeWish.DRAIN)
        while (await beats.wait()).wish is not NodeWish.DRAIN:
            pass
        beating.cancel()

    asyncio.run(live())


def test_beats_that_fail_are_left_out_and_it_goes_on_when_the_database_is_back(
    world: World,
) -> None:
    async def live() -> None:
        beats = Beats(NodeStore(world.store()), is_away=True)
        beating = asyncio.create_task(beats.heartbeat().run())
        await beats.called(3)
        assert beats.heard.empty()
        beats.is_away = False
        await beats.wait(2)
        beating.cancel()

    asyncio.run(live())


def test_points_for_charts_are_far_apart(world: World) -> None:
    async def live() -> None:
        beats = Beats(NodeStore(world.store()))
        beating = asyncio.create_task(beats.heartbeat().run())
        await beats.wait(4)
        assert len(beats.store.figures()["one"]) == 1
        world.later(60)
        await beats.wait(4)
        assert len(beats.store.figures()["one"]) == 2
        beating.cancel()

    asyncio.run(live())


def test_a_clock_is_known_within_the_time_that_asking_took() -> None:
    assert clock_of(ClockLead(1_000_000, 3_000_000)) == (2.0, 1.0)


def test_a_point_has_what_is_known() -> None:
    assert json.loads(point_of(NO_REPORT)) == {}
    report = NodeReport(disks=(DiskRoom("a", 5, 9), DiskRoom("b", 3, 9)), crawl=CRAWL)
    point = json.loads(point_of(report))
    assert point["free"] == 3
    assert "bytes_per_second" not in point
