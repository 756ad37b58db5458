from collections.abc import Callable

import pytest

from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.limits import Room
from gossamer.frontier.protocol import Ended, HostStage, Limits, NewUrl
from gossamer.model import Url

from .steps import HURRIED, counted, ended, handed, real_counts, settle, url
from .worlds import World

HOSTS = ("a.test", "x.a.test", "b.test", "c.test")


def every_other(address: Url) -> Ended:
    """What becomes of pages in turn: not all bring content."""
    kinds = [Ended.CONTENT, Ended.FAILED, Ended.CONTENT, Ended.REDIRECTED, Ended.REFUSED]
    return kinds[int(address.rpartition("/")[2]) % len(kinds)]


def run(world: World, frontier: SqlFrontier, how: Callable[[Url], Ended]) -> None:
    """Crawl until nothing is handed out any more, though time passes."""
    quiet = 0
    for _ in range(300):
        leases = frontier.lease(3, pages=4)
        quiet = 0 if leases else quiet + 1
        if quiet > 3:
            return
        pages = [page for lease in leases for page in lease.pages]
        pages += [page for lease in leases for page in frontier.more(lease, 2)]
        settle(frontier, *(ended(page, how(page.url)) for page in pages))
        frontier.release({lease.token: lease.clock for lease in leases})
        world.later(0.6)
    raise AssertionError("there is no end to it")


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
    full.limit(Limits(pages=17))
    run(world, full, every_other)
    assert full.counts().ended[Ended.CONTENT] == 17
    assert counted(full) == real_counts(world)
    full.limit(Limits(pages=18))
    run(world, full, every_other)
    assert full.counts().ended[Ended.CONTENT] == 18
    full.limit(Limits(pages=5))
    assert handed(full) == []


def test_pages_in_hand_count_until_they_bring_nothing(full: SqlFrontier) -> None:
    full.limit(Limits(pages=6))
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
    full.limit(Limits(per_host=5))
    run(world, full, every_other)
    assert content(full) == dict.fromkeys(HOSTS, 5)
    assert full.counts().hosts[HostStage.FULL] == 4
    assert full.counts().full == full.counts().pending
    assert full.counts().left == 0
    full.limit(Limits(per_host=7))
    run(world, full, every_other)
    assert content(full) == dict.fromkeys(HOSTS, 7)


def test_a_limit_per_site_is_reached_exactly_though_some_fail(
    world: World, full: SqlFrontier
) -> None:
    full.limit(Limits(per_site=7))
    run(world, full, every_other)
    found = content(full)
    assert found["a.test"] + found["x.a.test"] == 7
    assert (found["b.test"], found["c.test"]) == (7, 7)
    assert full.counts().left == 0
    full.limit(Limits())
    run(world, full, every_other)
    assert full.counts().left == 0
    assert full.counts().hosts[HostStage.IDLE] == len(HOSTS)


def test_two_nodes_together_stay_within_a_limit(world: World, full: SqlFrontier) -> None:
    limits = Limits(pages=9, per_host=4, per_site=4)
    full.limit(limits)
    other = world.frontier("two", HURRIED, limits=limits)
    pages = [*handed(full, hosts=2), *handed(other), *handed(full)]
    assert len(pages) == 9


def test_a_host_that_is_full_opens_when_its_pages_are_fetched_again(
    world: World, full: SqlFrontier
) -> None:
    full.limit(Limits(per_host=2))
    run(world, full, lambda _: Ended.CONTENT)
    assert full.counts().hosts[HostStage.FULL] == 4
    world.later(1)
    assert full.again(world.clock.now) == 8
    run(world, full, lambda _: Ended.CONTENT)
    assert content(full) == dict.fromkeys(HOSTS, 2)


def test_a_host_that_is_full_opens_when_a_page_of_its_site_is_forgotten(
    world: World, full: SqlFrontier
) -> None:
    full.limit(Limits(per_site=3))
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
    full.limit(Limits(pages=3, per_host=3))
    assert len(handed(full)) == 3
    world.later(130)
    full.lease(1)
    world.later(1.1)
    assert len(handed(full)) <= 3
    run(world, full, lambda _: Ended.CONTENT)
    world.later(130)
    run(world, full, lambda _: Ended.CONTENT)
    assert full.counts().ended == {Ended.CONTENT: 3}
