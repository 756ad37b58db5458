"""A crawl's database from before nodes told of themselves opens, with all that is in it."""

import sqlite3
from pathlib import Path

import psycopg
from psycopg import conninfo

from gossamer.config import Politeness
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.postgres import PostgresStore
from gossamer.frontier.protocol import NewUrl
from gossamer.frontier.schema import POSTGRES, SQLITE_VERSIONS
from gossamer.frontier.sqlite import MARK, SqliteStore
from gossamer.model import Url
from gossamer.nodes.store import NodeStore

BEFORE = next(
    number
    for number, statements in enumerate(SQLITE_VERSIONS)
    if any("CREATE TABLE nodes" in each for each in statements)
)
SEED = Url("http://a.test/")


def test_a_file_of_the_version_before(tmp_path: Path) -> None:
    path = tmp_path / "frontier.db"
    old = sqlite3.connect(path, isolation_level=None)
    old.create_function("site_of", 1, str)
    for statements in SQLITE_VERSIONS[:BEFORE]:
        for statement in statements:
            old.execute(statement.format(id="INTEGER PRIMARY KEY", blob="BLOB"))
    old.execute(f"PRAGMA user_version = {BEFORE}")
    old.execute(f"PRAGMA application_id = {MARK}")
    old.execute("INSERT INTO hosts (host, site) VALUES ('a.test', 'a.test')")
    old.close()
    store = SqliteStore(path)
    frontier = SqlFrontier(store, "one", Politeness())
    assert frontier.host("a.test") is not None
    assert NodeStore(store).all()[1] == []
    NodeStore(store).join("one", "1.0")
    assert [each.node for each in NodeStore(store).all()[1]] == ["one"]
    store.close()


def test_a_schema_of_the_version_before(database: str) -> None:
    old = PostgresStore(database, versions=POSTGRES.until(BEFORE))
    # A frontier of today would ask for columns that are not there yet.
    old.transact(lambda txn: txn.rows("INSERT INTO hosts (host, site) VALUES ('a.test', 'a.test')"))
    old.close()
    store = PostgresStore(conninfo.make_conninfo(database))
    frontier = SqlFrontier(store, "one", Politeness())
    assert frontier.host("a.test") is not None
    frontier.add([NewUrl(SEED, seed=True)])
    assert frontier.seeds() == [SEED]
    nodes = NodeStore(store)
    nodes.join("one", "1.0")
    assert [each.node for each in nodes.all()[1]] == ["one"]
    store.close()
    with psycopg.connect(database) as connection:
        found = connection.execute("SELECT version FROM gossamer.version").fetchall()
    assert found == [(POSTGRES.newest,)]
