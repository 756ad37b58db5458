from dataclasses import replace
from datetime import UTC

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.archive.exchanges import HTML, NOON, REQUEST, URL, fetched

from gossamer.archive.compose import (
    archived,
    exchange_records,
    masked,
    parsed_response,
    repeat_of,
    request_block,
    response_head,
    unmasked,
    warcinfo,
)
from gossamer.archive.exchange import Archived, Profile, Revisit
from gossamer.archive.record import Record, new_record_id, parsed
from gossamer.model import BodyState, Fetched

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


def records(page: Fetched, earlier: Archived | None = None) -> list[Record]:
    repeat = repeat_of(page, earlier) if earlier else None
    found = [parsed(each) for each in exchange_records(page, repeat, "<info>", new_record_id())]
    return [each for each in found if each]


def kept(page: Fetched, earlier: Archived | None = None) -> Archived:
    return archived(records(page, earlier)[0])


@given(
    st.binary(max_size=100),
    st.sampled_from(BodyState),
    st.sampled_from(["1.0", "1.1", "2"]),
    st.sampled_from([None, "192.0.2.1", "2001:db8::1"]),
    st.datetimes(timezones=st.just(UTC)),
)
def test_an_answer_is_read_back_with_all_we_know_of_it(
    body: bytes, state: BodyState, version: str, address: str | None, at: object
) -> None:
    page = fetched(body, body_state=state, http_version=version, address=address, started_at=at)
    back = kept(page)
    assert (back.url, back.status, back.headers) == (page.url, page.status, page.headers)
    assert (back.body, back.body_state) == (body, state)
    assert (back.http_version, back.address, back.at) == (version, address, at)


def test_request_and_answer_name_each_other_and_their_file() -> None:
    answer, request = records(fetched())
    assert (answer.kind, request.kind) == ("response", "request")
    assert request.fields["warc-concurrent-to"] == answer.record_id
    assert answer.warcinfo_id == request.warcinfo_id == "<info>"
    assert request.fields["warc-date"] == answer.fields["warc-date"]


def test_without_a_request_there_is_no_record_of_one() -> None:
    assert [each.kind for each in records(fetched(request_headers=()))] == ["response"]


@pytest.mark.parametrize(
    ("state", "word"),
    [
        (BodyState.TRUNCATED, "disconnect"),
        (BodyState.CUT, "length"),
        (BodyState.SKIPPED, "unspecified"),
        (BodyState.WHOLE, None),
    ],
)
def test_a_body_that_is_not_whole_says_why(state: BodyState, word: str | None) -> None:
    assert records(fetched(body_state=state))[0].fields.get("warc-truncated") == word


def test_http_2_is_told_where_readers_do_not_stumble() -> None:
    answer, request = records(fetched(http_version="2"))
    assert answer.fields["warc-protocol"] == request.fields["warc-protocol"] == "h2"
    assert answer.block.startswith(b"HTTP/1.1 200 OK\r\n")


def test_what_was_not_modified_refers_to_the_answer_we_have() -> None:
    first = kept(fetched(b"body"))
    again = kept(fetched(b"", status=304), first)
    assert again.revisit == Revisit(Profile.NOT_MODIFIED, URL, first.at)
    assert (again.status, again.payload_digest) == (304, first.payload_digest)


def test_an_equal_body_is_not_kept_twice() -> None:
    first = kept(fetched(b"body"))
    page = fetched(b"body", headers=(*HTML, ("Date", "now"), ("Content-Length", "4")))
    (record, _) = records(page, first)
    assert record.fields["warc-refers-to"] == first.record_id
    assert not record.block.endswith(b"body")
    assert archived(record).revisit == Revisit(Profile.IDENTICAL, URL, NOON)
    assert archived(record).headers == page.headers


FIRST = kept(fetched(b"body"))


@pytest.mark.parametrize(
    ("page", "earlier"),
    [
        (fetched(b"other"), FIRST),
        (fetched(b"body", status=404), FIRST),
        (fetched(b"body", headers=(("Content-Type", "text/plain"),)), FIRST),
        (fetched(b"body", headers=(*HTML, ("X-Robots-Tag", "noindex"))), FIRST),
        (fetched(b"body", body_state=BodyState.TRUNCATED), FIRST),
        (fetched(b"body"), kept(fetched(b"body", body_state=BodyState.TRUNCATED))),
        (fetched(b""), kept(fetched(b""))),
        (fetched(b"", status=304), kept(fetched(b"", status=304), FIRST)),
        (fetched(b"", status=304), kept(fetched(b"", status=304))),
    ],
)
def test_an_answer_that_says_anything_else_is_kept_whole(page: Fetched, earlier: Archived) -> None:
    assert repeat_of(page, earlier) is None


def test_a_request_holds_no_answer() -> None:
    with pytest.raises(ValueError, match="a request record holds no answer"):
        archived(records(fetched())[1])


def test_the_head_of_a_file_says_who_wrote_it_on_single_lines() -> None:
    own_id, data = warcinfo("a.warc.gz", "gossamer/1", "bot\r\nevil: 1", "node", NOON)
    record = parsed(data)
    assert record is not None
    assert (record.record_id, record.kind) == (own_id, "warcinfo")
    assert record.fields["warc-filename"] == "a.warc.gz"
    assert b"http-header-user-agent: bot evil: 1\r\n" in record.block


def test_the_url_of_a_record_cannot_end_its_line() -> None:
    with pytest.raises(ValueError, match="one line"):
        records(replace(fetched(), url="http://site.test/\r\nWARC-Type: x"))  # type: ignore[arg-type]  # hostile


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
