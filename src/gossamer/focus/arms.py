"""The worth of an arm: wanted things per second, by itself and through the pages that it leads to.

A page of an arm brings something itself, takes some time, and leads to new links of other arms, which may be fetched
or left. That is a branching bandit, and choosing the arm of the largest index is the best that can be done
(Weiss 1988). The index is the price of a visit at which the arm is just worth it, where all that it leads to may
be had at that price too: a listing of twenty products has nearly the index of a product, however little it says
itself, and the page before the listing nearly the same.

Arms that were seldom visited count as their parent (the same links on whatever page), a parent as the same pages linked from
elsewhere, and these as the words of their links promise.
Older visits weigh less, so an arm that has run dry is noticed.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final, NamedTuple

REMEMBERED: Final = 64.0  # visits of an arm that count, about
TRUST: Final = 1.0  # visits of its own that weigh as much as what is said of an arm beforehand
MOST_GAIN: Final = (
    32.0  # of one page: what claims thousands of things is not worth thousands of pages
)
# Prices at which arms are compared: from what the best page of all is worth, half as much each time.
_STEPS: Final = 10
_SWEEPS: Final = 2
_MOST_AHEAD: Final = 1e6
MOST_ALIKE: Final = 50.0  # pages of an arm that may be alike
LEAST_SECONDS: Final = 0.001


class ArmSums(NamedTuple):
    """What is known of one arm. All sums fade as visits are added."""

    parent: int | None = None
    visits: float = 0.0
    gained: float = 0.0
    spent: float = 0.0  # seconds of the host's time
    found: float = 0.0  # links, and what clues promised of each
    promised: float = 0.0
    form: str = ""  # of its URLs

    @property
    def promise(self) -> float:
        """What clues promise of one of its links."""
        return min(self.promised / self.found, MOST_GAIN) if self.found > 0 else 0.0


@dataclass(frozen=True, slots=True)
class ArmWorth:
    """What an arm is worth, and why."""

    index: float  # wanted things per second
    own: float  # wanted things that a page of it brings itself
    ahead: float  # new links of a page of it that are worth more than nothing
    visits: float


Leads = Mapping[int, Mapping[int, float]]
"""Of each arm: new links that its visits led to, by their arm."""


def worths(arms: Mapping[int, ArmSums], leads: Leads) -> dict[int, ArmWorth]:
    """The worth of all arms of a host."""
    if not arms:
        return {}
    seconds = max(_mean_seconds(arms), LEAST_SECONDS)
    solved = _solve([*_in_order(arms)], arms, leads, seconds)
    best = max(each.price for each in solved.values())
    return {
        arm: ArmWorth(
            _hopeful(each.price, best, arms[arm]) / seconds, each.own, each.ahead, arms[arm].visits
        )
        for arm, each in solved.items()
    }


def _hopeful(price: float, best: float, sums: ArmSums) -> float:
    """The index of an arm with what it is worth to learn more of it.

    Things that are listed together are mostly alike: if the first is wanted, so are the others. An arm that was never
    visited counts as if its pages were all as good as the best, or none, by so likely as its price is to the best.
    """
    if best <= 0:
        return price
    likely, pages = price / best, min(max(sums.found - sums.visits, 1.0), MOST_ALIKE)
    hope = price * pages / (1 + likely * (pages - 1))
    share = 1 / (1 + sums.visits) ** 2
    return price + share * (hope - price)


def _mean_seconds(arms: Mapping[int, ArmSums]) -> float:
    whole = [sums for sums in arms.values() if sums.parent is None]
    visits = sum(sums.visits for sums in whole)
    return sum(sums.spent for sums in whole) / visits if visits > 0 else 1.0


def _in_order(arms: Mapping[int, ArmSums]) -> Iterator[int]:
    """Parents before their children."""
    yield from (arm for arm, sums in arms.items() if sums.parent is None)
    yield from (arm for arm, sums in arms.items() if sums.parent is not None)


class _Solved(NamedTuple):
    price: float
    own: float
    ahead: float


def _solve(
    order: Sequence[int], arms: Mapping[int, ArmSums], leads: Leads, seconds: float
) -> dict[int, _Solved]:
    """Find the price at which each arm is just worth a visit, from high prices to low ones."""
    at = {arm: number for number, arm in enumerate(order)}
    own: list[float] = []
    costs: list[float] = []
    parents: list[int | None] = []
    weights: list[float] = []
    links: list[list[tuple[int, float]]] = []
    counts: list[float] = []
    between: list[float] = []
    mean_of_lists, forms = _means_of_lists(arms), _sums_of_forms(arms)
    for arm in order:
        sums = arms[arm]
        parent = at.get(sums.parent) if sums.parent is not None else None
        said, cost = sums.promise, 1.0
        if parent is not None and parent >= len(own):  # no parent comes after its child
            parent = None
        if parent is not None:
            said, cost = between[parent], costs[parent]
        elif sums.form in forms:  # the same pages, linked from elsewhere
            gained, visits = forms[sums.form]
            others = max(visits - sums.visits, 0.0)
            said = max(said, max(gained - sums.gained, 0.0) / (others + TRUST))
        heard = sums.visits + TRUST
        own.append((sums.gained + TRUST * said) / heard)
        total, lists = mean_of_lists.get(arm, (0.0, 0))
        between.append((total + TRUST * max(said, own[-1])) / (lists + TRUST))
        costs.append(max((sums.spent / seconds + TRUST * cost) / heard, 0.01))
        parents.append(parent)
        weights.append(TRUST / heard)
        led = [(at[to], found / heard) for to, found in leads.get(arm, {}).items() if to in at]
        links.append(led)
        counts.append(sum(found for _, found in led))
    size = len(order)
    ahead, value, worth = [0.0] * size, [0.0] * size, [0.0] * size
    found, before = [0.0] * size, [-1.0] * size
    # Where nothing is known of what lies behind an arm, it counts as its parent; a parent, as nothing.
    above = max(gain / cost for gain, cost in zip(own, costs, strict=True))
    for price in [above / 2**step for step in range(_STEPS)]:
        for _ in range(_SWEEPS):
            for arm in range(size):
                sum_ahead = 0.0
                for to, count in links[arm]:
                    if value[to]:
                        sum_ahead += count * value[to]
                if (parent := parents[arm]) is not None:
                    sum_ahead += weights[arm] * ahead[parent]
                ahead[arm] = min(sum_ahead, _MOST_AHEAD)
                worth[arm] = own[arm] - price * costs[arm] + ahead[arm]
                value[arm] = worth[arm] if worth[arm] > 0 else 0.0
        for arm in range(size):
            if not found[arm] and worth[arm] > 0:
                span = worth[arm] - before[arm]
                share = worth[arm] / span if span > 0 and before[arm] <= 0 else 0.0
                found[arm] = price + (above - price) * min(max(share, 0.0), 1.0)
            before[arm] = worth[arm]
        above = price
    for arm in range(size):
        if not found[arm]:  # worth less than the last price, and still more or less than others
            found[arm] = max(own[arm], 0.0) / costs[arm]
    return {arm: _Solved(found[at[arm]], own[at[arm]], counts[at[arm]]) for arm in order}


def _means_of_lists(arms: Mapping[int, ArmSums]) -> dict[int, tuple[float, int]]:
    """What the lists of each parent brought a page, summed up, and how many lists were visited.

    A list of which sixty pages were visited tells no more of the next list than one of which six were.
    """
    found: dict[int, tuple[float, int]] = {}
    for sums in arms.values():
        if sums.parent is not None and sums.visits > 0:
            total, lists = found.get(sums.parent, (0.0, 0))
            found[sums.parent] = (total + min(sums.gained / sums.visits, MOST_GAIN), lists + 1)
    return found


def _sums_of_forms(arms: Mapping[int, ArmSums]) -> dict[str, tuple[float, float]]:
    """What the pages of each form of URL brought, wherever their links stood, and how many were visited."""
    found: dict[str, tuple[float, float]] = {}
    for sums in arms.values():
        if sums.parent is None and sums.form:
            gained, visits = found.get(sums.form, (0.0, 0.0))
            found[sums.form] = (gained + sums.gained, visits + sums.visits)
    return found


def order_arms(worth: Mapping[int, ArmWorth]) -> list[int]:
    """Arms from the most to the least promising; among equals the one that was visited less."""
    return sorted(worth, key=lambda arm: (-worth[arm].index, worth[arm].visits, arm))


def is_exploring(picks: int) -> bool:
    """Whether the next pick, after so many on a host, is to try what was tried least: ever more seldom."""
    return picks > 0 and int(sqrt(picks + 1)) > int(sqrt(picks))


def least_tried(worth: Mapping[int, ArmWorth]) -> list[int]:
    """Arms by how little is known of them for what they may be worth: the least tried first."""
    return sorted(worth, key=lambda arm: (worth[arm].visits, -worth[arm].index, arm))
