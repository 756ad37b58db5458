"""The queue test, in virtual time: N URLs over many hosts in, N out, none twice, none too soon."""

import heapq
from collections import Counter
from datetime import datetime, timedelta
from itertools import count
from random import Random

import pytest

from gossamer.config import Politeness
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.protocol import Assignment, Lease, NewUrl
from gossamer.politeness.clock import HostClock
from gossamer.politeness.delay import pace_for
from gossamer.politeness.outcome import Answered

from .steps import ended, url
from .worlds import START, World

A_SECOND = 1_000  # requests
TICKS = 10  # a second: what is due within a tick is sent at its beginning
SLOW = {f"h{n}.test": timedelta(seconds=n) for n in (2, 3, 6, 7)}
POLITENESS = Politeness(delays=SLOW)
CLOSELY = timedelta(milliseconds=50)  # how much longer than needed a wait for a server may be


def sizes(urls: int) -> dict[str, int]:
    """Hosts and how many URLs they have: few have many, many have few, and the slow a handful."""
    hosts = max(urls // 50, min(urls // 3, 1_500))
    weights = [(n + 1) ** -0.4 for n in range(hosts)]
    whole = sum(weights)
    found = {f"h{n}.test": max(1, round(urls * w / whole)) for n, w in enumerate(weights)}
    return found | dict.fromkeys(SLOW, 20)


class Sender:
    """A node that sends as soon as it may, at most so many requests a second."""

    def __init__(self, world: World, frontier: SqlFrontier) -> None:
        self.world, self.frontier = world, frontier
        self.sent: Counter[str] = Counter()
        self.last: dict[str, datetime] = {}
        self.due: list[tuple[datetime, int, Lease, HostClock, list[Assignment]]] = []
        self.order = count()
        self.done: list[Assignment] = []
        self.free: dict[int, HostClock] = {}

    def tick(self) -> int:
        """Send what is due, lease hosts for the rest of the tick; how many requests that was."""
        left = self.send_due(A_SECOND // TICKS)
        self.tell()
        for lease in self.frontier.lease(left) if left else ():
            assert lease.pages
            self.hold(lease, lease.clock, list(lease.pages))
        return A_SECOND // TICKS - self.send_due(left)

    def send_due(self, most: int) -> int:
        while most and self.due and self.due[0][0] <= self.world.clock.now:
            _, _, lease, clock, pages = heapq.heappop(self.due)
            self.send(lease, clock, pages)
            most -= 1
        return most

    def hold(self, lease: Lease, clock: HostClock, pages: list[Assignment]) -> None:
        at = clock.ready_at(pace_for(lease.host, POLITENESS))
        heapq.heappush(self.due, (at, next(self.order), lease, clock, pages))

    def send(self, lease: Lease, clock: HostClock, pages: list[Assignment]) -> None:
        now, page, pace = self.world.clock.now, pages.pop(0), pace_for(lease.host, POLITENESS)
        assert now < lease.until
        if lease.host in self.last:
            assert now - self.last[lease.host] >= pace.configured.length
        self.last[lease.host] = now
        self.sent[page.url] += 1
        self.done.append(page)
        clock = clock.start(1, now, now, pace).finish(1, now, timedelta(0), Answered(200), pace)
        if pages:
            self.hold(lease, clock, pages)
        else:
            self.free[lease.token] = clock

    def tell(self) -> None:
        """Settle what was fetched, and give back hosts of which nothing is in hand."""
        told = self.frontier.settle([ended(page) for page in self.done], {})
        assert not told.stale
        assert not self.frontier.release(self.free)
        self.done, self.free = [], {}

    def rest(self) -> bool:
        """Wait for whatever is next; False where nothing is left."""
        moments = [self.due[0][0]] if self.due else []
        counts = self.frontier.counts()
        if counts.left and counts.next_at:
            moments.append(counts.next_at)
        if moments:
            self.world.clock.now = max(self.world.clock.now + CLOSELY, min(moments))
        return bool(moments)


@pytest.mark.timeout(3600)
def test_all_urls_come_out_once_and_no_host_is_asked_within_its_delay(
    world: World, full_size: bool
) -> None:
    sizes_of = {"sqlite": (6_000, 1_000_000), "postgres": (2_000, 4_000)}
    urls = sizes_of[world.engine][full_size]
    hosts = sizes(urls)
    pages = [url(str(n), host) for host, size in hosts.items() for n in range(size)]
    Random(1).shuffle(pages)
    frontier = world.frontier("one", POLITENESS)
    for start in range(0, len(pages), 10_000):
        frontier.add([NewUrl(each) for each in pages[start : start + 10_000]])
    sender = Sender(world, frontier)
    while True:
        sent = sender.tick()
        if sent:
            world.later(1 / TICKS)
        else:
            sender.tell()
            if not sender.rest():
                break
    assert len(sender.sent) == len(pages)
    assert set(sender.sent.values()) == {1}
    assert frontier.counts().left == 0
    # Waiting is right at the end, where few hosts are left. But whenever we sent less than we
    # might have, all hosts with something left were resting or being asked.
    longest = max(
        size * pace_for(host, POLITENESS).configured.seconds for host, size in hosts.items()
    )
    assert (world.clock.now - START).total_seconds() < 1.01 * (longest + len(pages) / A_SECOND)
