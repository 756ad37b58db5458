from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.proxy.cache.directives import (
    MOST_SECONDS,
    RequestDirectives,
    ResponseDirectives,
    request_directives,
    response_directives,
)


def response(*lines: bytes) -> ResponseDirectives:
    return response_directives(tuple((b"Cache-Control", line) for line in lines))


def request(line: bytes | None, pragma: bytes | None = None) -> RequestDirectives:
    return request_directives(line, pragma)


@given(st.lists(st.binary(max_size=30), max_size=4))
def test_any_bytes_can_be_read(lines: list[bytes]) -> None:
    assert 0 <= (response(*lines).max_age or 0) <= MOST_SECONDS
    assert request(b",".join(lines)).max_stale >= 0


@given(
    st.integers(0, 10**12), st.sampled_from([b"", b'"']), st.sampled_from([b"max-age", b"MAX-AGE"])
)
def test_a_number_is_read_quoted_or_not(seconds: int, quote: bytes, name: bytes) -> None:
    line = b"%b=%b%d%b" % (name, quote, seconds, quote)
    assert response(line).max_age == min(seconds, MOST_SECONDS)


@given(st.lists(st.sampled_from([b"public", b"max-age=5", b'x="no-store, private"', b"", b" "])))
def test_what_is_quoted_is_no_directive(parts: list[bytes]) -> None:
    said = response(b",".join(parts))
    assert not said.no_store
    assert not said.private
    assert said.public == (b"public" in parts)


def test_lines_count_together() -> None:
    said = response(b"max-age=5", b"no-store")
    assert said.max_age == 5
    assert said.no_store


def test_names_that_are_withheld_do_not_withhold_the_rest() -> None:
    said = response(b'private="a, B", no-cache=C')
    assert not said.private
    assert not said.no_cache
    assert said.withheld == {b"a", b"b", b"c"}
    assert response(b'private, private="a"').private
    assert response(b'no-cache=""').no_cache


@pytest.mark.parametrize("value", [b"soon", b"-1", b"1.5", b"", b" 5", b"5 5", b"\xb2"])
def test_a_lifetime_that_cannot_be_read_is_over(value: bytes) -> None:
    assert response(b"max-age=" + value).max_age == 0
    assert request(b"max-age=" + value).max_age == 0


def test_wishes_are_read() -> None:
    wishes = request(b"max-age=1, min-fresh=2, max-stale=3, stale-if-error=4, only-if-cached")
    assert wishes == RequestDirectives(
        max_age=1, min_fresh=2, max_stale=3, stale_if_error=4, only_if_cached=True
    )
    assert request(b"max-stale").max_stale == inf
    assert request(b"max-stale=x").max_stale == 0
    assert request(b"min-fresh=x").min_fresh == inf


def test_pragma_counts_where_nothing_better_is_said() -> None:
    assert request(None, b"no-cache").no_cache
    assert not request(b"max-age=5", b"no-cache").no_cache
    assert request(None, None) == RequestDirectives()
