from typing import Any

from gossamer.transform.jsonld.full import full_quads
from gossamer.transform.jsonld.processing import JsonLdOptions, Quad


def quads(value: Any) -> set[Quad]:
    found = full_quads(value, "http://h.test/", lambda _: None, JsonLdOptions(), "s")
    assert len(found.quads) == len(set(found.quads))
    return set(found.quads)


def test_values_are_kept_once_and_by_their_kind() -> None:
    values = [1, 1, True, "1", {"@id": "http://h.test/o"}, {"@id": "http://h.test/o"}]
    assert len(quads({"@id": "http://h.test/s", "http://h.test/p": values})) == 4


def test_nodes_of_one_name_are_merged() -> None:
    node = {"@id": "http://h.test/s", "http://h.test/p": 1}
    assert len(quads([node, node, {**node, "http://h.test/q": 2}])) == 2


def test_reverse_properties_lists_and_graphs_are_followed() -> None:
    found = quads(
        {
            "@id": "http://h.test/g",
            "@reverse": {"http://h.test/r": [{"@id": "http://h.test/o", "http://h.test/p": 1}]},
            "http://h.test/l": {"@list": [1, {"@list": [2]}]},
            "@graph": [{"@id": "http://h.test/i", "@type": "http://h.test/T"}],
        }
    )
    assert ("<http://h.test/o>", "<http://h.test/r>", "<http://h.test/g>", "") in found
    assert sum(graph == "<http://h.test/g>" for *_, graph in found) == 1
    assert len(found) == 2 + 7 + 1
