import pytest

from gossamer.index.entities.kinds import is_of_type, short_name, type_term, type_terms

PERSONS = [
    "http://schema.org/Person",
    "https://schema.org/Person",
    "http://xmlns.com/foaf/0.1/Person",
    "https://www.w3.org/ns/activitystreams#Person",
    "http://www.w3.org/2006/vcard/ns#Individual",
]


@pytest.mark.parametrize("iri", PERSONS)
@pytest.mark.parametrize("asked", ["Person", "person", " PERSON "])
def test_a_short_name_is_that_class_in_every_vocabulary(iri: str, asked: str) -> None:
    assert is_of_type(iri, asked)


@pytest.mark.parametrize("asked", ["schema:Person", PERSONS[0], PERSONS[1], f"<{PERSONS[0]}>"])
def test_a_whole_name_is_one_class_in_both_spellings(asked: str) -> None:
    assert [is_of_type(iri, asked) for iri in PERSONS] == [True, True, False, False, False]


@pytest.mark.parametrize(
    ("iri", "asked"),
    [
        ("http://schema.org/PersonX", "Person"),
        ("http://schema.org/Person", "Pers"),
        ("http://schema.org/Person", ""),
        ("http://a.test/", "Person"),
        ("http://schema.org/Person", "foaf:Person"),
    ],
)
def test_other_names_are_other_classes(iri: str, asked: str) -> None:
    assert not is_of_type(iri, asked)


@pytest.mark.parametrize(
    ("iri", "name"),
    [
        ("http://schema.org/Person", "Person"),
        ("http://a.test/ns#Thing", "Thing"),
        ("urn:x:Thing", "Thing"),
        ("http://a.test/Thing/", "Thing"),
        ("http://a.test/Thing#", "Thing"),
        ("#", ""),
    ],
)
def test_the_short_name_is_the_last_part(iri: str, name: str) -> None:
    assert short_name(iri) == name


def test_an_unknown_prefix_is_taken_for_a_scheme() -> None:
    assert type_term("urn:x:Thing") == "urn:x:Thing" == type_terms("urn:x:Thing")[0]


S = "http://schema.org/"


@pytest.mark.parametrize(
    "asked", ["Event", "schema:Event", f"{S}Event", "https://schema.org/Event"]
)
def test_a_class_of_schema_org_has_its_subclasses(asked: str) -> None:
    assert is_of_type(f"{S}MusicEvent", asked)
    assert is_of_type("https://schema.org/LiveBlogPosting", "CreativeWork")
    assert not is_of_type(f"{S}MusicRecording", asked)
    assert not is_of_type(f"{S}Event", "MusicEvent")


def test_a_class_of_another_vocabulary_has_no_subclasses_of_schema_org() -> None:
    assert not is_of_type(f"{S}MusicEvent", "as:Event")


@pytest.mark.parametrize("asked", ["schema:", "SCHEMA:", S, "https://schema.org/"])
def test_a_prefix_alone_is_its_whole_vocabulary(asked: str) -> None:
    assert [is_of_type(iri, asked) for iri in PERSONS] == [True, True, False, False, False]
