"""The demo web's schedule of change, kept fresh by the real frontier in virtual time: near the optimum, far above round-robin."""

import random
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from bench.freshness_cases.policies import KnownRates, Policy, RoundRobin
from tests.frontier.steps import ended, handed, settle, url

from gossamer.config import Politeness
from gossamer.demo.schedule import life_of
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.looks import LookRules
from gossamer.frontier.protocol import NewUrl
from gossamer.frontier.sqlite import SqliteStore

SEED = 5
PAGES = {
    number: life
    for number in range(1, 120)
    if (life := life_of(SEED, number, 1)).vanishes is None
    and life.moves is None
    and not life.appears
}
PER_DAY = 0.2 * len(PAGES)
DAYS = 50
NEVER = 1e-6  # changes a day, of pages that stay as they are


class Watched:
    """The pages as they were seen last, and for how much of the second half they were fresh."""

    def __init__(self) -> None:
        self.seen = {number: edition(number, 0) for number in PAGES}
        self.shares: list[float] = []

    def look(self, number: int, day: float) -> bool:
        """Look at a page; whether it has changed since."""
        before, self.seen[number] = self.seen[number], edition(number, day)
        return before != self.seen[number]

    def note(self, day: float) -> None:
        """Count how many are fresh now."""
        if day > DAYS / 2:
            fresh = sum(seen == edition(number, day) for number, seen in self.seen.items())
            self.shares.append(fresh / len(PAGES))

    @property
    def freshness(self) -> float:
        return sum(self.shares) / len(self.shares)


def edition(number: int, day: float) -> int:
    """The edition of a page, each of which begins at a time of its own of the day."""
    return PAGES[number].edition(int(day + number % 7 / 7))


def follow(make: Callable[[list[float]], Policy]) -> float:
    """The freshness that a policy keeps."""
    numbers, watched, chance = [*PAGES], Watched(), random.Random(3)
    policy = make([chance.random() for _ in numbers])
    last = dict.fromkeys(numbers, 0.0)
    for look in range(1, int(DAYS * PER_DAY)):
        day = look / PER_DAY
        watched.note(day)
        if (taken := policy.take(day)) is not None:
            number = numbers[taken]
            policy.learn(taken, day, day - last[number], watched.look(number, day))
            last[number] = day
    return watched.freshness


def keep_fresh(file: Path) -> tuple[float, float | None]:
    """The freshness that a frontier keeps, and what it takes that for."""
    start = datetime(2026, 1, 2, tzinfo=UTC)
    now = [start]
    frontier = SqlFrontier(SqliteStore(file, lambda: now[0]), "one", Politeness(delay=timedelta(0)))
    frontier.keep_fresh(LookRules(per_day=PER_DAY, shortest=timedelta(minutes=1)))
    names = {url(f"page/{number}"): number for number in PAGES}
    frontier.add([NewUrl(each) for each in names])
    while pages := handed(frontier):
        settle(frontier, *(ended(page) for page in pages))
        frontier.take_over()
    watched = Watched()
    for look in range(1, int(DAYS * PER_DAY)):
        day = look / PER_DAY
        now[0] = start + timedelta(days=day)
        watched.note(day)
        if look % 20 == 1:
            frontier.plan_looks()
        frontier.take_due()
        pages = handed(frontier)
        told = [ended(page, changed=watched.look(names[page.url], day)) for page in pages]
        settle(frontier, *told)
        frontier.take_over()
    measured = frontier.look_sums().measured
    frontier.close()
    return watched.freshness, measured


def test_the_demo_web_is_kept_as_fresh_as_can_be(tmp_path: Path) -> None:
    rates = [1 / life.changes_every if life.changes_every else NEVER for life in PAGES.values()]
    in_turn = follow(lambda phases: RoundRobin(phases, PER_DAY))
    best = follow(lambda phases: KnownRates(phases, PER_DAY, rates, floor=False))
    ours, measured = keep_fresh(tmp_path / "frontier.db")
    told = f"round-robin {in_turn:.3f}, ours {ours:.3f}, oracle {best:.3f}, measured {measured}"
    assert in_turn < ours, told
    assert ours - in_turn > 0.5 * (best - in_turn), told
    assert ours > 0.93 * best, told
    assert measured == pytest.approx(ours, abs=0.12), told
