import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.http.wire.fields import Fields, Malformed, indexed
from gossamer.http.wire.framing import (
    CHUNKED,
    FREE_CHUNKS,
    LAST,
    LEAST_CHUNK_BYTES,
    MOST_EXTENSION_BYTES,
    MOST_TRAILER_BYTES,
    MOST_TRAILERS,
    NOTHING,
    UNTIL_CLOSE,
    ChunkReader,
    Framing,
    Sized,
    chunk,
    request_framing,
    response_framing,
)

LENGTH, CODING = b"Content-Length", b"Transfer-Encoding"


@pytest.mark.parametrize(
    ("fields", "framing"),
    [
        ((), NOTHING),
        (((LENGTH, b"12"),), Sized(12)),
        (((CODING, b"Chunked"),), CHUNKED),
    ],
)
def test_a_request_says_how_its_body_ends(fields: Fields, framing: Framing) -> None:
    assert request_framing(indexed(fields), 1) == framing


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        (((LENGTH, b"1"), (LENGTH, b"1")), 400),
        (((LENGTH, b""),), 400),
        (((LENGTH, b"-1"),), 400),
        (((LENGTH, b"1_0"),), 400),
        (((LENGTH, b"1"), (CODING, b"chunked")), 400),
        (((CODING, b""),), 400),
        (((CODING, b"chunked"), (CODING, b"chunked")), 400),
        (((CODING, b"identity"),), 400),
        (((CODING, b"gzip, chunked"),), 501),
    ],
)
def test_a_request_that_could_be_read_in_two_ways_is_refused(fields: Fields, status: int) -> None:
    answer = request_framing(indexed(fields), 1)
    assert isinstance(answer, Malformed)
    assert answer.status == status


def test_http_1_0_knows_no_chunks() -> None:
    assert isinstance(request_framing(indexed(((CODING, b"chunked"),)), 0), Malformed)


@pytest.mark.parametrize("status", [100, 204, 304])
def test_some_answers_have_no_body(status: int) -> None:
    assert response_framing(indexed(((LENGTH, b"5"),)), status, to_head=False) == NOTHING


def test_an_answer_to_head_has_none() -> None:
    assert response_framing(indexed(((LENGTH, b"5"),)), 200, to_head=True) == NOTHING


@pytest.mark.parametrize(
    ("fields", "framing"),
    [
        ((), UNTIL_CLOSE),
        (((LENGTH, b"5"), (LENGTH, b"5")), Sized(5)),
        (((LENGTH, b"5"), (CODING, b"chunked")), CHUNKED),
        (((CODING, b"identity"),), UNTIL_CLOSE),
        (((CODING, b"identity, chunked"),), CHUNKED),
    ],
)
def test_an_answer_says_how_its_body_ends(fields: Fields, framing: Framing) -> None:
    assert response_framing(indexed(fields), 200, to_head=False) == framing


@pytest.mark.parametrize(
    "codings", [b"gzip", b"gzip, chunked", b"chunked, gzip", b"chunked, chunked"]
)
def test_an_answer_in_a_coding_that_nobody_asked_for_is_none(codings: bytes) -> None:
    framing = response_framing(indexed(((CODING, codings),)), 200, to_head=False)
    assert isinstance(framing, Malformed)
    assert framing.status == 502


@pytest.mark.parametrize("empty", [b"", b",", b" , "])
@pytest.mark.parametrize("lengths", [(), ((LENGTH, b"5"),)])
def test_an_answer_with_a_coding_that_has_no_name_is_none(empty: bytes, lengths: Fields) -> None:
    framing = response_framing(indexed(((CODING, empty), *lengths)), 200, to_head=False)
    assert isinstance(framing, Malformed)
    assert framing.status == 502


def test_an_answer_with_two_lengths_is_none() -> None:
    assert isinstance(
        response_framing(indexed(((LENGTH, b"5"), (LENGTH, b"6"))), 200, to_head=False), Malformed
    )
    same = indexed(((LENGTH, b"5"), (LENGTH, b"5")))
    assert response_framing(same, 200, to_head=False) == Sized(5)


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


def taken(first: bytes, piece: bytes, most: int) -> int:
    """How many pieces are taken before they are too many; a reader that takes `most` of them fails."""
    reader = ChunkReader()
    assert not isinstance(reader.feed(first), Malformed)
    for count in range(most):
        if isinstance(reader.feed(piece), Malformed):
            return count
    raise AssertionError(f"{most} pieces were taken")


def test_chunks_of_a_few_bytes_come_to_an_end() -> None:
    assert taken(b"", b"1\r\na\r\n" * 256, 1000) * 256 in range(FREE_CHUNKS, FREE_CHUNKS + 1024)


def test_chunks_of_usual_lines_come_for_as_long_as_they_like() -> None:
    reader, line = ChunkReader(), chunk(b"x" * LEAST_CHUNK_BYTES)
    for _ in range(3):
        assert len(reader.feed(line * FREE_CHUNKS)) == LEAST_CHUNK_BYTES * FREE_CHUNKS  # type: ignore[arg-type]  # no Malformed has a length


def test_a_short_body_may_come_byte_by_byte() -> None:
    reader = ChunkReader()
    assert reader.feed(b"1\r\na\r\n" * 10_000 + LAST) == b"a" * 10_000
    assert reader.done


@pytest.mark.parametrize("extension", [b";" + b"x" * 500, b" " * 500])
def test_extensions_are_bounded_in_all(extension: bytes) -> None:
    piece = b"400%b\r\n%b\r\n" % (extension, b"x" * 1024)
    assert taken(b"", piece, 1000) <= MOST_EXTENSION_BYTES // 500


@pytest.mark.parametrize("line", [b"X:\r\n", b"X: " + b"y" * 1000 + b"\r\n"])
def test_trailers_are_bounded_in_all(line: bytes) -> None:
    assert taken(b"0\r\n", line, 1000) <= min(
        MOST_TRAILERS + 1, MOST_TRAILER_BYTES // len(line) + 1
    )
