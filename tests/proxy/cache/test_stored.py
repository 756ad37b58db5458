from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from gossamer.proxy.cache.protocol import Fields, Request
from gossamer.proxy.cache.stored import Stored, arriving

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
