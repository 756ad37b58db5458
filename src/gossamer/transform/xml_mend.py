"""Repairs XML for a strict parser: mistakes fixed, entities expanded. Pure.

The text that comes out has no XML declaration, no DOCTYPE and no entities but XML's own five, so
that a parser has nothing to expand and nothing to load. Entities that a DOCTYPE declares are
replaced here, within a budget (OWL files live on them); those of HTML become their characters.
Lines stay where they are.
"""

import re
from collections.abc import Iterator, Mapping
from html.entities import html5
from typing import Final

from gossamer.model import Problem
from gossamer.transform.xml_entities import Entities, doctype

_DECLARATION: Final = re.compile(r"<\?xml\s[^>]*>")
_OPAQUE: Final = re.compile(r"<!--|<!\[CDATA\[|<\?(?=[^\W\d])")
_CLOSING: Final[Mapping[str, str]] = {"<!--": "-->", "<![CDATA[": "]]>", "<?": "?>"}
# Two expressions, as each begins with one character: the search for it is a memory scan.
_AMPERSAND: Final = re.compile(r"&(?:(#[0-9]{1,8}|#[xX][0-9A-Fa-f]{1,8}|[^\W\d][\w.:-]{0,63});)?")
_STRAY: Final = re.compile(r"<(?![^\W\d]|:|\?[^\W\d]|/[^\W\d]|/:|!(?:--|\[CDATA\[))")
_NO_CHARACTER: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_CONTROLS: Final = bytes(set(range(32)) - set(b"\t\n\r"))
_OWN: Final = frozenset(("amp", "lt", "gt", "quot", "apos"))


def mended(text: str) -> tuple[str, list[Problem]]:
    """Repair a document for a strict parser; one problem for each kind of repair."""
    problems: list[Problem] = []
    text = _from_first_tag(text, problems)
    if _has_forbidden(text):
        problems.append(_at(text, _NO_CHARACTER, "Characters that XML forbids are left out."))
        text = _NO_CHARACTER.sub("", text)
    text, entities = doctype(text)
    if "&" in text or _STRAY.search(text):
        mender = _Mender(entities, len(text))
        text = "".join(mender.pieces(text))
        problems += mender.problems()
    return text, problems + entities.problems()


def _from_first_tag(text: str, problems: list[Problem]) -> str:
    """Without what stands before the first tag, and without the XML declaration."""
    start = text.find("<")
    if start > 0 and text[:start].strip():
        problems.append(Problem("Text before the first tag is left out.", line=1))
    declaration = _DECLARATION.match(text, max(start, 0))
    end = declaration.end() if declaration else max(start, 0)
    return _lines(text[:end]) + text[end:] if end else text


def _lines(text: str) -> str:
    return "\n" * text.count("\n")


def _has_forbidden(text: str) -> bool:
    """Whether XML forbids one of its characters: a few times as fast as the expression."""
    try:
        written = text.encode()
    except UnicodeEncodeError:
        return True
    return (
        len(written.translate(None, _CONTROLS)) != len(written)
        or "\ufffe" in text
        or "\uffff" in text
    )


def _at(text: str, slip: re.Pattern[str], message: str) -> Problem:
    match = slip.search(text)
    return Problem(message, line=text.count("\n", 0, match.start()) + 1 if match else None)


class _Mender:
    """Goes over a document once; knows where it is and what it met first."""

    def __init__(self, entities: Entities, length: int) -> None:
        self._entities = entities
        self._budget = max(1_000_000, 4 * length)  # entities may make a document this much longer
        self._first: dict[str, int] = {}
        self._line = 1
        self._piece = ""

    def pieces(self, text: str) -> Iterator[str]:
        """The document in order; comments, CDATA and instructions unchanged."""
        position = 0
        while opening := _OPAQUE.search(text, position):
            yield self._markup(text[position : opening.start()])
            end = text.find(_CLOSING[opening[0]], opening.end())
            # What is never closed is left to the parser's judgement.
            position = len(text) if end < 0 else end
            self._line += text.count("\n", opening.start(), position)
            yield text[opening.start() : position]
        yield self._markup(text[position:])

    def problems(self) -> list[Problem]:
        """One problem for each kind of repair, at its first line."""
        return [Problem(message, line=line) for message, line in self._first.items()]

    def _markup(self, piece: str) -> str:
        self._piece = piece
        if "&" in piece:
            piece = _AMPERSAND.sub(self._ampersand, piece)
        self._piece = piece
        piece = _STRAY.sub(self._stray, piece)
        self._line += piece.count("\n")
        return piece

    def _ampersand(self, match: re.Match[str]) -> str:
        name = match[1]
        if name in _OWN:
            return match[0]
        if name is None:
            return self._slip(match, "An & that stands for itself is read as text.", "&amp;")
        if name.startswith("#"):
            return _numbered(name) or self._no_character(match)
        value = self._entities.value(name)
        if value is None:
            return self._foreign(match, name)
        self._budget -= len(value)
        if self._budget < 0:
            return self._slip(
                match, "Entities make the document too long; the rest of them is left out.", ""
            )
        return value

    def _foreign(self, match: re.Match[str], name: str) -> str:
        if (character := html5.get(f"{name};")) is not None:
            # Not worth a word: feeds are full of them, and the meaning is never in doubt.
            return f"&#{ord(character)};" if len(character) == 1 else character
        return self._slip(match, "An entity that nobody declared is read as text.", f"&amp;{name};")

    def _no_character(self, match: re.Match[str]) -> str:
        return self._slip(match, "A reference to no character is read as U+FFFD.", "\ufffd")

    def _stray(self, match: re.Match[str]) -> str:
        return self._slip(match, "A < that stands for itself is read as text.", "&lt;")

    def _slip(self, match: re.Match[str], message: str, instead: str) -> str:
        if message not in self._first:
            self._first[message] = self._line + self._piece.count("\n", 0, match.start())
        return instead


def _numbered(reference: str) -> str | None:
    """A reference by number as XML writes it; None if there is no such character.

    As in HTML: `&#X41;` is a letter too, and `&#146;` is the quotation mark of Windows-1252.
    """
    hexadecimal = reference[1] in "xX"
    number = int(reference[2:], 16) if hexadecimal else int(reference[1:])
    if number > 0x10FFFF or _NO_CHARACTER.match(chr(number)):
        return None
    if 0x80 <= number <= 0x9F:
        number = ord(bytes((number,)).decode("cp1252", "ignore") or chr(number))
    return f"&#{number};"
