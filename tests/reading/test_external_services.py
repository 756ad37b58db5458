"""Several addresses of one service share the work; absent ones are waited for."""

import asyncio
from collections import Counter
from collections.abc import Callable
from datetime import timedelta

import pytest
from tests.virtual_time import VirtualLoop

from gossamer.config import Transform as Options
from gossamer.model import ServiceReply
from gossamer.reading.external_services import (
    FIRST_PAUSE,
    LONGEST_PAUSE,
    ServiceAddresses,
    Services,
)
from gossamer.reading.jobs import PageJob, ServiceQuestion
from gossamer.transform.services import Endpoint
from gossamer.values import Addresses

ONE, TWO, THREE = (Endpoint(f"s{number}.test", 80, "/", secure=False) for number in (1, 2, 3))
GOOD = ServiceReply(204)
GONE = ServiceReply(fault="The service could not be asked: refused.", is_absent=True)
PATIENCE = timedelta(minutes=5)
JOB = PageJob(
    "http://a.test/1.pdf",
    b"%PDF",
    options=Options(services={"application/pdf": Addresses("http://s1.test/ http://s2.test/")}),
)
QUESTION = ServiceQuestion("application/pdf", None)


def lose(addresses: ServiceAddresses, endpoint: Endpoint, now: float) -> None:
    assert addresses.choose([endpoint], now) == endpoint
    addresses.release(endpoint, now, is_absent=True)


def test_work_is_spread_over_the_addresses() -> None:
    addresses, endpoints = ServiceAddresses(), (ONE, TWO, THREE)
    assert {addresses.choose(endpoints, 0.0) for _ in range(3)} == {ONE, TWO, THREE}
    addresses.release(TWO, 1.0, is_absent=False)
    assert addresses.choose(endpoints, 1.0) == TWO  # which has nothing to do
    for endpoint in endpoints:
        addresses.release(endpoint, 2.0, is_absent=False)
    asked = Counter[Endpoint]()
    for _ in range(29):
        chosen = addresses.choose(endpoints, 3.0)
        assert chosen is not None
        asked[chosen] += 1
        addresses.release(chosen, 3.0, is_absent=False)
    assert asked == {ONE: 10, TWO: 9, THREE: 10}  # it had one more before


def test_an_absent_address_is_left_out_and_tried_again_later_and_later() -> None:
    addresses, now, pauses = ServiceAddresses(), 0.0, []
    for _ in range(8):
        lose(addresses, ONE, now)
        assert addresses.choose([ONE], now) is None
        assert addresses.choose([ONE, TWO], now) == TWO
        addresses.release(TWO, now, is_absent=False)
        pauses.append(addresses.ask_at([ONE]) - now)
        now = addresses.ask_at([ONE])
    assert pauses == [0.5, 1, 2, 4, 8, *[LONGEST_PAUSE] * 3]
    assert addresses.absent_since([ONE]) == 0
    assert addresses.absent_since([ONE, TWO]) is None
    # One at a time; and when it is back, it has its share.
    assert addresses.choose([ONE, TWO], now) == ONE
    assert addresses.choose([ONE, TWO], now) == TWO
    assert addresses.release(ONE, now, is_absent=False)
    assert addresses.absent_since([ONE]) is None


def test_an_address_that_nothing_was_found_out_about_stays_what_it_was() -> None:
    addresses = ServiceAddresses()
    lose(addresses, ONE, 0.0)
    assert addresses.choose([ONE], FIRST_PAUSE) == ONE
    assert not addresses.release(ONE, FIRST_PAUSE, is_absent=None)
    assert addresses.choose([ONE], FIRST_PAUSE) == ONE


def in_virtual_time(
    pages: int, send: Callable[[Endpoint, float], ServiceReply], *, apart: float = 0.0
) -> tuple[list[tuple[float, ServiceReply]], list[str]]:
    """When each of these pages had its reply, and which; and what was told."""
    loop, told = VirtualLoop(), list[str]()

    async def asked(_: PageJob, __: ServiceQuestion, endpoint: Endpoint) -> ServiceReply:
        await asyncio.sleep(0.01)
        return send(endpoint, loop.time())

    async def page(services: Services, number: int) -> tuple[float, ServiceReply]:
        await asyncio.sleep(number * apart)
        reply = (await services.ask(JOB, QUESTION)).service
        assert reply is not None
        return loop.time(), reply

    async def run() -> list[tuple[float, ServiceReply]]:
        services = Services(1, PATIENCE, send=asked)
        services.tell = told.append
        try:
            return await asyncio.gather(*(page(services, number) for number in range(pages)))
        finally:
            services.close()

    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        return runner.run(run()), told


def test_while_one_address_is_absent_the_others_do_the_work() -> None:
    replies, told = in_virtual_time(200, lambda each, _: GONE if each == ONE else GOOD, apart=0.1)
    assert {reply for _, reply in replies} == {GOOD}
    assert told == [f"{GONE.fault} It is tried again."]


def test_pages_wait_for_a_service_that_is_absent_for_a_while() -> None:
    replies, told = in_virtual_time(100, lambda _, now: GONE if now < 120 else GOOD)
    assert {reply for _, reply in replies} == {GOOD}
    assert all(120 <= at <= 120 + LONGEST_PAUSE + 1 for at, _ in replies)
    assert len(told) == 3 + (told.count("The service http://s2.test:80/ is back.") == 1)


def test_pages_wait_no_longer_than_our_patience_in_all() -> None:
    """And later ones do not wait at all, until the service is back."""
    back = 1000.0
    replies, _ = in_virtual_time(120, lambda _, now: GONE if now < back else GOOD, apart=10)
    limit = PATIENCE.total_seconds()
    for number, (at, reply) in enumerate(replies):
        if number * 10 <= limit:
            assert limit <= at <= limit + 1
        elif number * 10 < back:
            assert at - number * 10 < 1
        assert reply == (GONE if at < back else GOOD) or back <= at < back + LONGEST_PAUSE
    assert replies[-1][1] == GOOD


def test_without_an_address_nobody_is_asked() -> None:
    async def run() -> ServiceReply | None:
        services = Services(1)
        try:
            return (await services.ask(JOB, ServiceQuestion("text/html", None))).service
        finally:
            services.close()

    reply = asyncio.run(run())
    assert reply is not None
    assert reply.fault == "There is no service for this document."


@pytest.mark.parametrize("patience", [timedelta(0), PATIENCE])
def test_whoever_gives_up_leaves_the_address_to_others(patience: timedelta) -> None:
    async def run() -> PageJob:
        begun, forever = asyncio.Event(), asyncio.Event()

        async def send(_: PageJob, __: ServiceQuestion, ___: Endpoint) -> ServiceReply:
            if not begun.is_set():
                begun.set()
                await forever.wait()
            return GOOD

        services = Services(1, patience, send=send)
        first = asyncio.create_task(services.ask(JOB, QUESTION))
        await begun.wait()
        first.cancel()
        await asyncio.gather(first, return_exceptions=True)
        services.close()
        return await services.ask(JOB, QUESTION)

    assert asyncio.run(run()).service == GOOD
