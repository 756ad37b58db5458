import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from tests.proxy.proxied import run, until

from gossamer.config import Fetch
from gossamer.model import Cause
from gossamer.moments import now_utc
from gossamer.politeness.outcome import Reported
from gossamer.politeness.prospects import TimeLeft
from gossamer.proxy.permits import Permit
from gossamer.proxy.upstream import Upstream
from gossamer.proxy.watch import ExchangeWatch, Watches

LIMITS = Fetch(
    first_byte_timeout=timedelta(milliseconds=50), low_speed_time=timedelta(milliseconds=50)
)


@dataclass(slots=True)
class Plain:
    """A permit that nobody gave."""

    started_at: datetime
    ends_by: datetime
    on_hurry: Callable[[datetime], None] | None = None
    is_wanted: bool = False

    def note_left(self, left: TimeLeft) -> None: ...

    def finish(self, report: Reported) -> None: ...

    def abandon(self, why: str) -> None: ...


QUICK = Fetch(first_byte_timeout=timedelta(milliseconds=10))


def permit(seconds: float) -> Plain:
    now = now_utc()
    return Plain(now, now + timedelta(seconds=seconds))


def watched(fetch: Fetch, given: Permit, given_up: list[bool]) -> ExchangeWatch:
    return ExchangeWatch(fetch, given, Watches(fetch), lambda: given_up.append(True))


def ended(phase: str, seconds: float) -> Cause | None:
    """Why an exchange ends in which nothing happens after this phase."""

    async def work() -> Cause | None:
        given_up: list[bool] = []
        watch = watched(LIMITS, permit(seconds), given_up)
        watch.note_connected(Upstream("http://a.test"))
        if phase == "uploading":
            watch.count_sent(1)
        elif phase != "sending":
            watch.note_sent()
        if phase in ("answering", "held up"):
            watch.note_answer()
        if phase == "held up":
            watch.pause()
        await until(lambda: given_up)
        return watch.cause

    return run(work())


def test_each_phase_has_its_limit() -> None:
    assert ended("asking", 60) == Cause.TIMEOUT_FIRST_BYTE
    assert ended("answering", 60) == Cause.SLOW
    assert ended("sending", 0.1) == Cause.TIMEOUT_TOTAL
    assert ended("uploading", 60) == Cause.SLOW
    assert ended("held up", 0.3) == Cause.TIMEOUT_TOTAL


def test_the_slowness_of_a_client_is_not_the_servers() -> None:
    async def work() -> Cause | None:
        given_up: list[bool] = []
        watch = watched(LIMITS, permit(60), given_up)
        watch.note_connected(Upstream("http://a.test"))
        watch.note_sent()
        watch.note_answer()
        watch.pause()
        await asyncio.sleep(0.3)
        assert not given_up
        watch.resume(0.3)
        while not given_up:  # pieces that are taken at once, of a server that sends next to nothing
            watch.pause()
            watch.resume(0.0)
            await asyncio.sleep(0.005)
        return watch.cause

    assert run(work()) == Cause.SLOW


def test_it_ends_sooner_where_the_folder_goes_to_somebody_else() -> None:
    async def work() -> Cause | None:
        given_up: list[bool] = []
        given = permit(60)
        watch = watched(LIMITS, given, given_up)
        assert callable(given.on_hurry)
        given.on_hurry(now_utc())
        assert given_up
        return watch.cause

    assert run(work()) == Cause.TIMEOUT_TOTAL


def test_nobody_looks_when_it_is_closed() -> None:
    async def work() -> list[bool]:
        given_up: list[bool] = []
        watch = watched(QUICK, permit(0.01), given_up)
        watch.close()
        await asyncio.sleep(0.05)
        return given_up

    assert run(work()) == []


def test_one_timer_serves_all_and_rings_for_those_that_last() -> None:
    async def work() -> None:
        given_up: list[str] = []
        watches = Watches(QUICK)

        def watch(name: str, seconds: float) -> ExchangeWatch:
            return ExchangeWatch(QUICK, permit(seconds), watches, lambda: given_up.append(name))

        short, long = watch("short", 0.001), watch("long", 60)
        watch("over", 0.001).close()
        await until(lambda: given_up)
        assert given_up == ["short"]
        assert (short.cause, long.cause) == (Cause.TIMEOUT_TOTAL, None)
        watch("later", 0.001)
        await until(lambda: len(given_up) > 1)
        assert given_up == ["short", "later"]
        long.close()

    run(work())
