"""What sites have us keep: how much that is, and what no longer fits. See `politeness.purse`.

Sums are kept in the row of each site, so that nobody looks through URLs to know them. As long as a
site is far from its budget, a page costs a sum over the lengths of its links; near it, what is new
among them is looked up, and no more of it kept than fits. Known URLs always count as links.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from gossamer.config import Budget
from gossamer.frontier.protocol import SiteBudget
from gossamer.frontier.sites import DAY
from gossamer.frontier.store import Row, Transaction
from gossamer.frontier.work import Work
from gossamer.model import Url
from gossamer.politeness.purse import ASIDE, ELSEWHERE, WAITING, Purse, accounts_over
from gossamer.urls import host_of, origin_of, site_of

MOST_ORIGINS: Final = 16_384  # whose sites are known by heart
_ACCOUNTS: Final = "site, waiting_bytes, aside_bytes, elsewhere_bytes, elsewhere_day, left_out"


def open_purses(work: Work, sites: Iterable[str]) -> None:
    """Have the purses of sites at hand for the rest of the transaction."""
    wanted = sorted(set(sites) - set(work.purses))
    budget = work.desk.budget
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


def site_at(url: Url) -> str:
    """The site of a URL."""
    return site_of_origin(origin_of(url))


@lru_cache(MOST_ORIGINS)
def site_of_origin(origin: str) -> str:
    """The site of an origin."""
    return site_of(host_of(Url(f"{origin}/")))


def state(txn: Transaction, budget: Budget, site: str) -> SiteBudget:
    """What the pages of a site have us keep."""
    rows = txn.rows(f"SELECT {_ACCOUNTS} FROM sites WHERE site = ?", site)
    return _state(rows[0] if rows else (site, 0, 0, 0, 0, 0), budget, txn.now)


def left_out(txn: Transaction, budget: Budget, limit: int) -> list[SiteBudget]:
    """Sites some of whose links were not kept, those with most of them first."""
    rows = txn.rows(
        f"SELECT {_ACCOUNTS} FROM sites WHERE left_out > 0 ORDER BY left_out DESC, site LIMIT ?",
        limit,
    )
    return [_state(row, budget, txn.now) for row in rows]


def _state(row: Row, budget: Budget, now: int) -> SiteBudget:
    accounts = _accounts(row, now)
    return SiteBudget(row[0], *accounts, row[5], tuple(accounts_over(budget, *accounts)))


def _accounts(row: Row, now: int) -> tuple[int, int, int]:
    _, waiting, aside, elsewhere, day, _ = row
    return max(waiting, 0), aside, elsewhere if day == now // DAY else 0


def _known(work: Work, urls: Sequence[Url]) -> set[Url]:
    """The known URLs among these; no host is made known by asking."""
    ids = work.known_hosts(sorted({host_of(url) for url in urls}))
    by_host: dict[int, dict[int, Url]] = {}
    for url, key in zip(urls, work.desk.keys.of_links(urls), strict=True):
        if (host_id := ids.get(host_of(url))) is not None:
            by_host.setdefault(host_id, {})[key] = url
    known: set[Url] = set()
    for host_id, keyed in by_host.items():
        sql = f"SELECT key FROM pages WHERE host_id = {host_id} AND key {{any}}"
        known |= {keyed[key] for (key,) in work.txn.any_of(sql, "key", sorted(keyed))}
    return known
