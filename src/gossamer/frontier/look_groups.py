"""Sums of what looks have shown, by host and by URL template, and of all pages that a node has settled.

They are read before pages are settled and written after, in the same transaction; whoever has the row of a host has
those of its templates too. A host has a bounded number of templates.
"""

from collections.abc import Iterable
from hashlib import blake2b
from typing import Final

from gossamer.freshness.bins import has_looks
from gossamer.freshness.sums import LookSums
from gossamer.freshness.templates import MOST, coarser, template
from gossamer.frontier.looks import (
    DAY,
    KNOWN_PAGES,
    NextLook,
    PageGroups,
    PageLook,
    SiteClaim,
    VisitedPage,
    count_look,
    weight_of,
)
from gossamer.frontier.protocol import Settlement
from gossamer.frontier.rows import SECOND, microseconds
from gossamer.frontier.store import Transaction
from gossamer.frontier.work import Work
from gossamer.model import Url
from gossamer.politeness.clock import HostClock
from gossamer.politeness.delay import longest, pace_for

_HOSTS_AT_ONCE: Final = 500
_NO_HOST: Final = 0  # a node's own row belongs to none


class LookGroups:
    """The groups of some pages, for as long as a transaction lasts."""

    def __init__(self, work: Work, host_ids: Iterable[int]) -> None:
        self._work = work
        self._node = _key(f"node {work.memory.node}")
        self._hosts = {host_id: _key(str(host_id)) for host_id in sorted(set(host_ids))}
        self._of_host = {key: host_id for host_id, key in self._hosts.items()}
        self._of_host[self._node] = _NO_HOST
        self._sums: dict[int, LookSums] = {}
        self._changed: set[int] = set()
        self._load(self._of_host)

    def of_host(self, host_id: int) -> LookSums:
        """The sums of a host."""
        return self._sums[self._hosts[host_id]]

    def of_page(self, host_id: int, url: Url, *, looked: bool) -> PageGroups:
        """The groups of a page: its template where the host's pages, or the page itself, were looked at again."""
        host = self._sums[self._hosts[host_id]]
        if not looked and host.rates.pages < KNOWN_PAGES:
            return PageGroups(host)
        return PageGroups(host, self._sums[self._template(host_id, host, url)])

    def move(self, host_id: int, url: Url, before: PageLook, after: PageLook | None) -> None:
        """Count a page as it is now in all its groups, instead of as it was."""
        host = self._hosts[host_id]
        keys = [self._node, host]
        if any(each is not None and has_looks(each.bin) for each in (before, after)):
            keys.append(self._template(host_id, self._sums[host], url))
        for sign, look in ((-1, before), (1, after)):
            if look is not None and look.is_counted:
                for key in keys:
                    self._sums[key].add(sign, look.bin, look.asked, look.fresh)
                    self._changed.add(key)

    def note(self, host_id: int, settled: Settlement, page: VisitedPage, now: int) -> None:
        """Count what a look at a page has found."""
        if settled.changed is None or not page.seen_at or not page.look.rate:
            return
        days = (now - page.seen_at) / DAY
        for key in (self._node, self._hosts[host_id]):
            sums = self._sums[key]
            sums.note(now / DAY, days, page.look.rate, changed=settled.changed)
            if page.look.claim == SiteClaim.CHANGED:
                sums.announced += 1
                sums.announced_changes += settled.changed
            if page.look.claim != SiteClaim.NONE:
                sums.listed_changes += settled.changed
            self._changed.add(key)

    def save(self) -> None:
        """Write the sums that have changed."""
        rows = [(key, self._of_host[key], self._sums[key].pack()) for key in sorted(self._changed)]
        if rows:
            self._work.txn.update(
                "look_groups",
                ("key", "host_id", "sums"),
                rows,
                "sums = :sums",
                "look_groups.key = :key",
            )
        self._changed.clear()

    def _template(self, host_id: int, host: LookSums, url: Url) -> int:
        """The key of a page's template, which is loaded; a host that has many has wider ones from then on."""
        form = template(url)
        for wider, most in ((form, MOST), (coarser(form), 2 * MOST), ("", None)):
            key = _key(f"{host_id} {wider}")
            if key in self._sums:
                return key
            self._of_host[key] = host_id
            is_full = most is not None and host.templates >= most
            found = self._read([key])
            if not found and not is_full:
                self._make([key])
                host.templates += 1
                self._changed.add(self._hosts[host_id])
            if found or not is_full:
                self._sums[key] = LookSums.unpack(found.get(key))
                return key
        raise AssertionError("the widest template has room")

    def _load(self, keys: Iterable[int]) -> None:
        """Read sums; nobody else has these rows until we are done, whether they were there or not."""
        wanted = sorted(keys)
        found = self._read(wanted)
        if missing := [key for key in wanted if key not in found]:
            self._make(missing)
            found |= self._read(missing)
        for key in wanted:
            self._sums[key] = LookSums.unpack(found.get(key))

    def _make(self, keys: Iterable[int]) -> None:
        rows = [(key, self._of_host[key], b"") for key in keys]
        columns = ("key", "host_id", "sums")
        self._work.txn.insert("look_groups", columns, rows, "ON CONFLICT (key) DO NOTHING")

    def _read(self, keys: list[int]) -> dict[int, bytes]:
        sql = "SELECT key, sums FROM look_groups WHERE key {any} ORDER BY key {lock}"
        return dict(self._work.txn.any_of(sql, "key", keys))


def _key(name: str) -> int:
    return int.from_bytes(blake2b(name.encode(), digest_size=8).digest(), signed=True)


def all_looks(txn: Transaction) -> LookSums:
    """The sums of all pages, of all nodes."""
    rows = txn.rows(f"SELECT sums FROM look_groups WHERE host_id = {_NO_HOST} ORDER BY key")
    total = LookSums()
    for (packed,) in rows:
        total.merge(LookSums.unpack(bytes(packed)))
    return total


def host_looks(
    txn: Transaction, *, after: str, limit: int, host: str | None
) -> list[tuple[str, LookSums]]:
    """The sums of hosts with pages that are kept fresh, by name, from the one after `after`."""
    found: list[tuple[str, LookSums]] = []
    while len(found) < limit:
        which, value = ("host = ?", host) if host is not None else ("host > ?", after)
        rows = txn.rows(
            f"SELECT host, id FROM hosts WHERE {which} ORDER BY host LIMIT {_HOSTS_AT_ONCE}", value
        )
        keys = {_key(str(host_id)): name for name, host_id in rows}
        sql = "SELECT key, sums FROM look_groups WHERE key {any}"
        packed: dict[int, bytes] = dict(txn.any_of(sql, "key", sorted(keys)))
        for key, name in keys.items():
            sums = LookSums.unpack(bytes(packed[key])) if key in packed else LookSums()
            if sums.pages > 0:
                found.append((name, sums))
        if host is not None or len(rows) < _HOSTS_AT_ONCE:
            break
        after = rows[-1][0]
    return found[:limit]


def plan_page(
    work: Work,
    groups: LookGroups,
    settled: Settlement,
    page: VisitedPage,
    host_id: int,
    clock: HostClock | None,
) -> NextLook:
    """The next look at a page that is settled, which is counted as it is from now on."""
    looks = work.memory.looks
    assert looks is not None
    url = settled.page.url
    groups.note(host_id, settled, page, work.now)
    looked = settled.changed is not None or bool(page.look.evidence)
    known = groups.of_page(host_id, url, looked=looked)
    if looked:
        known = known._replace(possible=_possible(work, settled.page.host, clock))
    found = looks.after_visit(page, settled, work.now, known)
    groups.move(host_id, url, page.look, found.look)
    count_look(work.tally, page.look, found.look)
    return found


def _possible(work: Work, host: str, clock: HostClock | None) -> float:
    """How many looks a day a host has time for."""
    configured = pace_for(host, work.memory.politeness).configured
    delay = longest(configured, clock.crawl_delay if clock else None).length
    return DAY / max(microseconds(delay), SECOND // 1000)


def weight(work: Work, priority: int, url: Url) -> float:
    """How much a page counts."""
    ranking = work.memory.ranking
    return weight_of(priority, ranking.weight(url), ranking.strategy)
