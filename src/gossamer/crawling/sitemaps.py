"""Sitemaps of the hosts that are crawled: read once a day, through the host's clock.

What a host lists is one link away from the nearest page of it that is asked for.
"""

import asyncio
import json
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final, Self

from gossamer.config import Config
from gossamer.crawling.admission import Admission
from gossamer.crawling.clerk import Clerk
from gossamer.fetch.decode import decode
from gossamer.fetch.redirect import redirect_of
from gossamer.frontier.facts import FactStore
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.protocol import NewUrl, RefusedLink
from gossamer.model import BodyState, Fetched, Problem, Refusal, Url
from gossamer.polite import PoliteClient
from gossamer.politeness.host_ledger import Wait
from gossamer.politeness.priority import UrlFacts, clamped
from gossamer.politeness.robots.rules import Rules
from gossamer.politeness.sitemaps import (
    PlannedSitemap,
    SitemapEntry,
    SitemapLink,
    SitemapPlan,
    admissible,
    read_sitemap,
)
from gossamer.urls import host_of, origin_of

READ_AGAIN: Final = timedelta(days=1)
AT_ONCE: Final = 5_000  # entries added in one go
MOST_ORIGINS: Final = 10_000  # of which we know by heart that they were read
_FACT: Final = "sitemaps "


@dataclass(frozen=True, slots=True)
class _Done:
    """When an origin's sitemaps were read, and for a page at which depth."""

    depth: int
    at: datetime

    @classmethod
    def parse(cls, fact: bytes) -> Self:
        """As it was written down."""
        known = json.loads(fact)
        return cls(int(known["depth"]), datetime.fromisoformat(known["at"]))

    def written(self) -> bytes:
        """It as a fact."""
        return json.dumps({"depth": self.depth, "at": self.at.isoformat()}).encode()

    def serves(self, depth: int, now: datetime) -> bool:
        """Whether they need not be read again for a page at this depth."""
        return self.depth <= depth and now < self.at + READ_AGAIN


def forget_sitemaps(facts: FactStore, host: str) -> None:
    """Have the sitemaps of a host's origins read again, whenever that was last done."""
    for name in facts.named(_FACT):
        if host_of(Url(name.removeprefix(_FACT) + "/")) == host:
            facts.drop(name)


@dataclass(slots=True)
class SitemapReader:
    """Reads the sitemaps of origins, one origin at a time for each host."""

    config: Config
    frontier: SqlFrontier
    clerk: Clerk
    client: PoliteClient
    admission: Admission
    now: Callable[[], datetime]
    _read: OrderedDict[str, _Done] = field(default_factory=OrderedDict)  # origins, the latest last

    async def catch_up(self) -> bool:
        """Read again what is now nearer than it was, so that what is listed there comes nearer too.

        To be called when nothing is under way. Without a limit on depth nothing depends on it.
        """
        if not self._are_used or self.config.crawl.depth is None:
            return False
        nearer = await self.clerk.do(self._nearer)
        for origin, depth in nearer.items():
            await self.read(Url(f"{origin}/"), depth)
        return bool(nearer)

    @property
    def _are_used(self) -> bool:
        """Whoever names the links to follow by a query wants no others."""
        return self.config.sitemaps.use and self.config.crawl.follow_query is None

    def _nearer(self) -> dict[str, int]:
        found = {}
        for name, known in self.frontier.facts.named(_FACT).items():
            origin = name.removeprefix(_FACT)
            depth = self.frontier.nearest(origin)
            if depth is not None and depth < _Done.parse(known).depth:
                found[origin] = depth
        return found

    async def read(self, url: Url, depth: int) -> int:
        """Add what the sitemaps of a page's origin list, unless that was done; how many were new."""
        origin = origin_of(url)
        known = self._read.get(origin)
        if not self._are_used or (known is not None and known.serves(depth, self.now())):
            return 0
        self._note(origin, _Done(depth, self.now()))  # nobody else begins meanwhile
        done = await self.clerk.do(self._done, origin)
        if done is not None and done.serves(depth, self.now()):
            self._note(origin, done)
            return 0
        new = await self._follow(origin, depth)
        written = _Done(depth, self.now()).written()
        await self.clerk.do(self.frontier.facts.keep, _FACT + origin, written)
        return new

    def _done(self, origin: str) -> _Done | None:
        known = self.frontier.facts.of(_FACT + origin)
        return None if known is None else _Done.parse(known)

    def _note(self, origin: str, done: _Done) -> None:
        """Spare ourselves the question to the frontier, for the origins of late."""
        self._read[origin] = done
        self._read.move_to_end(origin)
        if len(self._read) > MOST_ORIGINS:
            self._read.popitem(last=False)

    async def _follow(self, origin: str, depth: int) -> int:
        rules = await self.client.rules(Url(origin + "/"), self.config.politeness.patience)
        if not isinstance(rules, Rules):
            return 0
        plan, _ = SitemapPlan.for_origin(origin, rules.policy.sitemaps, self.config.sitemaps)
        new = 0
        while (planned := plan.next) is not None:
            items = await self._items(planned)
            links = [item for item in items if isinstance(item, SitemapLink)]
            new += await self._add([e for e in items if isinstance(e, SitemapEntry)], depth + 1)
            plan, _ = plan.after(planned, links)
        return new

    async def _items(self, planned: PlannedSitemap) -> list[SitemapEntry | SitemapLink]:
        fetched = await self._fetched(planned.url)
        if fetched is None:
            return []
        return await asyncio.to_thread(self._read_items, fetched, planned)

    def _read_items(
        self, fetched: Fetched, planned: PlannedSitemap
    ) -> list[SitemapEntry | SitemapLink]:
        limits = self.config.sitemaps
        body = decode(fetched.body, fetched.content_encoding, limits.max_bytes).body
        found = read_sitemap(body, fetched.url, limits)
        admitted = admissible(found, fetched.url, planned.vouched)
        return [item for item in admitted if not isinstance(item, Problem)]

    async def _fetched(self, url: Url) -> Fetched | None:
        """A sitemap's answer, wherever redirects lead."""
        patience = self.config.politeness.patience
        for hops in range(11):
            rules = await self.client.rules(url, patience)
            if not isinstance(rules, Rules) or not rules.policy.allows(url):
                return None
            answer = await self.client.get(url, "sitemap", patience)
            if isinstance(answer, Wait) or not isinstance(answer, Fetched):
                return None
            target = redirect_of(answer, hops)
            if isinstance(target, Refusal):
                return None
            if target is None:
                whole = answer.body_state is BodyState.WHOLE
                return answer if answer.status == 200 and whole else None
            url = target
        return None

    async def _add(self, entries: Sequence[SitemapEntry], depth: int) -> int:
        """Add entries that are admitted, and note those that are not; how many were new."""
        new = 0
        for start in range(0, len(entries), AT_ONCE):
            now, admitted, refused = self.now(), [], []
            for entry in entries[start : start + AT_ONCE]:
                if (refusal := self.admission.refusal(entry.url, now)) is not None:
                    refused.append(RefusedLink(entry.url, refusal.rule))
                else:
                    admitted.append(NewUrl(entry.url, depth, self._rank(entry, depth, now)))
            new += await self.clerk.do(self.frontier.add, admitted)
            await self.clerk.do(self.frontier.refuse, refused, depth)
        return new

    def _rank(self, entry: SitemapEntry, depth: int, now: datetime) -> int:
        facts = UrlFacts(
            depth=depth,
            sitemap_priority=entry.priority,
            changed_ago=None if entry.lastmod is None else now - entry.lastmod,
        )
        return clamped(self.admission.rank(facts))
