"""`noarchive`: pages whose site asks that no copies be kept. Pure, and no HTML parser.

A cache serves programs of all names, so what a site asks of one robot it asks of us. A page is
searched as bytes, in its first 64 KiB, where its `<meta>` elements are: a tag that has the word
anywhere counts. The worst that a page can do is not to be kept.
"""

import re
from typing import Final

from gossamer.fetch.decode import decode
from gossamer.proxy.cache.fields import combined
from gossamer.proxy.cache.protocol import Fields

SCANNED_BYTES: Final = 64 * 1024  # of a page, packed as well as unpacked
MOST_MEMBERS: Final = 16  # of a gzip or zstd stream: each costs time, and may hold nothing
_WORD: Final = re.compile(rb"(?<![a-z0-9_-])(?:noarchive|nocache)(?![a-z0-9_-])")
# A quoted value may have a `>` in it. Possessive, so that a quote that never ends is read once.
_META: Final = re.compile(rb"<meta(?=[\s/\"'])(?:[^>\"']++|\"[^\"]*+\"|'[^']*+'|[\"'])*+")
# What browsers take for a page: HTML by any name, XML, and what is given no type, or none that is one.
_MAYBE_PAGE: Final = re.compile(rb"html|xml|unknown|^[^/]*$", re.IGNORECASE)
_MEMBER: Final = re.compile(rb"\x1f\x8b\x08|\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18")


def header_asks(value: bytes) -> bool:
    """Whether an `X-Robots-Tag` asks that no copy be kept, whichever robot it names."""
    return _WORD.search(value.lower()) is not None


def may_ask(fields: Fields) -> bool:
    """Whether a response with such fields may have a page for its body."""
    return _MAYBE_PAGE.search(combined(fields, b"content-type") or b"") is not None


def page_asks(body: bytes, fields: Fields) -> bool:
    """Whether a page, of which this is the beginning, asks that no copy be kept.

    One that cannot be looked into counts as if it did.
    """
    start = _unpacked(body[:SCANNED_BYTES], combined(fields, b"content-encoding") or b"")
    if start is None:
        return True
    start = start.lower()
    if b"\0" in start:  # UTF-16, of which every second byte is one
        start = start.replace(b"\0", b"")
    if b"noarchive" not in start and b"nocache" not in start:  # most pages are done here
        return False
    return any(_WORD.search(tag[0]) is not None for tag in _META.finditer(start))


def _unpacked(body: bytes, coding: bytes) -> bytes | None:
    """The beginning without its content coding; None where that cannot be undone."""
    named = coding.strip().lower()
    if named in (b"", b"identity"):
        return body
    if b"," in named or sum(1 for _ in _MEMBER.finditer(body)) > MOST_MEMBERS:
        return None
    found = decode(body, named.decode("latin-1"), SCANNED_BYTES)
    is_good = not found.broken or found.ends_early  # it was cut off by us
    return found.body if is_good else None
