"""Plan: the price of a look, and from it each page's interval.

The optimum looks at every page so often that one more look a day would gain the same at each: the price. The rate is not known
but believed, so the gain is averaged over the belief. A page that may be slow is worth a look for that
alone, so uncertain pages are explored at no cost of their own.

Pages that change too often are given up by the optimum: a look is stale before it has paid. They are looked at all
the same, after `longest`, so nothing starves and a page that calms down is noticed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import exp, log, sqrt

from gossamer.freshness.belief import Belief

_NEAR = 0.005  # of an interval: as near as is needed
_TURNS = 25


@dataclass(frozen=True, slots=True)
class Plan:
    """What a look has to gain, in days of freshness, and the shortest and longest interval in days."""

    price: float
    longest: float
    shortest: float = 1 / 24

    def at(self, factor: float) -> Plan:
        """The plan at a price that is higher by this factor: of a host with too little time, say."""
        return replace(self, price=self.price * factor)


def interval(belief: Belief, weight: float, plan: Plan) -> float:
    """Days until the next look at a page that is believed to change so, and is of this weight."""
    wanted = plan.price / weight if weight > 0 else float("inf")
    if wanted >= belief.most_gain:
        return plan.longest
    # The gain is at most rate x days^2 / 2, so this is too short; from there, tangents lead to the solution.
    days = sqrt(2 * wanted / belief.rate)
    days = min(max(days, plan.shortest), plan.longest)
    for _ in range(_TURNS):
        gained, slope = belief.gain(days)
        if gained >= wanted:
            break
        if gained <= 0 or slope <= 0:
            return plan.longest
        step = log(wanted / gained) * gained / (slope * days)
        days *= exp(min(step, 2.0))
        if days >= plan.longest:
            return plan.longest
        if step < _NEAR:
            break
    return days
