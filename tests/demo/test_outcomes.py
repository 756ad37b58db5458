from gossamer.demo.outcomes import Truth, stored_quads
from gossamer.demo.rendering import rendered
from gossamer.demo.truth import truth
from gossamer.demo.world import Page, World

WORLD = World(pages=200, hosts=12)


def whole() -> Truth:
    return truth(WORLD, [WORLD.front(0)], scope="any")


def test_every_url_has_one_outcome() -> None:
    said = whole()
    parts = (said.visited, said.skipped, said.redirected, said.failed, said.refused)
    assert sum(map(len, parts)) == len(said.outcomes)
    assert said.requested == frozenset(said.visited) | frozenset(said.skipped)


def test_quads_are_those_of_the_pages_that_may_be_stored() -> None:
    said, count = whole(), 0
    for url, page in said.visited.items():
        assert isinstance(page.holds, Page)
        held = rendered(WORLD, page.holds).quads
        assert said.stored_quads(url) == stored_quads(WORLD, page) == (0 if page.noindex else held)
        count += said.stored_quads(url)
    assert said.quads() == count > 0
    assert any(page.noindex for page in said.visited.values())
