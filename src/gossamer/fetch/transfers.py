"""Curl's transfers on the event loop, a watch that none outlasts its time limit, and what each came to.

Curl says which sockets it waits for. They are in a selector of their own, and the event loop
waits for that one alone: what is ready at one time is done in one go, and a request costs the
loop a few steps, where a reader for every connection costs it a dozen.

The watch has one alarm for all: a request begins and ends without touching it, as a rule, since those
that began before are to be looked at sooner.

A finished transfer is `Fetched`, in whole or in part, or `Failed` with the cause from one table.
"""

import asyncio
import selectors
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Final, Generic, NamedTuple, TypeVar

import pycurl

from gossamer.fetch.transfer import Transfer
from gossamer.model import BodyState, Cause, Failed, Fetched, Url

_TOO_LARGE: Final = 100  # CURLE_TOO_LARGE, which pycurl has no name for: a header line without end
_HTTP2_STREAM: Final = 92  # CURLE_HTTP2_STREAM, likewise
_PROXY: Final = 97  # CURLE_PROXY, likewise
CAUSES: Mapping[int, Cause] = MappingProxyType(
    {
        pycurl.E_URL_MALFORMAT: Cause.BAD_URL,
        pycurl.E_COULDNT_RESOLVE_PROXY: Cause.PROXY,
        _PROXY: Cause.PROXY,
        pycurl.E_COULDNT_CONNECT: Cause.CONNECT,
        pycurl.E_INTERFACE_FAILED: Cause.CONNECT,
        pycurl.E_OPERATION_TIMEDOUT: Cause.TIMEOUT_CONNECT,  # the only limit we leave to it
        pycurl.E_SSL_CONNECT_ERROR: Cause.TLS,
        pycurl.E_SSL_CIPHER: Cause.TLS,
        pycurl.E_SSL_SHUTDOWN_FAILED: Cause.TLS,
        pycurl.E_PEER_FAILED_VERIFICATION: Cause.CERTIFICATE,
        pycurl.E_SSL_ISSUER_ERROR: Cause.CERTIFICATE,
        pycurl.E_SSL_INVALIDCERTSTATUS: Cause.CERTIFICATE,
        pycurl.E_SEND_ERROR: Cause.RESET,
        pycurl.E_RECV_ERROR: Cause.RESET,
        pycurl.E_GOT_NOTHING: Cause.RESET,
        pycurl.E_HTTP2: Cause.RESET,
        _HTTP2_STREAM: Cause.RESET,
        pycurl.E_UNSUPPORTED_PROTOCOL: Cause.BAD_RESPONSE,  # HTTP/0.9; other schemes never get here
        pycurl.E_FTP_WEIRD_SERVER_REPLY: Cause.BAD_RESPONSE,  # not only of FTP, despite its name
        pycurl.E_PARTIAL_FILE: Cause.TRUNCATED,
        _TOO_LARGE: Cause.HEADER_TOO_LARGE,
        pycurl.E_FILESIZE_EXCEEDED: Cause.TOO_LARGE,
    }
)
_BROKEN_OFF: Final = (Cause.TRUNCATED, Cause.RESET)
_PARTIAL_CONTENT: Final = 206
# Curl and selectors count alike: 1 is reading, 2 is writing.
_EITHER: Final = selectors.EVENT_READ | selectors.EVENT_WRITE
assert (pycurl.POLL_IN, pycurl.POLL_OUT) == (selectors.EVENT_READ, selectors.EVENT_WRITE)
assert (pycurl.CSELECT_IN, pycurl.CSELECT_OUT) == (selectors.EVENT_READ, selectors.EVENT_WRITE)
_STOPPED: Final = None  # what is stopped has not failed: whoever stopped it knows why
SECONDS_BETWEEN: Final = 0.02  # two looks, at least: a thousand transfers have as many moments
_WHY: Final = {
    Cause.TIMEOUT_CONNECT: "Connecting took too long.",
    Cause.TIMEOUT_FIRST_BYTE: "The server took too long to begin its answer.",
    Cause.TIMEOUT_TOTAL: "The request took too long.",
    Cause.SLOW: "The answer came too slowly.",
}
Key = TypeVar("Key")


@dataclass(frozen=True, slots=True)
class CurlError:
    """How curl says that a transfer went wrong."""

    code: int
    message: str


Over = asyncio.Future[CurlError | None]


class Transfers:
    """All transfers of one client, on the event loop that runs when the first of them begins."""

    def __init__(self, idle_connections: int) -> None:
        """Keep up to so many idle connections for the next request."""
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

    def has(self, curl: pycurl.Curl) -> bool:
        """Whether a transfer is under way."""
        return curl in self._under_way

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


class TransferWatch(Generic[Key]):
    """Looks at transfers in time, and ends by their keys those that take too long."""

    def __init__(self, under_way: Mapping[Key, Transfer], end: Callable[[Key], bool]) -> None:
        """`end` says whether there was anything to be ended: a transfer may be over by itself."""
        self._under_way = under_way
        self._end = end
        self._alarm: asyncio.TimerHandle | None = None

    def mind(self, key: Key, transfer: Transfer) -> None:
        """Watch one more, that has just begun."""
        loop = asyncio.get_running_loop()
        next_look = self._judge(key, transfer, loop.time())
        if next_look is not None and (self._alarm is None or next_look < self._alarm.when()):
            self._look_at(loop, next_look)

    def close(self) -> None:
        """Look no more."""
        if self._alarm:
            self._alarm.cancel()

    def _judge(self, key: Key, transfer: Transfer, now: float) -> float | None:
        """When to look at a transfer again; None where it was ended."""
        verdict = transfer.patience.verdict(now, transfer.received)
        if not isinstance(verdict, Cause):
            return verdict
        if self._end(key):
            transfer.stop(verdict, _WHY[verdict])
        return None

    def _look_at(self, loop: asyncio.AbstractEventLoop, moment: float) -> None:
        self.close()
        self._alarm = loop.call_at(moment, self._look)

    def _look(self) -> None:
        self._alarm = None
        loop = asyncio.get_running_loop()
        now = loop.time()
        looks = [self._judge(*each, now) for each in list(self._under_way.items())]
        if later := [look for look in looks if look is not None]:
            self._look_at(loop, max(min(later), now + SECONDS_BETWEEN))


class Start(NamedTuple):
    """When a request began, by the calendar and by the loop's seconds."""

    at: datetime
    ticks: float

    def moment(self, ticks: float) -> datetime:
        """The time of day at a later tick; steady even when the clock is set meanwhile."""
        return self.at + timedelta(seconds=ticks - self.ticks)


def outcome_of(
    transfer: Transfer, error: CurlError | None, address: str | None, start: Start, ended: float
) -> Fetched | Failed:
    """The value that the caller gets."""
    verdict, why = _verdict(transfer, error)
    if verdict is Cause.CONNECT and address is None:
        verdict = Cause.PROXY  # which is all that we connect to ourselves
    if isinstance(verdict, Cause):
        return failed(transfer.url, verdict, why, start, ended)
    head, answered = transfer.head, transfer.patience.answered_at
    return Fetched(
        url=head.url,
        status=head.status,
        headers=head.headers,
        body=transfer.body,
        body_state=verdict,
        http_version=transfer.http_version,
        address=address,
        started_at=start.at,
        first_byte_at=start.moment(ended if answered is None else answered),
        finished_at=start.moment(ended),
        request_headers=transfer.request_headers,
    )


def failed(url: Url, cause: Cause, why: str, start: Start, ended: float) -> Failed:
    """A failure, with its times."""
    return Failed(url, cause, why, start.at, start.moment(ended))


def _verdict(transfer: Transfer, error: CurlError | None) -> tuple[Cause | BodyState, str]:
    if transfer.stopped:
        return transfer.stopped.reason, transfer.stopped.message
    if error is None and not transfer.head_complete:
        # curl is content when a connection ends within the headers; we are not.
        return Cause.TRUNCATED, "The answer ended within its headers."
    if error is None:
        return (BodyState.TRUNCATED if _is_part(transfer) else BodyState.WHOLE), ""
    cause = cause_of(error.code)
    if cause in _BROKEN_OFF and transfer.body:
        return BodyState.TRUNCATED, ""
    if cause is Cause.RESET and transfer.head_complete:
        cause = Cause.TRUNCATED  # the host answered; its body is broken
    return cause, _sentence(error.message)


def _is_part(transfer: Transfer) -> bool:
    """Whether an answer says, though nobody asked for that, that it is not the whole page."""
    if transfer.head.status != _PARTIAL_CONTENT:
        return False
    size = len(transfer.body)
    return (transfer.head.header("content-range") or "").lower() != f"bytes 0-{size - 1}/{size}"


def _sentence(message: str) -> str:
    # Some of curl's messages quote the server.
    printable = "".join(each if each.isprintable() else " " for each in message).strip()
    return f"{printable.rstrip('.') or 'The transfer failed'}."


def cause_of(code: int) -> Cause:
    """The cause behind an error number of curl."""
    return CAUSES.get(code, Cause.OTHER)
