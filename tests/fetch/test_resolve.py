import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from ipaddress import ip_address
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.fetch.names import Found, Unreachable, look_up_failed, no_such_name
from gossamer.fetch.resolve import (
    FAILURE_AGE,
    MAX_AGE,
    MIN_AGE,
    USUAL_AGE,
    Resolver,
    age_of,
)
from gossamer.model import Cause

HERE, THERE = ip_address("93.184.215.14"), ip_address("1.1.1.1")
SECOND = timedelta(seconds=1)


class Directory:
    """A name service of our own: answers from a table, when it is open, and counts who asked."""

    def __init__(self, **answers: Found | Unreachable | Exception) -> None:
        self.answers = {name.replace("_", "."): answer for name, answer in answers.items()}
        self.asked: list[str] = []
        self.open = asyncio.Event()
        self.open.set()
        self.closed = False

    async def look_up(self, name: str) -> Found | Unreachable:
        self.asked.append(name)
        await self.open.wait()
        answer = self.answers[name]
        if isinstance(answer, Exception):
            raise answer
        return answer

    def close(self) -> None:
        self.closed = True


@asynccontextmanager
async def resolving(directory: Directory, **options: Any) -> AsyncIterator[Resolver]:
    resolver = Resolver(lambda: directory, **{"timeout": 10 * SECOND, **options})
    try:
        yield resolver
    finally:
        resolver.close()


@pytest.mark.parametrize(
    ("ttl", "age"),
    [
        (None, USUAL_AGE),
        (timedelta(0), MIN_AGE),
        (MIN_AGE + SECOND, MIN_AGE + SECOND),
        (timedelta(days=7), MAX_AGE),
    ],
)
def test_an_answer_is_kept_as_long_as_it_holds_within_bounds(
    ttl: timedelta | None, age: timedelta
) -> None:
    now = [0.0]
    directory = Directory(example_org=Found((HERE,), ttl))

    async def run() -> None:
        async with resolving(directory, ticks=lambda: now[0]) as resolver:
            assert await resolver.addresses("example.org") == (HERE,)
            directory.answers["example.org"] = Found((THERE,), ttl)
            now[0] = (age - SECOND).total_seconds()
            assert await resolver.addresses("example.org") == (HERE,)
            assert len(directory.asked) == 1
            now[0] = age.total_seconds()
            assert await resolver.addresses("example.org") == (THERE,)

    asyncio.run(run())


@given(st.timedeltas())
def test_no_ttl_leads_out_of_bounds(ttl: timedelta) -> None:
    assert MIN_AGE <= age_of(Found((HERE,), ttl)) <= MAX_AGE


def test_a_failure_is_kept_for_a_shorter_while() -> None:
    now = [0.0]
    directory = Directory(gone_org=no_such_name("gone.org"))

    async def run() -> None:
        async with resolving(directory, ticks=lambda: now[0]) as resolver:
            for moment in (timedelta(0), FAILURE_AGE - SECOND, FAILURE_AGE):
                now[0] = moment.total_seconds()
                assert await resolver.addresses("gone.org") == no_such_name("gone.org")
            assert len(directory.asked) == 2

    asyncio.run(run())


def test_callers_who_want_the_same_name_share_one_look_up() -> None:
    directory = Directory(example_org=Found((HERE,)))
    directory.open.clear()

    async def run() -> None:
        async with resolving(directory) as resolver:
            waiting = [asyncio.create_task(resolver.addresses("example.org")) for _ in range(50)]
            await asyncio.sleep(0)
            waiting[0].cancel()  # who gives up must not take it from the others
            directory.open.set()
            found = await asyncio.gather(*waiting[1:])
            assert found == [(HERE,)] * 49
            assert directory.asked == ["example.org"]

    asyncio.run(run())


def test_only_so_many_names_are_kept() -> None:
    directory = Directory(**{f"h{n}_org": Found((HERE,)) for n in range(5)})

    async def run() -> None:
        async with resolving(directory, max_names=3) as resolver:
            for n in range(5):
                await resolver.addresses(f"h{n}.org")
            await resolver.addresses("h4.org")
            await resolver.addresses("h0.org")
            assert directory.asked[5:] == ["h0.org"]

    asyncio.run(run())


def test_a_look_up_that_hangs_is_given_up_by_those_who_wait_and_still_kept() -> None:
    directory = Directory(example_org=Found((HERE,)))
    directory.open.clear()

    async def run() -> None:
        async with resolving(directory, timeout=timedelta(seconds=0.05)) as resolver:
            failed = await resolver.addresses("example.org")
            assert failed == Unreachable(Cause.NAME_LOOKUP, "Looking up example.org took too long.")
            directory.open.set()
            await asyncio.sleep(0.01)
            assert await resolver.addresses("example.org") == (HERE,)
            assert directory.asked == ["example.org"]

    asyncio.run(run())


def test_what_is_looked_up_ahead_is_there_when_it_is_needed() -> None:
    directory = Directory(a_org=Found((HERE,)), b_org=look_up_failed("b.org", "no"))

    async def run() -> None:
        async with resolving(directory) as resolver:
            resolver.ask_ahead(["a.org", "b.org", "a.org"])
            assert await resolver.addresses("a.org") == (HERE,)
            resolver.ask_ahead(["a.org"])
            assert await resolver.addresses("b.org") == look_up_failed("b.org", "no")
            assert directory.asked == ["a.org", "b.org"]

    asyncio.run(run())


def test_looking_up_ahead_has_bounds_and_whoever_needs_a_name_now_has_not() -> None:
    directory = Directory(**{f"h{n}_org": Found((HERE,)) for n in range(9)})
    directory.open.clear()

    async def run() -> None:
        async with resolving(directory, max_ahead=3) as resolver:
            resolver.ask_ahead(f"h{n}.org" for n in range(8))
            needed = asyncio.create_task(resolver.addresses("h8.org"))
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            assert directory.asked == ["h0.org", "h1.org", "h2.org", "h8.org"]
            directory.open.set()
            assert await needed == (HERE,)

    asyncio.run(run())


def test_a_service_that_breaks_while_looking_ahead_harms_nobody() -> None:
    directory = Directory(a_org=RuntimeError("broken"), b_org=Found((HERE,)))

    async def run() -> None:
        async with resolving(directory) as resolver:
            resolver.ask_ahead(["a.org", "b.org"])
            assert await resolver.addresses("b.org") == (HERE,)

    asyncio.run(run())


def test_closing_ends_those_who_still_wait_and_begins_nothing_more() -> None:
    directory = Directory(example_org=Found((HERE,)))
    directory.open.clear()
    stopped = Unreachable(Cause.STOPPED, "We were closing.")

    async def run() -> None:
        async with resolving(directory) as resolver:
            waiting = asyncio.create_task(resolver.addresses("example.org"))
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            resolver.close()
            assert await waiting == stopped
            assert await resolver.addresses("other.org") == stopped
            resolver.ask_ahead(["third.org"])
            await asyncio.sleep(0)
            assert directory.closed
            assert directory.asked == ["example.org"]

    asyncio.run(run())


def test_a_service_is_made_when_a_name_is_first_asked_for() -> None:
    def never() -> Directory:
        raise AssertionError("nobody asked for a name")

    Resolver(never, timeout=SECOND).close()


def test_answers_that_are_kept_are_counted_and_can_be_forgotten() -> None:
    async def work() -> None:
        directory = Directory(a_test=Found((HERE,)), b_test=Found((THERE,)))
        async with resolving(directory) as resolver:
            for name in ("a.test", "a.test", "b.test"):
                await resolver.addresses(name)
            assert resolver.figures() == {"hits": 1, "misses": 2, "entries": 2}
            assert (resolver.clear("c.test"), resolver.clear("a.test")) == (0, 1)
            await resolver.addresses("b.test")
            await resolver.addresses("a.test")
            assert directory.asked == ["a.test", "b.test", "a.test"]
            assert resolver.clear() == 2
            assert resolver.figures()["entries"] == 0

    asyncio.run(work())
