import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.chunks import dechunked


@given(st.lists(st.binary(min_size=1, max_size=40)), st.booleans())
def test_whatever_was_chunked_comes_back(pieces: list[bytes], extended: bool) -> None:
    extension = b";name=value" if extended else b""
    chunked = b"".join(b"%x%s\r\n%s\r\n" % (len(each), extension, each) for each in pieces)
    assert dechunked(chunked + b"0\r\n\r\n") == b"".join(pieces)


@pytest.mark.parametrize("body", [b"<html>plain</html>", b"zz\r\n", b"5 words\r\n"])
def test_what_has_no_chunks_is_told(body: bytes) -> None:
    assert dechunked(body) is None


def test_what_breaks_off_is_kept_as_far_as_it_goes() -> None:
    assert dechunked(b"5\r\nabcde\r\n9\r\nfgh") == b"abcdefgh"
    assert dechunked(b"5\r\nabcde\r\ngarbage") == b"abcde"


@given(st.binary())
def test_arbitrary_bytes_never_raise(body: bytes) -> None:
    dechunked(body)
