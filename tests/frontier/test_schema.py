import re
from itertools import chain

from gossamer.frontier.schema import POSTGRES_VERSIONS, SQLITE_VERSIONS, TYPES
from gossamer.frontier.sqlite import MARK

from .worlds import World

CREATED = re.compile(r"CREATE TABLE (\w+)")


def columns(statements: tuple[str, ...]) -> dict[str, dict[str, str]]:
    """Tables, their columns and types, as the statements that make them say."""
    found: dict[str, dict[str, str]] = {}
    for statement in statements:
        if match := CREATED.search(statement):
            body = statement[statement.index("(") + 1 : statement.rindex(")")]
            parts = [part.split() for part in re.split(r",(?![^(]*\))", body)]
            found[match[1]] = {name: kind for name, kind, *_ in parts if name != "PRIMARY"}
    return found


SQLITE = columns(tuple(chain(*SQLITE_VERSIONS)))
POSTGRES = columns(tuple(chain(*POSTGRES_VERSIONS)))


def test_both_engines_have_the_same_tables_and_columns() -> None:
    sqlite, postgres = SQLITE, POSTGRES
    assert {name: set(table) for name, table in sqlite.items()} == {
        name: set(table) for name, table in postgres.items()
    }


def test_one_name_means_one_type_in_all_tables() -> None:
    for table, names in POSTGRES.items():
        for name, kind in names.items():
            known = {"{id}": "bigint", "{blob}": "bytea"}.get(kind, kind)
            assert TYPES[name] == known, f"{table}.{name}"


def test_both_engines_are_at_the_same_version() -> None:
    assert len(SQLITE_VERSIONS) == len(POSTGRES_VERSIONS)
    assert MARK.to_bytes(4, "big") == b"Goss"


def test_a_new_database_has_all_tables(world: World) -> None:
    store = world.store()
    for table, names in POSTGRES.items():
        sql = f"SELECT {', '.join(names)} FROM {table}"
        assert store.read(lambda txn, sql=sql: txn.rows(sql)) == []  # type: ignore[misc] # bound
