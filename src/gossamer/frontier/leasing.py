"""Leases hosts to nodes, each with its next pages."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from gossamer.frontier import focused_pages
from gossamer.frontier.claims import Room, Taking, claim, hand_back_lapsed
from gossamer.frontier.protocol import Assignment, Lease
from gossamer.frontier.robots import records_of
from gossamer.frontier.rows import (
    HOST_COLUMNS,
    PAGE_COLUMNS,
    SECOND,
    HostRow,
    PageRow,
    clock_here,
    delay_of,
    host_row,
    page_row,
    ready_at,
)
from gossamer.frontier.schema import (
    FULL,
    HELD,
    HOLDS_CONTENT,
    IDLE,
    PENDING,
    READY,
    RESTING,
    WAITING,
)
from gossamer.frontier.store import Row
from gossamer.frontier.work import NOT_URGENT, Work
from gossamer.politeness.budget import QUEUES, next_queue, queue_in_turn, shares
from gossamer.politeness.delay import pace_for

LONG_DELAY: Final = 5 * SECOND  # a host that rests longer gets one page at a time
LOOK_AGAIN: Final = SECOND // 2  # where somebody else is about to change what we decide from
MOST_AT_ONCE: Final = 10_000
MOST_WOKEN: Final = 1_000  # hosts, the longest due first: 10,000 take PostgreSQL up to a second
AHEAD: Final = 4  # hosts of each queue, to be looked up before they are leased
_TRIED: Final = "attempts > 0"
_HAS_AGAIN: Final = f"""EXISTS (SELECT 1 FROM pages
    WHERE pages.host_id = hosts.id AND state = {PENDING} AND {HOLDS_CONTENT})"""


def _first_of_queues(
    columns: str, which: str, count: int | str, order: str = "best DESC, next_at, id"
) -> str:
    """A query for the first few ready hosts of each queue."""
    return " UNION ALL ".join(
        f"""SELECT * FROM (SELECT {columns} FROM hosts
            WHERE stage = {READY} AND queue = {queue} AND {which}
            ORDER BY {order} LIMIT {count}) AS queue_{queue}"""
        for queue in range(QUEUES)
    )


_NEXT: Final = _first_of_queues("host", "TRUE", AHEAD)
FIRST_READY: Final = _first_of_queues("queue, best", "TRUE", 1)
FIRST_AGAIN: Final = _first_of_queues("queue, best", _HAS_AGAIN, 1)
OLDEST_READY: Final = _first_of_queues("queue, next_at", "TRUE", "?", "next_at, id")
OLDEST_AGAIN: Final = _first_of_queues("queue, next_at", _HAS_AGAIN, "?", "next_at, id")


class Candidate(NamedTuple):
    """A ready host, its delay, and how many of its pages may be handed out."""

    row: HostRow
    delay: int
    pages: int
    again: bool = False  # those alone that hold content: there is no room for others


def lease(work: Work, hosts: int, pages: int) -> list[Lease]:
    """Claim up to so many ready hosts, with the next few pages of each."""
    work.memory.next_hosts = ()
    pages = min(pages, work.memory.at_once)
    hand_back_lapsed(work)
    wake(work)
    room = Room.now(work)
    if room.is_none and not _any_again(work):
        return []
    candidates = _may_be_asked(work, _ready(work, hosts, room), room, pages)
    found = _pages_of(work, candidates)
    nothing = [each for each in candidates if each.row.id not in found]
    become_idle(work, [(each.row.id, each.row.next_at) for each in nothing if not each.again])
    _no_room(work, [each.row for each in nothing if each.again], room)
    leases = _hold(work, [each for each in candidates if each.row.id in found], found)
    work.memory.next_hosts = _next_hosts(work)
    return leases


def more(work: Work, held: Lease, pages: int) -> tuple[Assignment, ...]:
    """Further pages of a host that is held; none where the lease is lost."""
    rows = work.txn.rows(
        f"SELECT {HOST_COLUMNS} FROM hosts WHERE host = ? AND lease_token = ? {{lock}}",
        held.host,
        held.token,
    )
    room = Room.now(work)
    if not rows:
        return ()
    row = host_row(rows[0])
    if (row.lease_until or 0) < work.now:
        return ()
    pages = min(pages, work.memory.at_once)
    given = room.take(row, pages)
    wanted = Candidate(row, 0, given if given > 0 else pages, again=given <= 0)
    mine = _pages_of(work, [wanted]).get(row.id, [])[: wanted.pages]
    if mine:
        claim(work, [Taking(row.id, held.token, mine)])
    return tuple(page.assignment(row.host, held.token) for page in mine)


def makes_way(work: Work, held: Lease, page: Assignment | None) -> bool:
    """Whether a ready host would be leased before one that is held, if that were ready too.

    `page` is the next one in hand. A host that goes on counts as leased anew: so budgets and
    priorities hold however long visits last.
    """
    hand_back_lapsed(work)
    wake(work)
    room = Room.now(work)
    if room.is_none and not _any_again(work):
        return False
    best: dict[int, int] = dict(work.txn.rows(FIRST_AGAIN if room.is_none else FIRST_READY))
    if not best:
        return False
    memory = work.memory
    found = work.txn.rows(
        "SELECT id, queue FROM hosts WHERE host = ? AND lease_token = ?", held.host, held.token
    )
    if not found:
        return True  # the lease is lost
    ((host_id, own),) = found
    if {*best} != {own} and _next_queue(work, room, own, best) != own:
        return True
    if own in best and (memory.is_by_age(own) or best[own] >= _priority(work, host_id, page)):
        return True
    memory.count_leased(own, 1)
    return False


def _next_queue(work: Work, room: Room, own: int, best: Mapping[int, int]) -> int | None:
    """The queue to serve next, if a host of our own queue were ready too, since now."""
    since = [0 if queue == own or queue in best else None for queue in range(QUEUES)]
    if queue_in_turn(work.memory.turn):  # or nobody asks who has waited longer
        oldest = _ready_since(work, room, 1)
        since = [moments[0] if moments else None for moments in oldest]
        since[own] = work.now if since[own] is None else since[own]
    return next_queue(work.memory.turn, since)


def _priority(work: Work, host_id: int, page: Assignment | None) -> int:
    """How urgent the rest of a host is that is held."""
    if work.memory.focus is not None:
        rows: Sequence[Row] = [each[1:] for each in focused_pages.urgencies(work, [host_id])]
    else:
        rows = work.txn.next_pages("priority", [(host_id, 1)])
    if page is not None:
        rows = [*rows, *work.txn.rows("SELECT priority FROM pages WHERE id = ?", page.id)]
    return max((priority for (priority,) in rows), default=NOT_URGENT)


def wake(work: Work) -> None:
    """Make ready what has waited long enough: hosts after their delay, pages for another attempt.

    A lease that lapsed may have seen a request until its last moment: the host has rested
    from then, and `next_at` counts that in.
    """
    due = work.txn.rows(
        f"""UPDATE pages SET state = {work.state_by_depth}, retry_at = NULL
        WHERE id IN (SELECT id FROM pages WHERE state = {WAITING} AND retry_at <= ?
            ORDER BY retry_at LIMIT {MOST_AT_ONCE} {{claim}})
        RETURNING host_id, priority, state, {HOLDS_CONTENT}""",
        work.now,
    )
    work.count_moved(WAITING, [row[:3] for row in due])
    work.write_hosts()
    work.open_hosts(host_id for host_id, _, _, again in due if again)
    work.txn.rows(
        f"""UPDATE hosts SET stage = {READY},
            rested_from = CASE WHEN lease_until > rested_from THEN lease_until ELSE rested_from END,
            lease_token = NULL, lease_node = NULL, lease_until = NULL
        WHERE id IN (SELECT id FROM hosts WHERE stage IN ({RESTING}, {HELD}) AND next_at <= ?
            ORDER BY next_at LIMIT {MOST_WOKEN} {{claim}})""",
        work.now,
    )


def _any_again(work: Work) -> bool:
    """Whether a page is to be fetched that holds content."""
    sql = f"SELECT 1 FROM pages WHERE state = {PENDING} AND {HOLDS_CONTENT} LIMIT 1"
    return bool(work.txn.rows(sql))


def _ready(work: Work, hosts: int, room: Room) -> list[HostRow]:
    """Ready hosts of each of the budget's queues: a few by age, the others by priority."""
    memory = work.memory
    which = _HAS_AGAIN if room.is_none else "TRUE"
    queues = [
        list(_by(work, f"queue = {queue} AND {which}", "best DESC, next_at, id", hosts))
        for queue in range(QUEUES)
    ]
    since = [[0] * len(rows) for rows in queues]
    if sum(map(bool, queues)) > 1 and any(
        map(queue_in_turn, range(memory.turn, memory.turn + hosts))
    ):
        oldest_first = _ready_since(work, room, hosts)
        since = [each[: len(rows)] for each, rows in zip(oldest_first, queues, strict=True)]
    chosen: list[HostRow] = []
    for queue, count in enumerate(shares(memory.turn, hosts, since)):
        by_age = memory.count_leased(queue, count)
        oldest = _by(work, f"queue = {queue} AND {which}", "next_at, id", by_age)
        rows = {row.id: row for row in (*oldest, *queues[queue])}
        chosen += list(rows.values())[:count]
    return chosen


def _ready_since(work: Work, room: Room, hosts: int) -> list[list[int]]:
    """The moments since which hosts of each queue are ready, in order: at most so many."""
    since: list[list[int]] = [[] for _ in range(QUEUES)]
    sql = OLDEST_AGAIN if room.is_none else OLDEST_READY
    for queue, moment in work.txn.rows(sql, *[hosts] * QUEUES):
        since[queue].append(moment)
    return since


def _next_hosts(work: Work) -> tuple[str, ...]:
    """A few hosts that are ready too. They are only looked at: other nodes may have them."""
    return tuple(host for (host,) in work.txn.rows(_NEXT))


def _by(work: Work, which: str, order: str, count: int) -> Iterable[HostRow]:
    sql = f"""SELECT {HOST_COLUMNS} FROM hosts WHERE stage = {READY} AND {which}
        ORDER BY {order} LIMIT ? {{claim}}"""
    return map(host_row, work.txn.rows(sql, count)) if count else ()


def _may_be_asked(work: Work, rows: Sequence[HostRow], room: Room, pages: int) -> list[Candidate]:
    """The hosts that clock and limits allow; the others are put where they belong."""
    candidates: list[Candidate] = []
    elsewhere: list[tuple[int, int, int]] = []
    for row in rows:
        pace = pace_for(row.host, work.memory.politeness)
        delay = delay_of(row.clock, pace)
        if (at := ready_at(row.clock, pace)) > work.now:  # the configuration has changed since
            elsewhere.append((row.id, RESTING, at))
        elif row.wanted(work.now) and not row.crawls_turn:
            elsewhere.append((row.id, RESTING, work.now + LOOK_AGAIN))
        else:
            wanted = 1 if delay > LONG_DELAY else pages
            most = room.take(row, wanted)
            again = most <= 0
            candidates.append(Candidate(row, delay, wanted if again else most, again))
    work.set_stages(elsewhere)
    return candidates


def _no_room(work: Work, rows: Sequence[HostRow], room: Room) -> None:
    """Put hosts away of which nothing may be handed out as limits are."""
    work.set_stages(
        [
            (row.id, FULL, row.next_at)
            if room.reached(row)
            else (row.id, RESTING, work.now + SECOND)
            for row in rows
        ],
    )


def look_again(work: Work, after: int) -> tuple[int, int | None]:
    """Decide anew how long hosts wait, some at a time; how many, and where to go on.

    Those that are ready, or held, are looked at when they are leased or renewed.
    """
    found = work.txn.rows(
        f"""SELECT {HOST_COLUMNS} FROM hosts WHERE id > ? AND stage IN ({IDLE}, {RESTING})
            AND next_at > ? ORDER BY id LIMIT {MOST_AT_ONCE} {{lock}}""",
        after,
        work.now,
    )
    rows = [host_row(row) for row in found]
    paces = [pace_for(row.host, work.memory.politeness) for row in rows]
    work.set_stages(
        [
            (row.id, row.stage, ready_at(row.clock, pace))
            for row, pace in zip(rows, paces, strict=True)
        ],
    )
    return len(rows), rows[-1].id if rows else None


def become_idle(work: Work, hosts: Sequence[tuple[int, int]]) -> None:
    """Put hosts away that have nothing pending, unless somebody is adding to them right now.

    With each host comes the moment from which it may be asked.
    """
    if not hosts:
        return
    alone = work.txn.unwatched([host_id for host_id, _ in hosts])
    # Looked at again: what was added before we were alone is seen now.
    pending = with_pending(work, sorted(alone))
    again = work.now + LOOK_AGAIN
    work.set_stages(
        [
            (host_id, IDLE, at)
            if host_id in alone and host_id not in pending
            else (host_id, RESTING, max(at, again))
            for host_id, at in sorted(hosts)
        ],
    )


def with_pending(work: Work, host_ids: Sequence[int]) -> set[int]:
    """The hosts that have a page to fetch, even one that another transaction is changing."""
    rows = work.txn.any_of(
        f"""SELECT id FROM hosts WHERE id {{any}} AND EXISTS
            (SELECT 1 FROM pages WHERE pages.host_id = hosts.id AND pages.state = {PENDING})""",
        "id",
        host_ids,
    )
    return {row[0] for row in rows}


def _pages_of(work: Work, candidates: Sequence[Candidate]) -> dict[int, list[PageRow]]:
    """The next pages of hosts, and one more, which tells how urgent the rest is.

    Pages that failed before are at the end of the line. So that they come back to a host without
    end, too, one batch in so many begins with one of them. Where pages are kept fresh, every second
    batch begins with one that is to be looked at again: what is new and what is known both have a share.
    """
    turns = [each for each in candidates if work.memory.is_retrys_turn(each.row.id)]
    begins = [(each.row.id, 1) for each in turns if not each.again]
    first = [*map(page_row, work.txn.next_pages(PAGE_COLUMNS, begins, _TRIED))]
    if work.memory.looks is not None:
        tried = {page.host_id for page in first}
        looks = [
            (each.row.id, 1)
            for each in candidates
            if not each.again
            and each.row.id not in tried
            and work.memory.is_looks_turn(each.row.id)
        ]
        first += map(page_row, work.txn.next_pages(PAGE_COLUMNS, looks, HOLDS_CONTENT))
    found = {page.host_id: [page] for page in first}
    early = {page.id for page in first}
    for which, again in (("TRUE", False), (HOLDS_CONTENT, True)):
        wanted = [(each.row.id, each.pages + 1) for each in candidates if each.again is again]
        for page in _next_pages(work, wanted, which):
            if page.id not in early:
                found.setdefault(page.host_id, []).append(page)
    return found


def _next_pages(work: Work, wanted: Sequence[tuple[int, int]], which: str) -> Iterable[PageRow]:
    if work.memory.focus is not None:
        return focused_pages.next_pages(work, wanted, which)
    return map(page_row, work.txn.next_pages(PAGE_COLUMNS, wanted, which))


def _hold(work: Work, chosen: Sequence[Candidate], found: dict[int, list[PageRow]]) -> list[Lease]:
    until = work.now + work.memory.lease_length
    robots = records_of(work.txn, [each.row.host for each in chosen])
    leases: list[Lease] = []
    takings: list[Taking] = []
    holds: list[tuple[int, int, str, int, int, int]] = []
    for candidate, token in zip(chosen, work.txn.tokens(len(chosen)), strict=True):
        row, pages = candidate.row, found[candidate.row.id]
        best = pages[candidate.pages].priority if len(pages) > candidate.pages else 0
        holds.append((row.id, token, work.memory.node, until, until + candidate.delay, best))
        mine = pages[: candidate.pages]
        takings.append(Taking(row.id, token, mine))
        leases.append(
            Lease(
                row.host,
                token,
                work.txn.deadline(until),
                clock_here(row.clock, work.txn),
                tuple(robots.get(row.host, ())),
                tuple(page.assignment(row.host, token) for page in mine),
            )
        )
    claim(work, takings)
    work.txn.update(
        "hosts",
        ("id", "lease_token", "lease_node", "lease_until", "next_at", "best"),
        holds,
        f"stage = {HELD}, lease_token = :lease_token, lease_node = :lease_node, "
        "lease_until = :lease_until, next_at = :next_at, best = :best, "
        "crawls_turn = FALSE",
        "hosts.id = :id",
    )
    return leases
