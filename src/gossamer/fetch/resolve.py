"""Names → addresses: each asked for once at a time, and kept as long as it holds.

What is found here is not yet permitted: `route.py` puts every address before the guard.

DNS is asked without blocking and tells how long an answer holds (its TTL): c-ares reads `/etc/hosts` and
`/etc/resolv.conf`, follows changes of the latter, and asks in a thread of its own. Where it cannot be used,
`name_service` gives the system's resolver instead, in threads and without a TTL.
"""

import asyncio
import socket
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta
from ipaddress import ip_address
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from gossamer.errors import ConfigError
from gossamer.fetch.guard import Address
from gossamer.fetch.names import (
    Found,
    NameService,
    Unreachable,
    look_up_failed,
    no_address,
    no_such_name,
)
from gossamer.model import Cause

try:
    import pycares
except ImportError:  # a platform without it
    pycares = None  # type: ignore[assignment]  # which `name_service` asks about

MAX_NAMES: Final = 10_000
# Some names are given out for no time at all. A minute spares the name servers; a host that
# moves is missed for no longer than that.
MIN_AGE: Final = timedelta(minutes=1)
MAX_AGE: Final = timedelta(hours=1)  # who says a week may still have to move today
USUAL_AGE: Final = timedelta(minutes=5)  # where nobody says how long an answer holds
FAILURE_AGE: Final = timedelta(seconds=30)  # so that a hiccup is not held against a host
MAX_AHEAD: Final = 64  # look-ups under way, from which on none is begun ahead of need
_STOPPED: Final = Unreachable(Cause.STOPPED, "We were closing.")
Resolution = tuple[Address, ...] | Unreachable
HOSTS: Final = Path("/etc/hosts")
THREADS: Final = 16  # a look-up that hangs holds one for up to half a minute
_NO_SUCH_NAME: Final = (socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME))
LookUp = Callable[[str], Sequence[str]]
DNS_PORT: Final = 53
# Waits double from try to try, and begin as short as the server has been fast. A name that
# nobody has asked our server for in a while may take it several seconds.
_TRIES: Final = 5
_Answer = asyncio.Future[tuple[Any, int | None]]
_TOLD: Final[Mapping[str, Any]] = MappingProxyType(
    {
        "ARES_ENOTFOUND": no_such_name,
        "ARES_EBADNAME": no_such_name,  # no name that DNS could hold
        "ARES_ENODATA": no_address,
    }
)


class Resolver:
    """Looks names up, each once at a time, and remembers the answers."""

    def __init__(
        self,
        names: Callable[[], NameService],  # made when first needed: many a run asks for no name
        *,
        timeout: timedelta,
        max_names: int = MAX_NAMES,
        max_ahead: int = MAX_AHEAD,
        ticks: Callable[[], float] = time.monotonic,
    ) -> None:
        self._new_names = names
        self._names: NameService | None = None
        self._closed = False
        self._timeout = timeout
        self._max_names = max_names
        self._max_ahead = max_ahead
        self._ticks = ticks
        self._asked: dict[str, asyncio.Task[Found | Unreachable]] = {}
        self._kept: OrderedDict[str, tuple[float, Resolution]] = OrderedDict()
        self._hits = self._misses = 0

    def figures(self) -> Mapping[str, int]:
        """How often an answer was at hand or not, and how many are kept."""
        return {"hits": self._hits, "misses": self._misses, "entries": len(self._kept)}

    def clear(self, name: str | None = None) -> int:
        """Forget all answers, or that for one name; how many that were. Look-ups under way go on."""
        gone = [*self._kept] if name is None else [name] if name in self._kept else []
        for each in gone:
            del self._kept[each]
        return len(gone)

    async def addresses(self, name: str) -> Resolution:
        """The addresses of a name, best first; never empty."""
        if (known := self._known(name)) is not None:
            self._hits += 1
            return known
        self._misses += 1
        if self._closed:
            return _STOPPED
        asked = self._asked.get(name) or self._ask(name)
        # The look-up goes on when one of those who wait for it gives up.
        await asyncio.wait([asked], timeout=self._timeout.total_seconds())
        if not asked.done():
            return Unreachable(Cause.NAME_LOOKUP, f"Looking up {name} took too long.")
        return _STOPPED if asked.cancelled() else _resolution(asked.result())

    def ask_ahead(self, names: Iterable[str]) -> None:
        """Begin to look up names that will be needed soon, as far as there is room; wait for none."""
        for name in names:
            if self._closed or len(self._asked) >= self._max_ahead:
                return
            if name not in self._asked and self._known(name) is None:
                self._ask(name)

    def close(self) -> None:
        """Start no further look-up, and let go of those under way."""
        self._closed = True
        for asked in self._asked.values():
            asked.cancel()
        if self._names:
            self._names.close()

    def _known(self, name: str) -> Resolution | None:
        kept = self._kept.get(name)
        return kept[1] if kept and self._ticks() < kept[0] else None

    def _ask(self, name: str) -> asyncio.Task[Found | Unreachable]:
        if self._names is None:
            self._names = self._new_names()
        asked = asyncio.get_running_loop().create_task(self._names.look_up(name))
        self._asked[name] = asked
        asked.add_done_callback(lambda done: self._keep(name, done))
        return asked

    def _keep(self, name: str, done: asyncio.Task[Found | Unreachable]) -> None:
        del self._asked[name]
        if done.cancelled() or done.exception():
            return
        answer = done.result()
        until = self._ticks() + age_of(answer).total_seconds()
        self._kept[name] = (until, _resolution(answer))
        self._kept.move_to_end(name)
        while len(self._kept) > self._max_names:
            self._kept.popitem(last=False)


def age_of(answer: Found | Unreachable) -> timedelta:
    """How long an answer is kept."""
    if isinstance(answer, Unreachable):
        return FAILURE_AGE
    return USUAL_AGE if answer.ttl is None else min(max(answer.ttl, MIN_AGE), MAX_AGE)


def _resolution(answer: Found | Unreachable) -> Resolution:
    return answer.addresses if isinstance(answer, Found) else answer


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


def system_look_up(name: str) -> Sequence[str]:
    """The addresses of a name, best first, as the system knows them. Blocks.

    With a dot at its end it is the whole name. Such a one the system does not find in `/etc/hosts`.
    """
    if known := addresses_in(HOSTS, name.removesuffix(".")):
        return known
    found = socket.getaddrinfo(name, None, type=socket.SOCK_STREAM)
    return [str(sockaddr[0]) for *_, sockaddr in found]


class SystemNames:
    """Runs look-ups that block in threads of its own."""

    def __init__(self, look_up: LookUp = system_look_up) -> None:
        self._look_up = look_up
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="resolve")

    async def look_up(self, name: str) -> Found | Unreachable:
        """The addresses of a name, or why there are none."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, _answer, name, self._look_up)

    def close(self) -> None:
        """Start no further look-up; those under way end in their threads, unheard."""
        self._threads.shutdown(wait=False, cancel_futures=True)


def addresses_in(hosts: Path, name: str) -> list[str]:
    """The addresses that a file like `/etc/hosts` has for a name."""
    try:
        text = hosts.read_text(errors="replace")
    except OSError:
        return []
    lines = (line.partition("#")[0].lower().split() for line in text.splitlines())
    return [words[0].partition("%")[0] for words in lines if name.lower() in words[1:]]


def _answer(name: str, look_up: LookUp) -> Found | Unreachable:
    """One look-up, its errors turned into values. Runs in a thread."""
    # A host in a URL is the whole name: search domains are not tried.
    try:
        found = tuple(dict.fromkeys(ip_address(each) for each in look_up(f"{name}.")))
    except socket.gaierror as error:
        if error.errno in _NO_SUCH_NAME:
            return no_such_name(name)
        return look_up_failed(name, error.strerror or "the resolver does not say why")
    except UnicodeError:
        return no_such_name(name)  # a label of more than 63 letters, say: DNS cannot hold it
    except OSError as error:
        return look_up_failed(name, str(error))
    return Found(found) if found else no_address(name)
