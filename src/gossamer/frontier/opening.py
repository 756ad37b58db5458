"""The store that a frontier lives in: a file, or a database on a server that many nodes share."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Final

from gossamer.frontier.sqlite import SqliteStore
from gossamer.frontier.store import Store

FIRST_PATIENCE: Final = timedelta(seconds=3)  # with a server that may as well be misspelled


def open_store(
    file: Path,
    address: str | None,
    *,
    patience: timedelta = FIRST_PATIENCE,
    tell: Callable[[str], object] = lambda _: None,
) -> tuple[Store, Callable[[], None]]:
    """Open the store, and how to have it give up waiting for its server.

    `patience` is for a server that goes away once it was there; `tell` hears of that, in
    whatever thread waits for it.
    """
    if address is None:
        return SqliteStore(file), _nobody_waits
    # Imported when it is wanted: a crawl of one node needs no PostgreSQL.
    from gossamer.frontier.postgres import PostgresStore

    store = PostgresStore(address, patience=patience, first_patience=FIRST_PATIENCE, tell=tell)
    return store, store.give_up


def _nobody_waits() -> None:
    return


def where(address: str) -> str:
    """Which database an address means, for people: without its password."""
    from gossamer.frontier.postgres_server import address as described

    return described(address)
