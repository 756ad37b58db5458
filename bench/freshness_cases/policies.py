"""Who is looked at next: round-robin, the oracle, our plan with and without known rates, and Nutch's rule.

Each fills the whole budget. All look at pages in one random sequence in the first round, as far as they differ in
nothing then, so that what they differ by is what they know.
"""

import heapq
import random
from collections.abc import Sequence
from math import exp
from typing import Protocol

from gossamer.freshness.belief import known
from gossamer.freshness.bins import NO_EVIDENCE, bin_of
from gossamer.freshness.census import FLOOR, Census
from gossamer.freshness.evidence import NO_LOOKS, Look
from gossamer.freshness.plan import Plan, interval
from gossamer.freshness.planner import LookPlanner
from gossamer.freshness.steering import steered

_PLANS_A_ROUND = 20
_FOR_EVER = 1e9


class Policy(Protocol):
    """Takes pages to look at, one after the other, and learns what the looks found."""

    def take(self, now: float) -> int | None:
        """The page to look at now; None: none wants to be."""

    def learn(self, page: int, now: float, days: float, changed: bool) -> None:
        """A page was looked at, so many days after the look before."""


class Queue:
    """Pages by when they are due; at first at random moments of the first round."""

    def __init__(self, phases: Sequence[float], round_days: float) -> None:
        self._due = [(phase * round_days, page) for page, phase in enumerate(phases)]
        heapq.heapify(self._due)

    @property
    def first(self) -> tuple[float, int]:
        """The page that is due next, and when."""
        return self._due[0]

    def put_off(self, page: int, until: float) -> None:
        """Have the first page come again then."""
        heapq.heapreplace(self._due, (until, page))


class RoundRobin:
    """All pages in turn."""

    def __init__(self, phases: Sequence[float], per_day: float) -> None:
        self._round = len(phases) / per_day
        self._queue = Queue(phases, self._round)

    def take(self, now: float) -> int | None:
        return self._queue.first[1]

    def learn(self, page: int, now: float, days: float, changed: bool) -> None:
        self._queue.put_off(page, self._queue.first[0] + self._round)


class KnownRates:
    """Pages whose rates are known: the optimum, or with our floor, within which no page starves."""

    def __init__(
        self, phases: Sequence[float], per_day: float, rates: Sequence[float], *, floor: bool
    ) -> None:
        beliefs = [known(rate) for rate in rates]
        longest = FLOOR * len(rates) / per_day if floor else _FOR_EVER
        low, high = -40.0, 20.0
        for _ in range(60):
            middle = (low + high) / 2
            plan = Plan(exp(middle), longest, 0.0)
            asked = sum(1 / interval(belief, 1.0, plan) for belief in beliefs)
            low, high = (middle, high) if asked > per_day else (low, middle)
        plan = Plan(exp(high), longest, 0.0)
        self._days = [interval(belief, 1.0, plan) for belief in beliefs]
        self._queue = Queue(
            [phase * days for phase, days in zip(phases, self._days, strict=True)], 1.0
        )

    def take(self, now: float) -> int | None:
        return self._queue.first[1]

    def learn(self, page: int, now: float, days: float, changed: bool) -> None:
        self._queue.put_off(page, now + self._days[page])


class Nutch:
    """Intervals that become 40 % longer where nothing has changed, and 20 % shorter where something has."""

    def __init__(self, phases: Sequence[float], per_day: float) -> None:
        self._days = [len(phases) / per_day] * len(phases)
        self._queue = Queue(phases, len(phases) / per_day)

    def take(self, now: float) -> int | None:
        return self._queue.first[1]

    def learn(self, page: int, now: float, days: float, changed: bool) -> None:
        self._days[page] = min(max(self._days[page] * (0.8 if changed else 1.4), 1e-3), 365.0)
        self._queue.put_off(page, now + self._days[page])


class Learned:
    """Our own: rates learned from looks, by the code that a crawl uses."""

    def __init__(self, phases: Sequence[float], per_day: float, chance: random.Random) -> None:
        self._per_day, self._round = per_day, len(phases) / per_day
        self._queue = Queue(phases, self._round)
        self._chance = chance
        self._evidence = [NO_LOOKS] * len(phases)
        self._bins = [NO_EVIDENCE] * len(phases)
        self._may_come = [0.0] * len(phases)
        self._census = Census({NO_EVIDENCE: len(phases)})
        self._planner = LookPlanner()
        self._factor = 1.0
        self._plan_at = 0.0

    def take(self, now: float) -> int | None:
        if now >= self._plan_at:
            self._plan_at = now + self._round / _PLANS_A_ROUND
            self._planner.update(self._census, self._per_day)
        due, page = self._queue.first
        self._factor = steered(now - due, self._round)
        return page if now >= min(due, self._may_come[page]) else None

    def learn(self, page: int, now: float, days: float, changed: bool) -> None:
        self._evidence[page] = self._evidence[page].after(Look(days, changed))
        after = bin_of(self._evidence[page], 1.0)
        self._census.count(self._bins[page], -1)
        self._census.count(after)
        self._bins[page] = after
        until_next = self._planner.expect(after, None, self._factor).days
        self._may_come[page] = now + until_next / 2
        self._queue.put_off(page, now + until_next * (1 + 0.05 * self._chance.uniform(-1, 1)))
