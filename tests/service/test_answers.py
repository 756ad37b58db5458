"""JSON on its way out."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.requests import Request

from gossamer.service.answers import ROWS, TRIPLES, Wanted, json_answer, tagged, wanted


def asked(method: str = "GET", **headers: str) -> Request:
    named = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return Request({"type": "http", "method": method, "headers": named})


def test_what_is_answered_is_json_with_a_tag_of_its_own() -> None:
    one, same, other = (json_answer(asked(), value) for value in ({"a": "é"}, {"a": "é"}, {"a": 1}))
    assert json.loads(bytes(one.body)) == {"a": "é"}
    assert one.headers["content-type"] == "application/json"
    assert one.headers["etag"] == same.headers["etag"] != other.headers["etag"]


@pytest.mark.parametrize("known", ["{}", "*", '"x", {} , "y"'])
def test_whoever_has_it_does_not_get_it_again(known: str) -> None:
    tag = json_answer(asked(), [1]).headers["etag"]
    answer = json_answer(asked(if_none_match=known.replace("{}", tag)), [1])
    assert (answer.status_code, answer.body, answer.headers["etag"]) == (304, b"", tag)


def test_what_is_no_news_does_not_change_the_tag() -> None:
    one, slower, other = (
        json_answer(asked(), {"found": found, "seconds": seconds}, news=found)
        for found, seconds in ((["a"], 1), (["a"], 2), (["b"], 1))
    )
    assert one.headers["etag"] == slower.headers["etag"] != other.headers["etag"]
    assert json.loads(bytes(slower.body))["seconds"] == 2


def test_another_tag_or_another_method_gets_it() -> None:
    assert json_answer(asked(if_none_match='W/"x"'), [1]).status_code == 200
    assert json_answer(asked("PUT", if_none_match="*"), [1]).status_code == 200


def test_what_json_cannot_hold_is_never_sent() -> None:
    with pytest.raises(ValueError, match="JSON"):
        json_answer(asked(), float("nan"))


def test_other_bytes_have_tags_too() -> None:
    answer = tagged(asked(), b"x", "text/plain", headers={"X-A": "b"})
    assert answer.headers["x-a"] == "b"
    assert answer.headers["etag"]


@pytest.mark.parametrize(
    ("accept", "first"),
    [
        (None, "application/sparql-results+json"),
        ("", "application/sparql-results+json"),
        ("*/*", "application/sparql-results+json"),
        ("nonsense", "application/sparql-results+json"),
        ("application/json", "application/json"),
        ("text/csv", "text/csv"),
        ("TEXT/CSV;q=0.2", "text/csv"),
        ("text/csv;q=0.2, application/sparql-results+xml", "application/sparql-results+xml"),
        ("text/*", "text/xml"),
        ("text/*;q=0.5, text/csv", "text/csv"),
        ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "application/xml"),
        ("application/*, application/json;q=0, */*;q=0.1", "application/sparql-results+json"),
        ("text/turtle, text/csv; charset=utf-8 ;q=.3", "text/csv"),
    ],
)
def test_the_dearest_offer_comes_first(accept: str | None, first: str) -> None:
    assert wanted(accept, ROWS)[0] == Wanted(first, ROWS[first])


@pytest.mark.parametrize("accept", ["text/html", "text/csv;q=0", "image/*"])
def test_who_takes_none_of_them_gets_none(accept: str) -> None:
    assert list(wanted(accept, ROWS)) == []


def test_what_is_not_wanted_is_left_out() -> None:
    left = wanted("*/*, text/turtle;q=0, application/json;q=0", TRIPLES)
    assert {"text/turtle", "application/json"}.isdisjoint(each.media_type for each in left)


@given(st.text() | st.text("*/,;q=0.1 textcsv"))
def test_no_header_breaks_it(accept: str) -> None:
    for each in wanted(accept, ROWS):
        assert ROWS[each.media_type] == each.format
