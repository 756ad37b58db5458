import signal
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from gossamer.config import Politeness
from gossamer.frontier.hosts import StoredHosts
from gossamer.frontier.sqlite import SqliteStore
from gossamer.politeness.delay import bounded
from gossamer.politeness.ledger import Go, HostLedger, Ledger, Slot, Wait
from gossamer.politeness.outcome import Answered

NOW = datetime(2026, 1, 2, tzinfo=UTC)
LIMIT = timedelta(seconds=60)


@pytest.fixture
def database(tmp_path: Path) -> Iterator[SqliteStore]:
    opened = SqliteStore(tmp_path / "frontier.db")
    yield opened
    opened.close()


def started(ledger: Ledger, now: datetime) -> Go:
    slot = ledger.reserve("a.test", now)
    assert isinstance(slot, Slot)
    go = ledger.start(slot, now, now + LIMIT)
    assert isinstance(go, Go)
    return go


def test_it_is_a_mapping_that_outlives_its_process(tmp_path: Path) -> None:
    database = SqliteStore(tmp_path / "frontier.db")
    hosts = StoredHosts(database)
    hosts["b.test"] = HostLedger("b.test")
    hosts["a.test"] = HostLedger("a.test")
    del hosts["b.test"]
    with pytest.raises(KeyError):
        del hosts["b.test"]
    database.close()
    database = SqliteStore(tmp_path / "frontier.db")
    assert list(StoredHosts(database)) == ["a.test"]
    assert len(StoredHosts(database)) == 1
    database.close()


def test_a_second_run_waits_out_what_the_first_owes(database: SqliteStore) -> None:
    first = Ledger(Politeness(), StoredHosts(database))
    go = started(first, NOW)
    first.learn("a.test", bounded(7, "Crawl-delay, line 3"))
    first.finish(go, NOW + timedelta(seconds=1), timedelta(seconds=1), Answered(200))
    second = Ledger(Politeness(), StoredHosts(database))
    slot = second.reserve("a.test", NOW + timedelta(seconds=2))
    assert isinstance(slot, Slot)
    assert slot.at == NOW + timedelta(seconds=8)
    assert second.delay("a.test").source == "Crawl-delay, line 3"


def test_those_who_wait_in_line_are_remembered_while_the_process_lives(
    database: SqliteStore,
) -> None:
    ledger = Ledger(Politeness(), StoredHosts(database))
    first, second = ledger.reserve("a.test", NOW), ledger.reserve("a.test", NOW)
    assert isinstance(first, Slot)
    assert isinstance(second, Slot)
    assert isinstance(ledger.start(second, NOW, NOW + LIMIT), Wait)
    assert isinstance(ledger.start(first, NOW, NOW + LIMIT), Go)


SEND_AND_DIE = """
import os, pathlib, signal, sys
from datetime import UTC, datetime, timedelta
from gossamer.config import Politeness
from gossamer.frontier.hosts import StoredHosts
from gossamer.frontier.sqlite import SqliteStore
from gossamer.politeness.ledger import Ledger
ledger = Ledger(Politeness(), StoredHosts(SqliteStore(pathlib.Path(sys.argv[1]))))
now = datetime(2026, 1, 2, tzinfo=UTC)
ledger.start(ledger.reserve("a.test", now), now, now + timedelta(seconds=60))
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_request_in_flight_when_its_sender_was_killed_ends_when_we_learn_of_it(
    tmp_path: Path,
) -> None:
    path = tmp_path / "frontier.db"
    killed = subprocess.run([sys.executable, "-c", SEND_AND_DIE, str(path)], check=False)
    assert killed.returncode == -signal.SIGKILL
    database = SqliteStore(path)
    hosts = StoredHosts(database)
    assert hosts["a.test"].clock.in_flight
    hosts.take_over(NOW + timedelta(seconds=5))
    assert not hosts["a.test"].clock.in_flight
    slot = Ledger(Politeness(), hosts).reserve("a.test", NOW + timedelta(seconds=5))
    assert isinstance(slot, Slot)
    assert slot.at >= NOW + timedelta(seconds=6)
    database.close()
