"""The HTTP client: one URL in, one value out; no redirect followed, no cookie kept.

Transfers run on the event loop through curl's socket callbacks, so that thousands
of connections can be open. Connections are kept for the next request; a cancelled
caller closes its own.
"""

import asyncio
import resource
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from types import TracebackType
from typing import Final, NamedTuple, Self

import pycurl

from gossamer.config import Fetch
from gossamer.fetch.connect_to import Endpoint, connect_to_rules
from gossamer.fetch.guard import allowed_networks
from gossamer.fetch.handle import Handle, RequestHeaders, checked_proxy
from gossamer.fetch.names import Unreachable
from gossamer.fetch.resolve import Resolver, checked_servers, name_service
from gossamer.fetch.route import Router, tried
from gossamer.fetch.transfer import Patience, Transfer, TransferLimits, Wanted
from gossamer.fetch.transfers import CurlError, Start, Transfers, TransferWatch, failed, outcome_of
from gossamer.fetch.trust import trusted_authorities
from gossamer.model import Cause, Failed, Fetched, Url
from gossamer.moments import now_utc
from gossamer.urls.parts import origin_of

MAX_OLD_ORIGINS: Final = 1_024  # of which we know by heart that they want no HTTP/2
MAX_IDLE_CONNECTIONS: Final = 1024  # kept for the next request, where the system has room

_NO_CONNECTION: Final = (Cause.CONNECT, Cause.TIMEOUT_CONNECT)  # nothing has been sent


class _Request(NamedTuple):
    """One call of `get`."""

    url: Url
    headers: RequestHeaders
    wanted: Wanted | None
    limits: TransferLimits
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
        sign: Callable[[Url], RequestHeaders] = lambda _: (),
        now: Callable[[], datetime] = now_utc,
    ) -> None:
        """`sign` gives the fields that say who sends a request, for that request alone."""
        self._fetch = fetch
        self._agent = agent
        self._now = now
        self._sign = sign
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
        self._limits = TransferLimits(fetch.max_header_bytes, fetch.max_body_bytes)
        self._seconds = _Seconds.of(fetch)
        self._transfers = Transfers(_idle_connections())
        self._idle: list[Handle] = []
        self._busy: dict[Handle, Transfer] = {}
        self._old: dict[str, None] = {}  # origins that are asked by HTTP/1.1, the latest last
        self._watch = TransferWatch(self._busy, self._give_up)

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
        for handle, transfer in self._busy.items():
            transfer.stop(Cause.STOPPED, "We were closing.")
            self._give_up(handle)
        self._watch.close()
        self._transfers.close()
        self._resolver.close()
        while self._idle:
            self._idle.pop().close()

    @property
    def names(self) -> Resolver:
        """The cache of names and their addresses."""
        return self._resolver

    async def address_of(self, url: Url) -> str | None:
        """The address a request would go to first, for whoever counts by address.

        None where there is nothing to count: the user said where the host is, an upstream
        proxy stands in between, or there is no way to it.
        """
        if self._router.is_pinned(url):
            return None
        route = await self._router.route(url)
        return None if isinstance(route, Unreachable) or not route[0] else str(route[0].address)

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
        limits = self._limits
        if first_bytes is not None:
            limits = limits._replace(first_bytes=first_bytes)
        # The ticks first: should we be held up between the two, the answer's end is dated too
        # late, never too early, which would cut the host's rest.
        start = Start(ticks=_ticks(), at=self._now())
        request = _Request(url, headers, wanted, limits, start)
        route = await self._router.route(url)
        if isinstance(route, Unreachable):
            return failed(url, route.cause, route.why, request.start, _ticks())
        return await self._try_each(request, tried(route))

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
        seconds, started, now = self._seconds, request.start.ticks, _ticks()
        connect_by = started + seconds.connect
        patience = Patience(
            # One address that swallows packets must not use up the time of the others.
            connect_by=now + (connect_by - now) / addresses_left,
            total_by=started + seconds.total,
            first_byte=seconds.first_byte,
            low_speed_bytes=self._fetch.low_speed_bytes,
            low_speed_time=seconds.low_speed,
        )
        return Transfer(request.url, request.limits, patience, _ticks, request.wanted)

    async def _perform(
        self, request: _Request, endpoint: Endpoint | None, transfer: Transfer
    ) -> Fetched | Failed:
        handle = self._idle.pop() if self._idle else self._new_handle()
        self._busy[handle] = transfer
        try:
            headers = (*request.headers, *self._sign(request.url))
            handle.begin(request.url, headers, endpoint, transfer, self._version(request.url))
            error = await self._finish(handle, transfer)
        finally:
            self._release(handle)
        if transfer.sent_again:
            self._note_old(origin_of(request.url))
        if transfer.crash:
            raise transfer.crash
        address = endpoint.written_address if endpoint else None
        return outcome_of(transfer, error, address, request.start, _ticks())

    def _version(self, url: Url) -> int:
        is_old = bool(self._old) and origin_of(url) in self._old
        return int(pycurl.CURL_HTTP_VERSION_1_1 if is_old else pycurl.CURL_HTTP_VERSION_2TLS)

    def _note_old(self, origin: str) -> None:
        """Ask an origin by HTTP/1.1 from now on: it may have wanted that (RFC 9113 §7).

        Or it has closed a connection that it had kept. Curl does not say which, and with one request
        at a time nothing is lost by it.
        """
        self._old[origin] = None
        if len(self._old) > MAX_OLD_ORIGINS:
            del self._old[next(iter(self._old))]

    async def _finish(self, handle: Handle, transfer: Transfer) -> CurlError | None:
        """Wait for a transfer as long as our patience lasts; what curl says went wrong."""
        over = self._transfers.begin(handle.curl)
        try:
            self._watch.mind(handle, transfer)
            return await over
        finally:
            self._give_up(handle)  # unless it is over: our caller was cancelled

    def _give_up(self, handle: Handle) -> bool:
        """End a transfer and its connection, if it is under way; whether it was."""
        if not self._transfers.has(handle.curl):
            return False
        handle.abandon()
        return self._transfers.stop(handle.curl)

    def _new_handle(self) -> Handle:
        timeout = self._fetch.connect_timeout
        return Handle(
            self._agent,
            timeout,
            self._authorities,
            self._proxy,
            keeps_connection=self._keeps_connections,
        )

    def _release(self, handle: Handle) -> None:
        del self._busy[handle]
        handle.end()
        if self._transfers.closed:
            handle.close()
        else:
            self._idle.append(handle)


class _Seconds(NamedTuple):
    """How long things may take."""

    connect: float
    first_byte: float
    low_speed: float
    total: float

    @classmethod
    def of(cls, fetch: Fetch) -> Self:
        """As configured."""
        return cls(
            fetch.connect_timeout.total_seconds(),
            fetch.first_byte_timeout.total_seconds(),
            fetch.low_speed_time.total_seconds(),
            fetch.total_timeout.total_seconds(),
        )


def _ticks() -> float:
    return asyncio.get_running_loop().time()


def _idle_connections() -> int:
    """As many as are useful, but at most a quarter of the descriptors we may have."""
    room, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return min(MAX_IDLE_CONNECTIONS, room // 4) if room > 0 else MAX_IDLE_CONNECTIONS
