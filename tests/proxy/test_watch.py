import asyncio
from dataclasses import dataclass
from datetime import datetime, timedelta

from tests.proxy.proxied import run, until

from gossamer.config import Fetch
from gossamer.model import Cause
from gossamer.moments import now_utc
from gossamer.politeness.outcome import Reported
from gossamer.proxy.upstream import Upstream
from gossamer.proxy.watch import Watch

LIMITS = Fetch(
    first_byte_timeout=timedelta(milliseconds=50), low_speed_time=timedelta(milliseconds=50)
)


@dataclass(slots=True)
class Plain:
    """A permit that nobody gave."""

    started_at: datetime
    ends_by: datetime
    on_hurry: object = None

    def end(self, report: Reported) -> None: ...

    def abandon(self, why: str) -> None: ...


QUICK = Fetch(first_byte_timeout=timedelta(milliseconds=10))


def permit(seconds: float) -> Plain:
    now = now_utc()
    return Plain(now, now + timedelta(seconds=seconds))


def ended(phase: str, seconds: float) -> Cause | None:
    """Why an exchange ends in which nothing happens after this phase."""

    async def work() -> Cause | None:
        given_up: list[bool] = []
        watch = Watch(LIMITS, permit(seconds), lambda: given_up.append(True))  # type: ignore[arg-type]  # see `Plain`
        watch.connected(Upstream("http://a.test"))
        if phase != "sending":
            watch.asked()
        if phase == "answering":
            watch.answered()
        await until(lambda: given_up)
        return watch.cause

    return run(work())


def test_each_phase_has_its_limit() -> None:
    assert ended("asking", 60) == Cause.TIMEOUT_FIRST_BYTE
    assert ended("answering", 60) == Cause.SLOW
    assert ended("sending", 0.1) == Cause.TIMEOUT_TOTAL


def test_it_ends_sooner_where_the_folder_goes_to_somebody_else() -> None:
    async def work() -> Cause | None:
        given_up: list[bool] = []
        given = permit(60)
        watch = Watch(LIMITS, given, lambda: given_up.append(True))  # type: ignore[arg-type]  # see `Plain`
        assert callable(given.on_hurry)
        given.on_hurry(now_utc())
        assert given_up
        return watch.cause

    assert run(work()) == Cause.TIMEOUT_TOTAL


def test_nobody_looks_when_it_is_closed() -> None:
    async def work() -> list[bool]:
        given_up: list[bool] = []
        watch = Watch(QUICK, permit(0.01), lambda: given_up.append(True))  # type: ignore[arg-type]  # see `Plain`
        watch.close()
        await asyncio.sleep(0.05)
        return given_up

    assert run(work()) == []
