"""Finds the character encoding of a document, by the WHATWG rules.

First the byte order mark, then the header, then what the document says of itself, and only
then its looks. JSON and the Turtle family are UTF-8 by definition, whatever anybody says.
"""

import codecs
import re
from collections.abc import Callable
from typing import Final, NamedTuple

from gossamer.detect.guess import guessed
from gossamer.detect.labels import REPLACEMENT, UTF_8, WIDE, WINDOWS_1252, codec_of
from gossamer.detect.prescan import meta_label, xml_label

PRESCAN_BYTES: Final = 1024
# Browsers start over when they come upon a later element; nobody has one beyond this.
LATE_META_BYTES: Final = 64 * 1024
_MARKS: Final = (
    (codecs.BOM_UTF8, UTF_8),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# Two ASCII characters as UTF-16, without a mark.
_LITTLE: Final = re.compile(rb"(?:[\t\n\r -~]\0){2}")
_BIG: Final = re.compile(rb"(?:\0[\t\n\r -~]){2}")


class Encoding(NamedTuple):
    """A codec, or `labels.REPLACEMENT`, and how it was found."""

    codec: str
    why: str


def certain(body: bytes, charset: str | None) -> Encoding | None:
    """The encoding that is certain: from a byte order mark, the header, or UTF-16 bytes."""
    for mark, codec in _MARKS:
        if body.startswith(mark):
            return Encoding(codec, "a byte order mark")
    if charset and (named := codec_of(charset)) and not _cannot_be(named, body):
        return Encoding(named, f"the header says {charset}")
    # The standard looks for `<?x` alone; but nothing else can begin so.
    if _LITTLE.match(body):
        return Encoding("utf-16-le", "zero bytes between its letters")
    if _BIG.match(body):
        return Encoding("utf-16-be", "zero bytes between its letters")
    return None


def unicode_encoding(body: bytes) -> Encoding:
    """The encoding of a format that is UTF-8 by definition, unless a mark says otherwise."""
    return certain(body, None) or Encoding(UTF_8, "the format knows no other")


def html_encoding(body: bytes, url: str) -> Encoding:
    """The encoding of an HTML page of which nothing is certain."""
    head = body[:PRESCAN_BYTES]
    return (
        _named(meta_label(head), "a meta element says")
        or _named(xml_label(head), "its XML declaration says")
        # In ASCII it makes no difference; browsers call it so.
        or _looks(body, url, lambda: meta_label(body[:LATE_META_BYTES]), WINDOWS_1252)
    )


def xml_encoding(body: bytes, url: str) -> Encoding:
    """The encoding of an XML document of which nothing is certain."""
    head = body[:PRESCAN_BYTES].lstrip()
    return _named(xml_label(head), "its XML declaration says") or _looks(
        body, url, lambda: meta_label(head), UTF_8
    )


def correct_utf_8(known: Encoding, body: bytes) -> Encoding:
    """The encoding that a document declares, where its header says UTF-8 and is wrong.

    The header stands unless the bytes are not UTF-8 and can be decoded as the document says.
    """
    if known.codec != UTF_8 or body.startswith(codecs.BOM_UTF8) or _is_utf_8(body):
        return known
    head = body[:PRESCAN_BYTES]
    declared = (
        _named(meta_label(head), "a meta element says")
        or _named(xml_label(head.lstrip()), "its XML declaration says")
        or _named(meta_label(body[:LATE_META_BYTES]), "a meta element far down says")
    )
    if declared is None or declared.codec in (UTF_8, REPLACEMENT) or not _reads(declared, body):
        return known
    return Encoding(declared.codec, f"{declared.why}, and the header is wrong")


def _cannot_be(codec: str, body: bytes) -> bool:
    # Markup has ASCII in it, and that has zero bytes in UTF-16: without any, the header lies.
    return codec in WIDE and b"\0" not in body[:PRESCAN_BYTES]


def _named(label: str | None, says: str) -> Encoding | None:
    codec = codec_of(label) if label else None
    if not codec:
        return None
    # We have just read the label byte by byte: it cannot be UTF-16.
    return Encoding(UTF_8 if codec in WIDE else codec, f"{says} {label}")


def _looks(body: bytes, url: str, late_label: Callable[[], str | None], in_ascii: str) -> Encoding:
    # Before ASCII: ISO-2022-JP is all ASCII as well.
    if late := _named(late_label(), "a meta element far down says"):
        return late
    if body.isascii():
        return Encoding(in_ascii, "it is all ASCII")
    if _is_utf_8(body):
        return Encoding(UTF_8, "it is valid UTF-8")
    return Encoding(*guessed(body, url))


def _reads(encoding: Encoding, body: bytes) -> bool:
    try:
        # The same allowance for a body that was cut.
        codecs.getincrementaldecoder(encoding.codec)().decode(body)
    except UnicodeDecodeError:
        return False
    return True


def _is_utf_8(body: bytes) -> bool:
    try:
        # Not `decode`: a character that the end of a cut body splits is no fault.
        codecs.utf_8_decode(body, "strict", False)
    except UnicodeDecodeError:
        return False
    return True
