import gzip
import os
import tracemalloc
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.archive.record import (
    Damage,
    Member,
    composed,
    digest,
    members,
    new_record_id,
    pack,
    parsed,
    unpack,
    warc_date,
)

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


def record(number: int, block: bytes = b"block", info: str = "<info>") -> bytes:
    fields = [("WARC-Type", "response"), ("WARC-Target-URI", f"http://site.test/{number}")]
    return composed([*fields, ("WARC-Warcinfo-ID", info)], block)


@contextmanager
def opened(path: Path, data: bytes) -> Iterator[int]:
    path.write_bytes(data)
    fd = os.open(path, os.O_RDONLY)
    try:
        yield fd
    finally:
        os.close(fd)


def found(path: Path, data: bytes) -> list[Member | Damage]:
    with opened(path, data) as fd:
        return list(members(fd))


def test_every_record_is_found_at_its_place(tmp_path: Path) -> None:
    # The last is larger than a chunk when packed, and larger still than the others together.
    packs = [pack(record(number, os.urandom(size))) for number, size in enumerate((0, 9, 99_999))]
    seen = found(tmp_path / "f", b"".join(packs))
    assert [each.end - each.offset for each in seen] == [len(pack) for pack in packs]
    assert [each.record.url for each in seen if isinstance(each, Member)] == [
        f"http://site.test/{number}" for number in range(3)
    ]


def test_an_empty_file_holds_nothing(tmp_path: Path) -> None:
    assert found(tmp_path / "f", b"") == []


def test_a_torn_last_record_is_damage_to_the_end(tmp_path: Path) -> None:
    first, second = pack(record(1)), pack(record(2))
    for cut in range(1, len(second)):
        whole, torn = found(tmp_path / "f", first + second[:cut])
        assert isinstance(whole, Member)
        assert torn == Damage(len(first), len(first) + cut)


@given(at=st.integers(0, 150), flip=st.integers(1, 255))
def test_a_flipped_byte_costs_one_record_at_most(
    tmp_path_factory: pytest.TempPathFactory, at: int, flip: int
) -> None:
    packs = [pack(record(number)) for number in range(3)]
    data = bytearray(b"".join(packs))
    data[len(packs[0]) + at % len(packs[1])] ^= flip
    seen = found(tmp_path_factory.getbasetemp() / "flipped", bytes(data))
    urls = {each.record.url for each in seen if isinstance(each, Member)}
    assert {"http://site.test/0", "http://site.test/2"} <= urls


def test_a_record_that_a_page_made_up_is_not_taken_for_ours(tmp_path: Path) -> None:
    evil = pack(record(666, info="<guessed>"))
    # As a body that does not compress lies in the file: byte for byte.
    holding = record(1, os.urandom(100) + evil + os.urandom(100))
    torn = zlib.compress(holding, 0, 31)[:-9]
    assert evil in torn
    first = pack(record(0))
    whole, damage = found(tmp_path / "f", first + torn)
    assert isinstance(whole, Member)
    assert damage == Damage(len(first), len(first) + len(torn))


def test_a_bomb_in_a_torn_page_is_not_unpacked(tmp_path: Path) -> None:
    bomb = zlib.compress(b"WARC/1.1\r\n" + bytes(1 << 25), 9, 31)
    torn = zlib.compress(record(1, bomb), 0, 31)[:-9]
    assert bomb in torn
    tracemalloc.start()
    assert isinstance(found(tmp_path / "f", pack(record(0)) + torn)[1], Damage)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1 << 20


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"WARC/1.1\r\n",
        gzip.compress(b"hello", mtime=0),
        pack(record(1)) * 2,
        pack(record(1) * 2),
    ],
)
def test_what_is_not_exactly_one_record_is_none(data: bytes) -> None:
    assert unpack(data) is None
    assert unpack(pack(record(1))) is not None
