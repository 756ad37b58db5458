"""What people ask of the frontier: counts, hosts, nodes, single pages, and pages that did not go well."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from gossamer.frontier.protocol import (
    ArchivedPage,
    Counts,
    Ended,
    HostStage,
    HostState,
    NodeState,
    PageState,
    SlowHost,
    Trouble,
    TroubledPage,
)
from gossamer.frontier.releasing import SEEN_AT
from gossamer.frontier.rows import (
    CLOCK_COLUMNS,
    HOST_COLUMNS,
    HostRow,
    clock_here,
    host_row,
    microseconds,
)
from gossamer.frontier.schema import (
    ASIDE,
    BEYOND,
    FULL,
    HANDED,
    HELD,
    HOLDS_CONTENT,
    IDLE,
    PAGE_STATES,
    PENDING,
    READY,
    RESTING,
    SETTLED,
    TROUBLED,
    WAITING,
    WITH_CONTENT,
)
from gossamer.frontier.store import Row, Transaction
from gossamer.frontier.work import NodeMemory
from gossamer.model import Url
from gossamer.politeness.clock import ClockRow, HostClock, from_row
from gossamer.politeness.delay import pace_for
from gossamer.politeness.evidence import HostEvidence
from gossamer.politeness.robots.record import NO_ROOM
from gossamer.urls import host_of

_STAGES: Final = {
    IDLE: HostStage.IDLE,
    READY: HostStage.READY,
    HELD: HostStage.LEASED,
    FULL: HostStage.FULL,
}
_MOST: Final = (1 << 63) - 1
_HOST_NAME: Final = HostRow._fields.index("host")
_SLOWEST: Final = 20  # hosts of which one takes longest; the user may have a delay for each
_FOR_GOOD: Final = tuple(ended for ended in Ended if ended not in (Ended.RETRY, Ended.ASIDE))
_PAGE: Final = (
    "url, depth, priority, hops, seed, state, attempts, retry_at, ended, status, why, etag, "
    "last_modified, digest, media_type, quads, problems, archived, settled_at, look_at, looked"
)
_AGAIN: Final = f"""SELECT 1 FROM pages WHERE state = {PENDING} AND {HOLDS_CONTENT}
    UNION ALL SELECT 1 FROM pages WHERE state = {WAITING} AND {HOLDS_CONTENT} LIMIT 1"""
# A long delay that the user configured is the user's own wish and parks nothing.
_ASKS_FOR_PATIENCE: Final = (
    "(next_at > :parked AND (coalesce(pause_until, 0) > :parked "
    "OR coalesce(crawl_delay, 0) > :patience OR took > :patience))"
)
# A check, a context or a program at the proxy makes a host known that no page of the crawl is on.
_OF_CRAWL: Final = (
    f"(stage <> {IDLE} OR content > 0 "
    "OR EXISTS (SELECT 1 FROM pages WHERE pages.host_id = hosts.id))"
)
_WHERE: Final = {
    HostStage.IDLE: f"stage = {IDLE} AND {_OF_CRAWL}",
    HostStage.READY: f"(stage = {READY} OR (stage = {RESTING} AND next_at <= :now))",
    HostStage.WAITING: f"stage = {RESTING} AND next_at > :now AND NOT {_ASKS_FOR_PATIENCE}",
    HostStage.PARKED: f"stage = {RESTING} AND {_ASKS_FOR_PATIENCE}",
    HostStage.LEASED: f"stage = {HELD}",
    HostStage.FULL: f"stage = {FULL}",
}
# Who asks about a URL makes its host known, though there may be no such host: its delay is told once
# it has a page, or was sent a request.
_MET: Final = (
    f"(stage <> {IDLE} OR failures > 0 OR crawl_delay IS NOT NULL OR pause_until IS NOT NULL "
    "OR EXISTS (SELECT 1 FROM pages WHERE pages.host_id = hosts.id) "
    "OR EXISTS (SELECT 1 FROM robots WHERE robots.host = hosts.host))"
)
_TROUBLE_COLUMNS: Final = "url, ended, state, status, why, attempts, problems, settled_at, id"
_TROUBLES: Final = {
    Trouble.FAILED: f"{TROUBLED} AND ended = 'failed'",
    Trouble.REFUSED: f"{TROUBLED} AND ended = 'refused'",
    Trouble.PROBLEMS: f"{TROUBLED} AND problems > 0",
    Trouble.RETRY: f"state = {WAITING}",
}


def counts(txn: Transaction, memory: NodeMemory) -> Counts:
    """How much is known, done and left."""
    tally = {name: int(n) for name, n in txn.rows("SELECT name, sum(n) FROM tallies GROUP BY name")}
    stages = {
        stage: int(txn.rows(f"SELECT count(*) FROM hosts WHERE {_where(stage, txn, memory)}")[0][0])
        for stage in HostStage
    }
    with_content = tally.get(WITH_CONTENT, 0)
    most = _MOST if memory.limits.pages is None else memory.limits.pages
    full = by_site = 0
    if stages[HostStage.FULL]:
        ((full,),) = txn.rows(
            f"""SELECT count(*) FROM pages WHERE state = {PENDING}
                AND host_id IN (SELECT id FROM hosts WHERE stage = {FULL})"""
        )
        ((by_site,),) = txn.rows(
            f"SELECT count(*) FROM hosts WHERE stage = {FULL} AND content < ?",
            _MOST if memory.limits.per_host is None else memory.limits.per_host,
        )
    return Counts(
        known=tally.get("known", 0),
        pending=tally.get(PAGE_STATES[PENDING], 0),
        handed=tally.get(PAGE_STATES[HANDED], 0),
        waiting=tally.get(PAGE_STATES[WAITING], 0),
        aside=tally.get(PAGE_STATES[ASIDE], 0),
        beyond=tally.get(PAGE_STATES[BEYOND], 0),
        ended={ended: tally[ended] for ended in _FOR_GOOD if tally.get(ended)},
        hosts=stages,
        next_at=_next_at(txn),
        full=int(full),
        visited_hosts=int(txn.rows("SELECT count(*) FROM hosts WHERE content > 0")[0][0]),
        full_by_site=int(by_site),
        with_content=with_content,
        again=with_content >= most and bool(txn.rows(_AGAIN)),
    )


def slowest_hosts(txn: Transaction, memory: NodeMemory, limit: int) -> list[SlowHost]:
    """Hosts whose pages take longest by their delay alone (pages × delay), the slowest first."""
    least = max(microseconds(memory.politeness.delay), 1)
    rows = txn.rows(
        f"""SELECT {HOST_COLUMNS}, waits.n FROM hosts
            JOIN (SELECT host_id, count(*) AS n FROM pages WHERE state = {PENDING}
                GROUP BY host_id) AS waits ON waits.host_id = hosts.id
            WHERE stage <> {FULL}
            ORDER BY waits.n * CASE WHEN crawl_delay > ? THEN crawl_delay ELSE ? END DESC
            LIMIT {_SLOWEST}""",
        least,
        least,
    )
    found = [_slow_host(memory, host_row(row[:-1]), int(row[-1])) for row in rows]
    return sorted(found, key=lambda each: each.takes, reverse=True)[:limit]


def _slow_host(memory: NodeMemory, row: HostRow, pending: int) -> SlowHost:
    """A host with the time between its requests; a pause that is in force now ends before."""
    pace = pace_for(row.host, memory.politeness)
    delay = row.clock._replace(pause=None).delay(pace)
    takes = pending * delay.length / pace.per_host
    if delay is not pace.configured and delay.length > pace.patience:
        takes = timedelta(0)  # it is parked, and nobody waits for it
    return SlowHost(row.host, pending, takes, str(row.clock.delay(pace)))


def hosts(
    txn: Transaction, memory: NodeMemory, after: str, limit: int, stage: HostStage | None
) -> list[HostState]:
    """Hosts of the crawl by name, from the one after `after`."""
    which = f"AND {_where(stage, txn, memory)}" if stage else ""
    rows = txn.rows(
        f"SELECT {HOST_COLUMNS} FROM hosts WHERE host > ? {which} AND {_OF_CRAWL} ORDER BY host LIMIT ?",
        after,
        limit,
    )
    waiting = _waiting(txn, "host > ? AND host <= ?", after, rows[-1][_HOST_NAME]) if rows else {}
    states = [_host_state(txn, memory, host_row(row), waiting) for row in rows]
    return [_with_budget(txn, state) for state in states]


def host(txn: Transaction, memory: NodeMemory, name: str) -> HostState | None:
    """One host, if it is known."""
    rows = txn.rows(f"SELECT {HOST_COLUMNS} FROM hosts WHERE host = ?", name)
    if not rows:
        return None
    waiting = _waiting(txn, "host = ?", name)
    return _with_budget(txn, _host_state(txn, memory, host_row(rows[0]), waiting))


def _waiting(txn: Transaction, which: str, *names: str) -> Mapping[str, int]:
    """How many pages of these hosts wait for another attempt: few, whatever there is."""
    rows = txn.rows(
        f"""SELECT host, count(*) FROM pages JOIN hosts ON hosts.id = pages.host_id
            WHERE state = {WAITING} AND {which} GROUP BY host""",
        *names,
    )
    return {host: int(count) for host, count in rows}


def nodes(txn: Transaction) -> list[NodeState]:
    """The nodes of the crawl, by name: those that hold hosts, and those that have brought pages."""
    rows = txn.rows("SELECT node, n FROM tallies WHERE name = ?", Ended.CONTENT)
    pages = {node: int(count) for node, count in rows}
    held = {
        node: (int(count), until)
        for node, count, until in txn.rows(
            f"""SELECT lease_node, count(*), max(lease_until) FROM hosts
                WHERE stage = {HELD} AND lease_node IS NOT NULL GROUP BY lease_node"""
        )
    }
    seen: dict[str, int] = dict(
        txn.rows("SELECT node, max(n) FROM tallies WHERE name IN (?, ?) GROUP BY node", *SEEN_AT)
    )
    return [
        NodeState(
            node, hosts, pages.get(node, 0), _moment(txn, until), _moment(txn, seen.get(node))
        )
        for node in sorted({*pages, *held})
        for hosts, until in [held.get(node, (0, None))]
    ]


def clocks(txn: Transaction, after: str, limit: int) -> list[tuple[str, HostClock]]:
    """Hosts and their clocks by name, from the one after `after`."""
    rows = txn.rows(
        f"""SELECT host, {", ".join(CLOCK_COLUMNS)} FROM hosts
            WHERE host > ? AND {_MET} ORDER BY host LIMIT ?""",
        after,
        limit,
    )
    return [(host, clock_here(from_row(ClockRow(*clock)), txn)) for host, *clock in rows]


def page(txn: Transaction, memory: NodeMemory, url: Url) -> PageState | None:
    """What is known about a URL."""
    rows = txn.rows(
        f"""SELECT {_PAGE} FROM pages
            WHERE host_id = (SELECT id FROM hosts WHERE host = ?) AND key = ?""",
        host_of(url),
        memory.keys.of(url),
    )
    if not rows:
        return None
    found = dict(zip(_PAGE.split(", "), rows[0], strict=True))
    return PageState(
        **found
        | {
            "seed": bool(found["seed"]),
            "state": PAGE_STATES[found["state"]],
            "ended": found["ended"] and Ended(found["ended"]),
            "quads": found["quads"] or 0,
            "problems": found["problems"] or 0,
            "retry_at": _moment(txn, found["retry_at"]),
            "settled_at": _moment(txn, found["settled_at"]),
            "look_at": _moment(txn, found["look_at"]),
        }
    )


def archived(txn: Transaction, after: int, limit: int) -> list[ArchivedPage]:
    """Pages with content that were archived, from the number after `after`.

    Those too that failed since, or were out of reach, and kept what they had. Content has a
    digest; what is archived of other pages is their last failure, or a redirect.
    """
    rows = txn.rows(
        """SELECT id, url, archived, ended, status, why, settled_at FROM pages
            WHERE id > ? AND archived IS NOT NULL AND digest IS NOT NULL ORDER BY id LIMIT ?""",
        after,
        limit,
    )
    return [
        ArchivedPage(page, Url(url), place, Ended(ended), status, why, txn.here(settled_at))
        for page, url, place, ended, status, why, settled_at in rows
    ]


def urls_of(txn: Transaction, host: str, after: int, limit: int) -> list[tuple[int, Url]]:
    """The numbers and URLs of a host's pages, from the number after `after`."""
    rows = txn.rows(
        """SELECT id, url FROM pages WHERE host_id = (SELECT id FROM hosts WHERE host = ?)
            AND id > ? ORDER BY id LIMIT ?""",
        host,
        after,
        limit,
    )
    return [(number, Url(url)) for number, url in rows]


def nearest(txn: Transaction, origin: str) -> int | None:
    """The least depth of the pages of an origin that were asked for."""
    ((depth,),) = txn.rows(
        f"""SELECT min(depth) FROM pages
            WHERE host_id = (SELECT id FROM hosts WHERE host = ?) AND state = {SETTLED}
            AND ended <> '{Ended.REFUSED}' AND substr(url, 1, CAST(? AS integer)) = ?""",
        host_of(Url(f"{origin}/")),
        len(origin) + 1,
        f"{origin}/",
    )
    return None if depth is None else int(depth)


def seeds(txn: Transaction) -> list[Url]:
    """The URLs that the crawl began with, and where they redirected."""
    return [Url(url) for (url,) in txn.rows("SELECT url FROM pages WHERE seed ORDER BY id")]


def no_seed_had(txn: Transaction, since: int | None) -> bool:
    """Whether there are seeds, and none of them brought anything.

    With a moment, only seeds that were settled since then, or that are still to be, are looked at.
    """
    asked = f"state NOT IN ({SETTLED}, {ASIDE}, {BEYOND}) OR settled_at >= ?"
    which, values = ("", ()) if since is None else (f"AND ({asked})", (since,))
    had = f"state = {SETTLED} AND ended IN ('{Ended.CONTENT}', '{Ended.SKIPPED}')"
    ((seeds, brought),) = txn.rows(
        f"SELECT count(*), count(CASE WHEN {had} THEN 1 END) FROM pages WHERE seed {which}", *values
    )
    return bool(seeds) and not brought


def more_seeds(txn: Transaction, known: int) -> list[Url]:
    """Seeds beyond those that are already known, if there are any."""
    ((count,),) = txn.rows("SELECT count(*) FROM pages WHERE seed")
    return seeds(txn) if int(count) != known else []


def troubled(
    txn: Transaction,
    kinds: frozenset[Trouble],
    host: str | None,
    limit: int,
    after: str | None = None,
) -> list[TroubledPage]:
    """Pages that did not go well in one of these ways, the latest first, and at most so many.

    `after` is the `place` of the last page that is known already.
    """
    rows: dict[str, Row] = {}
    for kind in kinds:
        for row in _troubled_rows(txn, kind, host, limit, after):
            rows[row[0]] = row
    latest = sorted(rows.values(), key=_troubled_place, reverse=True)
    return [_troubled_page(txn, row) for row in latest[:limit]]


def causes(txn: Transaction) -> Mapping[Ended, Counter[str]]:
    """How many pages failed or were refused, by cause or rule."""
    found: dict[Ended, Counter[str]] = {Ended.FAILED: Counter(), Ended.REFUSED: Counter()}
    for ended, why, count in txn.rows(
        f"SELECT ended, why, count(*) FROM pages WHERE {TROUBLED} GROUP BY ended, why"
    ):
        if ended in found:
            found[Ended(ended)][cause_in(why)] += int(count)
    return found


def problems(txn: Transaction) -> int:
    """How many problems there are in all pages together."""
    ((count,),) = txn.rows(f"SELECT coalesce(sum(problems), 0) FROM pages WHERE {TROUBLED}")
    return int(count)


def cause_in(why: str | None) -> str:
    """The cause or rule out of `cause: sentence`."""
    return (why or "").partition(":")[0] or "unknown"


def _where(stage: HostStage, txn: Transaction, memory: NodeMemory) -> str:
    patience = microseconds(memory.politeness.patience)
    values = {"now": txn.now, "parked": txn.now + patience, "patience": patience}
    return re.sub(r":(\w+)", lambda name: str(values[name[1]]), _WHERE[stage])


def _next_at(txn: Transaction) -> datetime | None:
    ((moment,),) = txn.rows(
        f"""SELECT min(moment) FROM (
            SELECT min(next_at) AS moment FROM hosts WHERE stage IN ({RESTING}, {HELD})
            UNION ALL SELECT min(retry_at) FROM pages WHERE state = {WAITING}
            UNION ALL SELECT min(next_at) FROM hosts WHERE stage = {READY}) AS moments"""
    )
    return _moment(txn, moment)


def _moment(txn: Transaction, moment: int | None) -> datetime | None:
    return None if moment is None else txn.here(moment)


def _host_state(
    txn: Transaction, memory: NodeMemory, row: HostRow, waiting: Mapping[str, int]
) -> HostState:
    pace = pace_for(row.host, memory.politeness)
    delay = row.clock.delay(pace)
    ((pending,),) = txn.rows(
        f"SELECT count(*) FROM pages WHERE host_id = ? AND state = {PENDING}", row.id
    )
    stage = _stage(row, txn.now, microseconds(memory.politeness.patience))
    return HostState(
        host=row.host,
        site=row.site,
        stage=stage,
        until=_until(txn, row, stage),
        why=_why(row, stage, str(delay), row.clock.evidence),
        delay=timedelta(seconds=delay.seconds),
        pending=int(pending),
        content=row.content,
        failures=row.clock.evidence.in_a_row,
        node=row.lease_node,
        waiting=waiting.get(row.host, 0),
    )


def _with_budget(txn: Transaction, state: HostState) -> HostState:
    """The host; where links or a robots.txt did not fit into its site's budget, that is said too."""
    rows = txn.rows("SELECT left_out FROM sites WHERE site = ? AND left_out > 0", state.site)
    said = [f"{row[0]:,} links of {state.site} did not fit into its budget" for row in rows]
    sql = "SELECT cause FROM robots WHERE host = ? AND cause LIKE ? LIMIT 1"
    causes = txn.rows(sql, state.host, f"%{NO_ROOM}")
    said += [f"closed: robots.txt {cause}" for (cause,) in causes if cause not in state.why]
    return replace(state, why="; ".join((state.why, *said) if state.why else said))


def _stage(row: HostRow, now: int, patience: int) -> HostStage:
    if row.stage != RESTING:
        return _STAGES[row.stage]
    if row.next_at <= now:
        return HostStage.READY
    asks_for = max((row.pause_until or 0) - now, row.crawl_delay or 0, row.took)
    is_parked = asks_for > patience and row.next_at > now + patience
    return HostStage.PARKED if is_parked else HostStage.WAITING


def _until(txn: Transaction, row: HostRow, stage: HostStage) -> datetime | None:
    if stage is HostStage.LEASED:
        return _moment(txn, row.lease_until)
    return txn.here(row.next_at) if stage in (HostStage.WAITING, HostStage.PARKED) else None


def _why(row: HostRow, stage: HostStage, delay: str, evidence: HostEvidence) -> str:
    if stage is HostStage.LEASED:
        said = f"held by {row.lease_node}"
    elif stage is HostStage.FULL:
        said = "a limit on pages is reached"
    else:
        said = delay if stage in (HostStage.WAITING, HostStage.PARKED) else ""
    if not evidence.in_a_row or str(evidence) in said:
        return said
    return f"{said}; {evidence}" if said else str(evidence)


def _troubled_rows(
    txn: Transaction, kind: Trouble, host: str | None, limit: int, after: str | None
) -> list[Row]:
    # Pages that are tried again may never have been settled; all others were.
    moment = "coalesce(settled_at, 0)" if kind is Trouble.RETRY else "settled_at"
    sql, values = f"SELECT {_TROUBLE_COLUMNS} FROM pages WHERE {_TROUBLES[kind]}", list[int | str]()
    if host is not None:
        sql += " AND host_id = (SELECT id FROM hosts WHERE host = ?)"
        values.append(host)
    if after is not None:
        at, number = map(int, after.split("."))
        sql += f" AND ({moment} < ? OR ({moment} = ? AND id < ?))"
        values += [at, at, number]
    return txn.rows(f"{sql} ORDER BY {moment} DESC, id DESC LIMIT ?", *values, limit)


def _troubled_place(row: Row) -> tuple[int, int]:
    return int(row[-2] or 0), int(row[-1])


def _troubled_page(txn: Transaction, row: Row) -> TroubledPage:
    url, ended, state, status, why, attempts, problems, settled_at, _ = row
    kind = Trouble.PROBLEMS
    if state == WAITING:
        kind = Trouble.RETRY
    elif ended in (Ended.FAILED, Ended.REFUSED):
        kind = Trouble(ended)
    return TroubledPage(
        url=url,
        kind=kind,
        status=status,
        why=why,
        attempts=attempts,
        problems=problems or 0,
        settled_at=None if settled_at is None else txn.here(settled_at),
        place="{}.{}".format(*_troubled_place(row)),
    )
