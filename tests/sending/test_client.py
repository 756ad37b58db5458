import asyncio
import gzip
import lzma
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from tests.fetch.servers import listening
from tests.polite_world import HURRIED, SOON, WORLD, Result, politely
from tests.slowness import patience
from tests.virtual_time import in_virtual_time, now
from tests.virtual_world import Web, scene

from gossamer.config import Config, Fetch, Politeness
from gossamer.demo.accesslog import Access, audit
from gossamer.demo.robots import RobotsKind
from gossamer.events import NoContact, Parked, Refused, Requested, RequestFailed, RobotsRead
from gossamer.model import Cause, Failed, Fetched, Url
from gossamer.moments import now_utc
from gossamer.politeness.ledger import Wait
from gossamer.politeness.robots.record import Meaning, RobotsRecord, Rules
from gossamer.sending.client import PoliteClient


def front(kind: RobotsKind) -> Url:
    """The front page of a host with such a robots.txt."""
    return next(WORLD.front(host) for host in range(WORLD.hosts) if WORLD.robots(host) is kind)


SIMPLE = front(RobotsKind.SIMPLE)


class Records(dict[str, RobotsRecord]):
    """What is known of robots.txt files while a host is held: the same until there is news."""

    def of(self, origin: str) -> RobotsRecord | None:
        return self.get(origin)

    def of_host(self, host: str) -> list[RobotsRecord]:
        return [*self.values()]

    def keep(self, record: RobotsRecord) -> None:
        self[record.origin] = record

    async def put(self, record: RobotsRecord, most_bytes: int) -> RobotsRecord:
        self.keep(record)
        return record

    async def count_elsewhere(self, site: str, most: int) -> bool:
        raise AssertionError((site, most))

    async def expire(self, host: str | None, now: datetime) -> int:
        raise AssertionError((host, now))


async def rules_of(client: PoliteClient, url: Url) -> Rules:
    rules = await client.rules(url, SOON)
    assert isinstance(rules, Rules)
    return rules


def test_many_who_want_the_rules_of_an_origin_ask_once(tmp_path: Path) -> None:
    async def work(client: PoliteClient) -> list[Rules]:
        return await asyncio.gather(*(rules_of(client, SIMPLE) for _ in range(20)))

    rules, log, events = politely(tmp_path, work)
    assert [access.path for access in log] == ["/robots.txt"]
    assert len({each.record for each in rules}) == 1
    assert [type(event) for event in events] == [Requested, RobotsRead]


def test_a_second_run_does_not_ask_again_within_the_day(tmp_path: Path) -> None:
    politely(tmp_path, lambda client: rules_of(client, SIMPLE))
    rules, log, _ = politely(tmp_path, lambda client: rules_of(client, SIMPLE))
    assert not log
    assert not rules.policy.allows(Url(f"{SIMPLE}private/1"))


def test_rules_past_their_day_are_asked_for_again(tmp_path: Path) -> None:
    short = replace(HURRIED, robots_max_age=timedelta(0))
    for _ in range(2):
        _, log, _ = politely(tmp_path, lambda client: rules_of(client, SIMPLE), politeness=short)
        assert len(log) == 1


@pytest.mark.parametrize("together", [True, False])
def test_the_server_sees_the_delay_and_one_request_at_a_time(
    tmp_path: Path, together: bool
) -> None:
    delay = timedelta(milliseconds=80)

    async def work(client: PoliteClient) -> None:
        if together:
            await asyncio.gather(*(client.get(SIMPLE, "page", SOON) for _ in range(6)))
        else:
            for _ in range(6):
                await client.get(SIMPLE, "page", SOON)

    _, log, _ = politely(tmp_path, work, politeness=replace(HURRIED, delay=delay))
    host = audit(log)["www.site0.test"]
    assert host.requests == 6
    assert host.most_in_flight == 1
    assert host.smallest_gap is not None
    assert host.smallest_gap >= delay.total_seconds()


def test_the_gap_holds_across_two_runs(tmp_path: Path) -> None:
    delay = replace(HURRIED, delay=timedelta(milliseconds=700))
    logs: list[Access] = []
    for _ in range(2):
        _, log, _ = politely(
            tmp_path, lambda client: client.get(SIMPLE, "page", SOON), politeness=delay
        )
        logs += log
    gap = audit(logs)["www.site0.test"].smallest_gap
    assert gap is not None
    assert gap >= 0.7


def test_robots_that_live_elsewhere_govern_the_first_origin(tmp_path: Path) -> None:
    url = front(RobotsKind.ELSEWHERE)
    rules, log, _ = politely(tmp_path, lambda client: rules_of(client, url))
    assert [access.path for access in log] == ["/robots.txt", "/rules/robots.txt"]
    assert log[0].host != log[1].host
    assert rules.record.origin == url.rstrip("/")
    assert not rules.policy.allows(Url(f"{url}private/1"))


def test_a_crawl_delay_is_learnt_with_its_line(tmp_path: Path) -> None:
    async def work(client: PoliteClient) -> str:
        await rules_of(client, front(RobotsKind.CRAWL_DELAY))
        return str(client.ledger.delay("data.site2.test"))

    said, _, _ = politely(tmp_path, work)
    assert said == "500 ms (Crawl-delay, line 4)"


def test_rules_that_stand_are_read_once_and_a_delay_is_learned_with_them(tmp_path: Path) -> None:
    async def work(client: PoliteClient) -> None:
        client.robots._records = records = Records()
        record = RobotsRecord(
            origin="http://a.test",
            meaning=Meaning.RULES,
            cause="answered 200",
            answered_at=client.now(),
            ask_at=client.now() + timedelta(days=1),
            body=b"User-agent: *\nCrawl-delay: 3",
        )
        records.keep(record)
        url = Url("http://a.test/")
        known = client.known_rules(url)
        assert known is not None
        assert client.known_rules(url) is known
        assert client.ledger.delay("a.test").seconds == 3
        records.keep(replace(record, body=b"User-agent: *\nCrawl-delay: 4"))
        assert client.known_rules(url) is not known
        assert client.ledger.delay("a.test").seconds == 4
        records.keep(replace(record, ask_at=client.now()))
        assert client.known_rules(url) is None

    politely(tmp_path, work)


def test_a_host_whose_turn_is_too_far_away_is_not_asked(tmp_path: Path) -> None:
    slow, began = replace(HURRIED, delay=timedelta(minutes=1)), now_utc()

    async def work(client: PoliteClient) -> Fetched | Failed | Wait:
        await client.get(SIMPLE, "page", SOON)
        return await client.get(SIMPLE, "page", SOON)

    answer, log, _ = politely(tmp_path, work, politeness=slow)
    assert isinstance(answer, Wait)
    assert answer.until >= began + timedelta(minutes=1)
    assert len(log) == 1


def test_who_waits_for_a_turn_hears_of_a_shorter_delay(tmp_path: Path) -> None:
    slow = replace(HURRIED, delay=timedelta(minutes=1))

    async def work(client: PoliteClient) -> Fetched | Failed | Wait:
        await client.get(SIMPLE, "page", SOON)
        waiting = asyncio.create_task(client.get(SIMPLE, "page", timedelta(hours=1)))
        await asyncio.sleep(0.1)
        assert not waiting.done()
        client.configure(Config(politeness=HURRIED))
        async with asyncio.timeout(patience(30)):
            return await waiting

    answer, log, _ = politely(tmp_path, work, politeness=slow)
    assert isinstance(answer, Fetched)
    assert len(log) == 2


def test_a_caller_who_leaves_the_line_does_not_hold_it_up(tmp_path: Path) -> None:
    paced = replace(HURRIED, delay=timedelta(milliseconds=200))

    async def work(client: PoliteClient) -> Fetched | Failed | Wait:
        await client.get(SIMPLE, "page", SOON)
        waiting = asyncio.create_task(client.get(SIMPLE, "page", SOON))
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.wait([waiting])
        return await client.get(SIMPLE, "page", SOON)

    answer, log, _ = politely(tmp_path, work, politeness=paced)
    assert isinstance(answer, Fetched)
    assert len(log) == 2


def test_an_internal_address_is_refused_and_nothing_is_sent(tmp_path: Path) -> None:
    async def work(client: PoliteClient) -> Rules | Wait | Failed:
        return await client.rules(Url("http://127.0.0.1:9/"), SOON)

    answer, _, events = politely(tmp_path, work)
    assert isinstance(answer, Failed)
    assert answer.cause is Cause.REFUSED_ADDRESS
    assert [type(event) for event in events] == [Refused]


def test_a_failing_robots_txt_closes_the_host_until_it_is_asked_again(tmp_path: Path) -> None:
    rules, _, _ = politely(tmp_path, lambda client: rules_of(client, front(RobotsKind.FAILING)))
    assert rules.record.meaning is Meaning.UNREACHABLE
    assert not rules.policy.allows(Url(f"{front(RobotsKind.FAILING)}anything"))
    assert rules.record.ask_at > now_utc()


def test_a_host_that_asks_for_too_much_patience_is_parked_and_reported(tmp_path: Path) -> None:
    hurried = replace(HURRIED, backoff_first=timedelta(minutes=10))
    _, _, events = politely(
        tmp_path, lambda client: rules_of(client, front(RobotsKind.FAILING)), politeness=hurried
    )
    parked = next(event for event in events if isinstance(event, Parked))
    assert "back-off after a failure" in parked.why


def test_without_a_contact_the_first_request_warns_once(tmp_path: Path) -> None:
    async def work(client: PoliteClient) -> None:
        for _ in range(3):
            await client.get(SIMPLE, "page", SOON)

    _, _, events = politely(tmp_path, work, politeness=Politeness(delay=timedelta(0)))
    assert sum(isinstance(event, NoContact) for event in events) == 1


async def half_of_the_rules(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.readuntil(b"\r\n\r\n")
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nUser-agent: *\nDisallow:\n")
    await writer.drain()
    writer.close()


def test_half_of_the_rules_are_no_rules(tmp_path: Path) -> None:
    async def work(client: PoliteClient) -> Rules:
        async with listening(half_of_the_rules) as port:
            return await rules_of(client, Url(f"http://127.0.0.1:{port}/"))

    rules, _, _ = politely(tmp_path, work, fetch=Fetch(allow_net=("127.0.0.0/8",)))
    assert rules.record.meaning is Meaning.UNREACHABLE
    assert "broke off" in rules.record.cause


def test_a_redirected_robots_txt_is_read_however_slow_the_host_is(tmp_path: Path) -> None:
    paced = replace(HURRIED, delay=timedelta(milliseconds=600))

    async def work(client: PoliteClient) -> Rules | Wait | Failed:
        return await client.rules(front(RobotsKind.REDIRECTED), timedelta(milliseconds=100))

    rules, log, _ = politely(tmp_path, work, politeness=paced)
    assert isinstance(rules, Rules)
    assert len(log) == 2


def test_the_crawl_delay_is_that_of_the_agent_who_asks_now(tmp_path: Path) -> None:
    body = b"User-agent: slowbot\nCrawl-delay: 30\n\nUser-agent: *\nDisallow:\n"
    served: list[int] = []

    async def work(client: PoliteClient) -> float:
        async def ask(port: int) -> None:
            served.append(port)
            await rules_of(client, Url(f"http://127.0.0.1:{served[0]}/"))

        await one_answer(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body) + body, ask)
        return client.ledger.delay("127.0.0.1").seconds

    delays = []
    for agent in ("fastbot", "slowbot", "fastbot"):  # the first asks, the others know the answer
        named = replace(HURRIED, agent=agent)
        delay, _, _ = politely(
            tmp_path, work, politeness=named, fetch=Fetch(allow_net=("127.0.0.1",))
        )
        delays.append(delay)
    assert delays == [0, 30, 0]


def rules_answered(folder: Path, response: bytes) -> Rules:
    """What we make of an answer for robots.txt."""

    async def work(client: PoliteClient) -> Rules:
        async def ask(port: int) -> Rules:
            return await rules_of(client, Url(f"http://127.0.0.1:{port}/"))

        return (await one_answer(response, ask))[0]

    rules, _, _ = politely(folder, work, fetch=Fetch(allow_net=("127.0.0.1",)))
    return rules


async def one_answer(
    response: bytes, work: Callable[[int], Awaitable[Result]]
) -> tuple[Result, list[float]]:
    """Serve the same bytes to everybody on loopback; when each request came."""
    arrivals: list[float] = []

    async def serve_it(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(asyncio.IncompleteReadError):
            await reader.readuntil(b"\r\n\r\n")
            arrivals.append(asyncio.get_running_loop().time())
            writer.write(response)
        writer.close()

    async with listening(serve_it) as port:
        return await work(port), arrivals


@pytest.mark.parametrize(
    "response",
    [
        b"Content-Encoding: gzip\r\n\r\n" + gzip.compress(b"Disallow: /\n" * 100, mtime=0)[:-12],
        b"Content-Encoding: lzma\r\n\r\n" + lzma.compress(b"Disallow: /\n"),
    ],
)
def test_rules_that_cannot_be_unpacked_close_the_host(tmp_path: Path, response: bytes) -> None:
    rules = rules_answered(tmp_path, b"HTTP/1.1 200 OK\r\n" + response)
    assert rules.record.meaning is Meaning.UNREACHABLE
    assert "cannot be unpacked" in rules.record.cause


@pytest.mark.parametrize(
    "response",
    [
        b"Content-Encoding: utf-8\r\n\r\nUser-agent: *\nDisallow: /private\n",
        b"Content-Encoding: gzip\r\nContent-Length: 0\r\n\r\n",
    ],
)
def test_rules_announced_in_a_coding_that_they_do_not_have_are_read(
    tmp_path: Path, response: bytes
) -> None:
    rules = rules_answered(tmp_path, b"HTTP/1.1 200 OK\r\n" + response)
    assert rules.record.meaning is Meaning.RULES
    assert rules.policy.allows(Url(f"{rules.record.origin}/private")) is (
        b"Disallow" not in response
    )


@pytest.mark.parametrize(
    "response",
    [
        b"Content-Encoding: gzip\r\nContent-Length: 0\r\n\r\n",
        b"Content-Encoding: lzma\r\n\r\n\0\1",
        b"Content-Length: 999\r\n\r\n<h1>Not fo",
    ],
)
def test_the_body_of_an_answer_that_there_are_no_rules_does_not_matter(
    tmp_path: Path, response: bytes
) -> None:
    rules = rules_answered(tmp_path, b"HTTP/1.1 404 Not Found\r\n" + response)
    assert rules.record.meaning is Meaning.NO_RULES


def test_hosts_at_one_address_share_its_room(tmp_path: Path) -> None:
    most = 0
    busy = 0
    all_here = asyncio.Event()  # as many as there is room for

    async def serve_slowly(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal most, busy
        await reader.readuntil(b"\r\n\r\n")
        busy += 1
        most = max(most, busy)
        if busy == 3:
            all_here.set()
        await all_here.wait()
        await asyncio.sleep(0.05)  # in which more would come, if they might
        busy -= 1
        writer.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        writer.close()

    async def work(client: PoliteClient) -> None:
        async with listening(serve_slowly) as port:
            urls = [Url(f"http://h{n}.localhost:{port}/") for n in range(12)]
            await asyncio.gather(*(client.get(url, "page", SOON) for url in urls))

    politely(
        tmp_path,
        work,
        politeness=replace(HURRIED, per_address=3),
        fetch=Fetch(allow_net=("127.0.0.0/8", "::1")),
    )
    assert most == 3


def test_a_request_that_we_break_off_counts_for_all_the_time_it_took(tmp_path: Path) -> None:
    asked = asyncio.Event()

    async def never_answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        asked.set()
        await reader.read()
        writer.close()

    async def work(client: PoliteClient) -> float:
        async with listening(never_answer) as port:
            url = Url(f"http://127.0.0.1:{port}/")
            asking = asyncio.create_task(client.get(url, "page", SOON))
            await asked.wait()
            await asyncio.sleep(0.6)
            asking.cancel()
            await asyncio.wait([asking])
            return client.ledger.delay("127.0.0.1").seconds

    paced = replace(HURRIED, delay=timedelta(milliseconds=10))
    delay, _, events = politely(
        tmp_path, work, politeness=paced, fetch=Fetch(allow_net=("127.0.0.1",))
    )
    assert delay >= 0.5
    assert [event.cause for event in events if isinstance(event, RequestFailed)] == ["stopped"]


def test_what_is_lost_with_a_kept_connection_is_sent_again_when_the_clock_allows_it(
    tmp_path: Path,
) -> None:
    asked: list[bytes] = []

    async def close_the_second_time(
        reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        with suppress(asyncio.IncompleteReadError):
            asked.append(await reader.readuntil(b"\r\n\r\n"))
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            await writer.drain()
            asked.append(await reader.readuntil(b"\r\n\r\n"))
        writer.close()

    async def work(client: PoliteClient) -> Fetched | Failed | Wait:
        async with listening(close_the_second_time) as port:
            url = Url(f"http://127.0.0.1:{port}/")
            await client.get(url, "page", SOON)
            return await client.get(url, "page", SOON)

    answer, _, events = politely(tmp_path, work, fetch=Fetch(allow_net=("127.0.0.1",)))
    assert isinstance(answer, Fetched)
    assert len(asked) == 3
    sent = [each for each in events if isinstance(each, Requested | RequestFailed)]
    assert [getattr(each, "cause", "answered") for each in sent] == [
        *("answered", "closed", "answered")
    ]
    gaps = [two.started_at - one.ended_at for one, two in pairwise(sent)]
    assert min(gaps) >= HURRIED.delay


class Closing(Web):
    """A web that closes the connection under every request for a page."""

    async def get(self, url: Url, **options: Any) -> Fetched | Failed:  # type: ignore[override]
        started_at = now()
        await super().get(url, **options)
        return Failed(url, Cause.CLOSED, "It was closed.", started_at, now())


@pytest.mark.parametrize(("seconds", "requests"), [(1.2, 1), (1.4, 2), (60, 2)])
def test_what_is_lost_with_a_kept_connection_is_sent_once_more_within_our_patience(
    tmp_path: Path, seconds: float, requests: int
) -> None:
    async def run() -> None:
        web = Closing()  # which takes 0.3 seconds; the host rests for one
        async with scene(tmp_path / "frontier.db", Config(), web, crawling=False) as each:
            answer = await each.client.get(SIMPLE, "page", timedelta(seconds=seconds))
        assert isinstance(answer, Failed)
        assert answer.cause is Cause.CLOSED
        assert len(web.visits) == requests
        gaps = [two.started_at - one.ended_at for one, two in pairwise(web.visits)]
        assert gaps == [timedelta(seconds=1)] * (requests - 1)

    in_virtual_time(run())
