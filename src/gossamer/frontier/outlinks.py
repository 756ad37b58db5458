"""Where settled pages lead: links that are remembered now, links that are kept for later, and who links where.

A site pays for what its pages have us keep (see `politeness.budget`). Sums are kept in the row of each
site, so that nobody looks through URLs to know them. As long as a site is far from its budget, a page
costs a sum over the lengths of its links; near it, what is new among them is looked up, and no more of
it kept than fits. Known URLs always count as links.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final, NamedTuple

from gossamer.config import Budget
from gossamer.focus.hints import LinkHint
from gossamer.frontier import focusing
from gossamer.frontier.adding import (
    Candidate,
    Candidates,
    collect,
    note_refused,
    places,
    remember,
    unnoted_refusals,
)
from gossamer.frontier.protocol import NO_HINTS, Linking, Outlink, RefusedLink, SiteBudget
from gossamer.frontier.rows import pack_key, pack_keys, pack_links, unpack_keys
from gossamer.frontier.sites import DAY
from gossamer.frontier.store import Row, Transaction
from gossamer.frontier.work import NodeMemory, Work
from gossamer.model import Url
from gossamer.politeness.budget import ASIDE, ELSEWHERE, URL_BYTES, WAITING, Purse, accounts_over
from gossamer.urls import host_of, origin_of, site_of

MOST_ORIGINS: Final = 16_384  # whose sites are known by heart
_ACCOUNTS: Final = "site, waiting_bytes, aside_bytes, elsewhere_bytes, elsewhere_day, left_out"
LOOKED_THROUGH: Final = 50_000  # pages at once, so that nobody who crawls waits for long
FOUND: Final = 1_000  # of them that are told at once
_LEADING: Final = """SELECT o.page, p.url, o.packed FROM outlinks o JOIN pages p ON p.id = o.page
    WHERE o.page > ? AND o.page <= ? AND instr(o.packed, ?) > 0 ORDER BY o.page LIMIT ?"""


class Leading(NamedTuple):
    """A page and where it leads."""

    page: int
    host: str
    depth: int
    step: int  # to its links: 0 for a redirect
    hops: int  # of its links
    seed: bool  # what its links become
    links: Sequence[Url]
    outside: Sequence[Url]
    priority: int  # of both
    refused: Sequence[RefusedLink]
    known_before: bool  # so that what it led to before is to be replaced
    url: Url = Url("")
    hints: Mapping[Url, LinkHint] = NO_HINTS
    is_wanted: bool = False

    def outlinks(self, urls: Iterable[Url]) -> list[Outlink]:
        """Some of its links, as they are kept for later."""
        return [Outlink(url, self.priority) for url in urls]

    def candidates(self, links: Iterable[Url], depth: int) -> list[Candidate]:
        """The links of a page that are followed, at a depth."""
        priority, hops, seed = self.priority, self.hops, self.seed
        return [(url, depth, priority, hops, seed) for url in links]


def write_links(work: Work, pages: Sequence[Leading]) -> int:
    """Remember links and keep them by page; how many were new."""
    best: Candidates = {}
    deepest = work.memory.limits.depth
    rows: list[Row] = []
    refused: list[RefusedLink] = []
    armed: list[focusing.ArmPage] = []
    sites = {page.host: site_of(page.host) for page in pages}
    open_purses(work, sites.values())
    lists: dict[int, str] = {}
    if work.memory.focus is not None:
        lists = focusing.lists_of(work, [page.page for page in pages])
    for page in pages:
        depth = page.depth + page.step
        site = sites[page.host]
        packed = beyond = None
        outside = pack_links(page.outlinks(page.outside))
        if deepest is not None and depth > deepest:
            beyond = pack_links([*page.outlinks(page.links), *page.refused])
        else:
            links = cut(work, site, page.links)
            origins = [origin_of(url) for url in links]
            _note_sites(work, site, origins)
            candidates = page.candidates(links, depth)
            if work.memory.focus is None:
                keys = collect(work.memory, candidates, best)
            else:
                keys = _collect_armed(work, page, lists.get(page.page, ""), candidates, best, armed)
            packed = pack_keys(places(work, origins, keys)) or None
        fresh = [] if beyond else unnoted_refusals(work, page.refused)
        # What a page led to before was paid for, and is replaced.
        kept = 0 if page.known_before else len(outside or b"") + len(beyond or b"")
        kept += sum(len(url) + URL_BYTES for url, _ in fresh)
        if afford_aside(work, site, kept, len(page.outside) or len(page.refused)):
            refused += fresh
        else:
            outside = beyond = None
        if page.known_before or packed or beyond or outside:
            rows.append((page.page, page.step, packed, beyond, outside))
    work.txn.insert(
        "outlinks",
        ("page", "step", "packed", "beyond", "outside"),
        rows,
        "ON CONFLICT (page) DO UPDATE SET step = excluded.step, packed = excluded.packed, "
        "beyond = excluded.beyond, outside = excluded.outside",
    )
    note_refused(work, refused)
    new = remember(work, best)
    if armed:
        focusing.give_arms(work, [each for each in armed if each.key in best])
    return new


def _collect_armed(
    work: Work,
    page: Leading,
    found_on: str,
    links: Sequence[Candidate],
    best: Candidates,
    armed: list[focusing.ArmPage],
) -> Sequence[int]:
    """Collect links with the ranks that their clues give them, and with their arms."""
    urls = [link[0] for link in links]
    arms = focusing.arm_links(work, page.url, urls, page.hints, found_on, is_wanted=page.is_wanted)
    promised = focusing.promises(work, arms)
    keys = collect(work.memory, focusing.rank_by_promise(work, links, promised), best)
    ids = work.ids_of_origins([origin_of(url) for url in urls])
    armed += [
        focusing.ArmPage(
            ids[origin_of(url)], key, arm, promise, page.page if host_of(url) == page.host else None
        )
        for url, key, arm, promise in zip(urls, keys, arms, promised, strict=True)
    ]
    return keys


def add(work: Work, urls: Candidates, found_by: str | None) -> int:
    """Remember URLs that no page has; how many were new. `found_by` is the site that names them."""
    if found_by is not None:
        open_purses(work, [found_by])
        kept = set(cut(work, found_by, [url[0] for url in urls.values()]))
        _note_sites(work, found_by, [origin_of(url) for url in kept])
        urls = {key: url for key, url in urls.items() if url[0] in kept}
    new = remember(work, urls)
    if work.memory.focus is not None:
        focusing.arm_added(work, urls)
    return new


def refuse(work: Work, links: Sequence[RefusedLink], found_by: str | None) -> None:
    """Remember links that no page has, and that are not followed; `found_by` as for `add`."""
    if found_by is not None:
        open_purses(work, [found_by])
        links = unnoted_refusals(work, links)
        size = sum(len(url) + URL_BYTES for url, _ in links)
        if not afford_aside(work, found_by, size, len(links)):
            return
    note_refused(work, links)


def _note_sites(work: Work, site: str, origins: Iterable[str]) -> None:
    """Note which other sites a site's page links to, and that the site pays for what is new there."""
    counted, ids = work.memory.site_links, work.ids_of_origins(origins)
    for origin, host_id in ids.items():
        other = site_of_origin(origin)
        work.charge_to(site, (host_id,), own=other == site)
        if other != site and (other, site) not in counted:
            work.site_links.add((other, site))


def linking(txn: Transaction, memory: NodeMemory, url: Url, after: int) -> Linking:
    """Pages that link to a URL, among the next so many.

    There is no index of that: it would take more room than all else, for a question that people
    ask now and then. Links are small, so many pages' are looked through in a moment.
    """
    rows = txn.rows("SELECT id FROM hosts WHERE host = ?", host_of(url))
    ((last,),) = txn.rows("SELECT coalesce(max(page), 0) FROM outlinks")
    if not rows:
        return Linking((), None)
    wanted = (rows[0][0], memory.keys.of(url))
    until = after + LOOKED_THROUGH
    found = txn.rows(_LEADING, after, until, pack_key(wanted[1]), FOUND)
    if len(found) == FOUND:
        until = found[-1][0]
    # The same bytes may be there by chance.
    pages = [Url(page) for _, page, packed in found if wanted in unpack_keys(packed)]
    return Linking(pages, until if until < last else None)


def open_purses(work: Work, sites: Iterable[str]) -> None:
    """Have the purses of sites at hand for the rest of the transaction."""
    wanted = sorted(set(sites) - set(work.purses))
    budget = work.memory.budget
    for site in wanted:
        work.purses[site] = Purse.after(budget, 0, 0, 0)
    for row in work.txn.any_of(f"SELECT {_ACCOUNTS} FROM sites WHERE site {{any}}", "site", wanted):
        work.purses[row[0]] = Purse.after(budget, *_accounts(row, work.now))


def cut(work: Work, site: str, urls: Sequence[Url]) -> Sequence[Url]:
    """The links of a site's page that are known, or that the site's budget has room for."""
    purse = work.purses[site]
    if purse.pledge(urls, len(urls)):
        return urls
    known = _known(work, urls)
    kept, charge = [], work.charge(site)
    for url in urls:
        own = site_at(url) == site
        if url in known or purse.take(url, own=own):
            kept.append(url)
        else:
            charge.left_out += 1
            charge.over.add(WAITING if own else ELSEWHERE)
    return kept


def afford_aside(work: Work, site: str, size: int, links: int) -> bool:
    """Whether what a page has to be kept aside fits; it is charged, or counted as left out."""
    if not size:
        return True
    charge = work.charge(site)
    if work.purses[site].take_aside(size):
        charge.aside += size
        return True
    charge.left_out += links
    charge.over.add(ASIDE)
    return False


def _known(work: Work, urls: Sequence[Url]) -> set[Url]:
    """The known URLs among these; no host is made known by asking."""
    ids = work.known_hosts(sorted({host_of(url) for url in urls}))
    by_host: dict[int, dict[int, Url]] = {}
    for url, key in zip(urls, work.memory.keys.of_links(urls), strict=True):
        if (host_id := ids.get(host_of(url))) is not None:
            by_host.setdefault(host_id, {})[key] = url
    known: set[Url] = set()
    for host_id, keyed in by_host.items():
        sql = f"SELECT key FROM pages WHERE host_id = {host_id} AND key {{any}}"
        known |= {keyed[key] for (key,) in work.txn.any_of(sql, "key", sorted(keyed))}
    return known


def site_at(url: Url) -> str:
    """The site of a URL."""
    return site_of_origin(origin_of(url))


@lru_cache(MOST_ORIGINS)
def site_of_origin(origin: str) -> str:
    """The site of an origin."""
    return site_of(host_of(Url(f"{origin}/")))


def site_budget(txn: Transaction, budget: Budget, site: str) -> SiteBudget:
    """What the pages of a site have us keep."""
    rows = txn.rows(f"SELECT {_ACCOUNTS} FROM sites WHERE site = ?", site)
    found = _site_budget(rows[0] if rows else (site, 0, 0, 0, 0, 0), budget, txn.now)
    ((content, repeated),) = txn.rows(
        "SELECT content, repeated FROM sites WHERE site = ?", site
    ) or [(0, 0)]
    return replace(found, content=content, repeated=repeated)


def sites_over_budget(txn: Transaction, budget: Budget, limit: int) -> list[SiteBudget]:
    """Sites some of whose links were not kept, those with most of them first."""
    rows = txn.rows(
        f"SELECT {_ACCOUNTS} FROM sites WHERE left_out > 0 ORDER BY left_out DESC, site LIMIT ?",
        limit,
    )
    return [_site_budget(row, budget, txn.now) for row in rows]


def _site_budget(row: Row, budget: Budget, now: int) -> SiteBudget:
    accounts = _accounts(row, now)
    return SiteBudget(row[0], *accounts, row[5], tuple(accounts_over(budget, *accounts)))


def _accounts(row: Row, now: int) -> tuple[int, int, int]:
    _, waiting, aside, elsewhere, day, _ = row
    return max(waiting, 0), aside, elsewhere if day == now // DAY else 0
