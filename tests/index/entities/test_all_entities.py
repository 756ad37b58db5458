import json

import pyoxigraph as ox

from gossamer.index.entities import Entity
from gossamer.index.entities.all_entities import all_entities, entity_line
from gossamer.index.graph.blanks import SCHEME

A, B, EVIL = "http://a.test/p", "http://b.test/p", "http://evil.test/p"
NAMES = "<http://schema.org/name>"
SAME = "<http://www.w3.org/2002/07/owl#sameAs>"
THING = "http://id.test/1"


def entities(*lines: str) -> dict[str, Entity]:
    store = ox.Store()
    store.load("\n".join(lines).encode(), ox.RdfFormat.N_QUADS)
    found = list(all_entities(store))
    assert len({entity.home for entity in found}) == len(found)
    return {entity.home: entity for entity in found}


def test_what_is_the_same_is_one_and_all_else_is_not() -> None:
    found = entities(
        f'<{A}#it> {NAMES} "Ada" <{A}> .',
        f"<{A}#it> {SAME} <{THING}> <{A}> .",
        f'<{SCHEME}00> {NAMES} "Ada" <{B}> .',
        f"<{SCHEME}00> {SAME} <{THING}> <{B}> .",
        f'<{THING}> {NAMES} "Ada L" <{B}#graph-1> .',
        f'<{A}#other> {NAMES} "Grace" <{A}> .',
    )
    assert {home: entity.members for home, entity in found.items()} == {
        THING: (f"{SCHEME}00", f"{A}#it", THING),
        f"{A}#other": (f"{A}#other",),
    }
    assert found[THING].pages == (A, B)


def test_a_home_may_itself_be_at_home_elsewhere() -> None:
    found = entities(
        f'<{A}#it> {NAMES} "A" <{A}> .',
        f"<{A}#it> {SAME} <{B}#it> <{A}> .",
        f'<{B}#it> {NAMES} "B" <{B}> .',
        f"<{B}#it> {SAME} <{THING}> <{B}> .",
    )
    assert {home: entity.members for home, entity in found.items()} == {
        f"{B}#it": (f"{A}#it",),
        THING: (f"{B}#it",),
    }


def test_names_of_registries_meet_in_all_spellings() -> None:
    found = entities(
        f'<https://www.wikidata.org/wiki/Q1> {NAMES} "One" <{A}> .',
        f'<http://www.wikidata.org/entity/Q1> {NAMES} "One" <{B}> .',
    )
    assert found["http://www.wikidata.org/entity/Q1"].member_count == len(found) + 1 == 2


def test_a_thing_that_many_graphs_speak_of_comes_once() -> None:
    graphs = [A, B, f"{A}#graph-1", f"{A}#graph-2", EVIL]
    found = entities(*(f'<{A}#it> {NAMES} "{graph[-1]}" <{graph}> .' for graph in graphs))
    assert found[f"{A}#it"].pages == (A, B, EVIL)


def test_a_liar_is_beside_not_in_front() -> None:
    found = entities(
        f'<{A}#it> {NAMES} "Ada" <{A}> .',
        f'<{A}#it> {NAMES} "Evil" <{EVIL}> .',
        f"<{A}#it> {SAME} <{EVIL}#it> <{EVIL}> .",
        f'<{EVIL}#it> {NAMES} "Evil" <{EVIL}> .',
    )
    assert found[f"{A}#it"].label == "Ada"
    assert found[f"{EVIL}#it"].members == (f"{EVIL}#it",)


def test_links_are_counted_and_fetches_say_nothing() -> None:
    found = entities(
        f'<{A}> {NAMES} "Ada" <{A}> .',
        f"<{B}> <http://v.test/knows> <{A}> <{B}> .",
        f'<{B}> <http://schema.org/name> "B" <{B}#fetch> .',
        f"<{A}#fetch> <http://www.w3.org/ns/prov#used> <{A}> <{A}#fetch> .",
    )
    assert list(found) == [A]
    assert (found[A].links_in, found[A].is_page) == (1, True)


def test_an_entity_is_a_line_of_json() -> None:
    (entity,) = entities(f'<{SCHEME}00> {NAMES} "Zoë\\n庭"@de <{A}> .').values()
    line = entity_line(entity)
    assert line.endswith("}\n")
    assert line.count("\n") == 1
    record = json.loads(line)
    assert record.keys() == set(Entity._fields)
    assert record["home"] == "_:b00" == record["members"][0]
    assert record["texts"] == [{"language": "de", "text": "Zoë 庭"}]
    assert (record["pages"], record["page_count"], record["image"]) == ([A], 1, None)
