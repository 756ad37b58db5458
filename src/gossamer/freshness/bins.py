"""Bins: pages whose evidence and weight are nearly alike, as one number.

All that is decided of a page follows from its bin, so it is worked out once for all pages of the bin, and pages can
be counted by it. Logarithms are kept in quarters: no more than an eighth is lost, far less than the evidence leaves open.
"""

from functools import lru_cache
from math import exp, log

from gossamer.freshness.evidence import NO_LOOKS, RateEvidence

_PER_UNIT = 4  # bins for a factor of e
_EXACT_CHANGES = 4  # up to here, changes are kept in quarters; beyond, as logarithms
_CHANGES_PER_UNIT = 6
_VARIANCES = (0.0, 0.15, 0.6, 1.5)
_VARIANCE_LIMITS = (0.05, 0.35, 1.0)
_ZERO_DAYS = 24  # the code of one day: from four minutes to forty years
_ZERO_WEIGHT = 5
_DAYS_BITS = _CHANGES_BITS = 6
_VARIANCE_BITS, _WEIGHT_BITS = 2, 4
NO_EVIDENCE = _ZERO_WEIGHT
"""The bin of a page of weight 1 that was never looked at again."""


def bin_of(evidence: RateEvidence, weight: float) -> int:
    """The bin of a page."""
    code = days = variance = quiet = 0
    if evidence.looks:
        if evidence.changes > 0.1:
            code = max(_code_of_changes(evidence.changes), 1)
            days = _code_of_days(evidence.log_days, 0)
            variance = sum(evidence.log_variance > limit for limit in _VARIANCE_LIMITS)
        if evidence.quiet_days > 0:
            quiet = max(_code_of_days(log(evidence.quiet_days), 1), 1)
    number = code << _DAYS_BITS | days
    number = number << _VARIANCE_BITS | variance
    number = number << _DAYS_BITS | quiet
    return number << _WEIGHT_BITS | _code_of_weight(weight)


@lru_cache(1 << 16)
def page_of(number: int) -> tuple[RateEvidence, float]:
    """Evidence and weight of the pages in a bin."""
    number, weight = divmod(number, 1 << _WEIGHT_BITS)
    number, quiet = divmod(number, 1 << _DAYS_BITS)
    number, variance = divmod(number, 1 << _VARIANCE_BITS)
    code, days = divmod(number, 1 << _DAYS_BITS)
    changes = _changes_of(code)
    if not code and not quiet:
        return NO_LOOKS, _weight_of(weight)
    return (
        RateEvidence(
            changes + bool(quiet),
            changes,
            (days - _ZERO_DAYS) / _PER_UNIT if code else 0.0,
            _VARIANCES[variance],
            exp((quiet - 1 - _ZERO_DAYS) / _PER_UNIT) if quiet else 0.0,
        ),
        _weight_of(weight),
    )


def evidence_bin(number: int) -> int:
    """The bin without its weight: the same for all pages with such evidence."""
    return number >> _WEIGHT_BITS << _WEIGHT_BITS | _ZERO_WEIGHT


def has_looks(number: int) -> bool:
    """Whether the pages of a bin were looked at again."""
    return number >> _WEIGHT_BITS > 0


def coarser(number: int) -> int:
    """A bin four times as wide, which stands for several."""
    number, weight = divmod(number, 1 << _WEIGHT_BITS)
    number, quiet = divmod(number, 1 << _DAYS_BITS)
    number, variance = divmod(number, 1 << _VARIANCE_BITS)
    code, days = divmod(number, 1 << _DAYS_BITS)
    number = (code + 1) // 2 << _DAYS_BITS | days // 2
    number = number << _VARIANCE_BITS | variance
    number = number << _DAYS_BITS | (quiet + 1) // 2
    return number << _WEIGHT_BITS | weight


def _code_of_changes(changes: float) -> int:
    if changes <= _EXACT_CHANGES:
        return round(changes * _PER_UNIT)
    beyond = round(_CHANGES_PER_UNIT * log(changes / _EXACT_CHANGES))
    return min(_EXACT_CHANGES * _PER_UNIT + beyond, (1 << _CHANGES_BITS) - 1)


def _changes_of(code: int) -> float:
    beyond = code - _EXACT_CHANGES * _PER_UNIT
    if beyond <= 0:
        return code / _PER_UNIT
    return _EXACT_CHANGES * exp(beyond / _CHANGES_PER_UNIT)


def _code_of_days(logarithm: float, first: int) -> int:
    code = round(logarithm * _PER_UNIT) + _ZERO_DAYS + first
    return min(max(code, first), (1 << _DAYS_BITS) - 1)


def _code_of_weight(weight: float) -> int:
    code = round(2 * log(max(weight, 1e-6)) / log(2)) + _ZERO_WEIGHT
    return min(max(code, 0), (1 << _WEIGHT_BITS) - 1)


def _weight_of(code: int) -> float:
    return float(2.0 ** ((code - _ZERO_WEIGHT) / 2))
