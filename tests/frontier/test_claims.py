from gossamer.frontier import claims
from gossamer.frontier.protocol import NewUrl

from .steps import (
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
    assert len(frontier.lease(hosts)) == hosts
    world.later(122)
    assert len(frontier.lease(2 * hosts)) + len(frontier.lease(2 * hosts)) == hosts


def test_claims_go_with_their_last_moment_and_leave_no_row(world: World) -> None:
    frontier = world.frontier()
    frontier.add(seeds(url("1")))
    lease = only(frontier)
    settle(frontier, ended(lease.pages[0]))
    frontier.release({lease.token: lease.clock})
    world.later(121)
    frontier.lease(1)
    assert tables(world)["claims"] == []
