import asyncio
from pathlib import Path

import pytest
from tests.slowness import patience

from gossamer.config import Proxy
from gossamer.errors import ConfigError
from gossamer.http.wire.fields import Fields
from gossamer.proxy.cache.cache import HttpCache, open_cache
from gossamer.proxy.cache.forwarding import Forwarding
from gossamer.proxy.cache.none import NoCache
from gossamer.proxy.cache.protocol import CacheAnswer, Flight, Landing, Request

from .rules import HOUR, TAGGED, cc
from .world import URL, Origin, World, fields, got

LENIENT = cc("max-age=1, stale-while-revalidate=60", ETag='"1"')


def led(world: World, said: dict[str, str] | None = None) -> Forwarding:
    """A request that goes to the origin."""
    asked = world.cache.ask(world.request(said))
    assert isinstance(asked, Forwarding)
    return asked


def followed(world: World, said: dict[str, str] | None = None, *, waited: bool = False) -> Flight:
    """A request that waits for another one."""
    asked = world.cache.ask(world.request(said), waited=waited)
    assert isinstance(asked, Flight)
    return asked


def is_landed(flight: Flight) -> bool:
    return flight.has_landed


def test_those_who_want_the_same_page_wait_for_one_fetch(world: World) -> None:
    with led(world) as first:
        flight = followed(world)
        relay = first.answered(200, fields(HOUR))
        assert not isinstance(relay, CacheAnswer)
        relay.write(b"hello")
        assert not is_landed(flight)
        relay.done()
        assert is_landed(flight)
    answer = world.cache.ask(world.request(), waited=True)
    assert isinstance(answer, CacheAnswer)
    assert got(answer)["cache-status"] == "gossamer; fwd=uri-miss; collapsed"
    assert world.cache.counters.collapsed == 1


def test_those_who_wait_can_see_whether_the_request_was_sent(world: World) -> None:
    with led(world) as first:
        flight = followed(world)
        before = flight.is_sent
        first.mark_sent()
        assert (before, flight.is_sent) == (False, True)


def test_nobody_waits_for_what_cannot_be_shared(world: World) -> None:
    with led(world) as first:
        flight = followed(world)
        first.answered(200, fields(cc("no-store")))
        assert is_landed(flight)  # with the body still to come
        with led(world), led(world):
            pass


def test_a_page_that_could_not_be_shared_is_shared_again_when_it_can(world: World) -> None:
    world.ask(origin=Origin(said=cc("no-store")))
    with led(world), led(world):
        pass
    world.wait(61)
    with led(world):
        followed(world)


def test_of_those_who_waited_for_nothing_one_fetches_and_the_rest_wait_for_it(world: World) -> None:
    with led(world) as first:
        flight = followed(world)
        assert first.failed("timeout") is None
    assert flight.landing is Landing.NOTHING
    with led(world):  # and is refused, or leaves
        again = [followed(world) for _ in range(9)]
    assert {each.landing for each in again} == {Landing.NOTHING}
    with led(world) as third:
        last = [followed(world) for _ in range(8)]
        finish(third, fields(HOUR))
    assert {each.landing for each in last} == {Landing.SHARED}


def test_so_it_is_where_something_was_to_be_asked_about(world: World) -> None:
    world.ask(origin=Origin(said=TAGGED))
    world.wait(61)
    with led(world):
        flight = followed(world)
    assert flight.landing is Landing.NOTHING
    with led(world):
        followed(world)


def test_so_it_is_where_an_answer_broke_off(world: World) -> None:
    with led(world) as first:
        flight = followed(world)
        first.answered(200, fields(HOUR))
    assert flight.landing is Landing.NOTHING
    with led(world):
        followed(world)


def test_nobody_waits_where_something_old_stands_in_for_an_error(world: World) -> None:
    world.ask(origin=Origin(said=cc("max-age=1, stale-if-error=60", ETag='"1"')))
    world.wait(2)
    with led(world) as first:
        flight = followed(world)
        answer = first.answered(503, ())
        assert isinstance(answer, CacheAnswer)
        assert flight.landing is Landing.ALONE
        answer.close()


def test_those_who_get_another_variant_wait_once_more_with_their_likes(world: World) -> None:
    varied = cc("max-age=60", Vary="Accept-Language")
    with led(world, {"Accept-Language": "en"}) as english:
        followed(world, {"Accept-Language": "de"})
        finish(english, fields(varied))
    with led(world, {"Accept-Language": "de"}) as german:
        followed(world, {"Accept-Language": "de"}, waited=True)
        with led(world, {"Accept-Language": "fr"}):
            pass
        finish(german, fields(varied))
    assert isinstance(
        world.cache.ask(world.request({"Accept-Language": "de"}), waited=True), CacheAnswer
    )


def test_who_waited_and_found_something_to_be_asked_about_asks(world: World) -> None:
    with led(world) as first:
        followed(world)
        finish(first, fields(cc("no-cache", ETag='"1"')))
    with led(world), led_after_waiting(world), led_after_waiting(world):
        pass


def led_after_waiting(world: World) -> Forwarding:
    asked = world.cache.ask(world.request(), waited=True)
    assert isinstance(asked, Forwarding)
    return asked


def finish(forward: Forwarding, said: Fields) -> None:
    relay = forward.answered(200, said)
    assert not isinstance(relay, CacheAnswer)
    relay.done()


def test_one_validation_serves_all_who_wait(world: World) -> None:
    world.ask(origin=Origin(said=TAGGED))
    world.wait(61)
    with led(world) as first:
        flight = followed(world)
        first.answered(304, fields(TAGGED, world.now))
        assert is_landed(flight)
    assert world.ask().is_hit
    assert world.cache.counters.validated == 1


def test_a_request_with_a_body_neither_gets_nor_leaves_anything_here(world: World) -> None:
    evil = Origin(said=HOUR, body=b"evil")
    passed = world.ask(origin=evil, has_body=True)
    assert passed["cache-status"] == 'gossamer; fwd=bypass; fwd-status=200; detail="body"'
    assert not world.ask(origin=Origin(said=HOUR)).is_hit
    for method in ("GET", "HEAD"):
        assert not world.ask(origin=evil, has_body=True, method=method).is_hit
    assert world.ask().body == b"hello"


def test_nobody_waits_for_a_request_with_a_body(world: World) -> None:
    slow = world.cache.ask(world.request(has_body=True))
    assert isinstance(slow, Forwarding)
    with slow, led(world):
        pass


def test_what_is_about_one_client_waits_for_nobody(world: World) -> None:
    with led(world):
        for said in ({"Authorization": "x"}, {"If-None-Match": '"1"'}, {"Range": "bytes=0-1"}):
            with led(world, said):
                pass


def test_a_stale_page_is_refreshed_once_behind_everybodys_back(world: World) -> None:
    world.ask(origin=Origin(said=LENIENT))
    world.wait(10)
    first = world.cache.ask(world.request())
    second = world.cache.ask(world.request())
    assert isinstance(first, CacheAnswer)
    assert isinstance(second, CacheAnswer)
    assert first.refresh is not None
    assert second.refresh is None
    with first.refresh as refresh:
        answer = refresh.answered(304, fields(LENIENT, world.now))
        assert isinstance(answer, CacheAnswer)
        answer.close()
    assert world.ask()["age"] == "0"


def refreshing(world: World, said: dict[str, str], method: str = "GET") -> Forwarding | None:
    """What is fetched behind the back of a client that gets something stale."""
    world.ask(origin=Origin(said=LENIENT))
    world.wait(10)
    answer = world.cache.ask(world.request(said, method=method))
    assert isinstance(answer, CacheAnswer)
    refresh = answer.take_refresh()
    answer.close()
    assert refresh is None or isinstance(refresh, Forwarding)
    return refresh


def test_a_refresh_asks_for_all_of_the_page_whatever_its_client_wanted(world: World) -> None:
    said = {
        "Accept": "text/html",
        "Range": "bytes=0-1",
        "If-Range": '"1"',
        "If-None-Match": '"0"',
        "If-Modified-Since": "@-9",
    }
    refresh = refreshing(world, said, "HEAD")
    assert refresh is not None
    assert refresh.fields == fields({"Accept": "text/html", "If-None-Match": '"1"'})
    with refresh:
        relay = refresh.answered(200, fields(HOUR))
        assert not isinstance(relay, CacheAnswer)
        relay.write(b"new")
        relay.done()
    assert world.ask().body == b"new"


def test_nothing_is_refreshed_for_whoever_wants_nothing_sent(world: World) -> None:
    assert refreshing(world, {"Cache-Control": "only-if-cached"}) is None


def test_a_refresh_that_nobody_took_up_stands_in_nobodys_way(world: World) -> None:
    world.ask(origin=Origin(said=LENIENT))
    world.wait(10)
    for _ in range(2):
        answer = world.cache.ask(world.request())
        assert isinstance(answer, CacheAnswer)
        assert answer.refresh is not None
        answer.close()


def test_what_is_in_memory_is_at_hand(world: World) -> None:
    world.ask(origin=Origin(said=TAGGED))
    for said in ({}, {"If-None-Match": '"1"'}, {"Range": "bytes=1-2"}):
        for method in ("GET", "HEAD"):
            answer = world.cache.ask(world.request(said, method=method))
            assert isinstance(answer, CacheAnswer)
            assert answer.is_at_hand
    assert world.cache.counters.hits == 6


def test_what_is_only_on_disk_is_not_at_hand(world: World) -> None:
    world.ask(origin=Origin(said=HOUR, body=b"x" * 1_000_000))
    world.cache.store.flush()
    answer = world.cache.ask(world.request())
    assert isinstance(answer, CacheAnswer)
    assert not answer.is_at_hand
    assert len(answer.body) + sum(map(len, answer.rest)) == 1_000_000
    answer.close()


def test_what_is_to_be_fetched_anew_is_not_at_hand(world: World) -> None:
    world.ask(origin=Origin(said=LENIENT))
    world.wait(10)
    answer = world.cache.ask(world.request())
    assert isinstance(answer, CacheAnswer)
    assert not answer.is_at_hand
    answer.close()


def test_counters_tell_what_happened(world: World) -> None:
    world.ask(origin=Origin(said=TAGGED))
    world.ask()
    world.ask(method="POST")
    world.ask(origin=Origin(said=TAGGED))
    world.wait(61)
    world.ask(origin=Origin(304, TAGGED))
    figures = world.cache.counters.figures()
    wanted = {"hits": 1, "misses": 2, "validations": 1, "validated": 1, "bypasses": 1}
    assert {name: figures[name] for name in wanted} == wanted
    assert figures["stored"] == 2
    assert figures["invalidations"] == 1


def test_what_was_stored_is_there_after_a_restart(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.ask(origin=Origin(said=HOUR, body=b"x" * 1_000_000))
    world.ask(origin=Origin(said=cc("max-age=60", Vary="a")), url="http://b.test/")
    world.close()
    again = World(tmp_path)
    assert again.ask().body == b"x" * 1_000_000
    assert again.ask(url="http://b.test/").is_hit
    assert not again.ask({"a": "1"}, url="http://b.test/").is_hit
    again.close()


def test_what_clients_say_of_themselves_is_not_written_down(tmp_path: Path) -> None:
    world = World(tmp_path)
    who = {"Cookie": "sid=alice", "Authorization": "Basic b3Blbg", "X-Api-Key": "k3y"}
    varied = Origin(said=cc("public, max-age=60", Vary=", ".join(who)))
    world.ask(who, varied)
    assert world.ask(who).is_hit
    assert not world.ask({**who, "Cookie": "sid=bob"}, varied).is_hit
    world.close()
    written = (tmp_path / "proxy-cache.db").read_bytes()
    assert b"max-age=60" in written
    assert not [value for value in who.values() if value.encode() in written]


def test_a_size_of_0_is_no_cache(tmp_path: Path) -> None:
    cache = open_cache(tmp_path / "proxy-cache.db", Proxy(cache_size=0))
    assert isinstance(cache, NoCache)
    assert not [*tmp_path.iterdir()]


async def fetched_large(path: Path) -> bool:
    """Whether a large body can be had as soon as those who wait for it are told."""
    cache = open_cache(path / "proxy-cache.db", Proxy())
    assert isinstance(cache, HttpCache)
    request = Request("GET", URL, ())
    forward = cache.ask(request)
    assert isinstance(forward, Forwarding)
    with forward:
        flight = cache.ask(request)
        assert isinstance(flight, Flight)
        relay = forward.answered(200, fields(cc("max-age=60")))
        assert not isinstance(relay, CacheAnswer)
        relay.write(b"x" * 1_000_000)
        relay.done()
    async with asyncio.timeout(patience(60)):
        await flight.wait()
    answer = cache.ask(request, waited=True)
    assert isinstance(answer, CacheAnswer)
    is_whole = got(answer).body == b"x" * 1_000_000
    await cache.close()
    return is_whole


def test_those_who_wait_for_a_large_body_are_told_when_it_is_on_disk(tmp_path: Path) -> None:
    assert asyncio.run(fetched_large(tmp_path))


def test_a_pattern_of_hosts_to_keep_that_fits_nobody_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"proxy\.keep_anyway: 'http://a\.test' is no host"):
        HttpCache(tmp_path / "cache.db", Proxy(keep_anyway=("http://a.test",)))
