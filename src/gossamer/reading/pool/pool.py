"""Jobs to worker processes, answers back, on the owner's event loop.

Every job ends in an answer or in `Lost`, whatever happens to its worker: a page over its time
or memory takes down its own process only, a job that stood behind it goes to another worker,
and a successor starts at once. The queue is fair by host (`fair_queue.py`). No job is sent before a worker is ready for it, none is kept by
a worker that is busy with a slow one, and none is forgotten.
"""

import asyncio
import os
from collections.abc import Callable
from itertools import count
from typing import Final, NamedTuple, Self

from gossamer.errors import GossamerError
from gossamer.processes.process import ChildProcess, Loss, Lost, hear, loss_of, spawn, status_of
from gossamer.reading.pool.connection import Answer, Connection, Errand
from gossamer.reading.pool.fair_queue import FairQueue
from gossamer.reading.pool.worker import WorkerSpec, program

JOBS_PER_WORKER: Final = 5000  # then a successor: bounds what leaks can add up to
START_PAUSES: Final = (0.0, 0.2, 1.0)  # seconds before each attempt to start a worker
LAST_ATTEMPT: Final = len(START_PAUSES) - 1
GRACE_SECONDS: Final = 1.0  # for a process that is ending to end
START_SECONDS: Final = 60.0  # to load all modules, on a machine that is busy
TOLD_SECONDS: Final = 0.25  # a reading that takes longer is told of
OUR_FAULT: Final = frozenset({Loss.KILLED, Loss.RAISED})  # or somebody else's, not the job's


class HostReading(NamedTuple):
    """How a host's job went, where it took long or came to nothing."""

    host: str
    seconds: float  # at work
    troubles: int  # of this host in a row that came to nothing, with this one


class PoolError(GossamerError):
    """The workers cannot be used: they do not start, or the pool was closed."""


def usable_cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class WorkerPool:
    """Some worker processes that all run one function, from bytes to bytes.

    Used with `async with`, on whose exit no worker is left; what was not answered by then
    raises `PoolError`.
    """

    def __init__(
        self,
        spec: WorkerSpec,
        *,
        workers: int,
        jobs_per_worker: int = JOBS_PER_WORKER,
        tries_again: int = 1,  # a job whose worker somebody else kills
        heard: Callable[[HostReading], None] = lambda _: None,
    ) -> None:
        self._spec = spec
        self._workers = workers
        self._jobs_per_worker = jobs_per_worker
        self._tries_again = tries_again
        self._group = asyncio.TaskGroup()
        self._seats: list[asyncio.Task[None]] = []
        self._staff: set[Connection] = set()  # all that live
        self._open: list[Connection] = []  # those that take jobs
        self._waiting: FairQueue[Errand] = FairQueue(workers)
        self._heard = heard
        self._fault: PoolError | None = None
        self._is_due = False  # jobs are to be sent in a moment
        self._held_by: set[str] = set()  # who wants none to be sent for now

    async def __aenter__(self) -> Self:
        self._loop = asyncio.get_running_loop()
        await self._group.__aenter__()
        self._seats = [self._group.create_task(self._keep_seat()) for _ in range(self._workers)]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._break(PoolError("The pool of workers was closed."))
        for seat in self._seats:
            seat.cancel()
        for connection in self._staff:
            connection.end()
        # Not told of an error outside: the tasks that are left see to it that all are reaped.
        await self._group.__aexit__(None, None, None)

    async def run(self, job: bytes, host: str = "", *, alone: bool = False) -> Answer:
        """The answer to a job; raises `PoolError` where there can be none."""
        return await self.submit(job, host, alone=alone)

    def submit(self, job: bytes, host: str = "", *, alone: bool = False) -> asyncio.Future[Answer]:
        """The answer to a job, to be waited for. Cancelled, the job is not begun.

        Hosts have their turns by what their jobs take; nothing is sent behind a job that is to be
        alone with its worker.
        """
        if self._fault is not None:
            raise self._fault
        future: asyncio.Future[Answer] = self._loop.create_future()
        errand = Errand(job, future, host, alone, tries_left=self._tries_again)
        self._waiting.push(host, errand)
        self._soon()
        return errand.future

    def hold(self, held: bool, by: str = "") -> None:
        """Send no more jobs for now, or go on, as far as one of those who may say so is concerned.

        Jobs that were sent are answered.
        """
        if held is not (by in self._held_by):
            (self._held_by.add if held else self._held_by.discard)(by)
            self._soon()

    def is_slow(self, host: str) -> bool:
        """Whether the jobs of a host, or of its site, take over a second of late."""
        return self._waiting.is_slow(host)

    def is_behind(self, host: str) -> bool:
        """Whether a host is slow, and has enough jobs here."""
        return self._waiting.is_behind(host)

    @property
    def pids(self) -> tuple[int, ...]:
        """The worker processes that take jobs now."""
        return tuple(each.pid for each in self._open if each.pid is not None)

    def answered(self, connection: Connection, errand: Errand, seconds: float) -> None:
        """A worker has room."""
        self._end(errand, seconds)
        if connection.retired and not connection.sent:
            connection.end()
        if connection.answers >= self._jobs_per_worker:
            connection.leaving.set()
        self._soon()

    def slow(self, errand: Errand) -> None:
        """A job stands behind a slow one: let another worker have it too. The first answer counts."""
        self._put_first(errand)
        self._dispatch()

    def hogs(self, errand: Errand) -> None:
        """A job takes long: its host is a slow one from now on."""
        self._waiting.begun(errand.host)

    def _end(self, errand: Errand, seconds: float | None, *, lost: bool = False) -> None:
        """Have the queue know that a job is over; the first time counts."""
        if errand.is_over:
            return
        errand.is_over = True
        troubles = self._waiting.end(errand.host, seconds, lost=lost)
        if errand.host and seconds is not None and (lost or seconds > TOLD_SECONDS):
            self._heard(HostReading(errand.host, seconds, troubles))

    def _soon(self) -> None:
        """Send what waits; in one go with what else comes at the same time, where we run."""
        if not self._loop.is_running():
            self._dispatch()
        elif not self._is_due:
            self._is_due = True
            self._loop.call_soon(self._dispatch)

    def _dispatch(self) -> None:
        self._is_due = False
        while self._waiting and self._open and not self._held_by:
            connection = max(self._open, key=lambda each: each.room)
            if not connection.room:
                break
            errand = self._waiting.pop(self._slow_room)
            if errand is None:
                break
            if errand.future.done():  # cancelled, or answered elsewhere
                self._end(errand, None)
            elif errand in connection.sent:  # it was handed on, and its turn came there first
                errand.places -= 1
            else:
                errand.is_slow = self._waiting.is_slow(errand.host)
                errand.alone = errand.alone or errand.is_slow
                connection.send(errand)
        for connection in self._open:
            connection.flush()

    @property
    def _slow_room(self) -> int:
        """How many more workers may have a job of a slow host."""
        if not self._waiting.has_slow:
            return 0
        return self._waiting.slow_places - sum(each.is_held for each in self._open)

    async def _keep_seat(self) -> None:
        """See that there is always one open worker more; change it without a gap."""
        former: Connection | None = None
        while (connection := await self._hire()) is not None:
            self._open.append(connection)
            if former is not None:
                self._retire(former)
            self._dispatch()
            await connection.leaving.wait()
            former = connection

    def _retire(self, connection: Connection) -> None:
        connection.retired = True
        if connection in self._open:
            self._open.remove(connection)
        if not connection.sent:
            connection.end()

    async def _hire(self) -> Connection | None:
        """A new worker that is ready; None where none will start."""
        for attempt in count():
            await asyncio.sleep(START_PAUSES[min(attempt, LAST_ATTEMPT)])
            connection = Connection(self, self._spec.time_limit)
            self._staff.add(connection)
            life = self._group.create_task(self._employ(connection))
            if await _is_ready(connection):
                return connection
            lost = await life
            if attempt >= LAST_ATTEMPT and not self._open:  # else the others do the work
                break
        why = lost.detail.splitlines()[-1:] or ["they end without a word"]
        self._break(PoolError(f"The workers that read pages do not start: {why[0]}"))
        return None

    async def _employ(self, connection: Connection) -> Lost:
        """One worker's whole life."""
        try:
            lost = await self._work(connection)
        except OSError as error:  # no process or no descriptor to be had
            connection.connection_lost(error)
            lost = Lost(Loss.CRASH, str(error))
        finally:
            self._staff.discard(connection)
        self._see_off(connection, lost)
        return lost

    async def _work(self, connection: Connection) -> Lost:
        with spawn(program(self._spec)) as process, hear(process, self._loop):
            connection.pid = process.pid
            await self._loop.create_unix_connection(lambda: connection, sock=process.connection)
            try:
                await connection.ended.wait()
            finally:
                connection.end()
            lost = await _autopsy(connection, process)
            process.kill()
            await status_of(process, GRACE_SECONDS)  # a large process takes a while to go
            return lost

    def _see_off(self, connection: Connection, lost: Lost) -> None:
        """Blame the job that the worker was at, and give back those behind it."""
        if connection in self._open:
            self._open.remove(connection)
        sent = list(connection.sent)
        connection.sent.clear()
        for errand in sent:
            errand.places -= 1
        if sent and not _forgiven(sent[0], lost):
            sent[0].settle(lost)
            self._end(sent[0], connection.seconds, lost=lost.loss not in OUR_FAULT)
        for errand in reversed(sent):
            if errand.places == 0 and not errand.future.done():
                self._put_first(errand)
        self._dispatch()

    def _put_first(self, errand: Errand) -> None:
        errand.places += 1
        self._waiting.push_first(errand.host, errand)

    def _break(self, fault: PoolError) -> None:
        """No more jobs: all that wait are told."""
        self._fault = self._fault or fault
        sent = [errand for connection in self._staff for errand in connection.sent]
        for errand in [*self._waiting.clear(), *sent]:
            if not errand.future.done():
                errand.future.set_exception(self._fault)
                errand.future.exception()  # who no longer waits for it need not be told


def _forgiven(errand: Errand, lost: Lost) -> bool:
    """Whether a job may try again: nothing says that it was the reason for a kill from outside."""
    if lost.loss is not Loss.KILLED or not errand.tries_left:
        return False
    errand.tries_left -= 1
    return True


async def _is_ready(connection: Connection) -> bool:
    try:
        async with asyncio.timeout(START_SECONDS):
            return await connection.ready
    except TimeoutError:
        connection.end()
        return False


async def _autopsy(connection: Connection, process: ChildProcess) -> Lost:
    """What became of the job that the worker was at, now that the connection has ended."""
    if connection.ended_by_us:
        return Lost(connection.loss or Loss.CRASH, process.last_words)
    status = await status_of(process, GRACE_SECONDS)
    process.listen()
    loss = loss_of(status, process.last_words)
    return Lost(loss, process.last_words or f"exit status {status}")
