"""The owner's end of one worker: which jobs it was sent, in which order, and for how long.

A worker is sent further jobs while it has the first, so that it never waits for us. The clock
runs for the first alone. What becomes of the jobs is the pool's business (`Crew`).
"""

import asyncio
import os
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, Protocol

from gossamer.processes.process import Loss, Lost
from gossamer.processes.protocol import Frame, FrameReader, Kind, ProtocolError, header
from gossamer.reading.pool import fair_queue

# One at work, the others at hand: our own loop may be busy for the time of several pages.
MOST_SENT: Final = 8
SLOW_SECONDS: Final = 0.25  # a job that takes longer must not hold up the one behind it
HOGGING_SECONDS: Final = fair_queue.SLOW_SECONDS  # one that takes longer makes its host a slow one
READ_BYTES: Final = 256 * 1024  # at once
OUR_OWN_SECONDS: Final = 0.1  # a loop that is later than this was not running

Answer = bytes | Lost


@dataclass(eq=False, slots=True)
class Errand:
    """A job on its way to an answer."""

    payload: bytes
    future: asyncio.Future[Answer]
    host: str = ""  # whose turn it takes; without one it is nobody's
    alone: bool = False  # nothing is sent to its worker behind it
    places: int = 1  # where it stands: in the queue, and with workers
    tries_left: int = 1  # after somebody else killed its worker
    is_slow: bool = False  # of a slow host, when it was sent
    is_over: bool = False  # the queue was told

    def settle(self, answer: Answer) -> None:
        """Give the answer, if nobody did and somebody still waits."""
        if not self.future.done():
            self.future.set_result(answer)


class Crew(Protocol):
    """Whom a connection tells what happens."""

    def answered(self, connection: "Connection", errand: Errand, seconds: float) -> None:
        """The worker has answered a job after so long, and has room for another."""

    def hogs(self, errand: Errand) -> None:
        """The job is at work for a second by now."""

    def slow(self, errand: Errand) -> None:
        """The job stands behind one that takes long."""


class Connection(asyncio.Protocol):
    """Jobs to one worker, and its answers."""

    def __init__(self, crew: Crew, time_limit: float) -> None:
        self._loop = asyncio.get_running_loop()
        self._crew = crew
        self._time_limit = time_limit
        self._frames = FrameReader()
        self._transport: asyncio.Transport | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._started_at = 0.0  # the head
        self._number = 0  # of the job at the head; they are numbered in the order they are sent
        self._arriving = False  # part of the head's answer is here
        self._head_is_slow = False
        self._unsent: list[bytes] = []
        self.sent: deque[Errand] = deque()
        self.answers = 0
        self.ended_by_us = False
        self.loss: Loss | None = None  # our reason to end it, if a job was that
        self.pid: int | None = None
        self.retired = False  # is sent no more jobs
        self.ready: asyncio.Future[bool] = self._loop.create_future()
        self.leaving = asyncio.Event()  # it is time for a successor
        self.ended = asyncio.Event()

    @property
    def room(self) -> int:
        """How many more jobs the worker can be sent now."""
        if self.retired or self._transport is None or self._transport.is_closing():
            return 0
        if self._head_is_slow or (self.sent and self.sent[-1].alone):
            return 0
        return MOST_SENT - len(self.sent)

    @property
    def is_held(self) -> bool:
        """Whether the worker is at a slow job, or comes to one of a slow host."""
        return self._head_is_slow or (bool(self.sent) and self.sent[-1].is_slow)

    @property
    def seconds(self) -> float:
        """How long the worker has been at the job that it is at."""
        return self._loop.time() - self._started_at

    def send(self, errand: Errand) -> None:
        """Hand the worker one more job, with the next `flush`."""
        number = (self._number + len(self.sent)) & 0xFFFF_FFFF
        self._unsent += (header(Kind.JOB, number, len(errand.payload)), errand.payload)
        self.sent.append(errand)
        if len(self.sent) == 1:
            self._head_starts()

    def flush(self) -> None:
        """Send the jobs that it was handed."""
        if self._unsent and self._transport is not None:
            self._transport.writelines(self._unsent)
            self._unsent = []

    def end(self, loss: Loss | None = None) -> None:
        """Hang up. Whoever holds the process kills it then."""
        if not self.ended.is_set():
            self.ended_by_us, self.loss = True, self.loss or loss
        if self._transport is not None:
            self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """We can send."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        if self.ended_by_us:  # before we could
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """The worker hung up, or we did."""
        if exc is not None and not self.ended_by_us:
            self._hear_last_words()
        self._stop_clock()
        if not self.ready.done():
            self.ready.set_result(False)
        self.leaving.set()
        self.ended.set()

    def data_received(self, data: bytes) -> None:
        """Part of an answer, or several."""
        try:
            for frame in self._frames.feed(data):
                self._take(frame)
        except ProtocolError:
            self.end(Loss.CRASH)
            return
        if self._frames.within_a_frame and not self._arriving:
            # Done in time. A long answer has as much time again to reach us, so that our
            # own slowness is not held against the page.
            self._arriving = True
            self._start_clock(self._time_limit, self._late)

    def _hear_last_words(self) -> None:
        """Take the answers that came before a job could not be sent: no page of theirs is to blame."""
        if self._transport is None:
            return
        ours = self._transport.get_extra_info("socket").fileno()
        with suppress(OSError):  # there is no more
            while data := os.read(ours, READ_BYTES):
                self.data_received(data)

    def _take(self, frame: Frame) -> None:
        if frame.kind is Kind.READY and not self.ready.done():
            self.ready.set_result(True)
            return
        if frame.kind not in (Kind.ANSWER, Kind.RAISED) or not self.sent:
            raise ProtocolError("nothing was asked")
        if frame.number != self._number:
            raise ProtocolError("the answer is not to what was asked")
        self._number = (self._number + 1) & 0xFFFF_FFFF
        self.answers += 1
        errand, seconds = self.sent.popleft(), self.seconds
        errand.settle(_answer(frame))
        self._head_starts()
        self._crew.answered(self, errand, seconds)

    def _head_starts(self) -> None:
        self._arriving = self._head_is_slow = False
        if self.sent:
            self._started_at = self._loop.time()
            self._start_clock(min(SLOW_SECONDS, self._time_limit), self._slow)
        else:
            self._stop_clock()

    def _slow(self) -> None:
        self._head_is_slow = True
        left = max(0, self._time_limit - SLOW_SECONDS)
        if left > HOGGING_SECONDS - SLOW_SECONDS:
            self._start_clock(HOGGING_SECONDS - SLOW_SECONDS, self._hogs)
        else:
            self._start_clock(left, self._late)
        head, *behind = self.sent
        for errand in behind:
            # What else the same host has waits for it here: it must not hold two workers for that.
            if errand.host != head.host or not head.host:
                self._crew.slow(errand)

    def _hogs(self) -> None:
        self._start_clock(max(0, self._time_limit - HOGGING_SECONDS), self._late)
        self._crew.hogs(self.sent[0])

    def _late(self) -> None:
        self.end(Loss.TIME)

    def _start_clock(self, seconds: float, then: Callable[[], None]) -> None:
        self._stop_clock()
        due = self._loop.time() + seconds
        self._timer = self._loop.call_at(due, self._rings, due, then)

    def _rings(self, due: float, then: Callable[[], None]) -> None:
        """Time is up, unless we slept ourselves: a batch does between two answers.

        The worker may have waited all that time for the rest of its job.
        """
        late = self._loop.time() - due
        if late > OUR_OWN_SECONDS:
            self._start_clock(min(late, self._time_limit), then)
        else:
            then()

    def _stop_clock(self) -> None:
        if self._timer is not None:
            self._timer.cancel()


def _answer(frame: Frame) -> Answer:
    if frame.kind is Kind.ANSWER:
        return frame.payload
    return Lost(Loss.RAISED, frame.payload.decode(errors="replace"))
