"""One connection, whose worker is played by the test, byte by byte, in virtual time."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest
from tests.virtual_time import VirtualLoop, in_virtual_time

from gossamer.processes.process import Loss, Lost
from gossamer.processes.protocol import HEADER, Kind, header
from gossamer.reading.pool.connection import MOST_SENT, Connection, Errand


class Notes:
    """A crew that writes down what it is told."""

    def __init__(self) -> None:
        self.answers = 0
        self.hogging: list[Errand] = []
        self.slow_ones = asyncio.Queue[Errand]()

    def answered(self, connection: Connection, errand: Errand, seconds: float) -> None:
        self.answers += 1

    def hogs(self, errand: Errand) -> None:
        self.hogging.append(errand)

    def slow(self, errand: Errand) -> None:
        self.slow_ones.put_nowait(errand)


class PlayedWorker:
    """A connection, and the far end of it in the test's hands."""

    def __init__(self, connection: Connection, crew: Notes, far: socket.socket) -> None:
        self.connection, self.crew, self.far = connection, crew, far

    async def says(self, data: bytes) -> None:
        self.far.sendall(data)
        await asyncio.sleep(0)  # in which the connection hears it

    async def answers(self, number: int, payload: bytes, kind: Kind = Kind.ANSWER) -> None:
        await self.says(header(kind, number, len(payload)) + payload)

    def errand(self, payload: bytes = b"job") -> Errand:
        errand = Errand(payload, asyncio.get_running_loop().create_future())
        self.connection.send(errand)
        self.connection.flush()
        return errand


@asynccontextmanager
async def played(time_limit: float = 20) -> AsyncIterator[PlayedWorker]:
    ours, far = socket.socketpair()
    far.setblocking(False)
    crew = Notes()
    connection = Connection(crew, time_limit)
    with far:
        await asyncio.get_running_loop().create_unix_connection(lambda: connection, sock=ours)
        worker = PlayedWorker(connection, crew, far)
        await worker.answers(0, b"", Kind.READY)
        assert await connection.ready
        yield worker
        connection.end()
        await connection.ended.wait()


def stand_still(seconds: float) -> None:
    """Let time pass in which the loop does not run."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop)
    loop.jumping.seconds += seconds


def test_jobs_that_were_handed_over_go_out_together() -> None:
    async def run() -> None:
        async with played() as worker:
            for job in (b"one", b"two"):
                worker.connection.send(Errand(job, asyncio.get_running_loop().create_future()))
            await asyncio.sleep(0)
            with pytest.raises(BlockingIOError):
                worker.far.recv(1000)
            worker.connection.flush()
            worker.connection.flush()
            received = await asyncio.get_running_loop().sock_recv(worker.far, 1000)
            assert received == header(Kind.JOB, 0, 3) + b"one" + header(Kind.JOB, 1, 3) + b"two"

    in_virtual_time(run())


def test_answers_that_came_before_a_worker_hung_up_count_though_it_was_being_sent_more() -> None:
    async def run() -> None:
        async with played() as worker:
            first, second = worker.errand(b"one"), worker.errand(b"two")
            # All within one step of the loop: what is said is not heard before the next is sent.
            worker.far.send(header(Kind.ANSWER, 0, 1) + b"1")
            worker.far.close()
            third = worker.errand(b"three")
            await worker.connection.ended.wait()
            assert first.future.result() == b"1"
            assert list(worker.connection.sent) == [second, third]
            assert worker.crew.answers == 1

    in_virtual_time(run())


def test_answers_reach_the_jobs_in_the_order_they_were_sent() -> None:
    async def run() -> None:
        async with played() as worker:
            first, second = worker.errand(b"one"), worker.errand(b"two")
            assert worker.connection.room == MOST_SENT - 2
            received = await asyncio.get_running_loop().sock_recv(worker.far, 1000)
            assert received == header(Kind.JOB, 0, 3) + b"one" + header(Kind.JOB, 1, 3) + b"two"
            await worker.answers(0, b"1")
            await worker.answers(1, b"why", Kind.RAISED)
            assert await first.future == b"1"
            assert await second.future == Lost(Loss.RAISED, "why")
            assert worker.crew.answers == worker.connection.answers == 2
            assert worker.connection.room == MOST_SENT

    in_virtual_time(run())


@pytest.mark.parametrize(
    "lie",
    [
        b"\x00" * HEADER.size,
        b"Traceback (most recent call last)",
        header(Kind.ANSWER, 1, 0),
        header(Kind.READY, 0, 0),
        header(Kind.JOB, 0, 0),
        header(Kind.ANSWER, 0, 1 << 60),
    ],
)
def test_a_worker_that_sends_anything_but_the_answer_is_hung_up_on(lie: bytes) -> None:
    async def run() -> None:
        async with played() as worker:
            errand = worker.errand()
            await worker.says(lie)
            await worker.connection.ended.wait()
            assert worker.connection.loss is Loss.CRASH
            assert not errand.future.done()

    in_virtual_time(run())


def test_an_answer_that_nobody_asked_for_ends_the_connection() -> None:
    async def run() -> None:
        async with played() as worker:
            await worker.answers(0, b"surprise")
            await worker.connection.ended.wait()
            assert worker.connection.loss is Loss.CRASH

    in_virtual_time(run())


def test_a_job_over_its_time_ends_the_connection() -> None:
    async def run() -> None:
        async with played(time_limit=0.05) as worker:
            worker.errand()
            await worker.connection.ended.wait()
            assert worker.connection.loss is Loss.TIME
            assert worker.connection.ended_by_us

    in_virtual_time(run())


def test_time_does_not_run_while_there_is_no_job() -> None:
    async def run() -> None:
        async with played(time_limit=0.02) as worker:
            errand = worker.errand()
            await worker.answers(0, b"")
            await errand.future
            await asyncio.sleep(0.1)
            assert not worker.connection.ended.is_set()

    in_virtual_time(run())


def test_an_answer_that_has_begun_in_time_has_time_to_arrive() -> None:
    async def run() -> None:
        async with played(time_limit=1) as worker:
            errand = worker.errand()
            await asyncio.sleep(0.6)
            await worker.says(header(Kind.ANSWER, 0, 2))
            await asyncio.sleep(0.6)
            await worker.says(b"ok")
            assert await errand.future == b"ok"

    in_virtual_time(run())


def test_an_answer_that_never_ends_does_not_arrive_for_ever() -> None:
    async def run() -> None:
        async with played(time_limit=0.1) as worker:
            worker.errand()
            await worker.says(header(Kind.ANSWER, 0, 1000))
            while not worker.connection.ended.is_set():
                with suppress(BrokenPipeError):  # it has hung up, and will know in a moment
                    await worker.says(b".")
                await asyncio.sleep(0.01)
            assert worker.connection.loss is Loss.TIME

    in_virtual_time(run())


def test_time_in_which_we_slept_ourselves_is_not_held_against_a_page() -> None:
    async def run() -> None:
        async with played(time_limit=0.3) as worker:
            errand = worker.errand()
            stand_still(0.7)
            await asyncio.sleep(0)
            await asyncio.sleep(0.01)
            await worker.answers(0, b"late, and not to blame")
            assert await errand.future == b"late, and not to blame"

    in_virtual_time(run())


def test_a_job_behind_a_slow_one_is_handed_on_and_no_other_follows() -> None:
    async def run() -> None:
        async with played() as worker:
            worker.errand(b"slow")
            behind = worker.errand(b"quick")
            assert await worker.crew.slow_ones.get() is behind
            assert worker.connection.room == 0
            await worker.answers(0, b"")
            await worker.answers(1, b"all the same")
            assert await behind.future == b"all the same"
            assert worker.connection.room == MOST_SENT

    in_virtual_time(run())


def test_a_worker_that_hangs_up_before_it_is_ready_is_not_ready() -> None:
    async def run() -> None:
        ours, far = socket.socketpair()
        connection = Connection(Notes(), 1)
        await asyncio.get_running_loop().create_unix_connection(lambda: connection, sock=ours)
        far.close()
        assert await connection.ready is False
        assert connection.leaving.is_set()
        assert not connection.ended_by_us

    in_virtual_time(run())
