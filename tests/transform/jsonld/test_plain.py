import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.transform.jsonld.reading_back import (
    URL,
    Graph,
    graph,
    json_document,
    lines,
    messages,
    said_by,
)

from gossamer.model import Problem
from gossamer.transform.document import Item
from gossamer.transform.jsonld.contexts import prepare
from gossamer.transform.jsonld.fast import fast_quads
from gossamer.transform.jsonld.plain import NotPlainError, plain_items
from gossamer.transform.jsonld.schema_org import TERMS
from gossamer.transform.jsonld.writing import Writer

CONTEXT = "https://schema.org"
IN_GERMAN = [CONTEXT, {"@language": "de"}]
CONTEXTS = st.sampled_from([CONTEXT, IN_GERMAN, [CONTEXT, {"@language": "en-GB"}]])
Members = dict[str, Any]


def plain(value: Members | list[Members]) -> list[Item]:
    text = json.dumps(value)
    return plain_items(json.loads(text), text, URL, (), Writer(json_document(text)))


def by_plain(value: Members | list[Members]) -> Graph:
    return graph(lines(plain(value)))


def by_processor(value: Members | list[Members]) -> Graph:
    text = json.dumps(value)
    prepared = prepare(json.loads(text), text, URL, {})
    found = fast_quads(prepared.value, URL, is_covered=prepared.is_covered)
    return graph(lines(Writer(json_document(text)).items(found.quads)))


NAMES = st.sampled_from(
    [
        *("name", "url", "image", "birthDate", "offers", "author", "unheardOf", "two words"),
        *("schema:name", "dc:title", "http://other.test/p", "time", "xsd", "HTML"),
    ]
)
REFERENCES = st.sampled_from(
    [
        *("", "#it", "a/b", "../up", "/root", "?q=1", "//host.test/x", "http://a.test/./b"),
        *("_:b0", "schema:Thing", "urn:isbn:1", "mailto:a@b.test", "é", "a b", "http://[bad/"),
    ]
)
SCALARS = st.one_of(
    # Only we strip white space around IRIs; and for once we do not want it.
    st.text(st.characters(exclude_categories=["Cs"]), max_size=8).map(str.strip),
    REFERENCES,
    st.integers(-(2**53), 10**20),
    st.floats(allow_nan=False, allow_infinity=False).filter(bool),
    st.booleans(),
    st.none(),
)
VALUES = st.one_of(
    st.builds(lambda text: {"@value": text}, st.text('ab\n"\\', max_size=4)),
    st.builds(
        lambda text, tag: {"@value": text, "@language": tag},
        st.text("ab", max_size=4),
        st.sampled_from(["en", "de-AT", "no tag"]),
    ),
    st.builds(lambda type_: {"@value": "1", "@type": type_}, st.sampled_from(["Date", "xsd:byte"])),
    st.builds(lambda name: {"@id": name}, REFERENCES),
)
NODES = st.recursive(
    st.builds(lambda type_: {"@type": type_}, st.sampled_from(["Thing", ["A", "schema:B"]])),
    lambda inner: st.builds(
        lambda head, members: {**head, **members},
        st.one_of(st.builds(lambda name: {"@id": name}, REFERENCES), st.just({"@type": "Thing"})),
        st.dictionaries(
            NAMES, st.one_of(SCALARS, VALUES, inner, st.lists(inner | VALUES | SCALARS, max_size=3))
        ),
    ),
    max_leaves=8,
)


@given(NODES, CONTEXTS)
def test_whatever_it_answers_a_whole_processor_answers_too(node: Members, context: object) -> None:
    block = {"@context": context, **node}
    try:
        found = by_plain(block)
    except NotPlainError:
        return
    assert found == by_processor(block)


@given(st.lists(NODES, min_size=1, max_size=3), CONTEXTS)
def test_a_graph_is_read_like_its_members(nodes: list[Members], context: object) -> None:
    block = {"@context": context, "@graph": nodes}
    try:
        found = by_plain(block)
    except NotPlainError:
        return
    assert found == by_processor(block)


@given(st.lists(NODES, min_size=1, max_size=3), CONTEXTS)
def test_an_array_of_blocks_is_plain_too(nodes: list[Members], context: object) -> None:
    blocks = [{"@context": context, **node} for node in nodes]
    try:
        found = by_plain(blocks)
    except NotPlainError:
        return
    assert found == by_processor(blocks)


def test_in_an_array_a_graph_has_a_name_and_a_block_without_context_none() -> None:
    block = {"@context": CONTEXT, "name": "x"}
    assert len(by_plain([block, block])) == 2
    for other in ({"@context": CONTEXT, "@graph": [{"name": "y"}]}, {"name": "y"}, "text"):
        with pytest.raises(NotPlainError):
            by_plain([block, other])  # type: ignore[list-item]  # pages write anything


def test_the_usual_block_is_plain() -> None:
    block = {
        "@context": CONTEXT,
        "@type": "Product",
        "name": "Chair",
        "image": ["a.jpg", "b.jpg"],
        "offers": {"@type": "Offer", "price": 19.9, "priceValidUntil": "2030-01-01"},
        "aggregateRating": {"ratingValue": 4.5, "reviewCount": 89, "worstRating": None},
        "isFamilyFriendly": True,
    }
    assert len(by_plain(block)) == 12
    assert by_plain(block) == by_processor(block)


@pytest.mark.parametrize(
    "members",
    [
        {"@id": 5},
        {"@id": None},
        {"@id": "a", "id": "b"},
        {"@id": "@home"},
        {"@type": None},
        {"@type": ["Thing", {}]},
        {"@type": "_:b"},
        {"@type": "@id"},
        {"": "empty"},
        {"name": {}},
        {"name": {"@list": ["a"]}},
        {"name": {"@value": "a", "@language": "en", "@type": "Date"}},
        {"name": {"@value": {}}},
        {"name": {"@value": "a", "name": "b"}},
        {"name": {"@graph": []}},
        {"name": [["a"]]},
        {"birthDate": 1990},
        {"name": 2**53 + 1},
        {"name": 1e300},
        {"name": 0.0},
        {"@graph": [], "name": "graph with a name"},
        {"@graph": ["text"]},
        {"@reverse": {"author": {"@id": "x"}}},
        {"a": {"@context": {"b": "c:d"}, "b": "e"}},
        {"url": "no scheme:x"},
    ],
)
def test_what_needs_more_of_json_ld_is_left_to_a_processor(members: Members) -> None:
    with pytest.raises(NotPlainError):
        by_plain({"@context": CONTEXT, "@type": "Thing", **members})


def test_a_language_in_the_context_is_that_of_strings_that_are_nothing_else() -> None:
    block = {
        "@context": IN_GERMAN,
        "name": "x",
        "alternateName": [{"@value": "y"}, {"@value": "z", "@language": "ja"}],
        "birthDate": "2020-01-01",
    }
    said = "\n".join(sorted(str(item).partition(" ")[2] for item in plain(block)))
    assert said == "\n".join(
        (
            '<http://schema.org/alternateName> "y"',
            '<http://schema.org/alternateName> "z"@ja',
            '<http://schema.org/birthDate> "2020-01-01"^^<http://schema.org/Date>',
            '<http://schema.org/name> "x"@de',
        )
    )


def test_blocks_in_several_languages_are_left_to_a_processor() -> None:
    with pytest.raises(NotPlainError):
        by_plain([{"@context": IN_GERMAN, "name": "x"}, {"@context": CONTEXT, "name": "y"}])


@pytest.mark.parametrize(
    "context",
    [
        *([CONTEXT], {"@vocab": "x:"}, "https://other.test/", None, 5, [CONTEXT, CONTEXT]),
        *([CONTEXT, {"@language": tag}] for tag in (None, "", "no tag", 5)),
        *([CONTEXT, {"@language": "de", "name": "x:y"}], [{"@language": "de"}, CONTEXT]),
    ],
)
def test_other_contexts_are_left_to_a_processor(context: object) -> None:
    with pytest.raises(NotPlainError):
        by_plain({"@context": context, "name": "x"})


def test_a_context_that_was_brought_along_counts_instead_of_ours() -> None:
    text = json.dumps({"@context": CONTEXT, "name": "x"})
    with pytest.raises(NotPlainError):
        plain_items(json.loads(text), text, URL, {CONTEXT}, Writer(json_document(text)))


def test_white_space_around_an_iri_is_stripped_as_in_browsers() -> None:
    assert said_by({"@context": CONTEXT, "url": " http://a.test/x\n"}) == graph(
        ["_:a <http://schema.org/url> <http://a.test/x> ."]
    )


def test_a_property_that_cannot_be_used_is_reported_once_and_the_rest_kept() -> None:
    text = json.dumps({"@context": CONTEXT, "name": "x", "two words": ["a", "b"]})
    found = plain_items(json.loads(text), text, URL, (), Writer(json_document(text)))
    assert [type(item) is Problem for item in found].count(True) == 1
    assert len(lines(found)) == 1


def test_being_forgiving_it_leaves_out_what_is_wrong() -> None:
    members = {"name": ["a", 5, {"@id": 5}, "lost"], "@type": [None], "offers": {"price": "1"}}
    text = json.dumps({"@context": CONTEXT, **members})
    writer = Writer(json_document(text))
    found = plain_items(json.loads(text), text, URL, (), writer, forgiving=True)
    assert messages(found) == [
        '"name" is left out: an identifier that is no text.',
        '"@type" is left out: a type that is no name.',
    ]
    assert len(lines(found)) == 4


def test_every_term_of_the_context_means_the_same_to_both() -> None:
    for name in TERMS.keys() - {"id", "type"}:
        block = {"@context": CONTEXT, name: "http://a.test/x"}
        assert by_plain(block) == by_processor(block), name
