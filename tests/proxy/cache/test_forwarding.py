import asyncio
from pathlib import Path

from gossamer.config import Proxy
from gossamer.proxy.cache.forwarding import (
    ALONE_MOST,
    ALONE_SECONDS,
    Flights,
    Forwarding,
    Key,
    changed_urls,
)
from gossamer.proxy.cache.protocol import CacheAnswer, Flight, Landing, Request

from .rules import HOUR, TAGGED, cc
from .world import URL, Origin, Said, World, fields, got


def test_ages_count_from_when_the_request_went_out(world: World) -> None:
    forward = world.cache.ask(world.request())
    assert isinstance(forward, Forwarding)
    with forward:
        world.wait(50)  # in line before the host
        forward.mark_sent()
        world.wait(5)  # of the host's own
        relay = forward.answered(200, fields(HOUR, world.now))
        assert not isinstance(relay, CacheAnswer)
        relay.done()
    assert world.ask()["age"] == "5"


def test_what_breaks_off_by_an_exception_is_not_stored(world: World) -> None:
    forward = world.cache.ask(world.request())
    assert isinstance(forward, Forwarding)
    try:
        with forward:
            relay = forward.answered(200, fields(HOUR))
            assert not isinstance(relay, CacheAnswer)
            relay.write(b"hel")
            raise ConnectionResetError
    except ConnectionResetError:
        pass
    assert not world.ask().is_hit


def test_a_page_that_is_too_large_passes_by(tmp_path: Path) -> None:
    world = World(tmp_path, Proxy(cache_max_entry=1024))
    large = Origin(said={**HOUR, "Content-Length": "2000"}, body=b"x" * 2000)
    assert 'detail="too-large"' in world.ask(origin=large)["cache-status"]
    unannounced = Origin(said=HOUR, body=b"x" * 2000)
    assert len(world.ask(origin=unannounced).body) == 2000
    assert not world.ask().is_hit
    world.close()


def test_a_lab_may_keep_for_a_day_what_a_site_marks_uncacheable(tmp_path: Path) -> None:
    world = World(tmp_path, Proxy(keep_anyway=("a.test",)))
    origin = Origin(said={**cc("no-store, private"), "Set-Cookie": "who=me"})
    world.ask(origin=origin)
    kept = world.ask()
    assert kept.is_hit
    assert "set-cookie" not in kept
    world.wait(24 * 3600 - 1)
    assert world.ask().is_hit
    assert not world.ask({"Cache-Control": "no-cache"}, origin).is_hit
    world.wait(24 * 3600)
    assert not world.ask().is_hit
    assert not world.ask(url="http://b.test/").is_hit
    world.close()


def test_what_is_about_one_person_is_not_even_kept_anyway(tmp_path: Path) -> None:
    world = World(tmp_path, Proxy(keep_anyway=("a.test",)))
    for said in ({"Cookie": "who=me"}, {"Authorization": "me"}):
        world.ask(said, Origin(said=cc("private")))
        assert not world.ask(said).is_hit
    world.close()


def test_what_is_kept_anyway_gets_no_cookies_by_a_304_either(tmp_path: Path) -> None:
    world = World(tmp_path, Proxy(keep_anyway=("a.test",)))
    uncacheable = cc("no-store", ETag='"1"', Set_Cookie="who=me")
    world.ask(origin=Origin(said=uncacheable))
    world.wait(24 * 3600 + 1)
    assert world.ask(origin=Origin(304, uncacheable)).is_validated
    kept = world.ask()
    assert kept.is_hit
    assert "set-cookie" not in kept
    world.close()


def test_what_a_304_tells_one_person_is_not_kept_anyway(tmp_path: Path) -> None:
    world = World(tmp_path, Proxy(keep_anyway=("a.test",)))
    uncacheable = cc("private", ETag='"1"')
    world.ask(origin=Origin(said=uncacheable))
    world.wait(24 * 3600 + 1)
    assert world.ask({"Cookie": "who=me"}, Origin(304, uncacheable)).is_validated
    assert not world.ask().is_hit
    world.close()


def test_nobody_waits_for_a_page_that_turned_out_to_be_for_one_person(world: World) -> None:
    world.ask(origin=Origin(said=TAGGED))
    world.wait(61)
    first, follower = world.cache.ask(world.request()), world.cache.ask(world.request())
    assert isinstance(first, Forwarding)
    assert isinstance(follower, Flight)
    with first:
        answer = first.answered(304, fields(cc("private", ETag='"1"'), world.now))
        assert isinstance(answer, CacheAnswer)
        assert got(answer).body == b"hello"
    assert follower.landing is Landing.ALONE


def test_what_may_be_stored_anyway_keeps_its_own_terms(tmp_path: Path) -> None:
    world = World(tmp_path, Proxy(keep_anyway=("a.test",)))
    world.ask(origin=Origin(said=cc("max-age=60")))
    assert world.ask().is_hit
    world.wait(61)
    assert not world.ask().is_hit
    world.close()


def test_the_body_in_wait_for_a_304_is_let_go_whatever_comes(world: World) -> None:
    body = b"x" * 1_000_000
    world.ask(origin=Origin(said=TAGGED, body=body))
    world.cache.store.flush()
    world.wait(61)
    forward = world.cache.ask(world.request())
    assert isinstance(forward, Forwarding)
    pinned = world.cache.store._pins._readers
    assert len(pinned) == 1
    with forward:
        answer = forward.answered(304, fields(TAGGED, world.now))
        assert isinstance(answer, CacheAnswer)
    assert len(pinned) == 1  # the answer reads it now
    assert got(answer).body == body
    assert not pinned


def test_a_failure_without_anything_stored_is_the_proxys_to_tell(world: World) -> None:
    assert world.ask(fails=True).status == 502


def changed(said: Said, method: str = "POST", status: int = 200) -> list[str]:
    return [*changed_urls(Request(method, URL, ()), status, fields(said))]


def test_a_change_is_doubtful_where_it_says_it_is() -> None:
    told = {"Location": "/a#x", "Content-Location": "http://A.test:80/b"}
    assert changed(told) == [URL, "http://a.test/a", "http://a.test/b"]


def test_nobody_speaks_for_others() -> None:
    for other in (
        "http://b.test/",
        "https://a.test/",
        "http://a.test:81/",
        "ftp://a.test/",
        "http://[",
    ):
        assert changed({"Location": other}) == [URL]


def test_what_failed_or_only_read_changed_nothing() -> None:
    assert changed({}, status=404) == []
    assert changed({}, method="GET") == []


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
    waiting = [asyncio.create_task(flight.wait()) for _ in range(2)]
    await asyncio.sleep(0)
    flights.land(KEY, flight, 0, Landing.SHARED)
    await asyncio.gather(*waiting)
    return len(waiting)


def test_all_who_wait_are_freed() -> None:
    assert asyncio.run(wait_for_both()) == 2
