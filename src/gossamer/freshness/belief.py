"""Belief: the posterior over a page's rate of change, as a few rates with their probabilities.

Prior times likelihood is log-concave in the logarithm of the rate, so Newton's method finds its top, and the
curvature on both sides how wide it is. Nine rates, evenly spaced over that width, stand for it: the trapezoid rule
is nearly exact on such a shape, however narrow much evidence has made it.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, expm1, log, sqrt

from gossamer.freshness.evidence import RateEvidence
from gossamer.freshness.prior import Prior
from gossamer.freshness.rates import freshness

_STEPS = 4  # on each side of the top
_REACH = 3.0  # deviations
_NEAR = 0.01  # of a deviation: as near to the top as is needed
_TURNS = 30


@dataclass(frozen=True, slots=True)
class Belief:
    """Rates that a page may have, in changes a day, and how likely each of them is."""

    rates: tuple[float, ...]
    chances: tuple[float, ...]

    @property
    def rate(self) -> float:
        """The expected rate."""
        return sum(map(_product, self.rates, self.chances))

    @property
    def most_gain(self) -> float:
        """What a look gains at most, however long ago the last one is."""
        return sum(chance / rate for rate, chance in zip(self.rates, self.chances, strict=True))

    def logarithm(self) -> tuple[float, float]:
        """Mean and variance of the logarithm of the rate."""
        logs = [log(rate) for rate in self.rates]
        mean = sum(map(_product, logs, self.chances))
        return mean, sum(
            chance * (each - mean) ** 2 for each, chance in zip(logs, self.chances, strict=True)
        )

    def gain(self, days: float) -> tuple[float, float]:
        """The expected gain of a look after so many days, and how fast it grows a day."""
        gained = slope = 0.0
        for rate, chance in zip(self.rates, self.chances, strict=True):
            r = rate * days
            if r < 1e-4:
                gained += chance * r * days * (0.5 - r / 3)
                slope += chance * r
            elif r < 700:
                left = exp(-r)
                gained += chance * (1 - (1 + r) * left) / rate
                slope += chance * r * left
            else:
                gained += chance / rate
        return gained, slope

    def freshness(self, days: float) -> float:
        """The expected share of time that the page is fresh, if it is looked at every so many days."""
        return sum(
            chance * freshness(rate, days)
            for rate, chance in zip(self.rates, self.chances, strict=True)
        )

    def still_fresh(self, days: float) -> float:
        """The chance that the page is as it was so many days ago."""
        return sum(
            chance * exp(-rate * days)
            for rate, chance in zip(self.rates, self.chances, strict=True)
        )


def known(rate: float) -> Belief:
    """The belief that a page changes at this rate, and no other."""
    return Belief((rate,), (1.0,))


def believe(evidence: RateEvidence, prior: Prior) -> Belief:
    """What is believed of a page's rate, from its looks and from what is known of pages like it."""
    top, slope_width = _top(evidence, prior)
    step = _REACH * slope_width / _STEPS
    heights = [_height(evidence, prior, top + i * step) for i in range(-_STEPS, _STEPS + 1)]
    highest = max(heights)
    shares = [exp(height - highest) for height in heights]
    total = sum(shares)
    return Belief(
        tuple(exp(top + i * step) for i in range(-_STEPS, _STEPS + 1)),
        tuple(share / total for share in shares),
    )


def _product(one: float, other: float) -> float:
    return one * other


def _height(evidence: RateEvidence, prior: Prior, x: float) -> float:
    """The logarithm of prior times likelihood at the logarithm of a rate, but for a constant."""
    off = (x - prior.mean) / prior.spread
    height = -off * off / 2 - evidence.quiet_days * exp(x)
    if evidence.changes:
        deviation = sqrt(evidence.log_variance)
        for at in (evidence.log_days - deviation, evidence.log_days + deviation):
            height += evidence.changes / 2 * _log_changed(x + at)
    return height


def _log_changed(log_r: float) -> float:
    """The logarithm of 1 - e^-r, from that of r."""
    r = exp(min(log_r, 50.0))
    return log(-expm1(-r)) if r > 1e-12 else log_r


def _top(evidence: RateEvidence, prior: Prior) -> tuple[float, float]:
    """Where prior times likelihood is highest, and its standard deviation there."""
    precision = 1 / (prior.spread * prior.spread)
    if not evidence.looks:
        return prior.mean, prior.spread
    deviation = sqrt(evidence.log_variance)
    ats = (evidence.log_days - deviation, evidence.log_days + deviation)
    x, curvature = prior.mean, precision
    for _ in range(_TURNS):
        quiet = evidence.quiet_days * exp(x)
        slope = (prior.mean - x) * precision - quiet
        curvature = precision + quiet
        if evidence.changes:
            for at in ats:
                r = exp(min(x + at, 50.0))
                pull = r / expm1(r) if 1e-9 < r < 500 else float(r <= 1e-9)
                slope += evidence.changes / 2 * pull
                # d/dx of r / (e^r - 1) is pull x (1 - pull - r)
                curvature -= evidence.changes / 2 * pull * min(1 - pull - r, 0.0)
        move = slope / curvature
        x += min(max(move, -2.0), 2.0)
        if abs(move) * sqrt(curvature) < _NEAR:
            break
    return x, 1 / sqrt(curvature)
