import gzip
from collections.abc import Iterable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.model import Problem
from gossamer.sitemaps.unpack import BLOCK_BYTES, Cut, unpack

MIB = 1024 * 1024
NUMBERS = b"".join(b"%d\n" % number for number in range(60_000))
PACKED = gzip.compress(NUMBERS, mtime=0)


def unpacked(
    body: Iterable[bytes] | bytes, max_bytes: int = 64 * MIB
) -> tuple[bytes, list[Problem]]:
    parts = list(unpack(body, max_bytes))
    blocks = [part for part in parts if isinstance(part, bytes)]
    assert all(len(block) == BLOCK_BYTES for block in blocks[:-1])
    return b"".join(blocks), [part for part in parts if isinstance(part, Problem)]


@given(st.binary(max_size=300), st.integers(1, 400))
def test_plain_bytes_come_through_up_to_the_limit_and_no_further(
    body: bytes, max_bytes: int
) -> None:
    content, problems = unpacked(b"x" + body, max_bytes)
    assert content == (b"x" + body)[:max_bytes]
    assert bool(problems) == (len(body) + 1 > max_bytes)


@pytest.mark.parametrize("size", [BLOCK_BYTES - 1, BLOCK_BYTES, BLOCK_BYTES + 1, 3 * BLOCK_BYTES])
@pytest.mark.parametrize("slack", [-1, 0, 1])
def test_the_limit_is_exact_at_the_edges_of_blocks(size: int, slack: int) -> None:
    for body in (b"y" * size, gzip.compress(b"y" * size)):
        content, problems = unpacked(body, size + slack)
        assert len(content) == min(size, size + slack)
        assert len(problems) == (1 if slack < 0 else 0)


def test_gzip_is_known_by_its_first_bytes() -> None:
    assert unpacked(PACKED) == (NUMBERS, [])


def test_members_follow_each_other_and_padding_is_ignored() -> None:
    assert unpacked(PACKED + PACKED + b"\0" * 40_000 + PACKED + b"\0") == (NUMBERS * 3, [])


def test_bytes_after_the_gzip_data_are_a_problem() -> None:
    content, problems = unpacked(PACKED + b"<html>")
    assert content == NUMBERS
    assert problems == [
        Problem("bytes after the end of the gzip data; they are ignored", "sitemap")
    ]


@pytest.mark.parametrize("field", [-8, -1], ids=["checksum", "size"])
def test_a_lying_trailer_costs_nothing_of_the_content(field: int) -> None:
    lying = bytearray(PACKED)
    lying[field] ^= 0xFF
    content, [problem] = unpacked(bytes(lying))
    assert content == NUMBERS
    assert isinstance(problem, Cut)


@given(st.integers(0, len(PACKED) - 1))
def test_a_truncated_gzip_gives_what_came_before(length: int) -> None:
    content, problems = unpacked(PACKED[:length])
    if length >= 2:
        assert NUMBERS.startswith(content)
        assert [type(problem) for problem in problems] == [Cut]
        # Deflate writes in blocks with a table ahead: most of a whole file is out early.
        assert len(content) >= len(NUMBERS) * (length - 32_000) // len(PACKED)


@given(st.integers(10, len(PACKED) - 1))
def test_damage_costs_no_more_than_an_end_at_that_byte(at: int) -> None:
    content, [problem] = unpacked(PACKED[:at] + b"\xff" * 40_000)
    assert content.startswith(unpacked(PACKED[:at])[0])
    assert isinstance(problem, Cut)


@given(st.data())
def test_chunks_do_not_matter(data: st.DataObject) -> None:
    body = bytearray(PACKED)
    for at in data.draw(st.lists(st.integers(0, len(body) - 1), max_size=2), label="damage"):
        body[at] ^= 0x55
    cuts = sorted(data.draw(st.lists(st.integers(0, len(body)), max_size=8), label="cuts"))
    edges = [0, *cuts, len(body)]
    chunks = [bytes(body[a:b]) for a, b in pairwise(edges)]
    assert unpacked(chunks) == unpacked(bytes(body))


def test_a_bomb_stops_at_the_limit() -> None:
    bomb = gzip.compress(b"\0" * (64 * MIB), 9) * 20  # 1.3 GB in 1.3 MB
    taken = 0

    def chunks() -> Iterable[bytes]:
        nonlocal taken
        for start in range(0, len(bomb), 1024):
            taken += 1024
            yield bomb[start : start + 1024]

    content, [problem] = unpacked(chunks(), 5 * MIB)
    assert len(content) == 5 * MIB
    assert problem.message == "larger than 5,242,880 bytes; the rest is ignored"
    assert taken < len(bomb) / 20


@pytest.mark.parametrize("body", [b"", [], [b"", b""]])
def test_nothing_is_nothing(body: Iterable[bytes] | bytes) -> None:
    assert unpacked(body) == (b"", [])
