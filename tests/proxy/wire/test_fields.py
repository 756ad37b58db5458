import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.proxy.wire.fields import (
    Malformed,
    has_bare_line_feed,
    indexed,
    items,
    read_fields,
    split_fields,
    values,
)


def test_fields_are_read_in_their_order_without_outer_blanks() -> None:
    fields = read_fields(b"A: 1\r\nb:\t2 \r\nA:3\r\nEmpty:\r\n", 0, 10)
    assert fields == ((b"A", b"1"), (b"b", b"2"), (b"A", b"3"), (b"Empty", b""))
    assert not isinstance(fields, Malformed)
    assert values(indexed(fields), b"a") == [b"1", b"3"]
    assert split_fields(b"") == ()


def test_items_of_a_list_are_told_apart_in_small_letters() -> None:
    fields = ((b"Connection", b"close, X-A"), (b"connection", b" ,y"))
    assert items(indexed(fields), b"connection") == [b"close", b"x-a", b"y"]


def test_too_many_fields_are_too_many() -> None:
    answer = read_fields(b"A: 1\r\n" * 3, 0, 2)
    assert isinstance(answer, Malformed)
    assert answer.status == 431


@pytest.mark.parametrize(
    ("line", "word"),
    [
        (b" a: 1", "folded"),
        (b"\ta: 1", "folded"),
        (b"a: \x00", "NUL"),
        (b"a: 1\r2", "bare"),
        (b"a", "colon"),
        (b"a : 1", "blank"),
        (b"a\xff: 1", "name"),
        (b": 1", "name"),
        (b"a: \x07", "control"),
    ],
)
def test_what_is_wrong_is_said(line: bytes, word: str) -> None:
    answer = read_fields(b"ok: 1\r\n" + line + b"\r\n", 0, 10)
    assert isinstance(answer, Malformed)
    assert answer.status == 400
    assert word in answer.why


def test_a_line_feed_alone_is_noticed() -> None:
    assert has_bare_line_feed(b"a\r\nb\nc")
    assert not has_bare_line_feed(b"a\r\nb\r\n")


@given(st.binary(max_size=200))
def test_bytes_of_any_kind_are_fields_or_malformed(block: bytes) -> None:
    answer = read_fields(block + b"\r\n", 0, 100)
    if not isinstance(answer, Malformed):
        for name, value in answer:
            assert name
            assert not set(value) & set(b"\0\r\n")
