"""Decodes blocks of bytes to text, tolerating invalid bytes."""

import codecs
import re
from collections.abc import Iterable, Iterator

from gossamer.model import Problem
from gossamer.sitemaps.unpack import Cut
from gossamer.sitemaps.values import SYNTAX

MARKS = (  # UTF-32 first: its little-endian mark begins with that of UTF-16
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    (b"<\0", "utf-16-le"),  # no mark, yet only these can begin so
    (b"\0<", "utf-16-be"),
)
DECLARED = re.compile(
    rb"""\s*<\?xml\b[^>]{0,200}?\bencoding\s*=\s*["']([A-Za-z0-9._:-]{1,40})["']"""
)
# Python knows codecs that are no character sets, and some of them are slow or odd.
CHARACTER_SETS = re.compile(
    r"utf-?8|(us-)?ascii|latin-?1|iso-?8859-?\d{1,2}|(windows-|cp)125\d|koi8-[ru]"
    r"|shift[-_]jis|euc-(jp|kr)|gb(k|2312|18030)|big5|tis-?620",
    re.IGNORECASE,
)
# As browsers do: pages that name these mean the Windows set that contains them.
WIDER = {"ascii": "cp1252", "iso8859-1": "cp1252", "gb2312": "gb18030", "gbk": "gb18030"}


AS_WINDOWS_1252 = "gossamer.windows-1252"  # the name of our error handler


def decode(blocks: Iterable[bytes | Problem]) -> Iterator[str | Problem]:
    """The decoded text of the blocks, without byte order mark."""
    decoder: _Decoder | None = None
    for block in blocks:
        if isinstance(block, Problem):
            yield block
            if isinstance(block, Cut):
                return  # half a character at the cut is no problem of its own
        elif decoder is None:
            charset, mark = _charset_of(block)
            if charset is None:
                yield Problem("declared in an encoding that it cannot be in; read as UTF-8", SYNTAX)
            decoder = _Decoder(charset or "utf-8")
            yield from decoder.decode(block.removeprefix(mark))
        else:
            yield from decoder.decode(block)
    if decoder is not None:
        yield from decoder.decode(b"", final=True)


def _charset_of(head: bytes) -> tuple[str | None, bytes]:
    """The codec that a mark or the XML declaration names, and the mark; no codec if it is unfit."""
    for start, charset in MARKS:
        if head.startswith(start):
            return charset, b"" if b"<" in start else start
    declared = DECLARED.match(head)
    return (_fit(declared[1].decode("ascii")) if declared else "utf-8"), b""


def _fit(name: str) -> str | None:
    if not CHARACTER_SETS.fullmatch(name):
        return None  # UTF-16 among others: we just read its name byte by byte
    try:
        codec = codecs.lookup(name).name
    except LookupError:
        return None
    return WIDER.get(codec, codec)


class _Decoder:
    """Strict until the first wrong byte, which is a problem; forgiving from there on."""

    def __init__(self, charset: str) -> None:
        self._charset = charset
        self._codec = codecs.getincrementaldecoder(charset)("strict")

    def decode(self, block: bytes, *, final: bool = False) -> Iterator[str | Problem]:
        before = self._codec.getstate()
        try:
            yield self._codec.decode(block, final)
        except UnicodeDecodeError:
            yield Problem(f"bytes that are not {self._charset}; read as Windows-1252", SYNTAX)
            self._codec = codecs.getincrementaldecoder(self._charset)(AS_WINDOWS_1252)
            self._codec.setstate(before)
            yield self._codec.decode(block, final)


def _as_windows_1252(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)  # we only ever decode with it
    return error.object[error.start : error.end].decode("cp1252", "replace"), error.end


codecs.register_error(AS_WINDOWS_1252, _as_windows_1252)
