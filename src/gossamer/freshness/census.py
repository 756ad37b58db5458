"""Census: how many pages there are of each kind of evidence, so that a plan for all is made without reading any.

Pages whose evidence is alike are counted in one bin, with the sums of their evidence. A bin's mean page stands for all of
them: a few hundred bins are in use, however many pages there are. A page that is settled leaves its bin
and enters another, in constant time.

From the bins come the prior of all pages (by expectation and maximisation) and the price at which the looks
that all intervals ask for are as many as the budget has.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from math import exp, log, log1p, sqrt

from gossamer.freshness.belief import Belief, believe
from gossamer.freshness.evidence import RateEvidence
from gossamer.freshness.plan import Plan, interval
from gossamer.freshness.prior import OF_THE_WEB, Prior

FLOOR = 8.0  # every page is looked at within so many rounds of an equal plan
_VERSION = 1
_HEAD = struct.Struct("<BI")
_BIN = struct.Struct("<bbbbqddddddd")
_ROUNDS = 20  # of expectation and maximisation; begun from the last result, two are enough
_LEAST_SPREAD, _MOST_SPREAD = 0.3, 3.5
_TRUST = 30.0  # pages' worth of trust in the prior that was there before
_TURNS = 40

Key = tuple[int, int, int, int]


class Census:
    """Counts of pages by evidence and weight; bounded, mergeable, and small when packed."""

    def __init__(self) -> None:
        self._bins: dict[Key, list[float]] = {}

    def __len__(self) -> int:
        return len(self._bins)

    @property
    def pages(self) -> int:
        """All pages that are counted."""
        return round(sum(sums[0] for sums in self._bins.values()))

    def move(
        self,
        before: tuple[RateEvidence, float] | None,
        after: tuple[RateEvidence, float] | None,
    ) -> None:
        """Count a page, its evidence and weight, as it is now instead of as it was; None: not counted."""
        for page, sign in ((before, -1), (after, 1)):
            if page is None:
                continue
            evidence, weight = page
            key = _key(evidence, weight)
            sums = self._bins.setdefault(key, [0.0] * 8)
            for i, value in enumerate(_sums(evidence, weight)):
                sums[i] += sign * value
            if sums[0] < 0.5:
                del self._bins[key]

    def merge(self, other: Census) -> None:
        """Count the pages of another census too."""
        for key, theirs in other._bins.items():
            sums = self._bins.setdefault(key, [0.0] * 8)
            for i, value in enumerate(theirs):
                sums[i] += value

    def pack(self) -> bytes:
        """All bins, 68 bytes each."""
        packed = [_HEAD.pack(_VERSION, len(self._bins))]
        packed += [_BIN.pack(*key, round(sums[0]), *sums[1:]) for key, sums in self._bins.items()]
        return b"".join(packed)

    @classmethod
    def unpack(cls, packed: bytes | None) -> Census:
        """The census that was packed; an empty one, if there is none or another version."""
        census = cls()
        if packed is None or len(packed) < _HEAD.size:
            return census
        version, bins = _HEAD.unpack_from(packed)
        if version == _VERSION and len(packed) == _HEAD.size + bins * _BIN.size:
            for values in _BIN.iter_unpack(packed[_HEAD.size :]):
                census._bins[values[:4]] = [float(value) for value in values[4:]]
        return census

    def prior(self, begin: Prior = OF_THE_WEB, rounds: int = _ROUNDS) -> Prior:
        """The prior under which the evidence of all pages is likeliest, found from the one to begin with."""
        prior = begin
        kinds = [(pages, evidence) for pages, evidence, _ in self._kinds() if evidence.looks]
        seen = sum(pages for pages, _ in kinds)
        if not seen:
            return prior
        for _ in range(rounds):
            count, first, second = _TRUST, 0.0, 0.0
            first = _TRUST * OF_THE_WEB.mean
            second = _TRUST * (OF_THE_WEB.spread**2 + OF_THE_WEB.mean**2)
            for pages, evidence in kinds:
                mean, variance = believe(evidence, prior).logarithm()
                count += pages
                first += pages * mean
                second += pages * (variance + mean * mean)
            mean = first / count
            spread = sqrt(max(second / count - mean * mean, 0.0))
            moved = abs(mean - prior.mean) + abs(spread - prior.spread)
            prior = Prior(mean, min(max(spread, _LEAST_SPREAD), _MOST_SPREAD))
            if moved < 0.005:
                break
        return prior

    def plan(self, looks_per_day: float, prior: Prior, begin: Plan | None = None) -> Plan:
        """The plan whose intervals ask for so many looks a day, by all pages."""
        pages = sum(sums[0] for sums in self._bins.values())
        if not pages or looks_per_day <= 0:
            return Plan(price=1.0, longest=365.0)
        longest = FLOOR * pages / looks_per_day
        kinds = [
            (each, believe(evidence, prior), weight) for each, evidence, weight in self._kinds()
        ]
        price = begin.price if begin else 0.25 * pages / looks_per_day
        low, high = -25.0, 15.0
        at = min(max(log(price), low), high)
        reach = 0.5
        for _ in range(_TURNS):
            plan = Plan(exp(at), longest)
            asked = looks_asked(kinds, plan)
            if abs(asked / looks_per_day - 1) < 0.002:
                break
            low, high = (at, high) if asked > looks_per_day else (low, at)
            near = at + (reach if asked > looks_per_day else -reach)
            reach *= 2
            at = near if low < near < high else (low + high) / 2
            if high - low < 1e-3:
                break
        return Plan(exp(at), longest)

    def _kinds(self) -> Iterator[tuple[float, RateEvidence, float]]:
        """For each bin how many pages are in it, and the evidence and weight of its mean page."""
        for sums in self._bins.values():
            pages, weight, looks, changes, first, second, quiet, _ = sums
            mean = first / changes if changes > 0 else 0.0
            variance = max(second / changes - mean * mean, 0.0) if changes > 0 else 0.0
            each = RateEvidence(
                max(looks, 0.0) / pages,
                max(changes, 0.0) / pages,
                mean,
                variance,
                max(quiet, 0.0) / pages,
            )
            yield pages, each, exp(weight / pages)


def looks_asked(kinds: list[tuple[float, Belief, float]], plan: Plan) -> float:
    """How many looks a day the intervals of a plan ask for: pages of each belief and weight."""
    return sum(pages / interval(belief, weight, plan) for pages, belief, weight in kinds)


def _key(evidence: RateEvidence, weight: float) -> Key:
    importance = round(2 * log(max(weight, 1e-6)))
    if not evidence.looks:
        return (-1, 0, 0, importance)
    changes = evidence.changes
    return (
        round(2 * log1p(changes)) if changes else 0,
        round(evidence.log_days) if changes else 0,
        round(log(evidence.quiet_days)) if evidence.quiet_days > 0 else -100,
        importance,
    )


def _sums(evidence: RateEvidence, weight: float) -> tuple[float, ...]:
    changes, mean = evidence.changes, evidence.log_days
    return (
        1.0,
        log(max(weight, 1e-6)),
        evidence.looks,
        changes,
        changes * mean,
        changes * (evidence.log_variance + mean * mean),
        evidence.quiet_days,
        0.0,
    )
