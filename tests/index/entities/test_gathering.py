import random

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.index.entities.sayings import BLANK, EVIL, PAGE, said

from gossamer.index.entities import Entity, Said, Text, entity_of
from gossamer.index.entities.gathering import MOST_LISTED, MOST_TYPES
from gossamer.index.entities.texts import MOST_OF_A_NAME, MOST_OF_AN_ENTITY

ADA = f"{PAGE}#me"


def entity(*sayings: Said, home: str = ADA, languages: tuple[str, ...] = ()) -> Entity:
    found = entity_of(home, {ADA: sayings}, 0, languages)
    assert found is not None
    return found


def test_all_that_is_said_of_a_thing_is_in_its_entity() -> None:
    found = entity_of(
        "http://id.test/ada",
        {
            ADA: [
                said("rdf:type", "<schema:Person>"),
                said("schema:name", "Ada Lovelace"),
                said("schema:alternateName", "エイダ@ja"),
                said("schema:description", "A mathematician in London.@en"),
                said("schema:image", "<https://www.good.org/ada.jpg>"),
                said("schema:birthDate", "1815-12-10", datatype="xsd:date"),
                said("schema:jobTitle", "mathematician@en"),
                said("schema:telephone", "+99 555 0123"),
                said("schema:knows", "<http://id.test/charles>"),
                said("schema:sameAs", "<http://id.test/ada>"),
            ],
            BLANK: [said("foaf:name", "Ada", "http://other.org/")],
        },
        7,
    )
    assert found == Entity(
        home="http://id.test/ada",
        label="Ada Lovelace",
        language=None,
        types=("http://schema.org/Person",),
        description="A mathematician in London.",
        image="https://www.good.org/ada.jpg",
        names=("Ada Lovelace", "Ada", "エイダ"),  # nobody speaks for id.test
        texts=(
            Text(None, "Ada"),
            Text(None, "Ada Lovelace"),
            Text("ja", "エイダ"),
            Text("en", "A mathematician in London."),
            Text("en", "mathematician"),
        ),
        pages=("http://other.org/", PAGE),
        page_count=2,
        hosts=("other.org", "www.good.org"),
        host_count=2,
        members=(BLANK, ADA),
        member_count=2,
        properties=tuple(
            sorted(
                [
                    "http://www.w3.org/1999/02/22-rdf-syntax-ns#type",
                    "http://xmlns.com/foaf/0.1/name",
                    *(
                        f"http://schema.org/{name}"
                        for name in (
                            *("name", "alternateName", "description", "image", "birthDate"),
                            *("jobTitle", "telephone", "knows", "sameAs"),
                        )
                    ),
                ]
            )
        ),
        dates=("1815-12-10",),
        links_in=7,
        links_out=1,
        is_page=False,
    )


def test_what_has_neither_name_nor_text_is_no_entity() -> None:
    codes = [
        said("rdf:type", "<schema:Offer>"),
        said("schema:price", "12.90"),
        said("schema:name", " "),
    ]
    assert entity_of(BLANK, {BLANK: codes}, 3) is None
    assert entity_of(BLANK, {}, 3) is None


def test_a_page_is_an_entity_too() -> None:
    page = entity_of(PAGE, {PAGE: [said("dcterms:title", "Ada's page")]}, 0)
    assert page is not None
    assert page.is_page
    assert page.label == "Ada's page"
    assert not entity(said("schema:name", "Ada")).is_page


@pytest.mark.parametrize(
    ("sayings", "label"),
    [
        ([("schema:name", "S"), ("foaf:name", "F"), ("rdfs:label", "L")], "S"),
        ([("rdfs:label", "L"), ("og:title", "O"), ("vcard:fn", "V")], "L"),
        ([("schema:alternateName", "A"), ("rss:title", "R")], "R"),
        ([("foaf:givenName", "Ada"), ("foaf:familyName", "Lovelace")], "Ada Lovelace"),
        ([("foaf:familyName", "Lovelace")], "Lovelace"),
        ([("schema:description", "A long one"), ("schema:jobTitle", "baker")], "A long one"),
        ([("schema:streetAddress", "Mill Road 5")], "Mill Road 5"),
        ([("schema:description", "word " * 50)], "word " * 15 + "word…"),
    ],
)
def test_the_label_is_the_best_name_that_there_is(
    sayings: list[tuple[str, str]], label: str
) -> None:
    assert entity(*(said(*each) for each in sayings)).label == label


def test_the_label_is_in_the_language_of_the_user() -> None:
    names = [said("schema:name", "Vienna@en"), said("schema:name", "Wien@de")]
    assert (entity(*names).label, entity(*names).language) == ("Vienna", "en")
    assert entity(*names, languages=("de",)).label == "Wien"


def test_a_hostile_page_adds_its_own_description_and_no_more() -> None:
    own = [
        said("foaf:name", "Ada"),
        said("rdf:type", "<foaf:Person>"),
        said("rdfs:comment", "Good."),
    ]
    evil = [
        said("schema:name", "AAA Cheap Pills", EVIL),
        said("schema:description", "Buy now.", EVIL),
        said("schema:image", "<http://evil.test/x.jpg>", EVIL),
        said("rdf:type", "<schema:Product>", EVIL),
    ]
    found, before = entity(*evil, *own), entity(*own)
    assert (found.label, found.description) == (before.label, before.description)
    assert (found.types, found.names) == (before.types, before.names)
    assert Text(None, "Buy now.") in found.texts
    assert "evil.test" in found.hosts


def test_text_that_cannot_be_kept_goes_from_the_end() -> None:
    texts = [said("schema:text", f"{number:05} " + "word " * 1_000) for number in range(60)]
    found = entity(said("schema:name", "Ada"), *texts)
    assert sum(len(each.text) for each in found.texts) <= MOST_OF_AN_ENTITY
    assert found.texts[0].text == "Ada"
    assert found.texts[1].text.startswith("00000")


def test_hostile_names_are_tamed() -> None:
    found = entity(said("schema:name", "\u202eAda\x1b[31m\x00 " + "x" * 1_000_000))
    assert len(found.label) <= MOST_OF_A_NAME
    assert found.label.isprintable()


def test_thousands_of_types_pages_and_members_are_counted_and_cut() -> None:
    types = [said("rdf:type", f"<http://x.test/T{number:05}>", EVIL) for number in range(5_000)]
    common = [said("rdf:type", "<schema:Person>", f"http://x{n}.org/") for n in range(3)]
    names = [said("schema:name", f"Ada {n}", f"http://h{n:05}.test/") for n in range(3_000)]
    found = entity(*types, *names, *common, home="urn:x:ada")
    assert len(found.types) == MOST_TYPES
    assert "http://schema.org/Person" in found.types
    assert (found.page_count, len(found.pages)) == (3_004, MOST_LISTED)
    assert (found.host_count, len(found.hosts)) == (3_004, MOST_LISTED)
    crowd = entity_of(
        "urn:x:1", {f"urn:y:{n}": [said("schema:name", "A")] for n in range(2_000)}, 0
    )
    assert crowd is not None
    assert (crowd.member_count, len(crowd.members)) == (2_000, MOST_LISTED)


@pytest.mark.parametrize("address", ["javascript:alert(1)", "data:image/png,x", "x", "http://a b"])
def test_a_picture_is_on_the_web(address: str) -> None:
    assert entity(said("schema:name", "A"), said("og:image", address)).image is None


def test_statements_about_statements_are_passed_over() -> None:
    term = ox.Triple(*[ox.NamedNode("http://a.test/")] * 3)
    assert entity(said("schema:name", "A"), Said("http://schema.org/name", term, PAGE)).label == "A"


VALUES = st.sampled_from(
    [
        *("Ada", "Ada@en", "Ada@de", "Zoë", "<b>Ada</b> L", "<schema:Person>", "<http://x.org/1>"),
        *("2024-05-17", "42", "http://x.org/a.png", "word " * 30, "\x00", "庭@ja"),
    ]
)
PREDICATES = st.sampled_from(
    [
        *("schema:name", "foaf:name", "schema:givenName", "schema:familyName", "rdf:type"),
        *("schema:description", "og:image", "schema:image", "schema:datePublished", "schema:x"),
    ]
)
PAGES = st.sampled_from([PAGE, EVIL, "http://a.org/", "http://b.a.org/", "http://c.org/"])
MEMBERS = st.dictionaries(
    st.sampled_from([ADA, BLANK, PAGE, "urn:x:1"]),
    st.lists(st.builds(said, PREDICATES, VALUES, PAGES), max_size=8),
    max_size=4,
)
HOMES = st.sampled_from([ADA, BLANK, "http://c.org/#it", "urn:x:1"])


@given(HOMES, MEMBERS, st.randoms(use_true_random=False))
def test_the_order_of_members_and_statements_does_not_matter(
    home: str, members: dict[str, list[Said]], dice: random.Random
) -> None:
    shuffled = {}
    for member in dice.sample(sorted(members), len(members)):
        shuffled[member] = dice.sample(members[member], len(members[member])) + members[member][:1]
    assert entity_of(home, shuffled, 1) == entity_of(home, members, 1)


@given(MEMBERS, st.lists(st.builds(said, PREDICATES, VALUES, st.just(EVIL)), max_size=8))
def test_no_stranger_renames_what_its_own_site_names(
    members: dict[str, list[Said]], lies: list[Said]
) -> None:
    own = [said("schema:name", "Ada"), said("rdf:type", "<foaf:Person>")]
    before = entity_of(ADA, {**members, ADA: own}, 0)
    after = entity_of(ADA, {**members, ADA: own, "http://evil.test/#it": lies}, 0)
    assert before is not None
    assert after is not None
    assert (after.label, after.types) == (before.label, before.types)
