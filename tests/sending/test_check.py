from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.polite_world import HURRIED, WORLD, politely
from tests.virtual_time import in_virtual_time
from tests.virtual_world import Visit, Web, scene

from gossamer.config import Config, Politeness
from gossamer.demo.accesslog import audit
from gossamer.demo.paths import Shelf
from gossamer.demo.robots import RobotsKind, forbidden
from gossamer.politeness.clock import HostClock
from gossamer.politeness.delay import Delay, pace_for
from gossamer.politeness.ledger import InUse, Wait
from gossamer.politeness.outcome import NoAnswer
from gossamer.politeness.permission import Permission, resting
from gossamer.sending.check import MOST_AT_ONCE, check_all, without_user_info
from gossamer.sending.client import PoliteClient

PATHS = {
    Shelf.PUBLIC: "people/1.html",
    Shelf.PRIVATE: "private/1",
    Shelf.PRIVATE_OPEN: "private/open/1",
    Shelf.DRAFTS: "drafts/1",
    Shelf.PRINT: "people/1/print",
}


def checked(folder: Path, *urls: str) -> list[Permission]:
    verdicts, _, _ = politely(folder, lambda client: check_all(client, urls))
    return verdicts


def test_verdicts_are_what_the_demo_web_knows_of_itself(tmp_path: Path) -> None:
    urls, truths = [], []
    for host in range(WORLD.hosts):
        closed = forbidden(WORLD.robots(host), "gossamer")
        for shelf, path in PATHS.items():
            urls.append(f"{WORLD.front(host)}{path}")
            truths.append(shelf not in closed)
    verdicts = checked(tmp_path, *urls)
    assert [verdict.url for verdict in verdicts] == urls
    assert [verdict.allowed for verdict in verdicts] == truths


def test_where_waiting_helps_the_wait_is_told(tmp_path: Path) -> None:
    by_kind = {WORLD.robots(host): f"{WORLD.front(host)}private/1" for host in range(12)}
    simple, failing, closed = checked(
        tmp_path,
        by_kind[RobotsKind.SIMPLE],
        by_kind[RobotsKind.FAILING],
        by_kind[RobotsKind.FORBIDDEN],
    )
    assert simple.retry_after == -1
    assert "Line 3 of robots.txt" in (simple.error or "")
    assert 0 < failing.retry_after <= 10_000
    assert "answered 503" in (failing.error or "")
    assert closed.retry_after == -1
    assert "answered 403" in (closed.error or "")


def test_the_rest_after_our_own_question_is_waited_out_and_then_told(tmp_path: Path) -> None:
    paced = replace(HURRIED, delay=timedelta(seconds=2))
    url = "http://www.site0.test/"

    async def work(client: PoliteClient) -> Sequence[Permission]:
        first = await check_all(client, [url])
        await client.get(client_url, "page", timedelta(seconds=60))
        return [*first, *await check_all(client, [url])]

    client_url = WORLD.front(0)
    (first, second), log, _ = politely(tmp_path, work, politeness=paced)
    assert first.allowed
    assert not second.allowed
    assert 0 < second.retry_after <= 2000
    assert "2 s (configured)" in (second.error or "")
    gap = audit(log)["www.site0.test"].smallest_gap
    assert gap is not None
    assert gap >= 2


@pytest.mark.parametrize(
    ("text", "named", "words"),
    [
        ("ftp://a.test/", "ftp://a.test/", "Only http and https"),
        ("http://user:secret@a b/", "***@a b/", "not a URL"),
        ("", "", "URL"),
        ("http://10.0.0.1/", "http://10.0.0.1/", "private"),
        ("nowhere.invalid", "https://nowhere.invalid/", "reserved name"),
    ],
)
def test_what_can_never_be_fetched_says_why(
    tmp_path: Path, text: str, named: str, words: str
) -> None:
    (verdict,) = checked(tmp_path, text)
    assert verdict.url == named
    assert verdict.retry_after == -1
    assert words in (verdict.error or "")


@given(st.text(), st.text(min_size=4), st.text())
def test_what_stands_before_an_at_sign_is_never_repeated(
    before: str, secret: str, after: str
) -> None:
    after = after.replace("@", "")
    assert without_user_info(f"{before}{secret}@{after}") == f"***@{after}"


def test_many_urls_of_many_hosts_cost_a_question_a_host(tmp_path: Path) -> None:
    urls = [f"{WORLD.front(number % 4)}people/{number}.html" for number in range(2_000)]
    urls += ["no url at all", urls[0], "http://www.site1.test:8080/"]

    async def work(client: PoliteClient) -> list[Permission]:
        return await check_all(client, urls)

    verdicts, log, _ = politely(tmp_path, work)
    assert len(verdicts) == len(urls)
    assert [verdict.url for verdict in verdicts[:2_000]] == urls[:2_000]
    assert "not a URL" in (verdicts[-3].error or "")
    assert verdicts[-2] == verdicts[0]
    assert {access.path for access in log} == {"/robots.txt"}
    assert len(log) == 4 + 1  # two origins are of one host


def test_hosts_are_asked_side_by_side_and_those_for_whom_there_is_no_time_are_not(
    tmp_path: Path,
) -> None:
    hosts = [f"http://{number}.test/" for number in range(3 * MOST_AT_ONCE)]
    web = Web(seconds=4)

    async def run() -> list[Permission]:
        config = Config(politeness=HURRIED)
        async with scene(tmp_path / "frontier.db", config, web, crawling=False) as each:
            return await check_all(each.client, hosts, timedelta(seconds=6))

    verdicts = in_virtual_time(run())
    late = [verdict for verdict in verdicts if "no time" in (verdict.error or "")]
    assert len(web.visits) == 2 * MOST_AT_ONCE
    assert sum(verdict.allowed for verdict in verdicts) == 2 * MOST_AT_ONCE
    assert [verdict.retry_after for verdict in late] == [1000] * MOST_AT_ONCE
    assert max(_overlapping(web.visits)) == MOST_AT_ONCE


def _overlapping(visits: Sequence[Visit]) -> list[int]:
    return [
        sum(other.started_at <= each.started_at < other.ended_at for other in visits)
        for each in visits
    ]


def test_a_host_that_somebody_has_is_told_from_one_that_rests() -> None:
    now, delay = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC), Delay(3, "configured")
    soon, late = now + timedelta(seconds=3), now + timedelta(seconds=30)
    rests = resting("http://a.test/", Wait(soon, delay), now)
    assert rests.error == "The host rests between requests: 3 s (configured)."
    held = resting("http://a.test/", InUse(soon, delay, late), now)
    assert held.error == (
        "Somebody has the host until 03:04:35 UTC at most, "
        "and it rests between requests: 3 s (configured)."
    )
    assert held.retry_after == rests.retry_after == 3000
    assert (held.rule, rests.rule) == ("busy", None)


def test_a_host_that_failed_is_told_from_one_that_rests_as_usual() -> None:
    now = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    pace = pace_for("a.test", Politeness())
    clock = HostClock().finish(1, now, timedelta(0), NoAnswer("connect"), pace)
    assert resting("http://a.test/", Wait(now, clock.delay(pace)), now).rule == "pause"
