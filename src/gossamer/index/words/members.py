"""Which subject is gathered under which other key, and what is left for later: a small table.

Only subjects whose home is not their own name are in it. Both tables follow from the graph and from
what the journal said so far, and are written after the words: whatever is missing is in the journal.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import apsw

MOST_MEMBERS: Final = 2_000  # of one home that are looked at
BUSY_MS: Final = 10_000  # for a predecessor that was killed while it wrote
SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS members (subject TEXT PRIMARY KEY, home TEXT NOT NULL) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS members_by_home ON members (home, subject);
CREATE TABLE IF NOT EXISTS later (iri TEXT PRIMARY KEY) WITHOUT ROWID;
"""
# Many at once: one at a time takes longer than what is asked of the graph.
ELSEWHERE: Final = """
SELECT subject, home FROM json_each(?) JOIN members ON subject = json_each.value
"""
GATHERED: Final = """
SELECT home, subject FROM json_each(?) CROSS JOIN members ON home = json_each.value
ORDER BY home, subject
"""


class Members:
    """The table in a file. Changes are seen at once, and kept by `commit`."""

    def __init__(self, path: Path) -> None:
        self._connection = apsw.Connection(str(path))
        self._connection.set_busy_timeout(BUSY_MS)
        self._connection.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
        self._connection.execute("PRAGMA cache_size = -8192")  # 8 MiB
        self._connection.execute(SCHEMA)
        self.moved_to: set[str] = set()
        """Homes that somebody came to since the last commit."""

    def close(self) -> None:
        """Forget what was not committed."""
        self._connection.close()

    def elsewhere(self, subjects: Iterable[str]) -> dict[str, str]:
        """The subjects that are gathered elsewhere, and where."""
        return dict(self._connection.execute(ELSEWHERE, (json.dumps(list(subjects)),)))

    def of(self, homes: Iterable[str]) -> dict[str, list[str]]:
        """The subjects gathered at each home, but for those of the same name; the first ones."""
        found: dict[str, list[str]] = {}
        for home, subject in self._connection.execute(GATHERED, (json.dumps(list(homes)),)):
            subjects = found.setdefault(home, [])
            if len(subjects) < MOST_MEMBERS:
                subjects.append(subject)
        return found

    def move(self, subject: str, home: str | None) -> None:
        """From now on, gather the subject there; None: it is no more."""
        self._begin()
        if home is None or home == subject:
            self._connection.execute("DELETE FROM members WHERE subject = ?", (subject,))
        else:
            self.moved_to.add(home)
            self._connection.execute(
                "INSERT OR REPLACE INTO members VALUES (?, ?)", (subject, home)
            )

    def later(self) -> set[str]:
        """What is left for later."""
        return {str(iri) for (iri,) in self._connection.execute("SELECT iri FROM later")}

    def left(self) -> int:
        """How many are left for later."""
        return len(self.later())

    def put_off(self, iris: Iterable[str]) -> None:
        """Leave these for later."""
        if rows := [(iri,) for iri in iris]:
            self._begin()
            self._connection.executemany("INSERT OR IGNORE INTO later VALUES (?)", rows)

    def done(self, iris: Iterable[str]) -> None:
        """Note that subjects are done and no longer left for later."""
        if rows := [(iri,) for iri in iris]:
            self._begin()
            self._connection.executemany("DELETE FROM later WHERE iri = ?", rows)

    def commit(self) -> None:
        """Return when all this is on the disk."""
        if self._connection.in_transaction:
            self._connection.execute("COMMIT")
        self.moved_to.clear()

    def all(self) -> dict[str, str]:
        """Every subject that is gathered elsewhere, and where."""
        return dict(self._connection.execute("SELECT subject, home FROM members"))

    def _begin(self) -> None:
        if not self._connection.in_transaction:
            self._connection.execute("BEGIN")
