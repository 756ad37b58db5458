import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.model import Problem
from gossamer.sitemaps.decode import decode
from gossamer.sitemaps.unpack import Cut

TEXT = "<urlset><url><loc>http://a.test/café/日本</loc></url></urlset>"


def decoded(*blocks: bytes | Problem) -> tuple[str, list[str]]:
    parts = list(decode(blocks))
    text = "".join(part for part in parts if isinstance(part, str))
    return text, [part.message for part in parts if isinstance(part, Problem)]


@pytest.mark.parametrize(
    ("mark", "charset"),
    [
        (b"", "utf-8"),
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
        (codecs.BOM_UTF32_BE, "utf-32-be"),
        (b"", "utf-16-le"),
        (b"", "utf-16-be"),
    ],
)
def test_a_mark_or_the_first_bytes_tell_the_encoding(mark: bytes, charset: str) -> None:
    assert decoded(mark + TEXT.encode(charset)) == (TEXT, [])


@pytest.mark.parametrize(
    ("declared", "codec"),
    [("ISO-8859-1", "cp1252"), ("windows-1251", "cp1251"), ("Shift_JIS", "shift_jis")],
)
def test_the_declaration_is_believed(declared: str, codec: str) -> None:
    text = f"<?xml version='1.0' encoding='{declared}'?><a>{b'abc'.decode(codec)}</a>"
    word = {"cp1252": "“é”", "cp1251": "привет", "shift_jis": "日本"}[codec]
    assert decoded((text + word).encode(codec)) == (text + word, [])


@pytest.mark.parametrize(
    "declared", ["utf-16", "klingon", "idna", "hex", "unicode_escape", "ISO-8859-99", "utf-7"]
)
def test_a_declared_encoding_that_cannot_be_is_read_as_utf_8(declared: str) -> None:
    text = f'<?xml version="1.0" encoding="{declared}"?><a>é</a>'
    message = "declared in an encoding that it cannot be in; read as UTF-8"
    assert decoded(text.encode()) == (text, [message])


def test_wrong_bytes_are_read_as_windows_1252_and_told_once() -> None:
    text, problems = decoded(b"<a>caf\xe9 ", b"\x80 \xff", "é</a>".encode())
    assert text == "<a>café € ÿé</a>"
    assert problems == ["bytes that are not utf-8; read as Windows-1252"]


def test_half_a_character_at_a_cut_is_no_problem_of_its_own() -> None:
    cut = Cut("too large")
    assert decoded(b"<a>caf\xc3", cut) == ("<a>caf", ["too large"])


@given(st.binary(max_size=200), st.integers(0, 200))
def test_no_bytes_raise_and_text_can_be_encoded(body: bytes, cut: int) -> None:
    whole, _ = decoded(body)
    whole.encode()
    head, rest = body[: max(cut, 100)], body[max(cut, 100) :]
    if rest:
        assert decoded(head, rest)[0] == whole
