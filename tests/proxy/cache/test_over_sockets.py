"""Every rule again, through the proxy: a client, the proxy and a server, over real sockets.

The clock of the cache is the test's, so that a story of an hour takes a moment. One proxy and one
cache serve all stories, each under a path of its own.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

from tests.proxy.proxied import NO_DELAY, running
from tests.slowness import patience

from gossamer.config import Fetch, Politeness, Proxy
from gossamer.http.wire.fields import Fields
from gossamer.proxy.cache.cache import HttpCache
from gossamer.proxy.cache.fields import fields_of, first

from .rules import RULES, Rule, Step
from .test_rules import check
from .world import START, Got, fields

BODILESS = (204, 304)
# A framing that no server could mean: the proxy refuses it before the cache sees it.
UNSPEAKABLE = b"transfer-encoding"
NO_BACKOFF = timedelta(0)


@dataclass
class Scripted:
    """A server that says what the step under way says, and notes what it was asked."""

    ports: dict[str, int] = field(default_factory=dict)  # by the name that rules have for it
    step: Step | None = None
    said: Fields = ()
    asked: list[Fields] = field(default_factory=list)
    gate: asyncio.Event = field(default_factory=asyncio.Event)  # before which nobody is answered

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await self._one(reader, writer):
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        line, _, block = (await reader.readuntil(b"\r\n\r\n")).partition(b"\r\n")
        method, target, _ = line.split(b" ")
        if target == b"/robots.txt":
            writer.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
            return True
        sent = fields_of(block)
        self.asked.append(sent)
        await self.gate.wait()
        await reader.readexactly(int(first(sent, b"content-length") or 0))
        if self.step is None or self.step.fails:
            return False
        return self._answer(self.step, method, writer)

    def _answer(self, step: Step, method: bytes, writer: asyncio.StreamWriter) -> bool:
        body = b"" if step.status in BODILESS or method == b"HEAD" else step.body
        named = first(self.said, b"content-length")
        length = str(len(step.body) + step.breaks_off).encode() if named is None else named
        head = b"".join(b"%b: %b\r\n" % each for each in self.said)
        if named is None and step.status not in BODILESS:
            head += b"Content-Length: %b\r\n" % length
        writer.write(b"HTTP/1.1 %d X\r\n%b\r\n%b" % (step.status, head, body))
        return body == b"" or int(length) == len(body)


@asynccontextmanager
async def scripted() -> AsyncIterator[Scripted]:
    web, tasks = Scripted(), set[asyncio.Task[None]]()
    web.gate.set()

    def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        tasks.add(asyncio.create_task(web.serve(reader, writer)))

    servers = {
        name: await asyncio.start_server(connected, "127.0.0.1", 0) for name in ("a.test", "b.test")
    }
    web.ports = {name: each.sockets[0].getsockname()[1] for name, each in servers.items()}
    yield web
    for server in servers.values():
        server.close()
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


@dataclass
class Stage:
    """Proxy, cache and server, and the moment it is."""

    web: Scripted
    port: int
    cache: HttpCache
    clock: list[float]

    async def play(self, number: int, rule: Rule) -> None:
        self.clock[0] = START
        answers = 0
        for step in rule.story:
            self.clock[0] += step.after
            self.web.step, self.web.asked = step, []
            said = fields(step.say, self.clock[0])
            here = tuple((name, self.moved(value, number)) for name, value in said)
            self.web.said = (*here, (b"Answer", b"%d" % (answers + 1)))
            got = await self.ask(step, number)
            answers += len(self.web.asked)
            check(step, got)
        self.web.step = None

    async def ask(self, step: Step, number: int) -> Got:
        url = self.moved(step.url.encode(), number)
        extra = b"".join(b"%b: %b\r\n" % each for each in fields(step.ask, self.clock[0]))
        host = url.split(b"/")[2]
        line = b"%b %b HTTP/1.1" % (step.method.encode(), url)
        request = b"%b\r\nHost: %b\r\n%bConnection: close\r\n\r\n" % (line, host, extra)
        head, _, body = (await self.exchange(request)).partition(b"\r\n\r\n")
        first_line, _, block = head.partition(b"\r\n")
        # Where a stored response stands in for a failure, or is refreshed behind our back, the
        # server was asked, too.
        aside = b"; hit;" in block or (step.fails and step.expect == "hit")
        sent = self.web.asked[0] if self.web.asked and not aside else None
        told = tuple(
            each for each in fields_of(block + b"\r\n") if each[0].lower() != b"connection"
        )
        return Got(int(first_line.split(b" ")[1]), told, body, sent)

    async def exchange(self, request: bytes) -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            writer.write(request)
            async with asyncio.timeout(patience(60)):
                return await reader.read()
        finally:
            writer.close()

    def moved(self, text: bytes, number: int) -> bytes:
        """A name of the rules as it is here: a port for each host, a folder for each rule."""
        for name, port in self.web.ports.items():
            text = text.replace(f"http://{name}".encode(), b"http://127.0.0.1:%d" % port)
        if text.startswith(b"http://127."):
            origin, _, path = text[7:].partition(b"/")
            return b"http://%b/r%d/%b" % (origin, number, path)
        return b"/r%d%b" % (number, text) if text == b"/other" else text


@asynccontextmanager
async def stage(folder: Path) -> AsyncIterator[Stage]:
    clock, caches = [START], list[HttpCache]()

    def cache() -> HttpCache:
        loop = asyncio.get_running_loop()
        path = folder / "proxy-cache.db"
        caches.append(
            HttpCache(path, Proxy(), now=lambda: clock[0], call_soon=loop.call_soon_threadsafe)
        )
        return caches[0]

    patient = Politeness(
        delay=NO_DELAY.delay,
        contact=NO_DELAY.contact,
        backoff_first=NO_BACKOFF,
        backoff_most=NO_BACKOFF,
        per_host=8,
    )
    reach = Fetch(allow_net=("127.0.0.0/8",))
    async with (
        scripted() as web,
        running(folder, politeness=patient, fetch=reach, cache=cache) as proxied,
    ):
        yield Stage(web, proxied.port, caches[0], clock)
        await caches[0].close()


async def failing(folder: Path) -> list[str]:
    """The rules that do not hold, and why."""
    bad = []
    async with stage(folder) as here:
        for number, rule in enumerate(RULES):
            if is_speakable(rule):
                try:
                    await here.play(number, rule)
                except (AssertionError, TimeoutError, OSError) as error:
                    bad.append(f"{rule.says}: {error!r}")
    return bad


def is_speakable(rule: Rule) -> bool:
    named = [name.lower() for step in rule.story for name, _ in fields(step.say)]
    return UNSPEAKABLE not in named


def test_every_rule_holds_through_the_proxy(tmp_path: Path) -> None:
    assert asyncio.run(failing(tmp_path)) == []


async def asked_at_once(folder: Path, step: Step, clients: int) -> tuple[int, set[bytes], int]:
    """How often the server was asked, what clients got, and how many waited for others."""
    async with stage(folder) as here:
        here.web.step, here.web.said = step, fields(step.say)
        here.web.gate.clear()
        asking = [asyncio.create_task(here.ask(step, 0)) for _ in range(clients)]
        counters = here.cache.counters
        async with asyncio.timeout(patience(60)):
            while counters.misses + counters.collapsed < clients:  # noqa: ASYNC110 (nobody tells us)
                await asyncio.sleep(0.005)
        here.web.gate.set()
        got = await asyncio.gather(*asking)
        return len(here.web.asked), {each.body for each in got}, counters.collapsed


def test_those_who_ask_at_once_share_one_fetch(tmp_path: Path) -> None:
    large = Step("fetch", {"Cache-Control": "max-age=60"}, body=b"x" * 1_000_000)
    assert asyncio.run(asked_at_once(tmp_path, large, 20)) == (1, {large.body}, 19)


def test_those_who_cannot_share_are_all_served(tmp_path: Path) -> None:
    private = Step("fetch", {"Cache-Control": "private"})
    asked, bodies, collapsed = asyncio.run(asked_at_once(tmp_path, private, 20))
    assert (asked, bodies) == (20, {b"hello"})
    assert collapsed == 19


async def left(folder: Path, staying: int) -> tuple[int, set[bytes]]:
    """A client that leaves while others wait for its fetch; how often is asked, what they get."""
    page = Step("fetch", {"Cache-Control": "max-age=60"})
    async with stage(folder) as here:
        here.web.step, here.web.said = page, fields(page.say)
        here.web.gate.clear()
        leaving = asyncio.create_task(here.ask(page, 0))
        async with asyncio.timeout(patience(60)):
            while not here.web.asked:  # noqa: ASYNC110 (nobody tells us)
                await asyncio.sleep(0.005)
        others = [asyncio.create_task(here.ask(page, 0)) for _ in range(staying)]
        async with asyncio.timeout(patience(60)):
            while here.cache.counters.collapsed < staying:  # noqa: ASYNC110 (nobody tells us)
                await asyncio.sleep(0.005)
        leaving.cancel()
        await asyncio.wait([leaving])
        here.web.gate.set()
        async with asyncio.timeout(patience(60)):
            got = await asyncio.gather(*others)
        return len(here.web.asked), {each.body for each in got}


def test_whoever_leaves_leaves_the_page_to_one_of_the_others(tmp_path: Path) -> None:
    assert asyncio.run(left(tmp_path, 20)) == (2, {b"hello"})
