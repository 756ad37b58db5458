"""Pages that did not go well: which, and why. For people, newest first."""

from collections import Counter
from collections.abc import Mapping
from typing import Final

from gossamer.frontier.protocol import Ended, Trouble, TroubledPage
from gossamer.frontier.schema import TROUBLED, WAITING
from gossamer.frontier.store import Row, Transaction

_COLUMNS: Final = "url, ended, state, status, why, attempts, problems, settled_at, id"
_WHERE: Final = {
    Trouble.FAILED: f"{TROUBLED} AND ended = 'failed'",
    Trouble.REFUSED: f"{TROUBLED} AND ended = 'refused'",
    Trouble.PROBLEMS: f"{TROUBLED} AND problems > 0",
    Trouble.RETRY: f"state = {WAITING}",
}


def troubled(
    txn: Transaction,
    kinds: frozenset[Trouble],
    host: str | None,
    limit: int,
    after: str | None = None,
) -> list[TroubledPage]:
    """So many pages that did not go well in one of these ways, the latest first.

    `after` is the `place` of the last page that is known already.
    """
    rows: dict[str, Row] = {}
    for kind in kinds:
        for row in _rows(txn, kind, host, limit, after):
            rows[row[0]] = row
    latest = sorted(rows.values(), key=_place, reverse=True)
    return [_page(txn, row) for row in latest[:limit]]


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


def _rows(
    txn: Transaction, kind: Trouble, host: str | None, limit: int, after: str | None
) -> list[Row]:
    # Pages that are tried again may never have been settled; all others were.
    moment = "coalesce(settled_at, 0)" if kind is Trouble.RETRY else "settled_at"
    sql, values = f"SELECT {_COLUMNS} FROM pages WHERE {_WHERE[kind]}", list[int | str]()
    if host is not None:
        sql += " AND host_id = (SELECT id FROM hosts WHERE host = ?)"
        values.append(host)
    if after is not None:
        at, number = map(int, after.split("."))
        sql += f" AND ({moment} < ? OR ({moment} = ? AND id < ?))"
        values += [at, at, number]
    return txn.rows(f"{sql} ORDER BY {moment} DESC, id DESC LIMIT ?", *values, limit)


def _place(row: Row) -> tuple[int, int]:
    return int(row[-2] or 0), int(row[-1])


def _page(txn: Transaction, row: Row) -> TroubledPage:
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
        place="{}.{}".format(*_place(row)),
    )
