"""One transaction of the frontier (`Work`), and what a node remembers once it is committed (`NodeMemory`)."""

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from gossamer.config import Budget, Politeness
from gossamer.frontier import sites
from gossamer.frontier.focusing import AT_ONCE, FocusMemory
from gossamer.frontier.looks import LookMemory
from gossamer.frontier.parameter_memory import LearnedRule, ParameterMemory
from gossamer.frontier.protocol import Ended, Limits
from gossamer.frontier.schema import (
    BEYOND,
    FULL,
    IDLE,
    NEW_IN_HAND,
    PAGE_STATES,
    PENDING,
    REPEATED,
    RESTING,
    WITH_CONTENT,
)
from gossamer.frontier.store import Row, Transaction
from gossamer.model import Url
from gossamer.politeness.budget import QUEUES, Charge, Purse, cost_of
from gossamer.politeness.ranking import PLAIN, Ranking
from gossamer.urls import host_of, site_of
from gossamer.urls.keys import UrlKeys

MOST: Final = 1 << 22  # slots: 50 MB
FEWEST: Final = 1 << 10
BY_AGE: Final = (
    8  # one host in so many of a queue is chosen by how long it waited, whatever its priority
)
RETRIES: Final = 8  # one batch in so many of a host's pages begins with one that failed before
LOOKS: Final = (
    2  # one batch in so many begins with one to be looked at again, where pages are kept fresh
)
DEEPEST: Final = (1 << 15) - 1  # of pages that are remembered; so that 32 bits hold what is known
PRIORITIES: Final = 1 << 16
NOT_URGENT: Final = -(1 << 15)  # less than the priority of any page
P = TypeVar("P", bound="Page")
Page = tuple[Any, int, int, Any, bool]
"""A URL, its depth, its priority, its hops, and whether it is a seed, which is always news."""
_ARRIVED: Final = f":best > {NOT_URGENT}"
_MORE_URGENT: Final = f"({_ARRIVED} AND (hosts.stage = {IDLE} OR hosts.best < :best))"
MOST_HOSTS = 100_000  # names whose numbers are kept at hand


class RecentUrls:
    """A bounded memory of pages seen of late, by key, in front of the store: most links lead to known ones.

    A page in it is known to the store as at least this near and at least so urgent. The table has one
    slot for each key, in which a newer page replaces an older one: twelve bytes a page, where a dictionary
    takes two hundred. It doubles as it fills. An entry then stands in both halves, one of which is its
    slot; the other is no key's, and is written over in time.
    """

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._hits = self._misses = 0
        self.clear()

    def figures(self) -> Mapping[str, int]:
        """How many links led to pages that are remembered or not, and about how many these are."""
        entries = min(self._learned, len(self._keys))
        return {"hits": self._hits, "misses": self._misses, "entries": entries}

    def news(self, keys: Iterable[int], pages: Iterable[P]) -> Iterator[tuple[int, P]]:
        """The pages that the store may not have yet, or not as near or as urgent."""
        known_keys, known, mask = self._keys, self._known, self._mask
        hits = misses = 0
        for key, page in zip(keys, pages, strict=True):
            place = key & mask
            if known_keys[place] == key:
                _, depth, priority, _, seed = page
                value = known[place] - 1  # less than nothing where it is nothing at all
                if (
                    0 <= value // PRIORITIES <= depth
                    and not seed
                    and value % PRIORITIES + NOT_URGENT >= priority
                ):
                    hits += 1
                    continue
            misses += 1
            yield key, page
        self._hits += hits
        self._misses += misses

    def learn(self, pages: Mapping[int, Page]) -> None:
        """Remember what was committed; before that it would be a lie."""
        if not self._most:
            return
        self._learned += len(pages)
        while 2 * self._learned > self._mask < self._most - 1:
            self._grow()
        keys, known, mask = self._keys, self._known, self._mask
        for key, (_, depth, priority, hops, _) in pages.items():
            # Where a redirect led may yet be linked to, and that is news.
            if depth <= DEEPEST and not hops:
                place = key & mask
                keys[place] = key
                # Above 0, which is nothing at all.
                known[place] = depth * PRIORITIES + priority - NOT_URGENT + 1

    def clear(self) -> None:
        """Know nothing any more: something was forgotten."""
        places = min(FEWEST, 1 << max(self._most - 1, 0).bit_length())
        self._keys = array("q", [0]) * places
        self._known = array("I", [0]) * places
        self._mask = places - 1
        self._learned = 0

    def _grow(self) -> None:
        self._keys *= 2
        self._known *= 2
        self._mask = len(self._keys) - 1


@dataclass(slots=True)
class NodeMemory:
    """What one node's frontier knows by heart. Nothing here is needed after a crash."""

    node: str
    keys: UrlKeys
    politeness: Politeness
    budget: Budget
    limits: Limits
    lease_length: int  # microseconds
    recent: RecentUrls
    ranking: Ranking = PLAIN
    looks: LookMemory | None = None  # where pages are kept fresh
    parameters: ParameterMemory | None = None  # where it is learned which of them change nothing
    focus: FocusMemory | None = None  # where something is wanted first
    hosts: dict[str, int] = field(default_factory=dict)  # numbers by origin
    site_links: set[tuple[str, str]] = field(default_factory=set)  # counted before
    refused: dict[Url, str] = field(default_factory=dict)  # links noted, by which rule
    turn: int = 1  # of the budget's queues
    leased: list[int] = field(default_factory=lambda: [0] * QUEUES)  # hosts so far, by queue
    over: set[tuple[str, str]] = field(default_factory=set)  # sites and their limits that are told
    newly_over: list[tuple[str, str]] = field(default_factory=list)  # and those yet to be told
    next_hosts: tuple[str, ...] = ()  # that were ready too when hosts were last leased
    batches: dict[int, int] = field(default_factory=dict)  # of pages handed out, by host

    @property
    def at_once(self) -> int:
        """How many pages of a host to hand out together."""
        return self.ranking.at_once if self.focus is None else min(self.ranking.at_once, AT_ONCE)

    def is_by_age(self, queue: int) -> bool:
        """Whether the next host of a queue is chosen by how long it waited."""
        return (self.leased[queue] + 1) % BY_AGE == 0

    def is_retrys_turn(self, host_id: int) -> bool:
        """Whether the next batch of a host, which is counted, begins with a page that failed before."""
        if len(self.batches) > MOST_HOSTS:
            self.batches.clear()
        self.batches[host_id] = count = self.batches.get(host_id, 0) + 1
        return count % RETRIES == 0

    def is_looks_turn(self, host_id: int) -> bool:
        """Whether the batch of a host that was counted last begins with a page to be looked at again."""
        return self.batches.get(host_id, 0) % LOOKS == 0

    def count_leased(self, queue: int, hosts: int) -> int:
        """Count hosts that are leased; how many of them are chosen by how long they waited."""
        before = self.leased[queue]
        self.leased[queue] += hosts
        self.turn += hosts
        return self.leased[queue] // BY_AGE - before // BY_AGE

    def rank_anew(self, url: Url, depth: int, seed: bool, key: int) -> int:
        """The rank of a URL by what the frontier keeps of it."""
        rank = self.ranking.rank_anew(url, depth, seed, key)
        return rank if seed or self.parameters is None else self.parameters.put_off(url, rank)

    def absorb(self, work: "Work") -> None:
        """Take up what a transaction has made true."""
        for urls in work.learned:
            self.recent.learn(urls)
        if work.learned_rules and self.parameters is not None:
            self.parameters.take(work.learned_rules)
            self.recent.clear()  # it knows pages as more urgent than they may be now
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
    memory: NodeMemory
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
    arms_found: dict[int, Counter[int]] = field(default_factory=dict)  # new links by arm, of pages
    purses: dict[str, Purse] = field(default_factory=dict)  # of sites that have us keep something
    charges: dict[str, Charge] = field(default_factory=dict)  # by site
    learned_rules: list[LearnedRule] = field(default_factory=list)
    finders: dict[int, tuple[str, bool]] = field(
        default_factory=dict
    )  # hosts whose new URLs a site pays for, and whether they are its own

    @property
    def now(self) -> int:
        """The store's moment."""
        return self.txn.now

    def host_id(self, host: str) -> int:
        """The number of a host; one not met before gets one."""
        return self._number([host])[host]

    def ids_of_origins(self, origins: Iterable[str]) -> dict[str, int]:
        """The numbers of the hosts of origins; those not met before get one."""
        found: dict[str, int] = {}
        missing: list[str] = []
        known, fresh = self.memory.hosts, self.fresh_hosts
        for origin in set(origins):
            number = known.get(origin) or fresh.get(origin)
            if number is None:
                missing.append(origin)
            else:
                found[origin] = number
        if missing:
            hosts = {origin: host_of(Url(origin + "/")) for origin in missing}
            ids = self._number(sorted(set(hosts.values())))
            new = {origin: ids[host] for origin, host in hosts.items()}
            fresh.update(new)
            found.update(new)
        return found

    def _number(self, names: Sequence[str]) -> dict[str, int]:
        known = self.known_hosts(names)
        new = sorted(set(names) - set(known))
        if new:
            queues = sites.queues(self.txn, self.memory.budget, map(site_of, new))
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
        deepest = self.memory.limits.depth
        return PENDING if deepest is None or depth <= deepest else BEYOND

    @property
    def state_by_depth(self) -> str:
        """The state of a page by its depth, in SQL, for the pages of an UPDATE.

        A limit on depth is for pages that are new: one that was asked for before is asked for again.
        """
        deepest = self.memory.limits.depth
        if deepest is None:
            return str(PENDING)
        # Where nothing has come of a page yet, `ended` is NULL and the comparison is not true.
        asked_before = f"pages.ended <> '{Ended.REFUSED}' OR pages.digest IS NOT NULL"
        within = f"pages.depth <= {deepest} OR {asked_before}"
        return f"CASE WHEN {within} THEN {PENDING} ELSE {BEYOND} END"

    def charge(self, site: str) -> Charge:
        """What this transaction adds to the accounts of a site."""
        if (known := self.charges.get(site)) is None:
            known = self.charges[site] = Charge()
        return known

    def charge_to(self, site: str, host_ids: Iterable[int], *, own: bool) -> None:
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

    def repeat(self, site: str, pages: int) -> None:
        """Count pages of a site that say what another page says, or no longer do."""
        self.charge(site).repeated += pages
        self.tally[REPEATED] += pages

    def uncharge(self, host: str, url: Url) -> None:
        """Take a URL off those of its site that wait to be fetched for the first time."""
        self.charge(site_of(host)).waiting -= cost_of(len(url), 1, own=True)

    def arrive(self, host_id: int, priority: int) -> None:
        """Note that a host has something to fetch."""
        if self.arrivals.get(host_id, NOT_URGENT) < priority:
            self.arrivals[host_id] = priority

    def in_hand(self, host_id: int, pages: int) -> None:
        """Count pages without content that went into somebody's hands, or out of them."""
        self.hands[host_id] += pages
        self.tally[NEW_IN_HAND] += pages

    def with_content(self, host_id: int, pages: int) -> None:
        """Count pages of a host that hold content now, or no longer do."""
        self.contents[host_id] += pages
        self.tally[WITH_CONTENT] += pages

    def count_moved(self, before: int, pages: Sequence[Row]) -> None:
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

    def set_stages(self, stages: Sequence[tuple[int, int, int]]) -> None:
        """Set stage and next moment of hosts."""
        if stages:
            self.txn.update(
                "hosts",
                ("id", "stage", "next_at"),
                stages,
                "stage = :stage, next_at = :next_at",
                "hosts.id = :id",
            )

    def finish(self) -> None:
        """Write what is written once for the whole transaction."""
        self.write_hosts()
        sites.count(self.txn, self.memory.budget, self.by_site, self.site_links, self.charges)
        sums = [(self.memory.node, name, n) for name, n in sorted(self.tally.items()) if n]
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
                (
                    *(each, self.arrivals.get(each, NOT_URGENT), self.now),
                    *(self.hands[each], self.contents[each]),
                )
                for each in sorted({*self.arrivals, *self.hands, *self.contents})
            ],
            f"stage = CASE WHEN hosts.stage = {IDLE} AND {_ARRIVED} THEN {RESTING} "
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
