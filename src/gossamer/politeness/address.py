"""Hosts that share a network address share a limit: a thousand names may be one small server."""

from collections import Counter
from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from typing import Final

MOST_KEYS: Final = 4_096  # addresses whose spelling was looked at


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

    def __len__(self) -> int:
        """How many addresses have something in flight."""
        return len(self._in_flight)


@lru_cache(MOST_KEYS)
def _key(address: str) -> str:
    # One machine, several spellings: ::ffff:192.0.2.1 is 192.0.2.1.
    parsed = ip_address(address)
    mapped = parsed.ipv4_mapped if isinstance(parsed, IPv6Address) else None
    return str(mapped or parsed)
