"""Changes that are to be posted: the history is the queue, and a mark in it tells how far they have been delivered.

    changes.db   1 2 3 4 │ 5 6 7 8 9       the mark moves when a post has arrived, never before: a change is
                        mark               posted at least once, and in the order in which they were found

The mark is made when somebody first wants to be told: what changed before is not posted. What goes before it was
delivered, as `history.keep` says, is counted, and told with the next post; what was forgotten is not.
"""

import json
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import apsw

from gossamer.config import MIB
from gossamer.frontier.sqlite import sqlite_errors, transaction
from gossamer.history.database import (
    DELIVERED,
    LAST,
    LOST,
    NUMBER,
    fact_of,
    keep_fact,
    last_number,
    open_changes,
)
from gossamer.history.finding import CHANGE, told_change

MOST_CHANGES: Final = 100  # in a post
MOST_BYTES: Final = MIB  # of the changes in a post


@dataclass(frozen=True, slots=True)
class NextPost:
    """What is posted at a time, and what is noted when it has arrived."""

    body: bytes
    last: int  # the number of its last change
    lost: int


class UndeliveredChanges:
    """The changes of a data folder that are to be posted, on a connection of their own. For one thread at a time."""

    def __init__(self, path: Path, database: apsw.Connection) -> None:
        self._path = path
        self._database = database

    @classmethod
    def open(cls, path: Path) -> "UndeliveredChanges":
        """Open the history in this file, and make the mark where there is none."""
        opened = cls(path, open_changes(path))
        try:
            opened._begin()
        except BaseException:
            opened.close()
            raise
        return opened

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def next_post(self) -> NextPost | None:
        """The changes after the mark, as many as go into a post; None where there are none."""
        with sqlite_errors(self._path), transaction(self._database, "BEGIN"):
            mark, lost = (fact_of(self._database, name) or 0 for name in (DELIVERED, LOST))
            changes: list[bytes] = []
            room = MOST_BYTES
            while len(changes) < MOST_CHANGES and (row := self._after(mark)) is not None:
                change = _record(row)
                if changes and len(change) > room:
                    break
                changes.append(change)
                room -= len(change)
                mark = row[0]
            number = fact_of(self._database, NUMBER) or 0
        if not changes:
            return None
        head = {"event": "changes", "history": f"{number:016x}", "sequence": mark, "lost": lost}
        body = _json(head)[:-1] + b',"changes":[' + b",".join(changes) + b"]}"
        return NextPost(body, mark, lost)

    def note_delivered(self, post: NextPost) -> None:
        """Move the mark behind a post that has arrived."""
        with sqlite_errors(self._path), transaction(self._database):
            delivered, lost = (fact_of(self._database, name) or 0 for name in (DELIVERED, LOST))
            if post.last > delivered:
                keep_fact(self._database, DELIVERED, post.last)
                keep_fact(self._database, LOST, max(lost - post.lost, 0))

    def _begin(self) -> None:
        with sqlite_errors(self._path), transaction(self._database):
            if fact_of(self._database, DELIVERED) is None:
                last = last_number(self._database)
                keep_fact(self._database, LAST, last)
                keep_fact(self._database, DELIVERED, last)
                keep_fact(self._database, NUMBER, secrets.randbits(63))

    def _after(self, number: int) -> tuple[Any, ...] | None:
        return self._database.execute(
            f"SELECT {CHANGE} FROM changes WHERE id > ? ORDER BY id LIMIT 1", (number,)
        ).fetchone()


def _record(row: tuple[Any, ...]) -> bytes:
    """A change as `gossamer changes --json` has it, with its number; without statements where they are too many."""
    record = {"sequence": row[0], **told_change(*row).record()}
    packed = _json(record)
    if len(packed) <= MOST_BYTES:
        return packed
    return _json({**record, "label": None, "added": [], "removed": [], "cut": True})


def _json(record: dict[str, Any]) -> bytes:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode(errors="replace")
