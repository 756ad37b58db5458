from datetime import timedelta
from itertools import pairwise

from gossamer.config import Politeness
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.protocol import HostStage, Lease, NewUrl
from gossamer.politeness.clock import HostClock, InFlight
from gossamer.politeness.ledger import Wait
from gossamer.politeness.outcome import Pause

from .steps import HURRIED, ended, fetched, only, seeds, settle, tables, url
from .worlds import START, World

HOUR = timedelta(hours=1)


def reserved(frontier: SqlFrontier, host: str = "a.test") -> Lease:
    lease = frontier.reserve(host)
    assert isinstance(lease, Lease), lease
    return lease


def test_a_renewed_lease_goes_on(world: World) -> None:
    frontier = world.frontier()
    frontier.add(seeds(url("1"), url("2")))
    lease = only(frontier, pages=1)
    for _ in range(5):
        world.later(100)
        renewed = frontier.renew([lease.token])
        assert renewed[lease.token].until > world.clock.now + timedelta(seconds=119)
    assert frontier.lease(1) == []
    assert len(frontier.more(lease, 1)) == 1
    assert not settle(frontier, ended(lease.pages[0])).stale


def test_what_has_lapsed_cannot_be_renewed(world: World) -> None:
    frontier = world.frontier()
    frontier.add(seeds(url("1"), url("", "b.test")))
    first, second = frontier.lease(2)
    world.later(60)
    frontier.renew([first.token])
    world.later(61)
    before = tables(world)
    assert set(frontier.renew([first.token, second.token, 999])) == {first.token}
    assert frontier.renew([second.token]) == frontier.renew([]) == {}
    changed = tables(world)
    assert changed["pages"] == before["pages"]
    rows = [row for row in changed["hosts"] if row not in before["hosts"]]
    assert [row[1] for row in rows] == [first.host]


def test_a_released_host_does_not_wait_for_its_pages_to_be_settled(world: World) -> None:
    frontier = world.frontier()
    frontier.add(seeds(url("1"), url("2")))
    lease = only(frontier, pages=1)
    assert frontier.release({lease.token: fetched(lease.clock, world.clock.now)}) == set()
    world.later(1.1)
    assert only(frontier).pages[0].url == url("2")
    # The claim goes on for as long as it is renewed, beside the other one.
    for _ in range(3):
        world.later(100)
        assert lease.token in frontier.renew([lease.token])
    assert not settle(frontier, ended(lease.pages[0])).stale


def test_what_was_released_cannot_be_released_again(world: World) -> None:
    frontier = world.frontier()
    frontier.add(seeds(url("1"), url("2")))
    lease = only(frontier, pages=1)
    frontier.release({lease.token: fetched(lease.clock, world.clock.now)})
    before = tables(world)
    assert frontier.release({lease.token: HostClock(), 999: HostClock()}) == {lease.token, 999}
    assert frontier.release({}) == set()
    assert tables(world) == before


def test_a_request_in_flight_when_its_host_is_released_is_over_at_its_deadline(
    world: World,
) -> None:
    frontier = world.frontier()
    frontier.add(seeds(url("1"), url("2")))
    lease = only(frontier, pages=1)
    flying = InFlight(1, world.clock.now, world.clock.now + timedelta(seconds=30))
    frontier.release({lease.token: lease.clock._replace(in_flight=(flying,))})
    world.later(30.9)
    assert frontier.lease(1) == []


def test_a_parked_host_is_left_alone(world: World) -> None:
    frontier = world.frontier()
    frontier.add(seeds(url("1")))
    frontier.park("a.test", START + HOUR, "asked us to")
    frontier.park("a.test", START + HOUR / 2, "not so long")
    assert frontier.lease(1) == []
    (host,) = frontier.hosts(stage=HostStage.PARKED)
    assert "asked us to" in host.why
    world.later(3599)
    assert frontier.lease(1) == []
    world.later(2)
    assert only(frontier)


def test_a_host_can_be_parked_before_anything_of_it_is_known(world: World) -> None:
    frontier = world.frontier()
    frontier.park("a.test", START + HOUR, "asked us to")
    frontier.add(seeds(url("1")))
    assert frontier.lease(1) == []
    world.later(3601)
    assert only(frontier)


def test_parking_a_host_that_is_held_is_not_lost_when_it_is_released(world: World) -> None:
    frontier = world.frontier()
    frontier.add(seeds(url("1"), url("2")))
    lease = only(frontier, pages=1)
    world.frontier("two").park("a.test", START + HOUR, "asked us to")
    frontier.renew([lease.token])
    frontier.settle([ended(lease.pages[0])], {lease.token: fetched(lease.clock, START)})
    frontier.release({lease.token: fetched(lease.clock, START)})
    world.later(3599)
    assert frontier.lease(1) == []
    world.later(2)
    assert only(frontier)


def test_parking_is_not_lost_where_the_leaseholder_sent_nothing(world: World) -> None:
    frontier = world.frontier()
    frontier.add(seeds(url("1"), url("2")))
    lease = only(frontier, pages=1)
    frontier.park("a.test", START + HOUR, "asked us to")
    frontier.release({lease.token: lease.clock})
    world.later(3599)
    assert frontier.lease(1) == []
    world.later(2)
    assert only(frontier)


def test_parking_a_host_that_is_held_is_not_lost_when_the_lease_lapses(world: World) -> None:
    frontier = world.frontier()
    frontier.add(seeds(url("1")))
    only(frontier)
    frontier.park("a.test", START + HOUR, "asked us to")
    world.later(3599)
    assert frontier.lease(1) == []
    world.later(130)
    assert only(frontier)


def test_a_longer_pause_of_the_leaseholder_wins(world: World) -> None:
    frontier = world.frontier()
    frontier.add(seeds(url("1"), url("2")))
    lease = only(frontier, pages=1)
    frontier.park("a.test", START + timedelta(seconds=10), "asked us to")
    pause = Pause(START + HOUR, "Retry-After, status 503")
    frontier.release({lease.token: fetched(lease.clock, START)._replace(pause=pause)})
    world.later(3599)
    assert frontier.lease(1) == []
    (host,) = frontier.hosts()
    assert "Retry-After" in host.why


def test_a_free_host_can_be_reserved_and_waits_for_nobody_after(world: World) -> None:
    frontier = world.frontier()
    frontier.add(seeds(url("1")))
    lease = reserved(frontier)
    assert lease.pages == ()
    assert frontier.lease(1) == []
    frontier.release({lease.token: fetched(lease.clock, world.clock.now)})
    world.later(1.1)
    assert only(frontier)


def test_a_reserved_host_keeps_its_clock(world: World) -> None:
    frontier = world.frontier()
    first = reserved(frontier)
    frontier.release({first.token: fetched(first.clock, world.clock.now)})
    world.later(0.5)
    second = reserved(frontier)
    assert second.clock.rested_from >= START
    assert second.token != first.token


def test_a_host_that_must_rest_for_long_cannot_be_reserved(world: World) -> None:
    frontier = world.frontier()
    frontier.park("a.test", START + HOUR, "asked us to")
    answer = frontier.reserve("a.test")
    assert isinstance(answer, Wait)
    assert answer.until >= START + HOUR
    assert answer.delay.source == "asked us to"


def test_a_reservation_that_nobody_gives_back_lapses(world: World) -> None:
    frontier, other = world.frontier(), world.frontier("two")
    reserved(frontier)
    world.later(120.5)
    assert isinstance(other.reserve("a.test"), Wait)
    world.later(1)
    assert reserved(other).clock.rested_from >= START + timedelta(seconds=120)


def test_a_leaseholder_hears_that_its_host_is_wanted(world: World) -> None:
    frontier = world.frontier()
    frontier.add(seeds(url("1"), url("2"), url("", "b.test")))
    leases = {lease.host: lease for lease in frontier.lease(2, pages=1)}
    mine = leases["a.test"]
    assert not frontier.renew([mine.token])[mine.token].wanted
    answer = world.frontier("two").reserve("a.test")
    assert isinstance(answer, Wait)
    assert answer.until <= world.clock.now + timedelta(seconds=1.1)
    assert "one has the host" in answer.delay.source
    renewed = frontier.renew([lease.token for lease in leases.values()])
    assert {host: renewed[lease.token].wanted for host, lease in leases.items()} == {
        "a.test": True,
        "b.test": False,
    }
    world.later(6)  # a wish that is not repeated lapses
    assert not frontier.renew([mine.token])[mine.token].wanted


def take_turns(world: World, crawl: SqlFrontier, asking: list[SqlFrontier]) -> list[str]:
    """A crawl that yields when asked to, and some who ask all the time: who had the host when."""
    order: list[str] = []
    held: tuple[str, SqlFrontier, Lease] | None = None
    for step in range(120):
        world.later(0.25)
        now = world.clock.now
        if held:
            who, frontier, lease = held
            wanted = frontier.renew([lease.token])[lease.token].wanted
            if who != "crawl" or wanted or step % 8 == 0:
                frontier.release({lease.token: fetched(lease.clock, now, HURRIED)})
                held = None
        if held is None and (leases := crawl.lease(1, pages=1)):
            held = ("crawl", crawl, leases[0])
            order.append("crawl")
        for number, frontier in enumerate(asking):
            answer = frontier.reserve("a.test")
            if isinstance(answer, Lease):
                assert held is None, "no host is held twice at once"
                held = (f"asking {number}", frontier, answer)
                order.append(f"asking {number}")
    return order


def test_crawl_and_reservations_of_one_node_take_turns(world: World) -> None:
    frontier = world.frontier(politeness=HURRIED)
    frontier.add([NewUrl(url(str(n))) for n in range(1000)])
    order = take_turns(world, frontier, [frontier])
    assert order.count("crawl") > 12
    assert order.count("asking 0") > 12
    assert all(one != other for one, other in pairwise(order))


def test_crawl_and_reservations_of_several_nodes_take_turns(world: World) -> None:
    frontier = world.frontier(politeness=HURRIED)
    frontier.add([NewUrl(url(str(n))) for n in range(1000)])
    others = [world.frontier(name, HURRIED) for name in ("two", "three")]
    order = take_turns(world, frontier, others)
    for who in ("crawl", "asking 0", "asking 1"):
        assert order.count(who) >= 6, order
    # Between two turns of anybody, nobody has more than two.
    assert all(len(set(order[n : n + 5])) > 1 for n in range(len(order) - 5))


def test_without_a_crawl_a_reservation_waits_for_nobody(world: World) -> None:
    frontier = world.frontier(politeness=HURRIED)
    frontier.add(seeds(url("1")))
    for _ in range(3):
        lease = reserved(frontier)
        frontier.release({lease.token: lease.clock})


def test_a_crawl_that_has_stopped_keeps_nobody_waiting(world: World) -> None:
    frontier = world.frontier(politeness=HURRIED)
    frontier.add(seeds(url("1"), url("2")))
    lease = only(frontier, pages=1)
    frontier.release({lease.token: lease.clock})
    lease = reserved(frontier)
    frontier.release({lease.token: lease.clock})
    assert isinstance(frontier.reserve("a.test"), Wait)
    world.later(6)
    assert reserved(frontier)


def test_the_dead_are_taken_over_at_once(world: World) -> None:
    dead = world.frontier("one")
    dead.add(seeds(url("1"), url("2"), url("", "b.test")))
    leases = dead.lease(2, pages=1)
    world.later(10)
    heir = world.frontier("two")
    heir.take_over()
    for lease in leases:
        assert dead.more(lease, 1) == ()
        assert settle(dead, *map(ended, lease.pages)).stale == lease.pages
    assert dead.renew([lease.token for lease in leases]) == {}
    assert heir.lease(2) == []  # what was in flight may have ended this very moment
    world.later(1.1)
    pages = {lease.host: len(lease.pages) for lease in heir.lease(2)}
    assert pages == {"a.test": 2, "b.test": 1}


def test_taking_over_shortens_no_pause(world: World) -> None:
    dead = world.frontier("one", Politeness())
    dead.add(seeds(url("1")))
    lease = only(dead)
    pause = Pause(START + HOUR, "Retry-After, status 503")
    dead.settle([], {lease.token: lease.clock._replace(pause=pause)})
    heir = world.frontier("two")
    heir.take_over()
    assert heir.lease(1) == []
    world.later(3599)
    assert heir.lease(1) == []
    world.later(2)
    assert only(heir)


def test_a_host_that_was_lent_rests_from_then_when_its_owner_is_dead(world: World) -> None:
    frontier = world.frontier()
    for host in ("a.test", "b.test"):
        reserved(frontier, host)
        frontier.lend(host, world.clock.now + timedelta(minutes=1))
    frontier.lend("b.test", None)
    world.later(5)
    for _ in range(2):  # the next owner may die, too
        frontier.take_over()
        assert reserved(frontier, "a.test").clock.rested_from >= START + timedelta(minutes=1)
        assert reserved(frontier, "b.test").clock.rested_from < START + timedelta(seconds=10)
    world.later(60)
    frontier.take_over()
    assert tables(world)["lent"] == []


def test_a_host_that_another_node_holds_is_that_nodes_business_also_when_it_is_lent(
    world: World,
) -> None:
    one, two = world.frontier("one"), world.frontier("two")
    lease = reserved(one)
    one.lend("a.test", world.clock.now + timedelta(minutes=1))
    two.take_over("two")
    one.lend("a.test", None)
    one.release({lease.token: lease.clock})
    world.later(1.1)
    assert reserved(two).clock.rested_from < START + timedelta(seconds=10)
