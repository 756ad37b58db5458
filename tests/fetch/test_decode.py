import bz2
import gzip
import lzma
import os
import subprocess
import sys
import zlib
from collections.abc import Callable

import brotli
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.fetch.decode import ACCEPT_ENCODING, Decoded, decode
from gossamer.fetch.zstd import zstd
from gossamer.model import Cause

LIMIT = 1 << 20
TEXT = b"A page that says something, and says it again. " * 50
MIB = 1 << 20


def raw_deflate(body: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(body) + packer.flush()


PACK = {
    "gzip": gzip.compress,
    "x-gzip": gzip.compress,
    "deflate": zlib.compress,
    "br": brotli.compress,
    "zstd": zstd.compress,
    "identity": bytes,
    "": bytes,
}


@pytest.mark.parametrize("coding", PACK)
@given(body=st.binary(max_size=300_000))
def test_what_was_packed_is_unpacked(coding: str, body: bytes) -> None:
    decoded = decode(PACK[coding](body), coding, LIMIT)
    assert (decoded.body, decoded.problem, decoded.over_limit) == (body, None, False)


@given(st.binary(max_size=3000))
def test_deflate_may_come_without_its_wrapper(body: bytes) -> None:
    assert decode(raw_deflate(body), "deflate", LIMIT).body == body


def test_a_bare_stream_that_begins_like_a_wrapped_one_is_still_read() -> None:
    # A stored block, padding bits chosen so that the first two bytes pass zlib's header check.
    stored = bytes([0x78, 0x01, 0x00, 0xFE, 0xFF, 0x41]) + raw_deflate(b"and more")
    assert (stored[0] & 0x0F, (stored[0] * 256 + stored[1]) % 31) == (8, 0)
    assert decode(stored, "deflate", LIMIT).body == b"Aand more"


def test_all_that_we_ask_for_can_be_undone() -> None:
    for coding in ACCEPT_ENCODING.split(", "):
        assert decode(PACK[coding](TEXT), coding, LIMIT).body == TEXT


def test_what_cannot_be_undone_is_never_asked_for() -> None:
    code = """
import sys
sys.modules["backports.zstd"] = sys.modules["compression.zstd"] = None
from gossamer.fetch.decode import ACCEPT_ENCODING, decode
from gossamer.model import Cause
print(ACCEPT_ENCODING)
print(decode(b"hello", "zstd", 99).problem)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [
        "gzip, deflate, br",
        "The content coding 'zstd' is unknown.",
    ]
    assert ACCEPT_ENCODING == "gzip, deflate, br, zstd"


def test_a_frame_of_zstd_that_wants_more_memory_than_the_coding_allows_is_refused() -> None:
    options: dict[int, int] = {zstd.CompressionParameter.window_log: 27}
    packer = zstd.ZstdCompressor(options=options)
    greedy = packer.compress(os.urandom(1000)) + packer.flush()
    decoded = decode(greedy, "zstd", LIMIT)
    assert decoded.broken
    assert decoded.problem
    assert "memory" in decoded.problem


def test_several_frames_of_zstd_are_one_body() -> None:
    skipped = b"\x5f\x2a\x4d\x18\x03\0\0\0abc"
    packed = zstd.compress(b"one ") + skipped + zstd.compress(b"two")
    assert decode(packed, "zstd", LIMIT).body == b"one two"
    assert decode(skipped + packed + b"\0garbage", "zstd", LIMIT).body == b"one two"


def test_frames_of_zstd_without_end_are_given_up() -> None:
    decoded = decode(zstd.compress(b"") * 10_001, "zstd", LIMIT)
    assert decoded.problem
    assert "frames" in decoded.problem


def test_several_members_of_gzip_are_one_body() -> None:
    packed = gzip.compress(b"one ") + gzip.compress(b"two ") + gzip.compress(b"three")
    assert decode(packed, "gzip", LIMIT).body == b"one two three"


@pytest.mark.parametrize("rest", [b"\0" * 512, b"\n", b"garbage", b"\x1f"])
def test_what_follows_a_gzip_stream_is_passed_over(rest: bytes) -> None:
    decoded = decode(gzip.compress(TEXT) + rest, "gzip", LIMIT)
    assert (decoded.body, decoded.problem) == (TEXT, None)


def test_codings_are_undone_in_turn() -> None:
    packed = brotli.compress(gzip.compress(TEXT))
    assert decode(packed, "GZip , identity, br", LIMIT).body == TEXT


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd"])
def test_a_bomb_stops_at_the_limit(coding: str) -> None:
    bomb = PACK[coding](bytes(32 * MIB))
    assert len(bomb) < 64 * 1024
    decoded = decode(bomb, coding, MIB)
    assert decoded.over_limit
    assert decoded.body == bytes(MIB)
    assert decoded.problem == "The body holds more than 1,048,576 bytes."


def test_a_bomb_within_a_bomb_stops_at_the_limit() -> None:
    bomb = gzip.compress(gzip.compress(bytes(64 * MIB)))
    assert decode(bomb, "gzip, gzip", MIB).over_limit


def test_a_body_of_exactly_the_limit_is_whole() -> None:
    decoded = decode(gzip.compress(bytes(1000)), "gzip", 1000)
    assert (len(decoded.body), decoded.over_limit, decoded.problem) == (1000, False, None)


def test_a_plain_body_is_held_to_the_limit_too() -> None:
    decoded = decode(b"12345", "", 4)
    assert (decoded.body, decoded.over_limit) == (b"1234", True)


def test_gzip_members_without_end_are_given_up() -> None:
    decoded = decode(gzip.compress(b"") * 10_001, "gzip", LIMIT)
    assert decoded.problem
    assert "members" in decoded.problem


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd"])
def test_a_stream_that_ends_early_gives_what_came(coding: str) -> None:
    packed = PACK[coding](TEXT)
    decoded = decode(packed[:-9], coding, LIMIT)
    assert decoded.problem == f"The {coding} stream is broken: it ends too early."
    assert TEXT.startswith(decoded.body)
    assert decoded.cause is Cause.TRUNCATED


def test_whether_a_body_is_whole_and_why_not_is_told_in_a_word() -> None:
    garbage = gzip.compress(TEXT)[:10] + TEXT
    assert decode(TEXT, "", LIMIT).cause is None
    assert decode(TEXT, "gzip", LIMIT).cause is None  # plain, and as good
    assert decode(gzip.compress(TEXT), "gzip", LIMIT).cause is None
    assert decode(gzip.compress(TEXT), "gzip", 9).cause is Cause.TOO_LARGE
    assert decode(garbage, "gzip", LIMIT).cause is Cause.BAD_ENCODING
    assert decode(TEXT, "utf-8", LIMIT).cause is None  # plain too
    assert decode(gzip.compress(TEXT), "lzma", LIMIT).cause is Cause.BAD_ENCODING


def test_a_stream_that_breaks_in_its_middle_gives_what_was_good() -> None:
    good, bad = gzip.compress(TEXT), bytearray(gzip.compress(TEXT))
    bad[-6] ^= 0xFF  # its checksum
    decoded = decode(good + bytes(bad), "gzip", LIMIT)
    assert decoded.body.startswith(TEXT)
    assert decoded.problem
    assert "broken" in decoded.problem


@pytest.mark.parametrize("coding", ["gzip", "zstd"])
def test_a_plain_page_announced_as_packed_is_taken_plain(coding: str) -> None:
    decoded = decode(b"<!doctype html>", coding, LIMIT)
    assert decoded.body == b"<!doctype html>"
    assert decoded.problem == f"The body is not {coding}, though its header says so."


@pytest.mark.parametrize("text", ["hello", "h\u00e9llo\r\n\tworld", "\x1b$B"])
def test_an_unknown_coding_leaves_a_text_as_it_is(text: str) -> None:
    decoded = decode(text.encode(), "utf-8", LIMIT)
    assert decoded == Decoded(text.encode(), "The content coding 'utf-8' is unknown.")


@pytest.mark.parametrize("pack", [lzma.compress, bz2.compress, gzip.compress, zstd.compress])
def test_what_an_unknown_coding_packed_is_broken(pack: Callable[[bytes], bytes]) -> None:
    decoded = decode(pack(TEXT), "unheard-of", LIMIT)
    assert (decoded.body, decoded.broken) == (pack(TEXT), True)


@pytest.mark.parametrize(
    "codings", ["gzip", "deflate", "br", "zstd", "secret", "gzip, br", "gzip,a,b,c"]
)
def test_nothing_is_whole_however_it_is_packed(codings: str) -> None:
    assert decode(b"", codings, LIMIT) == Decoded(b"")


def test_what_unpacks_to_nothing_is_whole() -> None:
    assert decode(brotli.compress(b""), "gzip, br", LIMIT) == Decoded(b"")


def test_a_body_packed_again_and_again_is_left_alone() -> None:
    decoded = decode(gzip.compress(TEXT), "gzip, gzip, gzip, gzip", LIMIT)
    assert decoded.problem == "The body is packed 4 times over."


@given(st.binary(max_size=2000), st.sampled_from(["gzip", "deflate", "br", "zstd", "gzip, br"]))
def test_no_bytes_raise_and_none_exceed_the_limit(body: bytes, coding: str) -> None:
    for hostile in (body, b"\x1f\x8b\x08\0" + body, b"\x78\x9c" + body, b"\x28\xb5\x2f\xfd" + body):
        assert len(decode(hostile, coding, 500).body) <= 500
