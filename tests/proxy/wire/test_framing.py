import pytest

from gossamer.proxy.cache.protocol import Fields
from gossamer.proxy.wire.fields import Malformed, indexed
from gossamer.proxy.wire.framing import (
    CHUNKED,
    NOTHING,
    UNTIL_CLOSE,
    Framing,
    Sized,
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
