import asyncio
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from tests.proxy.proxied import run, running, until
from tests.virtual_time import in_virtual_time, now
from tests.virtual_world import Web, scene

from gossamer.config import Config, Politeness, Proxy
from gossamer.log import read_events
from gossamer.model import Url
from gossamer.politeness.outcome import Reported
from gossamer.proxy.permits import HURRY, Denied, HandedOverError, OwnRights, Permit, Wish
from gossamer.sending.lent import LentRight
from gossamer.sending.rights import Destination

A = Destination("a.test", "http://a.test", None)
SLOW = Politeness(delay=timedelta(seconds=60), contact="me@example.org")


def wish(path: str = "/", patience: float = 5, host: str = "a.test") -> Wish:
    url = Url(f"http://{host}{path}")
    return Wish(url, timedelta(seconds=patience), "anna", timedelta(seconds=100))


async def permit_of(permits: OwnRights, path: str = "/", host: str = "a.test") -> Permit:
    permit = await permits.ask(wish(path, host=host))
    assert not isinstance(permit, Denied)
    return permit


def test_a_permit_is_a_turn_that_ends_once_and_is_in_the_log(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path) as proxied:
            own = proxied.parts.permits.own
            assert isinstance(own, OwnRights)
            permit = await permit_of(own)
            assert permit.ends_by - permit.started_at == timedelta(seconds=100)
            permit.finish(Reported(status=200, received=5))
            permit.finish(Reported(status=500))
            permit.abandon("never")
            assert proxied.client.ledger.wait("a.test", proxied.client.now()) is None
            (await permit_of(own)).abandon("The client left.")
            (await permit_of(own)).finish(Reported(sent=False))
            (await permit_of(own)).finish(Reported(took=timedelta(0), cause="connect"))
            wait = proxied.client.ledger.wait("a.test", proxied.client.now())
            assert wait is not None
            assert "back-off" in str(wait.delay)

    run(work())
    told = [
        (each["event"], each["purpose"])
        for each in read_events(tmp_path / "log")
        if "purpose" in each
    ]
    assert told == [
        ("requested", "robots"),
        ("requested", "proxy"),
        ("request-failed", "proxy"),
        ("request-failed", "proxy"),
    ]


def test_a_permit_is_had_at_once_where_nothing_has_to_be_waited_for(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path) as proxied:
            own = proxied.parts.permits.own
            assert isinstance(own, OwnRights)
            assert own.ask_at_once(wish(), A) is None  # the host is not ours yet
            (await permit_of(own)).finish(Reported(status=200))

            def users() -> int:
                return proxied.keeper._kept["a.test"].users

            assert own.ask_at_once(wish("/private"), A) is None  # robots.txt forbids it
            assert users() == 0
            permit = own.ask_at_once(wish(), A)
            assert permit is not None
            assert permit.ends_by - permit.started_at == timedelta(seconds=100)
            assert own.ask_at_once(wish(), A) is None  # somebody is at it
            assert users() == 1
            permit.finish(Reported(status=503, retry_after="60"))
            assert own.ask_at_once(wish(), A) is None  # it wants to be left alone
            assert users() == 0
            await own.__aexit__()
            assert own.ask_at_once(wish(), A) is None

    run(work())


def test_robots_and_clock_are_told_apart(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path, politeness=SLOW) as proxied:
            own = proxied.parts.permits.own
            assert isinstance(own, OwnRights)
            forbidden = await own.ask(wish("/private"))
            late = await own.ask(wish("/", 0))
            assert isinstance(forbidden, Denied)
            assert isinstance(late, Denied)
            assert (forbidden.rule, forbidden.wait) == ("robots", None)
            assert late.rule == "clock"
            assert late.wait is not None
            assert timedelta(0) < late.wait <= SLOW.delay

    run(work())


def test_those_who_wait_are_sent_elsewhere_and_what_is_out_is_lent(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path) as proxied:
            lent: list[tuple[str, datetime | None]] = []

            async def lend(host: str, until: datetime | None) -> None:
                lent.append((host, until))

            async with OwnRights(proxied.client.rights, lend) as own:
                hurried: list[datetime] = []
                permit = await permit_of(own)
                permit.on_hurry = hurried.append
                waiting = asyncio.create_task(own.ask(wish(patience=30)))
                await until(lambda: proxied.client.ledger.next_turn("a.test", proxied.client.now()))
                before = proxied.client.now()
            after = proxied.client.now()
            with pytest.raises(HandedOverError):
                await waiting
            with pytest.raises(HandedOverError):
                await own.ask(wish())
            ((host, lent_until),) = lent
            assert host == "a.test"
            assert hurried == [lent_until]
            assert lent_until is not None
            assert before <= lent_until <= after + HURRY + timedelta(seconds=5)
            permit.finish(Reported(status=200))  # of which nobody hears
            ends_by.append(permit.ends_by)

    ends_by: list[datetime] = []
    run(work())
    (last,) = [each for each in read_events(tmp_path / "log") if each.get("purpose") == "proxy"]
    assert (last["event"], last["cause"]) == ("request-failed", "stopped")
    assert datetime.fromisoformat(str(last["ended_at"])) == ends_by[0]


def test_what_ends_within_a_moment_is_heard_of_and_not_lent(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path) as proxied:

            async def lend(host: str, until: datetime | None) -> None:
                raise AssertionError(host)

            async with OwnRights(proxied.client.rights, lend) as own:
                permit = await permit_of(own)
                loop = asyncio.get_running_loop()
                loop.call_later(0.1, permit.finish, Reported(status=200, took=timedelta(0)))

    run(work())
    told = [each["event"] for each in read_events(tmp_path / "log") if "purpose" in each]
    assert told == ["requested", "requested"]


def test_what_ends_while_others_are_lent_is_not_lent(tmp_path: Path) -> None:
    async def work() -> list[str]:
        async with running(tmp_path) as proxied:
            lent: list[str] = []

            async def lend(host: str, until: datetime | None) -> None:
                lent.append(host)
                for permit in permits:
                    permit.finish(Reported(status=200))

            async with OwnRights(proxied.client.rights, lend) as own:
                permits = [await permit_of(own), await permit_of(own, host="b.test")]
            return lent

    assert len(run(work())) == 1
    told = [each["event"] for each in read_events(tmp_path / "log") if "purpose" in each]
    assert {*told[-2:]} == {"request-failed", "requested"}


def test_a_caller_who_left_is_not_sent_elsewhere(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path, politeness=SLOW) as proxied:
            own = proxied.parts.permits.own
            assert isinstance(own, OwnRights)
            waiting = asyncio.create_task(own.ask(wish(patience=300)))
            await until(lambda: proxied.client.ledger.next_turn("a.test", proxied.client.now()))
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
            assert proxied.client.ledger.next_turn("a.test", proxied.client.now()) is None

    run(work())


@pytest.mark.parametrize("stays_out", [False, True])
def test_what_a_host_asked_for_is_known_to_the_next_owner_whatever_stays_under_way(
    tmp_path: Path, stays_out: bool
) -> None:
    config = Config(politeness=Politeness(contact="me@example.org", per_host=2))
    second, file = timedelta(seconds=1), tmp_path / "frontier.db"

    async def work() -> None:
        async with scene(file, config, Web(), crawling=True) as crawl:

            async def write_down(host: str, until: datetime | None) -> None:
                crawl.frontier.lend(host, until)

            async with OwnRights(crawl.client.rights, write_down) as own:
                under_way = await permit_of(own, "/1")
                (await permit_of(own, "/2")).finish(Reported(429, second, "600"))
                heard_at = now()
                if not stays_out:
                    under_way.finish(Reported(200, second))
        async with scene(file, config, Web(), crawling=True) as crawl:
            lent = await crawl.leases.lend("http://a.test/3", 900 * second)
            assert isinstance(lent, LentRight)
            assert lent.send_at - heard_at >= 600 * second

    in_virtual_time(work())


def test_by_default_a_program_with_sixteen_requests_at_a_time_loses_no_page(tmp_path: Path) -> None:
    """As many as Scrapy has in all; a host that answers in 0.3 s, with the default delay of a second."""
    config = Config(politeness=Politeness(contact="me@example.org"))
    pages, denied = [f"/{number}" for number in range(40)], list[str]()
    usual, took = Proxy().max_wait, timedelta(seconds=0.3)

    async def work() -> None:
        async with scene(tmp_path / "frontier.db", config, Web(), crawling=True) as crawl:

            async def write_down(host: str, until: datetime | None) -> None:
                crawl.frontier.lend(host, until)

            async def download() -> None:
                while pages:
                    page = pages.pop()
                    right = await own.ask(wish(page, usual.total_seconds()))
                    if isinstance(right, Denied):
                        denied.append(page)
                        continue
                    await asyncio.sleep(took.total_seconds())
                    right.finish(Reported(200, took))

            async with (
                OwnRights(crawl.client.rights, write_down) as own,
                asyncio.TaskGroup() as all_,
            ):
                for _ in range(16):
                    all_.create_task(download())

    in_virtual_time(work())
    assert denied == []
