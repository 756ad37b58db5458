import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.fetch.archive.http_block import (
    masked,
    parsed_response,
    request_block,
    response_head,
    unmasked,
)

from .exchanges import REQUEST, fetched

# As `Transfer` hands them on: one line, Latin-1, without space around it.
texts = st.text(st.characters(max_codepoint=255, exclude_characters="\r\n\0"), max_size=30).map(
    str.strip
)
framing = st.sampled_from(
    [
        "Content-Length",
        "content-length",
        "Transfer-Encoding",
        "X-Crawler-Content-Length",
        "x-crawler-transfer-encoding",
        "X-Crawler-X-Crawler-Content-Length",
    ]
)
names = texts.map(lambda text: text.replace(":", "")).map(str.strip) | framing
values = texts | st.sampled_from(["0", "5", "chunked"])
headers = st.lists(st.tuples(names, values), max_size=8).map(tuple)


@given(headers, st.sampled_from([200, 204, 304, 404, 999]), st.binary(max_size=50))
def test_an_answer_is_read_back_as_it_was_received(
    sent: tuple[tuple[str, str], ...], status: int, body: bytes
) -> None:
    block = response_head(fetched(body, headers=sent, status=status)) + body
    assert parsed_response(block) == ("1.1", status, sent, body)


@given(headers, st.sampled_from([200, 304]), st.integers(0, 9))
def test_what_a_block_says_of_its_length_is_true(
    sent: tuple[tuple[str, str], ...], status: int, length: int
) -> None:
    kept = masked(sent, status, length)
    said = {name.lower(): value for name, value in kept}
    assert "transfer-encoding" not in said
    if status != 304:
        assert said.get("content-length", str(length)) == str(length)
    assert unmasked(kept) == sent


def test_an_honest_length_is_left_alone() -> None:
    sent = (("Content-Length", "5"), ("A", "1"))
    assert masked(sent, 200, 5) == list(sent)


def test_chunks_that_are_gone_are_masked_and_the_length_is_told() -> None:
    assert masked([("Transfer-Encoding", "chunked")], 200, 5) == [
        ("X-Crawler-Transfer-Encoding", "chunked"),
        ("Content-Length", "5"),
    ]


def test_the_length_of_a_body_that_broke_off_is_masked() -> None:
    assert masked([("Content-Length", "500")], 200, 5) == [
        ("X-Crawler-Content-Length", "500"),
        ("Content-Length", "5"),
    ]


def test_the_length_of_what_was_not_modified_is_left_alone() -> None:
    assert masked([("Content-Length", "500")], 304, 0) == [("Content-Length", "500")]


@pytest.mark.parametrize("text", ["1\r\nEvil: 2", "1\nEvil: 2", "1\r\n\r\nbody", "1\0"])
def test_no_header_makes_lines_of_its_own(text: str) -> None:
    for sent in ((("A", text),), ((text, "1"),)):
        head = response_head(fetched(b"", headers=sent))
        assert head.count(b"\r\n") == head.count(b"\n") == 3
        assert b"\0" not in head
        asked = request_block(fetched(request_headers=sent))
        assert asked.count(b"\r\n") == asked.count(b"\n") == 3


def test_what_is_not_latin_1_is_replaced_not_raised() -> None:
    assert b"A: ?\r\n" in response_head(fetched(headers=(("A", "\u20ac"),)))


@pytest.mark.parametrize(
    ("version", "status", "line"),
    [
        ("1.0", 200, b"HTTP/1.0 200 OK\r\n"),
        ("2", 404, b"HTTP/1.1 404 Not Found\r\n"),
        ("1.1", 799, b"HTTP/1.1 799 \r\n"),
    ],
)
def test_a_status_line_is_one_of_http_1(version: str, status: int, line: bytes) -> None:
    head = response_head(fetched(status=status, http_version=version))
    assert head.startswith(line)


def test_a_request_asks_for_path_and_query() -> None:
    asked = request_block(fetched(url="http://site.test/a?b=1", request_headers=REQUEST))
    assert asked == (
        b"GET /a?b=1 HTTP/1.1\r\nHost: site.test\r\nAccept: */*\r\nUser-Agent: gossamer\r\n\r\n"
    )
