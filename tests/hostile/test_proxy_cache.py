"""A shared cache between clients and sites that do not wish each other well."""

import gzip
from pathlib import Path

import pytest
from tests.proxy.cache.world import Origin, World

from gossamer.config import Proxy
from gossamer.proxy.cache.protocol import CacheAnswer

PUBLIC = {"Date": "@0", "Cache-Control": "public, max-age=3600"}
PAGE = {**PUBLIC, "Content-Type": "text/html"}


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


def test_one_clients_session_cookie_reaches_no_other_client(world: World) -> None:
    first = world.ask(origin=Origin(said={**PUBLIC, "Set-Cookie": "sid=alice"}))
    assert first["set-cookie"] == "sid=alice"
    for method in ("GET", "HEAD"):
        other = world.ask(method=method)
        assert other.is_hit
        assert "set-cookie" not in other
    part = world.ask({"Range": "bytes=0-1"})
    assert (part.status, "set-cookie" in part) == (206, False)
    world.close()


def test_cookies_are_not_even_on_disk(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.ask(origin=Origin(said={**PUBLIC, "Set-Cookie": "sid=very-secret"}))
    world.close()
    assert all(b"very-secret" not in each.read_bytes() for each in tmp_path.iterdir())


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("X-Forwarded-Host", "evil.test"),
        ("X-Forwarded-Scheme", "nothttps"),
        ("X-Host", "evil.test"),
        ("Forwarded", "host=evil.test"),
        ("X-Original-URL", "/admin"),
        ("X-Rewrite-URL", "/admin"),
        ("X-HTTP-Method-Override", "POST"),
        ("X-Method-Override", "DELETE"),
        ("x_forwarded_host", "evil.test"),
    ],
)
def test_nobody_poisons_a_page_with_a_field_that_is_in_no_key(
    world: World, name: str, value: str
) -> None:
    world.ask({name: value}, Origin(said=PAGE, body=b"<script src=//evil.test/x></script>"))
    victim = world.ask(origin=Origin(said=PAGE, body=b"good"))
    assert victim.body == b"good"
    assert not victim.is_hit
    # Nor does such a request touch or see what is kept for others.
    assert not world.ask({name: value}, Origin(404, {}, b"gone")).is_hit
    assert world.ask().body == b"good"
    world.close()


def test_whoever_waits_gets_nothing_of_a_poisoned_fetch(world: World) -> None:
    poisoned = world.cache.ask(world.request({"X-Forwarded-Host": "evil.test"}))
    assert not world.ask(origin=Origin(said=PAGE)).is_hit  # it does not wait for the other
    del poisoned
    world.close()


@pytest.mark.parametrize("filler", [0, 400_000])
def test_a_page_that_asks_not_to_be_kept_leaves_nothing_behind(tmp_path: Path, filler: int) -> None:
    world = World(tmp_path)
    page = b'<meta content="noarchive" name="robots">very private words' + b"<br>" * filler
    sent = world.ask(origin=Origin(said=PAGE, body=page))
    assert sent.body == page
    assert not world.ask(origin=Origin(said=PAGE, body=page)).is_hit
    world.close()
    assert all(b"very private words" not in each.read_bytes() for each in tmp_path.iterdir())


def test_a_packed_page_that_asks_so_is_not_kept_either(world: World) -> None:
    packed = Origin(
        said={**PAGE, "Content-Encoding": "gzip"},
        body=gzip.compress(b"<meta name=robots content=noarchive>"),
    )
    world.ask(origin=packed)
    assert not world.ask(origin=packed).is_hit
    world.close()


def test_slow_readers_of_pages_that_change_make_the_cache_no_larger(tmp_path: Path) -> None:
    size, body = 8 * 1024 * 1024, b"x" * 1024 * 1024
    world, reading = World(tmp_path, Proxy(cache_size=size)), list[CacheAnswer]()
    for _ in range(24):
        world.ask({"Cache-Control": "no-cache"}, Origin(said=PUBLIC, body=body))
        world.cache.store.flush()
        asked = world.cache.ask(world.request())
        if isinstance(asked, CacheAnswer):  # who begins to read it, and goes on for ever
            reading.append(asked)
    held = world.cache.store._database.execute("SELECT sum(length(data)) FROM bodies").get
    assert isinstance(held, int)
    assert len(reading) > 2
    assert held <= size
    for each in reading:
        each.close()
    world.ask({"Cache-Control": "no-cache"}, Origin(said=PUBLIC, body=body))
    world.cache.store.flush()
    assert world.ask().is_hit  # there is room again
    assert world.cache.counters.bytes < 2 * len(body)
    world.close()
