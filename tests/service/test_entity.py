"""All that is known of one thing, over REST."""

import pytest
from rdflib import Graph
from tests.service.running import Client

from gossamer import things
from gossamer.data import DataFolder
from gossamer.index.words.folder import WordsFolder
from gossamer.index.words.skipped import Skipped, SkippedList


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
