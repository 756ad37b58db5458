from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gossamer.frontier.postgres_arrays import pack, register

from .server import Server

KINDS: dict[str, st.SearchStrategy[Any]] = {
    "bigint": st.integers(-(1 << 63), (1 << 63) - 1),
    "integer": st.integers(-(1 << 31), (1 << 31) - 1),
    "smallint": st.integers(-(1 << 15), (1 << 15) - 1),
    "boolean": st.booleans(),
    "text": st.text(st.characters(codec="utf-8", exclude_characters="\0")),
    "bytea": st.binary(),
}


@pytest.fixture
def connection(server: Server) -> Iterator["psycopg.Connection[Any]"]:
    with psycopg.connect(server.dsn, autocommit=True) as connection:
        register(connection)
        yield connection


@pytest.mark.parametrize("kind", KINDS)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(data=st.data())
def test_a_column_arrives_as_it_was(
    connection: "psycopg.Connection[Any]", kind: str, data: st.DataObject
) -> None:
    values = data.draw(st.lists(KINDS[kind] | st.none()) | st.lists(KINDS[kind]))
    rows = connection.execute(f"SELECT * FROM unnest(%s::{kind}[])", [pack(kind, values)])
    assert [value for (value,) in rows] == values


@pytest.mark.parametrize("value", [1, 40_000, 3_000_000_000])
def test_numbers_are_of_one_type_whatever_their_size(
    connection: "psycopg.Connection[Any]", value: int
) -> None:
    row = connection.execute("SELECT pg_typeof(%s)::text", [value]).fetchone()
    assert row == ("bigint",)


@pytest.mark.parametrize(
    ("hostile", "kept"), [("a\0b", "a\N{REPLACEMENT CHARACTER}b"), ("\ud800", "?")]
)
def test_text_that_no_server_takes_does_not_stop_the_rest(
    connection: "psycopg.Connection[Any]", hostile: str, kept: str
) -> None:
    alone = connection.execute("SELECT %s::text", [hostile]).fetchone()
    among = connection.execute("SELECT (%s::text[])[1]", [pack("text", [hostile])]).fetchone()
    assert alone == among == (kept,)
