"""Names → addresses, asked for in threads and kept for a while.

Several callers who want the same name share one look-up. What is found here is
not yet permitted: `route.py` puts every address before the guard.
"""

import asyncio
import socket
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import timedelta
from ipaddress import ip_address
from typing import Final

from gossamer.fetch.guard import Address
from gossamer.model import Cause

MAX_NAMES: Final = 10_000
MAX_AGE: Final = timedelta(minutes=5)  # the system's resolver tells no TTL; many are this short
MAX_FAILURE_AGE: Final = timedelta(seconds=30)  # so that a hiccup is not held against a host
THREADS: Final = 16  # a look-up that hangs holds one for up to half a minute
_NO_SUCH_NAME: Final = (socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME))

LookUp = Callable[[str], Sequence[str]]


@dataclass(frozen=True, slots=True)
class Unreachable:
    """Why a host cannot be contacted."""

    cause: Cause
    why: str


Resolution = tuple[Address, ...] | Unreachable


def system_look_up(name: str) -> Sequence[str]:
    """The addresses of a name, best first, as the system knows them. Blocks."""
    found = socket.getaddrinfo(name, None, type=socket.SOCK_STREAM)
    return [str(sockaddr[0]) for *_, sockaddr in found]


class Resolver:
    """Looks names up, each once at a time, and remembers the answers."""

    def __init__(
        self,
        *,
        timeout: timedelta,
        look_up: LookUp = system_look_up,
        max_names: int = MAX_NAMES,
        ticks: Callable[[], float] = time.monotonic,
    ) -> None:
        self._timeout = timeout
        self._look_up = look_up
        self._max_names = max_names
        self._ticks = ticks
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="resolve")
        self._asked: dict[str, asyncio.Future[Resolution]] = {}
        self._kept: OrderedDict[str, tuple[float, Resolution]] = OrderedDict()

    async def addresses(self, name: str) -> Resolution:
        """The addresses of a name, best first; never empty."""
        kept = self._kept.get(name)
        if kept and self._ticks() < kept[0]:
            return kept[1]
        asked = self._asked.get(name) or self._ask(name)
        # The look-up goes on when one of those who wait for it gives up.
        await asyncio.wait([asked], timeout=self._timeout.total_seconds())
        if not asked.done():
            return Unreachable(Cause.NAME_LOOKUP, f"Looking up {name} took too long.")
        return (
            Unreachable(Cause.STOPPED, "We were closing.") if asked.cancelled() else asked.result()
        )

    def close(self) -> None:
        """Start no further look-up; those under way end in their threads, unheard."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        for asked in self._asked.values():
            asked.cancel()

    def _ask(self, name: str) -> asyncio.Future[Resolution]:
        loop = asyncio.get_running_loop()
        asked = loop.run_in_executor(self._threads, _resolution, name, self._look_up)
        self._asked[name] = asked
        asked.add_done_callback(lambda done: self._keep(name, done))
        return asked

    def _keep(self, name: str, done: asyncio.Future[Resolution]) -> None:
        del self._asked[name]
        if done.cancelled() or done.exception():
            return
        resolution = done.result()
        age = MAX_FAILURE_AGE if isinstance(resolution, Unreachable) else MAX_AGE
        self._kept[name] = (self._ticks() + age.total_seconds(), resolution)
        self._kept.move_to_end(name)
        while len(self._kept) > self._max_names:
            self._kept.popitem(last=False)


def _resolution(name: str, look_up: LookUp) -> Resolution:
    """One look-up, its errors turned into values. Runs in a thread."""
    try:
        found = tuple(dict.fromkeys(ip_address(each) for each in look_up(name)))
    except socket.gaierror as error:
        if error.errno in _NO_SUCH_NAME:
            return Unreachable(Cause.NO_SUCH_NAME, f"There is no host called {name}.")
        return Unreachable(Cause.NAME_LOOKUP, f"Looking up {name} failed: {error.strerror}.")
    except (OSError, UnicodeError) as error:
        return Unreachable(Cause.NAME_LOOKUP, f"Looking up {name} failed: {error}.")
    return found or Unreachable(Cause.NO_SUCH_NAME, f"{name} has no address.")
