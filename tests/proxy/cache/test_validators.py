import pytest

from gossamer.proxy.cache.validators import (
    can_validate,
    conditional,
    is_about,
    is_same_for_range,
    is_unmodified,
    same,
)

from .world import START, Said, fields

STORED = fields({"ETag": '"1"', "Last-Modified": "@-60"})


def test_our_validators_replace_the_clients_conditions_and_keep_its_tags() -> None:
    request = fields({"A": "b", "If-None-Match": '"2", W/"1"', "If-Modified-Since": "@-5"})
    asked = conditional(request, STORED)
    assert asked == fields({"A": "b", "If-None-Match": '"1", "2"', "If-Modified-Since": "@-60"})


@pytest.mark.parametrize("said", [{}, {"ETag": "bare"}, {"ETag": ['"1"', '"2"']}])
def test_what_names_no_state_cannot_be_asked_about(said: Said) -> None:
    assert not can_validate(fields(said))


def test_a_304_about_another_state_is_not_about_ours() -> None:
    assert is_about(fields({}), STORED)
    assert is_about(fields({"ETag": 'W/"1"'}), STORED)
    assert not is_about(fields({"ETag": '"2"'}), STORED)
    assert not is_about(fields({"Last-Modified": "@-5"}), fields({"Last-Modified": "@-60"}))


def test_a_date_that_cannot_be_read_is_no_condition() -> None:
    assert not is_unmodified(fields({"If-Modified-Since": "yesterday"}), STORED, START)
    assert is_unmodified(fields({"If-Modified-Since": "@-60"}), STORED, START)


def test_a_range_is_only_of_the_very_same_bytes() -> None:
    assert is_same_for_range(None, STORED)
    assert is_same_for_range(b'"1"', STORED)
    assert not is_same_for_range(b'W/"1"', STORED)
    assert is_same_for_range(STORED[1][1], STORED)
    assert not is_same_for_range(b"Fri, 15 Jan 2027 08:00:00 GMT", STORED)


def test_weak_tags_are_the_same_as_strong_ones_here() -> None:
    assert same(b'W/"1"', b'"1"')
    assert not same(b'"1"', b'"2"')
