"""What goes wrong, and when: a plan that follows from a seed. Pure.

A plan is printed with the test that runs it, so that a run can be made once more.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What may happen to a node, or to the database of all."""

    KILL = "kill"  # kill -9 of all its processes; it starts again in the same folder
    FREEZE = "freeze"  # SIGSTOP, until its leases have lapsed; then SIGCONT
    NO_DATABASE = "no-database"  # what it sends there, or gets from there, vanishes
    NO_WEB = "no-web"
    CLOCK = "clock"  # killed, and started with a clock that is minutes off
    DISK = "disk"  # the disk of its folder is full
    DATABASE_RESTART = "database-restart"  # without a word to anybody, as in a crash
    FAILOVER = "failover"  # the database is gone for good, and its standby takes over


OF_ALL = frozenset({Kind.DATABASE_RESTART, Kind.FAILOVER})
ONCE = frozenset({Kind.FAILOVER})
LONGEST_SKEW = 600  # seconds


@dataclass(frozen=True)
class Fault:
    """One thing that goes wrong: from a moment, for some seconds, for a node."""

    at: float
    lasts: float
    kind: Kind
    node: int | None = None
    skew: int = 0  # of a clock, in seconds

    def __str__(self) -> str:
        whose = "" if self.node is None else f" node {self.node}"
        skew = f" by {self.skew:+d} s" if self.skew else ""
        return f"{self.at:6.1f} s  {self.kind}{whose}{skew} for {self.lasts:.1f} s"

    @property
    def ends(self) -> float:
        """When it is over."""
        return self.at + self.lasts


def draw(
    seed: int, nodes: int, kinds: Sequence[Kind], count: int, shortest: float, longest: float
) -> list[Fault]:
    """So many faults in order: each kind once at least, no two of one node at a time.

    Of all nodes one at least is well at every moment.
    """
    chance = random.Random(seed)
    often = [kind for kind in kinds if kind not in ONCE]
    drawn = [*kinds, *chance.choices(often, k=max(0, count - len(kinds)))]
    chance.shuffle(drawn)
    busy_until, now, plan = [0.0] * nodes, shortest, list[Fault]()
    for kind in drawn:
        lasts = round(chance.uniform(shortest, longest), 1)
        if kind in OF_ALL:
            plan.append(Fault(round(now, 1), lasts, kind))
        else:
            now = max(now, sorted(busy_until)[1])  # then two are free, and one of them stays so
            free = [node for node in range(nodes) if busy_until[node] <= now]
            node = chance.choice(free)
            skew = chance.choice((-1, 1)) * chance.randint(60, LONGEST_SKEW)
            fault = Fault(round(now, 1), lasts, kind, node, skew=skew if kind is Kind.CLOCK else 0)
            plan.append(fault)
            busy_until[node] = fault.ends + shortest
        now += chance.uniform(shortest, longest) / 2
    return plan
