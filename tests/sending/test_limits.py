import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise

from tests.slowness import patience
from tests.virtual_time import in_virtual_time, now

from gossamer.config import Politeness
from gossamer.moments import now_utc
from gossamer.sending.line import SharedLimits

FAR = datetime(2100, 1, 1, tzinfo=UTC)


def test_an_address_has_room_for_so_many_and_then_for_who_comes_after() -> None:
    async def work() -> list[str]:
        limits = SharedLimits(Politeness(per_address=1), now_utc)
        order: list[str] = []

        async def request(name: str) -> None:
            await limits.room("192.0.2.1", FAR)
            limits.enter("192.0.2.1")
            order.append(f"{name} in")
            await asyncio.sleep(0)
            order.append(f"{name} out")
            limits.leave("192.0.2.1")

        await asyncio.gather(request("a"), request("b"), request("c"))
        return order

    order = asyncio.run(asyncio.wait_for(work(), patience(60)))
    assert [step.split()[1] for step in order] == ["in", "out"] * 3


def test_a_pinned_host_needs_no_room() -> None:
    async def work() -> None:
        limits = SharedLimits(Politeness(per_address=1), now_utc)
        for _ in range(5):
            await limits.room(None, FAR)
            limits.enter(None)

    asyncio.run(asyncio.wait_for(work(), patience(60)))


@dataclass
class Clock:
    now: datetime = datetime(2026, 1, 2, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.now += timedelta(milliseconds=50)
        return self.now


def test_requests_and_bytes_a_second_keep_under_their_ceilings() -> None:
    async def work() -> list[datetime]:
        clock = Clock()
        limits = SharedLimits(Politeness(requests_per_second=2, bytes_per_second=1000), clock)
        starts = []
        for _ in range(4):
            await limits.room(None, FAR)
            limits.enter(None)
            starts.append(clock.now)
            limits.leave(None, 2000)
        return starts

    starts = in_virtual_time(work())
    gaps = [later - earlier for earlier, later in pairwise(starts)]
    assert min(gaps) >= timedelta(seconds=1.9)


def test_other_limits_hold_at_once_for_those_who_wait() -> None:
    async def work() -> None:
        limits = SharedLimits(Politeness(per_address=1), now_utc)
        await limits.room("192.0.2.1", FAR)
        assert limits.has_room("192.0.2.1", now_utc())
        limits.enter("192.0.2.1")
        assert not limits.has_room("192.0.2.1", now_utc())
        waiting = asyncio.create_task(limits.room("192.0.2.1", FAR))
        await asyncio.sleep(0)
        limits.configure(Politeness(per_address=2))
        await waiting
        limits.enter("192.0.2.1")

    asyncio.run(asyncio.wait_for(work(), patience(60)))


def test_nobody_waits_for_room_longer_than_it_has_patience() -> None:
    async def work() -> None:
        limits = SharedLimits(Politeness(per_address=1, requests_per_second=0.1), now)
        began = now()
        limits.enter("192.0.2.1")
        assert not await limits.room("192.0.2.1", began)
        assert not await limits.room("192.0.2.2", began)  # a ceiling, and not the address
        assert now() == began
        assert not await limits.room("192.0.2.2", began + timedelta(seconds=5))
        assert now() - began == timedelta(seconds=5)
        assert await limits.room("192.0.2.2", began + timedelta(seconds=15))
        assert now() - began == timedelta(seconds=10) == limits.next_moment(began) - began

    in_virtual_time(work())
