"""Which URLs belong to the crawl: links as they are found, and all that is known when the scope grows.

In the order of docs/demo-web.md: what the page asks not to be followed, traps, scope. Robots and
addresses are checked when a page's turn has come, since both may have changed by then. Links that are
out of scope are kept; when the scope grows, the crawl goes on from them (`Scoping`).
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from gossamer.config import Config, Traps
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.protocol import NOFOLLOW, REDIRECTS, RefusedLink
from gossamer.frontier.thread import FrontierThread
from gossamer.model import MAX_HOPS, Refusal, Url
from gossamer.politeness.priority import Priority, UrlFacts, clamped
from gossamer.politeness.ranking import points_by
from gossamer.reading.jobs import Targets
from gossamer.urls.forms import UrlForms, forms_by
from gossamer.urls.scope import SeedScope
from gossamer.urls.traps import TrapTest, trap_test

MOST_KNOWN: Final = 16_384  # URLs that were admitted: 35 MB at the very most, as of traps
_FACT: Final = "scope"
LISTEN: Final = 1.0  # seconds


@dataclass(frozen=True, slots=True)
class Admitted:
    """The links of one page: to follow, and to keep for a wider scope."""

    links: Sequence[Url] = ()
    outside: Sequence[Url] = ()
    refused: Sequence[RefusedLink] = ()  # all that is not followed, by which rule


class KnownUrls:
    """URLs that were admitted of late: the pages of a site share most of their links.

    A scope only ever grows wider; what is a trap is another thing every month.
    """

    def __init__(self) -> None:
        self._month = (0, 0)
        self._trap: TrapTest = lambda _: None
        self._urls: set[Url] = set()

    def now(self, now: datetime, limits: Traps) -> tuple[TrapTest, set[Url]]:
        """The test for traps, and the URLs that passed it, to be added to."""
        month = (now.year, now.month)
        if month != self._month:
            self._month, self._trap = month, trap_test(now, limits)
            self._urls.clear()
        elif len(self._urls) > MOST_KNOWN:
            self._urls.clear()
        return self._trap, self._urls


@dataclass(frozen=True, slots=True)
class Admission:
    """The rules of a crawl about links."""

    config: Config
    scope: SeedScope
    rank: Priority | None = None  # instead of the strategy's own
    _known: KnownUrls = field(default_factory=KnownUrls, repr=False, compare=False)
    _priorities: dict[int, int] = field(default_factory=dict, repr=False, compare=False)  # by depth

    def refusal(self, url: Url, now: datetime) -> Refusal | None:
        """Why a URL does not belong to the crawl, if it does not."""
        trap, known = self._known.now(now, self.config.traps)
        return None if url in known else trap(url) or self.scope.admits(url)

    def priority(self, depth: int, quads: int | None = None) -> int:
        """How urgent links of some depth are, on a page that says so much."""
        if self.config.crawl.strategy == "best":
            return self.points(UrlFacts(depth=depth, quads_per_page=quads))
        if (known := self._priorities.get(depth)) is not None:
            return known
        return self._priorities.setdefault(depth, self.points(UrlFacts(depth=depth)))

    def points(self, facts: UrlFacts) -> int:
        """How urgent a URL is, by what is known about it."""
        return clamped((self.rank or points_by(self.config.crawl.strategy))(facts))

    def admit(self, targets: Targets, now: datetime, *, nofollow: bool = False) -> Admitted:
        """What to follow of the links of a page; each URL is among them once."""
        urls, shunned = targets.urls
        if not self.forms.is_plain:
            urls, shunned = self._in_form(urls, shunned)
        if nofollow:
            urls, shunned = [], [*urls, *shunned]
        elif not self.config.politeness.honour_nofollow:
            urls, shunned = [*urls, *shunned], []
        refused = [RefusedLink(url, NOFOLLOW) for url in shunned]
        refusals = self._refusals(urls, now)
        if not refusals:  # as mostly
            return Admitted(urls, refused=refused)
        refused += [RefusedLink(url, refusal.rule) for url, refusal in refusals.items()]
        outside = [url for url, refusal in refusals.items() if _may_be_wider(refusal)]
        inside = [url for url in urls if url not in refusals]
        return Admitted(inside, outside, refused)

    @property
    def forms(self) -> UrlForms:
        """The forms under which pages are known."""
        return forms_by(self.config.urls)

    def _in_form(self, urls: Sequence[Url], shunned: Sequence[Url]) -> tuple[list[Url], list[Url]]:
        """Links in their forms, each once: a page is followed if any link to it may be."""
        followed = dict.fromkeys(self.forms.apply_all(urls))
        return [*followed], [url for url in self.forms.apply_all(shunned) if url not in followed]

    def target_of(self, page: Url, target: Url) -> Url:
        """Where the redirect of a page leads, in its form.

        A site may send visitors on to the same page with a session: that is followed as it is, or the
        page would lead to itself.
        """
        form = self.forms.apply(target)
        return target if form == page else form

    def _refusals(self, urls: Sequence[Url], now: datetime) -> dict[Url, Refusal]:
        """The URLs that do not belong to the crawl, each with the reason."""
        (trap, known), scope = self._known.now(now, self.config.traps), self.scope.admits
        refusals: dict[Url, Refusal] = {}
        for url in urls:
            if url in known:
                continue
            if (refusal := trap(url) or scope(url)) is None:
                known.add(url)
            else:
                refusals[url] = refusal
        return refusals

    def admit_target(self, target: Url, hops: int, now: datetime) -> Admitted:
        """Whether to follow the redirect of a page to which so many redirects led.

        What is refused for too many of them is taken up by the frontier if there turn out to be
        fewer; whether it belongs to the crawl is then asked when its turn has come.
        """
        if hops >= MAX_HOPS:
            return Admitted(refused=(RefusedLink(target, REDIRECTS),))
        refusal = self.refusal(target, now)
        if refusal is None:
            return Admitted(links=(target,))
        outside = (target,) if _may_be_wider(refusal) else ()
        return Admitted(outside=outside, refused=(RefusedLink(target, refusal.rule),))


def _may_be_wider(refusal: Refusal) -> bool:
    """Whether another scope may admit what was refused."""
    return refusal.rule.startswith("scope-")


@dataclass(slots=True)
class Scoping:
    """Keeps the frontier in step with what the crawl admits."""

    frontier: SqlFrontier
    frontier_thread: FrontierThread
    admission: Admission
    now: Callable[[], datetime]
    _mark: bytes | None = None  # of the scope that what this run settled is in step with
    _size: int = -1  # of that scope
    _seeds: int = 0  # that were heard of

    async def catch_up(self) -> int:
        """Take up what was out of scope and no longer is; how many URLs these are.

        To be called when nothing is under way: a page judged by a narrower scope and settled
        later would leave its links behind. That goes for each node: what another one has taken
        up may have been before we settled something.
        """
        await self.hear()
        scope = self.admission.scope
        if scope.size == self._size:
            return 0
        for seed in await self.frontier_thread.do(self.frontier.seeds):
            scope.add_seed(seed)  # one that was found while the scope was being changed
        size, mark = scope.size, scope.fingerprint().encode()
        known = await self.frontier_thread.do(self.frontier.facts.of, _FACT)
        is_behind = known not in (None, mark) or self._mark not in (None, mark)
        count = await self.take_up() if is_behind else 0
        await self.frontier_thread.do(self.frontier.facts.keep, _FACT, mark)
        self._size, self._mark = size, mark
        return count

    async def hear(self) -> None:
        """Learn of the seeds that other nodes found: where a seed redirects is one for all."""
        if self.frontier.is_shared:
            seeds = await self.frontier_thread.do(self.frontier.more_seeds, self._seeds)
            self._seeds = len(seeds) or self._seeds
            for seed in seeds:
                self.admission.scope.add_seed(seed)

    async def listen(self) -> None:
        """Do so from time to time, until cancelled."""
        while True:
            await self.hear()
            await asyncio.sleep(LISTEN)

    async def take_up(self) -> int:
        """Apply the scope to all known URLs at once; what is under way may still be left behind."""
        self._size = -1
        return await self.frontier_thread.do(self.frontier.readmit, self._admits)

    def _admits(self, url: Url) -> bool:
        return self.admission.refusal(url, self.now()) is None
