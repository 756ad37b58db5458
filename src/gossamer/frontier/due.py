"""Pages whose next look is due go back among those that are to be fetched, as fast as the budget of looks allows.

The budget is a line in the database up to which looks are paid for: nodes that share a frontier share it. A page
that is taken has its next look put off for a day in the same step, so whatever becomes of it, it comes back.
"""

from datetime import datetime
from typing import Final, NamedTuple

from gossamer.freshness.census import Census
from gossamer.freshness.steering import steered
from gossamer.frontier.look_groups import LookGroups, weight
from gossamer.frontier.looks import (
    CENSUS,
    DAY,
    LookMemory,
    LookReason,
    PageLook,
    VisitedPage,
    count_look,
)
from gossamer.frontier.protocol import Ended
from gossamer.frontier.rows import SECOND, microseconds
from gossamer.frontier.schema import IDLE, RESTING, SETTLED
from gossamer.frontier.store import Transaction
from gossamer.frontier.work import Work

LINE: Final = "looks"  # the name of the line
MOST_TAKEN: Final = 500  # in one transaction
MOST_PUT_OFF: Final = 500
MOST_COUNTED: Final = 100_000  # pages that are due: more are told as so many
AT_ONCE: Final = 2_000  # pages that are given their first look, in one transaction
SAVED: Final = 600 * SECOND  # for so long, looks that were not needed are kept for later
NOT_YET: Final = 60 * SECOND  # after its host may be asked again
WAITS: Final = f"state = {SETTLED} AND look_at IS NOT NULL"
"""Pages that wait for their next look. A query that says it word for word is answered by an index."""


class Taken(NamedTuple):
    """What came of taking pages for their next look."""

    pages: int = 0
    put_off: int = 0  # whose hosts ask for more patience than we have
    next_at: datetime | None = None  # when the next page may be taken; None: there is none


class LookOutlook(NamedTuple):
    """How a frontier stands with the pages that it keeps fresh."""

    pages: int  # that are kept fresh: those with content
    next_at: datetime | None  # the next look at any page
    due: int  # pages whose look is due, at most `MOST_COUNTED`
    overdue: int  # of these, for more than a day


def first_looks(work: Work, after: int) -> tuple[int, int | None]:
    """Give settled pages a next look that have none; how many, and where to go on."""
    looks = work.memory.looks
    rows = work.txn.rows(
        f"""SELECT id, settled_at, ended, host_id, url, priority FROM pages
            WHERE id > ? AND state = {SETTLED} AND look_at IS NULL ORDER BY id LIMIT {AT_ONCE} {{lock}}""",
        after,
    )
    if looks is None or not rows:
        return 0, None
    groups = LookGroups(work, [row[3] for row in rows])
    given = []
    for page, at, ended, host_id, url, priority in rows:
        visited = VisitedPage(page, at, ended, PageLook(), weight(work, priority, url))
        given.append(each := looks.of_known(visited, work.now))
        groups.move(host_id, url, PageLook(), each.look)
        count_look(work.tally, PageLook(), each.look)
    groups.save()
    work.txn.update(
        "pages",
        ("id", "look_at", "looked"),
        [(row[0], each.at, each.look.pack()) for row, each in zip(rows, given, strict=True)],
        "look_at = :look_at, looked = :looked",
        "pages.id = :id",
    )
    return len(rows), rows[-1][0]


def take_due(work: Work) -> Taken:
    """Take pages back among the pending, in the order in which they are due, as many as the budget has.

    A page is taken before it is due where the budget has room for it: a plan says who comes sooner, and the
    budget how many come.
    """
    looks = work.memory.looks
    if looks is None:
        return Taken()
    paid, gap = _paid(work), max(round(DAY / looks.per_day), 1)
    allowed = max(min((work.now - paid) // gap, MOST_TAKEN), 0)
    rows = _next_looks(work, allowed + (MOST_PUT_OFF if allowed else 1))
    later = [(row.id, row.parked_until + NOT_YET) for row in rows if row.parked_until is not None]
    ready = [row for row in rows if row.parked_until is None]
    due = [row for row in ready if _may_come(looks, row) <= work.now][:allowed] if allowed else []
    work.txn.update("pages", ("id", "look_at"), later, "look_at = :look_at", "pages.id = :id")
    again = work.txn.update(
        "pages",
        ("id", "look_at"),
        sorted((row.id, work.now + DAY) for row in due),
        f"state = {work.state_by_depth}, attempts = 0, look_at = :look_at",
        f"pages.id = :id AND pages.state = {SETTLED}",
        "pages.host_id, pages.priority, pages.state",
    )
    work.count_moved(SETTLED, again)
    work.open_hosts(host_id for host_id, _, _ in again)
    paid += gap * len(due)
    if due:
        pay = "UPDATE limit_lines SET paid_until = ? WHERE name = ? RETURNING name"
        work.txn.rows(pay, paid, LINE)
    taken = {row.id for row in due}
    left = [row for row in ready if row.id not in taken]
    looks.factor = steered((work.now - left[0].look_at) / DAY, looks.round_days) if left else 1.0
    may_come = min((_may_come(looks, row) for row in left), default=0)
    soon = max(paid + gap, may_come)
    return Taken(len(due), len(later), work.txn.here(soon) if rows else None)


class _Waiting(NamedTuple):
    """A page that waits for its next look."""

    id: int
    look_at: int
    looked: bytes | None
    parked_until: int | None  # its host, which has to be left alone longer than we are patient


def _next_looks(work: Work, most: int) -> list[_Waiting]:
    patient = work.now + microseconds(work.memory.politeness.patience)
    rows = work.txn.rows(
        f"""SELECT id, look_at, looked, (SELECT next_at FROM hosts
                WHERE hosts.id = host_id AND stage IN ({IDLE}, {RESTING}) AND next_at > ?)
            FROM pages WHERE {WAITS} ORDER BY look_at LIMIT {most} {{claim}}""",
        patient,
    )
    return [_Waiting(*row) for row in rows]


def _may_come(looks: LookMemory, row: _Waiting) -> int:
    """From when a page may be looked at: half its time has passed, and the least time between two looks.

    One that could not be had waits for its whole time.
    """
    look = PageLook.unpack(row.looked)
    if look.misses or not look.seen:
        return row.look_at
    planned = 0.0 if look.why == LookReason.FIRST else look.days / 2
    least = max(planned, looks.rules.clamp(0.0))
    return min(row.look_at, look.seen * SECOND + round(DAY * least))


def _paid(work: Work) -> int:
    """Up to when looks are paid for; whoever asks next waits for us."""
    looks = work.memory.looks
    assert looks is not None
    rows = work.txn.rows("SELECT paid_until FROM limit_lines WHERE name = ? {lock}", LINE)
    if not rows:
        keep = "ON CONFLICT (name) DO UPDATE SET paid_until = limit_lines.paid_until"
        columns = ("name", "paid_until")
        rows = work.txn.insert("limit_lines", columns, [(LINE, 0)], f"{keep} RETURNING paid_until")
    paid = rows[0][0]
    return max(int(paid), work.now - max(SAVED, round(DAY / looks.per_day)))


def census(txn: Transaction) -> Census:
    """The pages that are kept fresh, counted by bin."""
    sql = "SELECT name, sum(n) FROM tallies WHERE name LIKE ? GROUP BY name"
    rows = txn.rows(sql, f"{CENSUS}%")
    return Census({int(name.removeprefix(CENSUS)): int(pages) for name, pages in rows})


def count_kept(txn: Transaction) -> int:
    """How many pages are kept fresh."""
    return census(txn).pages


def count_content(txn: Transaction) -> int:
    """How many pages were settled with content."""
    sql = "SELECT coalesce(sum(n), 0) FROM tallies WHERE name = ?"
    ((pages,),) = txn.rows(sql, Ended.CONTENT)
    return int(pages)


def outlook(txn: Transaction) -> LookOutlook:
    """How the pages stand that are kept fresh."""
    ((first,),) = txn.rows(f"SELECT min(look_at) FROM pages WHERE {WAITS}")
    return LookOutlook(
        count_kept(txn),
        None if first is None else txn.here(int(first)),
        _count_due(txn, txn.now),
        _count_due(txn, txn.now - DAY),
    )


def _count_due(txn: Transaction, moment: int) -> int:
    some = f"SELECT 1 FROM pages WHERE {WAITS} AND look_at <= ? LIMIT {MOST_COUNTED}"
    ((count,),) = txn.rows(f"SELECT count(*) FROM ({some}) AS due", moment)
    return int(count)
