"""Sitemaps of the hosts that are crawled: read once a day, through the host's clock.

What a host lists is one link away from the nearest page of it that is asked for.
"""

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Final, NamedTuple

from gossamer.config import MIB, Config
from gossamer.crawl.admission import Admission
from gossamer.crawl.backlog import Backlog
from gossamer.crawl.run_limits import RunLimits
from gossamer.crawl.side_requests import count_request, fetch_sitemap
from gossamer.crawl.sitemap_record import FACT, READ_AGAIN, NotYet, SitemapRecord
from gossamer.events import SitemapsFailed
from gossamer.frontier.announcements import Announcement
from gossamer.frontier.facts import FactStore
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.protocol import Ended, NewUrl, RefusedLink
from gossamer.frontier.thread import FrontierThread
from gossamer.model import Fetched, Refusal, Url
from gossamer.politeness.budget import used_up
from gossamer.politeness.ledger import Wait
from gossamer.politeness.priority import UrlFacts
from gossamer.politeness.robots.record import Rules
from gossamer.reading.jobs import ListedPage, Listing, SitemapJob, Unlisted
from gossamer.reading.page_pool import TransformPool
from gossamer.sending.client import PoliteClient
from gossamer.sitemaps import PlannedSitemap, SitemapLink, SitemapPlan
from gossamer.urls import host_of, origin_of, site_of

LOOK_AGAIN: Final = timedelta(minutes=1)  # at the least, while pages are visited
AT_ONCE: Final = 5_000  # entries added in one go
AT_THE_END: Final = timedelta(seconds=3)  # that others wait for a host when all else is done
MOST_HOSTS: Final = 1_000  # whose sitemaps are on their way at once
# Of sitemaps, from when they come until what they list is added. Whoever waits for a slow host counts
# as well, as large as they are of late, and many hosts are slow.
ROOM_BYTES: Final = 64 * MIB
MOST_ORIGINS: Final = 10_000  # of which we know by heart that they were read
ALONE: Final = "left alone for a day"


def forget_sitemaps(facts: FactStore, host: str) -> None:
    """Have the sitemaps of a host's origins read again, whenever that was last done."""
    for name in facts.named(FACT):
        if host_of(Url(_origin(name) + "/")) == host:
            facts.drop(name)


class _Taken(NamedTuple):
    """What a sitemap has brought."""

    new: int = 0  # entries
    links: tuple[SitemapLink, ...] = ()
    unread: str | None = None  # why nothing of it could be read, nor ever will be


class _Left(NamedTuple):
    """What came of an origin's sitemaps, and what is left of them."""

    new: int  # entries
    record: SitemapRecord
    at_once: bool = False  # the next page may go on with it


@dataclass(slots=True)
class SitemapReader:
    """Reads the sitemaps of origins, one origin at a time for each host."""

    config: Config
    frontier: SqlFrontier
    frontier_thread: FrontierThread
    client: PoliteClient
    pool: TransformPool
    admission: Admission
    now: Callable[[], datetime]
    limits: RunLimits
    heard: Callable[[Url, Sequence[Url]], Awaitable[None]] | None = None  # of what sitemaps list
    room: Backlog = field(default_factory=lambda: Backlog(MOST_HOSTS, ROOM_BYTES))
    _read: OrderedDict[str, SitemapRecord] = field(default_factory=OrderedDict)  # the latest last
    _owing: dict[str, SitemapRecord] = field(default_factory=dict)  # origins, where it is of use …
    _bounds: tuple[str, int | None] | None = None  # … within these; None: nobody has looked yet

    async def catch_up(self) -> bool:
        """Read what could not be read so far, or is nearer now than it was; whether there is any.

        To be called when nothing is under way. What is nearer has what it lists come nearer too;
        without a limit on depth nothing depends on that.
        """
        if not self._are_used:
            return False
        now, wanted = self.now(), await self._wanted()
        due = {origin: each.depth for origin, each in wanted.items() if each.again_at <= now}
        if self.config.crawl.depth is not None:
            due |= await self.frontier_thread.do(self._nearer)
        for origin, depth in due.items():
            if self._is_halted:
                break
            self._read.pop(origin, None)
            await self.read(Url(f"{origin}/"), depth, at_the_end=True)
        soon = now + self.config.politeness.patience
        return bool(due) or any(each.again_at <= soon for each in wanted.values())

    @property
    def _is_halted(self) -> bool:
        """Whether nobody is to be asked any more, for now; limits are looked at on the way."""
        return self.limits.is_halted or self.limits.limit_reached() is not None

    @property
    def _are_used(self) -> bool:
        """Whether sitemaps are used: not where a query names the links to follow."""
        return self.config.sitemaps.use and self.config.crawl.follow_query is None

    def _lead_further(self, depth: int) -> bool:
        """Whether what is one link away from a page at this depth can belong to the crawl."""
        limit = self.config.crawl.depth
        return self.config.scope.kind != "page" and (limit is None or depth < limit)

    async def _enough_is_known(self) -> bool:
        limit = self.config.crawl.max_pages
        if limit is None:
            return False
        counts = await self.frontier_thread.do(self.frontier.counts)
        return counts.ended.get(Ended.CONTENT, 0) + counts.left >= limit

    async def _wanted(self) -> dict[str, SitemapRecord]:
        """The origins that owe us sitemaps which would be of use."""
        bounds = self.config.scope.kind, self.config.crawl.depth
        if bounds != self._bounds:
            facts = await self.frontier_thread.do(self.frontier.facts.named, FACT)
            self._bounds, self._owing = bounds, {}
            for name, fact in facts.items():
                self._note_debt(_origin(name), SitemapRecord.parse(fact))
        return {} if self._owing and await self._enough_is_known() else dict(self._owing)

    def _note_debt(self, origin: str, record: SitemapRecord) -> None:
        self._owing.pop(origin, None)
        if record.is_owing and self._lead_further(record.depth):
            self._owing[origin] = record

    def _nearer(self) -> dict[str, int]:
        found = {}
        for name, fact in self.frontier.facts.named(FACT).items():
            depth = self.frontier.nearest(_origin(name))
            if depth is not None and depth < SitemapRecord.parse(fact).depth:
                found[_origin(name)] = depth
        return found

    async def read(self, url: Url, depth: int, *, at_the_end: bool = False) -> int:
        """Add what the sitemaps of a page's origin list, unless that was done; how many were new.

        What cannot be read now is owed, and read for a later page, or at the end. There, the first
        that lists something new is enough: its pages come first, and the others with them.
        """
        origin = origin_of(url)
        known = self._read.get(origin)
        if not self._are_used or (known is not None and known.serves(depth, self.now())):
            return 0
        # Nobody else begins meanwhile.
        self._note(origin, SitemapRecord(depth, self.now() + READ_AGAIN))
        known = await self.frontier_thread.do(self._known, origin)
        if known is not None and known.serves(depth, self.now()):
            self._note(origin, known)
            self._note_debt(origin, known)  # which another node may have paid
            return 0
        left = await self._go_on(origin, depth, known, at_the_end=at_the_end)
        at_least = self.now() + (timedelta(0) if left.at_once else LOOK_AGAIN)
        self._note(origin, replace(left.record, again_at=max(left.record.again_at, at_least)))
        self._note_debt(origin, left.record)
        await self._keep(origin, left.record)
        return left.new

    async def _keep(self, origin: str, record: SitemapRecord) -> None:
        fact = FACT + origin, record.written()
        # After a power cut some may be read again; to wait for the disk for every host is dear.
        await self.frontier_thread.do(partial(self.frontier.facts.keep, *fact, durable=False))

    def _known(self, origin: str) -> SitemapRecord | None:
        known = self.frontier.facts.of(FACT + origin)
        return None if known is None else SitemapRecord.parse(known)

    def _note(self, origin: str, record: SitemapRecord) -> None:
        """Spare ourselves the question to the frontier, for the origins of late."""
        self._read[origin] = record
        self._read.move_to_end(origin)
        if len(self._read) > MOST_ORIGINS:
            self._read.popitem(last=False)

    async def _go_on(
        self, origin: str, depth: int, known: SitemapRecord | None, *, at_the_end: bool
    ) -> _Left:
        """Read what there is to read for a page at a depth."""
        if known is None or not known.is_owing or depth < known.depth:
            known = SitemapRecord(depth, self.now(), owed=None)  # all of it
        if not self._lead_further(known.depth) or self._is_halted or await self._enough_is_known():
            return _Left(0, known)
        patience = AT_THE_END if at_the_end else self.config.politeness.patience
        rules = await self.client.rules(Url(origin + "/"), patience)
        if isinstance(rules, Wait):
            return _Left(0, replace(known, again_at=rules.until))
        if not isinstance(rules, Rules):
            return _Left(0, SitemapRecord(known.depth, self.now() + READ_AGAIN))
        whole, _ = SitemapPlan.for_origin(origin, rules.policy.sitemaps, self.config.sitemaps)
        plan = known.rest_of(whole, origin)
        return await self._follow(origin, known, plan, patience, at_the_end=at_the_end)

    async def _follow(
        self,
        origin: str,
        known: SitemapRecord,
        plan: SitemapPlan,
        patience: timedelta,
        *,
        at_the_end: bool,
    ) -> _Left:
        """Read a plan to its end, or until no more is wanted now.

        How far we are is kept after each: a site may have a thousand, and whoever is stopped before
        the last goes on where they were.
        """
        new, files = 0, 0
        unread: list[str] = []
        missing: list[tuple[PlannedSitemap, NotYet]] = []
        while (planned := plan.next) is not None:
            found = await self._read_one(origin, planned, known.depth + 1, patience)
            if isinstance(found, NotYet):
                missing.append((planned, found))
                plan, _ = plan.after(planned, ())
            else:
                files, new = files + 1, new + found.new
                unread += [found.unread] if found.unread else []
                plan, _ = plan.after(planned, found.links)
            if plan.waiting:
                record = known.so_far(files, plan.waiting, missing, self._not_before())
                await self._keep(origin, record)
                at_once = self._is_halted or (at_the_end and new > 0)
                if at_once or await self._enough_is_known():
                    self._tell_unread(origin, unread)
                    return _Left(new, replace(record, again_at=self.now()), at_once)
        self._tell_unread(origin, unread)
        return _Left(new, self._left(origin, replace(known, files=known.files + files), missing))

    def _tell_unread(self, origin: str, why: Sequence[str]) -> None:
        """Tell of sitemaps that no worker could read: to ask for them again would change nothing."""
        if why:
            event = SitemapsFailed(origin=origin, count=len(why), why=why[0], then=ALONE)
            self.client.tell(event)

    def _not_before(self) -> datetime:
        """When others may go on with what we are at: other nodes only if we are gone, it seems."""
        return self.now() + (LOOK_AGAIN if self.frontier.is_shared else timedelta(0))

    def _left(
        self, origin: str, known: SitemapRecord, missing: list[tuple[PlannedSitemap, NotYet]]
    ) -> SitemapRecord:
        """What is left to read after some could not be: people hear of it."""
        crawl, politeness = self.config.crawl, self.config.politeness
        record = known.after(missing, self.now(), politeness, crawl.attempts)
        if failed := [each.why for _, each in missing if each.until is None]:
            gave_up = len(record.owed or ()) < len(missing)
            then = ALONE if gave_up else "to be asked for again"
            event = SitemapsFailed(origin=origin, count=len(failed), why=failed[0], then=then)
            self.client.tell(event)
        return record

    async def _read_one(
        self, origin: str, planned: PlannedSitemap, depth: int, patience: timedelta
    ) -> _Taken | NotYet:
        """Read one sitemap, and add what it lists; there is room for what it brings until then."""
        site = site_of(host_of(Url(origin + "/")))
        await self.room.acquire()
        try:
            most = self.config.sitemaps.max_bytes
            refusal = partial(self._refusal, site)
            fetched = await fetch_sitemap(self.client, planned.url, most, patience, refusal)
        except BaseException:
            self.room.release()
            raise
        if not isinstance(fetched, Fetched):
            self.room.release()
            if isinstance(fetched, Refusal):
                return _Taken(unread=fetched.why)
            return _Taken() if fetched is None else fetched
        size, said = len(fetched.body), 0
        self.room.fill(size)
        try:
            reading = self.pool.list_sitemap(self._job(fetched, planned))
            del fetched  # a worker has it
            listing = await reading
            if isinstance(listing, Unlisted):
                return NotYet(listing.why) if listing.again else _Taken(unread=listing.why)
            said = listing.size
            self.room.grow(said)
            self._hold_on()
            return await self._add_listed(site, listing, depth, planned.url)
        finally:
            self.room.empty(size, said)
            self._hold_on()

    def _hold_on(self) -> None:
        """Have nothing more read while too much of what sitemaps list is not added yet."""
        self.pool.hold(self.room.is_crowded, "sitemaps")

    def _job(self, fetched: Fetched, planned: PlannedSitemap) -> SitemapJob:
        vouched = None if planned.vouched is None else tuple(sorted(planned.vouched))
        return SitemapJob(
            fetched.url, fetched.body, fetched.content_encoding, vouched, self.config.sitemaps
        )

    async def _refusal(self, site: str, url: Url) -> Refusal | None:
        """Why a site's sitemap may not be asked for: at another site, that counts against its allowance."""
        most = self.config.budget.requests_elsewhere
        if await count_request(site, url, self.client, self.frontier, self.frontier_thread, most):
            return None
        return Refusal("elsewhere", f"It is at another site, and {used_up(site, most)}.")

    async def _add_listed(self, site: str, listing: Listing, depth: int, sitemap: Url) -> _Taken:
        links = tuple(SitemapLink(url) for url in listing.links[: self.config.sitemaps.max_files])
        new = 0
        for part in listing.parts(AT_ONCE):
            new += await self._add(site, part, depth)
            if self.heard is not None:
                await self.heard(sitemap, [entry.url for entry in part])
        return _Taken(new, links)

    async def _add(self, site: str, entries: Sequence[ListedPage], depth: int) -> int:
        """Add entries that are admitted, and note those that are not; how many were new."""
        now, admitted, refused = self.now(), [], []
        dated: list[Announcement] = []
        for entry in entries:
            url = self.admission.forms.apply(entry.url)
            if (refusal := self.admission.refusal(url, now)) is not None:
                refused.append(RefusedLink(url, refusal.rule))
            else:
                admitted.append(NewUrl(url, depth, self._rank(entry, depth, now)))
                if entry.changed_at is not None and self.frontier.keeps_fresh:
                    dated.append(Announcement(url, entry.changed_at))
        new = await self.frontier_thread.do(partial(self.frontier.add, admitted, found_by=site))
        if dated:
            await self.frontier_thread.do(self.frontier.announce, dated)
        listed = [each.url for each in admitted]
        await self.frontier_thread.do(self.frontier.note_listed, listed)
        await self.frontier_thread.do(partial(self.frontier.refuse, refused, depth, found_by=site))
        return new

    def _rank(self, entry: ListedPage, depth: int, now: datetime) -> int:
        facts = UrlFacts(
            depth=depth,
            sitemap_priority=entry.priority,
            changed_ago=None if entry.changed_at is None else now - entry.changed_at,
        )
        return self.admission.points(facts)


def _origin(fact: str) -> str:
    return fact.removeprefix(FACT)
