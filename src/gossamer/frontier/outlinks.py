"""Where settled pages lead: what is remembered now, what is kept for later, and who leads where."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from gossamer.frontier import refusals
from gossamer.frontier.adding import Candidate, Candidates, collect, places, remember
from gossamer.frontier.packing import pack_key, pack_keys, pack_links, unpack_keys
from gossamer.frontier.protocol import Linking, Outlink, RefusedLink
from gossamer.frontier.site_budgets import afford_aside, cut, open_purses, site_of_origin
from gossamer.frontier.store import Row, Transaction
from gossamer.frontier.work import Desk, Work
from gossamer.model import Url
from gossamer.politeness.purse import URL_BYTES
from gossamer.urls import host_of, origin_of, site_of

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
    deepest = work.desk.limits.depth
    rows: list[Row] = []
    refused: list[RefusedLink] = []
    sites = {page.host: site_of(page.host) for page in pages}
    open_purses(work, sites.values())
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
            keys = collect(work.desk, page.candidates(links, depth), best)
            packed = pack_keys(places(work, origins, keys)) or None
        fresh = [] if beyond else refusals.unnoted(work, page.refused)
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
    refusals.note(work, refused)
    return remember(work, best)


def add(work: Work, urls: Candidates, found_by: str | None) -> int:
    """Remember URLs that no page has; how many were new. `found_by` is the site that names them."""
    if found_by is None:
        return remember(work, urls)
    open_purses(work, [found_by])
    kept = set(cut(work, found_by, [url[0] for url in urls.values()]))
    _note_sites(work, found_by, [origin_of(url) for url in kept])
    return remember(work, {key: url for key, url in urls.items() if url[0] in kept})


def refuse(work: Work, links: Sequence[RefusedLink], found_by: str | None) -> None:
    """Remember links that no page has, and that are not followed; `found_by` as for `add`."""
    if found_by is not None:
        open_purses(work, [found_by])
        links = refusals.unnoted(work, links)
        size = sum(len(url) + URL_BYTES for url, _ in links)
        if not afford_aside(work, found_by, size, len(links)):
            return
    refusals.note(work, links)


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


def _note_sites(work: Work, site: str, origins: Iterable[str]) -> None:
    """Note which other sites a site's page links to, and that the site pays for what is new there."""
    counted, ids = work.desk.site_links, work.ids_of_origins(origins)
    for origin, host_id in ids.items():
        other = site_of_origin(origin)
        work.found_by(site, (host_id,), own=other == site)
        if other != site and (other, site) not in counted:
            work.site_links.add((other, site))
