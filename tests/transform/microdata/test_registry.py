import pytest

from gossamer.transform.microdata.registry import DEFAULT, MOST_NAMES, Vocabularies, types_in

BASE = "http://a.test/page#part"


@pytest.mark.parametrize(
    ("type_", "predicate"),
    [
        ("http://schema.org/Person", "http://schema.org/name"),
        ("https://schema.org/Person/Teacher", "https://schema.org/name"),
        ("http://microformats.org/profile/hcard", "http://microformats.org/profile/hcard#name"),
        ("http://x.test/a/B", "http://x.test/a/name"),
        ("http://x.test/a/", "http://x.test/a/name"),
        ("http://x.test/a?b=c/d", "http://x.test/name"),
        ("http://x.test/a#B", "http://x.test/a#name"),
        ("http://x.test", "http://x.test#name"),
        ("http://x.test?b", "http://x.test#name"),
        ("urn:a:b", "urn:a:b#name"),
        (None, "http://a.test/page#name"),
    ],
)
def test_the_type_decides_where_names_belong(type_: str | None, predicate: str) -> None:
    assert Vocabularies(DEFAULT, BASE)[type_]["name"] == (f"<{predicate}>",)


@pytest.mark.parametrize(
    ("names", "predicates"),
    [
        ("", []),
        (" b  c b ", ["http://schema.org/b", "http://schema.org/c"]),
        ("http://x.test/p b", ["http://x.test/p", "http://schema.org/b"]),
        ("b/c", ["http://schema.org/b/c"]),
        ("b^c", ["http://schema.org/b%5Ec"]),
        ("http://[/ b", ["http://schema.org/b"]),
    ],
)
def test_names_become_predicates_each_once(names: str, predicates: list[str]) -> None:
    vocabulary = Vocabularies(DEFAULT, BASE)["http://schema.org/Thing"]
    assert vocabulary[names] == tuple(f"<{each}>" for each in predicates)


def test_a_property_implies_what_the_registry_says() -> None:
    rdf_type = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
    own = "http://schema.org/additionalType"
    schema = Vocabularies(DEFAULT, BASE)["http://schema.org/Thing"]
    assert schema["additionalType"] == (f"<{own}>", f"<{rdf_type}>")
    registry = {"http://x.test/": (("a", "http://y.test/b"), ("a", "http://y.test/c"))}
    other = Vocabularies(registry, BASE)["http://x.test/T"]
    assert other["a"] == (
        "<http://x.test/a>",
        "<http://y.test/b>",
        "<http://y.test/c>",
    )


def test_a_type_is_an_absolute_url() -> None:
    types = types_in("Person http://a.test/T 1:2 é:x http://a.test/T urn:x")
    assert types.first == "http://a.test/T"
    assert types.terms == ("<http://a.test/T>", "<urn:x>")
    assert types_in("Person") == (None, (), ())


def test_a_type_that_cannot_be_mended_decides_all_the_same_and_is_a_problem() -> None:
    types = types_in("http://[x urn:x")
    assert (types.first, types.terms) == ("http://[x", ("<urn:x>",))
    assert [each.message for each in types.problems] == [
        '"http://[x" is no IRI; the statement is left out.'
    ]


def test_a_page_can_churn_what_is_kept_of_names_and_not_grow_it() -> None:
    vocabulary = Vocabularies(DEFAULT, BASE)["http://schema.org/Thing"]
    for number in range(3 * MOST_NAMES):
        assert vocabulary[f"n{number}"] == (f"<http://schema.org/n{number}>",)
    assert len(vocabulary) <= MOST_NAMES
