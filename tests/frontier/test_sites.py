from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gossamer.config import Budget
from gossamer.frontier import sites
from gossamer.frontier.protocol import NewUrl
from gossamer.frontier.sites import CrossSiteRequests
from gossamer.frontier.store import Row, Store
from gossamer.politeness.budget import FEWEST_JUDGED, SLOWEST, Charge

from .steps import url
from .worlds import NewWorld, World

BUDGET = Budget(pages=10, pages_per_linking_site=5)
DAY = 24 * 60 * 60


def queue(store: Store, site: str = "a.test") -> int | None:
    return store.read(lambda txn: sites.queues(txn, BUDGET, [site, site])).get(site)


def hosts(store: Store) -> list[Row]:
    return store.read(lambda txn: txn.rows("SELECT host, queue FROM hosts ORDER BY host"))


def take(store: Store, **pages: int) -> None:
    counts: Mapping[str, tuple[int, int]] = {f"{site}.test": (0, n) for site, n in pages.items()}
    store.transact(lambda txn: sites.count(txn, BUDGET, counts, []))


def link(store: Store, links: Iterable[tuple[str, str]]) -> None:
    store.transact(lambda txn: sites.count(txn, BUDGET, {}, links))


def test_a_site_falls_behind_with_what_it_takes_and_all_its_hosts_with_it(world: World) -> None:
    frontier = world.frontier(budget=BUDGET)
    frontier.add([NewUrl(url("", host)) for host in ("a.test", "www.a.test", "b.test")])
    store = world.store()
    assert queue(store) is None
    take(store, a=9)
    assert queue(store) == 0
    take(store, a=1, b=3)
    assert queue(store) == 1
    assert hosts(store) == [("a.test", 1), ("b.test", 0), ("www.a.test", 1)]
    take(store, a=10)
    assert queue(store) == 2


def test_links_from_other_sites_lift_a_site_again(world: World) -> None:
    frontier = world.frontier(budget=BUDGET)
    frontier.add([NewUrl(url("", "a.test"))])
    store = world.store()
    take(store, a=12)
    assert hosts(store) == [("a.test", 1)]
    link(store, [("a.test", "b.test")])
    link(store, [("a.test", "b.test"), ("x.test", "y.test")])
    assert queue(store) == 0
    assert hosts(store) == [("a.test", 0)]
    take(store, a=3)
    assert queue(store) == 1, "one site counts once, however often it links"


def test_a_new_host_of_a_site_queues_where_the_site_does(world: World) -> None:
    frontier = world.frontier(budget=BUDGET)
    store = world.store()
    take(store, a=12)
    frontier.add([NewUrl(url("", "new.a.test")), NewUrl(url("", "b.test"))])
    assert hosts(store) == [("b.test", 0), ("new.a.test", 1)]


def test_another_budget_holds_at_once_for_all_sites(world: World) -> None:
    frontier = world.frontier(budget=BUDGET)
    frontier.add([NewUrl(url("", host)) for host in ("a.test", "www.a.test", "b.test", "c.test")])
    store = world.store()
    take(store, a=12, b=25)
    assert hosts(store) == [("a.test", 1), ("b.test", 2), ("c.test", 0), ("www.a.test", 1)]
    frontier.set_budget(Budget(pages=20, pages_per_linking_site=5))
    assert hosts(store) == [("a.test", 0), ("b.test", 1), ("c.test", 0), ("www.a.test", 0)]
    frontier.add([NewUrl(url("", "new.b.test"))])
    assert ("new.b.test", 1) in hosts(store)


def test_any_number_of_sites_is_gone_through(world: World, monkeypatch: Any) -> None:
    monkeypatch.setattr(sites, "AT_ONCE", 2)
    frontier = world.frontier(budget=BUDGET)
    names = [f"{letter}.test" for letter in "abcde"]
    frontier.add([NewUrl(url("", name)) for name in names])
    take(world.store(), **dict.fromkeys("abcde", 12))
    frontier.set_budget(Budget(pages=100))
    assert hosts(world.store()) == [(name, 0) for name in names]


def test_pages_that_are_taken_back_count_no_longer(world: World) -> None:
    store = world.store()
    take(store, a=12)
    take(store, a=-12)
    assert queue(store) == 0
    take(store, a=-1)
    assert queue(store) == 0


def test_a_site_has_its_allowance_each_day_and_other_sites_have_theirs(world: World) -> None:
    asking = CrossSiteRequests(world.store())
    assert [asking.take("a.test", 2, 5) for _ in range(4)] == [True, True, False, False]
    assert asking.take("a.test", 1, 5)
    assert asking.take("b.test", 5, 5)
    assert asking.today("a.test") == 5
    world.later(DAY)
    assert asking.today("a.test") == 0
    assert asking.take("a.test", 5, 5)
    assert not asking.take("a.test", 1, 5)


def test_it_counts_over_restarts_and_nodes(world: World) -> None:
    assert CrossSiteRequests(world.store()).take("a.test", 4, 5)
    assert not CrossSiteRequests(world.store()).take("a.test", 2, 5)


def test_a_site_that_repeats_others_falls_behind_until_it_brings_something(world: World) -> None:
    frontier, store = world.frontier(budget=BUDGET), world.store()
    frontier.add([NewUrl(url("", host)) for host in ("a.test", "b.test")])
    take(store, a=FEWEST_JUDGED, b=FEWEST_JUDGED)
    link(store, [(site, f"{n}.test") for site in ("a.test", "b.test") for n in range(20)])
    assert (queue(store), queue(store, "b.test")) == (0, 0)
    repeats = {"a.test": Charge(repeated=FEWEST_JUDGED)}
    store.transact(lambda txn: sites.count(txn, BUDGET, {}, [], repeats))
    assert (queue(store), queue(store, "b.test")) == (SLOWEST, 0)
    assert [row[1] for row in hosts(store)] == [SLOWEST, 0]
    assert frontier.site_budget("a.test").repeated == FEWEST_JUDGED
    take(store, a=FEWEST_JUDGED)
    assert queue(store) == 0


def test_nothing_may_be_asked_where_that_is_the_allowance(world: World) -> None:
    assert not CrossSiteRequests(world.store()).take("a.test", 1, 0)


def test_several_nodes_never_take_more_together(world: World) -> None:
    if world.engine == "sqlite":
        return  # one owner
    stores = [world.store() for _ in range(3)]
    with ThreadPoolExecutor(3) as pool:
        taken = pool.map(
            lambda store: sum(CrossSiteRequests(store).take("a.test", 1, 10) for _ in range(8)),
            stores,
        )
        assert sum(taken) == 10


@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.integers(1, 9), st.integers(0, DAY)), max_size=30))
def test_whatever_is_asked_for_no_day_has_more(
    new_world: NewWorld, steps: list[tuple[int, int]]
) -> None:
    world = new_world()
    asking = CrossSiteRequests(world.store())
    by_day: dict[int, int] = {}
    for requests, seconds in steps:
        world.later(seconds)
        day = int(world.clock.now.timestamp()) // DAY
        had = by_day.get(day, 0)
        assert asking.take("a.test", requests, 10) == (had + requests <= 10)
        by_day[day] = had + requests if had + requests <= 10 else had
        assert asking.today("a.test") == by_day[day]
    world.close()
    world.stores.clear()
