"""Sums over the pages of a group (a node's, a host's, those of one URL template) that are kept fresh, in constant space.

What the pages come to as they are now is exact: a page is taken out as it was and put in as it is. What looks have found
fades, by half in a month.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field

from gossamer.freshness.groups import RateSums
from gossamer.freshness.rates import fresh_days

HALF_LIFE = 30.0  # days
_DOUBT = 2.0  # looks that would have proved what is said wrong
_PACKED = struct.Struct("<Bqddddddddd")
_CLAIMS = struct.Struct("<ddd")
_VERSION = 1


@dataclass(slots=True)
class LookSums:
    """What is known of a group of pages."""

    rates: RateSums = field(default_factory=RateSums)
    pages: int = 0
    asked: float = 0.0  # looks a day, at the price of all
    fresh: float = 0.0  # expected freshness, summed over pages
    at: float = 0.0  # days since 1970: until then what looks found has faded
    looks: float = 0.0
    changes: float = 0.0
    fresh_days: float = 0.0  # of the days between looks, those on which pages were fresh
    days: float = 0.0
    templates: float = 0.0  # that a host has
    announced: float = 0.0  # looks at pages that were said to have changed
    announced_changes: float = 0.0  # of these, those that found a change
    listed_changes: float = 0.0  # looks that found a change, of pages of which anything was said

    @property
    def expected(self) -> float | None:
        """The expected freshness of a page, by what is believed of rates, and by the intervals given."""
        return min(max(self.fresh / self.pages, 0.0), 1.0) if self.pages > 0 else None

    @property
    def measured(self) -> float | None:
        """The share of the time between looks for which pages were fresh, as far as looks tell."""
        return min(self.fresh_days / self.days, 1.0) if self.days > 0 else None

    @property
    def precision(self) -> float:
        """How likely a page has changed that is said to have, as far as that proved true; at first not at all."""
        return self.announced_changes / (self.announced + _DOUBT)

    @property
    def recall(self) -> float:
        """How likely a change is announced, as far as that proved true; at first not at all."""
        return self.announced_changes / (self.listed_changes + _DOUBT)

    def add(self, sign: int, number: int, asked: float, fresh: float) -> None:
        """Count a page of a bin that asks for so many looks and is expected to be so fresh; -1: no longer."""
        self.pages += sign
        self.asked += sign * asked
        self.fresh += sign * fresh
        self.rates.move(*((None, number) if sign > 0 else (number, None)))

    def note(self, now: float, days: float, rate: float, *, changed: bool) -> None:
        """Count a look at a page, so many days after the one before, at the rate it was believed to have."""
        if now > self.at:
            left = 0.5 ** ((now - self.at) / HALF_LIFE) if self.looks else 1.0
            self.looks *= left
            self.changes *= left
            self.fresh_days *= left
            self.days *= left
            self.at = now
        self.looks += 1
        self.changes += changed
        self.days += days
        self.fresh_days += fresh_days(rate, days) if changed else days

    def merge(self, other: LookSums) -> None:
        """Add those of another group."""
        mine, theirs = self.rates, other.rates
        mine.pages += theirs.pages
        mine.weight += theirs.weight
        mine.first += theirs.first
        mine.second += theirs.second
        mine.noise += theirs.noise
        self.pages += other.pages
        self.asked += other.asked
        self.fresh += other.fresh
        newest = max(self.at, other.at)
        ours, others = (
            0.5 ** ((newest - each.at) / HALF_LIFE) if each.looks else 0.0 for each in (self, other)
        )
        self.looks = ours * self.looks + others * other.looks
        self.changes = ours * self.changes + others * other.changes
        self.fresh_days = ours * self.fresh_days + others * other.fresh_days
        self.days = ours * self.days + others * other.days
        self.at = newest

    def pack(self) -> bytes:
        """The sums in 138 bytes."""
        found = (self.looks, self.changes, self.fresh_days, self.days, self.templates)
        now = (self.pages, self.asked, self.fresh, self.at)
        claims = (self.announced, self.announced_changes, self.listed_changes)
        rates = self.rates.pack()
        return _PACKED.pack(_VERSION, *now, *found, len(rates)) + rates + _CLAIMS.pack(*claims)

    @classmethod
    def unpack(cls, packed: bytes | None) -> LookSums:
        """The sums that were packed; empty ones, if there are none or another version."""
        if packed is None or len(packed) < _PACKED.size or packed[0] != _VERSION:
            return cls()
        _, *values, length = _PACKED.unpack_from(packed)
        if not length:  # of a program that counted no claims
            return cls(RateSums.unpack(packed[_PACKED.size :]), *values)
        end = _PACKED.size + int(length)
        claims = _CLAIMS.unpack_from(packed, end)
        return cls(RateSums.unpack(packed[_PACKED.size : end]), *values, *claims)
