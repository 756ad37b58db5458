"""How a host comes to be ours to send to: one protocol, three ways.

- `alone`: the process owns all hosts there are
- `leased`: by lease or reservation, from a frontier that others share: the crawl, a node
- `kept`: for a while after each request, so that the next one costs no write: the proxy
"""

from datetime import datetime, timedelta
from typing import Any, Protocol

from gossamer.politeness.ledger import Wait


class HostInUse(Protocol):
    """A host that is ours to send to, for one request. It is let go of once, in either way."""

    @property
    def is_wanted(self) -> bool:
        """Whether another node waits for the host."""

    async def release(self) -> None:
        """Let go of the host; when that is written down, where it has to be."""

    def let_go(self) -> None:
        """Let go of the host, and wait for nothing."""


class HostSource(Protocol):
    """A way to make sure that a host is ours to send to."""

    async def acquire(self, host: str, patience: timedelta) -> HostInUse | Wait:
        """Make a host ours, or say how long to wait."""

    def acquire_at_once(self, host: str, now: datetime) -> HostInUse | None:
        """A host that is ours already, and for long enough."""

    async def confirm(self, used: Any) -> Wait | None:  # noqa: ANN401 (what `acquire` gave)
        """Make sure that a host is still ours for as long as a request may take."""

    async def flush(self) -> None:
        """Return when the hosts that were let go of are written down."""
