"""Leases after they are given: renewing and releasing them, leasing one host out of turn, voiding those of the dead."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from gossamer.frontier import focused_pages
from gossamer.frontier.claims import give_back
from gossamer.frontier.leasing import become_idle
from gossamer.frontier.protocol import Lease, Renewed
from gossamer.frontier.robots import records_of
from gossamer.frontier.rows import (
    CLOCK_COLUMNS,
    HOST_COLUMNS,
    SECOND,
    HostRow,
    clock_here,
    clock_there,
    clock_values,
    delay_of,
    host_row,
    ready_at,
)
from gossamer.frontier.schema import HELD, READY, RESTING
from gossamer.frontier.store import Row, Transaction
from gossamer.frontier.work import Work
from gossamer.moments import from_microseconds
from gossamer.politeness.clock import HostClock
from gossamer.politeness.delay import Delay, Pace, pace_for
from gossamer.politeness.ledger import BusyHost, Wait
from gossamer.politeness.outcome import Pause

ASKING: Final = (
    5 * SECOND
)  # how long a wish for a held host stands, and a turn is kept for somebody
_LEASED_AT: Final = "leased at"
_RENEWED_AT: Final = "renewed at"
SEEN_AT: Final = (_LEASED_AT, _RENEWED_AT)
"""Names of tallies that tell when a node was last heard of."""
_SET_CLOCK: Final = ", ".join(f"{name} = :{name}" for name in CLOCK_COLUMNS)


def renew(work: Work, tokens: Sequence[int]) -> dict[int, Renewed]:
    """Hold on to leases and claims; a token that is missing from the answer is lost."""
    wanted = sorted(set(tokens))
    until = work.now + work.memory.lease_length
    claims = work.txn.any_of(
        "SELECT token, until FROM claims WHERE token {any} ORDER BY token {lock}", "token", wanted
    )
    alive = [(token, until) for token, ends in claims if ends >= work.now]
    work.txn.update("claims", ("token", "until"), alive, "until = :until", "claims.token = :token")
    renewed = {int(token): Renewed(work.txn.deadline(until)) for token, _ in alive}
    held = [row for row in _held_by(work, wanted) if (row.lease_until or 0) >= work.now]
    for row in held:
        assert row.lease_token is not None
        renewed[row.lease_token] = Renewed(work.txn.deadline(until), row.wanted(work.now))
    work.txn.update(
        "hosts",
        ("id", "lease_until", "next_at"),
        [(row.id, until, until + delay_of(row.clock, _pace(work, row))) for row in held],
        "lease_until = :lease_until, next_at = :next_at",
        "hosts.id = :id",
    )
    _note_moment(work, _RENEWED_AT)
    return renewed


def release(work: Work, clocks: Mapping[int, HostClock]) -> set[int]:
    """Give hosts back, by token, with their clocks as they stand; the tokens that had been lost."""
    rows = _held_by(work, sorted(clocks))
    # Nobody will report on what is still in flight: it is over at its deadline.
    over = {token: clock.after_restart(clock.rested_from) for token, clock in clocks.items()}
    _let_go(work, rows, _write_clocks(work, rows, over))
    return set(clocks) - {row.lease_token for row in rows if row.lease_token is not None}


def free(work: Work, leases: Sequence[Lease]) -> None:
    """Give back leases whose commit was not confirmed: whoever asked for them sent nothing.

    So the clocks of their hosts stand as they are. Perhaps there are no such leases.
    """
    give_back(work, [page for lease in leases for page in lease.pages])
    rows = _held_by(work, sorted(lease.token for lease in leases))
    _let_go(work, rows, {row.id: row.clock for row in rows})


def _let_go(work: Work, rows: Sequence[HostRow], clocks: Mapping[int, HostClock]) -> None:
    """Have hosts rest by their clocks, and held by nobody."""
    rested = [(row.id, max(work.now, ready_at(clocks[row.id], _pace(work, row)))) for row in rows]
    work.set_stages([(host_id, RESTING, at) for host_id, at in rested])
    work.txn.any_of(
        "UPDATE hosts SET lease_token = NULL, lease_node = NULL, lease_until = NULL WHERE id {any}",
        "id",
        [row.id for row in rows],
    )
    if work.memory.focus is not None:
        urgent: Sequence[Row] = focused_pages.urgencies(work, [host_id for host_id, _ in rested])
    else:
        urgent = work.txn.next_pages("host_id, priority", [(host_id, 1) for host_id, _ in rested])
    work.txn.update("hosts", ("id", "best"), urgent, "best = :best", "hosts.id = :id")
    pending = {host_id for host_id, _ in urgent}
    become_idle(work, [each for each in rested if each[0] not in pending])


def keep_clocks(work: Work, clocks: Mapping[int, HostClock]) -> None:
    """Write down the clocks of hosts that stay held: what a host asked for outlives a crash."""
    rows = _held_by(work, sorted(clocks))
    merged = _write_clocks(work, rows, clocks)
    work.set_stages(
        [
            (row.id, HELD, (row.lease_until or 0) + delay_of(merged[row.id], _pace(work, row)))
            for row in rows
        ],
    )


def reserve(work: Work, host: str) -> Lease | Wait:
    """The right to send to one host, in turn with whoever leases it for the crawl."""
    row = _row(work, work.host_id(host))
    clock, pace = row.clock, _pace(work, row)
    if row.stage == HELD and row.next_at > work.now:
        _wish(work, row)
        delay = _because(clock.delay(pace), f"{row.lease_node} has the host")
        return _busy(work, min(row.next_at, work.now + SECOND), delay)
    if row.stage == HELD and row.lease_until:
        clock = clock._replace(
            rested_from=max(clock.rested_from, from_microseconds(row.lease_until))
        )
    at = ready_at(clock, pace)
    if row.promised_to_another(work.memory.node, work.now):
        delay = _because(clock.delay(pace), f"the host is promised to {row.wanted_by}")
        return _busy(work, work.now + SECOND, delay)
    if _is_the_crawls_turn(work, row):
        delay = _because(clock.delay(pace), "it is the crawl's turn")
        return _busy(work, max(at, work.now + SECOND), delay)
    if at > work.now + work.memory.lease_length // 2:
        return _wait(work, at, clock.delay(pace))
    return _grant(work, row, clock, delay_of(clock, pace))


def park(work: Work, host: str, until: datetime, why: str) -> None:
    """Leave a host alone until then, at least."""
    row = _row(work, work.host_id(host))
    pause = Pause(from_microseconds(work.txn.there(until)), why)
    # No pause lasts longer than a year, and a host not asked yet has rested since 1970.
    clock = row.clock._replace(
        rested_from=max(row.clock.rested_from, from_microseconds(work.now)),
        pause=_later(row.clock.pause, pause),
    )
    at = max(row.next_at, ready_at(clock, _pace(work, row)))
    _store_clocks(work, [(row, clock)])
    work.set_stages([(row.id, RESTING if row.stage == READY else row.stage, at)])


def note_leasing(work: Work) -> None:
    """Note that a crawl is going on: reservations take turns with it."""
    _note_moment(work, _LEASED_AT)


def lend(txn: Transaction, host: str, until: datetime | None) -> None:
    """Note that somebody outside may send to a host until then, whatever becomes of us.

    None where nobody may any more.
    """
    if until is None:
        txn.rows("DELETE FROM lent WHERE host = ?", host)
    else:
        replacing = "ON CONFLICT (host) DO UPDATE SET until = excluded.until"
        txn.insert("lent", ("host", "until"), [(host, txn.there(until))], replacing)


def void_leases(txn: Transaction, node: str | None = None) -> None:
    """End all leases, or those of one node: their holders are proven dead.

    What they sent is over by now at the latest; what they let others send, when it was to be.
    How long the hosts rest is decided when they are asked for next, by their clocks.
    """
    txn.rows(
        f"""UPDATE hosts SET stage = {RESTING}, next_at = ?,
            rested_from = CASE WHEN lease_until < ? THEN lease_until ELSE ? END,
            lease_token = NULL, lease_node = NULL, lease_until = NULL
        WHERE lease_token IS NOT NULL{"" if node is None else " AND lease_node = ?"}""",
        *[txn.now] * 3,
        *([] if node is None else [node]),
    )
    recall(txn)


def recall(txn: Transaction) -> None:
    """Have hosts that nobody holds rest from the end of what was lent: no report will be heard."""
    lent = "(SELECT until FROM lent WHERE lent.host = hosts.host)"
    txn.rows(
        f"""UPDATE hosts SET rested_from = {lent}
        WHERE host IN (SELECT host FROM lent WHERE until > ?) AND rested_from < {lent}
            AND lease_token IS NULL""",
        txn.now,
    )
    txn.rows("DELETE FROM lent WHERE until <= ?", txn.now)


def _note_moment(work: Work, name: str) -> None:
    work.txn.insert(
        "tallies",
        ("node", "name", "n"),
        [(work.memory.node, name, work.now)],
        "ON CONFLICT (node, name) DO UPDATE SET n = excluded.n",
    )


def _held_by(work: Work, tokens: Sequence[int]) -> list[HostRow]:
    rows = work.txn.any_of(
        f"SELECT {HOST_COLUMNS} FROM hosts WHERE lease_token {{any}} ORDER BY id {{lock}}",
        "lease_token",
        tokens,
    )
    return [host_row(row) for row in rows]


def _row(work: Work, host_id: int) -> HostRow:
    (row,) = work.txn.rows(f"SELECT {HOST_COLUMNS} FROM hosts WHERE id = ? {{lock}}", host_id)
    return host_row(row)


def _write_clocks(
    work: Work, rows: Sequence[HostRow], clocks: Mapping[int, HostClock]
) -> dict[int, HostClock]:
    """Store the clocks that leaseholders report, and what others asked for meanwhile."""
    merged: dict[int, HostClock] = {}
    for row in rows:
        assert row.lease_token is not None
        clock = clock_there(clocks[row.lease_token], work.txn)
        merged[row.id] = clock._replace(
            rested_from=max(row.clock.rested_from, clock.rested_from),
            pause=_later(row.clock.pause, clock.pause),
        )
    _store_clocks(work, [(row, merged[row.id]) for row in rows])
    return merged


def _store_clocks(work: Work, clocks: Sequence[tuple[HostRow, HostClock]]) -> None:
    work.txn.update(
        "hosts",
        ("id", *CLOCK_COLUMNS),
        [(row.id, *clock_values(clock)) for row, clock in clocks],
        _SET_CLOCK,
        "hosts.id = :id",
    )


def _later(one: Pause | None, other: Pause | None) -> Pause | None:
    return max(filter(None, (one, other)), key=lambda pause: pause.until, default=None)


def _pace(work: Work, row: HostRow) -> Pace:
    return pace_for(row.host, work.memory.politeness)


def _because(delay: Delay, why: str) -> Delay:
    """A delay, with what else keeps us waiting."""
    return replace(delay, source=f"{delay.source}; {why}")


def _wait(work: Work, until: int, delay: Delay) -> Wait:
    return Wait(work.txn.here(until), delay)


def _busy(work: Work, until: int, delay: Delay) -> BusyHost:
    return BusyHost(work.txn.here(until), delay)


def _wish(work: Work, row: HostRow) -> None:
    """Ask the leaseholder for its host: it hears of it when it renews."""
    if not row.promised_to_another(work.memory.node, work.now):
        work.txn.rows(
            "UPDATE hosts SET wanted_by = ?, wanted_until = ? WHERE id = ?",
            work.memory.node,
            work.now + ASKING,
            row.id,
        )


def _is_the_crawls_turn(work: Work, row: HostRow) -> bool:
    """Whether the last to have the host was a reservation, and a crawl waits for it."""
    if not row.crawls_turn or row.stage not in (RESTING, READY):
        return False
    if work.now > row.next_at + ASKING:  # it had its chance
        return False
    ((leased_at,),) = work.txn.rows(
        "SELECT coalesce(max(n), 0) FROM tallies WHERE name = ?", _LEASED_AT
    )
    return int(leased_at) > work.now - ASKING


def _grant(work: Work, row: HostRow, clock: HostClock, delay: int) -> Lease:
    (token,) = work.txn.tokens(1)
    until = work.now + work.memory.lease_length
    _store_clocks(work, [(row, clock)])
    work.txn.rows(
        f"""UPDATE hosts SET stage = {HELD}, lease_token = ?, lease_node = ?, lease_until = ?,
            next_at = ?, wanted_by = NULL, wanted_until = NULL, crawls_turn = TRUE WHERE id = ?""",
        token,
        work.memory.node,
        until,
        until + delay,
        row.id,
    )
    robots = records_of(work.txn, [row.host]).get(row.host, [])
    ends = work.txn.deadline(until)
    return Lease(row.host, token, ends, clock_here(clock, work.txn), tuple(robots))
