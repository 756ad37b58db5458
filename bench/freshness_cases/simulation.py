"""Pages that change at known rates, looked at within a budget: for how much of the time they are fresh.

Changes are a Poisson process, so what a look finds is one throw of the dice, and between looks the expected freshness is
known in closed form: the only noise is that of what was found.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, expm1, log

from bench.freshness_cases.policies import KnownRates, Learned, Nutch, Policy, RoundRobin

DAYS = 240
MARKS = (7, 14, 28, 60, 120, 240)  # ends of periods
POLICIES = ("round-robin", "oracle", "known rates", "learned", "nutch")


@dataclass(frozen=True, slots=True)
class Setting:
    """Intervals between changes, log-normal."""

    median: float  # days
    sigma: float

    def rates(self, pages: int, chance: random.Random) -> list[float]:
        """The rates of so many pages."""
        return [exp(-chance.gauss(log(self.median), self.sigma)) for _ in range(pages)]


def periods(
    policy: Policy, rates: Sequence[float], per_day: float, chance: random.Random
) -> list[float]:
    """The days of freshness in each period, a page."""
    last, fresh = [0.0] * len(rates), [0.0] * len(MARKS)
    for number in range(1, int(DAYS * per_day) + 1):
        now = number / per_day
        page = policy.take(now)
        if page is None:
            continue
        days = now - last[page]
        _add(fresh, rates[page], last[page], now)
        last[page] = now
        policy.learn(page, now, days, chance.random() < -expm1(-rates[page] * days))
    for rate, since in zip(rates, last, strict=True):
        _add(fresh, rate, since, DAYS)
    return [each / len(rates) for each in fresh]


def _add(fresh: list[float], rate: float, since: float, until: float) -> None:
    """Add the expected days of freshness of a page that was looked at, and again at the end."""
    begin = since
    for period, end in enumerate(MARKS):
        if begin < (stop := min(end, until)):
            fresh[period] += (exp(-rate * (begin - since)) - exp(-rate * (stop - since))) / rate
            begin = stop


def run(name: str, setting: Setting, pages: int, budget: float, seed: int) -> list[float]:
    """One policy on the pages of a seed, at a budget of so many looks a page and day."""
    chance = random.Random(seed)
    rates = setting.rates(pages, chance)
    phases = [chance.random() for _ in rates]
    per_day = budget * pages
    policies: dict[str, Policy] = {}
    match name:
        case "round-robin":
            policies[name] = RoundRobin(phases, per_day)
        case "nutch":
            policies[name] = Nutch(phases, per_day)
        case "learned":
            policies[name] = Learned(phases, per_day, chance)
        case _:
            policies[name] = KnownRates(phases, per_day, rates, floor=name == "known rates")
    return periods(policies[name], rates, per_day, chance)
