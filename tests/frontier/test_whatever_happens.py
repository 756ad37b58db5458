"""Anything, in any order, by two nodes: nothing is lost, nothing is done twice, no host too soon."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from gossamer.config import Politeness
from gossamer.frontier.frontier import LEASE
from gossamer.frontier.protocol import Assignment, Ended, Lease, Limits, NewUrl
from gossamer.frontier.schema import HANDED, HOLDS_CONTENT, NEW_IN_HAND, SETTLED, WITH_CONTENT
from gossamer.frontier.store import Row
from gossamer.model import Url
from gossamer.politeness.clock import HostClock
from gossamer.politeness.delay import pace_for
from gossamer.politeness.ledger import Wait
from gossamer.politeness.outcome import Answered
from gossamer.urls import host_of

from .steps import counted, ended, real_counts, url
from .worlds import NewWorld, World

POLITENESS = Politeness(delays={"b.test": timedelta(seconds=6), "c.test": timedelta(0)})
HOSTS = ("a.test", "b.test", "c.test")
URLS = [url(str(n), host) for n in range(4) for host in HOSTS]
NODES = ("one", "two")
MOMENT = timedelta(seconds=1)  # more than a node's time may differ from the server's


@dataclass
class Held:
    """A lease as its node sees it, with what it has not sent yet."""

    node: str
    lease: Lease
    clock: HostClock
    until: datetime
    unsent: list[Assignment] = field(default_factory=list)
    released: bool = False


class Anything(RuleBasedStateMachine):
    """A simple model beside the real thing."""

    def __init__(self, world: World) -> None:
        super().__init__()
        self.world = world
        self.nodes = {name: world.frontier(name, POLITENESS) for name in NODES}
        self.must_know: set[Url] = set()
        self.may_know: set[Url] = set()
        self.settled: set[Url] = set()  # for good
        self.claims: dict[int, datetime] = {}  # by token, when they lapse
        self.in_hand: dict[Url, Assignment] = {}  # by whom it was taken last
        self.held: list[Held] = []
        self.last_sent: dict[str, datetime] = {}
        self.parked: dict[str, datetime] = {}
        self.deepest: int | None = None
        self.asked_before: set[Url] = set()  # and so no matter for a limit on depth

    # The model

    @property
    def now(self) -> datetime:
        return self.world.clock.now

    def alive(self, token: int) -> bool:
        return self.claims.get(token, self.now - MOMENT) >= self.now

    def rows(self, sql: str) -> list[Row]:
        return self.world.stores[0].read(lambda txn: txn.rows(sql))

    def take(self, held: Held, pages: tuple[Assignment, ...]) -> None:
        for page in pages:
            assert page.url in self.may_know
            assert page.url not in self.settled, "what is settled is not handed out again"
            before = self.in_hand.get(page.url)
            assert before is None or not self.alive(before.token), "one hand at a time"
            too_deep = self.deepest is not None and page.depth > self.deepest
            assert not too_deep or page.url in self.asked_before
            self.in_hand[page.url] = page
        if pages:
            self.claims.setdefault(held.lease.token, self.now + LEASE)
        held.unsent += pages

    def send(self, held: Held) -> None:
        """One request, if lease and clock allow it."""
        pace = pace_for(held.lease.host, POLITENESS)
        if held.released or self.now >= held.until or not held.clock.allows(self.now, pace):
            return
        last = self.last_sent.get(held.lease.host)
        assert last is None or self.now - last >= pace.configured.length
        self.last_sent[held.lease.host] = self.now
        started = held.clock.start(1, self.now, self.now, pace)
        held.clock = started.finish(1, self.now, timedelta(0), Answered(200), pace)

    # What can happen

    @initialize()
    def begin(self) -> None:
        self.add("one", URLS[:6], 0, 0)

    @rule(
        node=st.sampled_from(NODES),
        urls=st.lists(st.sampled_from(URLS), min_size=1, max_size=4),
        depth=st.integers(0, 3),
        priority=st.integers(0, 2),
    )
    def add(self, node: str, urls: list[Url], depth: int, priority: int) -> None:
        fresh = {NewUrl(each, depth, priority) for each in urls}
        new = self.nodes[node].add(list(fresh))
        assert len(set(urls) - self.may_know) <= new <= len(set(urls) - self.must_know)
        self.must_know |= set(urls)
        self.may_know |= set(urls)

    @rule(node=st.sampled_from(NODES), hosts=st.integers(1, 3), pages=st.integers(1, 3))
    def lease(self, node: str, hosts: int, pages: int) -> None:
        leases = self.nodes[node].lease(hosts, pages=pages)
        assert len(leases) <= hosts
        for lease in leases:
            others = [each for each in self.held if each.lease.host == lease.host]
            assert all(each.released or each.until < self.now for each in others)
            assert self.parked.get(lease.host, self.now) <= self.now
            assert 1 <= len(lease.pages) <= pages
            held = Held(node, lease, lease.clock, lease.until)
            self.held.append(held)
            self.take(held, lease.pages)
            self.send(held)

    @rule(node=st.sampled_from(NODES), host=st.sampled_from(HOSTS))
    def reserve(self, node: str, host: str) -> None:
        lease = self.nodes[node].reserve(host)
        if isinstance(lease, Wait):
            return
        others = [each for each in self.held if each.lease.host == host]
        assert all(each.released or each.until < self.now for each in others)
        held = Held(node, lease, lease.clock, lease.until)
        self.held.append(held)
        self.send(held)

    @rule(host=st.sampled_from(HOSTS), seconds=st.sampled_from([5, 400]))
    def park(self, host: str, seconds: float) -> None:
        until = self.now + timedelta(seconds=seconds)
        self.nodes["two"].park(host, until, "asked us to")
        self.parked[host] = max(until, self.parked.get(host, until))

    @precondition(lambda self: self.held)
    @rule(data=st.data(), pages=st.integers(1, 3))
    def more(self, data: st.DataObject, pages: int) -> None:
        held = data.draw(st.sampled_from(self.held))
        further = self.nodes[held.node].more(held.lease, pages)
        assert not further or not held.released
        self.take(held, further)
        self.send(held)

    @precondition(lambda self: self.held)
    @rule(data=st.data())
    def renew(self, data: st.DataObject) -> None:
        held = data.draw(st.sampled_from(self.held))
        token = held.lease.token
        renewed = self.nodes[held.node].renew([token]).get(token)
        if renewed is None:
            assert not self.alive(token)
        elif not held.released:
            held.until = renewed.until
        if self.alive(token):
            self.claims[token] = self.now + LEASE

    @precondition(lambda self: self.held)
    @rule(data=st.data(), unused=st.booleans())
    def release(self, data: st.DataObject, unused: bool) -> None:
        held = data.draw(st.sampled_from(self.held))
        if not unused:
            self.send(held)
        lost = self.nodes[held.node].release({held.lease.token: held.clock})
        assert lost or not held.released
        held.released = True

    @precondition(lambda self: self.in_hand)
    @rule(
        data=st.data(),
        how=st.sampled_from(Ended),
        links=st.lists(st.sampled_from(URLS), max_size=3),
        outside=st.booleans(),
        keep=st.booleans(),
    )
    def settle(
        self, data: st.DataObject, how: Ended, links: list[Url], outside: bool, keep: bool
    ) -> None:
        page = data.draw(st.sampled_from(sorted(self.in_hand.values())))
        depth = getattr(self.nodes["one"].page(page.url), "depth", 0)
        keep = keep and page.digest is not None  # what it brought before, and where it led
        links = [] if keep else links
        told = ended(page, how, *links, outside=ended(page, how, *links).links if outside else ())
        told = told._replace(digest=b"1" if how is Ended.CONTENT else None, keep_content=keep)
        result = self.nodes[data.draw(st.sampled_from(NODES))].settle([told], {})
        if not self.alive(page.token):
            assert result.stale == (page,)
            assert result.new == 0
            return
        assert not result.stale
        del self.in_hand[page.url]
        if how in (Ended.RETRY, Ended.ASIDE):
            return
        self.settled.add(page.url)
        if how is not Ended.REFUSED:
            self.asked_before.add(page.url)
        self.may_know |= set(links)
        if self.deepest is None or depth + (how is not Ended.REDIRECTED) <= self.deepest:
            self.must_know |= set(links)

    @rule(seconds=st.sampled_from([0.01, 0.5, 1.1, 6.1, 60, 121, 300]))
    def wait(self, seconds: float) -> None:
        self.world.later(seconds)

    @rule(address=st.sampled_from(URLS), whole=st.booleans())
    def forget(self, address: Url, whole: bool) -> None:
        host = host_of(address)
        gone = {each for each in URLS if host_of(each) == host} if whole else {address}
        forgotten = (
            self.nodes["one"].forget(host=host) if whole else self.nodes["one"].forget(url=address)
        )
        assert {each.url for each in forgotten} <= gone & self.may_know
        assert {each.url for each in forgotten} >= gone & self.must_know
        self.nodes["two"]._memory.recent.clear()  # as its process would hear of it
        for known in (self.must_know, self.settled, self.asked_before):
            known -= gone
        # They may come back by links that were kept, as outside or beyond.
        for page in [page for page in self.in_hand.values() if page.url in gone]:
            assert self.nodes["one"].settle([ended(page)], {}).stale == (page,)
            del self.in_hand[page.url]

    @rule(within_depth=st.booleans())
    def again(self, within_depth: bool) -> None:
        within = "TRUE" if self.deepest is None else f"depth <= {self.deepest}"
        asked_before = f"ended <> '{Ended.REFUSED}' OR digest IS NOT NULL"
        which = within if within_depth else f"{within} OR {asked_before}"
        rows = self.rows(f"SELECT url, {which}, {within} FROM pages WHERE state = {SETTLED}")
        assert len(rows) == len(self.settled)
        count = self.nodes["one"].refetch(self.now + MOMENT, within_depth=within_depth)
        assert count == sum(bool(row[1]) for row in rows)
        self.settled = {row[0] for row in rows if within_depth and not row[2]}

    @rule(deepest=st.none() | st.integers(0, 3), pages=st.none() | st.integers(0, 9))
    def limit(self, deepest: int | None, pages: int | None) -> None:
        self.deepest = deepest
        for frontier in self.nodes.values():
            frontier.set_limits(Limits(depth=deepest, pages=pages, per_host=pages and pages // 2))

    @rule()
    def reconsider(self) -> None:
        self.nodes["one"].readmit(lambda _: True)

    @rule()
    def take_over(self) -> None:
        self.nodes["one"].take_over()
        self.claims.clear()
        self.held.clear()  # those who had them are dead

    # What is always so

    @invariant()
    def counts_are_the_real_numbers(self) -> None:
        assert counted(self.nodes["one"]) == real_counts(self.world)

    @invariant()
    def sums_of_hosts_and_sites_are_the_real_numbers(self) -> None:
        new = f"state = {HANDED} AND NOT {HOLDS_CONTENT}"
        real = f"""SELECT {{of}}, count(CASE WHEN {new} THEN 1 END) AS handed,
                count(CASE WHEN {HOLDS_CONTENT} THEN 1 END) AS content
            FROM pages JOIN hosts ON hosts.id = host_id GROUP BY {{of}}"""
        for table, of in (("hosts", "host"), ("sites", "site")):
            sums = f"SELECT {of}, handed, content FROM {table} WHERE handed <> 0 OR content <> 0"
            counted = f"SELECT * FROM ({real.format(of=of)}) AS counted WHERE handed + content > 0"
            assert sorted(self.rows(sums)) == sorted(self.rows(counted))

    @invariant()
    def what_counts_for_the_limit_on_pages_is_the_real_number(self) -> None:
        new = f"state = {HANDED} AND NOT {HOLDS_CONTENT}"
        for name, which in ((WITH_CONTENT, HOLDS_CONTENT), (NEW_IN_HAND, new)):
            sums = f"SELECT coalesce(sum(n), 0) FROM tallies WHERE name = '{name}'"
            assert self.rows(sums) == self.rows(f"SELECT count(*) FROM pages WHERE {which}")

    @invariant()
    def what_was_added_is_known(self) -> None:
        known = {row[0] for row in self.rows("SELECT url FROM pages")}
        assert self.must_know <= known <= self.may_know

    def teardown(self) -> None:
        """In the end all that is known can be fetched, each page once."""
        self.limit(None, None)
        self.reconsider()
        for _ in range(60):
            self.wait(130)
            for lease in self.nodes["two"].lease(9, pages=9):
                held = Held("two", lease, lease.clock, lease.until)
                self.take(held, lease.pages)
                assert not self.nodes["two"].settle([*map(ended, lease.pages)], {}).stale
                self.settled |= {page.url for page in lease.pages}
                self.nodes["two"].release({lease.token: lease.clock})
        assert self.nodes["one"].counts().left == 0
        assert self.must_know <= self.settled
        self.world.close()


def test_nothing_is_lost_or_done_twice_whatever_happens(
    new_world: NewWorld, full_size: bool
) -> None:
    examples, steps = {"sqlite": (25, 40), "postgres": (6, 30)}[new_world().engine]

    class Here(Anything):
        def __init__(self) -> None:
            super().__init__(new_world())

    run_state_machine_as_test(
        Here,
        settings=settings(
            max_examples=examples * (20 if full_size else 1),
            stateful_step_count=steps,
            suppress_health_check=list(HealthCheck),
            report_multiple_bugs=False,
        ),
    )
