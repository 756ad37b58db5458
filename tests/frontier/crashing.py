"""Nodes that fetch a small web of their own and may be killed at any moment, and their diary.

What a node does it writes to a file first or afterwards, whichever proves more, one line at a
time, so that a killed node leaves a true record:
    round SEED      a node is connected, and goes on (again)
    added URL       the frontier has confirmed it
    sent HOST PAGE MOMENT    a request starts
    over HOST PAGE MOMENT    that request is over
    settled URL MOMENT       the frontier has confirmed it
    refused URL     the frontier refused to settle it
"""

import os
import random
import time
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from gossamer.config import Politeness
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.postgres import PostgresStore
from gossamer.frontier.protocol import Assignment, Ended, Lease, NewUrl, Settlement
from gossamer.frontier.sqlite import SqliteStore
from gossamer.frontier.store import Store
from gossamer.model import Url
from gossamer.moments import now_utc
from gossamer.politeness.clock import HostClock
from gossamer.politeness.delay import pace_for
from gossamer.politeness.outcome import Answered

LIMIT = timedelta(milliseconds=100)  # no request lasts longer
LEASE = timedelta(milliseconds=800)
LINKS = 6  # that a page leads to


class Place(NamedTuple):
    """Where a frontier lives, and how large the web is that it crawls."""

    diary: Path
    hosts: int
    pages: int  # of each host
    file: Path | None = None
    dsn: str = ""
    schema: str = ""
    delay: timedelta = timedelta(milliseconds=50)
    ahead: timedelta = timedelta(0)  # of the clocks of nodes here

    @property
    def politeness(self) -> Politeness:
        """How nodes here treat their hosts."""
        return Politeness(delay=self.delay)

    def now(self) -> datetime:
        """The time as nodes here have it."""
        return now_utc() + self.ahead

    def moment(self, here: datetime) -> float:
        """When that really is, in seconds."""
        return (here - self.ahead).timestamp()

    def store(self) -> Store:
        """The frontier's store."""
        if self.file is not None:
            return SqliteStore(self.file)
        return PostgresStore(self.dsn, schema=self.schema, now=self.now)

    def frontier(self, node: str) -> SqlFrontier:
        """A frontier as nodes have it."""
        return SqlFrontier(self.store(), node, self.politeness, lease_length=LEASE)

    def url(self, number: int) -> Url:
        """One of the pages there are."""
        host, page = number % self.hosts, number // self.hosts % self.pages
        return Url(f"https://h{host}.test/{page}")

    def links(self, url: Url) -> list[Url]:
        """Where a page leads: to the same places whoever asks."""
        numbers = random.Random(url)
        return [self.url(numbers.randrange(self.hosts * self.pages)) for _ in range(LINKS)]


class Diary:
    """A file to which many write whole lines."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)

    def note(self, *lines: str) -> None:
        """Write lines that nobody else's lines come between."""
        if lines:
            os.write(self._file, "".join(f"{line}\n" for line in lines).encode())


def live(place: Place, node: str, seed: int) -> None:
    """Crawl until killed."""
    chance, diary = random.Random(seed), Diary(place.diary)
    frontier = place.frontier(node)
    if place.file is not None:
        frontier.take_over()  # whoever had it is dead
    while True:
        diary.note(f"round {seed}")
        some = [place.url(chance.randrange(place.hosts * place.pages)) for _ in range(5)]
        frontier.add([NewUrl(url, depth=chance.randrange(9)) for url in some])
        diary.note(*(f"added {url}" for url in some))
        leases = frontier.lease(chance.randint(1, 4), pages=chance.randint(1, 3))
        visit(place, frontier, diary, leases)


def fetch_the_rest(place: Place, frontier: SqlFrontier, rounds: int) -> None:
    """Crawl until nothing is left."""
    diary = Diary(place.diary)
    for _ in range(rounds):
        visit(place, frontier, diary, frontier.lease(100, pages=3))
        if not frontier.counts().left:
            return
    raise AssertionError("there is no end to it")


def visit(place: Place, frontier: SqlFrontier, diary: Diary, leases: Sequence[Lease]) -> None:
    """Fetch the pages of leases in turn, give the hosts back, and settle."""
    clocks = {lease.token: lease.clock for lease in leases}
    fetched: list[Assignment] = []
    lost: set[int] = set()
    for place_in_line in range(max((len(lease.pages) for lease in leases), default=0)):
        for lease in leases:
            if lease.token in lost or place_in_line >= len(lease.pages):
                continue
            page = lease.pages[place_in_line]
            after = request(place, diary, lease, clocks[lease.token], page)
            if after is None:
                lost.add(lease.token)
            else:
                clocks[lease.token] = after
                fetched.append(page)
    if len(fetched) % 2:  # hosts need not wait for settling
        frontier.release(clocks)
        settle(place, frontier, diary, fetched, {})
    else:
        settle(place, frontier, diary, fetched, clocks)
        frontier.release(clocks)
    if not leases:
        time.sleep(0.005)


def request(
    place: Place, diary: Diary, lease: Lease, clock: HostClock, page: Assignment
) -> HostClock | None:
    """Send a request when its time has come; None where it might outlast the lease."""
    pace = pace_for(lease.host, place.politeness)
    while (wait := (clock.ready_at(pace) - place.now()).total_seconds()) > 0:
        time.sleep(wait)
    now = place.now()
    if now + LIMIT > lease.until:
        return None
    diary.note(f"sent {lease.host} {page.id} {place.moment(now)}")
    started = clock.start(page.id, now, now + LIMIT, pace)
    time.sleep(page.id % 3 * 0.006)
    over = place.now()
    diary.note(f"over {lease.host} {page.id} {place.moment(over)}")
    return started.finish(page.id, over, over - now, Answered(200), pace)


def settle(
    place: Place,
    frontier: SqlFrontier,
    diary: Diary,
    pages: Iterable[Assignment],
    clocks: dict[int, HostClock],
) -> None:
    """Settle pages and note what was confirmed."""
    settlements = [
        Settlement(
            page=page,
            ended=Ended.CONTENT,
            links=place.links(page.url),
        )
        for page in pages
    ]
    stale = frontier.settle(settlements, clocks).stale
    mine = [each.page.url for each in settlements if each.page not in stale]
    now = place.moment(place.now())
    diary.note(*(f"settled {url} {now}" for url in mine))
    diary.note(*(f"added {link}" for url in mine for link in place.links(url)))
    diary.note(*(f"refused {page.url}" for page in stale))


class Request(NamedTuple):
    """A request in the diary, in seconds; a killed node leaves no end."""

    page: int
    start: float
    end: float


def requests(diary: Path) -> Iterator[tuple[str, list[Request]]]:
    """All requests by host, in the order they started."""
    found: dict[str, list[Request]] = {}
    for what, host, *rest in map(str.split, diary.read_text().splitlines()):
        if what not in ("sent", "over"):
            continue
        page, moment = int(rest[0]), float(rest[1])
        of_host = found.setdefault(host, [])
        if what == "sent":
            of_host.append(Request(page, moment, moment))
        else:
            last = max(n for n, request in enumerate(of_host) if request.page == page)
            # Whatever the diary says, a request is cut off at its limit.
            end = min(moment, of_host[last].start + LIMIT.total_seconds())
            of_host[last] = of_host[last]._replace(end=end)
    for host, of_host in found.items():
        yield host, sorted(of_host, key=lambda request: request.start)


def said(diary: Path, what: str) -> list[str]:
    """What the diary's lines of one kind are about, in order."""
    lines = (line.split() for line in diary.read_text().splitlines())
    return [words[1] for words in lines if words[0] == what]
