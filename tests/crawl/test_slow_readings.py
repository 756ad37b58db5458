from datetime import timedelta
from pathlib import Path

from tests.crawl.crawls import hurried
from tests.crawl.sites import Site, on_site

from gossamer.crawl.handle import CrawlHandle
from gossamer.crawl.troubled_hosts import SlowReadings
from gossamer.events import Event, ReadingTrouble
from gossamer.moments import now_utc
from gossamer.reading.pool.pool import HostReading

SEED = "http://a.test/"


def test_whoever_has_the_clock_of_a_host_is_told_to_wait(tmp_path: Path) -> None:
    told: list[Event] = []

    async def work(running: CrawlHandle, _: Site) -> None:
        do, frontier, ledger = (
            running.frontier_thread.do,
            running.frontier,
            running.crawl.requests.client.ledger,
        )
        readings = SlowReadings(frontier, running.frontier_thread, ledger, now_utc, told.append)
        readings.note(HostReading("a.test", 50.0, 1))
        (state,) = await do(frontier.hosts)
        assert state.why.endswith("(1 × last reading of 50 s)")
        assert not await do(frontier.lease, 1)

        await do(frontier.park, "b.test", now_utc(), "known")
        await running.crawl.holdings._reserve("b.test", now_utc() + timedelta(seconds=5))
        readings.note(HostReading("b.test", 50.0, 0))
        assert ledger.delay("b.test").source == "1 × last reading of 50 s"

    on_site(tmp_path, {SEED: "<p>"}, work, seeds=[SEED], config=hurried(delay=0.1, slowness=1))
    assert told == []


def test_several_that_fail_in_a_row_are_told_of(tmp_path: Path) -> None:
    told: list[Event] = []

    async def work(running: CrawlHandle, _: Site) -> None:
        ledger = running.crawl.requests.client.ledger
        readings = SlowReadings(
            running.frontier, running.frontier_thread, ledger, now_utc, told.append
        )
        for count in (1, 2, 3):
            readings.note(HostReading("a.test", 1.0, count))

    on_site(tmp_path, {SEED: "<p>"}, work, seeds=[SEED], config=hurried(delay=0))
    assert [(event.host, event.count) for event in told if isinstance(event, ReadingTrouble)] == [
        ("a.test", 3)
    ]
