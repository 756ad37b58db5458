"""All that is known of one thing, over REST."""

from typing import Any

import pytest
from rdflib import Graph
from tests.service.running import Client

from gossamer.folder.data import DataFolder
from gossamer.index.words.folder import WordsFolder
from gossamer.index.words.skipped import Skipped, SkippedList
from gossamer.owner import things
from gossamer.service.entity import called, drawn


@pytest.fixture(scope="module")
def person(ask: Client) -> str:
    found = ask("/api/search", type="Person", limit=1).json["results"][0]
    assert isinstance(found["id"], str)
    return found["id"]


def test_a_thing_that_was_found_is_shown_with_its_sources(ask: Client, person: str) -> None:
    found = ask("/api/search", type="Person", limit=1).json["results"][0]
    told = ask("/api/entity", id=person).json
    assert (told["id"], told["label"]) == (person, found["label"])
    assert set(told["pages"]) >= set(found["pages"])
    assert all(value["pages"] for each in told["properties"] for value in each["values"])


def test_it_comes_as_rdf_for_those_who_want_that(ask: Client, person: str) -> None:
    answer = ask("/api/entity", id=person, headers={"Accept": "text/turtle"})
    assert (answer.status, answer.media_type) == (200, "text/turtle")
    assert len(Graph().parse(answer.body, format="turtle")) > 2
    browser = ask("/api/entity", id=person, headers={"Accept": "text/html,*/*;q=0.1"})
    assert browser.media_type == "application/json"


@pytest.mark.parametrize(
    ("name", "status", "code"),
    [
        ("http://nobody.test/", 404, "not-found"),
        ("no iri", 400, "bad-name"),
        ("http://a.test/> } DROP ALL #", 400, "bad-name"),
        ("", 400, "bad-parameter"),
        ("http://a.test/" + "a" * 5000, 400, "bad-parameter"),
    ],
)
def test_what_there_is_not_is_told_so(ask: Client, name: str, status: int, code: str) -> None:
    answer = ask("/api/entity", id=name)
    assert (answer.status, answer.json["code"]) == (status, code)


def test_a_thing_that_words_could_not_gather_is_shown_without_gathering_it(
    ask: Client, crawl: DataFolder, person: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def hang(*_: object) -> None:
        raise AssertionError("it is not to be gathered")

    monkeypatch.setattr(things, "entity_of", hang)
    listed = SkippedList(WordsFolder(crawl.words_folder).skipped)
    listed.note([Skipped(person, "it took longer than 10 s to gather")])
    answer, page = ask("/api/entity", id=person), ask("/entity", id=person)
    listed.note([], [person])
    assert (answer.status, page.status) == (200, 200)
    assert "it took longer than 10 s" in answer.json["left_out"]
    assert b"it took longer than 10 s" in page.body
    assert answer.json["properties"]


TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"


def thing(values: int = 0, links: int = 0) -> dict[str, Any]:
    iris = [{"type": "iri", "value": f"urn:v:{n}", "label": None} for n in range(values)]
    own = [{"type": "iri", "value": "urn:own", "label": None}, {"type": "text", "value": "x"}]
    kinds = [{"type": "iri", "value": "urn:Kind", "label": None}]
    return {
        "id": "urn:own",
        "label": "Own",
        "same_as": ["urn:own"],
        "cut": False,
        "properties": [
            {"iri": TYPE, "name": "rdf:type", "values": kinds},
            {"iri": "urn:p:knows", "name": "urn:p:knows", "values": [*own, *iris]},
        ],
        "links_here": [
            {"id": f"urn:l:{n}", "label": f"L{n}", "property": "urn:p:likes", "name": "likes"}
            for n in range(links)
        ],
    }


def test_links_have_their_direction_and_what_is_no_other_thing_is_left_out() -> None:
    graph = drawn(thing(values=1, links=1), most=10)
    assert [each["id"] for each in graph["nodes"]] == ["urn:own", "urn:l:0", "urn:v:0"]
    ends = {(each["from"], each["to"], each["name"]) for each in graph["edges"]}
    assert ends == {("urn:own", "urn:v:0", "knows"), ("urn:l:0", "urn:own", "likes")}
    assert not graph["cut"]


def test_more_than_can_be_drawn_is_cut_and_those_with_names_stay() -> None:
    graph = drawn(thing(values=5, links=2), most=3)
    assert [each["label"] for each in graph["nodes"]] == ["Own", "L0", "L1", None]
    assert len(graph["edges"]) == 3
    assert graph["cut"]


def test_edges_lead_from_node_to_node_in_a_real_crawl(ask: Client) -> None:
    found = ask("/api/search", form="thing", limit=20).json["results"]
    linked = max(found, key=lambda each: each["links_in"] + each["links_out"])
    graph = ask("/api/entity/graph", id=linked["id"]).json
    nodes = {each["id"] for each in graph["nodes"]}
    assert graph["edges"]
    assert all({each["from"], each["to"]} <= nodes for each in graph["edges"])
    assert len(ask("/api/entity/graph", id=linked["id"], limit=1).json["nodes"]) == 2


def test_a_thing_that_nobody_knows_has_no_graph(ask: Client) -> None:
    assert ask("/api/entity/graph", id="urn:nobody").status == 404
    assert ask("/api/entity/graph", id="no iri").status == 400
    assert ask("/api/entity/graph").status == 400


def test_a_neighbour_without_a_name_is_called_by_what_it_is(ask: Client) -> None:
    rows = ask(
        "/sparql",
        query="SELECT ?thing { ?thing schema:address ?where . ?where a schema:PostalAddress "
        "FILTER (STRSTARTS(STR(?where), 'gossamer-blank:')) } LIMIT 1",
        headers={"Accept": "application/json"},
    ).json["results"]["bindings"]
    told = rows[0]["thing"]
    name = f"_:{told['value']}" if told["type"] == "bnode" else told["value"]
    labels = [each["label"] for each in ask("/api/entity/graph", id=name).json["nodes"]]
    assert "PostalAddress" in labels


def row(property_: str, value: str, kind: str = "literal") -> dict[str, Any]:
    return {
        "s": {"type": "bnode", "value": "b1f"},
        "p": {"type": "uri", "value": property_},
        "o": {"type": kind, "value": value},
    }


def test_a_name_that_is_known_comes_before_what_a_thing_is() -> None:
    kind = row(TYPE, "http://schema.org/Person", "uri")
    given = row("http://schema.org/givenName", "Ada")
    name = row("https://schema.org/name", "Ada Lovelace")
    address = row("http://schema.org/name", "urn:no:name", "uri")
    assert called([kind]) == {"gossamer-blank:1f": "Person"}
    assert called([kind, address, given]) == {"gossamer-blank:1f": "Ada"}
    assert called([name, kind, given]) == {"gossamer-blank:1f": "Ada Lovelace"}
