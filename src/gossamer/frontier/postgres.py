"""The frontier's store on a PostgreSQL server, for many nodes. The server's time decides.

A transaction that the server ended to let another through runs again at once. One that lost
its connection runs again on a new one; whether the first was committed nobody knows, and
those who write here are prepared for both.
"""

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Final

from gossamer.errors import StorageAwayError
from gossamer.frontier import postgres_server as server
from gossamer.frontier.postgres_server import Connection, DatabaseError, ErrorKind
from gossamer.frontier.postgres_transaction import PostgresTransaction, Skew
from gossamer.frontier.postgres_upgrade import OLDEST, TableUpgrade
from gossamer.frontier.schema import POSTGRES, TableVersions
from gossamer.frontier.store import T
from gossamer.frontier.upgrading import told_waiting, too_old
from gossamer.moments import now_utc, to_microseconds

SERVER_CLOCK: Final = "(extract(epoch FROM clock_timestamp()) * 1000000)::bigint"
MOST_CLASHES: Final = 50
LOOK_AGAIN: Final = 1.0  # seconds, while older nodes leave
FIRST_PAUSE: Final = 0.05  # seconds until the first attempt to connect again; then twice as long
LONGEST_PAUSE: Final = 5.0
_WRITE: Final = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"
_READ: Final = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"


class PostgresStore:
    """One connection to the server, opened again when it is lost. For one thread at a time."""

    is_shared = True

    def __init__(
        self,
        dsn: str,
        *,
        schema: str = "gossamer",
        patience: timedelta = timedelta(minutes=5),
        first_patience: timedelta | None = None,
        silence: timedelta = timedelta(seconds=15),
        tell: Callable[[str], object] = lambda _: None,
        now: Callable[[], datetime] = now_utc,
        clock: str = SERVER_CLOCK,
        node: str | None = None,
        versions: TableVersions = POSTGRES,
    ) -> None:
        """Connect; `tell` hears when the server is away, `clock` is the server's time in SQL.

        A server that does not answer at first may be misspelled: that takes `first_patience`. After
        so much `silence` in a transaction the server takes us for frozen.

        A `node` that is to work here has older ones leave before tables are changed that they cannot live with;
        others do not open tables that have to be.
        """
        self._dsn = dsn
        self._schema = schema
        self._where = server.address(dsn)
        self._patience = (patience if first_patience is None else first_patience).total_seconds()
        self._silence = silence
        self._tell = tell
        self._now = now
        self._clock = clock
        self._versions = versions
        self._closing = False
        self._giving_up = threading.Event()
        self._away: str | None = None  # why, where the last attempt did not reach the server
        self._connection: Connection | None = None
        try:
            self._open_tables(TableUpgrade(dsn, schema, versions, clock, node), patience)
        except BaseException:
            self.close()
            raise

    def _open_tables(self, upgrade: TableUpgrade, patience: timedelta) -> None:
        """Bring the tables to our version, when nobody works with them who could not go on."""
        said: object = None
        while blockers := self._insist(lambda: upgrade.attempt(self._connect())):
            self._patience = patience.total_seconds()
            if (state := [(each.node, each.state) for each in blockers]) != said:
                said = state
                self._tell(told_waiting(blockers, self._versions.newest, self._where))
            self._giving_up.wait(LOOK_AGAIN)
        self._patience = patience.total_seconds()

    def transact(self, work: Callable[[PostgresTransaction], T], *, durable: bool = True) -> T:
        """Run work in one transaction, again where it was lost.

        All of it is durable: a server that crashes and forgets a lease would lease the host
        again, while its holder is well and sends.
        """
        return self._insist(lambda: self._attempt(work, _WRITE))

    def read(self, work: Callable[[PostgresTransaction], T]) -> T:
        """Run work on the database as it is now."""
        return self._insist(lambda: self._attempt(work, _READ))

    def give_up(self) -> None:
        """Wait no longer, from any thread: a server that is away is an error from now on."""
        self._giving_up.set()

    def close(self) -> None:
        """Let go of the server; whoever waits for it gives up."""
        self._closing = True
        self.give_up()
        self._disconnect()

    def _attempt(self, work: Callable[[PostgresTransaction], T], begin: str) -> T:
        connection = self._connect()
        try:
            before = self._now()
            # Whoever changes the tables waits for us, and we for them: then we may be too old to go on.
            locked = "LOCK TABLE version IN ACCESS SHARE MODE"
            cursor = connection.execute(f"{begin}; {locked}; SELECT {self._clock}, ({OLDEST})")
            cursor.nextset()
            cursor.nextset()
            ((now, oldest),) = cursor.fetchall()
            if oldest is not None and oldest > self._versions.newest:
                raise too_old(self._where, oldest, self._versions.newest)
            skew = Skew.measured(to_microseconds(before), now, to_microseconds(self._now()))
            result = work(PostgresTransaction(connection.cursor(), now, skew))
            connection.execute("COMMIT")
        except BaseException:
            with suppress(DatabaseError):
                connection.execute("ROLLBACK")
            raise
        return result

    def _insist(self, attempt: Callable[[], T]) -> T:
        """The result of an attempt, made again as long as that may help."""
        clashes, outage = 0, _Outage(self._patience, self._giving_up)
        if self._away is not None and self._giving_up.is_set() and not self._closing:
            raise self._gone()  # at once: there may be many who still want something
        while True:
            try:
                result = attempt()
            except DatabaseError as error:
                match server.error_kind(error, self._connection):
                    case ErrorKind.AWAY:
                        self._disconnect()
                        self._away = server.reason(error)
                        self._wait(outage)
                    case ErrorKind.CLASH if clashes < MOST_CLASHES:
                        clashes += 1
                    case _:
                        raise server.sentence(error, self._dsn) from error
            else:
                self._away = None
                if outage.announced:
                    self._tell(f"PostgreSQL is back: {self._where}.")
                return result

    def _wait(self, outage: "_Outage") -> None:
        if outage.is_over_our_patience:
            raise self._gone() from None
        if outage.pauses and not outage.announced:
            outage.announced = True
            self._tell(
                f"PostgreSQL cannot be reached: {self._where} ({self._away}). "
                f"Retrying until {outage.until:%H:%M:%S}."
            )
        outage.pause()

    def _gone(self) -> StorageAwayError:
        return StorageAwayError(
            f"PostgreSQL cannot be reached: {self._where} ({self._away}). Nothing that was settled "
            "is lost; run the same command again when the server is back."
        )

    def _connect(self) -> Connection:
        if self._closing:
            raise StorageAwayError(f"The frontier in {self._where} was closed.")
        if self._connection is None or self._connection.closed:
            self._connection = server.connect(self._dsn, self._schema, self._silence)
        return self._connection

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


class _Outage:
    """How long a server has been away, and how long we wait for it."""

    def __init__(self, patience: float, giving_up: threading.Event) -> None:
        self._patience = patience
        self._giving_up = giving_up
        self._since: float | None = None
        self.pauses = 0
        self.announced = False

    @property
    def until(self) -> datetime:
        """When our patience ends, by the clock on the wall."""
        left = self._patience - self._lasted
        return datetime.now().astimezone() + timedelta(seconds=left)

    @property
    def is_over_our_patience(self) -> bool:
        """Whether it is time to give up."""
        return self._giving_up.is_set() or self._lasted >= self._patience

    @property
    def _lasted(self) -> float:
        now = time.monotonic()
        self._since = now if self._since is None else self._since
        return now - self._since

    def pause(self) -> None:
        """Wait a little: nothing the first time, then longer each time."""
        if self.pauses:
            self._giving_up.wait(min(FIRST_PAUSE * 2**self.pauses, LONGEST_PAUSE))
        self.pauses += 1
