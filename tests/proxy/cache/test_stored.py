from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from gossamer.http.wire.fields import Fields
from gossamer.proxy.cache.fields import first
from gossamer.proxy.cache.protocol import Request
from gossamer.proxy.cache.stored import (
    Stored,
    arriving,
    freshened,
    selecting,
    still_stands,
    varying,
)

from .test_fields import FIELDS
from .world import START, URL, fields

WHEN = st.floats(START, START + 100)


def stored(said: Fields = (), asked: Fields = (), *, keep_anyway: bool = False) -> Stored:
    request = Request("GET", URL, asked)
    made = arriving(7, request, 200, said, START, START + 1, keep_anyway=keep_anyway)
    return made.complete(5, b"hello")


@given(FIELDS, FIELDS, st.booleans())
def test_what_is_written_down_is_read_as_it_was(said: Fields, asked: Fields, keep: bool) -> None:
    vary = ((b"Vary", b"Accept, Foo"),)
    before = stored((*said, *vary), asked, keep_anyway=keep)
    assert Stored.from_row(before.row) == replace(before, body=None)


def test_it_fits_requests_that_say_the_same() -> None:
    varied = stored(fields({"Vary": "Foo"}), fields({"Foo": "1"}))
    assert varied.fits(fields({"foo": "1", "bar": "2"}))
    assert not varied.fits(())


def test_validated_it_is_new_and_has_the_same_body() -> None:
    before = stored(fields({"Cache-Control": "max-age=5", "Date": "@0"}))
    later = START + 100
    after = before.freshened(fields({"Cache-Control": "max-age=9"}, later), later, later)
    assert after.terms.age(later) == 0
    assert after.terms.lifetime == 9
    assert after.body == b"hello"
    assert (b"Content-Length", b"5") in after.fields


def test_what_it_costs_is_more_than_its_body() -> None:
    assert stored().cost > 5 + len(stored().block)


STORED = fields({"ETag": '"1"', "Content-Length": "5", "A": ["1", "2"], "B": "3"})


def test_lines_of_the_answer_replace_all_lines_of_that_name() -> None:
    news = fields({"a": "9", "Connection": "c", "C": "x", "Content-Length": "0"})
    assert freshened(STORED, news) == fields(
        {"ETag": '"1"', "Content-Length": "5", "B": "3", "a": "9"}
    )


@given(FIELDS)
def test_an_answer_without_fields_changes_nothing(stored: Fields) -> None:
    assert freshened(stored, ()) == stored


@given(FIELDS)
def test_the_length_stays_that_of_the_body(news: Fields) -> None:
    assert first(freshened(STORED, news), b"content-length") == b"5"


def test_a_head_that_tells_of_another_state_does_not_stand_for_it() -> None:
    assert still_stands(STORED, fields({"ETag": '"1"', "Content-Length": "5"}))
    assert still_stands(STORED, fields({}))
    assert not still_stands(STORED, fields({"ETag": '"2"'}))
    assert not still_stands(STORED, fields({"Content-Length": "6"}))


LANGUAGES = st.lists(st.sampled_from(["en", "de;q=0.5", "fr"]), min_size=1)


def test_names_are_a_set() -> None:
    assert varying(fields({"Vary": ["B, a", "b"]})) == (b"a", b"b")


@given(LANGUAGES, st.randoms())
def test_the_order_of_languages_does_not_matter(languages: list[str], random: object) -> None:
    shuffled = sorted(languages, key=lambda _: random.random())  # type: ignore[attr-defined]  # a Random
    one = fields({"Accept-Language": ", ".join(languages)})
    other = fields({"accept-language": [each.upper() for each in shuffled]})
    assert selecting((b"accept-language",), one) == selecting((b"accept-language",), other)


def test_the_order_of_anything_else_does() -> None:
    assert selecting((b"x",), fields({"X": "1,2"})) != selecting((b"x",), fields({"X": "2,1"}))


def test_a_field_that_is_empty_is_not_one_that_is_missing() -> None:
    assert selecting((b"x",), fields({"X": ""})) != selecting((b"x",), fields({}))
