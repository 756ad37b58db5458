from dataclasses import replace
from datetime import timedelta

from gossamer.config import Budget, Politeness
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.leasing import MOST_WOKEN
from gossamer.frontier.protocol import (
    Assignment,
    Ended,
    HostStage,
    Limits,
    NewUrl,
    Settlement,
)
from gossamer.frontier.work import RETRIES
from gossamer.politeness.delay import Delay
from gossamer.politeness.evidence import HostEvidence
from gossamer.politeness.robots.record import Meaning, RobotsRecord

from .steps import HURRIED, ended, fetched, handed, only, seeds, settle, url, urls_of
from .worlds import START, World


def test_pages_come_by_priority_then_depth_then_arrival(frontier: SqlFrontier) -> None:
    frontier.add(
        [
            NewUrl(url("deep"), depth=2),
            NewUrl(url("first"), depth=1),
            NewUrl(url("second"), depth=1),
            NewUrl(url("urgent"), depth=9, priority=1),
        ]
    )
    frontier.add([NewUrl(url("third"), depth=1), NewUrl(url("second"), depth=1)])
    lease = only(frontier, pages=3)
    further = frontier.more(lease, 10)
    assert urls_of([*lease.pages, *further]) == [
        url(path) for path in ("urgent", "first", "second", "third", "deep")
    ]


def failing(world: World, *pages: Assignment, after: float = 10) -> list[Settlement]:
    """Settlements of pages that failed, and are to be tried again after some seconds."""
    retry_at = world.clock.now + timedelta(seconds=after)
    return [ended(page, Ended.RETRY, retry_at=retry_at) for page in pages]


def test_what_failed_goes_to_the_end_of_its_hosts_line(world: World) -> None:
    frontier = world.frontier(politeness=HURRIED)
    paths = ["urgent", "a", "b", "c", "d"]
    frontier.add([NewUrl(url(path), priority=9 if path == "urgent" else 1) for path in paths])
    lease = only(frontier, pages=2)
    settle(frontier, *failing(world, *lease.pages))
    frontier.release({lease.token: lease.clock})
    world.later(11)  # both may be tried again, and others have not been tried at all
    lease = only(frontier, pages=2)
    frontier.add([NewUrl(url("new"))])
    assert urls_of([*lease.pages, *frontier.more(lease, 9)]) == [
        url(path) for path in ("b", "c", "d", "new", "urgent", "a")
    ]


def test_a_page_that_failed_twice_is_behind_one_that_failed_once(world: World) -> None:
    frontier = world.frontier(politeness=HURRIED)
    frontier.add([NewUrl(url("a"), priority=9), NewUrl(url("b"))])
    for failed in (["a", "b"], ["a"]):
        lease = only(frontier, pages=len(failed))
        assert urls_of(lease.pages) == [url(path) for path in failed]
        settle(frontier, *failing(world, *lease.pages))
        frontier.release({lease.token: lease.clock})
        world.later(11)
    assert urls_of(only(frontier).pages) == [url("b"), url("a")]


def test_what_failed_comes_back_to_a_host_without_end(world: World) -> None:
    frontier = world.frontier(politeness=HURRIED)
    frontier.add([NewUrl(url(f"{number}")) for number in range(100)])
    lease = only(frontier, pages=1)
    settle(frontier, *failing(world, *lease.pages))
    world.later(11)
    assert frontier.lease(1) == []  # which looks at what may be tried again
    batches = [frontier.more(lease, 2) for _ in range(RETRIES - 2)]
    assert all(page.attempts == 0 for batch in batches for page in batch)
    (failed, fresh) = frontier.more(lease, 2)
    assert (failed.url, failed.attempts, fresh.attempts) == (url("0"), 1, 0)
    handed_out = urls_of([*(page for batch in batches for page in batch), failed, fresh])
    assert len(handed_out) == len(set(handed_out))


def test_evidence_about_a_host_goes_on_with_whoever_leases_it_next(world: World) -> None:
    one, two = world.frontier("one", HURRIED), world.frontier("two", HURRIED)
    one.add([NewUrl(url("a")), NewUrl(url("b"))])
    lease = only(one, pages=1)
    clock = lease.clock._replace(evidence=HostEvidence(3, (7, 8, 9)))
    one.release({lease.token: clock}, lease.pages)
    world.later(1)
    assert only(two).clock.evidence == HostEvidence(3, (7, 8, 9))


def test_no_host_is_leased_twice_at_once(world: World) -> None:
    one, two = world.frontier("one"), world.frontier("two")
    one.add(seeds(url("1"), url("2"), url("1", "b.test")))
    first = one.lease(1)
    second = two.lease(5)
    assert [len(leases) for leases in (first, second)] == [1, 1]
    assert first[0].host != second[0].host
    assert one.lease(5) == two.lease(5) == []


def test_who_leases_hears_which_hosts_are_next_and_keeps_nobody_from_them(world: World) -> None:
    frontier = world.frontier()
    hosts = [f"{number:02}.test" for number in range(20)]
    frontier.add([NewUrl(url("1", host)) for host in hosts])
    leased = [lease.host for lease in frontier.lease(2)]
    following = frontier.next_hosts
    assert not {*following} & {*leased}
    assert len(following) >= 4
    assert [lease.host for lease in world.frontier("two").lease(3)][-1] in following
    frontier.lease(20)
    assert frontier.next_hosts == ()


def test_both_schemes_and_all_ports_of_a_host_are_one_host(frontier: SqlFrontier) -> None:
    frontier.add([NewUrl(url("")), NewUrl(url("").replace("https", "http"))])  # type: ignore[arg-type] # a URL still
    frontier.add([NewUrl(url("", "a.test:8443"))])
    assert len(only(frontier).pages) == 3


def test_a_lease_tells_the_sender_all_it_needs(world: World) -> None:
    frontier = world.frontier()
    frontier.add([NewUrl(url("1"), depth=3, hops=2, seed=True)])
    record = RobotsRecord(
        origin="https://a.test",
        meaning=Meaning.NO_RULES,
        cause="404",
        answered_at=START,
        ask_at=START + timedelta(days=1),
    )
    frontier.robots.keep(record)
    frontier.robots.keep(replace(record, origin="https://b.test"))
    lease = only(frontier)
    assert lease.host == "a.test"
    assert lease.robots == (record,)
    assert lease.until <= START + timedelta(minutes=2)
    (page,) = lease.pages
    assert (page.host, page.token, page.depth, page.hops, page.seed, page.attempts) == (
        "a.test",
        lease.token,
        3,
        2,
        True,
        0,
    )


def test_a_host_with_a_long_delay_gets_one_page_at_a_time(world: World) -> None:
    delays = {"slow.test": timedelta(seconds=5.1), "quick.test": timedelta(seconds=5)}
    frontier = world.frontier(politeness=Politeness(delays=delays))
    for host in delays:
        frontier.add([NewUrl(url(str(n), host)) for n in range(9)])
    pages = {lease.host: len(lease.pages) for lease in frontier.lease(9, pages=5)}
    assert pages == {"slow.test": 1, "quick.test": 5}


def test_a_crawl_delay_is_a_delay(world: World) -> None:
    frontier = world.frontier()
    frontier.add([NewUrl(url(str(n))) for n in range(9)])
    lease = only(frontier)
    slow = lease.clock.with_crawl_delay(Delay(30.0, "Crawl-delay"))
    frontier.add([NewUrl(url("more"))])
    frontier.release({lease.token: fetched(slow, world.clock.now)})
    world.later(29.9)
    assert frontier.lease(9) == []
    world.later(0.2)
    assert len(only(frontier).pages) == 1


def test_further_pages_come_only_with_a_lease_that_holds(world: World) -> None:
    frontier = world.frontier()
    frontier.add([NewUrl(url(str(n))) for n in range(9)])
    lease = only(frontier, pages=2)
    assert len(frontier.more(lease, 2)) == 2
    assert frontier.more(replace(lease, token=lease.token + 1), 2) == ()
    assert frontier.more(lease, 0) == ()
    world.later(121)
    assert frontier.more(lease, 2) == ()
    world.later(1)
    assert len(only(world.frontier("two")).pages) == 9
    assert frontier.more(lease, 2) == ()


def test_a_host_rests_for_its_delay_after_it_was_released(world: World) -> None:
    frontier = world.frontier()
    frontier.add([NewUrl(url(str(n))) for n in range(9)])
    lease = only(frontier, pages=1)
    frontier.release({lease.token: fetched(lease.clock, world.clock.now)})
    assert frontier.lease(1) == []
    world.later(0.999)
    assert frontier.lease(1) == []
    world.later(0.1)
    assert only(frontier)


def test_a_lapsed_host_is_ready_a_delay_after_the_lease_ended_and_not_before(world: World) -> None:
    frontier, other = world.frontier(), world.frontier("two")
    frontier.add([NewUrl(url("1")), NewUrl(url("2"))])
    lease = only(frontier, pages=1)
    world.later(120)
    assert other.lease(1) == []
    world.later(0.999)
    assert other.lease(1) == []
    world.later(0.1)
    again = only(other)
    assert urls_of(again.pages) == [url("1"), url("2")]
    assert again.clock.rested_from >= START + timedelta(seconds=120)
    assert frontier.release({lease.token: lease.clock}) == {lease.token}


def test_a_lapsed_host_rests_as_long_as_it_was_seen_to_want(world: World) -> None:
    frontier = world.frontier()
    frontier.add([NewUrl(url(str(n))) for n in range(9)])
    lease = only(frontier, pages=1)
    slow = lease.clock.with_crawl_delay(Delay(60.0, "Crawl-delay"))
    frontier.settle([ended(lease.pages[0])], {lease.token: fetched(slow, world.clock.now)})
    world.later(179.9)
    assert frontier.lease(1) == []
    world.later(0.2)
    assert only(frontier)


def test_very_many_hosts_that_are_due_at_once_are_woken_in_portions(world: World) -> None:
    frontier = world.frontier()
    more = 7
    hosts = [f"h{n}.test" for n in range(MOST_WOKEN + more)]
    frontier.add([NewUrl(url("", host)) for host in hosts])
    first, second = frontier.lease(2 * MOST_WOKEN), frontier.lease(2 * MOST_WOKEN)
    assert (len(first), len(second)) == (MOST_WOKEN, more)
    assert {lease.host for lease in (*first, *second)} == {*hosts}


def test_urgent_hosts_go_first_among_the_ready(world: World) -> None:
    frontier = world.frontier()
    for n, priority in enumerate([3, 9, 1, 7]):
        frontier.add([NewUrl(url("", f"h{n}.test"), priority=priority)])
    assert [lease.host for lease in frontier.lease(2)] == ["h1.test", "h3.test"]


def test_a_host_is_as_urgent_as_the_best_of_what_is_left(world: World) -> None:
    frontier = world.frontier(politeness=HURRIED)
    frontier.add([NewUrl(url("urgent"), priority=9), NewUrl(url("later"))])
    frontier.add([NewUrl(url("", "b.test"), priority=5)])
    lease = frontier.lease(1, pages=1)[0]
    frontier.release({lease.token: lease.clock})
    assert [lease.host for lease in frontier.lease(1)] == ["b.test"]


def test_what_was_asked_for_while_held_counts_too(world: World) -> None:
    """Further pages of a host take its urgency along; a link that arrives brings some."""
    frontier = world.frontier(politeness=HURRIED)
    frontier.add([NewUrl(url(f"urgent{n}"), priority=9) for n in range(3)])
    frontier.add([NewUrl(url("later"))])
    frontier.add([NewUrl(url("", "b.test"), priority=5)])
    lease = frontier.lease(1, pages=1)[0]
    frontier.more(lease, 2)
    frontier.release({lease.token: lease.clock})
    (other,) = frontier.lease(1)
    assert other.host == "b.test"
    frontier.add([NewUrl(url("x", "b.test"), priority=8), NewUrl(url("y"), priority=7)])
    frontier.release({other.token: other.clock})
    assert [lease.host for lease in frontier.lease(1)] == ["b.test"]


def test_one_host_in_eight_is_chosen_by_how_long_it_waited(world: World) -> None:
    """Else a stream of urgent hosts would keep all others waiting for ever."""
    frontier = world.frontier()
    frontier.add([NewUrl(url("", "patient.test"))])
    frontier.lease(0)
    for n in range(20):
        world.later(1)
        frontier.add([NewUrl(url("", f"h{n}-{k}.test"), priority=9) for k in range(2)])
        if "patient.test" in [lease.host for lease in frontier.lease(1)]:
            break
    assert 1 <= n <= 9


def test_a_host_with_very_many_urls_does_not_starve_one_with_one(world: World) -> None:
    frontier = world.frontier(politeness=HURRIED)
    frontier.add([NewUrl(url(str(n), "big.test")) for n in range(1000)])
    (lease,) = frontier.lease(1)
    frontier.add([NewUrl(url("", "small.test"))])
    frontier.release({lease.token: lease.clock})
    world.later(0.001)
    hosts = []
    for _ in range(3):
        (lease,) = frontier.lease(1)
        hosts.append(lease.host)
        world.later(0.001)
        frontier.release({lease.token: fetched(lease.clock, world.clock.now, HURRIED)})
    assert "small.test" in hosts[:2]


def test_sites_past_their_budget_wait_for_others_but_are_reached(world: World) -> None:
    # Twenty pages are once over the budget: the site is in the first of the slower queues.
    frontier = world.frontier(politeness=HURRIED, budget=Budget(pages=15, pages_per_linking_site=0))
    frontier.add([NewUrl(url(str(n), "big.test")) for n in range(40)])
    lease = only(frontier, pages=20)
    settle(frontier, *(ended(page) for page in lease.pages))
    frontier.release({lease.token: lease.clock})
    # Younger hosts go first, though big.test has waited longer; its turns come, and rarely.
    order = []
    for n in range(40):
        world.later(0.001)
        frontier.add([NewUrl(url(str(k), f"h{n}.test")) for k in range(2)])
        (lease,) = frontier.lease(1, pages=1)
        order.append(lease.host)
        frontier.release({lease.token: lease.clock})
    turns = [n for n, host in enumerate(order) if host == "big.test"]
    assert turns
    assert len(turns) <= 40 // 8 + 1
    assert len(handed(frontier)) > 0


def test_a_changed_delay_holds_at_once_for_a_host_that_is_ready(world: World) -> None:
    frontier = world.frontier()
    frontier.add([NewUrl(url(str(n))) for n in range(9)])
    lease = only(frontier, pages=1)
    frontier.release({lease.token: fetched(lease.clock, world.clock.now)})
    world.later(1.1)
    frontier.lease(0)  # it is ready, and nobody takes it
    frontier.configure(Politeness(delay=timedelta(seconds=10)))
    assert frontier.lease(1) == []
    world.later(8.8)
    assert frontier.lease(1) == []
    world.later(0.2)
    assert only(frontier)


def test_a_shorter_delay_holds_at_once_for_hosts_that_wait(world: World) -> None:
    frontier = world.frontier(politeness=Politeness(delay=timedelta(hours=1)))
    frontier.add([NewUrl(url("1", host)) for host in ("busy.test", "idle.test")])
    frontier.add([NewUrl(url("2", "busy.test"))])
    leases = frontier.lease(2, pages=1)
    clock = fetched(leases[0].clock, world.clock.now)
    frontier.release({lease.token: clock for lease in leases})
    frontier.configure(Politeness())
    frontier.add([NewUrl(url("2", "idle.test"))])
    world.later(1.1)
    assert {lease.host for lease in frontier.lease(2)} == {"busy.test", "idle.test"}


def test_a_changed_delay_holds_for_a_host_that_is_held(world: World) -> None:
    frontier = world.frontier()
    frontier.add([NewUrl(url("1")), NewUrl(url("2"))])
    lease = only(frontier, pages=1)
    frontier.configure(Politeness(delay=timedelta(seconds=10)))
    frontier.renew([lease.token])
    world.later(129.9)
    assert frontier.lease(1) == []
    world.later(0.2)
    assert only(frontier)


def test_a_host_whose_pages_are_gone_becomes_idle(world: World) -> None:
    frontier = world.frontier()
    frontier.add([NewUrl(url("1"))])
    frontier.forget(url=url("1"))
    assert frontier.lease(1) == []
    host = frontier.host("a.test")
    assert host is not None
    assert host.stage is HostStage.IDLE


def test_an_idle_host_wakes_with_a_new_page_and_not_before_its_time(world: World) -> None:
    frontier = world.frontier()
    frontier.add([NewUrl(url("1"))])
    lease = only(frontier)
    settle(frontier, ended(lease.pages[0]))
    frontier.release({lease.token: fetched(lease.clock, world.clock.now)})
    assert frontier.counts().hosts[HostStage.IDLE] == 1
    frontier.add([NewUrl(url("2"))])
    assert frontier.lease(1) == []
    world.later(1.1)
    assert urls_of(only(frontier).pages) == [url("2")]


def test_nothing_is_leased_where_nothing_is_wanted(world: World) -> None:
    frontier = world.frontier(limits=Limits(pages=0))
    frontier.add(seeds(url("1")))
    assert frontier.lease(1) == []
    frontier.set_limits(Limits())
    assert frontier.lease(0) == []
    assert len(frontier.lease(1)) == 1
