"""Limits of a whole crawl, shared by its nodes: what a node may have of them. Pure.

A rate is a line of moments that all nodes take from (the generic cell rate algorithm, with the moment up to which all
is paid in the database): a node takes a stretch of it, sends within that, and lets the rest lapse. So the sum is
within the limit whoever dies or joins; what a dead node took is lost, a second's worth at most.

Requests at once to one address are shares that add up to the limit. A node's share is its own until it is
renewed or lapses; a newcomer has what the others leave, and more when these have renewed theirs.
"""

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

SECOND: Final = 1_000_000  # microseconds
STRETCH: Final = 1.0  # seconds of the line that all nodes together may take at once
AHEAD: Final = STRETCH  # and how far ahead of the present the line may be taken


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of the line: so many requests or bytes, from one moment to another. Moments are microseconds."""

    amount: int
    begins: int
    ends: int


def fair_shares(total: float, needs: Mapping[str, float]) -> dict[str, float]:
    """Divide a total: nobody gets more than it needs, and what small needs leave goes to the larger, evenly."""
    shares: dict[str, float] = {}
    left, waiting = total, sorted(needs, key=lambda name: (needs[name], name))
    while waiting:
        name = waiting.pop(0)
        shares[name] = min(needs[name], left / (len(waiting) + 1))
        left -= shares[name]
    return shares


def take_stretch(
    paid_until: int, now: int, per_second: float, wanted: int, needs: Mapping[str, float], node: str
) -> tuple[Stretch, int]:
    """What a node gets of the line, by its needs and those of the others, and up to when the line is paid then.

    One unit at least, where the line is not taken too far ahead: then none, and it may ask again when the stretch
    that it gets (of no length) begins.
    """
    begins = max(paid_until, now)
    ahead = max(AHEAD, 1 / per_second)
    if wanted < 1 or begins - now >= ahead * SECOND:
        again = max(begins - math.floor(ahead * SECOND) + 1, now + 1)
        return Stretch(0, again, again), paid_until
    share = fair_shares(per_second * STRETCH, {**needs, node: wanted})[node]
    amount = min(wanted, max(math.floor(share), 1))
    ends = begins + math.ceil(amount * SECOND / per_second)
    return Stretch(amount, begins, ends), ends


def charge(paid_until: int, now: int, per_second: float, amount: int) -> int:
    """Up to when the line is paid once this much was taken beyond what was granted."""
    if amount <= 0:
        return paid_until
    return max(paid_until, now) + math.ceil(amount * SECOND / per_second)


def whole_share(limit: int, nodes: Collection[str], node: str) -> int:
    """What a node is to have of a limit that is divided into whole parts, by the number of nodes."""
    order = sorted({*nodes, node})
    each, rest = divmod(limit, len(order))
    return each + (order.index(node) < rest)


def allowed_share(limit: int, nodes: Collection[str], node: str, others: int, in_use: int) -> int:
    """What a node may have now: its part, as far as others leave it; never less than it uses."""
    return max(min(whole_share(limit, nodes, node), limit - others), in_use, 0)
