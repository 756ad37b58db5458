from hypothesis import given

from gossamer.proxy.cache.fields import first
from gossamer.proxy.cache.merging import freshened, still_stands
from gossamer.proxy.cache.protocol import Fields

from .test_fields import FIELDS
from .world import fields

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
