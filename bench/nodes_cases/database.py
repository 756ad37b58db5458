"""What a PostgreSQL server has done by now: CPU time of all its processes, bytes of log, sizes."""

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import psycopg
from psycopg import conninfo

LOOK = 0.1  # seconds between two looks
LOOKS = 5
_CLIENTS = "backend_type = 'client backend' AND pid <> pg_backend_pid()"


@dataclass(frozen=True, slots=True)
class Work:
    """What a server has done, since it began or between two looks."""

    cpu_seconds: float
    log_bytes: int  # of its write-ahead log

    def __sub__(self, before: "Work") -> "Work":
        return Work(self.cpu_seconds - before.cpu_seconds, self.log_bytes - before.log_bytes)


class Database:
    """A look at a server that runs on this machine."""

    def __init__(self, connection: "psycopg.Connection[Any]") -> None:
        self._connection = connection
        self._server = psutil.Process(connection.info.backend_pid).parent()

    def work(self) -> Work:
        """What it has done by now, once those have left who used it."""
        while self._value(f"count(*) FROM pg_stat_activity WHERE {_CLIENTS}"):
            time.sleep(LOOK)
        # Of a process that ends between two looks, either may miss what it took.
        looks = []
        for _ in range(LOOKS):
            looks.append(self._cpu_seconds())
            time.sleep(LOOK)
        return Work(max(looks), int(self._value("pg_current_wal_lsn() - '0/0'")))

    def _cpu_seconds(self) -> float:
        assert self._server is not None
        # A server adds up what its processes took that have ended.
        used = [self._server.cpu_times()]
        seconds = used[0].children_user + used[0].children_system
        for child in self._server.children(recursive=True):
            with suppress(psutil.NoSuchProcess):
                used.append(child.cpu_times())
        return float(seconds + sum(each.user + each.system for each in used))

    def size(self) -> int:
        """Bytes of the database on the disk."""
        return int(self._value("pg_database_size(current_database())"))

    def known(self) -> int:
        """How many pages are known."""
        return int(self._value("(SELECT count(*) FROM gossamer.pages)"))

    def settled(self) -> int:
        """How many pages have content."""
        return int(self._value("(SELECT count(*) FROM gossamer.pages WHERE ended = 'content')"))

    def _value(self, expression: str) -> Any:  # noqa: ANN401 (of whatever type)
        row = self._connection.execute(f"SELECT {expression}").fetchone()
        assert row is not None
        return row[0]


@contextmanager
def looked_at(dsn: str) -> Iterator[Database]:
    """A server, as long as the block lasts."""
    with psycopg.connect(dsn, autocommit=True) as connection:
        yield Database(connection)


def socket_file(dsn: str) -> Path:
    """Where a server listens on this machine."""
    parts = conninfo.conninfo_to_dict(dsn)
    return Path(str(parts["host"])) / f".s.PGSQL.{parts.get('port') or 5432}"


def by_port(dsn: str, port: int) -> str:
    """The address of a server behind a port of this machine."""
    return conninfo.make_conninfo(dsn, host="127.0.0.1", port=port)
