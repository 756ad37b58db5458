from concurrent.futures import ThreadPoolExecutor

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gossamer.frontier.asking_others import Asking

from .worlds import NewWorld, World

DAY = 24 * 60 * 60


def test_a_site_has_its_allowance_each_day_and_other_sites_have_theirs(world: World) -> None:
    asking = Asking(world.store())
    assert [asking.take("a.test", 2, 5) for _ in range(4)] == [True, True, False, False]
    assert asking.take("a.test", 1, 5)
    assert asking.take("b.test", 5, 5)
    assert asking.today("a.test") == 5
    world.later(DAY)
    assert asking.today("a.test") == 0
    assert asking.take("a.test", 5, 5)
    assert not asking.take("a.test", 1, 5)


def test_it_counts_over_restarts_and_nodes(world: World) -> None:
    assert Asking(world.store()).take("a.test", 4, 5)
    assert not Asking(world.store()).take("a.test", 2, 5)


def test_nothing_may_be_asked_where_that_is_the_allowance(world: World) -> None:
    assert not Asking(world.store()).take("a.test", 1, 0)


def test_several_nodes_never_take_more_together(world: World) -> None:
    if world.engine == "sqlite":
        return  # one owner
    stores = [world.store() for _ in range(3)]
    with ThreadPoolExecutor(3) as pool:
        taken = pool.map(
            lambda store: sum(Asking(store).take("a.test", 1, 10) for _ in range(8)), stores
        )
        assert sum(taken) == 10


@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.integers(1, 9), st.integers(0, DAY)), max_size=30))
def test_whatever_is_asked_for_no_day_has_more(
    new_world: NewWorld, steps: list[tuple[int, int]]
) -> None:
    world = new_world()
    asking = Asking(world.store())
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
