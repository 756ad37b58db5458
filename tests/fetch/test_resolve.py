import asyncio
import socket
import threading
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from ipaddress import ip_address
from typing import Any

import pytest

from gossamer.fetch.resolve import MAX_AGE, MAX_FAILURE_AGE, Resolver, Unreachable, system_look_up
from gossamer.model import Cause

HERE = "93.184.215.14"
SECOND = timedelta(seconds=1)


class Directory:
    """A name service of our own: answers from a table and counts who asked."""

    def __init__(self, **answers: Sequence[str] | Exception) -> None:
        self.answers = {name.replace("_", "."): answer for name, answer in answers.items()}
        self.asked: list[str] = []
        self.open = threading.Event()
        self.open.set()

    def __call__(self, name: str) -> Sequence[str]:
        self.asked.append(name)
        assert self.open.wait(30)
        answer = self.answers[name]
        if isinstance(answer, Exception):
            raise answer
        return answer


@asynccontextmanager
async def resolving(directory: Directory, **options: Any) -> AsyncIterator[Resolver]:
    resolver = Resolver(**{"timeout": 10 * SECOND, "look_up": directory, **options})
    try:
        yield resolver
    finally:
        directory.open.set()
        resolver.close()


def test_an_answer_is_kept_for_a_while() -> None:
    now = [0.0]
    directory = Directory(example_org=[HERE, "2606:4700::1111", HERE])

    async def run() -> None:
        async with resolving(directory, ticks=lambda: now[0]) as resolver:
            first = await resolver.addresses("example.org")
            assert first == (ip_address(HERE), ip_address("2606:4700::1111"))
            now[0] = MAX_AGE.total_seconds() - 1
            assert await resolver.addresses("example.org") == first
            assert len(directory.asked) == 1
            now[0] = MAX_AGE.total_seconds()
            directory.answers["example.org"] = ["1.1.1.1"]
            assert await resolver.addresses("example.org") == (ip_address("1.1.1.1"),)

    asyncio.run(run())


def test_a_failure_is_kept_for_a_shorter_while() -> None:
    now = [0.0]
    directory = Directory(gone_org=socket.gaierror(socket.EAI_NONAME, "no"))

    async def run() -> None:
        async with resolving(directory, ticks=lambda: now[0]) as resolver:
            for moment in (0.0, MAX_FAILURE_AGE.total_seconds() - 1, 31.0):
                now[0] = moment
                failed = await resolver.addresses("gone.org")
                assert isinstance(failed, Unreachable)
                assert failed.cause is Cause.NO_SUCH_NAME
            assert len(directory.asked) == 2

    asyncio.run(run())


def test_callers_who_want_the_same_name_share_one_look_up() -> None:
    directory = Directory(example_org=[HERE])
    directory.open.clear()

    async def run() -> None:
        async with resolving(directory) as resolver:
            waiting = [asyncio.create_task(resolver.addresses("example.org")) for _ in range(50)]
            await asyncio.sleep(0)
            waiting[0].cancel()  # who gives up must not take it from the others
            directory.open.set()
            found = await asyncio.gather(*waiting[1:])
            assert found == [(ip_address(HERE),)] * 49
            assert directory.asked == ["example.org"]

    asyncio.run(run())


def test_only_so_many_names_are_kept() -> None:
    directory = Directory(**{f"h{n}_org": [HERE] for n in range(5)})

    async def run() -> None:
        async with resolving(directory, max_names=3) as resolver:
            for n in range(5):
                await resolver.addresses(f"h{n}.org")
            await resolver.addresses("h4.org")
            await resolver.addresses("h0.org")
            assert directory.asked[5:] == ["h0.org"]

    asyncio.run(run())


@pytest.mark.parametrize(
    ("answer", "cause"),
    [
        (socket.gaierror(socket.EAI_NONAME, "unknown"), Cause.NO_SUCH_NAME),
        (socket.gaierror(socket.EAI_AGAIN, "try again"), Cause.NAME_LOOKUP),
        (socket.gaierror(socket.EAI_FAIL, "failed"), Cause.NAME_LOOKUP),
        (OSError("no network"), Cause.NAME_LOOKUP),
        (UnicodeError("label too long"), Cause.NAME_LOOKUP),
        ([], Cause.NO_SUCH_NAME),
    ],
)
def test_every_way_to_fail_has_its_cause(answer: Any, cause: Cause) -> None:
    async def run() -> None:
        async with resolving(Directory(example_org=answer)) as resolver:
            failed = await resolver.addresses("example.org")
            assert isinstance(failed, Unreachable)
            assert failed.cause is cause
            assert "example.org" in failed.why

    asyncio.run(run())


def test_a_look_up_that_hangs_is_given_up() -> None:
    directory = Directory(example_org=[HERE])
    directory.open.clear()

    async def run() -> None:
        async with resolving(directory, timeout=timedelta(seconds=0.05)) as resolver:
            failed = await resolver.addresses("example.org")
            assert failed == Unreachable(Cause.NAME_LOOKUP, "Looking up example.org took too long.")

    asyncio.run(run())


def test_closing_ends_those_who_still_wait() -> None:
    directory = Directory(example_org=[HERE])
    directory.open.clear()

    async def run() -> None:
        async with resolving(directory) as resolver:
            waiting = asyncio.create_task(resolver.addresses("example.org"))
            await asyncio.sleep(0)
            resolver.close()
            assert await waiting == Unreachable(Cause.STOPPED, "We were closing.")

    asyncio.run(run())


def test_the_system_finds_an_address_without_asking_anyone() -> None:
    assert system_look_up("127.0.0.1") == ["127.0.0.1"]
