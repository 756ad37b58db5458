"""Mends the slips in XML whose meaning is clear, before a parser drops text over them.

A bare `&` (the most common fault of sitemaps) and a stray `<` become text. Entities
other than XML's own five become text, too: none is ever expanded, whatever a
DOCTYPE declares, so there is nothing to blow up.
"""

import re
from collections.abc import Iterable, Iterator

from gossamer.model import Problem
from gossamer.sitemaps.unpack import Cut
from gossamer.sitemaps.values import SYNTAX

# Two expressions, as each begins with one character: the search for it is a memory scan.
BARE_AMPERSAND = re.compile(r"&(?!(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#x[0-9a-fA-F]{1,6});)")
STRAY_LESS_THAN = re.compile(r"<(?![^\W\d]|[:?]|/[^\W\d]|/:|!(?:--|\[CDATA\[|[A-Z]))")
CDATA_OPENS = "<![CDATA["
CDATA_CLOSES = "]]>"
CDATA_EDGE = re.compile(r"(<!\[CDATA\[|\]\]>)")
LONGEST_TOKEN = 12  # at least the length of what the expressions above look at
MAX_SLIPS = 1_000_000  # twenty for each entry that the protocol allows; bounds the work on junk
UNDECIDED = re.compile(r"[&<\]]")


def mend(texts: Iterable[str | Problem]) -> Iterator[str | Problem]:
    """Mend a text for a parser; one problem if anything was mended."""
    mender = _Mender()
    for text in texts:
        yield text if isinstance(text, Problem) else mender.mend(text)
        if mender.slips > MAX_SLIPS:
            yield Cut("hardly any of it is XML; the rest is ignored", SYNTAX)
            break
    yield mender.rest()
    if mender.first_slip is not None:
        yield Problem(
            "characters that XML wants escaped (& or <); read as text",
            SYNTAX,
            mender.first_slip,
        )


class _Mender:
    """Keeps what a block's end leaves open: a CDATA section, a token cut in two."""

    def __init__(self) -> None:
        self._in_cdata = False
        self._held = ""
        self._line = 1
        self.slips = 0
        self.first_slip: int | None = None  # its line

    def mend(self, text: str) -> str:
        text = self._held + text
        undecided = UNDECIDED.search(text, max(0, len(text) - LONGEST_TOKEN))
        end = undecided.start() if undecided else len(text)
        self._held = text[end:]
        return self._mended(text[:end])

    def rest(self) -> str:
        held, self._held = self._held, ""
        return self._mended(held)

    def _mended(self, text: str) -> str:
        if not self._in_cdata and CDATA_OPENS not in text:
            return self._piece(text)
        return "".join(map(self._piece, CDATA_EDGE.split(text)))

    def _piece(self, piece: str) -> str:
        if piece in (CDATA_OPENS, CDATA_CLOSES):
            self._in_cdata = piece == CDATA_OPENS
        elif not self._in_cdata:
            piece = self._escaped(piece)
        self._line += piece.count("\n")
        return piece

    def _escaped(self, piece: str) -> str:
        found = [slip.search(piece) for slip in (BARE_AMPERSAND, STRAY_LESS_THAN)]
        positions = [match.start() for match in found if match]
        if not positions:
            return piece
        if self.first_slip is None:
            self.first_slip = self._line + piece.count("\n", 0, min(positions))
        piece, ampersands = BARE_AMPERSAND.subn("&amp;", piece)
        piece, less_thans = STRAY_LESS_THAN.subn("&lt;", piece)
        self.slips += ampersands + less_thans
        return piece
