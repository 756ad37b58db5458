"""What all connections of one proxy share."""

import ssl
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, Protocol

from gossamer.config import Config, Proxy
from gossamer.http.connections import Bounds, Connections
from gossamer.log import Sink
from gossamer.proxy.access import Door
from gossamer.proxy.handling import Parts

if TYPE_CHECKING:
    from gossamer.proxy.connection import ClientConnection

# For databases, logs and processes, for looking up names, and for a crawl beside us.
FILES_OF_OTHERS: Final = 192


class Certificates(Protocol):
    """Whoever has certificates for hosts that are not ours."""

    def covers(self, name: str) -> bool:
        """Whether clients believe us about a host."""

    async def certificate_for(self, name: str) -> ssl.SSLContext:
        """What a server of that name would speak TLS with."""


@dataclass(slots=True)
class Serving:
    """What all connections of one proxy share."""

    parts: Parts
    door: Door
    tell: Sink  # the access log
    certificates: Certificates | None = None  # where HTTPS is looked into
    connections: "Connections[ClientConnection]" = field(default_factory=Connections)

    @property
    def proxy(self) -> Proxy:
        """The configuration in force."""
        return self.parts.config.proxy

    @property
    def bounds(self) -> Bounds:
        """How many clients there may be, and how long they may take."""
        proxy = self.parts.config.proxy
        patience = proxy.client_timeout.total_seconds()
        return Bounds(proxy.max_connections, patience, proxy.idle_timeout.total_seconds(), patience)

    def is_in_order(self, client: str) -> bool:
        """Whether a client always gets its answers in the order of its requests."""
        sequential = self.parts.config.proxy.sequential
        return client in sequential or "*" in sequential


def clients_within(files: int, taken: int) -> int:
    """How many clients may be connected where so many files may be open, and so many are.

    Each may want a server of its own, which is another.
    """
    left = files - taken - min(FILES_OF_OTHERS, files // 4)
    return max(left // 2, 1)


def with_at_most(config: Config, clients: int) -> Config:
    """The configuration with no more clients than that."""
    most = min(config.proxy.max_connections, clients)
    return replace(config, proxy=replace(config.proxy, max_connections=most))
