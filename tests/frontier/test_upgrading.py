"""Tables are upgraded beneath older nodes that can live with that, and after the others have left."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from typing import Any

import psycopg
import pytest

from gossamer.config import Politeness
from gossamer.errors import DataFolderError
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.postgres import SERVER_CLOCK, PostgresStore
from gossamer.frontier.postgres_server import connect
from gossamer.frontier.postgres_upgrade import TableUpgrade, schema_version
from gossamer.frontier.protocol import NewUrl
from gossamer.frontier.schema import BREAKING, POSTGRES, SQLITE_VERSIONS, TableVersions
from gossamer.frontier.upgrading import OlderNode
from gossamer.model import Url
from gossamer.nodes.store import NodeStore, NodeWish

NOW = POSTGRES.newest
GENTLE = replace(POSTGRES, statements=(*POSTGRES.statements, ("CREATE TABLE later (x bigint)",)))
HARD = TableVersions(
    (*GENTLE.statements, ("ALTER TABLE hosts RENAME COLUMN site TO place",)), BREAKING | {NOW + 2}
)
LONG_AGO = "SELECT extract(epoch FROM now() - interval '40 s') * 1000000"


@pytest.fixture
def connection(database: str) -> Iterator[psycopg.Connection[Any]]:
    with connect(database, "gossamer", timedelta(seconds=15)) as connection:
        yield connection


def upgrade(database: str, versions: TableVersions, node: str | None = "new") -> TableUpgrade:
    return TableUpgrade(database, "gossamer", versions, SERVER_CLOCK, node)


def wish(store: PostgresStore) -> str | None:
    return NodeStore(store).all()[1][0].wish


def test_every_version_says_which_programs_can_live_with_it() -> None:
    assert max(BREAKING) <= NOW == len(SQLITE_VERSIONS)
    assert HARD.oldest_for(NOW + 1) == max(BREAKING)
    assert HARD.oldest_for(NOW + 2) == NOW + 2
    assert HARD.until(NOW).newest == NOW


def test_a_version_that_older_nodes_can_live_with_is_made_beneath_them(
    database: str, connection: psycopg.Connection[Any]
) -> None:
    with closing(PostgresStore(database, node="old")) as old:
        NodeStore(old).join("old", "1.0")
        assert upgrade(database, GENTLE).attempt(connection) == ()
        assert schema_version(connection, "gossamer") == (NOW + 1, max(BREAKING))
        assert NodeStore(old).beat("old", "1.0", "running", b"{}").wish is None
    PostgresStore(database, node="old").close()  # and starts again as it is


def test_another_version_waits_until_older_nodes_have_left_and_they_are_told(
    database: str, connection: psycopg.Connection[Any]
) -> None:
    hard = upgrade(database, HARD)
    with closing(PostgresStore(database, node="old")) as old:
        nodes = NodeStore(old)
        nodes.join("old", "1.0")
        assert hard.attempt(connection) == [OlderNode("old", 0, False, 0.0)]
        assert nodes.beat("old", "1.0", "running", b"{}").wish is NodeWish.MAKE_WAY
        assert schema_version(connection, "gossamer")[0] == NOW
        with pytest.raises(DataFolderError, match=f"new waits to bring .* version {NOW + 2}"):
            PostgresStore(database, node="old")
        PostgresStore(database).close()  # to look is allowed
        with pytest.raises(DataFolderError, match=r"old \(holds 0 hosts\)"):
            upgrade(database, HARD, None).attempt(connection)
        nodes.leave("old")
        assert hard.attempt(connection) == ()
        assert schema_version(connection, "gossamer") == (NOW + 2, NOW + 2)
        with pytest.raises(DataFolderError, match="written by a newer Gossamer"):
            nodes.all()
    with pytest.raises(DataFolderError, match="written by a newer Gossamer"):
        PostgresStore(database)
    with closing(PostgresStore(database, versions=HARD, node="new")) as new:
        assert NodeStore(new).all()[1][0].has_left


def test_a_node_that_is_silent_is_waited_for_until_its_leases_are_over(
    database: str, connection: psycopg.Connection[Any]
) -> None:
    hard = upgrade(database, HARD)
    with closing(PostgresStore(database, node="frozen")) as store:
        frontier = SqlFrontier(store, "frozen", Politeness())
        NodeStore(store).join("frozen", "1.0")
        frontier.add([NewUrl(Url("http://a.test/"), seed=True)])
        assert frontier.lease(1)
        connection.execute(f"UPDATE nodes SET heard_at = ({LONG_AGO})")
        (waited,) = hard.attempt(connection)
        assert (waited.node, waited.hosts, waited.is_silent) == ("frozen", 1, True)
        assert 0 < waited.lease_seconds <= frontier.lease_length.total_seconds()
        for table, column in (("hosts", "lease_until"), ("claims", "until")):
            connection.execute(f"UPDATE {table} SET {column} = ({LONG_AGO})")
        assert hard.attempt(connection) == ()
        with pytest.raises(DataFolderError, match="Upgrade Gossamer"):  # it is awake again
            frontier.lease(1)


def test_whoever_starts_in_the_folder_of_a_node_need_not_wait_for_that(
    database: str, connection: psycopg.Connection[Any]
) -> None:
    with closing(PostgresStore(database, node="same")) as store:
        NodeStore(store).join("same", "1.0")
    assert upgrade(database, HARD, "same").attempt(connection) == ()


def test_a_note_that_nobody_renews_keeps_no_node_from_starting(
    database: str, connection: psycopg.Connection[Any]
) -> None:
    with closing(PostgresStore(database, node="old")) as store:
        NodeStore(store).join("old", "1.0")
    assert upgrade(database, HARD).attempt(connection)
    note = bytes(
        connection.execute("SELECT value FROM facts WHERE name = 'upgrade'").fetchall()[0][0]
    )
    old = note.replace(b'"at": ', b'"at": -')
    connection.execute("UPDATE facts SET value = %s WHERE name = 'upgrade'", [old])
    with closing(PostgresStore(database, node="old")) as store:
        assert NodeStore(store).join("old", "1.0").wish is None


def test_nobody_leaves_for_a_user_who_may_not_change_the_tables(
    database: str, connection: psycopg.Connection[Any]
) -> None:
    with closing(PostgresStore(database, node="old")) as store:
        NodeStore(store).join("old", "1.0")
        connection.execute("DROP ROLE IF EXISTS guest_of_tables")
        connection.execute("CREATE ROLE guest_of_tables")
        connection.execute("GRANT USAGE ON SCHEMA gossamer TO guest_of_tables")
        connection.execute("GRANT ALL ON ALL TABLES IN SCHEMA gossamer TO guest_of_tables")
        connection.execute("SET ROLE guest_of_tables")
        with pytest.raises(DataFolderError, match="only the user may who made them"):
            upgrade(database, HARD).attempt(connection)
        connection.execute("RESET ROLE")
        connection.execute("DROP OWNED BY guest_of_tables")
        connection.execute("DROP ROLE guest_of_tables")
        assert wish(store) is None
