"""Limits across hosts: so many requests and bytes a second in all, so many requests at once per network address.

A ceiling remembers one moment, up to which everything so far is paid for (the generic cell
rate algorithm). Requests are paid when they start. Bytes are known only when they have come,
so they are paid afterwards: nothing new starts until the debt is worked off, and the rate
holds on average, over by at most what was in flight at once.

Hosts that share a network address share a limit: a thousand names may be one small server.
"""

import math
from collections import Counter
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from typing import Final

from gossamer.config import Politeness
from gossamer.politeness.clock import NEVER

# A busy event loop is late by some milliseconds and must be able to catch up, or 1,000 a
# second would never be reached. Whole units only: low rates stay evenly spaced.
CATCH_UP_SECONDS = 0.05
MOST_KEYS: Final = 4_096  # addresses whose spelling was looked at


@dataclass(frozen=True, slots=True)
class Ceiling:
    """A rate that is not exceeded, for requests or bytes."""

    per_second: float
    paid_until: datetime = NEVER

    def next_moment(self, now: datetime) -> datetime:
        """When something may next start."""
        return max(now, self.paid_until - self._catch_up)

    def spent(self, now: datetime, amount: int = 1) -> "Ceiling":
        """The ceiling after so many requests or bytes."""
        # Rounded up: a million small amounts must not cost nothing.
        microseconds = math.ceil(amount * 1_000_000 / self.per_second)
        cost = timedelta(microseconds=microseconds)
        return replace(self, paid_until=max(now, self.paid_until) + cost)

    @property
    def _catch_up(self) -> timedelta:
        units = math.floor(self.per_second * CATCH_UP_SECONDS)
        return timedelta(seconds=units / self.per_second)


@dataclass(frozen=True, slots=True)
class Ceilings:
    """Both ceilings of a crawl; a missing one does not limit."""

    requests: Ceiling | None = None
    received: Ceiling | None = None

    @classmethod
    def of(cls, politeness: Politeness) -> "Ceilings":
        """The ceilings that the configuration sets."""
        requests, received = politeness.requests_per_second, politeness.bytes_per_second
        return cls(
            None if requests is None else Ceiling(requests),
            None if received is None else Ceiling(received),
        )

    def next_moment(self, now: datetime) -> datetime:
        """When the next request may start."""
        if self.requests is None and self.received is None:  # as nearly always
            return now
        set_ones = (ceiling for ceiling in (self.requests, self.received) if ceiling)
        return max((ceiling.next_moment(now) for ceiling in set_ones), default=now)

    def after_start(self, now: datetime) -> "Ceilings":
        """The ceilings once a request has started."""
        if self.requests is None:
            return self
        return replace(self, requests=self.requests.spent(now))

    def after_bytes(self, now: datetime, received: int) -> "Ceilings":
        """The ceilings once so many bytes have come."""
        if self.received is None:
            return self
        return replace(self, received=self.received.spent(now, received))


class AddressLimit:
    """Counts requests in flight per address; holds nothing about addresses at rest.

    `None` stands for a host reached through `--connect-to`: the user has said where it
    lives, so the limit does not apply.
    """

    def __init__(self, per_address: int) -> None:
        self.per_address = per_address
        self._in_flight: Counter[str] = Counter()

    def admits(self, address: str | None) -> bool:
        """Whether one more request may go to the address now."""
        return address is None or self.in_flight(address) < self.per_address

    def enter(self, address: str | None) -> bool:
        """Count one more request, if the address has room for it; say whether it had."""
        if not self.admits(address):
            return False
        if address is not None:
            self._in_flight[_key(address)] += 1
        return True

    def leave(self, address: str | None) -> None:
        """Count one request less."""
        if address is None:
            return
        if self.in_flight(address) == 0:
            raise ValueError(f"nothing is in flight to {address}")
        self._in_flight[_key(address)] -= 1
        if self.in_flight(address) == 0:
            del self._in_flight[_key(address)]

    def in_flight(self, address: str) -> int:
        """How many requests are in flight to the address."""
        return self._in_flight[_key(address)]

    def most_in_flight(self) -> int:
        """How many requests are in flight to the address that has most of them."""
        return max(self._in_flight.values(), default=0)

    def __len__(self) -> int:
        """How many addresses have something in flight."""
        return len(self._in_flight)


@lru_cache(MOST_KEYS)
def _key(address: str) -> str:
    # One machine, several spellings: ::ffff:192.0.2.1 is 192.0.2.1.
    parsed = ip_address(address)
    mapped = parsed.ipv4_mapped if isinstance(parsed, IPv6Address) else None
    return str(mapped or parsed)
