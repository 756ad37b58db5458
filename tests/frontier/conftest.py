"""Both engines for the tests of the frontier: `new_world`, `world`, `clock`, `store`, `frontier`."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.store import Store

from .server import Server
from .worlds import Clock, NewWorld, World, postgres_worlds, sqlite_worlds


@pytest.fixture
def server_connection(server: Server) -> "Iterator[psycopg.Connection[Any]]":
    """A connection of the test itself, for what lies behind the store's back."""
    with psycopg.connect(server.dsn, autocommit=True) as connection:
        yield connection


@pytest.fixture(params=["sqlite", "postgres"])
def new_world(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[NewWorld]:
    """Makes an empty database of its own with each call: for tests with many examples."""
    opened: list[World] = []
    if request.param == "sqlite":
        make = sqlite_worlds(tmp_path)
    else:
        connection = request.getfixturevalue("server_connection")
        make = postgres_worlds(request.getfixturevalue("server").dsn, connection)

    def new() -> World:
        opened.append(make())
        return opened[-1]

    yield new
    for world in opened:
        world.close()


@pytest.fixture
def world(new_world: NewWorld) -> World:
    """An empty database and its clock; `world.frontier("two")` is one more node."""
    return new_world()


@pytest.fixture
def clock(world: World) -> Clock:
    """The world's time; set `clock.now`, and no other time passes."""
    return world.clock


@pytest.fixture
def store(world: World) -> Store:
    """A connection to the world's database."""
    return world.store()


@pytest.fixture
def frontier(world: World) -> SqlFrontier:
    """A frontier of node "one" with the usual politeness."""
    return world.frontier()
