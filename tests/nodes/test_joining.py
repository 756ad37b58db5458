"""What may be in a machine's way that wants to join a crawl is said in a sentence."""

from contextlib import closing
from datetime import timedelta

import pytest

from gossamer.config import Politeness
from gossamer.errors import StorageAwayError
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.postgres import PostgresStore
from gossamer.frontier.protocol import NewUrl
from gossamer.frontier.schema import POSTGRES
from gossamer.model import Url
from gossamer.nodes.joining import CrawlDatabase, ask_database, clock_warning, objection

NEWEST = POSTGRES.newest
MINUTES = timedelta(minutes=3)


def found(
    version: int | None = NEWEST,
    *,
    oldest: int = 0,
    seeds: bool = True,
    ahead: timedelta = timedelta(0),
) -> CrawlDatabase:
    return CrawlDatabase("the database b at a", version, oldest, seeds, ahead)


def test_a_crawl_that_has_begun_can_be_joined_and_asking_changes_nothing(database: str) -> None:
    assert (ask_database(database).version, ask_database(database).version) == (None, None)
    with closing(PostgresStore(database)) as store:
        assert not ask_database(database).has_seeds
        SqlFrontier(store, "first", Politeness()).add([NewUrl(Url("http://a.test/"), seed=True)])
    asked = ask_database(database)
    assert (asked.version, asked.has_seeds) == (NEWEST, True)
    assert asked.clock_ahead == timedelta(0)
    assert objection(asked) is None
    assert clock_warning(asked) is None


def test_a_server_that_nobody_reaches_is_named() -> None:
    with pytest.raises(StorageAwayError, match=r"database b at 127\.0\.0\.1:1 .*firewall"):
        ask_database("postgresql://me@127.0.0.1:1/b")


@pytest.mark.parametrize(
    ("database", "words"),
    [
        (found(None), "There is no crawl in the database b at a"),
        (found(NEWEST + 1, oldest=NEWEST + 1), "Upgrade Gossamer on this machine"),
        (found(seeds=False), "no seeds yet"),
        (found(ahead=timedelta(days=400)), "is 400d ahead of the database's. Set it"),
        (found(ahead=-timedelta(hours=5)), "is 5h behind the database's. Set it"),
    ],
)
def test_what_is_in_the_way_is_said(database: CrawlDatabase, words: str) -> None:
    why = objection(database)
    assert why is not None
    assert words in str(why)


def test_a_clock_that_is_minutes_off_is_a_warning() -> None:
    for ahead, way in ((MINUTES, "3min ahead of"), (-MINUTES, "3min behind")):
        assert objection(found(ahead=ahead)) is None
        assert way in (clock_warning(found(ahead=ahead)) or "")
    assert clock_warning(found(ahead=timedelta(seconds=2))) is None


def test_tables_of_an_older_version_are_for_whoever_opens_them() -> None:
    assert objection(found(NEWEST - 1)) is None


def test_newer_tables_that_we_can_live_with_are_joined() -> None:
    assert objection(found(NEWEST + 1, oldest=NEWEST)) is None
