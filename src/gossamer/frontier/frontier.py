"""`SqlFrontier`, which remembers URLs, hands them out politely, and keeps what became of them.

Written once, over either store. Each method is one transaction, or a walk of many short ones; the work
is done by the modules that the package's map names.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import cached_property, partial
from typing import Final

from gossamer.config import Budget, Politeness
from gossamer.duplicates.parameters import LearnedParameter
from gossamer.focus.harvest import WantedCounts
from gossamer.freshness.planner import LookPlanner
from gossamer.freshness.sums import LookSums
from gossamer.frontier import (
    adding,
    alike,
    announcements,
    due,
    focusing,
    learned_parameters,
    leasing,
    look_groups,
    outlinks,
    overview,
    releasing,
    sites,
    walks,
    wanted,
)
from gossamer.frontier.adding import Candidates, collect
from gossamer.frontier.announcements import Announcement
from gossamer.frontier.claims import give_back, hand_back
from gossamer.frontier.contexts import ContextStore
from gossamer.frontier.facts import FactStore, ScopeExpressions
from gossamer.frontier.focusing import FocusMemory
from gossamer.frontier.hidden import (
    HiddenUrl,
    HiddenWay,
    HiddenYield,
    add_hidden,
    count_hidden,
    hidden_yields,
)
from gossamer.frontier.looks import LookMemory, LookRules
from gossamer.frontier.parameter_memory import LearnedRule, ParameterMemory
from gossamer.frontier.protocol import (
    ArchivedPage,
    Assignment,
    Counts,
    DuplicateGroup,
    Ended,
    Forgotten,
    HostStage,
    HostState,
    Lease,
    Limits,
    Linking,
    NewUrl,
    NodeState,
    PageState,
    RefusedLink,
    Renewed,
    Settled,
    Settlement,
    SiteBudget,
    SlowHost,
    Trouble,
    TroubledPage,
)
from gossamer.frontier.robots import RobotsStore
from gossamer.frontier.rows import microseconds
from gossamer.frontier.settling import settle, settled_by_others, stale_among
from gossamer.frontier.sites import CrossSiteRequests
from gossamer.frontier.store import Store, T, Transaction
from gossamer.frontier.texts import TextStore
from gossamer.frontier.work import MOST, NodeMemory, RecentUrls, Work
from gossamer.model import Url
from gossamer.politeness.clock import HostClock
from gossamer.politeness.ledger import Wait
from gossamer.politeness.ranking import ENDLESS, PLAIN, Ranking
from gossamer.urls import host_of
from gossamer.urls.keys import UrlKeys, new_secret

LEASE: Final = timedelta(minutes=2)  # longer than any request may take
NO_TOKEN: Final = 0  # which nobody holds a host by
_LEARNED: Final = "learned parameters"  # a fact: by which mode URLs are put off or left out
_LOOKS: Final = "looks are planned"  # a fact: all settled pages have a next look
_FOCUS: Final = "focus"  # a fact: what is wanted first
_EXACT: Final = "depths are exact"  # a fact: what came nearer was passed on, from all pages


class SqlFrontier:
    """A frontier over SQL: what everybody who crawls, sends or asks uses."""

    def __init__(
        self,
        store: Store,
        node: str,
        politeness: Politeness,
        *,
        budget: Budget | None = None,
        limits: Limits | None = None,
        ranking: Ranking = PLAIN,
        lease_length: timedelta = LEASE,
        recent: int = MOST,
    ) -> None:
        self._store = store
        self._memory = NodeMemory(
            node=node,
            keys=UrlKeys(store.transact(_secret)),
            politeness=politeness,
            budget=budget or Budget(),
            limits=limits or Limits(),
            lease_length=microseconds(lease_length),
            recent=RecentUrls(recent),
            ranking=ranking,
        )
        self._unconfirmed: list[Lease] = []  # of commits that the store has not confirmed
        self.facts = FactStore(store)
        self.between: Callable[[], None] = _nothing_waits  # is called between the steps of a walk

    @cached_property
    def robots(self) -> RobotsStore:
        """What is kept of robots.txt files."""
        return RobotsStore(self._store)

    @cached_property
    def contexts(self) -> ContextStore:
        """What is kept of JSON-LD contexts."""
        return ContextStore(self._store)

    @cached_property
    def texts(self) -> TextStore:
        """The visible text of pages."""
        return TextStore(self._store)

    @cached_property
    def asking(self) -> CrossSiteRequests:
        """How many requests sites have caused at others today."""
        return CrossSiteRequests(self._store)

    @cached_property
    def scope_expressions(self) -> ScopeExpressions:
        """The expressions that were added to the scope at run time."""
        return ScopeExpressions(self._store)

    @property
    def store(self) -> Store:
        """The database that the frontier lives in."""
        return self._store

    @property
    def is_shared(self) -> bool:
        """Whether other nodes may have it too."""
        return self._store.is_shared

    @property
    def node(self) -> str:
        """Our name among those who lease."""
        return self._memory.node

    @property
    def politeness(self) -> Politeness:
        """The configuration by which hosts are leased, and questions answered."""
        return self._memory.politeness

    @property
    def ranking(self) -> Ranking:
        """The order in which waiting pages are handed out."""
        return self._memory.ranking

    @property
    def recent_urls(self) -> RecentUrls:
        """The cache of URLs seen of late; for the thread of the frontier."""
        return self._memory.recent

    @property
    def lease_length(self) -> timedelta:
        """How long a lease lasts unless it is renewed."""
        return timedelta(microseconds=self._memory.lease_length)

    def add(self, urls: Sequence[NewUrl], *, found_by: str | None = None) -> int:
        """Remember URLs; how many were new. A known one keeps smaller depth and higher priority.

        Those that a site names (`found_by`) are kept as far as its budget has room for them.
        """
        news: Candidates = {}
        collect(self._memory, urls, news)
        return self._work(lambda work: outlinks.add(work, news, found_by)) if news else 0

    def lease(self, hosts: int, *, pages: int = 5) -> list[Lease]:
        """Claim up to so many ready hosts, with the next few pages of each."""

        def run(work: Work) -> list[Lease]:
            releasing.note_leasing(work)
            return leasing.lease(work, hosts, pages)

        # Should a power cut undo it, nobody holds the hosts, and nobody was asked meanwhile.
        return self._hand_out(run, _leases_of, durable=False)

    @property
    def next_hosts(self) -> tuple[str, ...]:
        """A few hosts that were ready too when some were last leased: the next ones, probably."""
        return self._memory.next_hosts

    def more(self, lease: Lease, pages: int) -> tuple[Assignment, ...]:
        """Further pages of a host that is held; none where the lease is lost."""
        return self._hand_out(
            lambda work: leasing.more(work, lease, pages),
            lambda given: [replace(lease, token=NO_TOKEN, pages=given)],
            durable=False,
        )

    def makes_way(self, lease: Lease, page: Assignment | None) -> bool:
        """Whether a ready host would be leased before this one, whose next page in hand is `page`."""
        return self._work(lambda work: leasing.makes_way(work, lease, page), durable=False)

    def renew(self, tokens: Sequence[int]) -> dict[int, Renewed]:
        """Hold on to leases and claims; a token that is missing from the answer is lost."""
        return self._work(lambda work: releasing.renew(work, tokens), durable=False)

    def release(
        self, clocks: Mapping[int, HostClock], unused: Sequence[Assignment] = ()
    ) -> set[int]:
        """Give hosts back, by token, with their clocks as they stand; the tokens that were lost.

        `unused` are pages that were handed out and not asked for.
        """

        def run(work: Work) -> set[int]:
            give_back(work, unused)
            return releasing.release(work, clocks)

        # A clock without a pause says when we last asked, which a reboot outlasts.
        durable = any(clock.pause for clock in clocks.values())
        return self._hand_out(run, lambda _: [], durable=durable)

    def seeds(self) -> list[Url]:
        """The URLs that the crawl began with, and where they redirected."""
        return self._store.read(overview.seeds)

    def no_seed_had(self, since: datetime | None = None) -> bool:
        """Whether there are seeds, and none of them (with a moment: of those asked for since) was had."""
        return self._store.read(
            lambda txn: overview.no_seed_had(txn, None if since is None else txn.there(since))
        )

    def more_seeds(self, known: int) -> list[Url]:
        """Seeds beyond those that are already known, if there are any."""
        return self._store.read(lambda txn: overview.more_seeds(txn, known))

    def settle(self, settlements: Sequence[Settlement], clocks: Mapping[int, HostClock]) -> Settled:
        """Write down outcomes, links and, by token, the clocks of hosts that are still held."""
        return self._work(lambda work: settle(work, settlements, clocks))

    def add_hidden(self, links: Sequence[HiddenUrl]) -> int:
        """Remember links that are hard to find, as the last of all; how many were new."""
        return self._work(lambda work: add_hidden(work, links))

    def count_hidden(self, settled: Mapping[Url, bool]) -> None:
        """Count pages that only such links led to; whether each has data."""
        self._work(lambda work: count_hidden(work, settled))

    def hidden_yields(self) -> dict[HiddenWay, HiddenYield]:
        """What links that are hard to find came to."""
        return self._store.read(hidden_yields)

    def stale_among(self, pages: Sequence[Assignment]) -> tuple[Assignment, ...]:
        """The pages whose claims are over by now: whoever has them since brings them, or has."""
        return self._store.read(lambda txn: stale_among(txn, pages))

    def settled_by_others(
        self, claims: Mapping[int, int]
    ) -> tuple[Mapping[int, str], frozenset[int]]:
        """Of pages that we had claimed, the addresses of those that others have settled since, and those that nobody will."""
        return self._store.read(lambda txn: settled_by_others(txn, claims))

    def reserve(self, host: str) -> Lease | Wait:
        """The right to send to one host, in turn with whoever leases it for the crawl."""
        return self._hand_out(lambda work: releasing.reserve(work, host), _lease_in)

    def lend(self, host: str, until: datetime | None) -> None:
        """Note that somebody outside may send to a host we hold until then; None: no more."""
        self._store.transact(lambda txn: releasing.lend(txn, host, until))

    def park(self, host: str, until: datetime, why: str) -> None:
        """Leave a host alone until then, at least."""
        self._work(lambda work: releasing.park(work, host, until, why))

    def ping(self) -> None:
        """Have the database answer; raises where it cannot."""
        self._store.read(lambda txn: txn.rows("SELECT 1"))

    def counts(self) -> Counts:
        """How much is known, done and left."""
        return self._store.read(lambda txn: overview.counts(txn, self._memory))

    def longest_left(self) -> timedelta:
        """The time that the host with the most to do takes by its delay alone."""
        return max((each.takes for each in self.slowest_hosts(1)), default=timedelta(0))

    def slowest_hosts(self, limit: int = 3) -> list[SlowHost]:
        """Hosts that the end waits for, the slowest first."""
        return self._store.read(lambda txn: overview.slowest_hosts(txn, self._memory, limit))

    def hosts(
        self, *, after: str = "", limit: int = 1000, stage: HostStage | None = None
    ) -> list[HostState]:
        """Hosts by name, from the one after `after`."""
        return self._store.read(lambda txn: overview.hosts(txn, self._memory, after, limit, stage))

    def host(self, name: str) -> HostState | None:
        """One host, if it is known."""
        return self._store.read(lambda txn: overview.host(txn, self._memory, name))

    def nodes(self) -> list[NodeState]:
        """The nodes of the crawl, by name."""
        return self._store.read(overview.nodes)

    def clocks(self, *, after: str = "", limit: int = 1000) -> list[tuple[str, HostClock]]:
        """Hosts and their clocks as they were last written down, by name."""
        return self._store.read(lambda txn: overview.clocks(txn, after, limit))

    def refuse(
        self, links: Sequence[RefusedLink], depth: int, *, found_by: str | None = None
    ) -> None:
        """Remember links that no page has, and that are not followed; none beyond the limit.

        Those that a site names (`found_by`) are kept as far as its budget has room for them.
        """
        deepest = self._memory.limits.depth
        if deepest is None or depth <= deepest:
            self._work(lambda work: outlinks.refuse(work, links, found_by))

    def site_budget(self, site: str) -> SiteBudget:
        """What the pages of a site have us keep."""
        return self._store.read(lambda txn: outlinks.site_budget(txn, self._memory.budget, site))

    def newly_over_budget(self) -> list[tuple[str, str]]:
        """Sites, and the keys of their limits, that kept links out for the first time since we began."""
        newly, self._memory.newly_over = self._memory.newly_over, []
        return newly

    def sites_over_budget(self, limit: int = 5) -> list[SiteBudget]:
        """Sites some of whose links were not kept, those with most of them first."""
        return self._store.read(
            lambda txn: outlinks.sites_over_budget(txn, self._memory.budget, limit)
        )

    def nearest(self, origin: str) -> int | None:
        """The least depth of the pages of an origin that were asked for."""
        return self._store.read(lambda txn: overview.nearest(txn, origin))

    def refusals(self) -> dict[str, int]:
        """How many URLs were linked to and not followed, by rule."""
        return self._store.read(adding.refusal_counts)

    def refusal(self, url: Url) -> str | None:
        """The rule by which a URL was linked to and not followed."""
        return self._store.read(lambda txn: adding.refusal_rule(txn, self._memory.keys.of(url)))

    def page(self, url: Url) -> PageState | None:
        """What is known about a URL."""
        return self._store.read(lambda txn: overview.page(txn, self._memory, url))

    def linking(self, url: Url, after: int = 0) -> Linking:
        """Pages that link to a URL, as far as a short look finds any, from a number on."""
        return self._store.read(lambda txn: outlinks.linking(txn, self._memory, url, after))

    def troubled(
        self,
        *,
        kinds: Collection[Trouble] = (),
        host: str | None = None,
        limit: int = 100,
        after: str | None = None,
    ) -> list[TroubledPage]:
        """Pages that did not go well in any of these ways (none: all), the latest first.

        Only those after the `place` of one of them, where that is given.
        """
        wanted = frozenset(kinds or Trouble)
        return self._store.read(lambda txn: overview.troubled(txn, wanted, host, limit, after))

    def causes(self) -> Mapping[Ended, Mapping[str, int]]:
        """How many pages failed or were refused, by cause or rule."""
        return self._store.read(overview.causes)

    def problems(self) -> int:
        """How many problems there are in all pages together."""
        return self._store.read(overview.problems)

    def archived(self, after: int, limit: int) -> list[ArchivedPage]:
        """Pages with content that were archived, from the number after `after`."""
        return self._store.read(lambda txn: overview.archived(txn, after, limit))

    def read_anew(self, pages: Sequence[walks.ReadAnew]) -> None:
        """Note what pages say by today's readers: they were read once more."""
        self._store.transact(lambda txn: walks.read_anew(txn, pages))

    def says_something(self) -> bool:
        """Whether any page brought statements."""
        return self._store.read(walks.has_statements)

    def lose_unarchived(self) -> int:
        """What pages said of which there is no copy is gone; how many these are."""
        return self._store.transact(walks.drop_unarchived)

    def drop_unreadable(self, pages: Sequence[int]) -> None:
        """Forget where pages are archived whose copies cannot be read, by page number."""
        self._store.transact(lambda txn: walks.drop_unreadable(txn, pages))

    def urls_of(self, host: str, after: int, limit: int) -> list[tuple[int, Url]]:
        """The numbers and URLs of a host's pages, from the number after `after`."""
        return self._store.read(lambda txn: overview.urls_of(txn, host, after, limit))

    def forget(self, *, host: str | None = None, url: Url | None = None) -> list[Forgotten]:
        """Remove a URL, or all URLs of a host; its clock stays, for the host still wants rest."""
        name = host if url is None else host_of(url)
        if name is None:
            raise ValueError("name a host or a URL to forget")
        self._memory.recent.clear()
        self._memory.refused.clear()
        gone: list[Forgotten] = []
        while some := self._work(lambda work: walks.forget(work, name, url)):
            gone += some
        self._work(lambda work: wanted.forget_arms(work, name, url))
        self._store.transact(lambda txn: adding.forget_refused(txn, name, url))
        if url is None:
            self.contexts.forget(lambda known: host_of(known) == name)
            self._store.transact(lambda txn: learned_parameters.forget_host(txn, name))
            if self._memory.parameters is not None:
                self._memory.parameters.idle.pop(name, None)
            self._work(lambda work: walks.forget_robots(work, name))
            self._work(lambda work: walks.forget_look_groups(work, name))
        else:
            self.contexts.forget(lambda known: known == url)
        return gone

    def refetch(self, older_than: datetime, *, within_depth: bool = False) -> int:
        """Fetch anew all pages that were settled before; how many these are.

        `within_depth` leaves out those beyond the limit of depth, which is otherwise for new pages.
        """
        return self._walk(
            lambda work, after: walks.fetch_again(
                work, after, work.txn.there(older_than), within_depth=within_depth
            )
        )

    def reopen(self, host: str, why: str) -> int:
        """Take up a host's pages that were refused for a reason that begins so; how many."""
        return self._walk(lambda work, after: walks.reopen(work, after, host, why))

    def move(self, file: str, moved: Mapping[str, str]) -> int:
        """Note where records of a file of the archive are now, by where they were; how many pages'."""
        return self._walk(lambda work, after: walks.move(work, after, file, moved))

    def configure(self, politeness: Politeness) -> None:
        """Take up a changed configuration; hosts that wait are looked at again."""
        self._memory.politeness = politeness
        self._walk(leasing.look_again)

    def set_budget(self, budget: Budget) -> None:
        """Take up another budget; the hosts of all sites queue by it at once."""
        self._memory.budget = budget
        after: str | None = ""
        while after is not None:
            after = self._store.transact(partial(_requeue, budget, after))
            self.between()

    def read_by(self, politeness: Politeness, budget: Budget, limits: Limits) -> None:
        """Have questions answered by these; for who reads beside the one that takes them up."""
        self._memory.politeness, self._memory.budget, self._memory.limits = (
            politeness,
            budget,
            limits,
        )

    def set_limits(self, limits: Limits) -> None:
        """Take up other limits; a larger depth goes on from what is known."""
        were_limited = self._memory.limits.depth is not None
        if limits.depth is None:
            self.facts.drop(_EXACT)
        self._memory.limits = limits
        self._work(walks.open_hosts)
        if limits.depth is not None and not (were_limited and self.facts.of(_EXACT)):
            self._walk(walks.bring_nearer)
            self.facts.keep(_EXACT, b"yes")
        self._walk(walks.shift_depth)
        self._walk(walks.deepen)

    def set_ranking(self, ranking: Ranking, *, known: bool = True) -> None:
        """Take up a strategy and its rules; all `known` pages are ranked by them too."""
        self._memory.ranking = ranking
        if not known:
            return
        self._memory.recent.clear()  # it knows pages as more urgent than they may be now
        self._walk(walks.rank_again)
        self._walk(walks.compare_hosts)

    def keep_fresh(self, rules: LookRules | None) -> None:
        """Have settled pages looked at again by these rules; None: not any more."""
        if rules is None:
            self._memory.looks = None
            self.facts.drop(_LOOKS)
            return
        kept = self._store.read(lambda txn: max(due.count_kept(txn), due.count_content(txn)))
        planner = self._memory.looks.planner if self._memory.looks else LookPlanner()
        self._memory.looks = LookMemory(rules, kept, planner)
        if self.facts.of(_LOOKS) is None:  # a walk that is cut short is made again
            self._walk(due.first_looks)
            self.facts.keep(_LOOKS, b"yes")
            self.plan_looks()

    def learn_parameters(self, mode: str) -> None:
        """Learn which parameters of URLs change nothing: `off`, `last` (those URLs come last) or `drop`."""
        rules = self._store.read(learned_parameters.rules_in_force)
        self._memory.parameters = None if mode == "off" else ParameterMemory(rules)
        if rules and self.facts.of(_LEARNED) != mode.encode():
            self.facts.keep(_LEARNED, b"-")  # a walk that is cut short is made again
            for host in sorted(rules):
                self.rank_host(host)
        self.facts.keep(_LEARNED, mode.encode())

    def newly_learned(self) -> list[LearnedRule]:
        """Rules about parameters that were learned or dropped since this was last asked."""
        memory = self._memory.parameters
        if memory is None:
            return []
        news, memory.news = memory.news, []
        return news

    def reload_parameters(self) -> None:
        """Know the rules that other nodes have learned meanwhile."""
        if self._memory.parameters is not None:
            self._memory.parameters.idle = self._store.read(learned_parameters.rules_in_force)

    def rank_host(self, host: str) -> None:
        """Rank the waiting pages of a host by the rules about its parameters, and take up what they left out."""
        after: int | None = learned_parameters.BEFORE_ALL
        self._memory.recent.clear()
        while after is not None:
            after = self._work(partial(_rank_host, host, after))
            self.between()

    def is_represented(self, page: Assignment) -> Url | None:
        """A page that has what this one leads to, where its parameters change nothing."""
        memory = self._memory
        if memory.parameters is None or not memory.parameters.idle:
            return None
        return self._store.read(
            lambda txn: learned_parameters.is_represented(txn, memory, page.url, page.id)
        )

    def parameters_of(self, host: str) -> list[LearnedParameter]:
        """What is known of the parameters of a host's URLs."""
        return self._store.read(lambda txn: learned_parameters.parameters_of(txn, host))

    def duplicates_of(self, url: Url) -> DuplicateGroup | None:
        """The pages that are the same thing as this one."""
        key = self._memory.keys.of(url)
        return self._store.read(lambda txn: alike.group_of(txn, host_of(url), key))

    def duplicates(
        self, *, host: str | None = None, after: int = 0, limit: int = 100
    ) -> list[tuple[int, DuplicateGroup]]:
        """Groups of pages that are the same thing, by number, from the one after `after`."""
        return self._store.read(lambda txn: alike.groups(txn, host, after, limit))

    def stand_ins(self, urls: Sequence[Url]) -> dict[str, str]:
        """The pages among these for which another page of their site stands, with that page."""
        return self._store.read(lambda txn: alike.stand_ins(txn, self._memory.keys, urls))

    def idle_parameters(self, host: str | None, limit: int) -> list[tuple[str, LearnedParameter]]:
        """Parameters that change nothing, with their hosts, by name."""
        return self._store.read(lambda txn: learned_parameters.idle_parameters(txn, host, limit))

    def note_listed(self, urls: Sequence[Url]) -> None:
        """Note that a sitemap lists these pages."""
        keys = self._memory.keys
        self._store.transact(lambda txn: alike.note_listed(txn, keys, urls), durable=False)

    @property
    def keeps_fresh(self) -> bool:
        """Whether settled pages are looked at again by themselves."""
        return self._memory.looks is not None

    def plan_looks(self) -> None:
        """Make the plan anew, from the pages that are kept fresh by now, of all nodes."""
        if (looks := self._memory.looks) is not None:
            census, total = self._store.read(
                lambda txn: (due.census(txn), look_groups.all_looks(txn))
            )
            looks.pages, looks.rates = census.pages, total.rates
            looks.planner.update(census, looks.per_day)

    def announce(self, entries: Sequence[Announcement]) -> int:
        """Move looks by what sitemaps and feeds say of when pages changed; how many are sooner now."""
        if self._memory.looks is None:
            return 0
        parts = range(0, len(entries), announcements.AT_ONCE)
        return sum(
            self._work(partial(_announce, entries[at : at + announcements.AT_ONCE]), durable=False)
            for at in parts
        )

    def take_due(self) -> due.Taken:
        """Take pages whose look is due back among those to be fetched, as far as the budget allows."""
        return self._work(due.take_due, durable=False)

    def look_sums(self) -> LookSums:
        """What is known of all pages that are kept fresh, together."""
        return self._store.read(look_groups.all_looks)

    def host_looks(
        self, *, after: str = "", limit: int = 100, host: str | None = None
    ) -> list[tuple[str, LookSums]]:
        """What is known of the pages of hosts that are kept fresh, by name, from the one after `after`."""
        return self._store.read(
            lambda txn: look_groups.host_looks(txn, after=after, limit=limit, host=host)
        )

    def look_outlook(self) -> due.LookOutlook:
        """How the pages stand that are kept fresh."""
        return self._store.read(due.outlook)

    def focus_on(self, what: bytes | None, seconds: float = 1.0) -> None:
        """Hand out first what is likely to lead to wanted things; None: no longer.

        `what` is a mark of what is wanted: with another one, what visits brought is forgotten. A visit takes so many
        seconds of its host's time, until some have told better.
        """
        if what is None:
            self._memory.focus = None
            return
        if (self.facts.of(_FOCUS) or b"") != what:
            self._store.transact(wanted.begin_anew)
            self.facts.keep(_FOCUS, what)
        self._memory.focus = FocusMemory(self._store.read(focusing.read_clues), seconds)
        self._walk(focusing.arm_known)

    def wanted_counts(self) -> WantedCounts:
        """How much was found of what is wanted, by all nodes."""
        return self._store.read(wanted.wanted_counts)

    def prospect(self, url: Url) -> wanted.Prospect | None:
        """What a page that was not asked for yet is likely to bring, and why."""

        def read(txn: Transaction) -> wanted.Prospect | None:
            focus = self._memory.focus or FocusMemory(focusing.read_clues(txn), 1.0)
            sql = """SELECT pages.id FROM pages JOIN hosts ON hosts.id = pages.host_id
                WHERE hosts.host = ? AND pages.key = ?"""
            rows = txn.rows(sql, host_of(url), self._memory.keys.of(url))
            return wanted.prospect(txn, focus, rows[0][0]) if rows else None

        return self._store.read(read)

    @property
    def is_focused(self) -> bool:
        """Whether something is wanted first."""
        return self._memory.focus is not None

    @property
    def order_depends_on_links(self) -> bool:
        """Whether what a page leads to may come before what is known, so that it is to be settled first."""
        return self._memory.at_once < ENDLESS

    def readmit(self, admits: Callable[[Url], bool]) -> int:
        """Take up what was out of scope and no longer is; how many URLs these are."""
        aside = self._walk(lambda work, after: walks.take_up(work, after, admits))
        return aside + self._walk(lambda work, after: walks.widen(work, after, admits))

    def take_over(self, node: str | None = None) -> None:
        """Void the leases of a node that is proven dead; of all others, where none is named.

        What it had in flight ended with it, and so by now at the latest.
        """
        self._work(lambda work: _take_over(work, node))

    def close(self) -> None:
        """Let go of the store. Leases end at their deadlines, or when the next owner takes over."""
        self._store.close()

    def _walk(self, step: Callable[[Work, int], tuple[int, int | None]]) -> int:
        """Go through a table in steps, a transaction each; the sum of what they count."""
        count, after = 0, 0
        while True:
            some, end = self._work(partial(_at, step, after))
            self.between()
            count += some
            if end is None:
                return count
            after = end

    def _hand_out(
        self, task: Callable[[Work], T], leases: Callable[[T], list[Lease]], *, durable: bool = True
    ) -> T:
        """Run a task that may lease, after what an earlier attempt has leased is given back.

        A commit that was not confirmed (the server went away) may have counted. What was leased by
        it nobody else would know of, and its hosts would be held until the leases lapse.
        """

        def run(work: Work) -> T:
            if self._unconfirmed:
                releasing.free(work, self._unconfirmed)
            result = task(work)
            self._unconfirmed += leases(result)
            return result

        result = self._work(run, durable=durable)
        self._unconfirmed.clear()
        return result

    def _work(self, task: Callable[[Work], T], *, durable: bool = True) -> T:
        """Run a task in a transaction; memory learns of it once it is committed."""

        def attempt(txn: Transaction) -> tuple[T, Work]:
            work = Work(txn, self._memory)
            result = task(work)
            work.finish()
            return result, work

        result, work = self._store.transact(attempt, durable=durable)
        self._memory.absorb(work)
        return result


def _leases_of(leases: list[Lease]) -> list[Lease]:
    return leases


def _lease_in(answer: Lease | Wait) -> list[Lease]:
    return [answer] if isinstance(answer, Lease) else []


def _nothing_waits() -> None:
    """Nobody else wants the store meanwhile."""


def _secret(txn: Transaction) -> bytes:
    """The secret of this frontier's keys, made with its first use."""
    txn.rows(
        "INSERT INTO facts (name, value) VALUES ('key secret', ?) ON CONFLICT (name) DO NOTHING",
        new_secret(),
    )
    ((secret,),) = txn.rows("SELECT value FROM facts WHERE name = 'key secret'")
    return bytes(secret)


def _take_over(work: Work, node: str | None) -> None:
    which, values = ("", ()) if node is None else (" WHERE node = ?", (node,))
    hand_back(work, work.txn.rows(f"SELECT token, pages FROM claims{which}", *values))
    releasing.void_leases(work.txn, node)


def _requeue(budget: Budget, after: str, txn: Transaction) -> str | None:
    return sites.requeue(txn, budget, after)


def _rank_host(host: str, after: int, work: Work) -> int | None:
    return learned_parameters.rank_host(work, host, after)


def _announce(entries: Sequence[Announcement], work: Work) -> int:
    return announcements.announce(work, entries)


def _at(step: Callable[[Work, int], T], after: int, work: Work) -> T:
    return step(work, after)
