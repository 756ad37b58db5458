"""Groups: what the pages of a host, or of a URL template, have shown together of their rates.

Each page's evidence is condensed to an estimate of the logarithm of its rate, and how sure that is. A group keeps
sums of these, so a page is taken out as it was and put in as it is, in constant time. A group's prior is its
parent's, moved by as much as the group's mean differs from its parent's and as the number of its pages supports. Both means
are estimated in the same way, so what the estimate gets wrong cancels.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt

from gossamer.freshness.belief import believe
from gossamer.freshness.bins import evidence_bin, page_of
from gossamer.freshness.prior import OF_THE_WEB, Prior

_PACKED = struct.Struct("<Bddddd")
_VERSION = 1
_VAGUE = Prior(OF_THE_WEB.mean, 2.5)
_WITHIN = 1.0  # variance of the logarithms of rates within a group, as a first guess
_BETWEEN = 0.7  # variance of the means of groups around their parent's
_TRUSTED_PAGES = 20.0  # pages whose spread counts as much as the parent's
_LEAST_WEIGHT = 1e-6  # less is what rounding leaves
_SMALLEST_SPREAD = 0.4  # pages of one template are not clones


@dataclass(slots=True)
class RateSums:
    """Sums over the pages of a group that were looked at: enough for mean and spread of their rates."""

    pages: float = 0.0  # by how much each tells
    weight: float = 0.0
    first: float = 0.0
    second: float = 0.0
    noise: float = 0.0

    def move(self, before: int | None, after: int | None) -> None:
        """Count a page in the bin where it is now, instead of where it was; None where it is not of the group."""
        for number, sign in ((before, -1), (after, 1)):
            if number is None or (tells := _tells(evidence_bin(number))) is None:
                continue
            weight, estimate, noise = tells
            self.pages += sign * weight * _WITHIN
            self.weight += sign * weight
            self.first += sign * weight * estimate
            self.second += sign * weight * estimate * estimate
            self.noise += sign * weight * noise

    @property
    def mean(self) -> float:
        """The mean logarithm of the rates, as it is estimated."""
        return self.first / self.weight if self.weight > _LEAST_WEIGHT else _VAGUE.mean

    @property
    def variance(self) -> float:
        """The variance of the logarithms of the rates, without the noise of their estimates."""
        if self.weight < _LEAST_WEIGHT:
            return _WITHIN
        return max((self.second - self.noise) / self.weight - self.mean**2, 0.0)

    def pack(self) -> bytes:
        """The sums in 41 bytes."""
        return _PACKED.pack(_VERSION, self.pages, self.weight, self.first, self.second, self.noise)

    @classmethod
    def unpack(cls, packed: bytes | None) -> RateSums:
        """The sums that were packed; empty ones, if there are none or another version."""
        if packed is None or len(packed) != _PACKED.size or packed[0] != _VERSION:
            return cls()
        return cls(*_PACKED.unpack(packed)[1:])


@lru_cache(1 << 16)
def _tells(number: int) -> tuple[float, float, float] | None:
    """What a page tells of its group by its bin: weight, estimated logarithm of its rate, and the noise of that."""
    evidence, _ = page_of(number)
    if not evidence.looks:
        return None
    mean, variance = believe(evidence, _VAGUE).logarithm()
    vague = 1 / (_VAGUE.spread * _VAGUE.spread)
    precision = 1 / variance - vague
    if precision < 0.01:  # it tells next to nothing
        return None
    estimate = (mean / variance - _VAGUE.mean * vague) / precision
    return 1 / (_WITHIN + 1 / precision), estimate, 1 / precision


def prior_within(parent: Prior, parent_sums: RateSums, group: RateSums) -> Prior:
    """The prior of a group's pages: its parent's, as far as the group itself has not shown otherwise."""
    if group.weight < _LEAST_WEIGHT:
        return parent
    off = group.mean - parent_sums.mean
    mean = parent.mean + off * group.weight / (group.weight + 1 / _BETWEEN)
    variance = (_TRUSTED_PAGES * parent.spread**2 + group.pages * group.variance) / (
        _TRUSTED_PAGES + group.pages
    )
    return Prior(mean, max(sqrt(variance), _SMALLEST_SPREAD))
