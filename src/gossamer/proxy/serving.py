"""What all connections of one proxy share."""

import ssl
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from gossamer.config import Proxy
from gossamer.log import Sink
from gossamer.proxy.access import Door
from gossamer.proxy.handling import Parts

if TYPE_CHECKING:
    from gossamer.proxy.connection import ClientConnection


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
    connections: "set[ClientConnection]" = field(default_factory=set)

    @property
    def proxy(self) -> Proxy:
        """The configuration in force."""
        return self.parts.config.proxy

    def is_in_order(self, client: str) -> bool:
        """Whether a client always gets its answers in the order of its requests."""
        sequential = self.parts.config.proxy.sequential
        return client in sequential or "*" in sequential
