"""Groups of pages that are the same thing, in the frontier's tables, found as pages are settled.

A page has a few *slots*: hashes of its words, and of parts of its sketch together with its site. A slot has the page
that had it first. So who else may be the same thing costs a few look-ups, whatever the crawl's size: pages whose
slots are taken are compared (`duplicates.likeness`), and join the group of the one that they are like.
Slots of parts begin with the site's, so that those of the pages of one site are neighbours on the disk.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2b
from typing import Final, NamedTuple

from gossamer.duplicates.group import (
    GroupMember,
    kind_of,
    pack_marks,
    path_mark,
    representative,
    site_mark,
    with_mark,
)
from gossamer.duplicates.likeness import FEWEST_QUADS, ComparedPage, likeness
from gossamer.duplicates.sketch import Sketch
from gossamer.frontier.protocol import DuplicateGroup
from gossamer.frontier.store import Row, Transaction
from gossamer.frontier.work import Work
from gossamer.model import Url
from gossamer.urls import host_of, site_of
from gossamer.urls.keys import UrlKeys

MOST_MEMBERS: Final = 200  # that are looked at to choose among them, or shown
_BAND_BITS: Final = 22
_BANDS_BITS: Final = _BAND_BITS + 2
_WHOLE: Final = 3 << _BAND_BITS  # in place of a band: the slot of all words
COMPARED: Final = "id, url, key, sketch, digest, canonical, quads, duplicates"
_MEMBER: Final = "id, url, key, canonical, hops, listed, depth"


@dataclass(slots=True)
class FreshPage:
    """A page that was settled with content, or one that it is compared with."""

    id: int
    url: Url
    compared: ComparedPage
    group: int | None = None

    @classmethod
    def of_row(cls, row: Row) -> "FreshPage":
        """A page by its row of `COMPARED`."""
        page, url, key, sketch, digest, canonical, quads, group = row
        compared = ComparedPage(key, Sketch.unpack(sketch), digest, canonical, quads or 0)
        return cls(page, Url(url), compared, group)


def slots_of(page: FreshPage) -> list[int]:
    """The slots of a page."""
    sketch = page.compared.sketch
    if sketch is None:
        return []
    if sketch.words:
        whole = _hash(b"words", sketch.bag.to_bytes(8, "big"), sketch.words.to_bytes(2, "big"))
    elif page.compared.quads >= FEWEST_QUADS:
        whole = _hash(b"said", sketch.said)
    else:
        return []
    site = _site_hash(site_of(host_of(page.url)))
    bands = [site | (place << _BAND_BITS) | band for place, band in enumerate(sketch.bands)]
    return [whole | _WHOLE, *bands]


def _hash(*parts: bytes) -> int:
    digest = blake2b(b"".join(parts), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> 2


@lru_cache(10_000)
def _site_hash(site: str) -> int:
    return (_hash(b"site", site.encode()) >> _BANDS_BITS) << _BANDS_BITS


@dataclass(slots=True)
class Slots:
    """Slots as the store has them, and those that this transaction takes."""

    taken: dict[int, int]  # slot to page
    new: dict[int, int] = field(default_factory=dict)
    pages: dict[int, FreshPage] = field(default_factory=dict)  # that have slots, by id

    @classmethod
    def look_up(cls, txn: Transaction, slots: Iterable[int]) -> "Slots":
        """The slots that are taken among these, with the pages that have them."""
        sql = "SELECT key, page FROM alike WHERE key {any}"
        taken: dict[int, int] = dict(txn.any_of(sql, "key", sorted(set(slots))))
        sql = f"SELECT {COMPARED} FROM pages WHERE id {{any}}"
        rows = txn.any_of(sql, "id", sorted(set(taken.values())))
        return cls(taken, pages={row[0]: FreshPage.of_row(row) for row in rows})

    def page_at(self, slot: int, newcomer: FreshPage, *, stays: bool) -> FreshPage | None:
        """The page that has a slot, which otherwise becomes the newcomer's; `stays` where it may be out of date."""
        page = self.pages.get(self.taken.get(slot, 0))
        if page is None or page.id == newcomer.id or not (stays or slot in slots_of(page)):
            self.new[slot] = self.taken[slot] = newcomer.id
            return None
        return page

    def known_at(self, slot: int) -> FreshPage | None:
        """The page that has a slot, which is nobody's to take."""
        return self.pages.get(self.taken.get(slot, 0))

    def write(self, txn: Transaction) -> None:
        """Write the slots that were taken."""
        txn.insert(
            "alike",
            ("key", "page"),
            sorted(self.new.items()),
            "ON CONFLICT (key) DO UPDATE SET page = excluded.page",
        )


def join_groups(
    work: Work, fresh: Sequence[FreshPage], slots: Slots
) -> list[tuple[FreshPage, FreshPage]]:
    """Have pages join the groups of those that they are like; each with that page."""
    joining: dict[int, list[FreshPage]] = {}
    alike: list[tuple[FreshPage, FreshPage]] = []
    for page in fresh:
        slots.pages[page.id] = page
    for page in fresh:
        for slot in slots_of(page):
            other = slots.page_at(slot, page, stays=False)
            if other is None or page.group is not None:
                continue
            if likeness(page.compared, other.compared) is not None:
                if other.group is None:
                    other.group = other.id
                    joining.setdefault(other.group, []).append(other)
                page.group = other.group
                alike.append((page, other))
                joining.setdefault(other.group, []).append(page)
    if joining:
        _write_groups(work, joining)
    return alike


class _Group(NamedTuple):
    """A row of a group."""

    id: int
    members: int
    paths_marked: bytes
    sites_marked: bytes


def _write_groups(work: Work, joining: Mapping[int, Sequence[FreshPage]]) -> None:
    rows = [(page.id, group) for group, pages in joining.items() for page in pages]
    work.txn.update(
        "pages", ("id", "duplicates"), sorted(rows), "duplicates = :duplicates", "pages.id = :id"
    )
    known = _groups(work.txn, list(joining))
    changed: list[_Group] = []
    for number, pages in sorted(joining.items()):
        _, members, paths, sites = known.get(number, _Group(number, 0, b"", b""))
        for page in pages:
            site = site_of(host_of(page.url))
            paths, sites = with_mark(paths, path_mark(page.url)), with_mark(sites, site_mark(site))
        changed.append(_Group(number, members + len(pages), paths, sites))
        for page in pages:
            if page.id != number:
                work.repeat(site_of(host_of(page.url)), 1)
    _keep_groups(work.txn, changed)


def _groups(txn: Transaction, numbers: Sequence[int], lock: str = "{lock}") -> dict[int, _Group]:
    names = ", ".join(_Group._fields)
    sql = f"SELECT {names} FROM duplicate_groups WHERE id {{any}} ORDER BY id {lock}"
    return {row[0]: _Group(*row) for row in txn.any_of(sql, "id", sorted(numbers))}


def _keep_groups(txn: Transaction, groups: Sequence[_Group]) -> None:
    txn.insert(
        "duplicate_groups",
        _Group._fields,
        groups,
        "ON CONFLICT (id) DO UPDATE SET members = excluded.members, "
        "paths_marked = excluded.paths_marked, sites_marked = excluded.sites_marked",
    )


def leave_groups(work: Work, pages: Sequence[tuple[int, int, Url]]) -> None:
    """Have pages leave their groups: number, group and URL of each. A group of one is none."""
    if not pages:
        return
    work.txn.update(
        "pages",
        ("id", "duplicates"),
        [(page, None) for page, _, _ in sorted(pages)],
        "duplicates = :duplicates",
        "pages.id = :id",
    )
    for page, number, url in pages:
        if page != number:
            work.repeat(site_of(host_of(url)), -1)
    numbers = sorted({group for _, group, _ in pages})
    changed: list[_Group] = []
    for number, group in _groups(work.txn, numbers).items():
        left = group.members - sum(1 for _, each, _ in pages if each == number)
        rows = _members(work.txn, number)
        if left <= 1 or len(rows) <= 1:
            work.txn.rows("UPDATE pages SET duplicates = NULL WHERE duplicates = ?", number)
            work.txn.rows("DELETE FROM duplicate_groups WHERE id = ?", number)
            for row in rows:
                if row[0] != number:
                    work.repeat(site_of(host_of(Url(row[1]))), -1)
            continue
        urls = [Url(row[1]) for row in rows]
        paths = pack_marks(map(path_mark, urls))
        sites = pack_marks(site_mark(site_of(host_of(url))) for url in urls)
        changed.append(_Group(number, left, paths, sites))
    _keep_groups(work.txn, changed)


def forget_slots(
    txn: Transaction, pages: Sequence[FreshPage], slots: Iterable[tuple[int, int]]
) -> None:
    """Remove the slots of pages, and others by slot and page."""
    own = [(slot, page.id) for page in pages for slot in slots_of(page)]
    for slot, number in sorted({*own, *slots}):
        txn.rows("DELETE FROM alike WHERE key = ? AND page = ?", slot, number)


def _members(txn: Transaction, group: int, site: str | None = None) -> list[Row]:
    rows = txn.rows(
        f"""SELECT {_MEMBER} FROM pages WHERE duplicates = ?
            ORDER BY length(url), id LIMIT {MOST_MEMBERS}""",
        group,
    )
    return [row for row in rows if site is None or site_of(host_of(Url(row[1]))) == site]


def _member(row: Row) -> GroupMember:
    _, url, key, canonical, hops, listed, depth = row
    return GroupMember(Url(url), key, canonical, hops > 0, bool(listed), depth)


def group_of(txn: Transaction, host: str, key: int) -> DuplicateGroup | None:
    """The group of a page; of one that spans sites, the pages of the page's own."""
    rows = txn.rows(
        """SELECT duplicates FROM pages WHERE key = ? AND duplicates IS NOT NULL
            AND host_id = (SELECT id FROM hosts WHERE host = ?)""",
        key,
        host,
    )
    return _described(txn, rows[0][0], site_of(host)) if rows else None


def _described(txn: Transaction, number: int, site: str | None) -> DuplicateGroup | None:
    groups = _groups(txn, [number], lock="")
    members = [_member(row) for row in _members(txn, number, site)]
    if not groups or not members:
        return None
    best, why = representative(members)
    group = groups[number]
    return DuplicateGroup(
        best.url,
        why,
        tuple(sorted((each.url for each in members if each.url != best.url), key=len)),
        group.members,
        kind_of(group.paths_marked, group.sites_marked),
    )


def groups(
    txn: Transaction, host: str | None, after: int, limit: int
) -> list[tuple[int, DuplicateGroup]]:
    """Groups by number, from the one after `after`; those alone that have pages of a host."""
    within, values = "", tuple[str | int, ...]()
    if host is not None:
        within = """AND EXISTS (SELECT 1 FROM pages WHERE duplicates = duplicate_groups.id
            AND host_id = (SELECT id FROM hosts WHERE host = ?))"""
        values = (host,)
    sql = f"SELECT id FROM duplicate_groups WHERE id > ? {within} ORDER BY id LIMIT ?"
    site = None if host is None else site_of(host)
    found = [
        (number, _described(txn, number, site))
        for (number,) in txn.rows(sql, after, *values, limit)
    ]
    return [(number, group) for number, group in found if group is not None]


def stand_ins(txn: Transaction, keys: UrlKeys, urls: Sequence[Url]) -> dict[str, str]:
    """The pages among these for which another page of their site stands, with that page."""
    if not txn.rows("SELECT 1 FROM duplicate_groups LIMIT 1"):
        return {}
    found: dict[str, str] = {}
    for url in dict.fromkeys(urls):
        if url in found:
            continue
        group = group_of(txn, host_of(url), keys.of(url))
        if group is not None and group.others:
            found |= dict.fromkeys(group.others, group.representative)
            if url != group.representative:
                found[url] = group.representative
    return {url: found[url] for url in urls if url in found}


def note_listed(txn: Transaction, keys: UrlKeys, urls: Sequence[Url]) -> None:
    """Note that a sitemap lists these pages."""
    ids: dict[str, int] = dict(
        txn.any_of(
            "SELECT host, id FROM hosts WHERE host {any}", "host", sorted(set(map(host_of, urls)))
        )
    )
    rows = [
        (ids[host], key, True)
        for url, key in zip(urls, keys.of_all(urls), strict=True)
        if (host := host_of(url)) in ids
    ]
    txn.update(
        "pages",
        ("host_id", "key", "listed"),
        sorted(set(rows)),
        "listed = :listed",
        "pages.host_id = :host_id AND pages.key = :key AND pages.listed IS NULL",
    )
