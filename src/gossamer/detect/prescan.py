"""Finds the encoding that an HTML page or XML document declares in its first bytes.

`meta_label` is the prescan of the HTML standard (section 13.2.3.2), byte for byte; `xml_label`
is its "get an XML encoding". Both give a label as it stands; what it means is for `labels`.
"""

import re
from collections.abc import Iterator
from typing import Final

from gossamer.detect.labels import codec_of

_NAME_ENDS: Final = re.compile(rb"[\t\n\x0c\r >]")
# Group 1 is the name, 2 to 4 the value, in quotes or not.
_ATTRIBUTE: Final = re.compile(
    rb"[\t\n\x0c\r /]*+([^\t\n\x0c\r />][^\t\n\x0c\r />=]*+)"
    rb"(?:[\t\n\x0c\r ]*+=[\t\n\x0c\r ]*+"
    rb"""(?:"([^"]*+)"|'([^']*+)'|([^\t\n\x0c\r >"'][^\t\n\x0c\r >]*+)|(?=>)|(["'])))?"""
)
_BETWEEN_ATTRIBUTES: Final = re.compile(rb"[\t\n\x0c\r /]*+")
_META: Final = re.compile(rb"<meta[\t\n\x0c\r /]", re.IGNORECASE)
_TAG: Final = re.compile(rb"</?[A-Za-z]")
_CHARSET: Final = re.compile(
    rb"charset[\t\n\x0c\r ]*+=[\t\n\x0c\r ]*+"
    rb"""(?:"([^"]*+)"|'([^']*+)'|([^\t\n\x0c\r ;"'][^\t\n\x0c\r ;]*+))?""",
    re.IGNORECASE,
)
# The standard takes every control character for a space here, and none inside the name.
_XML_ENCODING: Final = re.compile(
    rb"""<\?xml[^>]*?encoding[\x00-\x20]*+=[\x00-\x20]*+(?:"([^"\x00-\x20>]*)"|'([^'\x00-\x20>]*)')[^>]*>"""
)


class _OutOfBytesError(Exception):
    """The prescan ends where the bytes do, whatever it was in the middle of."""


def meta_label(head: bytes) -> str | None:
    """The label of the first meta element that names an encoding we know."""
    if b"charset" not in head.lower():  # both forms of the element have this word
        return None
    try:
        return next(_labels(head), None)
    except _OutOfBytesError:
        return None


def xml_label(head: bytes) -> str | None:
    """The label in the XML declaration that the document begins with."""
    found = _XML_ENCODING.match(head)
    return _text(found[1] or found[2] or b"") if found else None


def _labels(head: bytes) -> Iterator[str]:
    at = head.find(b"<")
    while at >= 0:
        if head.startswith(b"<!--", at):
            at = _end_of(b"-->", head, at + 2)  # `<!-->` is a whole comment
        elif _META.match(head, at):
            attributes: dict[bytes, bytes] = {}
            at = _read_attributes(head, at + 5, attributes)
            if (label := _declared(attributes)) is not None:
                yield label
        elif _TAG.match(head, at):
            ends = _NAME_ENDS.search(head, at)
            if not ends:
                raise _OutOfBytesError
            at = _read_attributes(head, ends.start(), {})
        elif head[at + 1 : at + 2] in (b"!", b"/", b"?"):
            at = _end_of(b">", head, at)
        else:
            at += 1
        at = head.find(b"<", at)


def _end_of(mark: bytes, head: bytes, at: int) -> int:
    found = head.find(mark, at)
    if found < 0:
        raise _OutOfBytesError
    return found + len(mark)


def _read_attributes(head: bytes, at: int, into: dict[bytes, bytes]) -> int:
    """Gather attributes, the first of each name, up to the end of the tag; where that is."""
    while found := _ATTRIBUTE.match(head, at):
        at = found.end()
        if found[5] or at >= len(head):  # a quote that is never closed, or the end of it all
            raise _OutOfBytesError
        into.setdefault(found[1].lower(), found[2] or found[3] or found[4] or b"")
    at = _BETWEEN_ATTRIBUTES.match(head, at).end()  # type: ignore[union-attr]  # can match nothing
    if at >= len(head):
        raise _OutOfBytesError
    return at


def _declared(attributes: dict[bytes, bytes]) -> str | None:
    """The label of one meta element: that of `charset`, or of `content` beside the right pragma."""
    if (charset := attributes.get(b"charset")) is not None:
        label: str | None = _text(charset)
    elif attributes.get(b"http-equiv", b"").lower() == b"content-type":
        label = _label_in(attributes.get(b"content", b""))
    else:
        return None
    return label if label and codec_of(label) else None


def _label_in(content: bytes) -> str | None:
    found = _CHARSET.search(content)
    return _text(found[1] or found[2] or found[3] or b"") if found else None


def _text(label: bytes) -> str:
    return label.decode("latin-1")
