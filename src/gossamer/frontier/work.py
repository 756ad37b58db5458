"""One transaction under way, and what is to be remembered in memory once it is through."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from gossamer.config import Budget, Politeness
from gossamer.frontier import sites
from gossamer.frontier.protocol import Limits
from gossamer.frontier.recent import Page, RecentUrls
from gossamer.frontier.schema import (
    BEYOND,
    FULL,
    IDLE,
    NEW_IN_HAND,
    PAGE_STATES,
    PENDING,
    RESTING,
    WITH_CONTENT,
)
from gossamer.frontier.store import Row, Transaction
from gossamer.model import Url
from gossamer.politeness.purse import Charge, Purse, cost_of
from gossamer.urls import host_of, site_of
from gossamer.urls.keys import UrlKeys

_MORE_URGENT = f"(:best >= 0 AND (hosts.stage = {IDLE} OR hosts.best < :best))"
MOST_HOSTS = 100_000  # names whose numbers are kept at hand


@dataclass(slots=True)
class Desk:
    """What one node's frontier knows by heart. Nothing here is needed after a crash."""

    node: str
    keys: UrlKeys
    politeness: Politeness
    budget: Budget
    limits: Limits
    lease_length: int  # microseconds
    recent: RecentUrls
    hosts: dict[str, int] = field(default_factory=dict)  # numbers by origin
    site_links: set[tuple[str, str]] = field(default_factory=set)  # counted before
    refused: dict[Url, str] = field(default_factory=dict)  # links noted, by which rule
    turn: int = 1  # of the budget's queues
    over: set[tuple[str, str]] = field(default_factory=set)  # sites and their limits that are told
    newly_over: list[tuple[str, str]] = field(default_factory=list)  # and those yet to be told
    next_hosts: tuple[str, ...] = ()  # that were ready too when hosts were last leased

    def absorb(self, work: "Work") -> None:
        """Take up what a transaction has made true."""
        for urls in work.learned:
            self.recent.learn(urls)
        if len(self.hosts) + len(work.fresh_hosts) > MOST_HOSTS:
            self.hosts.clear()
        self.hosts.update(work.fresh_hosts)
        if len(self.site_links) > MOST_HOSTS:
            self.site_links.clear()
        self.site_links |= work.site_links
        if len(self.refused) > MOST_HOSTS:
            self.refused.clear()
        self.refused.update(work.refused)
        for site, charge in work.charges.items():
            for each in sorted(charge.over):
                if (site, each) not in self.over:
                    self.newly_over.append((site, each))
                    self.over.add((site, each))


@dataclass(slots=True)
class Work:
    """A transaction, with the sums that are written at its end."""

    txn: Transaction
    desk: Desk
    tally: Counter[str] = field(default_factory=Counter)
    arrivals: dict[int, int] = field(
        default_factory=dict
    )  # hosts with a new page, and its priority
    hands: Counter[int] = field(default_factory=Counter)  # new pages handed out, or back, by host
    contents: Counter[int] = field(default_factory=Counter)  # pages with content, by host
    by_site: dict[str, tuple[int, int]] = field(default_factory=dict)  # both of them, by site
    fresh_hosts: dict[str, int] = field(default_factory=dict)
    site_links: set[tuple[str, str]] = field(default_factory=set)  # site, and who links to it
    refused: dict[Url, str] = field(default_factory=dict)  # links newly noted, by which rule
    learned: list[Mapping[int, Page]] = field(default_factory=list)
    purses: dict[str, Purse] = field(default_factory=dict)  # of sites that have us keep something
    charges: dict[str, Charge] = field(default_factory=dict)  # by site
    finders: dict[int, tuple[str, bool]] = field(
        default_factory=dict
    )  # hosts whose new URLs a site pays for, and whether they are its own

    @property
    def now(self) -> int:
        """The store's moment."""
        return self.txn.now

    def host_id(self, host: str) -> int:
        """The number of a host; one not met before gets one."""
        return self._numbered([host])[host]

    def ids_of_origins(self, origins: Iterable[str]) -> dict[str, int]:
        """The numbers of the hosts of origins; those not met before get one."""
        found: dict[str, int] = {}
        missing: list[str] = []
        known, fresh = self.desk.hosts, self.fresh_hosts
        for origin in set(origins):
            number = known.get(origin) or fresh.get(origin)
            if number is None:
                missing.append(origin)
            else:
                found[origin] = number
        if missing:
            hosts = {origin: host_of(Url(origin + "/")) for origin in missing}
            ids = self._numbered(sorted(set(hosts.values())))
            new = {origin: ids[host] for origin, host in hosts.items()}
            fresh.update(new)
            found.update(new)
        return found

    def _numbered(self, names: Sequence[str]) -> dict[str, int]:
        known = self.known_hosts(names)
        new = sorted(set(names) - set(known))
        if new:
            queues = sites.queues(self.txn, self.desk.budget, map(site_of, new))
            rows = [(name, site_of(name), queues.get(site_of(name), 0)) for name in new]
            self.txn.insert(
                "hosts", ("host", "site", "queue"), rows, "ON CONFLICT (host) DO NOTHING"
            )
            known.update(self.known_hosts(new))
        return known

    def known_hosts(self, names: Sequence[str]) -> dict[str, int]:
        """The numbers of those hosts that were met before."""
        rows = self.txn.any_of("SELECT host, id FROM hosts WHERE host {any}", "host", names)
        return dict(rows)

    def state_at(self, depth: int) -> int:
        """Whether a page of that depth is to be fetched."""
        deepest = self.desk.limits.depth
        return PENDING if deepest is None or depth <= deepest else BEYOND

    @property
    def state_by_depth(self) -> str:
        """The same for the pages of an UPDATE, in SQL."""
        deepest = self.desk.limits.depth
        if deepest is None:
            return str(PENDING)
        return f"CASE WHEN pages.depth <= {deepest} THEN {PENDING} ELSE {BEYOND} END"

    def charge(self, site: str) -> Charge:
        """What this transaction adds to the accounts of a site."""
        if (known := self.charges.get(site)) is None:
            known = self.charges[site] = Charge()
        return known

    def found_by(self, site: str, host_ids: Iterable[int], *, own: bool) -> None:
        """Have a site pay for what is new of hosts; first of all for its own."""
        for host_id in host_ids:
            if own or host_id not in self.finders:
                self.finders[host_id] = (site, own)

    def charge_new(self, host_id: int, count: int, url_bytes: int) -> None:
        """Charge new URLs of a host to whoever names them; seeds and the like to nobody."""
        if (found := self.finders.get(host_id)) is not None:
            site, own = found
            cost, charge = cost_of(url_bytes, count, own=own), self.charge(site)
            if own:
                charge.waiting += cost
            else:
                charge.elsewhere += cost

    def fetched(self, host: str, url: Url) -> None:
        """Take a URL off those of its site that wait to be fetched for the first time."""
        self.charge(site_of(host)).waiting -= cost_of(len(url), 1, own=True)

    def arrive(self, host_id: int, priority: int) -> None:
        """Note that a host has something to fetch."""
        if self.arrivals.get(host_id, -1) < priority:
            self.arrivals[host_id] = priority

    def in_hand(self, host_id: int, pages: int) -> None:
        """Count pages without content that went into somebody's hands, or out of them."""
        self.hands[host_id] += pages
        self.tally[NEW_IN_HAND] += pages

    def with_content(self, host_id: int, pages: int) -> None:
        """Count pages of a host that hold content now, or no longer do."""
        self.contents[host_id] += pages
        self.tally[WITH_CONTENT] += pages

    def moved(self, before: int, pages: Sequence[Row]) -> None:
        """Count pages that are now in another state: rows of host, priority and that state."""
        self.tally[PAGE_STATES[before]] -= len(pages)
        for host_id, priority, after in pages:
            self.tally[PAGE_STATES[after]] += 1
            if after == PENDING:
                self.arrive(host_id, priority)

    def open_hosts(self, host_ids: Iterable[int]) -> None:
        """Let hosts be looked at again, if they are full: they have pages that take no room."""
        full = f"UPDATE hosts SET stage = {RESTING} WHERE stage = {FULL} AND id {{any}}"
        self.txn.any_of(full, "id", sorted(set(host_ids)))

    def finish(self) -> None:
        """Write what is written once for the whole transaction."""
        self.write_hosts()
        sites.count(self.txn, self.desk.budget, self.by_site, self.site_links, self.charges)
        sums = [(self.desk.node, name, n) for name, n in sorted(self.tally.items()) if n]
        self.txn.insert(
            "tallies",
            ("node", "name", "n"),
            sums,
            "ON CONFLICT (node, name) DO UPDATE SET n = tallies.n + excluded.n",
        )

    def write_hosts(self) -> None:
        """Count what hosts have in hand and brought, and wake those that have something to fetch.

        Somebody may be about to put a host away who does not see its new pages yet: watched
        from here, it is either left alone or seen to be idle now.
        """
        self.txn.watch(sorted(self.arrivals))
        changed = self.txn.update(
            "hosts",
            ("id", "best", "next_at", "handed", "content"),
            [
                (each, self.arrivals.get(each, -1), self.now, self.hands[each], self.contents[each])
                for each in sorted({*self.arrivals, *self.hands, *self.contents})
            ],
            f"stage = CASE WHEN hosts.stage = {IDLE} AND :best >= 0 THEN {RESTING} "
            "ELSE hosts.stage END, "
            # It waits from now on: among the ready, those that wait longest are not forgotten.
            f"next_at = CASE WHEN hosts.stage = {IDLE} AND hosts.next_at < :next_at THEN :next_at "
            "ELSE hosts.next_at END, "
            f"best = CASE WHEN {_MORE_URGENT} THEN :best ELSE hosts.best END, "
            "handed = hosts.handed + :handed, content = hosts.content + :content",
            f"hosts.id = :id AND ({_MORE_URGENT} OR :handed <> 0 OR :content <> 0)",
            "hosts.site, hosts.id",
        )
        for site, host_id in changed:
            if self.hands[host_id] or self.contents[host_id]:
                handed, content = self.by_site.get(site, (0, 0))
                counted = handed + self.hands[host_id], content + self.contents[host_id]
                self.by_site[site] = counted
        for written in (self.arrivals, self.hands, self.contents):
            written.clear()
