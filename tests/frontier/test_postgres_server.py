import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st
from psycopg import conninfo

from gossamer.errors import ConfigError, DataFolderError, GossamerError, StorageAwayError
from gossamer.frontier.postgres import PostgresStore
from gossamer.frontier.postgres_server import address, connect
from gossamer.frontier.schema import POSTGRES, TableVersions

from .server import GUARDED, Server

SILENCE = timedelta(seconds=15)
NEWEST = POSTGRES.newest
TABLES = "SELECT table_name FROM information_schema.tables WHERE table_schema = %s ORDER BY 1"

Connection = psycopg.Connection[Any]


@pytest.fixture
def schema(server_connection: Connection) -> Iterator[str]:
    name = "odd 'name\""
    dropped = psycopg.sql.SQL("DROP SCHEMA IF EXISTS {} CASCADE").format(
        psycopg.sql.Identifier(name)
    )
    server_connection.execute(dropped)
    yield name
    server_connection.execute(dropped)


def upgraded(server: Server, schema: str, versions: TableVersions = POSTGRES) -> None:
    PostgresStore(server.dsn, schema=schema, versions=versions).close()


def test_a_new_schema_has_the_present_version_and_opening_again_changes_nothing(
    server: Server, schema: str, server_connection: Connection
) -> None:
    upgraded(server, schema)
    tables = server_connection.execute(TABLES, [schema]).fetchall()
    assert ("pages",) in tables
    upgraded(server, schema)
    assert server_connection.execute(TABLES, [schema]).fetchall() == tables
    connection = connect(server.dsn, schema, SILENCE)
    found = connection.execute("SELECT version FROM version").fetchall()
    assert found == [(NEWEST,)]
    connection.close()


@pytest.mark.parametrize("version", range(NEWEST))
def test_every_older_schema_is_upgraded(server: Server, schema: str, version: int) -> None:
    upgraded(server, schema, POSTGRES.until(version))
    PostgresStore(server.dsn, schema=schema).close()
    connection = connect(server.dsn, schema, SILENCE)
    assert connection.execute("SELECT * FROM pages").fetchall() == []
    connection.close()


def test_nodes_that_start_together_make_one_schema(server: Server, schema: str) -> None:
    with ThreadPoolExecutor(6) as nodes:
        stores = list(nodes.map(lambda _: PostgresStore(server.dsn, schema=schema), range(6)))
    for store in stores:
        assert store.read(lambda txn: txn.rows("SELECT * FROM hosts")) == []
        store.close()


def test_a_newer_schema_is_refused_and_left_alone(
    server: Server, schema: str, server_connection: Connection
) -> None:
    upgraded(server, schema)
    connection = connect(server.dsn, schema, SILENCE)
    connection.execute("UPDATE version SET version = version + 1, oldest = version + 1")
    connection.close()
    with pytest.raises(
        DataFolderError, match=rf"newer Gossamer \(version {NEWEST + 1}, we know {NEWEST}\)"
    ):
        PostgresStore(server.dsn, schema=schema)


def test_a_schema_of_somebody_else_is_refused(
    server: Server, server_connection: Connection
) -> None:
    server_connection.execute("CREATE SCHEMA theirs CREATE TABLE x (y integer)")
    with pytest.raises(DataFolderError, match="not Gossamer's"):
        PostgresStore(server.dsn, schema="theirs")
    server_connection.execute("DROP SCHEMA theirs CASCADE")


def elsewhere(server: Server, **changes: str) -> str:
    return conninfo.make_conninfo(server.dsn, **changes)


def refusal(dsn: str) -> GossamerError:
    with pytest.raises(GossamerError) as refused:
        PostgresStore(dsn, patience=timedelta(0))
    return refused.value


def test_a_database_that_is_not_there_is_a_sentence(server: Server) -> None:
    error = refusal(elsewhere(server, dbname="nowhere"))
    assert isinstance(error, ConfigError)
    assert "There is no such database: the database nowhere at" in str(error)


@pytest.mark.parametrize("password", ["", "mellon"])
def test_a_wrong_password_is_a_sentence_without_it(
    server: Server, server_connection: Connection, password: str
) -> None:
    server.require_own()
    server_connection.execute(f"CREATE ROLE {GUARDED} LOGIN PASSWORD 'friend'")
    try:
        error = refusal(elsewhere(server, user=GUARDED, password=password))
    finally:
        server_connection.execute(f"DROP ROLE {GUARDED}")
    assert isinstance(error, ConfigError)
    assert "password" in str(error)
    assert "mellon" not in str(error)


def test_a_user_that_may_not_create_a_schema_is_told_so(
    server: Server, server_connection: Connection
) -> None:
    server.require_own()
    server_connection.execute("CREATE ROLE visitor LOGIN")
    try:
        error = refusal(elsewhere(server, user="visitor"))
    finally:
        server_connection.execute("DROP ROLE visitor")
    assert "permission denied" in str(error)
    assert "right to create a schema" in str(error)


def test_a_database_that_cannot_hold_every_url_is_refused(
    server: Server, server_connection: Connection
) -> None:
    server_connection.execute(
        "CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0"
    )
    try:
        error = refusal(elsewhere(server, dbname="latin"))
    finally:
        server_connection.execute("DROP DATABASE latin WITH (FORCE)")
    assert "needs a database in UTF8, not in LATIN1" in str(error)


def test_a_role_that_is_used_to_haste_does_not_make_us_forget(server: Server, schema: str) -> None:
    # A second, not less: the statement that lifts the limits has to be through before.
    hasty = elsewhere(
        server, options="-c synchronous_commit=off -c statement_timeout=1s -c lock_timeout=1s"
    )
    connection = connect(hasty, schema, SILENCE)
    for name, value in (("synchronous_commit", "on"), ("statement_timeout", "0")):
        assert connection.execute(f"SHOW {name}").fetchone() == (value,)
    connection.close()


def test_a_server_with_too_many_visitors_is_waited_for(
    server: Server, server_connection: Connection
) -> None:
    server.require_own()
    server_connection.execute("CREATE ROLE lonely LOGIN CONNECTION LIMIT 0")
    try:
        error = refusal(elsewhere(server, user="lonely"))
    finally:
        server_connection.execute("DROP ROLE lonely")
    assert isinstance(error, StorageAwayError)
    assert "too many connections for role" in str(error)


@pytest.mark.parametrize(
    "dsn",
    [
        "postgresql://me:secret@host:port/db",
        "postgresql://me:sec@ret@host/db",
        "host=h passwort=secret",
        "postgresql://me:secret@[::1/db",
        "secret",
    ],
)
def test_what_is_no_address_is_a_sentence_that_keeps_the_password(dsn: str) -> None:
    error = refusal(dsn)
    assert isinstance(error, ConfigError)
    assert "Write it like postgresql://" in str(error)
    assert "secret" not in str(error)
    assert "sec@ret" not in str(error)


@given(st.text(st.characters(codec="ascii", categories=["L", "N"]), min_size=9))
def test_an_address_tells_all_but_the_password(password: str) -> None:
    assert address(f"postgresql://me:{password}@db.test:77/crawl") == (
        "the database crawl at db.test:77"
    )
    assert address(f"host=db.test user=me password={password}") == "the database me at db.test"


WITHOUT = """
import sys
sys.modules["psycopg"] = None
from gossamer.errors import ConfigError
try:
    import gossamer.frontier.postgres
except ConfigError as error:
    print(error)
"""


def test_without_psycopg_there_is_a_sentence_on_how_to_get_it() -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, text=True)
    assert "pip install 'gossamer[postgres]'" in done.stdout
