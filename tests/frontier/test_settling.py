from datetime import timedelta
from typing import Any

import pytest

from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.protocol import Assignment, Ended, Settlement
from gossamer.model import Url
from gossamer.politeness.clock import HostClock
from gossamer.politeness.delay import Delay

from .steps import (
    HURRIED,
    counted,
    ended,
    fetched,
    handed,
    links,
    only,
    real_counts,
    seeds,
    settle,
    tables,
    url,
    urls_of,
)
from .worlds import START, World

FINAL = (Ended.CONTENT, Ended.REDIRECTED, Ended.FAILED, Ended.REFUSED)


def state(frontier: SqlFrontier, address: Url) -> str:
    page = frontier.page(address)
    assert page
    return page.state


@pytest.fixture
def page(frontier: SqlFrontier) -> Assignment:
    frontier.add(seeds(url("1")))
    return only(frontier).pages[0]


def test_all_that_is_told_of_a_page_is_kept(frontier: SqlFrontier, page: Assignment) -> None:
    told = Settlement(
        page=page,
        ended=Ended.CONTENT,
        status=200,
        why="fine",
        etag='"x"',
        last_modified="Thu, 01 Jan 2026 00:00:00 GMT",
        digest=b"\x00\xff",
        media_type="text/html",
        quads=7,
        problems=2,
        archived="1.warc.gz 0",
        links=links(url("2"), url("", "b.test"), url("2")),
    )
    assert settle(frontier, told).new == 2
    known = frontier.page(page.url)
    assert known
    for name in [
        "ended",
        "status",
        "why",
        "etag",
        "last_modified",
        "digest",
        "media_type",
        "quads",
        "problems",
        "archived",
    ]:
        assert getattr(known, name) == getattr(told, name)
    assert known.state == "settled"
    assert known.settled_at is not None
    assert known.settled_at >= START
    following = frontier.page(url("", "b.test"))
    assert following
    assert (following.depth, following.hops, following.seed) == (1, 0, False)


def test_of_why_a_page_ended_no_more_is_kept_than_people_read(
    frontier: SqlFrontier, page: Assignment
) -> None:
    settle(frontier, ended(page, Ended.FAILED, why="x" * 60_000))
    known = frontier.page(page.url)
    assert known
    assert known.why == "x" * 2_000 + "…"


def test_where_a_seed_redirects_becomes_a_seed_of_the_same_depth(
    frontier: SqlFrontier, page: Assignment
) -> None:
    settle(frontier, ended(page, Ended.REDIRECTED, url("", "b.test")))
    (second,) = handed(frontier)
    assert (second.depth, second.hops, second.seed) == (0, 1, True)
    settle(frontier, ended(second, Ended.REDIRECTED, url("", "c.test")))
    (third,) = handed(frontier)
    assert (third.depth, third.hops, third.seed) == (0, 2, True)
    settle(frontier, ended(third, Ended.CONTENT, url("", "d.test")))
    (fourth,) = handed(frontier)
    assert (fourth.depth, fourth.hops, fourth.seed) == (1, 0, False)


@pytest.mark.parametrize("how", FINAL)
def test_a_page_that_was_settled_is_not_handed_out_again(
    world: World, frontier: SqlFrontier, page: Assignment, how: Ended
) -> None:
    settle(frontier, ended(page, how))
    world.later(1000)
    frontier.add(seeds(url("1")))
    assert handed(frontier) == []
    assert frontier.counts().ended == {how: 1}


def test_another_attempt_is_made_when_it_is_time(
    world: World, frontier: SqlFrontier, page: Assignment
) -> None:
    later = world.clock.now + timedelta(minutes=10)
    settle(frontier, ended(page, Ended.RETRY, url("2"), retry_at=later, why="time-out"))
    assert state(frontier, page.url) == "waiting"
    assert frontier.page(url("2")) is None  # there was no answer that could lead anywhere
    frontier.release({page.token: HostClock()})
    world.later(599)
    assert handed(frontier) == []
    world.later(2)
    (again,) = handed(frontier)
    assert again.attempts == 1
    settle(frontier, ended(again, Ended.RETRY))
    world.later(130)
    (third,) = handed(frontier)
    assert third.attempts == 2


def test_a_page_put_aside_waits_for_another_scope(
    world: World, frontier: SqlFrontier, page: Assignment
) -> None:
    settle(frontier, ended(page, Ended.ASIDE, why="scope"))
    frontier.release({page.token: HostClock()})
    world.later(1000)
    assert handed(frontier) == []
    assert frontier.counts().aside == 1
    assert frontier.counts().left == 0
    known = frontier.page(page.url)
    assert known
    assert (known.state, known.why, known.ended) == ("aside", "scope", None)


def test_what_the_same_token_settled_before_is_passed_over(
    world: World, frontier: SqlFrontier, page: Assignment
) -> None:
    settle(frontier, ended(page, Ended.CONTENT, url("2")))
    before = tables(world)
    again = settle(frontier, ended(page, Ended.FAILED, url("3")))
    assert (again.new, again.stale) == (0, ())
    assert tables(world) == before


def test_a_page_told_twice_at_once_is_settled_once(
    world: World, frontier: SqlFrontier, page: Assignment
) -> None:
    settle(frontier, ended(page, Ended.CONTENT, url("2")), ended(page, Ended.CONTENT, url("2")))
    assert counted(frontier) == real_counts(world)
    (host,) = frontier.hosts()
    assert host.content == 1


def test_what_a_stale_token_claims_changes_nothing(world: World) -> None:
    slow, quick = world.frontier("slow", HURRIED), world.frontier("quick", HURRIED)
    slow.add(seeds(url("1"), url("2"), url("", "b.test")))
    old = {lease.host: lease for lease in slow.lease(2, pages=1)}
    world.later(200)
    new = {lease.host: lease for lease in quick.lease(2)}
    settle(quick, ended(new["b.test"].pages[0]))
    before = tables(world)
    stale = [lease.pages[0] for lease in old.values()]
    late = HostClock().with_crawl_delay(Delay(99.0, "Crawl-delay"))
    answer = slow.settle(
        [ended(each, Ended.FAILED, url("x"), outside=links(url("y"))) for each in stale],
        {lease.token: late for lease in old.values()},
    )
    assert answer.stale == tuple(stale)
    assert answer.new == 0
    assert tables(world) == before
    # And the one who holds it now is not disturbed.
    assert not settle(quick, *map(ended, new["a.test"].pages)).stale


def test_a_claim_that_lapsed_is_stale_though_nobody_took_it_yet(
    world: World, frontier: SqlFrontier, page: Assignment
) -> None:
    world.later(121)
    before = tables(world)
    assert settle(frontier, ended(page)).stale == (page,)
    assert tables(world) == before


def test_stale_pages_are_known_before_they_are_settled(world: World) -> None:
    slow, quick = world.frontier("slow", HURRIED), world.frontier("quick", HURRIED)
    slow.add(seeds(url("1"), url("2"), url("", "b.test")))
    old = {lease.host: lease.pages[0] for lease in slow.lease(2, pages=1)}
    settle(slow, ended(old["b.test"]))
    assert slow.stale_among([*old.values()]) == ()
    world.later(200)
    assert slow.stale_among([*old.values()]) == (old["a.test"],)  # though nobody took it yet
    new = {lease.host: lease.pages[0] for lease in quick.lease(2)}
    assert slow.stale_among([*old.values()]) == (old["a.test"],)
    assert quick.stale_among([*new.values()]) == ()


def test_a_page_that_nobody_knows_is_stale(
    world: World, frontier: SqlFrontier, page: Assignment
) -> None:
    before = tables(world)
    unknown = page._replace(id=page.id + 1000)
    stranger = page._replace(token=page.token + 1000)
    assert settle(frontier, ended(unknown), ended(stranger)).stale == (unknown, stranger)
    assert tables(world) == before
    mixed = settle(frontier, ended(unknown), ended(page))
    assert mixed.stale == (unknown,)
    assert state(frontier, page.url) == "settled"


def test_nothing_to_settle_is_nothing(world: World, frontier: SqlFrontier) -> None:
    before = tables(world)
    assert settle(frontier).new == 0
    assert tables(world) == before


def test_a_second_visit_brings_what_the_first_one_left(world: World) -> None:
    frontier = world.frontier(politeness=HURRIED)
    frontier.add(seeds(url("1")))
    (page,) = handed(frontier)
    kept = {
        "etag": '"x"',
        "last_modified": "Thu, 01 Jan 2026 00:00:00 GMT",
        "digest": b"\x01",
        "archived": "1.warc.gz 0",
    }
    settle(frontier, ended(page, Ended.CONTENT, **kept))
    frontier.release({page.token: HostClock()})
    world.later(60)
    assert frontier.refetch(world.clock.now) == 1
    (again,) = handed(frontier)
    assert {name: getattr(again, name) for name in kept} == kept


@pytest.mark.parametrize("how", [Ended.RETRY, Ended.ASIDE])
def test_an_attempt_that_came_to_nothing_leaves_what_an_earlier_visit_brought(
    world: World, how: Ended
) -> None:
    frontier = world.frontier(politeness=HURRIED)
    frontier.add(seeds(url("1")))
    (page,) = handed(frontier)
    settle(frontier, ended(page, Ended.CONTENT, url("2"), etag='"x"', status=200, quads=5))
    world.later(60)
    frontier.refetch(world.clock.now)
    world.later(70)
    (again, _) = handed(frontier)
    before = frontier.page(page.url)
    rows = tables(world)["outlinks"]
    settle(frontier, ended(again, how, status=503, retry_at=world.clock.now))
    after = frontier.page(page.url)
    assert before
    assert after
    assert (after.ended, after.status, after.etag, after.quads, after.settled_at) == (
        before.ended,
        before.status,
        before.etag,
        before.quads,
        before.settled_at,
    )
    assert tables(world)["outlinks"] == rows
    assert counted(frontier) == real_counts(world)


def test_a_page_can_be_asked_for_plainly_the_next_time(world: World) -> None:
    frontier = world.frontier(politeness=HURRIED)
    frontier.add(seeds(url("1"), url("2")))
    known: dict[str, Any] = {"etag": '"x"', "last_modified": "Thu, 01 Jan 2026 00:00:00 GMT"}
    settle(frontier, *(ended(page, digest=b"1", **known) for page in handed(frontier)))
    world.later(60)
    frontier.refetch(world.clock.now)
    world.later(70)
    one, two = handed(frontier)
    settle(frontier, ended(one, Ended.RETRY, ask_plainly=True), ended(two, Ended.RETRY))
    world.later(130)
    plain, conditional = sorted(handed(frontier), key=lambda page: page.url)
    assert (plain.etag, plain.last_modified, plain.digest) == (None, None, b"1")
    assert (conditional.etag, conditional.last_modified) == (one.etag, one.last_modified)


BROUGHT: dict[str, Any] = {
    "digest": b"1",
    "media_type": "text/html",
    "quads": 5,
    "problems": 2,
    "archived": "1.warc.gz 0",
}


@pytest.mark.parametrize("how", [Ended.FAILED, Ended.REFUSED, Ended.CONTENT])
def test_a_visit_that_keeps_the_content_changes_how_it_ended_and_nothing_else(
    world: World, how: Ended
) -> None:
    frontier = world.frontier(politeness=HURRIED)
    frontier.add(seeds(url("1")))
    (page,) = handed(frontier)
    settle(
        frontier, ended(page, Ended.CONTENT, url("2"), etag='"x"', status=200, why="w", **BROUGHT)
    )
    rows = tables(world)["outlinks"]
    world.later(60)
    frontier.refetch(world.clock.now)
    world.later(70)
    (again, _) = handed(frontier)
    told = {"status": 503, "why": "status-503: Busy."} if how is Ended.FAILED else {"status": 304}
    settle(frontier, ended(again, how, etag='"x"', keep_content=True, **told))
    after = frontier.page(page.url)
    assert after
    assert (after.state, after.ended, after.etag) == ("settled", how, '"x"')
    assert (after.status, after.why) == (told["status"], told.get("why"))
    assert after.settled_at is not None
    assert after.settled_at > START + timedelta(seconds=60)
    assert {name: getattr(after, name) for name in BROUGHT} == BROUGHT
    assert tables(world)["outlinks"] == rows
    assert counted(frontier) == real_counts(world)


def test_the_highest_priority_of_links_to_a_page_is_kept(world: World) -> None:
    frontier = world.frontier(politeness=HURRIED)
    frontier.add(seeds(url("1"), url("3"), url("4")))
    ranks = dict(zip(handed(frontier), (5, 7, 6), strict=True))
    leading = [
        ended(page)._replace(links=[url("2")], priority=rank) for page, rank in ranks.items()
    ]
    settle(frontier, *leading)
    known = frontier.page(url("2"))
    assert known
    assert known.priority == 7


def test_clocks_told_with_outcomes_are_kept_for_hosts_still_held(world: World) -> None:
    frontier = world.frontier()
    frontier.add(seeds(url("1"), url("2")))
    lease = only(frontier, pages=1)
    clock = fetched(lease.clock.with_crawl_delay(Delay(9.0, "Crawl-delay")), START)
    frontier.settle([ended(lease.pages[0])], {lease.token: clock, 999: HostClock()})
    (host,) = frontier.hosts()
    assert host.delay == timedelta(seconds=9)
    assert len(frontier.more(lease, 1)) == 1


def test_links_between_pages_of_one_settling_find_each_other(world: World) -> None:
    frontier = world.frontier(politeness=HURRIED)
    frontier.add(seeds(url("1"), url("2")))
    one, two = handed(frontier)
    both = links(url("1"), url("2"), url("3"))
    told = [ended(page)._replace(links=both) for page in (one, two)]
    assert settle(frontier, *told).new == 1
    frontier.release({one.token: HostClock()})
    assert urls_of(handed(frontier)) == [url("3")]
