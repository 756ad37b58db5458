"""Planner: the interval of each page, from its bin, the prior of its group and the plan of all.

What it works out is remembered by bin, prior and price, each in small steps: pages that are alike have it for one.
"""

from __future__ import annotations

from math import exp, log
from typing import NamedTuple

from gossamer.freshness.belief import Belief, believe
from gossamer.freshness.bins import evidence_bin, page_of
from gossamer.freshness.census import Census
from gossamer.freshness.plan import Plan, interval
from gossamer.freshness.prior import OF_THE_WEB, Prior

_PRICES_PER_UNIT = 50  # steps of 2 %
_PRIORS_PER_UNIT = 8
_LONGEST_PER_UNIT = 20
_REMEMBERED = 100_000
_NO_PLAN = Plan(1.0, 365.0)
_ROUNDS = 3  # of finding the prior, from the last one


class Expectation(NamedTuple):
    """What is expected of a page: days until its next look, its rate of change, and how fresh that keeps it."""

    days: float
    rate: float
    fresh: float


class LookPlanner:
    """The plan of all pages, and what follows from it for each."""

    def __init__(self) -> None:
        self.prior = OF_THE_WEB
        self.plan: Plan | None = None
        self._beliefs: dict[tuple[int, int, int], Belief] = {}
        self._known: dict[tuple[int, ...], Expectation] = {}

    @property
    def longest(self) -> float:
        """The longest interval of the plan, in days."""
        return (self.plan or _NO_PLAN).longest

    def update(self, census: Census, looks_per_day: float) -> None:
        """Make the plan anew, from the pages that are counted by now."""
        first = self.plan is None
        self.prior = census.prior(self.prior, 20 if first else _ROUNDS)
        self.plan = census.plan(looks_per_day, self.prior, self.plan)

    def expect(self, page: int, prior: Prior | None = None, factor: float = 1.0) -> Expectation:
        """What is expected of the pages of a bin, with such a prior, at a price so many times that of all."""
        plan = self.plan or _NO_PLAN
        prior = prior or self.prior
        mean = round(prior.mean * _PRIORS_PER_UNIT)
        spread = max(round(prior.spread * _PRIORS_PER_UNIT), 1)
        price = round(log(plan.price * factor) * _PRICES_PER_UNIT)
        longest = round(log(plan.longest) * _LONGEST_PER_UNIT)
        key = (page, mean, spread, price, longest)
        if (known := self._known.get(key)) is None:
            belief = self._belief(page, mean, spread)
            weight = page_of(page)[1]
            at = Plan(exp(price / _PRICES_PER_UNIT), exp(longest / _LONGEST_PER_UNIT), 0.0)
            days = interval(belief, weight, at)
            known = Expectation(days, belief.rate, belief.freshness(days))
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            self._known[key] = known
        return known

    def _belief(self, page: int, mean: int, spread: int) -> Belief:
        key = (evidence_bin(page), mean, spread)
        if (belief := self._beliefs.get(key)) is None:
            if len(self._beliefs) >= _REMEMBERED:
                self._beliefs.clear()
            prior = Prior(mean / _PRIORS_PER_UNIT, spread / _PRIORS_PER_UNIT)
            belief = self._beliefs[key] = believe(page_of(key[0])[0], prior)
        return belief
