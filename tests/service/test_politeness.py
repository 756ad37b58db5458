"""Manners over HTTP, on a service beside the process that owns the folder."""

import asyncio
import http.client
import json
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.crawl.crawls import hurried, opened, reaching
from tests.crawl.sites import Sent, Site, on_site
from tests.identity.verifier import Verifier
from tests.service.running import Answered, Client, service_on
from tests.slowness import patience

from gossamer.crawl.handle import CrawlHandle
from gossamer.crawl.sitemap_record import SitemapRecord
from gossamer.demo.accesslog import audit
from gossamer.demo.server import serve
from gossamer.demo.world import World
from gossamer.folder.data import DataFolder
from gossamer.identity.directory import directory_body
from gossamer.identity.keys import create
from gossamer.model import Url
from gossamer.moments import iso_moment, now_utc
from gossamer.owner.crawl_answers import answer_for_crawl, read_crawl
from gossamer.politeness.robots.record import Meaning, RobotsRecord
from gossamer.service import politeness
from gossamer.service.politeness import MOST_URLS, at_most_one_a_host, batches, separated
from gossamer.urls import host_of

ROUTES = politeness.ROUTES
A, B = "http://a.test/", "http://b.test/"
MAPS = b"Sitemap: http://a.test/1.xml\nSitemap: http://a.test/2.xml\n"
PAGES: dict[str, Sent | str] = {
    f"{A}robots.txt": Sent("User-agent: *\nDisallow: /x"),
    f"{B}robots.txt": Sent("User-agent: *\nDisallow: /x"),
}


class Asking:
    """Asks a service from a thread, as other programs do."""

    def __init__(self, say: Client) -> None:
        self._say = say

    async def get(self, path: str, **query: Any) -> Answered:
        return await asyncio.to_thread(self._say, path, **query)

    async def post(self, path: str, value: object) -> Answered:
        return await asyncio.to_thread(self.posted, path, value)

    def posted(self, path: str, value: object) -> Answered:
        headers = {"Content-Type": "application/json"}
        return self._say(path, "POST", body=json.dumps(value), headers=headers)


def asked(
    folder: Path,
    work: Callable[[Asking, CrawlHandle, Site], Awaitable[None]],
    *,
    delay: float = 0,
    **politeness: Any,
) -> None:
    """Ask a service beside a crawl that is ready to run."""

    async def run(running: CrawlHandle, site: Site) -> None:
        async with read_crawl(running) as crawl, answer_for_crawl(crawl):
            with service_on(running.data, beside=True, routes=ROUTES) as say:
                await work(Asking(say), running, site)

    on_site(folder, PAGES, run, config=hurried(delay=delay, **politeness))


def test_the_urls_that_may_be_fetched_are_told_one_a_host(tmp_path: Path) -> None:
    async def work(ask: Asking, _: CrawlHandle, site: Site) -> None:
        urls = [f"{A}x", "a.test/1", f"{A}2", f"{B}1", f"{B}2", "mailto:me", ""]
        answer = await ask.post("/politeness", urls)
        assert (answer.status, answer.json) == (200, ["a.test/1", f"{B}1"])
        answer = await ask.get("/politeness", urls=f"{A}x,{A}1,2,{B}1")
        assert (answer.status, answer.json) == (200, [f"{A}1,2", f"{B}1"])
        assert (await ask.get("/politeness", urls=["a.test,b.test/x", B])).json == ["a.test", B]
        assert sorted(site.asked) == [f"{A}robots.txt", f"{B}robots.txt"]

    asked(tmp_path, work)


def test_each_url_has_a_verdict_in_the_shape_of_check(tmp_path: Path) -> None:
    async def work(ask: Asking, _: CrawlHandle, site: Site) -> None:
        answer = await ask.post("/politeness/verbose", [A, f"{A}x", "http://me:pw@a b/", "a.test"])
        assert answer.status == 200
        good, closed, bad, again = answer.json
        assert good == {"url": A, "allowed": True, "error": None, "retryAfter": 0} == again
        assert (closed["allowed"], closed["retryAfter"]) == (False, -1)
        assert "Line 2 of robots.txt" in closed["error"]
        assert (bad["url"], bad["retryAfter"]) == ("***@a b/", -1)
        assert site.asked == [f"{A}robots.txt"]

    asked(tmp_path, work)


def test_hosts_that_are_only_checked_are_no_hosts_of_the_crawl(tmp_path: Path) -> None:
    async def work(ask: Asking, running: CrawlHandle, site: Site) -> None:
        def hosts() -> object:
            listed = [host.host for host in running.frontier.hosts()]
            return listed, running.frontier.counts().hosts

        before = await running.frontier_thread.do(hosts)
        for path in ("/politeness", "/politeness/verbose"):
            await ask.post(path, ["http://b.test/", "http://d.test/"])
        await until(lambda: not running.crawl.holdings.held)  # given back behind the answer
        assert f"{B}robots.txt" in site.asked
        assert await running.frontier_thread.do(hosts) == before

    asked(tmp_path, work)


def test_one_url_a_host_is_allowed_in_one_call(tmp_path: Path) -> None:
    async def work(ask: Asking, _: CrawlHandle, __: Site) -> None:
        urls = [f"{A}x", f"{A}1", f"{A}2", f"{B}1", "a.test/1"]
        closed, first, second, other, again = (await ask.post("/politeness/verbose", urls)).json
        assert (closed["allowed"], closed["retryAfter"]) == (False, -1)
        assert first["allowed"]
        assert (second["allowed"], second["retryAfter"]) == (False, 1000)
        assert "Another URL of its host" in second["error"]
        assert other["allowed"]
        assert again == first
        assert (await ask.post("/politeness", urls)).json == [f"{A}1", f"{B}1"]

    asked(tmp_path, work)


def test_the_sitemaps_known_of_a_host_are_told(tmp_path: Path) -> None:
    async def work(ask: Asking, running: CrawlHandle, site: Site) -> None:
        nothing = await ask.get("/politeness/sitemaps", host="a.test")
        assert (nothing.status, nothing.json) == (200, {"host": "a.test", "origins": []})
        now = now_utc()
        rules = RobotsRecord(
            origin="http://a.test",
            meaning=Meaning.RULES,
            cause="answered 200",
            answered_at=now,
            ask_at=now,
            body=MAPS,
            body_at=now,
        )
        await running.frontier_thread.do(running.frontier.robots.keep, rules)
        (known,) = (await ask.get("/politeness/sitemaps", host="a.test")).json["origins"]
        named = [f"{A}1.xml", f"{A}2.xml"]
        assert known == {"origin": "http://a.test", "sitemaps": named, "count": 2, "read": None}
        fact = SitemapRecord(0, now, ((Url(f"{A}2.xml"), 1),)).written()
        await running.frontier_thread.do(
            running.frontier.facts.keep, "sitemaps http://a.test", fact
        )
        (known,) = (await ask.get("/politeness/sitemaps", host="A.test")).json["origins"]
        again_at = iso_moment(now)
        assert known["read"] == {"complete": False, "left": [f"{A}2.xml"], "again_at": again_at}
        assert site.asked == []

    asked(tmp_path, work)


def test_sitemaps_are_asked_for_by_host(tmp_path: Path) -> None:
    async def work(ask: Asking, _: CrawlHandle, __: Site) -> None:
        missing = await ask.get("/politeness/sitemaps")
        assert (missing.status, missing.json["code"]) == (400, "bad-parameter")
        odd = await ask.get("/politeness/sitemaps", host="a b")
        assert (odd.status, odd.json["code"]) == (400, "bad-url")

    asked(tmp_path, work)


def test_what_is_no_text_has_a_verdict_of_its_own(tmp_path: Path) -> None:
    async def work(ask: Asking, _: CrawlHandle, __: Site) -> None:
        given = [5, A, None, {"url": "x" * 1000}]
        answer = await ask.post("/politeness/verbose", given)
        assert answer.status == 200
        number, good, nothing, table = answer.json
        assert number == {
            "url": "5",
            "allowed": False,
            "error": "A URL is text, not 5.",
            "retryAfter": -1,
        }
        assert good["allowed"]
        assert (nothing["url"], nothing["error"]) == ("null", "A URL is text, not null.")
        assert (table["allowed"], len(table["url"])) == (False, 100)
        assert (await ask.post("/politeness", given)).json == [A]

    asked(tmp_path, work)


def test_a_lease_has_the_fields_that_sign_its_request(tmp_path: Path) -> None:
    async def work(ask: Asking, _: CrawlHandle, __: Site) -> None:
        lease = (await ask.post("/politeness/lease", {"url": A})).json["lease"]
        verifier = Verifier(lambda: directory_body(ring.published(now_utc())))
        verifier.refresh()
        assert verifier.refusal(A, lease["headers"]) is None
        assert verifier.refusal(B, lease["headers"]) is not None

    (tmp_path / "gossamer.toml").write_text('[identity]\nagent_url = "https://bot.test"\n')
    ring = create(tmp_path / "identity", now_utc())
    asked(tmp_path, work)


def test_a_host_that_rests_is_to_be_asked_again_later(tmp_path: Path) -> None:
    async def work(ask: Asking, _: CrawlHandle, site: Site) -> None:
        first = await ask.post("/politeness/verbose", [A])  # waits out what it caused itself
        assert first.json[0]["allowed"]
        lease = (await ask.post("/politeness/lease", {"url": A})).json["lease"]
        report = {"id": lease["id"], "status": 503, "retryAfter": "100"}
        assert (await ask.post("/politeness/report", report)).status == 200
        (verdict,) = (await ask.post("/politeness/verbose", [A])).json
        assert 40_000 < verdict["retryAfter"] <= 100_000
        assert (await ask.post("/politeness", [A])).json == []
        assert site.asked == [f"{A}robots.txt"]

    asked(tmp_path, work, delay=0.5)


@pytest.mark.parametrize(("cause", "rests"), [("connect", True), ("bad-response", False)])
def test_a_report_may_tell_why_there_was_no_answer(tmp_path: Path, cause: str, rests: bool) -> None:
    async def work(ask: Asking, _: CrawlHandle, site: Site) -> None:
        lease = (await ask.post("/politeness/lease", {"url": A})).json["lease"]
        report = {"id": lease["id"], "cause": cause, "took": 1}
        assert (await ask.post("/politeness/report", report)).status == 200
        (verdict,) = (await ask.post("/politeness/verbose", [A])).json
        assert (verdict["retryAfter"] > 1_000) == rests

    asked(tmp_path, work, delay=0.5, backoff_first=timedelta(seconds=100))


def test_a_report_may_tell_of_a_quota_that_is_used_up(tmp_path: Path) -> None:
    async def work(ask: Asking, _: CrawlHandle, site: Site) -> None:
        assert (await ask.post("/politeness/verbose", [A])).json[0]["allowed"]
        lease = (await ask.post("/politeness/lease", {"url": A})).json["lease"]
        fields = {"rateLimit": '"a";r=0', "rateLimitPolicy": '"a";q=5;w=100'}
        report = {"id": lease["id"], "status": 200, **fields}
        assert (await ask.post("/politeness/report", report)).status == 200
        (verdict,) = (await ask.post("/politeness/verbose", [A])).json
        assert 40_000 < verdict["retryAfter"] <= 100_000
        assert "RateLimit" in verdict["error"]

    asked(tmp_path, work, delay=0.5)


def test_as_many_urls_as_may_come_are_judged_in_one_call(tmp_path: Path) -> None:
    async def work(ask: Asking, _: CrawlHandle, site: Site) -> None:
        urls = [f"http://{number % 3}.test/{'x' * 200}{number}" for number in range(MOST_URLS - 2)]
        urls += ["no url", "a" * 100_000]
        answer = await ask.post("/politeness/verbose", urls)
        assert answer.status == 200
        assert [verdict["url"] for verdict in answer.json[: len(urls) - 2]] == urls[:-2]
        assert all(verdict["allowed"] for verdict in answer.json[:3])
        assert not any(verdict["allowed"] for verdict in answer.json[3:])
        assert [verdict["retryAfter"] for verdict in answer.json[-2:]] == [-1, -1]
        assert "longer than" in answer.json[-1]["error"]
        assert len(site.asked) == 3
        assert len((await ask.post("/politeness", urls)).json) == 3
        assert (await ask.post("/politeness", [*urls, A])).status == 400

    asked(tmp_path, work)


def test_a_lease_is_given_reported_and_then_over(tmp_path: Path) -> None:
    async def work(ask: Asking, running: CrawlHandle, _: Site) -> None:
        given = (await ask.post("/politeness/lease", {"url": A, "client": "a script"})).json
        assert (given["url"], given["allowed"], given["error"]) == (A, True, None)
        lease = given["lease"]
        assert lease["sendAt"] < lease["validUntil"]
        assert lease["headers"] == {}  # without an identity
        assert 10_000 < lease["validFor"] <= 70_000
        assert "a.test" in running.crawl.holdings.held
        other = (await ask.post("/politeness/lease", {"url": f"{A}2", "maxWait": 0})).json
        assert (other["allowed"], other["lease"]) == (False, None)
        assert other["retryAfter"] >= 0
        report = {"id": lease["id"], "status": 200, "took": 12}
        assert (await ask.post("/politeness/report", report)).json == {"id": lease["id"], "url": A}
        assert "a.test" not in running.crawl.holdings.held
        again = await ask.post("/politeness/report", report)
        assert (again.status, again.json["code"]) == (404, "unknown-lease")
        closed = (await ask.post("/politeness/lease", {"url": f"{A}x"})).json
        assert (closed["retryAfter"], closed["lease"]) == (-1, None)

    asked(tmp_path, work)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("/politeness", {"urls": []}),
        ("/politeness/verbose", "http://a.test/"),
        ("/politeness/lease", [A]),
        ("/politeness/lease", {}),
        ("/politeness/lease", {"url": A, "maxWait": -1}),
        ("/politeness/lease", {"url": A, "maxWait": 1e9}),
        ("/politeness/lease", {"url": A, "client": "x" * 1000}),
        ("/politeness/lease", {"url": A, "max_wait": 1}),
        ("/politeness/report", {"status": 200}),
        ("/politeness/report", {"id": "x", "status": "200"}),
        ("/politeness/report", {"id": "x", "took": -5}),
        ("/politeness/report", {"id": "x", "cause": "bad-luck"}),
        ("/politeness/report", {"id": "x", "sent": "no"}),
    ],
)
def test_what_makes_no_sense_is_refused_with_a_sentence(
    ask_nobody: Asking, path: str, value: object
) -> None:
    answer = ask_nobody.posted(path, value)
    assert (answer.status, answer.json["code"]) == (400, "bad-body")
    assert answer.json["detail"].endswith(".")


@pytest.fixture(scope="module")
def ask_nobody(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asking]:
    data = DataFolder(tmp_path_factory.mktemp("nobody"))
    with service_on(data, beside=True, routes=ROUTES) as say:
        yield Asking(say)


def test_without_urls_or_an_owner_that_is_said(ask_nobody: Asking) -> None:
    assert ask_nobody._say("/politeness").status == 400
    assert ask_nobody._say("/politeness", urls=",".join(["a"] * (MOST_URLS + 1))).status == 400
    assert ask_nobody.posted("/politeness", [A]).status == 503
    assert ask_nobody.posted("/politeness", []).json == []


def test_whoever_hangs_up_does_not_get_a_lease(tmp_path: Path) -> None:
    async def work(ask: Asking, running: CrawlHandle, _: Site) -> None:
        first = (await ask.post("/politeness/lease", {"url": A})).json["lease"]
        body = json.dumps({"url": A, "maxWait": 30_000})
        line = running.crawl.requests.client.ledger.next_turn
        connection = http.client.HTTPConnection(ask._say.url.removeprefix("http://").strip("/"))
        connection.request("POST", "/politeness/lease", body, {"Content-Type": "application/json"})
        await until(lambda: line("a.test", running.crawl.now()) is not None)
        connection.close()
        await until(lambda: line("a.test", running.crawl.now()) is None)
        await ask.post("/politeness/report", {"id": first["id"], "status": 200})
        assert (await ask.post("/politeness/lease", {"url": A})).json["allowed"]

    asked(tmp_path, work)


async def until(so: Callable[[], bool]) -> None:
    async with asyncio.timeout(patience(30)):
        while not so():  # noqa: ASYNC110 (nobody tells)
            await asyncio.sleep(0.01)


def test_a_crawl_and_programs_outside_keep_the_gap_together(tmp_path: Path) -> None:
    """What the server sees counts."""
    world, seconds, times = World(seed=2, pages=60, hosts=1), 0.15, 6

    def program(ask: Asking, address: str, name: str) -> None:
        url = world.front(0)
        for _ in range(times):
            lease = None
            while lease is None:
                wanted = {"url": url, "client": name, "maxWait": 20_000}
                lease = ask.posted("/politeness/lease", wanted).json["lease"]
            connection = http.client.HTTPConnection(address)
            connection.request("GET", "/", headers={"Host": host_of(Url(url)), "User-Agent": name})
            answer = connection.getresponse()
            answer.read()
            connection.close()
            report = {"id": lease["id"], "status": answer.status}
            assert ask.posted("/politeness/report", report).status == 200

    async def run() -> None:
        async with serve(world) as demo:
            config = reaching(hurried(delay=seconds, scope="host"), demo.address)
            async with (
                opened(tmp_path, config, [world.front(0)]) as running,
                read_crawl(running) as crawl,
                answer_for_crawl(crawl),
            ):
                with service_on(running.data, beside=True, routes=ROUTES) as say:
                    crawling = asyncio.create_task(running.crawl.run())
                    async with asyncio.TaskGroup() as programs:
                        for name in ("one", "two"):
                            work = asyncio.to_thread(program, Asking(say), demo.address, name)
                            programs.create_task(work)
                    running.crawl.stop()
                    await crawling
            host = host_of(Url(world.front(0)))
            agents = Counter(access.agent for access in demo.log if access.host == host)
            assert agents.pop("one") == agents.pop("two") == times
            assert agents.total() >= 2, "the crawl was there, too"
            gap = audit(demo.log)[host].smallest_gap
            assert gap is not None
            assert gap >= seconds

    asyncio.run(run())


# Pure rules


@pytest.mark.parametrize(
    ("value", "urls"),
    [
        ("a.test,b.test", ["a.test", "b.test"]),
        ("http://a.test/1,2,https://b.test/", ["http://a.test/1,2", "https://b.test/"]),
        ("HTTP://a.test/, http://b.test/", ["HTTP://a.test/, http://b.test/"]),
        (",a.test,,", ["a.test"]),
        ("", []),
    ],
)
def test_urls_are_separated_by_commas_that_are_not_their_own(value: str, urls: list[str]) -> None:
    assert separated(value) == urls


@given(st.lists(st.text(max_size=50)), st.integers(1, 200))
def test_batches_have_all_urls_in_order_and_are_small(urls: Sequence[str], most: int) -> None:
    found = list(batches(urls, most))
    assert [url for batch in found for url in batch] == urls
    assert all(
        len(batch) == 1 or len(json.dumps(batch)) <= most + len(batch) + 2 for batch in found
    )


def test_of_each_host_the_first_that_may_be_fetched_is_told_as_it_was_given() -> None:
    verdicts = [
        {"url": "http://a.test/x", "allowed": False},
        {"url": "http://a.test/", "allowed": True},
        {"url": "https://a.test/2", "allowed": True},
        {"url": "http://b.test/", "allowed": True},
    ]
    given = ["a.test/x", "a.test", "https://a.test/2", "b.test"]
    assert at_most_one_a_host(given, verdicts) == ["a.test", "b.test"]
