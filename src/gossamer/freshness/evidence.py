"""RateEvidence of one page's rate of change: looks, condensed into five numbers.

A look after d days that found a change has the likelihood 1 - e^(-rate d), one that found none e^(-rate d). So the
days of quiet looks need only be added up. Of looks that found a change, their number and mean and variance of the
logarithm of their days are kept: the product of their likelihoods is smooth in that logarithm, and two looks at
mean ± deviation have nearly the same.

Old looks fade. A page may change its habit, with a small chance at each look; what the look found is then news,
and likelier than the evidence has it. By that ratio all older evidence loses weight: about 1 % with each
look while the page is as it was, much more when it surprises.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from math import exp, expm1, log

VERSION = 1
SHORTEST_LOOK = 1 / 86400  # days; two looks in the same second tell nothing
LONGEST_LOOK = 36_500.0
NEW_HABIT = 0.01  # chance that a page has changed its habit since the last look
UNFORESEEN = 0.5  # chance of what a look finds, where nothing is known
_PACKED = struct.Struct("<Beeeef")


@dataclass(frozen=True, slots=True)
class Look:
    """What a look found: whether the page has changed since the look before, so many days ago.

    A look of our own weighs 1; a claim of others less, as far as it is trusted.
    """

    days: float
    changed: bool
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class RateEvidence:
    """All looks at one page, condensed; the first fetch is no look yet, as there is nothing to compare."""

    looks: float = 0.0
    changes: float = 0.0  # looks that found one
    log_days: float = 0.0  # mean logarithm of their days
    log_variance: float = 0.0
    quiet_days: float = 0.0  # of looks that found none, together

    def after(self, look: Look, *, fading: bool = True) -> RateEvidence:
        """The evidence with one look more; what is older fades."""
        days = min(max(look.days, SHORTEST_LOOK), LONGEST_LOOK)
        weight = min(max(look.weight, 0.0), 1.0)
        if not weight:
            return self
        keep = 1 - weight * self._doubt(days, look.changed) if fading else 1.0
        looks, changes = keep * self.looks + weight, keep * self.changes
        quiet, mean, variance = keep * self.quiet_days, self.log_days, self.log_variance
        if look.changed:
            share = weight / (changes + weight)
            off = log(days) - mean
            changes += weight
            mean += share * off
            variance = (1 - share) * (variance + share * off * off)
        else:
            quiet += weight * days
        return RateEvidence.unpack(_PACKED.pack(VERSION, looks, changes, mean, variance, quiet))

    def chance_of_change(self, days: float) -> float:
        """The chance that the page has changed after so many days, by this evidence alone (bias-reduced)."""
        if not self.looks:
            return UNFORESEEN
        busy = self.changes * exp(self.log_days + self.log_variance / 2)
        mean_days = (busy + self.quiet_days) / self.looks
        missed = (max(self.looks - self.changes, 0.0) + 0.5) / (self.looks + 1)
        return -expm1(log(missed) * days / max(mean_days, SHORTEST_LOOK))

    def _doubt(self, days: float, changed: bool) -> float:
        """The chance that the page has changed its habit, now that a look has found this."""
        if not self.looks:
            return 0.0
        chance = self.chance_of_change(days)
        new = NEW_HABIT * UNFORESEEN
        return new / (new + (1 - NEW_HABIT) * (chance if changed else 1 - chance))

    def pack(self) -> bytes:
        """The evidence in 13 bytes."""
        return _PACKED.pack(
            VERSION,
            self.looks,
            self.changes,
            self.log_days,
            self.log_variance,
            self.quiet_days,
        )

    @classmethod
    def unpack(cls, packed: bytes | None) -> RateEvidence:
        """The evidence that was packed; none, if there is nothing or another version."""
        if packed is None or len(packed) != _PACKED.size or packed[0] != VERSION:
            return NO_LOOKS
        return cls(*_PACKED.unpack(packed)[1:])


NO_LOOKS = RateEvidence()
