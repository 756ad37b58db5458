"""Pages that several proxies share: a second level of the cache, on a Redis or Valkey server.

    miss in our own file ──▶ `find` ──▶ the newest fresh response for such a request ──▶ our own file, then the client
    stored in our own file ──▶ `offer` ──▶ a bounded queue ──▶ the server, until it is stale, a day at most

What is shared is fresh, small and nobody's own: neither the request nor the response had credentials or cookies, and
the origin allows it. A server that does not answer in time is left alone for a while; pages come from their origins then.

    gossamer:pages:1:HOST:URL          a hash: `url`, and a head for each kind of request (VARY and what it said)
    gossamer:pages:1:HOST:URL:KIND     a body
"""

import asyncio
import json
import math
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from hashlib import blake2b
from typing import Any, Final, NamedTuple, TypeVar

from gossamer.errors import ConfigError, StorageAwayError
from gossamer.model import Url
from gossamer.proxy.cache.protocol import Counters, Request
from gossamer.proxy.cache.stored import Stored
from gossamer.urls import host_of

PREFIX: Final = "gossamer:pages:1"
SECONDS: Final = 0.25  # for an answer; a page is worth no more waiting
REST_FIRST: Final = (
    1.0  # seconds that a server which does not answer is left alone; then twice as long
)
REST_MOST: Final = 30.0
MOST_LIFETIME: Final = 86_400.0
MOST_BODY_BYTES: Final = 256 * 1024  # larger ones are read from disk in parts, and not shared
MOST_HEAD_BYTES: Final = 64 * 1024
MOST_KINDS: Final = 32  # of one URL
MOST_WAITING: Final = 256  # pages on their way to the server
AT_ONCE: Final = 500  # keys looked at in one question, to forget some
CLEAR_SECONDS: Final = 10.0

T = TypeVar("T")


class _Clear(NamedTuple):
    """Nothing is to be shared any more, or nothing of a host."""

    host: str | None


class SharedPages:
    """The pages on one server. All of it runs on the event loop."""

    def __init__(self, address: str, counters: Counters, now: Callable[[], float]) -> None:
        self._server = connect(address, SECONDS)
        self._counters = counters
        self._now = now
        self._loop_time = asyncio.get_running_loop().time
        self._rests_until = 0.0
        self._next_rest = REST_FIRST
        self._waiting: asyncio.Queue[Stored | str | _Clear] = asyncio.Queue(MOST_WAITING)
        self._writing = asyncio.create_task(self._write())

    async def find(self, request: Request) -> Stored | None:
        """The newest response that is for such a request, with its body; None where there is none that is fresh."""
        key = key_of(request.url)
        heads: Mapping[bytes, bytes] | None = await self._ask(lambda: self._server.hgetall(key))
        if heads is None:
            return None
        fitting = [
            (stored.answered_at, kind, stored)
            for kind, head in heads.items()
            if (stored := self._load(head)) is not None
            and stored.url == request.url
            and stored.fits(request.fields)
        ]
        if not fitting:
            self._counters.shared_misses += 1
            return None
        _, kind, stored = max(fitting, key=lambda each: each[0])
        body: bytes | None = await self._ask(
            lambda: self._server.get(b"%b:%b" % (key.encode(), kind))
        )
        if body is None or len(body) != stored.size:
            self._counters.shared_misses += 1
            return None
        self._counters.shared_hits += 1
        return replace(stored, body=body)

    def offer(self, stored: Stored) -> None:
        """Share a response, if it may be; where too many wait to be shared, it is not."""
        if is_for_all(stored) and self._lifetime(stored) >= 1:
            self._queue(stored)

    def drop(self, url: str) -> None:
        """Share nothing of a URL any more: it was changed through us, or must not be kept."""
        self._queue(url)

    def clear(self, host: str | None) -> None:
        """Share nothing any more of what is shared now, or nothing of a host."""
        self._queue(_Clear(host))

    async def close(self) -> None:
        """Share what waits to be, for a moment, and let go of the server."""
        with suppress(TimeoutError):
            async with asyncio.timeout(SECONDS):
                await self._waiting.join()
        self._writing.cancel()
        with suppress(asyncio.CancelledError):
            await self._writing
        await self._server.aclose()

    def _queue(self, news: Stored | str | _Clear) -> None:
        if self._is_resting:
            self._counters.shared_dropped += 1
            return
        try:
            self._waiting.put_nowait(news)
        except asyncio.QueueFull:
            self._counters.shared_dropped += 1

    async def _write(self) -> None:
        while True:
            news = await self._waiting.get()
            try:
                await self._do(news)
            finally:
                self._waiting.task_done()

    async def _do(self, news: Stored | str | _Clear) -> None:
        if isinstance(news, Stored):
            await self._put(news)
        elif isinstance(news, str):
            await self._ask(lambda: drop_url(self._server, key_of(news)))
        else:
            host = news.host
            with suppress(StorageAwayError):
                await _forget(self._server, lambda url: host in (None, host_of(Url(url))))

    async def _put(self, stored: Stored) -> None:
        seconds = math.floor(self._lifetime(stored))
        if seconds < 1 or stored.body is None:
            return
        key, kind, head = key_of(stored.url), kind_of(stored), dump_head(stored)
        body = stored.body
        if len(head) > MOST_HEAD_BYTES:
            return

        async def put() -> bool:
            if await self._server.hlen(key) > MOST_KINDS:
                await drop_url(self._server, key)
            async with self._server.pipeline(transaction=True) as together:
                together.set(f"{key}:{kind}", body, ex=seconds)
                together.hset(key, mapping={"url": stored.url, kind: head})
                together.expire(key, math.ceil(MOST_LIFETIME))
                await together.execute()
            return True

        self._counters.shared_stored += bool(await self._ask(put))

    def _load(self, head: bytes) -> Stored | None:
        """A head that is for all and fresh; None for everything else that may stand there."""
        stored = load_head(head)
        if (
            stored is None
            or not is_for_all(replace(stored, body=b""))
            or self._lifetime(stored) <= 0
        ):
            return None
        return stored

    def _lifetime(self, stored: Stored) -> float:
        """For how many seconds more a response is fresh, as far as it is shared for that."""
        if stored.terms.validate_always:
            return 0.0
        return min(stored.terms.lifetime - stored.terms.age(self._now()), MOST_LIFETIME)

    @property
    def _is_resting(self) -> bool:
        return self._loop_time() < self._rests_until

    async def _ask(self, ask: Callable[[], Awaitable[T]]) -> T | None:
        """What the server says; None where it does not in time, and is left alone then."""
        if self._is_resting:
            return None
        try:
            async with asyncio.timeout(SECONDS):
                said = await ask()
        except _errors():
            self._counters.shared_failures += 1
            self._rests_until = self._loop_time() + self._next_rest
            self._next_rest = min(2 * self._next_rest, REST_MOST)
            return None
        self._next_rest = REST_FIRST
        return said


def is_for_all(stored: Stored) -> bool:
    """Whether a response may be given to whoever asks any of the proxies."""
    is_small = stored.body is not None and stored.size <= MOST_BODY_BYTES
    return is_small and stored.anonymous and not stored.kept_anyway


def key_of(url: str) -> str:
    """Where the heads of a URL are: below its host's, so that these are found together."""
    return f"{PREFIX}:{_digest(host_of(Url(url)))}:{_digest(url)}"


def kind_of(stored: Stored) -> str:
    """A name for the requests that a response is for: what it varies by, and what these said there."""
    said = (
        *stored.vary,
        b"",
        *(b"-" if each is None else b"+" + each for each in stored.selection),
    )
    return blake2b(b"\n".join(said), digest_size=16).hexdigest()


def dump_head(stored: Stored) -> bytes:
    """All but the body, as JSON."""
    _, *rest = stored.row
    told = [each.decode("latin-1") if isinstance(each, bytes) else each for each in rest]
    return json.dumps(told, separators=(",", ":")).encode()


def load_head(head: bytes) -> Stored | None:
    """The response again, without a body; None for what we did not write."""
    try:
        url, vary, selection, status, block, born, answered_at, size, marks = json.loads(head)
        texts = [each.encode("latin-1") for each in (vary, selection, block)]
        row = (0, str(url), texts[0], texts[1], int(status), texts[2])
        return Stored.from_row((*row, float(born), float(answered_at), int(size), int(marks)))
    except (ValueError, TypeError, AttributeError, RecursionError):
        return None


async def forget_shared(address: str, covers: Callable[[str], bool]) -> int:
    """Remove what is shared of some URLs; how many URLs those were. Raises where the server does not answer."""
    server = connect(address, CLEAR_SECONDS)
    try:
        return await _forget(server, covers)
    finally:
        await server.aclose()


async def _forget(server: Any, covers: Callable[[str], bool]) -> int:  # noqa: ANN401 (as `connect`)
    gone = 0
    try:
        async with asyncio.timeout(CLEAR_SECONDS):
            async for key in server.scan_iter(match=f"{PREFIX}:*:*", count=AT_ONCE):
                if key.count(b":") != PREFIX.count(":") + 2:
                    continue  # a body
                url = await server.hget(key.decode(), "url")
                if url is not None and covers(url.decode("utf-8", "replace")):
                    await drop_url(server, key.decode())
                    gone += 1
    except _errors() as error:
        raise StorageAwayError(
            f"The server of proxy.cache_shared does not answer ({str(error) or 'no answer in time'}), and pages may be "
            "shared there. Run the command again when it is back; what is shared there is gone within a day by itself."
        ) from None
    return gone


async def drop_url(server: Any, key: str) -> int:  # noqa: ANN401 (as `connect`)
    """Remove the heads and the bodies of a URL."""
    kinds: list[bytes] = await server.hkeys(key)
    bodies = [f"{key}:{kind.decode('latin-1')}" for kind in kinds if kind != b"url"]
    count: int = await server.unlink(key, *bodies)
    return count


def connect(address: str, seconds: float) -> Any:  # noqa: ANN401 (its types leave open whether it speaks text or bytes)
    """A client of a server; nothing is sent yet. A wrong address, or no library, is a sentence."""
    try:
        from redis.asyncio import Redis
    except ImportError:
        raise ConfigError(
            "proxy.cache_shared needs the client of Redis and Valkey. Install it with: pip install "
            "'gossamer[redis]'"
        ) from None
    try:
        return Redis.from_url(
            address, socket_timeout=seconds, socket_connect_timeout=seconds, retry=None
        )
    except ValueError:
        raise ConfigError(
            "proxy.cache_shared is no address of a Redis or Valkey server. Write it like "
            "redis://:password@host:6379/0, or rediss:// for TLS."
        ) from None


def _errors() -> tuple[type[Exception], ...]:
    from redis.exceptions import RedisError

    return (RedisError, OSError, TimeoutError)


def _digest(text: str) -> str:
    return blake2b(text.encode(), digest_size=16).hexdigest()
