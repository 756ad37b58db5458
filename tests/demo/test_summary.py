from gossamer.demo.content import Format
from gossamer.demo.rendering import rendered
from gossamer.demo.robots import RobotsKind
from gossamer.demo.summary import MOST_COUNTED, summary
from gossamer.demo.world import World


def test_a_small_world_is_counted_exactly() -> None:
    world = World(pages=137, hosts=24)
    said = summary(world)
    assert said.exact
    assert (said.pages, said.hosts, said.sites) == (137, 24, 12)
    assert sum(said.formats.values()) == 137
    assert set(said.formats) == set(said.examples) == set(Format)
    assert said.robots == dict.fromkeys(RobotsKind, 2)
    pages = (world.page(number) for number in range(137))
    assert said.quads == sum(rendered(world, page).quads for page in pages)


def test_examples_are_pages_of_their_format() -> None:
    world = World()
    for format_, url in summary(world).examples.items():
        number = world.number(url)
        assert number is not None
        assert world.page(number).format is format_


def test_a_large_world_is_estimated_and_says_so() -> None:
    world = World(pages=MOST_COUNTED * 20, hosts=2)
    said = summary(world)
    assert not said.exact
    assert abs(said.formats[Format.RDFA] / world.pages - 6 / 40) < 0.02
    assert set(said.formats) == set(Format)
    assert said.quads > world.pages
