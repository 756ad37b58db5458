"""Connections to servers: to addresses that were checked, one a host, kept for the next request."""

import asyncio
import ssl
import time
from collections.abc import Callable, Sequence
from typing import Final

from gossamer.config import Fetch
from gossamer.errors import ConfigError
from gossamer.fetch.connect_to import Endpoint, connect_to_rules
from gossamer.fetch.guard import allowed_networks
from gossamer.fetch.names import Unreachable
from gossamer.fetch.resolve import Resolver, checked_servers, name_service
from gossamer.fetch.route import Router, tried
from gossamer.fetch.trust import trusted_authorities
from gossamer.fetch.undelivered import is_delivered, reset_when_closed
from gossamer.http.stream import Stream
from gossamer.model import Cause, Url
from gossamer.proxy.watch import Watches
from gossamer.sending.rights import Destination
from gossamer.urls import host_of, origin_of

IDLE_SECONDS: Final = 15.0  # that a connection waits for the next request
MOST_IDLE: Final = 512
_OURSELVES: Final = Unreachable(
    Cause.REFUSED_ADDRESS, "The URL leads to this proxy itself, or to its own service."
)


class Upstream(Stream):
    """A connection to a server."""

    def __init__(self, origin: str, address: str | None = None) -> None:
        """`address` is None where the user said where the host is."""
        super().__init__()
        self.destination = Destination(host_of(Url(origin + "/")), origin, address)
        self.requests = 0  # that were sent here
        self.idle_since = 0.0
        self.on_news: Callable[[bytes], None] | None = None  # of whoever needs no task to wait in

    def data_received(self, data: bytes) -> None:
        """Hand received bytes to the listener, or keep them in the buffer."""
        if self.on_news is None:
            super().data_received(data)
        else:
            self.received += len(data)
            self.on_news(data)

    def put_back(self, data: bytes) -> None:
        """Put bytes back into the buffer that the listener has no use for."""
        if data:
            self.received -= len(data)
            super().data_received(data)

    def abort(self) -> None:
        """End the connection now, with what is not delivered yet: see `fetch.undelivered`."""
        connection = None if self.lost else self.transport.get_extra_info("socket")
        number = -1 if connection is None else connection.fileno()
        if number >= 0 and not is_delivered(number):
            reset_when_closed(number)
        super().abort()

    def _wake(self) -> None:
        if self.on_news is not None:
            self.on_news(b"")
        super()._wake()

    @property
    def is_usable(self) -> bool:
        """Whether another request may be sent: what comes unasked is nothing we can trust."""
        return not (self.ended or self.buffer)


class Upstreams:
    """Makes connections, and keeps one a host."""

    def __init__(
        self,
        fetch: Fetch,
        is_ours: Callable[[Endpoint], bool],
        keep_off: Sequence[Url] = (),
    ) -> None:
        """Nothing goes to where `is_ours` says that we listen, nor to the URLs of `keep_off`."""
        if fetch.upstream_proxy is not None:
            raise ConfigError(
                "fetch.upstream_proxy is set, and the proxy connects to servers itself; unset it here."
            )
        servers = checked_servers(fetch.name_servers)
        self._fetch = fetch
        self._is_ours = is_ours
        self._resolver = Resolver(lambda: name_service(servers), timeout=fetch.connect_timeout)
        self._router = Router(
            self._resolver,
            connect_to_rules(fetch.connect_to),
            allowed_networks(fetch.allow_net),
            keep_off,
        )
        self._idle: dict[str, Upstream] = {}
        self.watches = Watches(fetch)  # of what is under way
        trusted_authorities(fetch.ca)  # which says so at once where the file is no good
        self._tls: ssl.SSLContext | None = (
            None  # made when first needed: it reads many certificates
        )

    @property
    def names(self) -> Resolver:
        """The cache of names and their addresses."""
        return self._resolver

    def close(self) -> None:
        """Close all idle connections."""
        self._resolver.close()
        for upstream in self._idle.values():
            upstream.abort()
        self._idle.clear()

    def at_hand(self, host: str, origin: str) -> Upstream | None:
        """The connection that `idle` would give, which goes on being idle."""
        upstream = self._idle.get(host)
        if upstream is None or not upstream.is_usable or upstream.destination.origin != origin:
            return None
        return upstream

    def take(self, upstream: Upstream) -> None:
        """Take an idle connection into use."""
        del self._idle[upstream.destination.host]

    def idle(self, url: Url) -> Upstream | None:
        """A connection for the URL that is there already."""
        upstream = self.at_hand(host_of(url), origin_of(url))
        if upstream is not None:
            self.take(upstream)
        return upstream

    def drop(self, host: str) -> None:
        """Close the idle connection to a host, to make room for a new one."""
        if (upstream := self._idle.pop(host, None)) is not None:
            upstream.abort()

    def keep(self, upstream: Upstream) -> None:
        """Keep a connection for the next request; there is one a host."""
        if not upstream.is_usable or len(self._idle) >= MOST_IDLE:
            upstream.abort()
            return
        upstream.idle_since = time.monotonic()
        host = upstream.destination.host
        if (other := self._idle.get(host)) is not None:
            other.abort()
        self._idle[host] = upstream

    def sweep(self) -> None:
        """Close what was idle for long."""
        old = time.monotonic() - IDLE_SECONDS
        for host, upstream in [*self._idle.items()]:
            if upstream.idle_since < old or not upstream.is_usable:
                del self._idle[host]
                upstream.abort()

    async def connect(self, url: Url, *, tls: bool) -> Upstream | Unreachable:
        """Open a connection to the server of a URL, with TLS or for a tunnel.

        What is idle there makes way, whatever its port: there is one a host.
        """
        if (host := host_of(url)) in self._idle:
            self.drop(host)
            await asyncio.sleep(0)  # in which it is closed
        route = await self._router.route(url)
        if isinstance(route, Unreachable):
            return route
        endpoints = [each for each in tried(route) if each is not None]
        if any(map(self._is_ours, endpoints)):
            return _OURSELVES
        return await self._first(url, endpoints, tls)

    async def _first(
        self, url: Url, endpoints: Sequence[Endpoint], tls: bool
    ) -> Upstream | Unreachable:
        """A connection to the first address that takes it."""
        each = self._fetch.connect_timeout.total_seconds() / len(endpoints)
        for endpoint in endpoints:
            try:
                async with asyncio.timeout(each):
                    return await self._to(url, endpoint, tls)
            except (OSError, TimeoutError, ssl.CertificateError) as error:
                trouble = _trouble(error, host_of(url))
                if isinstance(error, ssl.SSLError):
                    break
        return trouble

    async def _to(self, url: Url, endpoint: Endpoint, tls: bool) -> Upstream:
        origin, name = origin_of(url), host_of(url).strip("[]")
        address = str(endpoint.address)
        counted = None if self._router.is_pinned(url) else address
        _, upstream = await asyncio.get_running_loop().create_connection(
            lambda: Upstream(origin, counted),
            address,
            endpoint.port,
            ssl=self._secure() if tls else None,
            server_hostname=name if tls else None,
        )
        return upstream

    def _secure(self) -> ssl.SSLContext:
        if self._tls is None:
            self._tls = ssl.create_default_context(cafile=trusted_authorities(self._fetch.ca))
            self._tls.set_alpn_protocols(["http/1.1"])
        return self._tls


def _trouble(error: Exception, host: str) -> Unreachable:
    if isinstance(error, ssl.SSLCertVerificationError):
        why = f"The certificate of {host} is not to be trusted: {error.verify_message}."
        return Unreachable(Cause.CERTIFICATE, why)
    if isinstance(error, ssl.SSLError):
        why = f"No secure connection to {host} could be made: {error.reason or error}."
        return Unreachable(Cause.TLS, why)
    if isinstance(error, TimeoutError):
        return Unreachable(Cause.TIMEOUT_CONNECT, f"Connecting to {host} took too long.")
    assert isinstance(error, OSError)
    why = f"No connection to {host} could be made: {error.strerror or error}."
    return Unreachable(Cause.CONNECT, why)
