from hypothesis import given
from hypothesis import strategies as st

from gossamer.proxy.cache.fields import (
    block_of,
    combined,
    end_to_end,
    fields_of,
    first,
    members,
    without,
)
from gossamer.proxy.cache.protocol import Fields

NAMES = st.from_regex(rb"\A[A-Za-z0-9-]{1,12}\Z")
VALUES = st.binary(max_size=20).map(lambda value: value.translate(None, b"\r\n").strip())
FIELDS = st.lists(st.tuples(NAMES, VALUES), max_size=8).map(tuple)

TWICE: Fields = ((b"A", b"1"), (b"b", b"2"), (b"a", b"3"))


@given(FIELDS)
def test_fields_written_as_lines_are_read_as_they_were(fields: Fields) -> None:
    assert fields_of(block_of(fields)) == fields


def test_lines_of_one_field_make_one_list() -> None:
    assert combined(TWICE, b"a") == b"1, 3"
    assert combined(TWICE, b"c") is None
    assert first(TWICE, b"a") == b"1"
    assert without(TWICE, {b"a"}) == ((b"b", b"2"),)


def test_members_of_a_list_are_names_in_lower_case() -> None:
    assert [*members(((b"Vary", b"A, ,b"), (b"vary", b"C")), b"vary")] == [b"a", b"b", b"c"]


def test_what_is_for_the_next_hop_ends_there() -> None:
    fields = ((b"Connection", b"close, X-Hop"), (b"x-hop", b"1"), (b"TE", b"t"), (b"B", b"2"))
    assert end_to_end(fields) == ((b"B", b"2"),)


def test_nobody_hides_no_store_behind_connection() -> None:
    fields = ((b"Connection", b"Cache-Control"), (b"Cache-Control", b"no-store"))
    assert end_to_end(fields) == ((b"Cache-Control", b"no-store"),)
