"""A web that changes by the day: what is there, where, and what it says."""

from dataclasses import replace

from gossamer.demo.lookup import resource_at
from gossamer.demo.rendering import rendered
from gossamer.demo.resources import Moved, Sorry
from gossamer.demo.schedule import STEADY, Life, life_of
from gossamer.demo.things import thing
from gossamer.demo.world import Page, World

STILL = World(seed=3, pages=200, hosts=5)
DAYS = [replace(STILL, day=day) for day in range(5)]


def where(world: World, page: Page) -> object:
    return resource_at(world, page.host_name, page.path)


def test_each_life_is_lived_by_some_page_and_most_are_steady() -> None:
    lives = [life_of(STILL.seed, page, 1) for page in range(STILL.pages)]
    assert any(life.appears for life in lives)
    assert any(life.moves for life in lives)
    assert any(life.vanishes for life in lives)
    assert {life.changes_every for life in lives} == {None, 1, 2, 3}
    assert lives.count(STEADY) > len(lives) / 2
    assert life_of(STILL.seed, 7, 0) is STEADY


def test_pages_appear_move_and_vanish_on_their_day() -> None:
    for number in range(STILL.pages):
        page = STILL.page(number)
        life = STILL.life(page)
        for day, world in enumerate(DAYS):
            now = where(world, page)
            if day < life.appears or (life.vanishes is not None and day >= life.vanishes):
                assert isinstance(now, Sorry)
            elif life.moves is not None and day >= life.moves:
                assert isinstance(now, Moved)
                assert now.target == world.url(number)
                assert world.number(world.url(number)) == number
            else:
                assert isinstance(now, Page)
        assert isinstance(where(STILL, page), Page)


def test_what_changes_says_something_else_with_each_edition() -> None:
    number = next(
        each for each in range(200) if STILL.life(STILL.page(each)) == Life(changes_every=2)
    )
    said = [rendered(world, world.page(number)).statements for world in DAYS]
    assert said[0] == said[1]
    assert said[2] == said[3]
    assert said[0] != said[2] != said[4]
    assert rendered(STILL, STILL.page(number)).statements == said[0]


def test_prices_rise_and_names_stay() -> None:
    offered = [each for each in range(40) if "offers" in dict(thing(each).item.properties)]
    first, second = thing(offered[0]), thing(offered[0], edition=1)
    assert first.name == second.name
    assert dict(first.item.properties)["offers"] != dict(second.item.properties)["offers"]
