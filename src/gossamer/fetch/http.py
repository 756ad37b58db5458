"""The HTTP client: one URL in, one value out; no redirect followed, no cookie kept.

Transfers run on the event loop through curl's socket callbacks, so that thousands
of connections can be open. Connections are kept for the next request; a cancelled
caller closes its own.
"""

import asyncio
import resource
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import TracebackType
from typing import Final, Self

import pycurl

from gossamer.config import Fetch
from gossamer.fetch.connect_to import Endpoint, connect_to_rules
from gossamer.fetch.dns import checked_servers, name_service
from gossamer.fetch.guard import allowed_networks
from gossamer.fetch.handle import Handle, RequestHeaders, checked_proxy
from gossamer.fetch.names import Unreachable
from gossamer.fetch.outcome import CurlError, Start, failed, outcome_of
from gossamer.fetch.patience import Patience
from gossamer.fetch.resolve import Resolver
from gossamer.fetch.route import Router
from gossamer.fetch.transfer import Limits, Transfer, Wanted
from gossamer.fetch.trust import trusted_authorities
from gossamer.model import Cause, Failed, Fetched, Url
from gossamer.moments import now_utc

MAX_ADDRESSES: Final = 3  # of one host are tried in turn, until one takes the connection
MAX_IDLE_CONNECTIONS: Final = 1024  # kept for the next request, where the system has room

_NO_CONNECTION: Final = (Cause.CONNECT, Cause.TIMEOUT_CONNECT)  # nothing has been sent
_WHY: Final = {
    Cause.TIMEOUT_CONNECT: "Connecting took too long.",
    Cause.TIMEOUT_FIRST_BYTE: "The server took too long to begin its answer.",
    Cause.TIMEOUT_TOTAL: "The request took too long.",
    Cause.SLOW: "The answer came too slowly.",
}


@dataclass(frozen=True, slots=True)
class _Request:
    """One call of `get`."""

    url: Url
    headers: RequestHeaders
    wanted: Wanted | None
    limits: Limits
    start: Start


class HttpFetcher:
    """Fetches URLs. Use it as `async with HttpFetcher(config.fetch, agent) as http`.

    It never asks where the URLs of `keep_off` are. Where somebody else connects to the same hosts,
    one at a time, it had better not keep connections for later.
    """

    def __init__(
        self,
        fetch: Fetch,
        agent: str,
        *,
        resolver: Resolver | None = None,
        keep_off: Sequence[Url] = (),
        keeps_connections: bool = True,
        now: Callable[[], datetime] = now_utc,
    ) -> None:
        self._fetch = fetch
        self._agent = agent
        self._now = now
        self._keeps_connections = keeps_connections
        self._authorities = trusted_authorities(fetch.ca)
        self._proxy = checked_proxy(fetch.upstream_proxy)
        servers = checked_servers(fetch.name_servers)
        self._resolver = resolver or Resolver(
            lambda: name_service(servers), timeout=fetch.connect_timeout
        )
        self._router = Router(
            None if self._proxy else self._resolver,
            connect_to_rules(fetch.connect_to),
            allowed_networks(fetch.allow_net),
            keep_off,
        )
        self._multi = pycurl.AsyncCurlMulti()
        self._multi.setopt(pycurl.M_MAXCONNECTS, _idle_connections())
        self._idle: list[Handle] = []
        self._busy: dict[Handle, Transfer] = {}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """End all transfers and close all connections. What is in flight fails as stopped."""
        for transfer in self._busy.values():
            transfer.stop(Cause.STOPPED, "We were closing.")
        await self._multi.aclose()
        self._resolver.close()
        while self._idle:
            self._idle.pop().close()

    async def address_of(self, url: Url) -> str | None:
        """The address a request would go to first, for whoever counts by address.

        None where there is nothing to count: the user said where the host is, an upstream
        proxy stands in between, or there is no way to it.
        """
        route = await self._router.route(url)
        if isinstance(route, Unreachable) or self._router.is_pinned(url) or route[0] is None:
            return None
        return str(route[0].address)

    def resolve_ahead(self, hosts: Iterable[str]) -> None:
        """Begin to look up hosts that will be asked soon. Never fails, and waits for nobody."""
        self._router.resolve_ahead(hosts)

    async def get(
        self,
        url: Url,
        *,
        headers: RequestHeaders = (),
        wanted: Wanted | None = None,
        first_bytes: int | None = None,
    ) -> Fetched | Failed:
        """Ask for a URL, once.

        `headers` are sent besides agent and codings (validators, `Accept`). `wanted`
        sees status and headers before the body, and may do without it. `first_bytes`
        takes that much of the body and leaves the rest.
        """
        limits = Limits(self._fetch.max_header_bytes, self._fetch.max_body_bytes, first_bytes)
        # The ticks first: should we be held up between the two, the answer's end is dated too
        # late, never too early, which would cut the host's rest.
        start = Start(ticks=_ticks(), at=self._now())
        request = _Request(url, headers, wanted, limits, start)
        route = await self._router.route(url)
        if isinstance(route, Unreachable):
            return failed(url, route.cause, route.why, request.start, _ticks())
        return await self._try_each(request, route[:MAX_ADDRESSES])

    async def _try_each(
        self, request: _Request, endpoints: tuple[Endpoint | None, ...]
    ) -> Fetched | Failed:
        """The outcome at the first address that takes the connection: only that one is asked."""
        for left, endpoint in zip(range(len(endpoints), 0, -1), endpoints, strict=True):
            transfer = self._new_transfer(request, left)
            outcome = await self._perform(request, endpoint, transfer)
            if isinstance(outcome, Fetched) or outcome.cause not in _NO_CONNECTION:
                break
        return outcome

    def _new_transfer(self, request: _Request, addresses_left: int) -> Transfer:
        fetch, started, now = self._fetch, request.start.ticks, _ticks()
        connect_by = started + fetch.connect_timeout.total_seconds()
        patience = Patience(
            # One address that swallows packets must not use up the time of the others.
            connect_by=now + (connect_by - now) / addresses_left,
            total_by=started + fetch.total_timeout.total_seconds(),
            first_byte=fetch.first_byte_timeout.total_seconds(),
            low_speed_bytes=fetch.low_speed_bytes,
            low_speed_time=fetch.low_speed_time.total_seconds(),
        )
        return Transfer(request.url, request.limits, patience, _ticks, request.wanted)

    async def _perform(
        self, request: _Request, endpoint: Endpoint | None, transfer: Transfer
    ) -> Fetched | Failed:
        handle = self._idle.pop() if self._idle else self._new_handle()
        self._busy[handle] = transfer
        try:
            handle.begin(request.url, request.headers, endpoint, transfer)
            error = await self._finished(handle, transfer)
        finally:
            self._release(handle)
        if transfer.crash:
            raise transfer.crash
        address = str(endpoint.address) if endpoint else None
        return outcome_of(transfer, error, address, request.start, _ticks())

    async def _finished(self, handle: Handle, transfer: Transfer) -> CurlError | None:
        """Wait for a transfer as long as our patience lasts; what curl says went wrong."""
        done: asyncio.Future[object] = self._multi.add_handle(handle.curl)
        watch = _Watch(transfer, lambda: self._multi.remove_handle(handle.curl))
        try:
            watch.look()
            await _over(done)
        finally:
            watch.close()
            if not done.done():  # our caller was cancelled
                self._multi.remove_handle(handle.curl)
        if done.cancelled() or (error := done.exception()) is None:
            return None
        return CurlError(*error.args)

    def _new_handle(self) -> Handle:
        timeout = self._fetch.connect_timeout
        handle = Handle(self._agent, timeout, self._authorities, self._proxy)
        if not self._keeps_connections:
            handle.curl.setopt(pycurl.FORBID_REUSE, 1)
        return handle

    def _release(self, handle: Handle) -> None:
        del self._busy[handle]
        handle.end()
        if self._multi.closed:
            handle.close()
        else:
            self._idle.append(handle)


async def _over(done: asyncio.Future[object]) -> None:
    """Return when it is done, whatever came of it; `asyncio.wait` does the same for many."""
    over = asyncio.Event()
    done.add_done_callback(lambda _: over.set())
    await over.wait()


class _Watch:
    """Ends a transfer when our patience with it does."""

    def __init__(self, transfer: Transfer, end: Callable[[], None]) -> None:
        self._transfer = transfer
        self._end = end
        self._timer: asyncio.TimerHandle | None = None

    def look(self) -> None:
        """Judge the transfer now, and set the time for the next look."""
        verdict = self._transfer.patience.verdict(_ticks(), self._transfer.received)
        if isinstance(verdict, Cause):
            self._transfer.stop(verdict, _WHY[verdict])
            self._end()
        else:
            self._timer = asyncio.get_running_loop().call_at(verdict, self.look)

    def close(self) -> None:
        """Look no more."""
        if self._timer:
            self._timer.cancel()


def _ticks() -> float:
    return asyncio.get_running_loop().time()


def _idle_connections() -> int:
    """As many as are useful, but at most a quarter of the descriptors we may have."""
    room, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return min(MAX_IDLE_CONNECTIONS, room // 4) if room > 0 else MAX_IDLE_CONNECTIONS
