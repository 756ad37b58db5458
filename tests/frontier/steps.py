"""What the tests of the frontier do over and over, in words."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from gossamer.config import Politeness
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.protocol import (
    Assignment,
    Ended,
    Lease,
    NewUrl,
    Settled,
    Settlement,
)
from gossamer.frontier.schema import PAGE_STATES
from gossamer.frontier.store import Row
from gossamer.model import Url
from gossamer.politeness.clock import HostClock
from gossamer.politeness.delay import pace_for
from gossamer.politeness.outcome import Answered

from .worlds import World

HURRIED = Politeness(delay=timedelta(0))
TABLES = (
    "lent",
    "hosts",
    "pages",
    "claims",
    "outlinks",
    "sites",
    "site_links",
    "robots",
    "contexts",
    "expressions",
    "refusals",
)


def url(path: str, host: str = "a.test") -> Url:
    return Url(f"https://{host}/{path}")


def seeds(*urls: Url) -> list[NewUrl]:
    return [NewUrl(each, seed=True) for each in urls]


def links(*urls: Url) -> list[Url]:
    return list(urls)


def ended(page: Assignment, how: Ended = Ended.CONTENT, *to: Url, **rest: Any) -> Settlement:
    return Settlement(page=page, ended=how, links=to, **rest)


def fetched(clock: HostClock, at: datetime, politeness: Politeness | None = None) -> HostClock:
    """The clock after one request that took no time."""
    pace = pace_for("a.test", politeness or Politeness())
    started = clock.start(1, at, at, pace)
    return started.finish(1, at, timedelta(0), Answered(200), pace)


def handed(frontier: SqlFrontier, hosts: int = 100, pages: int = 100) -> list[Assignment]:
    """All that may be handed out now."""
    return [page for lease in frontier.lease(hosts, pages=pages) for page in lease.pages]


def only(frontier: SqlFrontier, pages: int = 100) -> Lease:
    """The one lease that can be had now."""
    (lease,) = frontier.lease(100, pages=pages)
    return lease


def settle(frontier: SqlFrontier, *settlements: Settlement) -> Settled:
    return frontier.settle(settlements, {})


def crawl(
    frontier: SqlFrontier, leads: dict[Url, list[Url]], *, rounds: int = 100
) -> list[Assignment]:
    """Fetch all there is, of hosts that need no rest; what was handed out, in order."""
    visited: list[Assignment] = []
    for _ in range(rounds):
        leases = frontier.lease(100)
        if not leases:
            return visited
        pages = [page for lease in leases for page in lease.pages]
        settle(frontier, *(ended(page, Ended.CONTENT, *leads.get(page.url, ())) for page in pages))
        frontier.release({lease.token: lease.clock for lease in leases})
        visited += pages
    raise AssertionError("there is no end to it")


def urls_of(pages: Iterable[Assignment]) -> list[Url]:
    return [page.url for page in pages]


def tables(world: World) -> dict[str, list[Row]]:
    """All rows there are, and all sums."""
    store = world.store()
    found = {
        name: store.read(lambda txn, name=name: txn.rows(f"SELECT * FROM {name} ORDER BY 1, 2"))  # type: ignore[misc] # a default binds the name
        for name in TABLES
    }
    sums = "SELECT name, sum(n) FROM tallies GROUP BY name HAVING sum(n) <> 0 ORDER BY name"
    found["tallies"] = store.read(lambda txn: txn.rows(sums))
    store.close()
    world.stores.remove(store)
    return found


def real_counts(world: World) -> dict[str, int]:
    """How many pages are in each state, counted one by one."""
    counted = dict.fromkeys((*PAGE_STATES, "known", *Ended), 0)
    store = world.store()
    rows = store.read(lambda txn: txn.rows("SELECT state, ended FROM pages"))
    store.close()
    world.stores.remove(store)
    for state, how in rows:
        counted["known"] += 1
        counted[PAGE_STATES[state]] += 1
        if how is not None:  # also of those that are to be fetched again
            counted[how] += 1
    return counted


def counted(frontier: SqlFrontier) -> dict[str, int]:
    """The same, as the frontier has it."""
    counts = frontier.counts()
    found = dict.fromkeys((*PAGE_STATES, "known", *Ended), 0)
    found.update(
        {
            "known": counts.known,
            "pending": counts.pending,
            "handed out": counts.handed,
            "waiting": counts.waiting,
            "aside": counts.aside,
            "beyond": counts.beyond,
            "settled": counts.known
            - (counts.pending + counts.handed + counts.waiting + counts.aside + counts.beyond),
        }
    )
    for how, count in counts.ended.items():
        found[how] += count
    return found
