"""The hosts' clocks on disk, so that a restart owes a host what the last run owed it."""

import sqlite3
from collections.abc import Iterator, MutableMapping
from dataclasses import replace
from datetime import datetime

from gossamer.politeness.clock_row import ClockRow, from_row, to_row
from gossamer.politeness.host_ledger import HostLedger

COLUMNS = ("host", "next_token", "round", *ClockRow._fields)
_NAMES, _MARKS = ", ".join(COLUMNS), ", ".join("?" * len(COLUMNS))
SELECT = f"SELECT {_NAMES} FROM hosts"  # noqa: S608 (names of our own)
INSERT = f"INSERT OR REPLACE INTO hosts ({_NAMES}) VALUES ({_MARKS})"  # noqa: S608 (likewise)


class SqliteHosts(MutableMapping[str, HostLedger]):
    """Each host's ledger, written down whenever it changes.

    Who waits in line lives in memory only: those who waited are gone when their process
    is. What a host was asked, and what it asked for, is on disk before anybody is told.
    """

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database
        self._lines: dict[str, HostLedger] = {}  # hosts where somebody waits

    def __getitem__(self, host: str) -> HostLedger:
        row = self._database.execute(f"{SELECT} WHERE host = ?", (host,)).fetchone()
        if row is None:
            raise KeyError(host)
        waiting = self._lines.get(host)
        return replace(_ledger(row), line=waiting.line if waiting else ())

    def __setitem__(self, host: str, ledger: HostLedger) -> None:
        row = (host, ledger.next_token, ledger.round, *to_row(ledger.clock))
        self._database.execute(INSERT, row)
        if ledger.line:
            self._lines[host] = ledger
        else:
            self._lines.pop(host, None)

    def __delitem__(self, host: str) -> None:
        if not self._database.execute("DELETE FROM hosts WHERE host = ?", (host,)).rowcount:
            raise KeyError(host)
        self._lines.pop(host, None)

    def __iter__(self) -> Iterator[str]:
        return (host for (host,) in self._database.execute("SELECT host FROM hosts ORDER BY host"))

    def __len__(self) -> int:
        (count,) = self._database.execute("SELECT count(*) FROM hosts").fetchone()
        return int(count)

    def take_over(self, now: datetime) -> None:
        """Settle what the last owner had in flight; the folder's lock proves it dead."""
        busy = self._database.execute(f"{SELECT} WHERE in_flight IS NOT NULL").fetchall()
        for row in busy:
            self[row[0]] = _ledger(row).after_restart(now, sender_is_dead=True)


def _ledger(row: tuple[object, ...]) -> HostLedger:
    host, next_token, round_, *clock = row
    assert isinstance(host, str)
    assert isinstance(next_token, int)
    assert isinstance(round_, int)
    return HostLedger(host, from_row(ClockRow(*clock)), (), round_, next_token)  # type: ignore[arg-type]  # as the schema has them
