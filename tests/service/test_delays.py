from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from tests.service.running import Client, service_on

from gossamer.config import Politeness
from gossamer.folder.data import DataFolder
from gossamer.frontier.hosts import StoredHosts
from gossamer.frontier.robots import RobotsStore
from gossamer.frontier.sqlite import SqliteStore
from gossamer.moments import now_utc
from gossamer.politeness.delay import Delay
from gossamer.politeness.ledger import Go, HostLedger, Ledger, Slot
from gossamer.politeness.outcome import Answered
from gossamer.politeness.robots.record import Meaning, RobotsRecord
from gossamer.service.politeness import ROUTES


@pytest.fixture(scope="module")
def say(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    data = DataFolder(tmp_path_factory.mktemp("delays"))
    data.make()
    _visited(data.frontier_file)
    with service_on(data, routes=ROUTES) as client:
        yield client


def _visited(file: Path) -> None:
    store = SqliteStore(file)
    hosts, now = StoredHosts(store), now_utc()
    ledger = Ledger(Politeness(), hosts)
    slot = ledger.reserve("b.test", now)
    assert isinstance(slot, Slot)
    go = ledger.start(slot, now, now)
    assert isinstance(go, Go)
    ledger.finish(go, now, timedelta(0), Answered(429, timedelta(hours=1)))
    hosts["a.test"] = HostLedger("a.test")
    RobotsStore(store).keep(rules_of("http://a.test", now))
    ledger.learn("c.test", Delay(7.0, "Crawl-delay, line 3"))
    store.close()


def rules_of(origin: str, now: datetime) -> RobotsRecord:
    """What is kept of a robots.txt that was asked for."""
    return RobotsRecord(
        origin=origin, meaning=Meaning.NO_RULES, cause="answered 404", answered_at=now, ask_at=now
    )


def test_each_host_has_its_delay_with_its_source_and_its_next_moment(say: Client) -> None:
    answer = say("/delays")
    assert (answer.status, answer.json["next"]) == (200, None)
    a, b, c = answer.json["hosts"]
    assert a == {
        "host": "a.test",
        "delay": 1.0,
        "source": "default",
        "next_at": None,
        "in_flight": 0,
        "parked": False,
    }
    assert (b["delay"], b["source"], b["parked"]) == (3600.0, "Retry-After, status 429", True)
    assert b["next_at"] > now_utc().isoformat()
    assert (c["delay"], c["source"], c["next_at"]) == (7.0, "Crawl-delay, line 3", None)


def test_pages_follow_each_other(say: Client) -> None:
    first = say("/delays", limit=2).json
    assert [host["host"] for host in first["hosts"]] == ["a.test", "b.test"]
    assert say("/delays", limit=2).headers["link"] == '</delays?limit=2&after=b.test>; rel="next"'
    assert say("/delays", limit=3).json["next"] is None
    last = say("/delays", limit=2, after=first["next"]).json
    assert [host["host"] for host in last["hosts"]] == ["c.test"]
    assert last["next"] is None


@pytest.mark.parametrize("limit", ["0", "1001", "many"])
def test_a_page_has_a_sensible_size(say: Client, limit: str) -> None:
    answer = say("/delays", limit=limit)
    assert (answer.status, answer.json["code"]) == (400, "bad-parameter")
