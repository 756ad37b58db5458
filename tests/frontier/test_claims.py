from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from gossamer.frontier import claims
from gossamer.frontier.claims import Room
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.protocol import (
    Assignment,
    Ended,
    HostStage,
    Limits,
    NewUrl,
    Settlement,
)
from gossamer.frontier.schema import HOLDS_CONTENT, LINE, PENDING
from gossamer.frontier.sqlite import SqliteStore
from gossamer.model import Url

from .steps import (
    HURRIED,
    counted,
    ended,
    fetched,
    handed,
    only,
    real_counts,
    seeds,
    settle,
    tables,
    url,
    urls_of,
)
from .worlds import World

HOSTS = ("a.test", "x.a.test", "b.test", "c.test")
LIMITED = [Limits(pages=8), Limits(per_host=2), Limits(per_site=3), Limits(pages=8, per_host=3)]


def test_pages_of_a_claim_that_nobody_renews_come_back(world: World) -> None:
    frontier = world.frontier()
    frontier.add(seeds(url("1"), url("2"), url("3")))
    lease = only(frontier, pages=2)
    frontier.more(lease, 1)
    settle(frontier, ended(lease.pages[0]))
    world.later(122)
    assert urls_of(handed(frontier)) == [url("2"), url("3")]
    assert counted(frontier) == real_counts(world)


def test_pages_come_back_though_their_host_was_released_and_slept(world: World) -> None:
    frontier = world.frontier()
    frontier.add(seeds(url("1")))
    lease = only(frontier)
    frontier.release({lease.token: fetched(lease.clock, world.clock.now)})
    world.later(60)
    assert frontier.lease(1) == []
    world.later(61)
    (page,) = handed(frontier)
    assert page.url == url("1")
    assert page.token != lease.token


def test_a_claim_holds_to_its_last_moment(world: World) -> None:
    frontier = world.frontier()
    frontier.add(seeds(url("1"), url("2")))
    lease = only(frontier, pages=1)
    world.later(120)
    assert not settle(frontier, ended(lease.pages[0])).stale
    assert frontier.renew([lease.token])


def test_very_many_claims_lapse_in_steps(world: World) -> None:
    frontier = world.frontier()
    hosts = claims.MOST_AT_ONCE + 5
    frontier.add([NewUrl(url("", f"h{n}.test")) for n in range(hosts)])
    assert sum(len(frontier.lease(hosts)) for _ in range(2)) == hosts  # so many wake at a time
    world.later(122)
    assert sum(len(frontier.lease(2 * hosts)) for _ in range(2)) == hosts


def test_claims_go_with_their_last_moment_and_leave_no_row(world: World) -> None:
    frontier = world.frontier()
    frontier.add(seeds(url("1")))
    lease = only(frontier)
    settle(frontier, ended(lease.pages[0]))
    frontier.release({lease.token: lease.clock})
    world.later(121)
    frontier.lease(1)
    assert tables(world)["claims"] == []


def every_other(address: Url) -> Ended:
    """What becomes of pages in turn: not all bring content."""
    kinds = [Ended.CONTENT, Ended.FAILED, Ended.CONTENT, Ended.REDIRECTED, Ended.REFUSED]
    return kinds[int(address.rpartition("/")[2]) % len(kinds)]


def run(
    world: World, frontier: SqlFrontier, how: Callable[[Url], Ended], *, keep_content: bool = False
) -> None:
    """Crawl until nothing is handed out any more, though time passes."""
    quiet = 0
    for _ in range(300):
        leases = frontier.lease(3, pages=4)
        quiet = 0 if leases else quiet + 1
        if quiet > 3:
            return
        pages = [page for lease in leases for page in lease.pages]
        pages += [page for lease in leases for page in frontier.more(lease, 2)]
        settle(frontier, *(came_to(page, how(page.url), keep_content) for page in pages))
        frontier.release({lease.token: lease.clock for lease in leases})
        world.later(0.6)
    raise AssertionError("there is no end to it")


def came_to(page: Assignment, how: Ended, keep_content: bool) -> Settlement:
    """What became of a page; content has a digest, by which it is known."""
    digest = b"1" if how is Ended.CONTENT else None
    return ended(page, how, digest=digest, keep_content=keep_content)


@pytest.fixture
def full(world: World) -> SqlFrontier:
    frontier = world.frontier(politeness=HURRIED)
    frontier.add([NewUrl(url(str(n), host)) for n in range(30) for host in HOSTS])
    return frontier


def content(frontier: SqlFrontier) -> dict[str, int]:
    return {host.host: host.content for host in frontier.hosts()}


def test_a_limit_on_pages_is_reached_exactly_though_some_fail(
    world: World, full: SqlFrontier
) -> None:
    full.set_limits(Limits(pages=17))
    run(world, full, every_other)
    assert full.counts().ended[Ended.CONTENT] == 17
    assert counted(full) == real_counts(world)
    full.set_limits(Limits(pages=18))
    run(world, full, every_other)
    assert full.counts().ended[Ended.CONTENT] == 18
    full.set_limits(Limits(pages=5))
    assert handed(full) == []


def test_pages_in_hand_count_until_they_bring_nothing(full: SqlFrontier) -> None:
    full.set_limits(Limits(pages=6))
    first = full.lease(1, pages=4)[0]
    second = full.lease(1, pages=4)[0]
    assert (len(first.pages), len(second.pages)) == (4, 2)
    assert full.lease(1) == []
    assert full.more(first, 5) == ()
    settle(full, *(ended(page, Ended.FAILED) for page in first.pages[:3]))
    assert len(full.more(second, 5)) == 3


def test_a_limit_per_host_is_reached_exactly_though_some_fail(
    world: World, full: SqlFrontier
) -> None:
    full.set_limits(Limits(per_host=5))
    run(world, full, every_other)
    assert content(full) == dict.fromkeys(HOSTS, 5)
    assert full.counts().hosts[HostStage.FULL] == 4
    assert full.counts().full == full.counts().pending
    assert full.counts().left == 0
    full.set_limits(Limits(per_host=7))
    run(world, full, every_other)
    assert content(full) == dict.fromkeys(HOSTS, 7)


def test_a_limit_per_site_is_reached_exactly_though_some_fail(
    world: World, full: SqlFrontier
) -> None:
    full.set_limits(Limits(per_site=7))
    run(world, full, every_other)
    found = content(full)
    assert found["a.test"] + found["x.a.test"] == 7
    assert (found["b.test"], found["c.test"]) == (7, 7)
    assert full.counts().left == 0
    full.set_limits(Limits())
    run(world, full, every_other)
    assert full.counts().left == 0
    assert full.counts().hosts[HostStage.IDLE] == len(HOSTS)


def test_two_nodes_together_stay_within_a_limit(world: World, full: SqlFrontier) -> None:
    limits = Limits(pages=9, per_host=4, per_site=4)
    full.set_limits(limits)
    other = world.frontier("two", HURRIED, limits=limits)
    pages = [*handed(full, hosts=2), *handed(other), *handed(full)]
    assert len(pages) == 9


def test_a_host_that_is_full_opens_when_its_pages_are_fetched_again(
    world: World, full: SqlFrontier
) -> None:
    full.set_limits(Limits(per_host=2))
    run(world, full, lambda _: Ended.CONTENT)
    assert full.counts().hosts[HostStage.FULL] == 4
    world.later(1)
    assert full.refetch(world.clock.now) == 8
    run(world, full, lambda _: Ended.CONTENT)
    assert content(full) == dict.fromkeys(HOSTS, 2)


def test_a_host_that_is_full_opens_when_a_page_of_its_site_is_forgotten(
    world: World, full: SqlFrontier
) -> None:
    full.set_limits(Limits(per_site=3))
    run(world, full, lambda _: Ended.CONTENT)
    (settled, *_) = [
        each
        for n in range(30)
        for host in HOSTS[:2]
        if (page := full.page(each := url(str(n), host))) and page.state == "settled"
    ]
    full.forget(url=settled)
    run(world, full, lambda _: Ended.CONTENT)
    assert content(full)["a.test"] + content(full)["x.a.test"] == 3
    assert counted(full) == real_counts(world)


def test_room_is_endless_without_limits(full: SqlFrontier) -> None:
    room = full._work(Room.now)
    assert not room.is_none
    assert room.pages > 10**9


def test_what_was_lost_with_a_lease_is_given_out_again_within_the_limit(
    world: World, full: SqlFrontier
) -> None:
    full.set_limits(Limits(pages=3, per_host=3))
    assert len(handed(full)) == 3
    world.later(130)
    full.lease(1)
    world.later(1.1)
    assert len(handed(full)) <= 3
    run(world, full, lambda _: Ended.CONTENT)
    world.later(130)
    run(world, full, lambda _: Ended.CONTENT)
    assert full.counts().ended == {Ended.CONTENT: 3}


@pytest.mark.parametrize("limits", LIMITED)
def test_pages_that_hold_content_are_all_fetched_again_and_no_others(
    world: World, full: SqlFrontier, limits: Limits
) -> None:
    full.set_limits(limits)
    run(world, full, lambda _: Ended.CONTENT)
    before = content(full)
    total = sum(before.values())
    for how in (Ended.FAILED, Ended.CONTENT):  # the first time in vain: that leaves what there was
        again: list[Url] = []

        def in_vain(address: Url, again: list[Url] = again, how: Ended = how) -> Ended:
            again.append(address)
            return how

        world.later(1)
        assert full.refetch(world.clock.now) == total
        assert full.counts().again == (limits.pages is not None)
        # As long as they wait, how they ended before counts.
        assert sum(full.counts().ended.values()) == full.counts().with_content == total
        run(world, full, in_vain, keep_content=True)
        assert (len(again), len(set(again))) == (total, total)
        assert content(full) == before
        assert full.counts().ended == {how: total}
        assert not full.counts().again
        assert counted(full) == real_counts(world)


def test_a_page_that_holds_no_content_any_more_makes_room_for_another(
    world: World, full: SqlFrontier
) -> None:
    full.set_limits(Limits(pages=3))
    run(world, full, lambda _: Ended.CONTENT)
    world.later(1)
    assert full.refetch(world.clock.now) == 3
    (lease, *_) = full.lease(1, pages=1)
    settle(full, *(ended(page, Ended.FAILED) for page in lease.pages))
    full.release({lease.token: lease.clock})
    run(world, full, lambda _: Ended.CONTENT)
    assert full.counts().ended == {Ended.CONTENT: 3, Ended.FAILED: 1}
    assert full.counts().with_content == 3


def test_a_page_of_a_full_host_that_is_to_be_tried_once_more_is(
    world: World, full: SqlFrontier
) -> None:
    full.set_limits(Limits(per_host=2))
    run(world, full, lambda _: Ended.CONTENT)
    world.later(1)
    full.refetch(world.clock.now)
    soon = world.clock.now + timedelta(seconds=30)
    leases = full.lease(9, pages=9)
    pages = [page for lease in leases for page in lease.pages]
    settle(full, *(ended(page, Ended.RETRY, retry_at=soon) for page in pages[:4]))
    full.release({lease.token: lease.clock for lease in leases})
    world.later(1)
    assert handed(full) == []
    full.release({}, pages[4:])
    run(world, full, lambda _: Ended.CONTENT)
    assert full.counts().hosts[HostStage.FULL] == len(HOSTS)
    assert full.counts().waiting == 4
    world.later(60)
    run(world, full, lambda _: Ended.CONTENT)
    assert full.counts().ended == {Ended.CONTENT: 8}
    assert full.counts().left == 0


@pytest.mark.parametrize("which", ["TRUE", HOLDS_CONTENT])
def test_pages_are_found_in_order_by_an_index_whatever_the_room(tmp_path: Path, which: str) -> None:
    with closing(SqliteStore(tmp_path / "frontier.db")) as store:
        sql = f"""EXPLAIN QUERY PLAN SELECT * FROM pages WHERE host_id = 1 AND state = {PENDING}
            AND {which} ORDER BY {LINE} LIMIT 3"""
        plan = str(store.read(lambda txn: txn.rows(sql)))
        assert ("pages_pending" if which == "TRUE" else "pages_again") in plan
        assert "TEMP B-TREE" not in plan
