"""The only way to a right to send: the host, its rules and its line, in this order.

`Rights.take` is for whoever wants a URL; `take_unjudged` for whoever has heeded robots.txt already, or
asks for robots.txt itself; `take_at_once` for a request that waits for nothing, through the proxy.
"""

from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from gossamer.log import Sink
from gossamer.model import Failed, Url
from gossamer.politeness.ledger import Wait
from gossamer.politeness.permission import AGAIN, Permission, judged, resting
from gossamer.politeness.robots.record import Rules
from gossamer.sending.hosts import HostInUse, HostSource
from gossamer.sending.line import HostLines
from gossamer.sending.right import Right, WayIn
from gossamer.sending.robots_rules import RobotsRules
from gossamer.urls import host_of

NO_TIME: Final = timedelta(0)
SOON: Final = timedelta(seconds=1)  # from the right to the request: name look-ups have more

NotNow = Permission
"""Why there is no right to send, and how long to wait for one, if that helps."""


class Destination(NamedTuple):
    """Where a connection leads that stands."""

    host: str
    origin: str
    address: str | None  # that counts for limits; None where the user said where the host is


class Rights:
    """Gives rights to send, each on the clock of its host."""

    def __init__(
        self,
        line: HostLines,
        rules: RobotsRules,
        hosts: HostSource,
        address_of: Callable[[Url], Awaitable[str | None]],
        tell: Sink,
    ) -> None:
        self.line = line
        self.rules = rules
        self.tell = tell
        self.now = line.now
        self._hosts = hosts
        self._address_of = address_of

    async def take(
        self,
        url: Url,
        purpose: str,
        patience: timedelta,
        client: str,
        way: WayIn,
        *,
        lasting: timedelta | None = None,
        heeds_robots: bool = True,
    ) -> Right | NotNow:
        """Wait for a right to send a request for a URL, as long as our patience; or say why not.

        The line before a host is fair among those who go by different names as `client`. The request
        may take as long as `lasting`, or as any of ours. Without `heeds_robots`, robots.txt is neither
        fetched nor judged by; the clock counts as ever.
        """
        host, give_up_at = host_of(url), self.now() + patience
        used = await self._hosts.acquire(host, patience)
        if isinstance(used, Wait):
            return resting(url, used, self.now())
        right: Right | Wait | NotNow | None = None
        try:
            right = await self._allowed(url, give_up_at) if heeds_robots else None
            if right is None:
                right = await self._in_line(
                    used, url, purpose, host, give_up_at, client, way, lasting
                )
        finally:
            if not isinstance(right, Right):
                await used.release()
        return resting(url, right, self.now()) if isinstance(right, Wait) else right

    async def take_unjudged(
        self, url: Url, purpose: str, patience: timedelta, way: WayIn
    ) -> Right | Wait:
        """Wait for a right to send; robots.txt is the caller's to heed."""
        host, give_up_at = host_of(url), self.now() + patience
        used = await self._hosts.acquire(host, patience)
        if isinstance(used, Wait):
            return used
        right: Right | Wait | None = None
        try:
            right = await self._in_line(used, url, purpose, host, give_up_at, "", way, None)
        finally:
            if not isinstance(right, Right):
                await used.release()
        return right

    def take_at_once(
        self,
        url: Url,
        purpose: str,
        there: Destination,
        lasting: timedelta,
        way: WayIn,
        *,
        heeds_robots: bool = True,
    ) -> Right | None:
        """A right to send there, if nothing and nobody has to be waited for."""
        host, origin, address = there
        line = self.line
        now = line.now()
        if (used := self._hosts.acquire_at_once(host, now)) is None:
            return None
        rules = self.rules.at_hand(origin, host, now) if heeds_robots else None
        if not heeds_robots or (rules is not None and rules.policy.allows(url)):
            went = line.at_once(host, address, now, lasting)
            if went is not None:
                return Right(url, purpose, now, went[0], went[1], address, used, line, way)
        used.let_go()
        return None

    async def flush(self) -> None:
        """Return when what hosts learned from rights that are ended is written down."""
        await self._hosts.flush()

    async def _allowed(self, url: Url, give_up_at: datetime) -> NotNow | None:
        """Why robots.txt does not let us send, if so; it is asked for where it is not known."""
        rules: Rules | Wait | Failed | None = self.rules.known(url)
        if rules is None:
            left = self._left(give_up_at)
            # Somebody who cannot wait for the clock can still wait for a robots.txt that comes.
            rules = await self.rules.ask_within(url, left, max(left, AGAIN))
        if isinstance(rules, Rules) and rules.policy.allows(url):
            return None
        return judged(url, rules, self.now()).verdict

    async def _in_line(
        self,
        used: HostInUse,
        url: Url,
        purpose: str,
        host: str,
        give_up_at: datetime,
        client: str,
        way: WayIn,
        lasting: timedelta | None,
    ) -> Right | Wait:
        line, address = self.line, await self._address_of(url)
        while True:
            started = await line.take(
                host, address, self._left(give_up_at), client=client, lasting=lasting
            )
            if isinstance(started, Wait):
                return started
            go, delay, at = started
            try:
                # We may have waited for a while: the host has to be ours until the request ends.
                lost = await self._hosts.confirm(used)
            except BaseException:
                line.unused(go, address)
                raise
            if lost is None and self.now() - at <= SOON:
                return Right(url, purpose, at, go, delay, address, used, line, way)
            line.unused(go, address)
            if lost is not None:
                return lost
            # The frontier took long to answer: a request that starts now would outlast its right.

    def _left(self, until: datetime) -> timedelta:
        return max(until - self.now(), NO_TIME)
