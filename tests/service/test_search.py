"""Search over REST."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.service.running import Client

from gossamer.service.search import begun


def test_things_are_found_by_words_and_come_page_by_page(ask: Client) -> None:
    every = ask("/api/search", limit=1000).json
    alike = sum(result["alike"] for result in every["results"])
    assert every["total"] == len(every["results"]) + alike
    assert len(every["results"]) > 10
    assert every["next"] is None
    found = list[str]()
    offset: int | None = 0
    while offset is not None:
        page = ask("/api/search", limit=7, offset=offset).json
        found += [result["id"] for result in page["results"]]
        offset = page["next"]
    assert found == [result["id"] for result in every["results"]]


def test_what_looks_the_same_is_one_result_unless_all_are_asked_for(ask: Client) -> None:
    folded = ask("/api/search", limit=1000).json
    every = ask("/api/search", limit=1000, fold="false").json
    assert every["total"] == folded["total"] == len(every["results"])
    assert all(result["alike"] == 0 for result in every["results"])
    assert {each["label"] for each in every["results"]} == {
        each["label"] for each in folded["results"]
    }


def test_types_narrow_it_down(ask: Client) -> None:
    found = ask("/api/search", type="Person").json
    assert 0 < found["total"] < ask("/api/search").json["total"]
    assert all(any("Person" in kind for kind in each["types"]) for each in found["results"])
    label = found["results"][0]["label"]
    again = ask("/api/search", q=f'"{label}"', type=["Person", "Nothing"]).json
    assert label in [result["label"] for result in again["results"]]


def test_whoever_has_the_answer_does_not_get_it_again(ask: Client) -> None:
    first = ask("/api/search", q="the", limit=3)
    known = {"If-None-Match": first.headers["etag"]}
    assert first.json["seconds"] > 0
    for _ in range(3):
        assert ask("/api/search", q="the", limit=3, headers=known).status == 304
    assert ask("/api/search", q="the", limit=2, headers=known).status == 200


def test_a_type_that_nothing_has_is_told_with_the_one_that_was_meant(ask: Client) -> None:
    people = ask("/api/search", type="Person", limit=1).json["total"]
    wrong = ask("/api/search", q="the", type=["persn", "http://schema.org/Zzzz"]).json
    assert wrong["total"] == 0
    assert wrong["unknown_types"] == [
        {"type": "persn", "near": "Person", "count": people},
        {"type": "http://schema.org/Zzzz", "near": None, "count": 0},
    ]
    assert ask("/api/search", q="xyzzyx", type="Person").json["unknown_types"] == []
    assert ask("/api/search", type=["Person", "persn"]).json["unknown_types"] == []


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ({"q": "x" * 1001}, "bad-parameter"),
        ({"limit": 0}, "bad-parameter"),
        ({"offset": -1}, "bad-parameter"),
        ({"form": "thought"}, "bad-parameter"),
        ({"q": " ".join(["word"] * 40)}, "bad-search"),
        ({"q": "a*"}, "bad-search"),
        ({"since": "yesterday"}, "bad-search"),
        ({"words": "x"}, "bad-parameter"),
    ],
)
def test_a_bad_search_is_told_in_words(ask: Client, query: dict[str, Any], code: str) -> None:
    answer = ask("/api/search", **query)
    assert (answer.status, answer.json["code"]) == (400, code)
    assert answer.json["detail"].endswith(".")


def test_names_that_begin_so_are_offered_once_each(ask: Client) -> None:
    label = next(
        word
        for each in ask("/api/search", form="thing", limit=50).json["results"]
        for word in each["label"].split()
        if word.isalpha() and len(word) > 5
    )
    offered = ask("/api/search/suggest", q=label[:4]).json["results"]
    assert 0 < len(offered) <= 8
    assert all(label[:4].lower() in each["label"].lower() for each in offered)
    keys = [(each["label"].lower(), tuple(each["types"])) for each in offered]
    assert len(keys) == len(set(keys))
    assert len(ask("/api/search/suggest", q=label[:4], limit=1).json["results"]) == 1


@pytest.mark.parametrize(
    "typed", ["", "a", "-", '"', "*", "zzqqzz", " ", "~", "a* b* c* d* e* f* g"]
)
def test_too_little_to_go_by_is_no_mistake(ask: Client, typed: str) -> None:
    answer = ask("/api/search/suggest", q=typed)
    assert (answer.status, answer.json) == (200, {"results": []})


@given(st.text(max_size=30))
def test_whatever_is_typed_can_be_searched_or_is_too_little(typed: str) -> None:
    search = begun(typed)
    assert search is None or search.text.startswith(typed)
