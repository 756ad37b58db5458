import asyncio

from gossamer.fetch.patience import Patience
from gossamer.fetch.transfer import Limits, Stop, Transfer
from gossamer.fetch.watch import Watch
from gossamer.model import Cause, Url


def transfer(total_by: float, connect_by: float = 1e9) -> Transfer:
    patience = Patience(connect_by, total_by, first_byte=60, low_speed_bytes=0, low_speed_time=60)
    return Transfer(Url("http://site.test/"), Limits(1000, 1000), patience, lambda: 0.0)


class Busy(dict[str, Transfer]):
    """Transfers under way, and an event for whoever waits until one is ended."""

    def __init__(self) -> None:
        super().__init__()
        self.ended: asyncio.Queue[str] = asyncio.Queue()

    def end(self, key: str) -> bool:
        self.ended.put_nowait(key)
        return self.pop(key, None) is not None


def test_a_transfer_that_takes_too_long_is_ended_with_its_cause() -> None:
    async def run() -> None:
        busy = Busy()
        watch = Watch(busy, busy.end)
        now = asyncio.get_running_loop().time()
        late = busy["late"] = transfer(now + 1000, connect_by=now + 0.01)
        watch.mind("late", late)
        assert await busy.ended.get() == "late"
        assert late.stopped == Stop(Cause.TIMEOUT_CONNECT, "Connecting took too long.")

    asyncio.run(run())


def test_one_whose_time_is_up_before_it_begins_is_ended_at_once() -> None:
    async def run() -> None:
        busy = Busy()
        watch = Watch(busy, busy.end)
        late = busy["late"] = transfer(asyncio.get_running_loop().time() - 1)
        watch.mind("late", late)
        assert busy.ended.get_nowait() == "late"
        assert late.stopped is not None
        assert late.stopped.reason is Cause.TIMEOUT_TOTAL

    asyncio.run(run())


def test_each_is_ended_in_its_own_time_and_the_others_go_on() -> None:
    async def run() -> None:
        busy = Busy()
        watch = Watch(busy, busy.end)
        now = asyncio.get_running_loop().time()
        moments = {"third": 0.3, "first": 0.01, "never": 1000.0, "second": 0.1}
        for key, seconds in moments.items():
            busy[key] = transfer(now + seconds)
            watch.mind(key, busy[key])
        assert [await busy.ended.get() for _ in range(3)] == ["first", "second", "third"]
        assert list(busy) == ["never"]
        assert busy["never"].stopped is None
        watch.close()

    asyncio.run(run())


def test_one_that_is_over_by_itself_is_not_said_to_be_late() -> None:
    async def run() -> None:
        busy = Busy()
        watch = Watch(busy, busy.end)
        over = transfer(asyncio.get_running_loop().time() - 1)
        watch.mind("over", over)
        assert over.stopped is None

    asyncio.run(run())


def test_nothing_is_looked_at_after_the_end() -> None:
    async def run() -> None:
        busy = Busy()
        watch = Watch(busy, busy.end)
        busy["late"] = transfer(asyncio.get_running_loop().time() + 0.01)
        watch.mind("late", busy["late"])
        watch.close()
        later = transfer(asyncio.get_running_loop().time() + 0.02)
        other = Watch({"later": later}, busy.end)
        other.mind("later", later)
        assert await busy.ended.get() == "later"

    asyncio.run(run())
