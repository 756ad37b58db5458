"""Both engines for the tests of nodes, as the frontier's tests have them."""

from tests.frontier.conftest import clock, new_world, server_connection, store, world

__all__ = ["clock", "new_world", "server_connection", "store", "world"]  # fixtures
