"""Curl's transfers on the event loop: any number of connections, and one descriptor to wait on.

Curl says which sockets it waits for. They are in a selector of their own, and the event loop
waits for that one alone: what is ready at one time is done in one go, and a request costs the
loop a few steps, where a reader for every connection costs it a dozen.
"""

import asyncio
import selectors
from typing import Final

import pycurl

from gossamer.fetch.outcome import CurlError

# Curl and selectors count alike: 1 is reading, 2 is writing.
_EITHER: Final = selectors.EVENT_READ | selectors.EVENT_WRITE
assert (pycurl.POLL_IN, pycurl.POLL_OUT) == (selectors.EVENT_READ, selectors.EVENT_WRITE)
assert (pycurl.CSELECT_IN, pycurl.CSELECT_OUT) == (selectors.EVENT_READ, selectors.EVENT_WRITE)
_STOPPED: Final = None  # what is stopped has not failed: whoever stopped it knows why

Over = asyncio.Future[CurlError | None]


class Transfers:
    """All transfers of one client, on the event loop that runs when the first of them begins."""

    def __init__(self, idle_connections: int) -> None:
        """So many connections are kept for the next request."""
        self._multi = pycurl.CurlMulti()
        self._multi.setopt(pycurl.M_MAXCONNECTS, idle_connections)
        self._multi.setopt(pycurl.M_SOCKETFUNCTION, self._on_socket)
        self._multi.setopt(pycurl.M_TIMERFUNCTION, self._on_timer)
        self._sockets = selectors.DefaultSelector()
        self._waiting: dict[int, int] = {}  # what for, by socket
        self._under_way: dict[pycurl.Curl, Over] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._due: float | None = None  # when curl wants to be called, whatever its sockets do
        self._alarm: asyncio.Handle | None = None
        self._rings_at = 0.0
        self.closed = False

    def begin(self, curl: pycurl.Curl) -> Over:
        """Start a transfer; what comes of it, or nothing where it went well or was stopped."""
        loop = self._loop or self._listen()
        self._multi.add_handle(curl)
        over = self._under_way[curl] = loop.create_future()
        return over

    def stop(self, curl: pycurl.Curl) -> bool:
        """End a transfer, if it is under way; whether it was."""
        if curl not in self._under_way:
            return False
        self._end(curl, _STOPPED)
        return True

    def close(self) -> None:
        """End all transfers, and close all connections."""
        if self.closed:
            return
        for curl in list(self._under_way):
            self._end(curl, _STOPPED)
        self.closed = True
        if self._alarm is not None:
            self._alarm.cancel()
        if self._loop is not None and not self._loop.is_closed():
            self._loop.remove_reader(self._sockets.fileno())
        self._multi.close()
        self._sockets.close()

    def _listen(self) -> asyncio.AbstractEventLoop:
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._sockets.fileno(), self._ready)
        return self._loop

    def _on_socket(self, what: int, socket: int, *_: object) -> None:
        """Curl waits for something else on a socket than before, or for nothing any more."""
        if self.closed:
            return
        wanted, before = what & _EITHER, self._waiting.get(socket, 0)
        if wanted == before:
            return
        if not wanted:
            del self._waiting[socket]
            self._sockets.unregister(socket)
            return
        self._waiting[socket] = wanted
        change = self._sockets.modify if before else self._sockets.register
        change(socket, wanted)

    def _on_timer(self, milliseconds: int) -> None:
        """Curl is to be called after so long, or no more where it is less than nothing."""
        if self._loop is None or milliseconds < 0:
            self._due = None
            return
        self._due = self._loop.time() + milliseconds / 1000
        if self._alarm is None or self._due < self._rings_at:
            self._set_alarm(self._loop, self._due)

    def _set_alarm(self, loop: asyncio.AbstractEventLoop, at: float) -> None:
        """Ring then. Curl's wishes come several to a request: an alarm that is early enough stays."""
        if self._alarm is not None:
            self._alarm.cancel()
        self._rings_at = at
        at_once = at <= loop.time()
        self._alarm = loop.call_soon(self._ring) if at_once else loop.call_at(at, self._ring)

    def _ring(self) -> None:
        self._alarm = None
        if self._loop is None or self._due is None:
            return
        if self._due > self._loop.time():
            self._set_alarm(self._loop, self._due)
            return
        self._due = None
        self._act([(pycurl.SOCKET_TIMEOUT, 0)])

    def _ready(self) -> None:
        self._act([(key.fd, events) for key, events in self._sockets.select(0)])

    def _act(self, ready: list[tuple[int, int]]) -> None:
        """Have curl do what can be done now, and tell whose transfers are over."""
        try:
            for socket, events in ready:
                self._multi.socket_action(socket, events)
        except pycurl.error as error:  # nothing more will come of any of them
            for curl in list(self._under_way):
                self._end(curl, CurlError(*error.args))
            return
        _, well, badly = self._multi.info_read()
        for curl in well:
            self._end(curl, None)
        for curl, code, message in badly:
            self._end(curl, CurlError(code, message))

    def _end(self, curl: pycurl.Curl, error: CurlError | None) -> None:
        over = self._under_way.pop(curl)
        self._multi.remove_handle(curl)
        if not over.done():  # else whoever waited for it was cancelled
            over.set_result(error)
