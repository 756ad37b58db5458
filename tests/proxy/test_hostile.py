"""The table in docs/proxy.md: every malformed and hostile request in it gets the answer it names."""

import asyncio
import random
import re
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

from tests.proxy.proxied import Proxied, run, running, until
from tests.slowness import patience

from gossamer.config import Proxy
from gossamer.proxy.permits import OwnRights

PAGE = Path(__file__).resolve().parents[2] / "docs" / "proxy.md"
ROW = re.compile(r"\| `(.+)` \| (\d{3})\b")
TIMES = re.compile(r"\{(.+?)\*(\d+)\}", re.DOTALL)
ESCAPES = {"r": "\r", "n": "\n", "0": "\0"}


def rows() -> list[tuple[str, int]]:
    table = PAGE.read_text().partition("## Malformed and hostile requests")[2]
    return [(request, int(status)) for request, status in ROW.findall(table)]


def unescaped(text: str) -> str:
    def meant(found: re.Match[str]) -> str:
        return chr(int(found[1][1:], 16)) if found[1][0] == "x" else ESCAPES[found[1]]

    return re.sub(r"\\(x[0-9a-f]{2}|[rn0])", meant, text)


def sent(text: str, proxied: Proxied) -> bytes:
    """The bytes that a row of the table stands for."""
    text = unescaped(text)
    text = text.replace("{me}", proxied.parts.name.decode()).replace("{port}", str(proxied.port))
    return TIMES.sub(lambda found: found[1] * int(found[2]), text).encode("latin-1")


def test_each_request_of_the_table_gets_its_answer(tmp_path: Path) -> None:
    table = rows()
    assert len(table) >= 50

    async def work() -> None:
        async with running(tmp_path) as proxied:
            for text, status in table:
                reply = await proxied.raw(sent(text, proxied))
                assert reply.status == status, f"{text}: {reply}"
                if reply.status != 200:
                    assert reply.headers["x-gossamer-reason"], text
                    assert reply.headers["cache-status"], text
                if reply.status in {403, 429, 502, 504}:
                    assert reply.headers["x-gossamer-cause"], text
            asked = [each.target for each in proxied.web.pages()]
            assert "/private/y" not in asked
            assert not any("secret" in str(each.headers) for each in proxied.web.asked)

    run(work())


def test_what_follows_a_request_that_was_refused_for_its_form_is_not_read(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path) as proxied, proxied.connected() as client:
            await client.send(
                b"POST http://a.test/echo HTTP/1.1\r\nHost: a.test\r\nContent-Length: 5\r\n"
                b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
                b"GET http://a.test/smuggled HTTP/1.1\r\nHost: a.test\r\n\r\n"
            )
            assert (await client.reply()).status == 400
            assert await client.is_closed()
            assert proxied.web.asked == []

    run(work())


SEEDS = (
    b"GET http://a.test/ HTTP/1.1\r\nHost: a.test\r\n\r\n",
    b"POST http://b.test/echo HTTP/1.1\r\nHost: b.test\r\nTransfer-Encoding: chunked\r\n\r\n"
    b"3\r\nabc\r\n0\r\n\r\n",
    b"POST http://c.test/echo HTTP/1.1\r\nHost: c.test\r\nContent-Length: 5\r\n"
    b"Expect: 100-continue\r\n\r\nabcde",
    b"HEAD http://d.test/chunked/2 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
    b"GET http://e.test/raw?both HTTP/1.1\r\nHost: e.test\r\nX-Gossamer-Sequential: 1\r\n\r\n",
    b"GET http://f.test/raw?cut HTTP/1.1\r\nHost: f.test\r\nRange: bytes=0-1\r\n\r\n",
)
BITS = (b"\r\n", b"\n", b"\r", b"\0", b" ", b":", b"0", b"\xff", b"\t", b"%2e%2e/", b"\\", b"#")


def damaged(data: bytes, chance: random.Random) -> bytes:
    text = bytearray(data)
    for _ in range(chance.randint(0, 3)):
        at = chance.randrange(len(text) + 1)
        match chance.randrange(4):
            case 0:
                text[at:at] = chance.choice(BITS)
            case 1:
                del text[at : at + chance.randint(1, 6)]
            case 2 if at < len(text):
                text[at] = chance.randrange(256)
            case _:
                text += chance.choice(SEEDS)
    return bytes(text)


async def _meddle(proxied: Proxied, chance: random.Random) -> None:
    """Send something damaged, in two parts, and leave in one way or another."""
    data = damaged(chance.choice(SEEDS), chance)
    cut, way = chance.randrange(len(data) + 1), chance.random()
    async with proxied.connected() as client:
        client.writer.write(data[:cut])
        await asyncio.sleep(0)
        client.writer.write(data[cut:])
        if way < 0.2:
            client.writer.transport.abort()
        elif way < 0.4:
            client.writer.write_eof()
        with suppress(TimeoutError, ConnectionError):
            async with asyncio.timeout(0.3):
                await client.reader.read()


def test_whatever_comes_is_answered_and_nothing_is_left_behind(
    tmp_path: Path, full_size: bool
) -> None:
    async def work() -> None:
        hurried = Proxy(client_timeout=timedelta(seconds=0.2), max_wait=timedelta(seconds=1))
        chance, room = random.Random(7), asyncio.Semaphore(20)
        async with running(tmp_path, hurried) as proxied:

            async def one() -> None:
                async with room:
                    await _meddle(proxied, chance)

            await asyncio.gather(*(one() for _ in range(5000 if full_size else 150)))
            await until(lambda: not proxied.parts.figures.entries)
            await until(lambda: all(not kept.users for kept in proxied.keeper._kept.values()))
            own = proxied.parts.permits.own
            assert isinstance(own, OwnRights)
            assert not own.way.out
            assert [each for each in proxied.events if each.name != "proxied"] == []
            assert (await proxied.get("http://z.test/")).status == 200

    run(work(), patience(600))
