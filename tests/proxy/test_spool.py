import asyncio
import random
import socket
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from tests.proxy.proxied import SOON, Client, Proxied, run, running, until

from gossamer.config import Proxy
from gossamer.http.stream import GoneError, Stream
from gossamer.proxy.permits import OwnRights
from gossamer.proxy.spool import NO_SPOOL, SpooledWriter, SpoolRoom

SMALL, LARGE = 2**16, 2**22  # bytes that a system keeps for a client, and more than that

SLOWLY = Proxy(buffer_bytes=SMALL, client_timeout=timedelta(hours=1))


def room(folder: Path | None, most: int = 4000, left_free: int = 0) -> SpoolRoom:
    return SpoolRoom(folder, lambda: most, left_free)


def test_what_waits_comes_back_in_order_and_its_file_has_no_name(tmp_path: Path) -> None:
    shared = room(tmp_path)
    with closing(shared.open()) as spool:
        assert spool.write(b"one")
        assert spool.write(b"two")
        assert [*tmp_path.iterdir()] == []
        assert (spool.held, shared.used) == (6, 6)
        assert spool.read(4) == b"onet"
        assert spool.write(b"three")
        assert spool.read() == b"wothree"
        assert (spool.held, spool.read(), shared.used) == (0, b"", 0)
        assert spool.write(b"four")
        assert spool.read() == b"four"
    assert shared.used == 0


def test_one_client_has_a_quarter_of_the_room_and_all_have_no_more_than_all(tmp_path: Path) -> None:
    shared = room(tmp_path, 4000)
    spools = [shared.open() for _ in range(6)]
    assert not spools[0].write(1001 * b"x")
    assert [each.write(900 * b"x") for each in spools] == [True] * 4 + [False] * 2
    assert spools[0].write(100 * b"x")
    assert not spools[0].write(b"x")
    spools[0].close()
    assert spools[5].write(900 * b"x")
    for each in spools:
        each.close()
    assert shared.used == 0


def test_a_disk_without_room_takes_nothing(tmp_path: Path) -> None:
    for shared in (room(tmp_path, left_free=2**60), room(tmp_path / "gone"), NO_SPOOL):
        with closing(shared.open()) as spool:
            assert not spool.write(b"x")
            assert (spool.held, shared.used, spool.read()) == (0, 0, b"")


class Reader(Stream):
    """A connection to somebody who takes so many bytes at a time, when told to."""

    def __init__(self) -> None:
        super().__init__()
        self.taken = b""
        self.waiting = b""
        self.is_aborted = False

    def write(self, data: bytes) -> None:
        self.waiting += data
        if len(self.waiting) > 10:
            self.pause_writing()

    def read(self, most: int) -> None:
        self.taken += self.waiting[:most]
        self.waiting = self.waiting[most:]
        if len(self.waiting) <= 5:
            self.resume_writing()

    def abort(self) -> None:
        self.is_aborted = self.lost = True
        self.resume_writing()

    @property
    def unsent(self) -> int:
        return len(self.waiting)


@pytest.mark.parametrize("most", [0, 200, 4_000_000])
def test_a_client_gets_everything_in_order_however_slowly_it_reads(
    tmp_path: Path, most: int
) -> None:
    async def work() -> None:
        chance, reader, shared = random.Random(most), Reader(), room(tmp_path, most)
        sent = bytes(chance.randrange(256) for _ in range(3000))

        async def write() -> None:
            at = 0
            while at < len(sent):
                count = chance.randrange(1, 40)
                out.write(sent[at : at + count])
                at += count
                await out.drain()
                assert len(out._pending) == 0
            await out.finish()

        with closing(SpooledWriter(reader, shared)) as out:
            writing = asyncio.create_task(write())
            while not writing.done():
                await asyncio.sleep(0)
                reader.read(chance.randrange(30))
            await writing
            assert not out.is_spooling
        reader.read(len(sent))
        assert reader.taken == sent
        assert shared.used == 0

    asyncio.run(work())


def test_whoever_writes_waits_only_where_there_is_no_room(tmp_path: Path) -> None:
    async def work() -> None:
        for most, waits in ((4000, False), (0, True)):
            reader = Reader()
            with closing(SpooledWriter(reader, room(tmp_path, most))) as out:
                out.write(50 * b"x")
                out.write(50 * b"y")
                assert out.is_blocked is waits
                assert out.unsent == 100
                draining = asyncio.create_task(out.drain())
                await asyncio.sleep(0)
                assert draining.done() is not waits
                reader.read(50)
                await draining
                await out.finish()
                reader.read(50)
            assert reader.taken == 50 * b"x" + 50 * b"y"

    asyncio.run(work())


def test_a_client_that_takes_nothing_is_let_go_of(tmp_path: Path) -> None:
    async def work() -> None:
        reader, shared = Reader(), room(tmp_path)
        with closing(SpooledWriter(reader, shared, timedelta(milliseconds=5))) as out:
            out.write(50 * b"x")
            out.write(50 * b"y")
            with pytest.raises(GoneError):
                await out.finish()
            assert reader.is_aborted
        assert shared.used == 0

    asyncio.run(work())


async def slow_client(proxied: Proxied, path: str) -> Client:
    """A client that has asked for a large answer, and has not read any of it."""
    ours = socket.create_connection(("127.0.0.1", proxied.port))
    ours.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL)
    client = Client(*await asyncio.open_connection(sock=ours, limit=SMALL))
    await until(lambda: proxied.parts.connections)
    (connection,) = proxied.parts.connections
    theirs = connection.transport.get_extra_info("socket")
    theirs.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SMALL)
    await client.send(f"GET http://a.test{path} HTTP/1.1\r\nHost: a.test\r\n\r\n".encode())
    return client


@pytest.mark.parametrize("path", [f"/large/{LARGE}", f"/until-close/{LARGE}"])
def test_a_slow_reader_does_not_hold_the_host(tmp_path: Path, path: str) -> None:
    async def work() -> None:
        async with running(tmp_path, SLOWLY, spools=True) as proxied:
            own = proxied.parts.permits.own
            assert isinstance(own, OwnRights)
            slow = await slow_client(proxied, path)
            await until(lambda: len(proxied.web.pages()) == 1)
            await until(lambda: not own.way.out)  # although nobody has read any of it
            assert proxied.parts.spool.used > LARGE // 4
            assert (await proxied.get("http://a.test/other")).status == 200
            reply = await slow.reply()
            assert (reply.status, len(reply.body)) == (200, LARGE)
            await until(lambda: not proxied.parts.spool.used)
            slow.close()

    run(work())


def test_a_client_that_leaves_takes_nothing_with_it(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path, SLOWLY, spools=True) as proxied:
            slow = await slow_client(proxied, f"/large/{LARGE}")
            await until(lambda: proxied.parts.spool.used > LARGE // 4)
            slow.close()
            await until(lambda: not proxied.parts.spool.used)

    run(work())


def test_without_room_the_server_waits_for_the_client(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path, replace(SLOWLY, spool_bytes=0), spools=True) as proxied:
            slow = await slow_client(proxied, f"/large/{LARGE}")
            async with asyncio.timeout(SOON):
                reply = await slow.reply()
            assert (reply.status, len(reply.body)) == (200, LARGE)
            assert proxied.parts.spool.used == 0
            slow.close()

    run(work())
