"""Rights to send, where making sure of a host takes long: in virtual time."""

import asyncio
from datetime import datetime, timedelta
from typing import cast

from tests.virtual_time import in_virtual_time, now
from tests.virtual_world import Web

from gossamer.config import Config, Politeness
from gossamer.events import Event
from gossamer.fetch.http import HttpFetcher
from gossamer.model import Fetched, Url
from gossamer.politeness.ledger import Ledger
from gossamer.politeness.robots.record import RobotsRecord
from gossamer.sending.client import PoliteClient
from gossamer.sending.hosts.alone import OwnHosts

CONFIG = Config(politeness=Politeness(contact="me@example.org"))


class SlowHosts(OwnHosts):
    """Hosts of a store that takes long to say, once, that one of them is still ours."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    async def confirm(self, _used: object) -> None:
        """Say so, after a while."""
        seconds, self.seconds = self.seconds, 0.0
        await asyncio.sleep(seconds)


class NoRobots:
    """A store of robots records that knows of none, and none is asked for."""

    def of(self, _origin: str) -> RobotsRecord | None:
        return None

    def of_host(self, _host: str) -> list[RobotsRecord]:
        return []

    async def put(self, record: RobotsRecord, _most_bytes: int) -> RobotsRecord:
        return record

    async def count_elsewhere(self, _site: str, _most: int) -> bool:
        return True

    async def expire(self, _host: str | None, _now: datetime) -> int:
        return 0


def test_no_request_outlasts_its_right_however_long_the_host_took_to_be_confirmed() -> None:
    web, events = Web(seconds=60), list[Event]()

    async def run() -> None:
        ledger = Ledger(CONFIG.politeness, {})
        client = PoliteClient(
            CONFIG,
            cast(HttpFetcher, web),
            ledger,
            NoRobots(),
            events.append,
            hosts=SlowHosts(100),
            now=now,
        )

        async def get(number: int) -> object:
            url = Url(f"http://a.test/{number}")
            return await client.get(url, "page", timedelta(minutes=20))

        assert all(isinstance(each, Fetched) for each in await asyncio.gather(get(1), get(2)))

    in_virtual_time(run())
    first, second = sorted(web.visits, key=lambda visit: visit.started_at)
    assert second.started_at - first.ended_at >= CONFIG.politeness.delay
