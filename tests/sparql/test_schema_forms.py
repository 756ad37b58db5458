import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.sparql import in_held_forms

HTTP, HTTPS = "http://schema.org/", "https://schema.org/"


def asked(query: str, *held: str) -> str:
    return in_held_forms(query, held.__contains__)


@pytest.mark.parametrize(
    ("query", "held", "meant"),
    [
        (f"ASK {{ ?e a <{HTTPS}Event> }}", f"{HTTP}Event", f"ASK {{ ?e a <{HTTP}Event> }}"),
        ("ASK { ?e a schema:Event }", f"{HTTPS}Event", f"ASK {{ ?e a <{HTTPS}Event> }}"),
        (
            f"PREFIX s: <{HTTPS}> ASK {{ ?e s:name ?n }}",
            f"{HTTP}name",
            f"PREFIX s: <{HTTPS}> ASK {{ ?e <{HTTP}name> ?n }}",
        ),
    ],
)
def test_a_name_is_asked_for_in_the_form_that_is_held(query: str, held: str, meant: str) -> None:
    assert asked(query, held) == meant


@pytest.mark.parametrize(
    "query",
    [
        "ASK { ?e a schema:Event }",
        f"ASK {{ ?e a <{HTTPS}Event> }}",
        f'ASK {{ ?e ?p "<{HTTPS}Event>" }} # <{HTTPS}Event>',
        "PREFIX schema: <http://own.test/> ASK { ?e a schema:Event }",
        f"ASK {{ ?e a <{HTTPS}docs/Event> }}",
    ],
)
def test_a_query_stays_as_it_is_where_no_other_form_is_held(query: str) -> None:
    assert asked(query) == query
    assert asked(query, f"{HTTP}Event", f"{HTTPS}Event", f"{HTTP}docs/Event") == query


@given(st.text(alphabet="schema:<>htp/.org \"'#Ev{}?", max_size=60))
def test_whatever_is_written_is_left_alone_if_nothing_is_held(query: str) -> None:
    assert asked(query) == query
