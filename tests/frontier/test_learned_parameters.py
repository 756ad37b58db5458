from collections.abc import Iterable

import pytest

from gossamer.duplicates.parameters import NEEDED, Standing
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.parameter_memory import is_put_off
from gossamer.frontier.protocol import Assignment, Limits, NewUrl
from gossamer.model import Url

from .steps import HURRIED, handed, url
from .test_alike import fetch, says, text
from .worlds import World


@pytest.fixture
def frontier(world: World) -> SqlFrontier:
    made = world.frontier(politeness=HURRIED)
    made.learn_parameters("last")
    return made


def standing(frontier: SqlFrontier) -> dict[str, Standing]:
    return {each.name: each.standing for each in frontier.parameters_of("a.test")}


def item(number: int, query: str = "") -> Url:
    return url(f"item?id={number}{query}")


def teach(
    frontier: SqlFrontier, query: str = "&sid={}", numbers: Iterable[int] = range(NEEDED)
) -> None:
    """Have the same pages fetched at two addresses each."""
    pages = {
        item(number, query.format(visit)): says(text(number + 1))
        for number in numbers
        for visit in (1, 2)
    }
    fetch(frontier, pages)
    for rule in frontier.newly_learned():
        frontier.rank_host(rule.host)


def ranks(frontier: SqlFrontier, *urls: Url) -> list[bool]:
    found = [frontier.page(each) for each in urls]
    return [is_put_off(each.priority) for each in found if each is not None]


def test_a_parameter_that_changes_nothing_is_learned_and_one_that_matters_is_not(
    frontier: SqlFrontier,
) -> None:
    teach(frontier)
    assert standing(frontier) == {"id": Standing.MATTERS, "sid": Standing.IDLE}


def test_urls_with_it_come_last_whether_they_are_known_before_or_after(
    frontier: SqlFrontier,
) -> None:
    early, late, plain, seed = item(8, "&sid=8"), item(9, "&sid=9"), item(8), item(7, "&sid=7")
    frontier.set_limits(Limits(depth=0))  # so that they wait
    frontier.add([NewUrl(early, depth=5, priority=500), NewUrl(plain, depth=5, priority=100)])
    assert ranks(frontier, early, plain) == [False, False]
    teach(frontier)
    assert ranks(frontier, early, plain) == [True, False]
    frontier.add([NewUrl(late, depth=5, priority=500)])
    frontier.add([NewUrl(seed, priority=500, seed=True)])
    assert ranks(frontier, late, seed) == [True, False]


def test_the_first_contradiction_takes_all_of_them_up_again(frontier: SqlFrontier) -> None:
    teach(frontier)
    waiting = item(9, "&sid=9")
    frontier.add([NewUrl(waiting, depth=5, priority=500)])
    assert ranks(frontier, waiting) == [True]
    one, other = item(50, "&sid=1"), item(50, "&sid=2")
    fetch(frontier, {one: says(text(50)), other: says(text(51)), waiting: says(text(60))})
    (rule,) = frontier.newly_learned()
    assert (rule.name, rule.standing) == ("sid", Standing.MATTERS)
    frontier.rank_host(rule.host)
    assert standing(frontier)["sid"] is Standing.MATTERS
    frontier.add([NewUrl(item(10, "&sid=9"), priority=500)])
    assert ranks(frontier, item(10, "&sid=9")) == [False]


def test_a_page_that_is_had_represents_others(frontier: SqlFrontier) -> None:
    teach(frontier)
    had, not_had = item(1, "&sid=77"), item(33, "&sid=77")
    frontier.add([NewUrl(had), NewUrl(not_had)])
    pages = {page.url: page for page in handed(frontier)}
    assert frontier.is_represented(pages[had]) in {item(1, "&sid=1"), item(1, "&sid=2"), item(1)}
    assert frontier.is_represented(pages[not_had]) is None


def test_rules_outlive_a_run_and_are_forgotten_with_their_host(
    frontier: SqlFrontier, world: World
) -> None:
    teach(frontier)
    waiting = item(9, "&sid=9")
    frontier.add([NewUrl(waiting, priority=500)])
    other = world.frontier("two", politeness=HURRIED)
    other.learn_parameters("off")
    assert ranks(other, waiting) == [False]
    other.learn_parameters("drop")
    assert ranks(other, waiting) == [True]
    other.forget(host="a.test")
    assert other.parameters_of("a.test") == []
    other.add([NewUrl(waiting, priority=500)])
    assert ranks(other, waiting) == [False]


def test_where_nothing_is_to_be_learned_nothing_is(world: World) -> None:
    frontier = world.frontier(politeness=HURRIED)
    frontier.learn_parameters("off")
    teach(frontier)
    assert standing(frontier) == {}
    assert (
        frontier.is_represented(Assignment(1, "a.test", 1, item(1, "&sid=3"), 0, 0, False, 0))
        is None
    )
