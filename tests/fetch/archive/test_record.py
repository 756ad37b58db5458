from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.fetch.archive.record import composed, digest, new_record_id, parsed, warc_date

FIELDS = (("WARC-Type", "response"), ("WARC-Target-URI", "http://site.test/"))


@given(st.binary(max_size=300))
def test_a_block_is_read_back_byte_for_byte(block: bytes) -> None:
    record = parsed(composed(FIELDS, block))
    assert record is not None
    assert (record.block, record.kind, record.url) == (block, "response", "http://site.test/")


@given(st.binary(max_size=60), st.data())
def test_a_record_that_lacks_a_byte_is_none(block: bytes, data: st.DataObject) -> None:
    whole = composed(FIELDS, block)
    at = data.draw(st.integers(0, len(whole) - 1))
    assert parsed(whole[:at]) is None
    assert parsed(whole + b"\r\n") is None


@pytest.mark.parametrize("value", ["a\r\nWARC-Type: x", "a\nb", "a\rb"])
def test_a_field_that_would_make_lines_is_an_error_of_ours(value: str) -> None:
    with pytest.raises(ValueError, match="one line"):
        composed((("WARC-Target-URI", value),), b"")


def test_digests_are_sha_1_in_base_32() -> None:
    assert digest(b"") == "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"


def test_dates_are_utc_to_the_microsecond() -> None:
    noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
    assert warc_date(noon) == "2026-01-01T12:00:00.000000Z"
    late = datetime(2026, 1, 1, 12, microsecond=5, tzinfo=timezone(timedelta(hours=2)))
    assert warc_date(late) == "2026-01-01T10:00:00.000005Z"
    assert datetime.fromisoformat(warc_date(late)) == late


def test_no_two_records_have_one_name() -> None:
    assert len({new_record_id() for _ in range(100)}) == 100


def test_a_record_at_the_head_names_its_file_itself() -> None:
    fields = (("WARC-Type", "warcinfo"), ("WARC-Record-ID", "<a>"), ("WARC-Warcinfo-ID", "<b>"))
    info = parsed(composed(fields, b""))
    page = parsed(composed((*fields[1:], ("WARC-Type", "response")), b""))
    assert info is not None
    assert page is not None
    assert (info.warcinfo_id, page.warcinfo_id) == ("<a>", "<b>")
