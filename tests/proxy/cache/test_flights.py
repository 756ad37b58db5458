import asyncio

from gossamer.proxy.cache.flights import ALONE_MOST, ALONE_SECONDS, Flights, Key
from gossamer.proxy.cache.protocol import Flight, Landing

KEY: Key = ("http://a.test/", (), ())


def started(flights: Flights, key: Key = KEY) -> Flight:
    flight = flights.start(key)
    assert flight is not None
    return flight


def test_one_fetch_at_a_time_and_then_the_next() -> None:
    flights = Flights()
    flight = started(flights)
    assert flights.start(KEY) is None
    assert flights.under_way(KEY, 0) is flight
    flights.land(KEY, flight, 0, Landing.SHARED)
    assert flights.under_way(KEY, 0) is None
    assert started(flights) is not flight


def test_after_a_fetch_that_nobody_can_share_nobody_waits_for_a_while() -> None:
    flights = Flights()
    flights.land(KEY, started(flights), 0, Landing.ALONE)
    second = started(flights)
    assert flights.under_way(KEY, 1) is None
    assert flights.under_way(KEY, ALONE_SECONDS + 1) is second


def test_one_that_brought_nothing_says_nothing_about_the_page() -> None:
    flights = Flights()
    flights.land(KEY, started(flights), 0, Landing.NOTHING)
    second = started(flights)
    assert flights.under_way(KEY, 1) is second
    flights.land(KEY, second, 1, Landing.ALONE)
    flights.land(KEY, started(flights), 2, Landing.NOTHING)
    assert flights.is_alone(KEY[0], 3)


def test_one_that_can_be_shared_ends_that() -> None:
    flights = Flights()
    flights.land(KEY, started(flights), 0, Landing.ALONE)
    flights.land(KEY, started(flights), 1, Landing.SHARED)
    third = started(flights)
    assert flights.under_way(KEY, 2) is third


def test_only_so_many_pages_are_remembered() -> None:
    flights = Flights()
    for number in range(ALONE_MOST + 1):
        key = (f"http://a.test/{number}", (), ())
        flights.land(key, started(flights, key), 0, Landing.ALONE)
    first = started(flights, ("http://a.test/0", (), ()))
    assert flights.under_way(("http://a.test/0", (), ()), 1) is first


async def wait_for_both() -> int:
    flights = Flights()
    flight = started(flights)
    waiting = [asyncio.create_task(flight.landed()) for _ in range(2)]
    await asyncio.sleep(0)
    flights.land(KEY, flight, 0, Landing.SHARED)
    await asyncio.gather(*waiting)
    return len(waiting)


def test_all_who_wait_are_freed() -> None:
    assert asyncio.run(wait_for_both()) == 2
