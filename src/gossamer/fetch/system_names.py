"""Names as the system's own resolver knows them, asked for in threads. It tells no TTL."""

import asyncio
import socket
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from ipaddress import ip_address
from pathlib import Path
from typing import Final

from gossamer.fetch.names import Found, Unreachable, look_up_failed, no_address, no_such_name

HOSTS: Final = Path("/etc/hosts")
THREADS: Final = 16  # a look-up that hangs holds one for up to half a minute
_NO_SUCH_NAME: Final = (socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME))

LookUp = Callable[[str], Sequence[str]]


def system_look_up(name: str) -> Sequence[str]:
    """The addresses of a name, best first, as the system knows them. Blocks.

    With a dot at its end it is the whole name. Such a one the system does not find in `/etc/hosts`.
    """
    if known := addresses_in(HOSTS, name.removesuffix(".")):
        return known
    found = socket.getaddrinfo(name, None, type=socket.SOCK_STREAM)
    return [str(sockaddr[0]) for *_, sockaddr in found]


def addresses_in(hosts: Path, name: str) -> list[str]:
    """The addresses that a file like `/etc/hosts` has for a name."""
    try:
        text = hosts.read_text(errors="replace")
    except OSError:
        return []
    lines = (line.partition("#")[0].lower().split() for line in text.splitlines())
    return [words[0].partition("%")[0] for words in lines if name.lower() in words[1:]]


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
