import random

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.index.entities.sayings import BLANK, EVIL, PAGE, iri, said

from gossamer.index.entities import Said, home_of
from gossamer.index.entities.homes import may_identify

ADA = f"{PAGE}#me"
SAME = "http://id.other.org/ada"
NAME = said("schema:name", "Ada Lovelace")


def test_a_subject_without_identifiers_is_at_home_in_itself() -> None:
    assert home_of(ADA, [NAME]) == ADA
    assert home_of(ADA, []) == ADA
    assert home_of(BLANK, [NAME]) == BLANK


@pytest.mark.parametrize("predicate", ["owl:sameAs", "schema:sameAs", "https://schema.org/sameAs"])
@pytest.mark.parametrize("value", [f"<{SAME}>", SAME])
def test_what_is_the_same_as_something_is_gathered_there(predicate: str, value: str) -> None:
    assert home_of(BLANK, [NAME, said(predicate, value)]) == SAME
    assert home_of(ADA, [said(predicate, value)]) == SAME == home_of(SAME, [])


def test_only_pages_of_its_own_site_may_say_what_an_iri_is() -> None:
    lie = said("owl:sameAs", f"<{EVIL}#it>", EVIL)
    assert home_of(ADA, [NAME, lie]) == ADA
    assert home_of(ADA, [lie, said("owl:sameAs", f"<{SAME}>", "http://data.good.org/x")]) == SAME


@pytest.mark.parametrize("subject", ["urn:x:ada", "tel:+995550123", "tag:evil.test,2020:x"])
def test_nobody_may_say_what_a_name_without_a_site_is(subject: str) -> None:
    assert home_of(subject, [said("owl:sameAs", f"<{SAME}>", EVIL)]) == subject


@pytest.mark.parametrize(
    "subject", ["http://good.org@evil.test/x", "http://evil.test:80/x", "HTTP://EVIL.TEST/x"]
)
def test_who_owns_an_iri_is_read_as_browsers_read_it(subject: str) -> None:
    assert home_of(subject, [said("owl:sameAs", f"<{SAME}>", EVIL)]) == SAME
    assert home_of(subject, [said("owl:sameAs", f"<{SAME}>", PAGE)]) == subject


def test_the_same_name_in_a_registry_is_one_home_in_all_spellings() -> None:
    for spelling in ("https://www.wikidata.org/wiki/Q7259", "http://wikidata.org/entity/Q7259"):
        found = home_of(BLANK, [said("schema:sameAs", f"<{spelling}>")])
        assert found == home_of(spelling, []) == "http://www.wikidata.org/entity/Q7259"


def test_registries_come_before_other_names_and_those_before_addresses() -> None:
    everything = [
        NAME,
        said("foaf:mbox", "<mailto:ada@good.org>"),
        said("schema:sameAs", "<http://aaa.org/ada>"),
        said("schema:sameAs", "<http://dbpedia.org/resource/Ada_Lovelace>"),
        said("schema:sameAs", "<http://www.wikidata.org/entity/Q7259>"),
        said("schema:isbn", "0306406152"),
    ]
    homes = [home_of(BLANK, everything[:count]) for count in range(1, 7)]
    assert homes == [
        BLANK,
        "mailto:ada@good.org",
        "http://aaa.org/ada",
        "http://dbpedia.org/resource/Ada_Lovelace",
        "http://www.wikidata.org/entity/Q7259",
        "urn:isbn:9780306406157",
    ]


@pytest.mark.parametrize(
    ("predicate", "value", "home"),
    [
        ("schema:isbn", "0-306-40615-2", "urn:isbn:9780306406157"),
        ("schema:gtin13", "4006381333931", "https://id.gs1.org/01/04006381333931"),
        ("schema:gtin", "9780306406157", "urn:isbn:9780306406157"),
        ("dcterms:identifier", "doi:10.1000/ABC", "https://doi.org/10.1000/abc"),
        ("dcterms:identifier", "urn:isbn:0306406152", "urn:isbn:9780306406157"),
        (
            "schema:identifier",
            "<https://orcid.org/0000-0002-1825-0097>",
            "https://orcid.org/0000-0002-1825-0097",
        ),
        ("schema:leiCode", "7ZW8QJWVPR4P1J1KQY45", "urn:lei:7ZW8QJWVPR4P1J1KQY45"),
    ],
)
def test_identifiers_that_the_world_agreed_on_are_homes(
    predicate: str, value: str, home: str
) -> None:
    assert home_of(BLANK, [said(predicate, value)]) == home


def test_ten_digits_are_no_book_unless_they_are_called_one() -> None:
    assert home_of(BLANK, [said("schema:identifier", "0306406152")]) == BLANK


def test_an_offer_is_not_what_it_offers() -> None:
    offer = [said("rdf:type", "<schema:Offer>"), said("schema:gtin13", "4006381333931")]
    assert home_of(BLANK, offer) == BLANK


def test_a_front_page_is_no_identity() -> None:
    for front in ("https://www.good.org/", "http://good.org", "https://www.good.org"):
        assert home_of(BLANK, [said("schema:sameAs", f"<{front}>")]) == BLANK


def test_where_it_stands_is_no_identity() -> None:
    assert home_of(ADA, [said("schema:sameAs", f"<{PAGE}>"), said("owl:sameAs", f"<{ADA}>")]) == ADA


def test_networks_with_short_names_are_networks() -> None:
    for host in ("vk.com", "t.me", "x.com", "m.vk.com"):
        assert home_of(BLANK, [NAME, said("schema:sameAs", f"<https://{host}/house>")]) == BLANK


def test_the_account_of_the_house_does_not_make_its_people_one() -> None:
    def person(name: str, profile: str) -> str:
        about = [said("schema:name", name), said("schema:sameAs", f"<{profile}>")]
        return home_of(BLANK, about)

    assert person("Ada Lovelace", "https://twitter.com/goodcompany") == BLANK
    assert person("Good Company", "https://twitter.com/GoodCompany") != BLANK
    assert person("Ada Lovelace", "https://www.linkedin.com/in/ada-1815") != BLANK
    assert person("Zoë Šípek", "https://instagram.com/sipek") != BLANK


def test_an_address_identifies_whom_it_speaks_of() -> None:
    def home(name: str, address: str, predicate: str = "schema:email") -> str:
        return home_of(BLANK, [said("schema:name", name), said(predicate, address)])

    assert home("Ada Lovelace", "Ada.L@good.org") == "mailto:ada.l@good.org"
    assert home("Ada Lovelace", "lovelace@good.org", "vcard:hasEmail") != BLANK
    assert home("Ada Lovelace", "physics@good.org") == BLANK
    assert home("Ada Lovelace", "al1815@good.org", "foaf:mbox") == "mailto:al1815@good.org"
    assert home("Info Desk", "info@good.org", "foaf:mbox") == BLANK
    assert home_of(BLANK, [said("schema:email", "x1@good.org")]) == "mailto:x1@good.org"


def test_nobody_else_can_give_a_name_that_an_address_speaks_of() -> None:
    own = [NAME, said("schema:email", "physics@good.org")]
    assert home_of(ADA, [*own, said("schema:name", "Physics", EVIL)]) == ADA
    nameless = [said("schema:email", "x1@good.org")]
    assert home_of(ADA, [*nameless, said("schema:name", "Ada", EVIL)]) == "mailto:x1@good.org"


def test_nobody_else_can_make_an_offer_of_a_thing() -> None:
    ware = [said("schema:gtin13", "4006381333931"), said("rdf:type", "<schema:Offer>", EVIL)]
    assert home_of(ADA, ware) == "https://id.gs1.org/01/04006381333931"


def test_the_addresses_that_stand_on_a_page_are_not_its_own() -> None:
    assert home_of(PAGE, [said("foaf:mbox", "<mailto:ada@good.org>")]) == PAGE


HOSTS = ("good.org", "www.good.org", "evil.test", "id.other.org")
IRIS = st.builds("http://{}/{}#it".format, st.sampled_from(HOSTS), st.sampled_from("abc"))
PAGES = st.builds("http://{}/{}".format, st.sampled_from(HOSTS), st.sampled_from("abc"))
VALUES = IRIS.map("<{}>".format) | st.sampled_from(
    ["Ada", "ada@good.org", "<mailto:ada@good.org>", "0306406152", "4006381333931", ""]
)
PREDICATES = st.sampled_from(
    ["owl:sameAs", "schema:sameAs", "schema:email", "foaf:mbox", "schema:isbn", "schema:name"]
)
SAYINGS = st.lists(st.builds(said, PREDICATES, VALUES, PAGES), max_size=8)


@given(IRIS, SAYINGS, st.randoms(use_true_random=False))
def test_the_order_of_statements_does_not_matter(
    subject: str, sayings: list[Said], dice: random.Random
) -> None:
    shuffled = sayings.copy()
    dice.shuffle(shuffled)
    assert home_of(subject, shuffled) == home_of(subject, sayings)


@given(IRIS, SAYINGS, SAYINGS)
def test_what_others_say_moves_nobody(subject: str, own: list[Said], others: list[Said]) -> None:
    site = "other.org" if "other.org" in subject else subject.split("/")[2].removeprefix("www.")
    strangers = [each for each in others if not may_identify(subject, site, each.page)]
    assert home_of(subject, [*own, *strangers]) == home_of(subject, own)


@given(IRIS, SAYINGS)
def test_a_home_is_one_step_away(subject: str, sayings: list[Said]) -> None:
    """It is named by a statement about the subject itself, or is the subject."""
    home = home_of(subject, sayings)
    values = {each.object.value for each in sayings if not isinstance(each.object, ox.Triple)}
    named = {"urn:isbn:9780306406157", *values, *(f"mailto:{value}" for value in values)}
    assert home == subject or home in named


def test_thousands_of_names_are_one_home() -> None:
    many = [said("owl:sameAs", f"<http://x{number:04}.org/ada>") for number in range(5_000)]
    random.Random(1).shuffle(many)
    assert home_of(BLANK, many) == "http://x0000.org/ada"


@pytest.mark.parametrize(
    "value", ["x" * 5_000_000, "http://" + "a" * 5_000_000, "\x00", "http://[", " "]
)
def test_hostile_values_identify_nothing(value: str) -> None:
    for predicate in ("owl:sameAs", "schema:email", "schema:isbn", "schema:identifier"):
        assert home_of(BLANK, [NAME, said(predicate, value)]) == BLANK


@pytest.mark.parametrize(
    ("predicate", "value"),
    [
        ("schema:sameAs", "http://x.test/a|b"),
        ("schema:sameAs", "http://x.test/>}SERVICE<http://y.test/>{"),
        ("foaf:mbox", "mailto:a{b}@x.test"),
        ("schema:identifier", "10.1000/a^b"),
    ],
)
def test_what_is_no_iri_identifies_nothing(predicate: str, value: str) -> None:
    assert home_of(BLANK, [said(predicate, value)]) == BLANK
    both = [said(predicate, value), said("owl:sameAs", f"<{SAME}>")]
    assert home_of(BLANK, both) == SAME


@given(
    st.sampled_from(["schema:sameAs", "foaf:mbox", "schema:email", "schema:identifier"]),
    st.text(alphabet='htps:/.@ab10<>{}|^`\\"%# ü', max_size=30).map("http://{}".format)
    | st.text(max_size=20).map("{}@x.test".format),
)
def test_every_home_is_an_iri(predicate: str, value: str) -> None:
    ox.NamedNode(home_of(BLANK, [Said(iri(predicate), ox.Literal(value), PAGE)]))
