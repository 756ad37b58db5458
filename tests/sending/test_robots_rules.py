"""Questions that go on when nobody waits for them any more, in virtual time."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from tests.virtual_time import in_virtual_time
from tests.virtual_world import Web, scene

from gossamer.config import Config, Politeness
from gossamer.model import Fetched, Url
from gossamer.politeness.ledger import Wait
from gossamer.politeness.permission import StillAsking
from gossamer.politeness.robots.record import Rules
from gossamer.sending.check import check_all
from gossamer.sending.robots_rules import RobotsRules

A = Url("http://a.test/")
SOON = timedelta(seconds=5)
CONFIG = Config(politeness=Politeness(contact="me@example.org"))


def inquiring(folder: Path, web: Web, work: Callable[[RobotsRules], Awaitable[None]]) -> None:
    async def run() -> None:
        async with scene(folder / "frontier.db", CONFIG, web, crawling=False) as each:
            await work(each.client.robots)

    in_virtual_time(run())


def test_what_is_known_soon_is_told(tmp_path: Path) -> None:
    async def work(robots: RobotsRules) -> None:
        assert isinstance(await robots.ask_within(A, SOON), Rules)

    inquiring(tmp_path, Web(), work)


class CachedWeb(Web):
    """Hosts that say how long an answer is fresh, in two lines."""

    async def get(self, url: Url, **given: Any) -> Fetched:
        told = (("Cache-Control", "public"), ("cache-control", "max-age=7200"))
        return replace(await super().get(url, **given), headers=told)


def test_rules_count_as_long_as_their_cache_control_says(tmp_path: Path) -> None:
    async def work(robots: RobotsRules) -> None:
        rules = await robots.ask_within(A, SOON)
        assert isinstance(rules, Rules)
        assert rules.record.ask_at - rules.record.answered_at == timedelta(hours=2)

    inquiring(tmp_path, CachedWeb(), work)


def test_a_slow_host_is_asked_once_and_answers_whoever_asks_later(tmp_path: Path) -> None:
    web = Web(seconds=40)

    async def work(robots: RobotsRules) -> None:
        for _ in range(3):
            assert isinstance(await robots.ask_within(A, SOON), StillAsking)
        await asyncio.sleep(15)
        assert isinstance(await robots.ask_within(A, SOON), Rules)
        assert len(web.visits) == 1

    inquiring(tmp_path, web, work)


def test_a_slow_host_is_told_of_beside_the_others(tmp_path: Path) -> None:
    async def work(robots: RobotsRules) -> None:
        (verdict,) = await check_all(robots, [A])
        assert verdict.retry_after == 1000
        assert "still being asked for" in (verdict.error or "")

    inquiring(tmp_path, Web(seconds=40), work)


def test_at_the_end_nothing_is_left_in_flight(tmp_path: Path) -> None:
    web = Web(seconds=40)

    async def work(robots: RobotsRules) -> None:
        asking = asyncio.create_task(check_all(robots, [A]))
        await asyncio.sleep(1)
        assert not web.visits
        await robots.stop()
        (verdict,) = await asking
        assert "still being asked for" in (verdict.error or "")

    inquiring(tmp_path, web, work)
    assert [visit.host for visit in web.visits] == ["a.test"]


def test_the_patient_are_not_refused_for_the_impatience_of_whoever_asked_first(
    tmp_path: Path,
) -> None:
    async def work(robots: RobotsRules) -> None:
        assert isinstance(await robots.ask_within(A, SOON), Rules)  # and the host rests now
        secure = Url("https://a.test/")
        hasty = asyncio.create_task(robots.ask_within(secure, timedelta(0)))
        patient = asyncio.create_task(robots.ask_within(secure, SOON))
        assert isinstance(await hasty, Wait)
        assert isinstance(await patient, Rules)

    inquiring(tmp_path, Web(), work)
