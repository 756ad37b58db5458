import pytest

from gossamer.errors import ConfigError
from gossamer.focus.matching import ThingFinder, check_wants
from gossamer.focus.wants import read_wants
from gossamer.vocabulary import SCHEMA

PAGE = "http://a.test/p"
TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
NQUADS = f"""<{PAGE}#e> {TYPE} <http://schema.org/MusicEvent> <{PAGE}> .
<{PAGE}#e> <http://schema.org/name> "Solar  panel fair" <{PAGE}> .
_:b {TYPE} <https://schema.org/Product> <{PAGE}> .
_:b <http://schema.org/name> "Hat" <{PAGE}> .
""".encode()


def find(
    *wanted: str, words: tuple[str, ...] = (), nquads: bytes = NQUADS, url: str = PAGE
) -> list[float]:
    found = ThingFinder(read_wants(wanted, words)).find(
        url, nquads, lambda: "Buy a solar-panel now"
    )
    assert not found.problems
    return [weight for _, weight in found.things]


@pytest.mark.parametrize(
    "text",
    ["Event", "event", "schema:Event", "https://schema.org/Event", "<http://schema.org/Event>"],
)
def test_a_class_is_named_in_any_usual_way_and_its_subclasses_count(text: str) -> None:
    assert read_wants([text]).classes[0].iri == f"{SCHEMA}Event"
    assert find(text) == [1.0]


def test_weights_and_several_wants() -> None:
    assert sorted(find("Event=2", "Product=0.5", words=("solar panel=3",))) == [0.5, 2.0, 3.0]
    assert find("Person") == []


def test_the_same_blank_thing_on_two_pages_is_one() -> None:
    finder = ThingFinder(read_wants(["Product"]))
    one = finder.find(PAGE, NQUADS, str).things
    other = finder.find(
        "http://a.test/q", NQUADS.replace(b"_:b", b"_:x").replace(b"/p>", b"/q>"), str
    ).things
    assert one == other


def test_queries_find_things_or_the_page_itself() -> None:
    assert find('SELECT ?x { ?x schema:name "Hat" }=4') == [4.0]
    assert find("ASK { ?x a schema:MusicEvent }") == [1.0]
    assert find("ASK { ?x a schema:Person }") == []


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("Prodct", "Did you mean Product?"),
        ("schema:Evnt", "Did you mean Event?"),
        ("https://schema.org/Prsn", "Did you mean Person?"),
        ("fooaf:Person", "no prefix that we know"),
        ("Product=0", "more than 0"),
        ("SELECT ?a ?b { ?a ?p ?b }", "one variable"),
        ("SELECT ?a { SERVICE <http://b.test/> { ?a ?p ?b } }", "SERVICE"),
        ("SELECT ?a { ?a", "focus.want"),
    ],
)
def test_what_makes_no_sense_is_refused_with_a_sentence(text: str, hint: str) -> None:
    with pytest.raises(ConfigError, match="focus") as error:
        check_wants((text,))
    assert hint in str(error.value)


def test_words_without_a_word_are_refused() -> None:
    with pytest.raises(ConfigError, match="no word"):
        read_wants((), ["=2", "!!"])
