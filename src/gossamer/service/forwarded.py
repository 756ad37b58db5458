"""Who asks through a server in front of us: `X-Forwarded-For`, from those whom we believe. Pure.

Anybody can send these headers. They count where the connection comes from an address in
`service.trusted_proxies`, and from right to left: each server adds whom it heard it from, so the
first address that is not trusted is the last one that somebody we trust has seen.
"""

from collections.abc import Sequence
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address

from starlette.datastructures import Headers
from starlette.types import Scope

from gossamer.fetch.guard import Network, allowed_networks

_networks = lru_cache(4)(allowed_networks)


def seen_through(scope: Scope, trusted: Sequence[str]) -> Scope:
    """The request with the client and scheme that it had at the first server that we believe."""
    if not trusted or not scope.get("client"):
        return scope
    networks, (peer, port) = _networks(tuple(trusted)), scope["client"]
    headers = Headers(scope=scope)
    if not _is_in(_address(peer), networks):
        return scope
    client = client_of(peer, headers.getlist("x-forwarded-for"), networks)
    told = headers.get("x-forwarded-proto", "").strip().lower()
    scheme = told if told in ("http", "https") else scope.get("scheme", "http")
    return {**scope, "client": (client, port if client == peer else 0), "scheme": scheme}


def client_of(peer: str, told: Sequence[str], networks: Sequence[Network]) -> str:
    """The client of a request that came from `peer`, whom we believe."""
    client = peer
    for each in reversed(",".join(told).split(",")):
        address = _address(each.strip())
        if address is None:
            break  # whoever wrote this is not one of ours
        client = str(address)
        if not _is_in(address, networks):
            break
    return client


def _address(text: str) -> IPv4Address | IPv6Address | None:
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def _is_in(address: IPv4Address | IPv6Address | None, networks: Sequence[Network]) -> bool:
    return address is not None and any(address in network for network in networks)
