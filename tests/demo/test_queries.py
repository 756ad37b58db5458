from collections.abc import Mapping

import pytest

from gossamer.demo.entities import KnownEntity, known_entities
from gossamer.demo.queries import MOST, known_queries, plain_letters, words_of
from gossamer.demo.truth import truth
from gossamer.demo.world import World


@pytest.fixture(scope="module")
def known() -> Mapping[str, KnownEntity]:
    world = World(seed=2, pages=500, hosts=26)
    return known_entities(truth(world, [world.front(0)], scope="any"))


def test_there_are_fifty_questions_of_all_kinds(known: Mapping[str, KnownEntity]) -> None:
    asked = known_queries(known)
    assert len({(each.text, each.home) for each in asked}) == MOST
    assert {each.type for each in asked} > {None, "Person", "Product", "Book"}
    assert any(
        not each.text.isascii() and each.text == each.text.upper() for each in asked
    )  # 山田花子
    assert any(each.text != known[each.home].label for each in asked)  # as people type it
    assert any(len(known[each.home].pages) > 1 for each in asked)


def test_no_other_thing_has_the_words_of_a_question(known: Mapping[str, KnownEntity]) -> None:
    for each in known_queries(known):
        wanted = set(words_of(each.text))
        assert wanted
        having = {
            home
            for home, entity in known.items()
            if entity.types and wanted <= {w for name in entity.all_names for w in words_of(name)}
        }
        assert having == {each.home}


def test_the_questions_are_always_the_same(known: Mapping[str, KnownEntity]) -> None:
    turned = dict(reversed(list(known.items())))
    assert known_queries(turned) == known_queries(known)
    assert known_queries(known, 5) == known_queries(known)[:5]
    assert known_queries({}) == ()


def test_letters_without_their_accents() -> None:
    assert plain_letters("Štěpán Groß 山田") == "Stepan Groß 山田"
    assert words_of("Groß, Štěpán!") == ("gross", "stepan")
