"""Changes to many pages, in short steps: other limits, another scope, fetching anew, moving, forgetting.

A step of a walk takes the number after which to go on, and returns how many pages it changed and the
number for the next step, or None at the end.
"""

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import Final, NamedTuple

from gossamer.duplicates.likeness import ComparedPage
from gossamer.duplicates.sketch import Sketch
from gossamer.frontier import wanted
from gossamer.frontier.adding import (
    Candidates,
    collect,
    pass_on,
    places,
    remember,
    take_beyond,
)
from gossamer.frontier.alike import FreshPage, forget_slots, leave_groups
from gossamer.frontier.learned_parameters import parameters_of, slots_to_forget
from gossamer.frontier.look_groups import LookGroups
from gossamer.frontier.looks import PageLook, count_look
from gossamer.frontier.protocol import Ended, Forgotten, NewUrl
from gossamer.frontier.robots import refund_site
from gossamer.frontier.rows import (
    holds_content,
    pack_keys,
    pack_links,
    unpack_keys,
    unpack_links,
    unpack_refused,
)
from gossamer.frontier.schema import (
    ASIDE,
    BEYOND,
    FULL,
    HANDED,
    LINE,
    PAGE_STATES,
    PENDING,
    RESTING,
    SETTLED,
)
from gossamer.frontier.store import Row, Transaction
from gossamer.frontier.work import Work
from gossamer.model import Url
from gossamer.urls import origin_of, site_of

AT_ONCE: Final = 2_000  # pages changed in one transaction


def open_hosts(work: Work) -> None:
    """Let hosts that were full be looked at again: there are other limits, or fewer pages."""
    work.txn.rows(f"UPDATE hosts SET stage = {RESTING} WHERE stage = {FULL}")


def shift_depth(work: Work, after: int) -> tuple[int, int | None]:
    """Put pages away that are too deep, take up those no longer so; how many, where to go on."""
    misplaced = f"pages.state IN ({PENDING}, {BEYOND}) AND pages.state <> {work.state_by_depth}"
    rows = work.txn.rows(
        f"SELECT id FROM pages WHERE id > ? AND {misplaced} ORDER BY id LIMIT {AT_ONCE}", after
    )
    shifted = work.txn.update(
        "pages",
        ("id",),
        rows,
        f"state = {work.state_by_depth}",
        f"pages.id = :id AND {misplaced}",
        "pages.host_id, pages.priority, pages.state",
    )
    work.count_moved(PENDING, [row for row in shifted if row[2] == BEYOND])
    work.count_moved(BEYOND, [row for row in shifted if row[2] == PENDING])
    return len(rows), rows[-1][0] if rows else None


def rank_again(work: Work, after: int) -> tuple[int, int | None]:
    """Give pages the rank that they have by now, whatever their state; how many changed, and where to go on."""
    rows = work.txn.rows(
        f"""SELECT id, url, depth, seed, key, priority FROM pages WHERE id > ?
            ORDER BY id LIMIT {AT_ONCE}""",
        after,
    )
    rank = work.memory.rank_anew
    ranks = [(row[0], rank(row[1], row[2], bool(row[3]), row[4]), row[5]) for row in rows]
    changed = [(page, now) for page, now, before in ranks if now != before]
    work.txn.update("pages", ("id", "priority"), changed, "priority = :priority", "pages.id = :id")
    return len(changed), rows[-1][0] if rows else None


def compare_hosts(work: Work, after: int) -> tuple[int, int | None]:
    """Have hosts compare by the ranks that their pages have by now; as above."""
    first = f"""SELECT priority FROM pages WHERE host_id = hosts.id AND state = {PENDING}
        ORDER BY {LINE} LIMIT 1"""
    rows = work.txn.rows(
        f"""UPDATE hosts SET best = coalesce(({first}), 0) WHERE id IN
            (SELECT id FROM hosts WHERE id > ? ORDER BY id LIMIT {AT_ONCE} {{lock}})
            RETURNING id""",
        after,
    )
    return len(rows), max(row[0] for row in rows) if rows else None


def bring_nearer(work: Work, after: int) -> tuple[int, int | None]:
    """Pass on how deep settled pages are, which nobody does without a limit; as above."""
    rows = work.txn.rows(
        f"""SELECT o.page, p.depth FROM outlinks o JOIN pages p ON p.id = o.page
            WHERE o.page > ? AND p.state = {SETTLED} ORDER BY o.page LIMIT {AT_ONCE}""",
        after,
    )
    pass_on(work, dict(rows))
    return len(rows), rows[-1][0] if rows else None


def deepen(work: Work, after: int) -> tuple[int, int | None]:
    """Take up links that were beyond the limit, page by page; how many were new, and where to go on."""
    rows = work.txn.rows(
        f"""SELECT o.page, o.step, o.packed, o.beyond, p.depth FROM outlinks o
            JOIN pages p ON p.id = o.page WHERE o.page > ? ORDER BY o.page LIMIT {AT_ONCE}""",
        after,
    )
    best: Candidates = {}
    for page, step, packed, beyond, depth in rows:
        if beyond is not None and work.state_at(depth + step) == PENDING:
            take_beyond(work, page, depth + step, packed or b"", beyond, best)
    return remember(work, best), rows[-1][0] if rows else None


def widen(work: Work, after: int, admits: Callable[[Url], bool]) -> tuple[int, int | None]:
    """Take up links that were out of scope; how many were new, and where to go on."""
    rows = work.txn.rows(
        f"""SELECT o.page, o.step, o.packed, o.beyond, o.outside, p.depth, p.hops, p.seed
            FROM outlinks o JOIN pages p ON p.id = o.page
            WHERE o.page > ? ORDER BY o.page LIMIT {AT_ONCE}""",
        after,
    )
    best: Candidates = {}
    for page, step, packed, beyond, outside, depth, hops, seed in rows:
        links = unpack_links(outside)
        inside = [link for link in links if admits(link.url)]
        if not inside:
            continue
        within = set(inside)
        left = pack_links([link for link in links if link not in within])
        if work.state_at(depth + step) == PENDING:
            # Where a seed redirects becomes a seed.
            inherited = (0, False) if step else (hops + 1, bool(seed))
            urls = [NewUrl(url, depth + step, priority, *inherited) for url, priority in inside]
            packed = _with(work, packed, urls, collect(work.memory, urls, best))
        else:
            beyond = pack_links([*unpack_links(beyond), *inside, *unpack_refused(beyond)])
        work.txn.rows(
            "UPDATE outlinks SET packed = ?, beyond = ?, outside = ? WHERE page = ?",
            packed,
            beyond,
            left,
            page,
        )
    return remember(work, best), rows[-1][0] if rows else None


def _with(
    work: Work, packed: bytes | None, urls: Sequence[NewUrl], keys: Sequence[int]
) -> bytes | None:
    added = places(work, [origin_of(url.url) for url in urls], keys)
    return pack_keys([*unpack_keys(packed or b""), *added])


def take_up(work: Work, after: int, admits: Callable[[Url], bool]) -> tuple[int, int | None]:
    """Make pages pending that were put aside as out of scope; how many, and where to go on."""
    rows = work.txn.rows(
        f"SELECT id, url FROM pages WHERE id > ? AND state = {ASIDE} ORDER BY id LIMIT {AT_ONCE}",
        after,
    )
    inside = [(page_id,) for page_id, url in rows if admits(url)]
    back = work.txn.update(
        "pages",
        ("id",),
        inside,
        f"state = {work.state_by_depth}",
        f"pages.id = :id AND pages.state = {ASIDE}",
        "pages.host_id, pages.priority, pages.state",
    )
    work.count_moved(ASIDE, back)
    return len(back), rows[-1][0] if rows else None


def fetch_again(
    work: Work, after: int, older_than: int, *, within_depth: bool
) -> tuple[int, int | None]:
    """Make settled pages pending that were settled before; how many, and where to go on.

    `within_depth` leaves those beyond the limit of depth as they are. Otherwise only pages that were
    never asked for (refused) have to be within it.
    """
    deepest = work.memory.limits.depth if within_depth else None
    within = "" if deepest is None else f"AND depth <= {deepest}"
    rows = work.txn.rows(
        f"""SELECT id FROM pages WHERE id > ? AND state = {SETTLED} AND settled_at < ? {within}
            ORDER BY id LIMIT {AT_ONCE}""",
        after,
        older_than,
    )
    return _pending_again(work, rows)


def reopen(work: Work, after: int, host: str, why: str) -> tuple[int, int | None]:
    """Make a host's pages pending that were refused for a reason that begins so; as above."""
    rows = work.txn.rows(
        f"""SELECT id FROM pages WHERE host_id = ? AND id > ? AND state = {SETTLED}
            AND ended = '{Ended.REFUSED}' AND substr(why, 1, {len(why)}) = ?
            ORDER BY id LIMIT {AT_ONCE}""",
        work.host_id(host),
        after,
        why,
    )
    return _pending_again(work, rows)


def _pending_again(work: Work, rows: Sequence[Row]) -> tuple[int, int | None]:
    again = work.txn.update(
        "pages",
        ("id",),
        rows,
        f"state = {work.state_by_depth}, attempts = 0",
        f"pages.id = :id AND pages.state = {SETTLED}",
        "pages.host_id, pages.priority, pages.state",
    )
    # How they ended counts until they end otherwise: the graph has what they said.
    work.count_moved(SETTLED, again)
    open_hosts(work)
    pending = sum(row[2] == PENDING for row in again)
    return pending, rows[-1][0] if rows else None


def move(work: Work, after: int, file: str, moved: Mapping[str, str]) -> tuple[int, int | None]:
    """Note where the records of a file of the archive are now; how many, and where to go on."""
    start = f"{file}:"
    rows = work.txn.rows(
        f"""SELECT id, archived FROM pages
            WHERE id > ? AND substr(archived, 1, {len(start)}) = ? ORDER BY id LIMIT {AT_ONCE}""",
        after,
        start,
    )
    elsewhere = [(page, moved[place]) for page, place in rows if place in moved]
    work.txn.update(
        "pages", ("id", "archived"), elsewhere, "archived = :archived", "pages.id = :id"
    )
    return len(elsewhere), rows[-1][0] if rows else None


def forget(work: Work, host: str, url: Url | None) -> list[Forgotten]:
    """Remove pages of a host, or one of them; a host's clock stays, for it still wants its rest."""
    which, values = ("AND key = ?", (work.memory.keys.of(url),)) if url else ("", ())
    gone = work.txn.rows(
        f"""DELETE FROM pages WHERE id IN (SELECT id FROM pages
            WHERE host_id = (SELECT id FROM hosts WHERE host = ?) {which} LIMIT {AT_ONCE})
            RETURNING id, host_id, url, state, ended, archived, digest, looked, key, sketch, quads,
            duplicates""",
        host,
        *values,
    )
    work.txn.any_of("DELETE FROM outlinks WHERE page {any}", "page", [row[0] for row in gone])
    work.txn.any_of(
        "DELETE FROM hidden_links WHERE key {any}", "key", sorted(row[8] for row in gone)
    )
    wanted.forget_pages(work, [row[0] for row in gone])
    forget_compared(work, host, gone)
    groups = LookGroups(work, [row[1] for row in gone if row[7] is not None])
    for _, host_id, address, state, ended, _, digest, looked, *_ in gone:
        if looked is not None:
            groups.move(host_id, Url(address), PageLook.unpack(looked), None)
            count_look(work.tally, PageLook.unpack(looked), None)
        work.tally["known"] -= 1
        work.tally[PAGE_STATES[state]] -= 1
        if ended is not None:
            work.tally[ended] -= 1
        else:
            work.uncharge(host, address)
        if holds_content(ended, digest):
            work.with_content(host_id, -1)
        elif state == HANDED:
            work.in_hand(host_id, -1)
    groups.save()
    open_hosts(work)
    return [Forgotten(Url(row[2]), row[5]) for row in gone]


def forget_compared(work: Work, host: str, gone: Sequence[Row]) -> None:
    """Forget what pages were compared by, and that they were in groups."""
    names = [each.name for each in parameters_of(work.txn, host)]
    slots: list[tuple[int, int]] = []
    pages: list[FreshPage] = []
    for page, _, url, _, _, _, _, _, key, sketch, quads, _ in gone:
        if sketch is not None or "?" in url:
            each = FreshPage(
                page, Url(url), ComparedPage(key, Sketch.unpack(sketch), quads=quads or 0)
            )
            pages.append(each)
            slots += ((slot, page) for slot in slots_to_forget(work.memory, each, names))
    forget_slots(work.txn, pages, slots)
    leave_groups(work, [(row[0], row[-1], Url(row[2])) for row in gone if row[-1] is not None])


def forget_robots(work: Work, host: str) -> None:
    """Remove what a host's robots.txt said."""
    gone = work.txn.rows("DELETE FROM robots WHERE host = ? RETURNING kept_bytes", host)
    refund_site(work.txn, site_of(host), sum(each for (each,) in gone))


def forget_look_groups(work: Work, host: str) -> None:
    """Remove what the looks at a host's pages have shown of how often they change."""
    ids = "SELECT id FROM hosts WHERE host = ?"
    work.txn.rows(f"DELETE FROM look_groups WHERE host_id IN ({ids})", host)


class ReadAnew(NamedTuple):
    """What a page says by today's readers, that was read once more."""

    id: int
    quads: int
    problems: int
    said: bytes | None
    shown: bytes | None


def read_anew(txn: Transaction, pages: Sequence[ReadAnew]) -> None:
    """Note how many quads and problems pages have, and the hashes of what they say, by number."""
    txn.update(
        "pages",
        ReadAnew._fields,
        sorted(pages, key=attrgetter("id")),
        "quads = :quads, problems = :problems, said = :said, shown = :shown",
        "pages.id = :id",
    )


def has_statements(txn: Transaction) -> bool:
    """Whether any page brought statements."""
    return bool(txn.rows("SELECT 1 FROM pages WHERE quads > 0 LIMIT 1"))


def drop_unarchived(txn: Transaction) -> int:
    """What pages said of which there is no copy is gone; how many these are.

    They have no quads from now on, and are asked for as for the first time: a server that says
    that a page is as it was would not bring back what it said.
    """
    lost = "archived IS NULL AND quads > 0"
    ((count,),) = txn.rows(f"SELECT count(*) FROM pages WHERE {lost}")
    txn.rows(f"UPDATE pages SET quads = 0, etag = NULL, last_modified = NULL WHERE {lost}")
    return int(count)


def drop_unreadable(txn: Transaction, pages: Sequence[int]) -> None:
    """Forget where pages are archived whose copies cannot be read, by page number."""
    txn.update(
        "pages",
        ("id",),
        sorted((page,) for page in pages),
        "quads = 0, etag = NULL, last_modified = NULL",
        "pages.id = :id",
    )
