"""A connection to a PostgreSQL server whose schema is ours, and its errors as sentences."""

import os
import re
from datetime import timedelta
from enum import Enum, auto
from typing import Any, Final

try:
    import psycopg
except ImportError:  # or no libpq
    from gossamer.errors import ConfigError

    raise ConfigError(
        "A frontier in PostgreSQL needs psycopg. Install it with: pip install 'gossamer[postgres]'"
    ) from None

from psycopg import conninfo, sql

from gossamer.errors import ConfigError, DataFolderError, GossamerError, StorageFullError
from gossamer.frontier.postgres_arrays import register
from gossamer.frontier.postgres_tls import tls_settings

Connection = psycopg.Connection[Any]
DatabaseError = psycopg.Error

OLDEST: Final = 12
INVITED: Final = (
    "gossamer_"  # how names of users begin who were invited (`gossamer.nodes.invitations`)
)
PREPARED: Final = 500  # more statements than we have

# A server that is gone without a word is noticed within about a minute.
_DEFAULTS: Final = {
    "application_name": "gossamer",
    "client_encoding": "utf8",
    "connect_timeout": "10",
    "keepalives_idle": "20",
    "keepalives_interval": "10",
    "keepalives_count": "3",
    "tcp_user_timeout": "50000",
    "target_session_attrs": "read-write",  # of several hosts the one that is not a standby
}
_SHUT: Final = r'role ".*" does not exist|pg_hba\.conf|permission denied|not permitted to log in'
USED_UP: Final = (
    " An invitation is for one node, for a limited time, and ends when it is revoked; "
    "`gossamer nodes invite` makes another."
)
_SESSION: Final = (
    # Whatever is usual there: our transactions are short, and what is committed is kept.
    "SET statement_timeout = 0",
    "SET lock_timeout = 0",
    """SELECT set_config('synchronous_commit', 'on', false)
        WHERE current_setting('synchronous_commit') = 'off'""",
    # A node that vanishes in a transaction must not keep its locks.
    "SET tcp_keepalives_idle = 20",
    "SET tcp_keepalives_interval = 10",
    "SET tcp_keepalives_count = 3",
    # Each statement has one good plan, over its indexes. Statistics of tables that grew by
    # a million rows since they were looked at, or arrays of odd length, suggest others.
    "SET plan_cache_mode = force_generic_plan",
    "SET enable_seqscan = off",
    "SET enable_hashjoin = off",
    "SET enable_mergejoin = off",
    "SET jit = off",
)


class ErrorKind(Enum):
    """What can be done about an error."""

    CLASH = auto()  # run the transaction again
    AWAY = auto()  # wait for the server
    OTHER = auto()  # tell somebody


def error_kind(error: psycopg.Error, connection: Connection | None) -> ErrorKind:
    """What an error in a transaction means."""
    code = error.sqlstate or ""
    if code in ("40001", "40P01"):  # serialization failure, deadlock
        return ErrorKind.CLASH
    # Shut down, starting, too many connections, idle for too long in a transaction.
    if code.startswith(("08", "57P")) or code in ("53300", "25P03"):
        return ErrorKind.AWAY
    return ErrorKind.AWAY if connection is None or connection.closed else ErrorKind.OTHER


def address(dsn: str) -> str:
    """Which database a DSN means, without its password; checks the DSN."""
    wrong = ConfigError(
        "The frontier's address is no PostgreSQL address. Write it like "
        "postgresql://user:password@host:5432/database, with %40 for an @ in the password."
    )
    try:
        parts = conninfo.conninfo_to_dict(dsn)
    except psycopg.Error:
        raise wrong from None  # the library's own words may quote the password
    host, port = str(parts.get("host") or parts.get("hostaddr") or "localhost"), parts.get("port")
    if "@" in host or not re.fullmatch(r"[\d,]*", str(port or "")):
        raise wrong
    name = parts.get("dbname") or parts.get("user") or ""
    return f"the database {name} at {host}" + (f":{port}" if port else "")


def connect(dsn: str, schema: str, silence: timedelta) -> Connection:
    """A connection that works in our schema; a wrong address or password is a sentence.

    A node that says nothing for so long in the middle of a transaction is taken for frozen:
    the server ends the transaction, lest others wait for its locks.
    """
    given: dict[str, Any] = conninfo.conninfo_to_dict(dsn)
    given |= tls_settings(given, os.environ)
    try:
        connection = psycopg.connect(**_DEFAULTS | given, autocommit=True)
    except psycopg.OperationalError as error:
        if (sentence := _refused(error, dsn)) is not None:
            raise ConfigError(sentence) from None
        raise
    try:
        _check(connection, dsn)
        connection.prepared_max = PREPARED
        register(connection)
        path = sql.SQL("SET search_path TO {}").format(sql.Identifier(schema))
        frozen = f"SET idle_in_transaction_session_timeout = {silence // timedelta(milliseconds=1)}"
        connection.execute("; ".join([*_SESSION, frozen, path.as_string(connection)]))
    except BaseException:
        connection.close()
        raise
    return connection


def sentence(error: psycopg.Error, dsn: str) -> GossamerError:
    """An error that nobody here can do anything about, for those who can."""
    where = address(dsn)
    if isinstance(error, psycopg.errors.DiskFull):
        return StorageFullError(
            f"The server's disk is full: the frontier in {where} cannot grow. Nothing is lost; "
            "make room and go on."
        )
    if isinstance(error, psycopg.errors.InsufficientPrivilege):
        return DataFolderError(
            f"The frontier in {where} cannot be used: {_words(error)}. Ask the database's owner "
            "for the right to create a schema in it, or choose another."
        )
    return DataFolderError(f"The frontier in {where} cannot be used: {_words(error)}.")


def _words(error: psycopg.Error) -> str:
    """The first line of an error."""
    said = error.diag.message_primary or str(error)
    return said.strip().partition("\n")[0].rstrip(".")


def reason(error: psycopg.Error) -> str:
    """Why a server is away, in its own or the library's words."""
    return _words(error).rpartition("failed: ")[2]


def _refused(error: psycopg.OperationalError, dsn: str) -> str | None:
    """What is wrong where the server answers, and will not answer otherwise later."""
    said, where = str(error), address(dsn)
    if "no password supplied" in said:
        return (
            f"The server of {where} wants a password: put it into ~/.pgpass or PGPASSWORD, or "
            "user:password@ before the host."
        )
    if "does not support SSL" in said:
        return (
            f"The server of {where} offers no TLS, and the way there leads over a network. Switch it on "
            "there (ssl = on), or add ?sslmode=disable to the address if that network is yours alone."
        )
    if "password authentication failed" in said:
        is_invited = str(conninfo.conninfo_to_dict(dsn).get("user") or "").startswith(INVITED)
        return (
            f"The server of {where} refuses this user or password.{USED_UP if is_invited else ''}"
        )
    if re.search(r'FATAL: +database ".*" does not exist', said):
        return f"There is no such database: {where}. Create it with createdb, or name another."
    if re.search(_SHUT, said):
        return f"The server of {where} does not let us in: {said.rpartition('FATAL: ')[2].strip()}."
    return None


def _check(connection: Connection, dsn: str) -> None:
    version = connection.info.server_version // 10_000
    if version < OLDEST:
        raise ConfigError(
            f"PostgreSQL {version} is too old: {address(dsn)}. The frontier needs {OLDEST} or newer."
        )
    encoding = connection.info.parameter_status("server_encoding")
    if encoding != "UTF8":
        raise ConfigError(
            f"The frontier needs a database in UTF8, not in {encoding}: {address(dsn)}."
        )
