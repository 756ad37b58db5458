"""Questions that go on when nobody waits for them any more, in virtual time."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path

from gossamer.check import StillAsking, check_all
from gossamer.config import Config, Politeness
from gossamer.inquiries import Inquiries
from gossamer.model import Url
from gossamer.politeness.robots.rules import Rules

from .virtual_time import in_virtual_time
from .virtual_world import Web, scene

A = Url("http://a.test/")
SOON = timedelta(seconds=5)
CONFIG = Config(politeness=Politeness(contact="me@example.org"))


def inquiring(folder: Path, web: Web, work: Callable[[Inquiries], Awaitable[None]]) -> None:
    async def run() -> None:
        async with (
            scene(folder / "frontier.db", CONFIG, web, crawling=False) as each,
            Inquiries(each.client) as inquiries,
        ):
            await work(inquiries)

    in_virtual_time(run())


def test_what_is_known_soon_is_told(tmp_path: Path) -> None:
    async def work(inquiries: Inquiries) -> None:
        assert isinstance(await inquiries.rules(A, SOON), Rules)

    inquiring(tmp_path, Web(), work)


def test_a_slow_host_is_asked_once_and_answers_whoever_asks_later(tmp_path: Path) -> None:
    web = Web(seconds=40)

    async def work(inquiries: Inquiries) -> None:
        for _ in range(3):
            assert isinstance(await inquiries.rules(A, SOON), StillAsking)
        await asyncio.sleep(15)
        assert isinstance(await inquiries.rules(A, SOON), Rules)
        assert len(web.visits) == 1

    inquiring(tmp_path, web, work)


def test_a_slow_host_is_told_of_beside_the_others(tmp_path: Path) -> None:
    async def work(inquiries: Inquiries) -> None:
        (verdict,) = await check_all(inquiries, [A])
        assert verdict.retry_after == 1000
        assert "still being asked for" in (verdict.error or "")

    inquiring(tmp_path, Web(seconds=40), work)


def test_at_the_end_nothing_is_left_in_flight(tmp_path: Path) -> None:
    web = Web(seconds=40)

    async def work(inquiries: Inquiries) -> None:
        asking = asyncio.create_task(check_all(inquiries, [A]))
        await asyncio.sleep(1)
        assert not web.visits
        await inquiries.__aexit__()
        (verdict,) = await asking
        assert "still being asked for" in (verdict.error or "")

    inquiring(tmp_path, web, work)
    assert [visit.host for visit in web.visits] == ["a.test"]
