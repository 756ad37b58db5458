"""Visits that make way, in virtual time: who is ready gets a visit, in both engines and at every delay."""

import heapq
import re
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from datetime import datetime, timedelta
from itertools import count
from math import ceil
from pathlib import Path

import apsw
import pytest

from gossamer.config import Budget, Politeness
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.leasing import FIRST_AGAIN, FIRST_READY, OLDEST_AGAIN, OLDEST_READY
from gossamer.frontier.protocol import Assignment, Ended, Lease, Limits, NewUrl
from gossamer.frontier.schema import READY
from gossamer.frontier.sqlite import SqliteStore
from gossamer.politeness.clock import HostClock
from gossamer.politeness.delay import pace_for
from gossamer.politeness.outcome import Answered

from .steps import HURRIED, ended, only, settle, url
from .worlds import START, World

LONGEST = 10.0  # seconds that a visit lasts before it looks whether somebody waits
PAGES = 2  # in a visit


class Visits:
    """So many visits at once; each asks at its end whether it makes way, and else goes on."""

    def __init__(
        self, world: World, frontier: SqlFrontier, most: int, seconds: Callable[[str], float]
    ) -> None:
        self.world, self.frontier, self.most, self.seconds = world, frontier, most, seconds
        self.under_way: list[tuple[datetime, int, Lease, HostClock, tuple[Assignment, ...]]] = []
        self.numbers = count()
        self.ready_since: dict[str, datetime] = {}
        self.longest_wait = timedelta(0)
        self.visited: list[str] = []
        self.fetched: Counter[str] = Counter()

    def run(self, most: int) -> None:
        """Visit hosts until there were so many visits, or nothing is left."""
        while len(self.visited) < most:
            leases = self.frontier.lease(self.most - len(self.under_way), pages=PAGES)
            for lease in leases:
                waited = self.world.clock.now - self.ready_since.get(lease.host, START)
                self.longest_wait = max(self.longest_wait, waited)
                self.begin(lease, lease.clock, lease.pages)
            if not self.pass_time():
                return

    def pass_time(self) -> bool:
        """Let time pass until a visit is at its end, or a host ready that may have one."""
        moments = [self.under_way[0][0]] if self.under_way else []
        if len(self.under_way) < self.most and (at := self.frontier.counts().next_at):
            moments.append(max(at, self.world.clock.now + timedelta(milliseconds=1)))
        if not moments:
            return False
        self.world.clock.now = min(moments)
        while self.under_way and self.under_way[0][0] <= self.world.clock.now:
            _, _, lease, clock, pages = heapq.heappop(self.under_way)
            self.end(lease, clock, pages)
        return True

    def begin(self, lease: Lease, clock: HostClock, pages: tuple[Assignment, ...]) -> None:
        ends_at = self.world.clock.now + timedelta(seconds=self.seconds(lease.host))
        heapq.heappush(self.under_way, (ends_at, next(self.numbers), lease, clock, pages))
        self.visited.append(lease.host)

    def end(self, lease: Lease, clock: HostClock, pages: tuple[Assignment, ...]) -> None:
        now, pace = self.world.clock.now, pace_for(lease.host, self.frontier.politeness)
        settle(self.frontier, *map(ended, pages))
        self.fetched[lease.host] += len(pages)
        clock = clock.start(1, now, now, pace).finish(1, now, timedelta(0), Answered(200), pace)
        stays = clock.ready_at(pace) <= now + timedelta(seconds=3)
        goes_on = stays and not self.frontier.makes_way(lease, None)
        if goes_on and (more := self.frontier.more(lease, PAGES)):
            self.begin(lease, clock, more)
            return
        self.frontier.release({lease.token: clock})
        self.ready_since[lease.host] = max(now, clock.ready_at(pace))


def fill(frontier: SqlFrontier, hosts: list[str], pages: int) -> None:
    for start in range(0, len(hosts), 1_000):
        some = hosts[start : start + 1_000]
        frontier.add([NewUrl(url(str(n), host)) for host in some for n in range(pages)])


@pytest.mark.parametrize("delay", [0, 1, 120])
@pytest.mark.parametrize("most", [1, 32, 1_000])
def test_no_ready_host_waits_longer_than_a_visit_of_each_other(
    world: World, most: int, delay: float, full_size: bool
) -> None:
    hosts = {1: 40, 32: 400, 1_000: 1_100}[most] * (4 if full_size else 1)
    if world.engine == "postgres":
        hosts = min(hosts, 100)
    frontier = world.frontier(politeness=Politeness(delay=timedelta(seconds=delay)))
    names = [f"h{n}.test" for n in range(hosts)]
    fill(frontier, names, 3 * PAGES)
    # Some visits are over soon, those of every tenth host last as long as any may.
    visits = Visits(
        world,
        frontier,
        most,
        lambda host: LONGEST if host.endswith("0.test") else min(1 + len(host), LONGEST),
    )
    visits.run(3 * hosts)
    assert visits.longest_wait <= ceil(hosts / most) * timedelta(seconds=LONGEST)
    # While every host has pages left, none has had a visit more than another.
    before = Counter(visits.visited[: hosts + min(hosts, most)])
    assert set(before) == set(names)
    if hosts > most and not delay:
        assert max(before.values()) <= 2
    visits.run(10 * hosts)
    assert visits.fetched == dict.fromkeys(names, 3 * PAGES)
    assert not frontier.counts().left


@pytest.mark.parametrize("delay", [0, 1, 120])
@pytest.mark.parametrize("most", [1, 8])
def test_sites_over_their_budget_get_what_is_left_and_lose_nothing(
    world: World, most: int, delay: float, full_size: bool
) -> None:
    if full_size and most > 1 and world.engine == "sqlite":
        most = 1_000
    politeness = Politeness(delay=timedelta(seconds=delay))
    budget = Budget(pages=8, pages_per_linking_site=0)
    frontier = world.frontier(politeness=politeness, budget=budget)
    endless = [f"endless{n}.test" for n in range(most + 1)]
    fill(frontier, endless, 60)
    visits = Visits(world, frontier, most, lambda _: 1.0)
    visits.run(30 * most)  # alone, they take what they can
    taken = visits.fetched.copy()
    assert min(taken.values()) > 8
    each = 6 if world.engine == "postgres" else 16 if most < 1_000 else 2
    others = [f"h{n}.test" for n in range(each * most)]
    visits.ready_since.update(dict.fromkeys(others, world.clock.now))
    fill(frontier, others, 8)
    start = len(visits.visited) - len(visits.under_way)
    visits.run(start + most + 4 * len(others))
    # Visits of each of the others' pages came first; of eight, at most one went elsewhere.
    share = Counter(host in endless for host in visits.visited[start + most :])
    if delay < 120:  # else all others rest, time and again
        assert share[True] <= share[False] / 7 + 1
    visits.run(100 * (len(endless) + len(others)))
    assert not frontier.counts().left
    assert visits.fetched == dict.fromkeys(endless, 60) | dict.fromkeys(others, 8)


@pytest.mark.parametrize("delay", [0, 1])
@pytest.mark.parametrize("most", [1, 4])
def test_a_site_over_its_budget_gets_no_more_visits_than_one_within(
    world: World, most: int, delay: float
) -> None:
    """However few of them there are, and however many others."""
    politeness = Politeness(delay=timedelta(seconds=delay))
    budget = Budget(pages=6 * PAGES, pages_per_linking_site=0)
    frontier = world.frontier(politeness=politeness, budget=budget)
    fill(frontier, ["endless.test"], 30 * PAGES)
    visits = Visits(world, frontier, most, lambda _: 1.0)
    visits.run(6)  # alone, it takes its budget
    others = [f"h{n}.test" for n in range(48)]
    fill(frontier, others, 4 * PAGES)
    visits.run(6 + 2 * len(others))
    since = Counter(visits.visited[6:])
    assert visits.fetched["endless.test"] > 6 * PAGES, "it gets what is left"
    assert since["endless.test"] <= min(since[host] for host in others) + 1


@pytest.mark.parametrize("delay", [0, 1, 120])
@pytest.mark.parametrize("most", [1, 32])
def test_urgent_hosts_come_first_and_one_visit_in_eight_goes_to_who_waited_longest(
    world: World, most: int, delay: float, full_size: bool
) -> None:
    if full_size and most > 1 and world.engine == "sqlite":
        most = 1_000
    frontier = world.frontier(politeness=Politeness(delay=timedelta(seconds=delay)))
    plain = [f"plain{n}.test" for n in range(most + 15)]
    urgent = [f"urgent{n}.test" for n in range(most + 15)]
    fill(frontier, plain, PAGES)
    frontier.add([NewUrl(url(str(n), host), priority=9) for host in urgent for n in range(PAGES)])
    visits = Visits(world, frontier, most, lambda _: 1.0)
    visits.run(2 * len(urgent))
    first = visits.visited[: 1 + max(map(visits.visited.index, urgent))]
    by_age = [host for host in first if host in plain]
    # Of hosts that are leased together, those that waited longest are the first.
    assert len(first) // 8 <= len(by_age) <= (len(first) + most) // 8 + 1
    assert len(set(visits.visited)) == len(plain) + len(urgent)


def test_an_urgent_host_does_not_make_way_for_others_but_for_one_in_eight(world: World) -> None:
    frontier = world.frontier(politeness=HURRIED)
    frontier.add([NewUrl(url(str(n)), priority=9) for n in range(90)])
    lease = only(frontier, pages=1)
    fill(frontier, ["b.test", "c.test"], 1)
    frontier.add([NewUrl(url("", "d.test"), priority=8)])
    made_way = []
    for _ in range(8):
        (page,) = frontier.more(lease, 1)
        made_way.append(frontier.makes_way(lease, page))
    assert made_way == [False] * 6 + [True] * 2, "the next lease is by age"
    world.later(0.001)
    frontier.release({lease.token: lease.clock})
    assert [lease.host for lease in frontier.lease(1)] == ["b.test"]


def test_what_is_in_hand_counts_among_what_is_urgent(world: World) -> None:
    frontier = world.frontier(politeness=HURRIED)
    frontier.add([NewUrl(url("1"), priority=9), NewUrl(url("2"), priority=9), NewUrl(url("3"))])
    lease = only(frontier, pages=2)
    frontier.add([NewUrl(url("", "b.test"), priority=5)])
    assert not frontier.makes_way(lease, lease.pages[1])
    assert frontier.makes_way(lease, None)


def test_nobody_makes_way_where_nothing_may_be_handed_out(world: World) -> None:
    frontier = world.frontier(politeness=HURRIED, limits=Limits(pages=2))
    fill(frontier, ["a.test"], 5)
    lease = only(frontier, pages=2)
    fill(frontier, ["b.test"], 5)
    assert not frontier.makes_way(lease, None)
    # Pages that hold content take no room when they are fetched again.
    settle(frontier, *map(ended, lease.pages))
    frontier.release({lease.token: lease.clock})
    world.later(1)
    frontier.refetch(world.clock.now)
    (again,) = frontier.lease(1, pages=1)
    assert again.host == "a.test"
    assert not frontier.makes_way(again, None)


def test_a_host_whose_page_is_due_again_is_made_way_for(world: World) -> None:
    frontier = world.frontier(politeness=HURRIED)
    fill(frontier, ["b.test"], 1)
    other = only(frontier)
    retry_at = world.clock.now + timedelta(seconds=60)
    settle(frontier, ended(other.pages[0], Ended.RETRY, retry_at=retry_at))
    frontier.release({other.token: other.clock})
    fill(frontier, ["a.test"], 9)
    lease = only(frontier, pages=1)
    assert not frontier.makes_way(lease, None)
    world.later(61)
    assert frontier.makes_way(lease, None)


def test_a_lost_lease_makes_way(world: World) -> None:
    frontier = world.frontier(politeness=HURRIED)
    fill(frontier, ["a.test", "b.test"], 2)
    (lease,) = frontier.lease(1, pages=1)
    frontier.release({lease.token: lease.clock})
    assert frontier.makes_way(lease, None)


def test_ready_hosts_are_found_in_order_by_indexes(tmp_path: Path) -> None:
    by_age = f"SELECT * FROM hosts WHERE stage = {READY} AND queue = 3 ORDER BY next_at, id LIMIT 2"
    indexes = {
        FIRST_READY: "hosts_ready",
        FIRST_AGAIN: "hosts_ready",
        OLDEST_READY.replace("?", "9"): "hosts_by_age",
        OLDEST_AGAIN.replace("?", "9"): "hosts_by_age",
        by_age: "hosts_by_age",
    }
    with closing(SqliteStore(tmp_path / "frontier.db")) as store:
        for sql, index in indexes.items():
            plan = store.read(lambda txn, sql=sql: txn.rows(f"EXPLAIN QUERY PLAN {sql}"))  # type: ignore[misc] # bound
            steps = [row[-1] for row in plan if "hosts" in row[-1]]
            assert steps
            assert all(index in step for step in steps)
            assert "TEMP B-TREE" not in str(plan)
            assert "SCAN pages" not in str(plan)


class OverheardSqlite(SqliteStore):
    """A store whose statements can be looked at."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.statements: set[str] = set()
        self._database.trace_v2(
            apsw.SQLITE_TRACE_STMT, lambda event: self.statements.add(event["sql"])
        )

    def plan(self, sql: str) -> list[str]:
        """The steps of a statement, whatever its values."""
        plain = re.sub(r"\?\d*", "1", sql)
        return [row[-1] for row in self.read(lambda txn: txn.rows(f"EXPLAIN QUERY PLAN {plain}"))]


def test_no_statement_of_leasing_looks_at_all_hosts_or_pages(tmp_path: Path) -> None:
    with closing(OverheardSqlite(tmp_path / "frontier.db")) as store:
        frontier = SqlFrontier(store, "one", HURRIED, budget=Budget(pages=1))
        fill(frontier, ["a.test", "b.test", "c.test"], 9)
        for _ in range(9):
            (lease,) = frontier.lease(1, pages=1)
            frontier.makes_way(lease, lease.pages[0])
            more = frontier.more(lease, 1)
            settle(frontier, *map(ended, lease.pages))
            frontier.release({lease.token: lease.clock}, more)
        heard = [sql for sql in store.statements if re.search(r"\b(hosts|pages)\b", sql)]
        assert len(heard) > 20
        for sql in heard:
            steps = store.plan(sql)
            assert not any(re.match(r"SCAN (hosts|pages)\b", step) for step in steps), sql
