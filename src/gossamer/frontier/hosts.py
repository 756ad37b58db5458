"""The hosts' ledgers in the store, for those who send without a lease: one command at a time.

`gossamer check` and its like own the data folder while they run, so no crawl holds a host.
"""

from collections.abc import Iterator, MutableMapping
from datetime import datetime
from typing import Final

from gossamer.frontier.releasing import void_leases
from gossamer.frontier.rows import CLOCK_COLUMNS, clock_values
from gossamer.frontier.store import Row, Store
from gossamer.politeness.clock import ClockRow, from_row
from gossamer.politeness.ledger import HostLedger
from gossamer.urls import site_of

_LEDGER_COLUMNS: Final = ("host", "next_token", "round", *CLOCK_COLUMNS)
_SELECT: Final = f"SELECT {', '.join(_LEDGER_COLUMNS)} FROM hosts"
_REPLACE: Final = "ON CONFLICT (host) DO UPDATE SET " + ", ".join(
    f"{name} = excluded.{name}" for name in _LEDGER_COLUMNS[1:]
)


class StoredHosts(MutableMapping[str, HostLedger]):
    """Each host's ledger, written down whenever it changes.

    Who waits in line lives in memory only: those who waited are gone when their process
    is. What a host was asked, and what it asked for, is on disk before anybody is told.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lines: dict[str, HostLedger] = {}  # hosts where somebody waits

    def __getitem__(self, host: str) -> HostLedger:
        rows = self._store.read(lambda txn: txn.rows(f"{_SELECT} WHERE host = ?", host))
        if not rows:
            raise KeyError(host)
        waiting = self._lines.get(host)
        return _ledger(rows[0])._replace(line=waiting.line if waiting else ())

    def __setitem__(self, host: str, ledger: HostLedger) -> None:
        row = (host, ledger.next_token, ledger.round, *clock_values(ledger.clock), site_of(host))
        self._store.transact(
            lambda txn: txn.insert("hosts", (*_LEDGER_COLUMNS, "site"), [row], _REPLACE)
        )
        if ledger.line:
            self._lines[host] = ledger
        else:
            self._lines.pop(host, None)

    def __delitem__(self, host: str) -> None:
        sql = "DELETE FROM hosts WHERE host = ? RETURNING id"
        if not self._store.transact(lambda txn: txn.rows(sql, host)):
            raise KeyError(host)
        self._lines.pop(host, None)

    def __iter__(self) -> Iterator[str]:
        sql = "SELECT host FROM hosts ORDER BY host"
        return (host for (host,) in self._store.read(lambda txn: txn.rows(sql)))

    def __len__(self) -> int:
        ((count,),) = self._store.read(lambda txn: txn.rows("SELECT count(*) FROM hosts"))
        return int(count)

    def take_over(self, now: datetime) -> None:
        """Settle what the last owner had in flight; the folder's lock proves it dead."""
        self._store.transact(void_leases)
        sql = f"{_SELECT} WHERE in_flight IS NOT NULL"
        for row in self._store.read(lambda txn: txn.rows(sql)):
            self[row[0]] = _ledger(row).after_restart(now, sender_is_dead=True)


def _ledger(row: Row) -> HostLedger:
    host, next_token, round_, *clock = row
    return HostLedger(host, from_row(ClockRow(*clock)), (), round_, next_token)
