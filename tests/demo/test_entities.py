"""The world's own knowledge of its entities, and what our rules make of the same statements."""

from collections import Counter
from collections.abc import Mapping

import pyoxigraph as ox
import pytest

from gossamer.demo.cast import AUTHORS, BOOKS
from gossamer.demo.entities import KnownEntity, counts_by_type, known_entities
from gossamer.demo.formats.statements import iri
from gossamer.demo.outcomes import Truth
from gossamer.demo.rendering import rendered
from gossamer.demo.truth import truth
from gossamer.demo.world import World
from gossamer.index.entities import Entity
from gossamer.index.entities.all_entities import all_entities
from gossamer.index.graph.blanks import SCHEME, Blanks

WORLD = World(seed=2, pages=500, hosts=26)
WORLDS = [WORLD, World(), World(seed=3, pages=400, hosts=12, malice=True), World(seed=9, hosts=1)]


def told(world: World) -> Truth:
    return truth(world, [world.front(0)], scope="any")


@pytest.fixture(scope="module")
def known() -> Mapping[str, KnownEntity]:
    return known_entities(told(WORLD))


def found(told: Truth) -> dict[str, Entity]:
    """What our own rules gather from the statements that pages were made with."""
    store = ox.Store()
    for visited in told.visited.values():
        if visited.noindex or visited.holds is None:
            continue
        page = iri(visited.url)[1:-1]
        blanks, graph = Blanks(page), ox.NamedNode(page)
        lines = frozenset().union(*rendered(told.world, visited.holds).triples.values())
        triples = [quad.triple for quad in ox.parse("\n".join(lines), ox.RdfFormat.N_QUADS)]
        quads = (ox.Quad(each.subject, each.predicate, each.object, graph) for each in triples)
        store.extend(map(blanks.quad, quads))
    return {entity.home: entity for entity in all_entities(store)}


@pytest.mark.parametrize("world", WORLDS)
def test_our_rules_find_the_entities_that_the_world_knows(world: World) -> None:
    known, entities = known_entities(told(world)), found(told(world))
    named = {home: entity for home, entity in entities.items() if not home.startswith(SCHEME)}
    expected = {home: entity for home, entity in known.items() if not entity.is_blank}
    assert named.keys() == expected.keys()
    assert len(entities) == len(known)
    for home, entity in expected.items():
        assert set(named[home].pages) == entity.pages
        assert plain(named[home].types) == entity.types
        assert entity.label in (None, named[home].label)
    types = Counter(type_ for entity in entities.values() for type_ in plain(entity.types))
    assert types == counts_by_type(known)


def plain(types: tuple[str, ...]) -> set[str]:
    """schema.org has two spellings."""
    return {each.replace("https://schema.org", "http://schema.org") for each in types}


def test_things_are_spoken_of_on_several_sites(known: Mapping[str, KnownEntity]) -> None:
    shared = {home: entity for home, entity in known.items() if len(entity.pages) > 1}
    assert {author.home for author in AUTHORS} & shared.keys()
    assert {book.home for book in BOOKS} & shared.keys()
    assert any(home.startswith("https://id.gs1.org/") for home in shared)
    assert any(home.startswith("mailto:") for home in shared)


def test_a_label_is_known_where_all_agree() -> None:
    entity = KnownEntity("urn:x:1", names={"http://schema.org/name": {"A", "B"}})
    assert entity.label is None
    entity.names["http://schema.org/name"] = {"A"}
    assert entity.label == "A"


def test_what_is_not_stored_is_not_known() -> None:
    told_ = told(WORLD)
    hidden = {url for url, visited in told_.visited.items() if visited.noindex}
    assert hidden
    assert not any(hidden & entity.pages for entity in known_entities(told_).values())
