"""Where the connection for a host goes: only ever to an address that was checked."""

from collections.abc import Iterable, Sequence
from functools import lru_cache, partial
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from itertools import islice, zip_longest
from typing import Final

from gossamer.fetch.connect_to import ConnectTo, Endpoint, endpoint_of
from gossamer.fetch.guard import (
    PROBE,
    Address,
    Network,
    is_loopback_name,
    is_public_v6,
    prefixes,
    refused_address,
    refused_name,
    refused_port,
)
from gossamer.fetch.names import Unreachable
from gossamer.fetch.resolve import Resolution, Resolver
from gossamer.model import Cause, Url
from gossamer.urls.parts import host_of, is_address, origin_of

MAX_ADDRESSES: Final = 3  # of one host are tried in turn, until one takes the connection
_LOOPBACK: Final = (IPv4Address("127.0.0.1"), IPv6Address("::1"))
MOST_HOSTS: Final = 10_000  # of which we know by heart where the user said that they are
_DEFAULT_PORTS: Final = {"http": 80, "https": 443}

THROUGH_PROXY: Final = (None,)
Route = tuple[Endpoint | None, ...] | Unreachable


def tried(route: tuple[Endpoint | None, ...]) -> tuple[Endpoint | None, ...]:
    """The endpoints of a route to be tried, in order: of both address families where it has both.

    A network without a way out by IPv6 would otherwise never get to the addresses of IPv4.
    """
    if len(route) <= MAX_ADDRESSES:
        return route
    first = route[0].address.version if route[0] else None
    same = [each for each in route if each and each.address.version == first]
    other = [each for each in route if each and each.address.version != first]
    turns = (each for pair in zip_longest(same, other) for each in pair if each)
    return tuple(islice(turns, MAX_ADDRESSES))


def port_of(url: Url) -> int:
    """The port of a canonical URL, written or understood."""
    scheme, _, rest = origin_of(url).partition(":")
    port = rest.rpartition(":")[2]
    return int(port) if port.isdigit() else _DEFAULT_PORTS[scheme]


class Router:
    """Knows what the user said about addresses, and asks the resolver for the rest."""

    def __init__(
        self,
        resolver: Resolver | None,  # None: names are an upstream proxy's business
        connect_to: Sequence[ConnectTo],
        allow: Sequence[Network],
        keep_off: Sequence[Url] = (),
    ) -> None:
        """No request goes to where the URLs of `keep_off` are, by whatever name."""
        self._resolver = resolver
        self._pinned = lru_cache(MOST_HOSTS)(partial(endpoint_of, rules=connect_to))
        self._allow = allow
        self._keep_off = {(host_of(url), port_of(url)) for url in keep_off}

    def is_pinned(self, url: Url) -> bool:
        """Whether the user said where this host is."""
        return self._pinned(host_of(url)) is not None

    async def route(self, url: Url) -> Route:
        """The endpoints to try for a URL, best first; never empty."""
        route = await self._route(url)
        if not self._keep_off or isinstance(route, Unreachable):
            return route
        if not await self._leads_where_we_keep_off(url, route):
            return route
        why = f"{host_of(url)} is a server of the user's own."
        return Unreachable(Cause.REFUSED_ADDRESS, why)

    async def _route(self, url: Url) -> Route:
        host = host_of(url)
        if pinned := self._pinned(host):
            return (pinned,)
        port = port_of(url)
        route = await self._look_up(host, port)
        no = None if isinstance(route, Unreachable) else refused_port(host, port)
        return route if no is None else Unreachable(Cause.REFUSED_PORT, no.why)

    async def _look_up(self, host: str, port: int) -> Route:
        if self._resolver is None and not _known_addresses(host):
            return THROUGH_PROXY
        found = await self._addresses(host)
        if isinstance(found, Unreachable):
            return found
        permitted = self._permitted(host, found, port, await self._translated(found))
        proxied = self._resolver is None and not isinstance(permitted, Unreachable)
        return THROUGH_PROXY if proxied else permitted

    async def _addresses(self, host: str) -> Resolution:
        known = _known_addresses(host)
        return known if known or self._resolver is None else await self._resolver.addresses(host)

    async def _leads_where_we_keep_off(
        self, url: Url, endpoints: Sequence[Endpoint | None]
    ) -> bool:
        for host, port in self._keep_off:
            if (host_of(url), port_of(url)) == (host, port):
                return True
            reached = {each.address for each in endpoints if each and each.port == port}
            there = await self._addresses(host) if reached else ()
            if not isinstance(there, Unreachable) and reached.intersection(there):
                return True
        return False

    def resolve_ahead(self, hosts: Iterable[str]) -> None:
        """Begin to look up hosts that will be needed soon. Never fails, and waits for nobody."""
        if self._resolver is not None:
            self._resolver.ask_ahead(host for host in hosts if self._needs_look_up(host))

    def _needs_look_up(self, host: str) -> bool:
        return self._pinned(host) is None and _known_addresses(host) == ()

    async def _translated(self, found: Sequence[Address]) -> tuple[IPv6Network, ...]:
        """Behind which prefixes a translator of this network has IPv4 addresses.

        Asked for only where an address may be one of those; the resolver remembers the answer.
        """
        if self._resolver is None or not any(map(is_public_v6, found)):
            return ()
        answer = await self._resolver.addresses(PROBE)
        return () if isinstance(answer, Unreachable) else prefixes(answer)

    def _permitted(
        self, host: str, found: Sequence[Address], port: int, translated: Sequence[IPv6Network]
    ) -> Route:
        refusals = [refused_address(each, self._allow, translated) for each in found]
        good = [each for each, no in zip(found, refusals, strict=True) if no is None]
        if good:
            return tuple(Endpoint(each, port) for each in good)
        why = next(no.why for no in refusals if no)
        return Unreachable(Cause.REFUSED_ADDRESS, why if is_address(host) else f"{host}: {why}")


def _known_addresses(host: str) -> Resolution:
    """The addresses of a host that needs no look-up, why it may have none, or nothing."""
    if is_address(host):
        return (ip_address(host.strip("[]")),)
    if is_loopback_name(host):
        return _LOOPBACK
    no = refused_name(host)
    return Unreachable(Cause.RESERVED_NAME, no.why) if no else ()
