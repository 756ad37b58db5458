"""Checks and leases asked of an owner, here and at its socket, while it crawls and while not."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.crawling.crawls import hurried, reaching
from tests.crawling.sites import Sent, Site, on_site, served
from tests.owner.test_crawl_answers import A, B, asked_while_crawling

from gossamer.cli.asking import polite_client
from gossamer.config import Config
from gossamer.crawling.running import Running
from gossamer.data import DataFolder
from gossamer.owner.answers import Answers
from gossamer.owner.client import Owner
from gossamer.owner.crawl_answers import answering_for
from gossamer.owner.manners import minding_manners
from gossamer.owner.messages import AnswerError, Answering, Question, Record, UnableError, record_of
from gossamer.owner.opening import answering
from gossamer.owner.steward import Steward
from gossamer.politeness.outcome import Reported

pytestmark = pytest.mark.timeout(100)


async def ask(owner: Answering, what: Any, *texts: str, **more: Any) -> Record:
    return await record_of(owner.answer(Question(what=what, texts=texts, **more)))


async def leased(owner: Answering, url: str) -> Record:
    answer = await ask(owner, "lease", url, seconds=20.0)
    assert answer["allowed"], answer
    lease: Record = answer["lease"]
    return lease


def test_an_owner_that_does_not_crawl_checks_and_lends(tmp_path: Path) -> None:
    pages = {f"{A}robots.txt": Sent("User-agent: *\nDisallow: /x")}

    async def run() -> None:
        async with served(pages) as site:
            data, config = DataFolder(tmp_path), _reaching(site)
            async with (
                polite_client("serve", data, config) as client,
                answering("serve", data, config) as answers,
                minding_manners(answers, client),
            ):
                for owner in (answers, Owner(data.socket_file)):
                    await _lends(owner, site)
            with pytest.raises(UnableError):
                await ask(answers, "lease", A)

    with DataFolder(tmp_path).owned():
        asyncio.run(run())


def test_what_was_lent_may_be_reported_while_the_owner_makes_way(tmp_path: Path) -> None:
    data = DataFolder(tmp_path)

    async def run() -> None:
        async with served({}) as site:

            @asynccontextmanager
            async def own() -> AsyncIterator[Answers]:
                config = _reaching(site)
                async with (
                    polite_client("serve", data, config) as client,
                    answering("serve", data, config) as answers,
                    minding_manners(answers, client),
                ):
                    yield answers

            steward = Steward(data, own)
            running = asyncio.create_task(steward.run())
            lease = await leased(steward, A)
            steward.make_way()
            await asyncio.sleep(0.2)
            another = asyncio.create_task(ask(steward, "lease", A, seconds=20.0))
            await asyncio.sleep(0.2)
            assert not another.done()  # it waits for the next owner
            told = await ask(steward, "report", lease=lease["id"], report=Reported(status=200))
            assert told == {"id": lease["id"], "url": A}
            assert (await another)["allowed"]  # which is us again, for nobody came
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)

    asyncio.run(run())


def _reaching(site: Site) -> Config:
    return reaching(hurried(), site.address)


async def _lends(owner: Answering, site: Site) -> None:
    verdicts = (await ask(owner, "check", A, f"{A}x"))["verdicts"]
    assert [verdict["retryAfter"] for verdict in verdicts] == [0, -1]
    lease = await leased(owner, A)
    assert 0 < lease["validFor"] <= 70_000
    assert lease["sendAt"] < lease["validUntil"]
    (verdict,) = (await ask(owner, "check", A))["verdicts"]
    assert not verdict["allowed"]
    refused = await ask(owner, "lease", f"{A}y", seconds=0.0)
    assert (refused["allowed"], refused["lease"]) == (False, None)
    assert refused["retryAfter"] >= 0
    report = Reported(status=200, retry_after=None)
    told = await ask(owner, "report", lease=lease["id"], report=report)
    assert told == {"id": lease["id"], "url": A}
    with pytest.raises(Exception, match="no lease with this id") as raised:
        await ask(owner, "report", lease=lease["id"], report=report)
    kind = getattr(raised.value, "kind", None) or type(raised.value).__name__
    assert kind == "UnknownLeaseError"
    assert site.asked == [f"{A}robots.txt"]


def test_a_crawl_and_whoever_leases_from_it_take_turns(tmp_path: Path) -> None:
    async def work(owner: Owner, _running: Running, site: Site) -> None:
        for _ in range(3):
            lease = await leased(owner, A)
            before = len(site.asked)
            await asyncio.sleep(0.2)
            assert len(site.asked) == before, "the crawl leaves the host alone meanwhile"
            await ask(owner, "report", lease=lease["id"], report=Reported(status=200))

    asked_while_crawling(tmp_path, work, delay=0.01)


def test_a_host_that_the_crawl_does_not_know_is_lent_too_and_then_let_go(tmp_path: Path) -> None:
    async def work(owner: Owner, running: Running, _: Site) -> None:
        lease = await leased(owner, f"{B}y")
        assert "b.test" in running.crawl.holdings.held
        await ask(owner, "report", lease=lease["id"], report=Reported(sent=False))
        assert "b.test" not in running.crawl.holdings.held

    asked_while_crawling(tmp_path, work)


def test_whoever_hangs_up_gives_back_what_they_waited_for(tmp_path: Path) -> None:
    async def work(running: Running, _: Site) -> None:
        async with answering_for(running):
            owner = Owner(running.data.socket_file)
            lease = await leased(owner, A)
            waiting = asyncio.ensure_future(ask(owner, "lease", A, seconds=30.0))
            await asyncio.sleep(0.3)
            waiting.cancel()
            await asyncio.gather(waiting, return_exceptions=True)
            await ask(owner, "report", lease=lease["id"], report=Reported(status=200))
            assert await leased(owner, A)

    on_site(tmp_path, {}, work, config=hurried())


def test_leases_that_are_waited_for_keep_no_other_question_waiting(tmp_path: Path) -> None:
    async def work(running: Running, _: Site) -> None:
        async with answering_for(running):
            owner = Owner(running.data.socket_file)
            await leased(owner, A)
            waiting = [
                asyncio.ensure_future(ask(owner, "lease", f"{A}{number}", seconds=30.0))
                for number in range(40)
            ]
            await asyncio.sleep(0.3)
            async with asyncio.timeout(10):
                assert (await ask(owner, "who"))["command"] == "crawl"
            assert not any(each.done() for each in waiting)
            for each in waiting:
                each.cancel()
            await asyncio.gather(*waiting, return_exceptions=True)

    on_site(tmp_path, {}, work, config=hurried())


def test_delays_are_those_in_the_crawls_hands_page_by_page(tmp_path: Path) -> None:
    async def work(running: Running, _: Site) -> None:
        async with answering_for(running):
            owner = Owner(running.data.socket_file)
            a, b = await leased(owner, A), await leased(owner, B)
            first = await ask(owner, "delays", limit=1)
            (host,) = first["hosts"]
            assert (host["host"], host["delay"], host["source"]) == ("a.test", 0.6, "configured")
            assert host["in_flight"] == 1
            assert host["next_at"] is not None
            assert first["next"] == "a.test"
            second = await ask(owner, "delays", host=first["next"], limit=5)
            assert [host["host"] for host in second["hosts"]] == ["b.test"]
            assert second["next"] is None
            asks = Reported(status=429, retry_after="400")
            await ask(owner, "report", lease=a["id"], report=asks)
            await ask(owner, "report", lease=b["id"], report=Reported(status=200))
            host, other = (await ask(owner, "delays"))["hosts"]
            assert (host["source"], host["parked"]) == ("Retry-After, status 429", True)
            assert (other["in_flight"], other["parked"]) == (0, False)

    on_site(tmp_path, {}, work, config=hurried(delay=0.6))


def test_an_owner_that_sends_nothing_says_so(tmp_path: Path) -> None:
    async def run() -> None:
        async with answering("query", DataFolder(tmp_path), Config()) as answers:
            for what in ("check", "lease", "report"):
                with pytest.raises(AnswerError, match="no requests of its own"):
                    await ask(answers, what, A)
            assert await ask(answers, "delays") == {"hosts": [], "next": None}

    with DataFolder(tmp_path).owned():
        asyncio.run(run())
