"""Pages that proxies share on a real Redis server; what is private is never there."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path

import pytest
from tests.proxy.cache.redis_server import RedisServer
from tests.proxy.cache.rules import HOUR
from tests.proxy.cache.world import URL, Origin, World
from tests.slowness import patience

from gossamer.config import Proxy
from gossamer.errors import ConfigError, StorageAwayError
from gossamer.proxy.cache import shared_pages
from gossamer.proxy.cache.shared_pages import connect, forget_shared, key_of, load_head

PAGE = Origin(said=HOUR, body=b"one page")


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    with RedisServer(tmp_path_factory.mktemp("redis")) as server:
        yield server


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine answers late, which is not what is tested here."""
    monkeypatch.setattr(shared_pages, "SECONDS", patience(10))


@asynccontextmanager
async def proxies(
    folder: Path, redis: RedisServer, settings: Proxy | None = None
) -> AsyncIterator[tuple[World, World]]:
    """The caches of two proxies that share a server, which is empty."""
    server = connect(redis.address, 10)
    await server.flushall()
    await server.aclose()
    worlds = []
    for name in "ab":
        (folder / name).mkdir()
        worlds.append(World(folder / name, settings))
        worlds[-1].cache.share_by(redis.address)
    yield worlds[0], worlds[1]
    for world in worlds:
        await world.cache.close()


async def share(world: World, origin: Origin = PAGE, **said: str) -> None:
    """Fetch a page through one of them, and wait until it is shared."""
    before = world.cache.counters.shared_stored
    world.ask(said, origin)
    await until(lambda: world.cache.counters.shared_stored > before)


async def until(happened: Callable[[], object]) -> None:
    async with asyncio.timeout(patience(60)):
        while not happened():  # noqa: ASYNC110 (counters tell nobody)
            await asyncio.sleep(0.01)


async def quiet(world: World) -> None:
    """Wait until all is written that one of them has to say."""
    shared = world.cache._shared
    assert shared is not None
    await shared._waiting.join()


async def finds(world: World, url: str = URL, **said: str) -> bool:
    return await world.cache.look_further(world.request(said, url=url))


def live(work: Awaitable[None]) -> None:
    async def run() -> None:
        await work

    asyncio.run(run())


def test_a_page_that_one_proxy_has_is_there_for_the_other(
    redis: RedisServer, tmp_path: Path
) -> None:
    async def run() -> None:
        async with proxies(tmp_path, redis) as (one, other):
            await share(one)
            assert await finds(other)
            assert other.ask().is_hit
            assert other.ask().body == b"one page"
            other.wait(120)
            assert other.ask()["age"] == "120"
            counters = other.cache.counters
            assert (counters.shared_hits, counters.shared_stored) == (1, 0)  # and is not given back
            assert not await finds(other, "http://a.test/else")
            assert not await finds(other, **{"Cache-Control": "no-cache"})
            assert not await finds(other, **{"Cache-Control": "no-store"})

    live(run())


def test_a_page_is_for_requests_that_say_what_the_first_one_said(
    redis: RedisServer, tmp_path: Path
) -> None:
    async def run() -> None:
        async with proxies(tmp_path, redis) as (one, other):
            varies = {**HOUR, "Vary": "Accept-Language"}
            await share(one, Origin(said=varies, body=b"hallo"), **{"Accept-Language": "de"})
            await share(one, Origin(said=varies, body=b"hello"), **{"Accept-Language": "en"})
            assert not await finds(other, **{"Accept-Language": "fr"})
            assert not await finds(other)
            assert await finds(other, **{"Accept-Language": "de"})
            assert other.ask({"Accept-Language": "de"}).body == b"hallo"
            assert await finds(other, **{"Accept-Language": "en"})
            assert other.ask({"Accept-Language": "en"}).body == b"hello"

    live(run())


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({}, {"Cache-Control": "private, max-age=3600"}),
        ({}, {"Cache-Control": "no-store"}),
        ({}, {"Cache-Control": "max-age=3600, no-cache"}),
        ({}, {"Cache-Control": "max-age=0"}),
        ({}, {**HOUR, "Set-Cookie": "who=me"}),
        ({}, {**HOUR, "X-Robots-Tag": "noarchive"}),
        ({"Cookie": "who=me"}, HOUR),
        ({"Authorization": "Basic eA=="}, {"Cache-Control": "public, max-age=3600"}),
    ],
)
def test_what_is_somebodys_own_or_not_fresh_is_never_shared(
    redis: RedisServer, tmp_path: Path, asked: dict[str, str], said: dict[str, str]
) -> None:
    async def run() -> None:
        async with proxies(tmp_path, redis) as (one, other):
            one.ask(asked, Origin(said=said))
            await quiet(one)
            server = connect(redis.address, 10)
            assert await server.dbsize() == 0
            await server.aclose()
            assert not await finds(other)

    live(run())


def test_what_is_kept_anyway_or_large_stays_here(redis: RedisServer, tmp_path: Path) -> None:
    async def run() -> None:
        async with proxies(tmp_path, redis, Proxy(keep_anyway=("a.test",))) as (one, other):
            one.ask({}, Origin(said={"Cache-Control": "no-cache"}))
            one.ask({}, Origin(said=HOUR, body=b"x" * 300_000), url="http://b.test/large")
            await quiet(one)
            assert one.ask().is_hit
            assert not await finds(other)
            assert not await finds(other, "http://b.test/large")

    live(run())


def test_a_page_is_shared_while_it_is_fresh(redis: RedisServer, tmp_path: Path) -> None:
    async def run() -> None:
        async with proxies(tmp_path, redis) as (one, other):
            await share(one)
            server = connect(redis.address, 10)
            (body,) = [key async for key in server.scan_iter() if key.count(b":") == 5]
            assert 3500 < await server.ttl(body) <= 3600
            assert 0 < await server.ttl(key_of(URL)) <= 86_400
            await server.aclose()
            other.wait(3601)
            assert not await finds(other)

    live(run())


def test_what_is_changed_cleared_or_forgotten_is_shared_no_more(
    redis: RedisServer, tmp_path: Path
) -> None:
    async def run() -> None:
        async with proxies(tmp_path, redis) as (one, other):
            await share(one)
            one.ask({}, method="POST")  # through us
            await quiet(one)
            assert not await finds(other)
            await share(one)
            assert await forget_shared(redis.address, lambda url: "b.test" in url) == 0
            assert await forget_shared(redis.address, lambda url: "a.test" in url) == 1
            assert not await finds(other)
            await share(one, Origin(said=HOUR, body=b"again"), **{"Cache-Control": "no-cache"})
            other.cache.clear("a.test")
            await quiet(other)
            server = connect(redis.address, 10)
            assert await server.dbsize() == 0
            await server.aclose()

    live(run())


def test_a_server_that_is_away_is_left_alone_for_a_while_and_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "redis").mkdir()

    async def run() -> None:
        with RedisServer(tmp_path / "redis") as redis:
            async with proxies(tmp_path, redis) as (one, other):
                await share(one)
                redis.stop()
                assert not await finds(other)
                assert not await finds(other)
                assert other.cache.counters.shared_failures == 1  # the second was not asked
                other.ask({}, PAGE)  # which the origin answers
                assert other.cache.counters.shared_dropped == 1
                with pytest.raises(StorageAwayError, match="Run the command again"):
                    await forget_shared(redis.address, lambda _: True)
                redis.start()
                async with asyncio.timeout(patience(60)):
                    for number in count():  # it is asked again by itself
                        other.ask({}, PAGE, url=f"http://a.test/{number}")
                        await quiet(other)
                        if await finds(one, f"http://a.test/{number}"):
                            break
                        await asyncio.sleep(0.1)

    live(run())


def test_what_others_wrote_there_is_passed_over(redis: RedisServer, tmp_path: Path) -> None:
    async def run() -> None:
        async with proxies(tmp_path, redis) as (one, other):
            await share(one)
            server = connect(redis.address, 10)
            heads = await server.hgetall(key_of(URL))
            (kind,) = heads.keys() - {b"url"}
            damaged = heads[kind].replace(b"a.test", b"b.test")
            await server.hset(key_of(URL), kind, damaged)
            assert not await finds(other)
            await server.hset(key_of(URL), kind, heads[kind])
            await server.set(f"{key_of(URL)}:{kind.decode()}", b"shorter")
            assert not await finds(other)
            await server.delete(key_of(URL))
            await server.set(key_of(URL), b"of another type")
            assert not await finds(other)
            await server.aclose()

    live(run())
    assert load_head(b"[]") is None
    assert load_head(b'{"a":1}') is None
    assert load_head(b"\xff") is None


def test_an_address_that_is_none_is_a_sentence() -> None:
    with pytest.raises(ConfigError, match="rediss:// for TLS"):
        connect("db.example:6379", 1)
