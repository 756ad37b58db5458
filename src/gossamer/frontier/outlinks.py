"""Where settled pages lead: what is remembered now, and what is kept for later."""

from collections.abc import Sequence
from typing import NamedTuple

from gossamer.frontier import refusals
from gossamer.frontier.adding import Candidates, collect, places, remember
from gossamer.frontier.packing import pack_keys, pack_links
from gossamer.frontier.protocol import Outlink, RefusedLink
from gossamer.frontier.store import Row
from gossamer.frontier.work import Work
from gossamer.urls import host_of, site_of


class Leading(NamedTuple):
    """A page and where it leads."""

    page: int
    host: str
    depth: int
    step: int  # to its links: 0 for a redirect
    hops: int  # of its links
    seed: bool  # what its links become
    links: Sequence[Outlink]
    outside: Sequence[Outlink]
    refused: Sequence[RefusedLink]
    known_before: bool  # so that what it led to before is to be replaced


def write_links(work: Work, pages: Sequence[Leading]) -> int:
    """Remember links and keep them by page as far as that is needed; how many were new."""
    best: Candidates = {}
    deepest = work.desk.limits.depth
    rows: list[Row] = []
    refused: list[RefusedLink] = []
    for page in pages:
        depth = page.depth + page.step
        packed = beyond = None
        if deepest is not None and depth > deepest:
            beyond = pack_links([*page.links, *page.refused])
        else:
            links = [(url, depth, priority, page.hops, page.seed) for url, priority in page.links]
            keys = collect(work.desk, links, best)
            _note_sites(work, page)
            refused += page.refused
            if deepest is not None:
                packed = pack_keys(places(work, [link.url for link in page.links], keys))
        if page.known_before or packed or beyond or page.outside:
            rows.append((page.page, page.step, packed, beyond, pack_links(page.outside)))
    work.txn.insert(
        "outlinks",
        ("page", "step", "packed", "beyond", "outside"),
        rows,
        "ON CONFLICT (page) DO UPDATE SET step = excluded.step, packed = excluded.packed, "
        "beyond = excluded.beyond, outside = excluded.outside",
    )
    refusals.note(work, refused)
    return remember(work, best)


def _note_sites(work: Work, page: Leading) -> None:
    """Note which other sites a page links to."""
    own = (f"://{page.host}/", f"://{page.host}:")
    site, counted = site_of(page.host), work.desk.site_links
    for url, _ in page.links:
        if url.startswith(own, 5) or url.startswith(own, 4):
            continue
        other = site_of(host_of(url))
        if other != site and (other, site) not in counted:
            work.site_links.add((other, site))
