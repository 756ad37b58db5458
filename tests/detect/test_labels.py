import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st
from webencodings import LABELS

from gossamer.detect.labels import REPLACEMENT, codec_of


@pytest.mark.parametrize(
    ("label", "codec"),
    [
        *(("utf-8", "utf-8"), ("UTF8", "utf-8"), (" \tutf-8\n", "utf-8")),
        *(("iso-8859-1", "cp1252"), ("latin1", "cp1252"), ("us-ascii", "cp1252")),
        *(("gb2312", "gb18030"), ("gbk", "gb18030"), ("shift_jis", "cp932"), ("sjis", "cp932")),
        *(("euc-kr", "cp949"), ("ks_c_5601-1987", "cp949"), ("big5", "big5hkscs")),
        *(("utf-16", "utf-16-le"), ("unicode", "utf-16-le"), ("unicodefffe", "utf-16-be")),
        *(("iso-8859-9", "cp1254"), ("tis-620", "cp874"), ("koi8-r", "koi8-r")),
        *(("x-user-defined", "cp1252"), ("iso-2022-kr", REPLACEMENT)),
        *(("utf-7", None), ("utf-32", None), ("rot13", None), ("idna", None), ("", None)),
        *(("utf_8", None), ("\u00a0utf-8", None), ("x" * 1000, None)),
    ],
)
def test_a_label_means_what_it_means_to_browsers(label: str, codec: str | None) -> None:
    assert codec_of(label) == codec


def test_every_label_of_the_standard_has_a_codec_that_reads_any_bytes() -> None:
    assert len(LABELS) >= 220
    for label in LABELS:
        codec = codec_of(label)
        assert codec is not None
        if codec != REPLACEMENT:
            assert isinstance(bytes(range(256)).decode(codec, "replace"), str)
            assert codecs.lookup(codec).name == codec


@given(st.text())
def test_any_text_is_a_label_or_none(label: str) -> None:
    codec = codec_of(label)
    assert codec in (None, REPLACEMENT) or codecs.lookup(codec)
