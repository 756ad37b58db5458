"""Who knows names in tests: a DNS server on loopback, or a function."""

import asyncio
import socket
import struct
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from gossamer.fetch.resolve import LookUp, Resolver, SystemNames

A, CNAME, AAAA = 1, 5, 28
NO_ERROR, SERVER_FAILURE, NO_SUCH_NAME, REFUSED = 0, 2, 3, 5


def resolver_of(look_up: LookUp, **options: Any) -> Resolver:
    """A resolver that asks this function and nobody else."""

    def whole(name: str) -> Sequence[str]:
        return look_up(name.removesuffix("."))

    return Resolver(lambda: SystemNames(whole), timeout=timedelta(seconds=10), **options)


@dataclass(frozen=True)
class Name:
    """What is known about a name."""

    addresses: Sequence[str] = ()
    ttl: int = 300
    alias_of: str | None = None  # where its addresses are
    alias_ttl: int = 300
    code: int = NO_ERROR
    silent: Sequence[int] = ()  # questions that get no answer
    trailing: bytes = b""  # garbage instead of records


@dataclass
class NameServer:
    """Answers from a table, and remembers who was asked for."""

    names: Mapping[str, Name]
    asked: list[tuple[str, int]] = field(default_factory=list)
    heard: asyncio.Event = field(default_factory=asyncio.Event)
    port: int = 0

    @property
    def address(self) -> str:
        """How configuration names it."""
        return f"127.0.0.1:{self.port}"

    def answer(self, sock: socket.socket) -> None:
        data, client = sock.recvfrom(4096)
        name, kind, question = _question(data)
        self.asked.append((name, kind))
        self.heard.set()
        known = self.names.get(name, Name(code=NO_SUCH_NAME))
        if kind not in known.silent:
            sock.sendto(data[:2] + _answer(known, kind, question), client)


def _question(data: bytes) -> tuple[str, int, bytes]:
    at, labels = 12, []
    while length := data[at]:
        labels.append(data[at + 1 : at + 1 + length].decode())
        at += 1 + length
    kind = int.from_bytes(data[at + 1 : at + 3], "big")
    return ".".join(labels).lower(), kind, data[12 : at + 5]


def _answer(known: Name, kind: int, question: bytes) -> bytes:
    owner, records = b"\xc0\x0c", []
    if known.alias_of and known.code == NO_ERROR:
        target = b"".join(bytes([len(each)]) + each.encode() for each in known.alias_of.split("."))
        records.append(_record(owner, CNAME, known.alias_ttl, target + b"\0"))
        owner = target + b"\0"
    for address in known.addresses:
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        if kind == (AAAA if ":" in address else A):
            records.append(_record(owner, kind, known.ttl, socket.inet_pton(family, address)))
    head = struct.pack(">HHHHH", 0x8180 | known.code, 1, len(records), 0, 0)
    return head + question + (known.trailing or b"".join(records))


def _record(owner: bytes, kind: int, ttl: int, content: bytes) -> bytes:
    return owner + struct.pack(">HHIH", kind, 1, ttl, len(content)) + content


@asynccontextmanager
async def naming(names: Mapping[str, Name]) -> AsyncIterator[NameServer]:
    """Answer questions about these names, and deny all others."""
    loop, server = asyncio.get_running_loop(), NameServer(names)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.bind(("127.0.0.1", 0))
        server.port = sock.getsockname()[1]
        loop.add_reader(sock, server.answer, sock)
        try:
            yield server
        finally:
            loop.remove_reader(sock)
