import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.proxy.wire.chunked import LAST, MOST_TRAILER_BYTES, ChunkReader, chunk
from gossamer.proxy.wire.fields import Malformed


def cut(data: bytes, sizes: list[int]) -> list[bytes]:
    pieces = []
    for size in sizes:
        pieces.append(data[:size])
        data = data[size:]
    return [*pieces, data]


@given(st.lists(st.binary(max_size=40)), st.lists(st.integers(1, 20)), st.binary(max_size=10))
def test_what_is_written_is_read_back_however_it_is_cut(
    body: list[bytes], sizes: list[int], after: bytes
) -> None:
    reader, found = ChunkReader(), b""
    for piece in cut(b"".join(map(chunk, body)) + LAST + after, sizes):
        got = reader.feed(piece)
        assert isinstance(got, bytes)
        found += got
    assert reader.done
    assert found == b"".join(body)
    assert reader.leftover == after


def test_extensions_and_trailers_are_dropped() -> None:
    reader = ChunkReader()
    assert reader.feed(b"3;a=b\r\nabc\r\n0\r\nX: 1\r\nY: 2\r\n\r\nnext") == b"abc"
    assert (reader.done, reader.leftover) == (True, b"next")


@pytest.mark.parametrize(
    "data",
    [
        b"\r\nabc",
        b"-3\r\nabc\r\n",
        b"0x3\r\nabc\r\n",
        b"3 3\r\nabc\r\n",
        b"3\nabc\n",
        b"3\r\nabcd\r\n",
        b"f" * 17 + b"\r\n",
        b"3;" + b"x" * 2000,
        b"0\r\nX: 1\nY\r\n\r\n",
        b"0\r\n" + b"X" * (MOST_TRAILER_BYTES + 1),
    ],
)
def test_what_is_no_chunk_is_malformed(data: bytes) -> None:
    assert isinstance(ChunkReader().feed(data), Malformed)


@given(st.binary(max_size=100), st.lists(st.integers(1, 9)))
def test_bytes_of_any_kind_are_read_or_refused_alike_however_they_are_cut(
    data: bytes, sizes: list[int]
) -> None:
    def outcome(pieces: list[bytes]) -> bytes | None:
        reader, found = ChunkReader(), b""
        for piece in pieces:
            got = reader.feed(piece)
            if isinstance(got, Malformed):
                return None
            found += got
        return found if reader.done else b"?"

    assert outcome([data]) == outcome(cut(data, sizes))
