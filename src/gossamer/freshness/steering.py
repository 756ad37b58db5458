"""Steering: the price corrected by what falls due, for all and for a host that has too little time.

A plan is made for the pages of a census, and holds for the intervals given from then on. How far the looks are behind (or
ahead of) what is due tells by how much it is wrong. The correction is proportional to that, without
memory: intervals answer only when they are over, and a correction that adds up would swing.
"""

from math import exp

_DEAREST = 1e6
_STRONGEST = 4.0  # a price is at most so many times higher or lower


def steered(behind_days: float, round_days: float) -> float:
    """The factor on the price when the next page is due for so many days (negative: is due in so many)."""
    if round_days <= 0:
        return 1.0
    factor = exp(min(max(behind_days / round_days, -5.0), 5.0))
    return min(max(factor, 1 / _STRONGEST), _STRONGEST)


def host_factor(asked: float, possible: float) -> float:
    """The factor on the price of one host, of whose pages so many looks a day are asked and so many are possible.

    Water filling on two levels: a host with time enough has the price of all, 1. One with too little has its own; the others
    share what it leaves. `asked` is what its pages ask for at the price of all. Intervals grow at most as the
    square root of the price, so the price grows with the square of what is lacking.
    """
    if possible <= 0:
        return _DEAREST
    return min(max((asked / possible) ** 2, 1.0), _DEAREST)
