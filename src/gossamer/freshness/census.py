"""Census: how many pages there are in each bin, so that a plan for all is made without reading any.

A few thousand bins are in use, however many pages there are. From them come the prior of all pages (by expectation and
maximisation) and the price at which the looks that all intervals ask for are as many as the budget has.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from functools import cached_property
from math import exp, log, sqrt

from gossamer.freshness.belief import Belief, believe
from gossamer.freshness.bins import coarser, page_of
from gossamer.freshness.evidence import RateEvidence
from gossamer.freshness.plan import Plan, interval
from gossamer.freshness.prior import OF_THE_WEB, Prior

FLOOR = 16.0  # every page is looked at within so many rounds of an equal plan
_ROUNDS = 20  # of expectation and maximisation; begun from the last result, two are enough
_LEAST_SPREAD, _MOST_SPREAD = 0.3, 3.5
_TRUST = 30.0  # pages' worth of trust in the prior that was there before
_TURNS = 40


class Census:
    """Pages counted by their bins."""

    def __init__(self, counts: Mapping[int, int] | None = None) -> None:
        self._counts: Counter[int] = Counter(counts or {})

    def count(self, bin_number: int, pages: int = 1) -> None:
        """Count so many pages more in a bin; fewer, if it is negative."""
        self._counts[bin_number] += pages
        self.__dict__.pop("_kinds", None)

    @property
    def pages(self) -> int:
        """All pages that are counted."""
        return sum(pages for pages in self._counts.values() if pages > 0)

    def prior(self, begin: Prior = OF_THE_WEB, rounds: int = _ROUNDS) -> Prior:
        """The prior under which the evidence of all pages is likeliest, found from the one to begin with."""
        prior = begin
        kinds = [(pages, evidence) for pages, evidence, _ in self._kinds if evidence.looks]
        for _ in range(rounds if kinds else 0):
            count, first = _TRUST, _TRUST * OF_THE_WEB.mean
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
        pages = self.pages
        if not pages or looks_per_day <= 0:
            return Plan(price=1.0, longest=365.0)
        longest = FLOOR * pages / looks_per_day
        kinds = [(each, believe(evidence, prior), weight) for each, evidence, weight in self._kinds]
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

    @cached_property
    def _kinds(self) -> list[tuple[float, RateEvidence, float]]:
        """Bins that are nearly alike, together: how many pages, the mean of their evidence, and their weight."""
        together: defaultdict[int, list[float]] = defaultdict(lambda: [0.0] * 6)
        weights: dict[int, float] = {}
        for number, pages in self._counts.items():
            if pages <= 0:
                continue
            evidence, weight = page_of(number)
            group = coarser(number)
            weights[group] = weight
            mean = evidence.log_days
            parts = (
                1.0,
                evidence.looks,
                evidence.changes,
                evidence.changes * mean,
                evidence.changes * (evidence.log_variance + mean * mean),
                evidence.quiet_days,
            )
            sums = together[group]
            for i, part in enumerate(parts):
                sums[i] += pages * part
        return [(sums[0], _mean_page(sums), weights[group]) for group, sums in together.items()]


def _mean_page(sums: list[float]) -> RateEvidence:
    pages, looks, changes, first, second, quiet = sums
    mean = first / changes if changes > 0 else 0.0
    variance = max(second / changes - mean * mean, 0.0) if changes > 0 else 0.0
    return RateEvidence(looks / pages, changes / pages, mean, variance, quiet / pages)


def looks_asked(kinds: list[tuple[float, Belief, float]], plan: Plan) -> float:
    """How many looks a day the intervals of a plan ask for: pages of each belief and weight."""
    return sum(pages / interval(belief, weight, plan) for pages, belief, weight in kinds)
