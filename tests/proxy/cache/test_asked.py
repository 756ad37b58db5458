import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.proxy.cache.asked import RequestConditions, cut, is_unkeyed, part_of, read, single
from gossamer.proxy.cache.protocol import Request

from .world import URL, Said, fields


def asked(said: Said) -> RequestConditions:
    return read(Request("GET", URL, fields(said)))


def test_most_requests_are_plain() -> None:
    assert asked({"User-Agent": "x", "Accept": "*/*"}) == RequestConditions()
    assert asked({"Accept": "*/*"}).may_share


def test_what_is_about_one_client_is_not_shared() -> None:
    for said in (
        {"Authorization": "x"},
        {"If-None-Match": '"1"'},
        {"Range": "bytes=0-1"},
        {"Cache-Control": "no-cache"},
        {"Cache-Control": "no-store"},
    ):
        assert not asked(said).may_share, said


def test_what_only_the_origin_can_answer_is_known() -> None:
    assert asked({"If-Match": '"1"'}).needs_origin
    assert asked({"Range": "bytes=0-1, 4-5"}).needs_origin
    assert not asked({"range": "bytes=0-1"}).needs_origin


def test_a_range_counts_in_a_get_alone() -> None:
    for part in ("bytes=0-1", "bytes=0-1, 4-5"):
        assert read(Request("HEAD", URL, fields({"Range": part}))) == RequestConditions()


@pytest.mark.parametrize(
    "name",
    [
        b"forwarded",
        b"x-forwarded-host",
        b"x-forwarded-scheme",
        b"x_forwarded_proto",
        b"x-original-url",
        b"x-rewrite-url",
        b"x-host",
        b"x-http-method-override",
        b"x-http-method",
        b"x-method-override",
        b"x-real-ip",
        b"proxy",
    ],
)
def test_what_servers_heed_without_saying_so_is_unkeyed(name: bytes) -> None:
    assert is_unkeyed(name)


@pytest.mark.parametrize(
    "name",
    [
        b"accept",
        b"accept-language",
        b"cookie",
        b"user-agent",
        b"x-requested-with",
        b"x-test-header",
    ],
)
def test_what_programs_send_every_day_is_not(name: bytes) -> None:
    assert not is_unkeyed(name)


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
