"""Clients that ask one after the other on a connection each, and note how long each answer took."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from statistics import median, quantiles
from typing import Final

PATIENCE: Final = 30.0  # seconds without an answer

Line = Callable[[int, int], bytes]
"""The request that a client sends as its nth."""


@dataclass(slots=True)
class Load:
    """What came of a number of requests."""

    seconds: float
    latencies: list[float] = field(repr=False)  # in seconds

    @property
    def median_ms(self) -> float:
        """Half of the answers came sooner."""
        return median(self.latencies) * 1000

    @property
    def p99_ms(self) -> float:
        """One in a hundred came later."""
        return quantiles(self.latencies, n=100)[98] * 1000

    @property
    def per_second(self) -> float:
        """Answers a second."""
        return len(self.latencies) / self.seconds


class _Client(asyncio.Protocol):
    def __init__(self, requests: list[bytes], body_bytes: int) -> None:
        self._requests = requests
        self._body_bytes = body_bytes
        self.done: asyncio.Future[list[float]] = asyncio.get_running_loop().create_future()
        self._latencies: list[float] = []
        self._got = bytearray()
        self._needed = 0  # bytes of the answer, once its head is here

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._ask()

    def _ask(self) -> None:
        request = self._requests[len(self._latencies)]
        self._asked_at = time.perf_counter()
        self._transport.write(request)

    def data_received(self, data: bytes) -> None:
        self._got += data
        if not self._needed:
            end = self._got.find(b"\r\n\r\n")
            if end < 0:
                return
            if not self._got.startswith(b"HTTP/1.1 200"):
                self._fail(f"answered {bytes(self._got[:300])!r}")
                return
            self._needed = end + 4 + self._body_bytes
        if len(self._got) >= self._needed:
            self._latencies.append(time.perf_counter() - self._asked_at)
            self._got.clear()
            self._needed = 0
            if len(self._latencies) < len(self._requests):
                self._ask()
            elif not self.done.done():
                self.done.set_result(self._latencies)
                self._transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self._fail(f"hung up: {exc}")

    def _fail(self, why: str) -> None:
        if not self.done.done():
            self.done.set_exception(RuntimeError(why))


async def _load(port: int, line: Line, clients: int, each: int, body_bytes: int) -> Load:
    loop = asyncio.get_running_loop()
    started = time.perf_counter()
    made = []
    for client in range(clients):
        requests = [line(client, number) for number in range(each)]
        _, protocol = await loop.create_connection(
            partial(_Client, requests, body_bytes), "127.0.0.1", port
        )
        made.append(protocol)
    async with asyncio.timeout(PATIENCE + clients * each / 100):
        latencies = await asyncio.gather(*(each.done for each in made))
    return Load(time.perf_counter() - started, [took for one in latencies for took in one])


def load(port: int, line: Line, clients: int, each: int, body_bytes: int) -> Load:
    """So many clients with so many requests each, to whoever listens at a port."""
    return asyncio.run(_load(port, line, clients, each, body_bytes))
