"""Checks and leases asked of an owner, here and at its socket, while it crawls and while not."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from tests.crawl.crawls import hurried, reaching
from tests.crawl.sites import Sent, Site, on_site, served
from tests.owner.test_crawl_answers import A, B, asked_while_crawling
from tests.slowness import patience

from gossamer.cli.build_client import polite_client
from gossamer.config import Config
from gossamer.crawl.handle import CrawlHandle
from gossamer.folder.data import DataFolder
from gossamer.owner import folder_keeper
from gossamer.owner.crawl_answers import answer_for_crawl, read_crawl
from gossamer.owner.folder_keeper import FolderKeeper
from gossamer.owner.messages import AnswerError, Answering, UnableError, ask
from gossamer.owner.opening import Answers, answer_folder, read_folder
from gossamer.owner.questions import Check, Delays, LendRight, ReportRight, Who
from gossamer.owner.sending_answers import answer_and_lend
from gossamer.owner.told import LeaseRecord
from gossamer.owner.unix_socket import Owner
from gossamer.politeness.outcome import Reported

PATIENCE = timedelta(seconds=patience(30))


async def leased(owner: Answering, url: str) -> LeaseRecord:
    answer = await ask(owner, LendRight(url, PATIENCE))
    assert answer["allowed"], answer
    assert answer["lease"] is not None
    return answer["lease"]


def test_an_owner_that_does_not_crawl_checks_and_lends(tmp_path: Path) -> None:
    pages = {f"{A}robots.txt": Sent("User-agent: *\nDisallow: /x")}

    async def run() -> None:
        async with served(pages) as site:
            data, config = DataFolder(tmp_path), _reaching(site)
            async with (
                polite_client("serve", data, config) as client,
                read_folder("serve", data, config) as folder,
                answer_and_lend(folder, client) as answers,
            ):
                for owner in (answers, Owner(data.socket_file)):
                    await _lends(owner, site)
            with pytest.raises(UnableError):
                await ask(answers, LendRight(A))

    with DataFolder(tmp_path).owned():
        asyncio.run(run())


def test_what_was_lent_may_be_reported_while_the_owner_makes_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder_keeper, "WAIT_SECONDS", patience(60))
    data = DataFolder(tmp_path)

    async def run() -> None:
        async with served({}) as site:

            @asynccontextmanager
            async def own(_: object) -> AsyncIterator[Answers]:
                config = _reaching(site)
                async with (
                    polite_client("serve", data, config) as client,
                    read_folder("serve", data, config) as folder,
                    answer_and_lend(folder, client) as answers,
                ):
                    yield answers

            keeper = FolderKeeper(data, own)
            running = asyncio.create_task(keeper.run())
            lease = await leased(keeper, A)
            keeper.make_way()
            await asyncio.sleep(0.2)
            another = asyncio.create_task(ask(keeper, LendRight(A, PATIENCE)))
            await asyncio.sleep(0.2)
            assert not another.done()  # it waits for the next owner
            told = await ask(keeper, ReportRight(lease["id"], Reported(status=200)))
            assert told == {"id": lease["id"], "url": A}
            assert (await another)["allowed"]  # which is us again, for nobody came
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)

    asyncio.run(run())


def _reaching(site: Site) -> Config:
    return reaching(hurried(), site.address)


async def _lends(owner: Answering, site: Site) -> None:
    verdicts = (await ask(owner, Check((A, f"{A}x"))))["verdicts"]
    assert [verdict["retryAfter"] for verdict in verdicts] == [0, -1]
    lease = await leased(owner, A)
    assert 0 < lease["validFor"] <= 70_000
    assert lease["sendAt"] < lease["validUntil"]
    (verdict,) = (await ask(owner, Check((A,))))["verdicts"]
    assert not verdict["allowed"]
    refused = await ask(owner, LendRight(f"{A}y"))
    assert (refused["allowed"], refused["lease"]) == (False, None)
    assert refused["retryAfter"] >= 0
    report = Reported(status=200, retry_after=None)
    told = await ask(owner, ReportRight(lease["id"], report))
    assert told == {"id": lease["id"], "url": A}
    with pytest.raises(Exception, match="no lease with this id") as raised:
        await ask(owner, ReportRight(lease["id"], report))
    kind = getattr(raised.value, "kind", None) or type(raised.value).__name__
    assert kind == "UnknownLeaseError"
    forbidden = await ask(owner, LendRight(f"{A}x", PATIENCE))
    assert (forbidden["allowed"], forbidden["rule"]) == (False, "robots")
    exempt = await ask(owner, LendRight(f"{A}x", PATIENCE, heeds_robots=False))
    assert exempt["lease"] is not None, "the proxy that asks has exempted the host"
    await ask(owner, ReportRight(exempt["lease"]["id"], report))
    assert site.asked == [f"{A}robots.txt"]


def test_a_crawl_and_whoever_leases_from_it_take_turns(tmp_path: Path) -> None:
    async def work(owner: Owner, _running: CrawlHandle, site: Site) -> None:
        for _ in range(3):
            lease = await leased(owner, A)
            before = len(site.asked)
            await asyncio.sleep(0.2)
            assert len(site.asked) == before, "the crawl leaves the host alone meanwhile"
            await ask(owner, ReportRight(lease["id"], Reported(status=200)))

    asked_while_crawling(tmp_path, work, delay=0.01)


def test_a_host_that_the_crawl_does_not_know_is_lent_too_and_then_let_go(tmp_path: Path) -> None:
    async def work(owner: Owner, running: CrawlHandle, _: Site) -> None:
        lease = await leased(owner, f"{B}y")
        assert "b.test" in running.crawl.holdings.held
        await ask(owner, ReportRight(lease["id"], Reported(sent=False)))
        assert "b.test" not in running.crawl.holdings.held

    asked_while_crawling(tmp_path, work)


def test_whoever_hangs_up_gives_back_what_they_waited_for(tmp_path: Path) -> None:
    async def work(running: CrawlHandle, _: Site) -> None:
        async with read_crawl(running) as crawl, answer_for_crawl(crawl):
            owner = Owner(running.data.socket_file)
            lease = await leased(owner, A)
            waiting = asyncio.ensure_future(ask(owner, LendRight(A, PATIENCE)))
            await asyncio.sleep(0.3)
            waiting.cancel()
            await asyncio.gather(waiting, return_exceptions=True)
            await ask(owner, ReportRight(lease["id"], Reported(status=200)))
            assert await leased(owner, A)

    on_site(tmp_path, {}, work, config=hurried())


def test_leases_that_are_waited_for_keep_no_other_question_waiting(tmp_path: Path) -> None:
    async def work(running: CrawlHandle, _: Site) -> None:
        async with read_crawl(running) as crawl, answer_for_crawl(crawl):
            owner = Owner(running.data.socket_file)
            await leased(owner, A)
            waiting = [
                asyncio.ensure_future(ask(owner, LendRight(f"{A}{number}", PATIENCE)))
                for number in range(40)
            ]
            await asyncio.sleep(0.3)
            async with asyncio.timeout(patience(20)):
                assert (await ask(owner, Who()))["command"] == "crawl"
            assert not any(each.done() for each in waiting)
            for each in waiting:
                each.cancel()
            await asyncio.gather(*waiting, return_exceptions=True)

    on_site(tmp_path, {}, work, config=hurried())


def test_delays_are_those_in_the_crawls_hands_page_by_page(tmp_path: Path) -> None:
    async def work(running: CrawlHandle, _: Site) -> None:
        async with read_crawl(running) as crawl, answer_for_crawl(crawl):
            owner = Owner(running.data.socket_file)
            a, b = await leased(owner, A), await leased(owner, B)
            first = await ask(owner, Delays(limit=1))
            (host,) = first["hosts"]
            assert (host["host"], host["delay"], host["source"]) == ("a.test", 0.6, "configured")
            assert host["in_flight"] == 1
            assert host["next_at"] is not None
            assert first["next"] == "a.test"
            second = await ask(owner, Delays(after=first["next"], limit=5))
            assert [host["host"] for host in second["hosts"]] == ["b.test"]
            assert second["next"] is None
            asks = Reported(status=429, retry_after="400")
            await ask(owner, ReportRight(a["id"], asks))
            await ask(owner, ReportRight(b["id"], Reported(status=200)))
            host, other = (await ask(owner, Delays()))["hosts"]
            assert (host["source"], host["parked"]) == ("Retry-After, status 429", True)
            assert (other["in_flight"], other["parked"]) == (0, False)

    on_site(tmp_path, {}, work, config=hurried(delay=0.6))


def test_an_owner_that_sends_nothing_says_so(tmp_path: Path) -> None:
    async def run() -> None:
        async with answer_folder("query", DataFolder(tmp_path), Config()) as answers:
            for question in (Check((A,)), LendRight(A), ReportRight("x", Reported())):
                with pytest.raises(AnswerError, match="no requests of its own"):
                    await ask(answers, question)
            assert await ask(answers, Delays()) == {"hosts": [], "next": None}

    with DataFolder(tmp_path).owned():
        asyncio.run(run())
