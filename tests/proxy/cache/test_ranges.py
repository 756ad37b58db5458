import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.proxy.cache.ranges import cut, part_of, single

PIECES = st.lists(st.binary(max_size=10))


@given(PIECES, st.integers(0, 40), st.integers(0, 40))
def test_a_part_in_pieces_is_the_part_of_the_whole(pieces: list[bytes], one: int, two: int) -> None:
    start, end = min(one, two), max(one, two)
    assert b"".join(cut(pieces, (start, end))) == b"".join(pieces)[start:end]


@given(st.integers(0, 50), st.none() | st.integers(0, 50), st.none() | st.integers(0, 50))
def test_a_part_is_within_the_body(size: int, first: int | None, last: int | None) -> None:
    asked = b"bytes=%b-%b" % (
        b"" if first is None else b"%d" % first,
        b"" if last is None else b"%d" % last,
    )
    if not single(asked):
        return
    part = part_of(asked, size)
    if part is None:
        assert size == 0 or (first or 0) >= size or (first is None and last == 0)
    else:
        assert 0 <= part[0] < part[1] <= size


def test_a_range_may_be_a_single_byte() -> None:
    assert single(b"bytes=3-3")
    assert part_of(b"Bytes=3-3", 9) == (3, 4)


@pytest.mark.parametrize(
    "asked",
    [b"bytes=0-1,2-3", b"bytes=", b"bytes=-", b"items=0-1", b"bytes=5-1", b"", b"bytes=a-b"],
)
def test_what_is_not_one_range_is_not_for_us(asked: bytes) -> None:
    assert not single(asked)
