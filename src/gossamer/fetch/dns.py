"""Names as DNS knows them, asked for without blocking, with their TTL.

c-ares reads `/etc/hosts` and `/etc/resolv.conf`, follows changes of the latter, and asks in a
thread of its own. Where it cannot be used, `name_service` gives the system's resolver instead.
"""

import asyncio
import socket
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import timedelta
from ipaddress import ip_address
from types import MappingProxyType
from typing import Any, Final

from gossamer.errors import ConfigError
from gossamer.fetch.names import (
    Found,
    NameService,
    Unreachable,
    look_up_failed,
    no_address,
    no_such_name,
)
from gossamer.fetch.system_names import SystemNames

try:
    import pycares
except ImportError:  # a platform without it
    pycares = None  # type: ignore[assignment]  # which `name_service` asks about

DNS_PORT: Final = 53
# Waits double from try to try, and begin as short as the server has been fast. A name that
# nobody has asked our server for in a while may take it several seconds.
_TRIES: Final = 5
_Answer = asyncio.Future[tuple[Any, int | None]]


class DnsNames:
    """Asks DNS: the servers of the system, or those the user named."""

    def __init__(self, servers: Sequence[str] = ()) -> None:
        # A host in a URL is the whole name: with the search list of an office network,
        # `http://wiki/` on a stranger's page would become a host of that office.
        flags = pycares.ARES_FLAG_NOSEARCH | pycares.ARES_FLAG_NOALIASES
        self._channel = pycares.Channel(flags=flags, tries=_TRIES, servers=servers or None)

    async def look_up(self, name: str) -> Found | Unreachable:
        """The addresses of a name, or why there are none."""
        loop = asyncio.get_running_loop()
        answer: _Answer = loop.create_future()

        def heard(result: object, error: int | None) -> None:  # in the thread of c-ares
            with suppress(RuntimeError):  # the loop is closed: nobody waits any more
                loop.call_soon_threadsafe(_settle, answer, (result, error))

        self._channel.getaddrinfo(name, None, type=socket.SOCK_STREAM, callback=heard)
        result, error = await answer
        return _found(name, result) if error is None else _failure(name, error)

    def close(self) -> None:
        """Answer no more; who still waits hears that it was cancelled."""
        self._channel.close()


def name_service(servers: Sequence[str] = ()) -> NameService:
    """DNS where it can be used, else the system's resolver, which knows no other servers."""
    try:
        if pycares is not None:
            return DnsNames(servers)
    except pycares.AresError:
        pass  # out of descriptors, or a configuration that it cannot read
    if servers:
        raise ConfigError(
            "fetch.name_servers cannot be used here: pycares, which asks them, does not run."
        )
    return SystemNames()


def checked_servers(texts: Iterable[str]) -> tuple[str, ...]:
    """The servers of `fetch.name_servers`, as c-ares takes them."""
    return tuple(_checked_server(each) for each in texts)


def _checked_server(text: str) -> str:
    """`ADDRESS` or `ADDRESS:PORT`; IPv6 with a port stands in brackets."""
    host, port = text.strip(), str(DNS_PORT)
    if host.startswith("[") or host.count(":") == 1:
        host, _, port = host.rpartition(":")
    try:
        address = ip_address(host.strip("[]"))
        number = int(port) if port.isascii() and port.isdecimal() else 0
        if not 0 < number < 65536:
            raise ValueError(port)
    except ValueError:
        raise ConfigError(
            f"fetch.name_servers: {text!r} is not a server: write its IP address, "
            "as in 192.0.2.53, 127.0.0.1:5353 or [::1]:5353."
        ) from None
    return f"[{address}]:{number}" if address.version == 6 else f"{address}:{number}"


def _settle(answer: _Answer, value: tuple[Any, int | None]) -> None:
    if not answer.done():
        answer.set_result(value)


def _found(name: str, result: Any) -> Found | Unreachable:  # noqa: ANN401 (pycares types nothing)
    addresses = dict.fromkeys(ip_address(each.addr[0].decode()) for each in result.nodes)
    if not addresses:
        return no_address(name)
    # An alias on the way may hold for a shorter time than what it leads to.
    ttl = min(each.ttl for each in (*result.nodes, *result.cnames))
    return Found(tuple(addresses), timedelta(seconds=max(0, ttl)))


def _failure(name: str, error: int) -> Unreachable:
    word = pycares.errno.errorcode.get(error, "")
    told = _TOLD.get(word)
    return told(name) if told else look_up_failed(name, str(pycares.errno.strerror(error)))


_TOLD: Final[Mapping[str, Any]] = MappingProxyType(
    {
        "ARES_ENOTFOUND": no_such_name,
        "ARES_EBADNAME": no_such_name,  # no name that DNS could hold
        "ARES_ENODATA": no_address,
    }
)
