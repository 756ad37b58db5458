"""Finds JSON-LD: the document itself, or script elements of an HTML page."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote

from selectolax.lexbor import LexborNode

from gossamer.transform.document import Document
from gossamer.wording import quoted

MEDIA_TYPE: Final = "application/ld+json"
_BEGINS_LIKE_JSON: Final = re.compile(r"\s*[\[{]")
_SCRIPTS: Final = '[type*="ld+json" i]:is(script)'


@dataclass(frozen=True, slots=True)
class NotFound:
    """A fragment names a JSON-LD block that the page does not have."""

    message: str  # a sentence


def is_json(document: Document) -> bool:
    """Whether the document itself is JSON, by its type or its first characters."""
    if document.media_type and document.media_type.endswith("json"):
        return True
    return _BEGINS_LIKE_JSON.match(document.opening) is not None


def script_texts(document: Document) -> Iterator[str | NotFound]:
    """The texts of the JSON-LD script elements: the one a fragment names, or all."""
    if document.fragment:
        yield _script_with_id(document, unquote(document.fragment))
        return
    for script in document.html.css(_SCRIPTS):
        if _is_json_ld(script):
            yield script.text_lexbor()


def _script_with_id(document: Document, name: str) -> str | NotFound:
    # The name is compared, not put into a selector: it may hold anything.
    for element in document.html.css("[id]"):
        if element.attributes.get("id") == name:
            if element.tag == "script" and _is_json_ld(element):
                return element.text_lexbor()
            return NotFound(
                f"Loading document failed: {quoted(name)} is no JSON-LD script element."
            )
    return NotFound(f"Loading document failed: there is no element {quoted(name)}.")


def _is_json_ld(script: LexborNode) -> bool:
    media_type = (script.attributes.get("type") or "").partition(";")[0]
    return media_type.strip().lower() == MEDIA_TYPE


class Lines:
    """Finds the line on which each block begins; blocks must come in document order."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._text: str | None = None
        self._at = 0
        self._line = 1
        self._last: tuple[str, int | None] | None = None  # asked for with each of its problems

    def of(self, block: str) -> int | None:
        """The line of a block, or None if its text is not in the document."""
        if self._last is None or self._last[0] is not block:
            self._last = block, self._find(block)
        return self._last[1]

    def _find(self, block: str) -> int | None:
        if self._text is None:  # most pages have no problem whose line is asked for
            self._text = _normal(self._document.text)
        found = self._text.find(_normal(block), self._at)
        if found < 0:
            self._at = len(self._text)  # nor shall every further block be looked for in vain
            return None
        self._line += self._text.count("\n", self._at, found)
        self._at = found
        return self._line


def _normal(text: str) -> str:
    """The text with the line ends that an HTML parser gives to what it reads."""
    return text.replace("\r\n", "\n").replace("\r", "\n")
