"""Where settled pages lead: what is remembered now, what is kept for later, and who leads where."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from gossamer.frontier import refusals
from gossamer.frontier.adding import Candidate, Candidates, collect, places, remember
from gossamer.frontier.packing import pack_key, pack_keys, pack_links, unpack_keys
from gossamer.frontier.protocol import Linking, Outlink, RefusedLink
from gossamer.frontier.store import Row, Transaction
from gossamer.frontier.work import Desk, Work
from gossamer.model import Url
from gossamer.urls import host_of, origin_of, site_of

LOOKED_THROUGH: Final = 50_000  # pages at once, so that nobody who crawls waits for long
FOUND: Final = 1_000  # of them that are told at once
MOST_ORIGINS: Final = 16_384  # whose sites are known by heart
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

    def outlinks(self, urls: Iterable[Url]) -> list[Outlink]:
        """Some of its links, as they are kept for later."""
        return [Outlink(url, self.priority) for url in urls]

    def candidates(self, depth: int) -> list[Candidate]:
        """What is followed of it, at a depth."""
        priority, hops, seed = self.priority, self.hops, self.seed
        return [(url, depth, priority, hops, seed) for url in self.links]


def write_links(work: Work, pages: Sequence[Leading]) -> int:
    """Remember links and keep them by page; how many were new."""
    best: Candidates = {}
    deepest = work.desk.limits.depth
    rows: list[Row] = []
    refused: list[RefusedLink] = []
    for page in pages:
        depth = page.depth + page.step
        packed = beyond = None
        outside = pack_links(page.outlinks(page.outside))
        if deepest is not None and depth > deepest:
            beyond = pack_links([*page.outlinks(page.links), *page.refused])
        else:
            origins = [origin_of(url) for url in page.links]
            _note_sites(work, page, origins)
            keys = collect(work.desk, page.candidates(depth), best)
            packed = pack_keys(places(work, origins, keys)) or None
            refused += page.refused
        if page.known_before or packed or beyond or outside:
            rows.append((page.page, page.step, packed, beyond, outside))
    work.txn.insert(
        "outlinks",
        ("page", "step", "packed", "beyond", "outside"),
        rows,
        "ON CONFLICT (page) DO UPDATE SET step = excluded.step, packed = excluded.packed, "
        "beyond = excluded.beyond, outside = excluded.outside",
    )
    refusals.note(work, refused)
    return remember(work, best)


def linking(txn: Transaction, desk: Desk, url: Url, after: int) -> Linking:
    """Pages that link to a URL, among the next so many.

    There is no index of that: it would take more room than all else, for a question that people
    ask now and then. Links are small, so many pages' are looked through in a moment.
    """
    rows = txn.rows("SELECT id FROM hosts WHERE host = ?", host_of(url))
    ((last,),) = txn.rows("SELECT coalesce(max(page), 0) FROM outlinks")
    if not rows:
        return Linking((), None)
    wanted = (rows[0][0], desk.keys.of(url))
    until = after + LOOKED_THROUGH
    found = txn.rows(_LEADING, after, until, pack_key(wanted[1]), FOUND)
    if len(found) == FOUND:
        until = found[-1][0]
    # The same bytes may be there by chance.
    pages = [Url(page) for _, page, packed in found if wanted in unpack_keys(packed)]
    return Linking(pages, until if until < last else None)


def _note_sites(work: Work, page: Leading, origins: Iterable[str]) -> None:
    """Note which other sites a page links to."""
    site, counted = site_of(page.host), work.desk.site_links
    for origin in set(origins):
        other = _site_at(origin)
        if other != site and (other, site) not in counted:
            work.site_links.add((other, site))


@lru_cache(MOST_ORIGINS)
def _site_at(origin: str) -> str:
    return site_of(host_of(Url(f"{origin}/")))
