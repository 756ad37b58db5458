"""What a machine asks the crawl's database before it joins, and what may be in its way."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

import psycopg

from gossamer.errors import ConfigError, DataFolderError, GossamerError, StorageAwayError
from gossamer.frontier import postgres_server as server
from gossamer.frontier.postgres import SERVER_CLOCK
from gossamer.frontier.postgres_transaction import Skew
from gossamer.frontier.postgres_upgrade import schema_version
from gossamer.frontier.schema import POSTGRES
from gossamer.moments import now_utc, to_microseconds
from gossamer.values import written

SCHEMA: Final = "gossamer"
SILENCE: Final = timedelta(seconds=15)
NOTED_SKEW: Final = timedelta(seconds=10)  # clocks that somebody keeps are within a second
MOST_SKEW: Final = timedelta(hours=1)  # certificates and dates of the archive make no sense beyond


@dataclass(frozen=True, slots=True)
class CrawlDatabase:
    """What a database says to a machine that wants to join the crawl in it."""

    where: str  # for people
    version: int | None  # of its tables; None where there are none
    oldest: int  # the oldest program that can live with them, by the newest version that it knows
    has_seeds: bool
    clock_ahead: timedelta  # how far this machine's clock is ahead of its own, at the least


def ask_database(address: str) -> CrawlDatabase:
    """Ask a database about its crawl, and change nothing; where it does not answer, a sentence."""
    where = server.address(address)
    try:
        connection = server.connect(address, SCHEMA, SILENCE)
    except psycopg.OperationalError as error:
        raise StorageAwayError(
            f"PostgreSQL cannot be reached: {where} ({server.reason(error)}). Is the server running, does "
            "the name in the address lead to it from this machine, and does a firewall let us through?"
        ) from None
    with connection:
        try:
            before = now_utc()
            ((now,),) = connection.execute(f"SELECT {SERVER_CLOCK}").fetchall()
            skew = Skew.measured(to_microseconds(before), now, to_microseconds(now_utc()))
            version, oldest = schema_version(connection, SCHEMA)
            seeds = "SELECT EXISTS (SELECT FROM pages WHERE seed)"
            has_seeds = bool(version) and bool(connection.execute(seeds).fetchall()[0][0])
        except psycopg.Error as error:
            raise server.sentence(error, address) from error
    return CrawlDatabase(where, version, oldest, has_seeds, _at_least(skew))


def _at_least(skew: Skew) -> timedelta:
    """How far our clock is off for certain: nothing, where both may be right."""
    if skew.least <= 0 <= skew.most:
        return timedelta(0)
    return timedelta(microseconds=min(skew, key=abs))


def objection(found: CrawlDatabase, known: int = POSTGRES.newest) -> GossamerError | None:
    """Why this machine cannot join now, if so."""
    if not found.version:
        return DataFolderError(
            f"There is no crawl in {found.where}. Begin one with `gossamer crawl SEED --frontier …`, "
            "or correct the address; then join it."
        )
    if found.oldest > known:
        return ConfigError(
            f"The crawl in {found.where} is of a newer Gossamer (version {found.version} of its tables, we "
            f"know {known}). Upgrade Gossamer on this machine, then join."
        )
    if not found.has_seeds:
        return DataFolderError(
            f"The crawl in {found.where} has no seeds yet. Join it when its first node has begun."
        )
    if abs(found.clock_ahead) >= MOST_SKEW:
        return DataFolderError(
            f"{_told_skew(found)} Set it (`timedatectl set-ntp true`), then join."
        )
    return None


def clock_warning(found: CrawlDatabase) -> str | None:
    """A sentence about this machine's clock, where it should be set."""
    if abs(found.clock_ahead) < NOTED_SKEW:
        return None
    return (
        f"warning: {_told_skew(found)} Hosts get their delays all the same, but the times in archive and "
        "log are wrong: set it (`timedatectl set-ntp true`)."
    )


def _told_skew(found: CrawlDatabase) -> str:
    seconds = round(abs(found.clock_ahead).total_seconds())
    way = "ahead of" if found.clock_ahead > timedelta(0) else "behind"
    return (
        f"The clock of this machine is {written(timedelta(seconds=seconds))} {way} the database's."
    )
