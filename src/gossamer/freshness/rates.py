"""Freshness of a page whose rate of change is known, in closed form (Cho and Garcia-Molina, 2003).

A page that changes as a Poisson process at `rate` and is looked at every `days` is fresh for a share
(1 - e^-r) / r of the time, where r = rate x days. One look more a day gains (1 - (1 + r) e^-r) / rate: the optimum
looks at all pages so often that this gain is the same for each, the price of a look.
"""

from math import exp, expm1

_TINY = 1e-4  # below it, the first terms of the series are nearer than the difference
_LARGE = 700.0  # beyond it, e^-r is nothing


def freshness(rate: float, days: float) -> float:
    """The share of time for which a page is fresh that is looked at every so many days."""
    r = rate * days
    return -expm1(-r) / r if r > _TINY else 1 - r / 2


def gain(rate: float, days: float) -> float:
    """The gain of a look after so many days, in days of freshness: what one more look a day would bring."""
    r = rate * days
    if r < _TINY:
        return r * days * (0.5 - r / 3)
    return (1 - (1 + r) * exp(-r)) / rate


def fresh_days(rate: float, days: float) -> float:
    """How long a page was fresh, as is to be expected, that was looked at after so many days and had changed."""
    r = rate * days
    if r < _TINY:
        return days * (0.5 - r / 12)
    if r > _LARGE:
        return 1 / rate
    return 1 / rate - days * exp(-r) / -expm1(-r)
