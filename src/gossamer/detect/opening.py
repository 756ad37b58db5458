"""Parses the beginning of markup: XML declaration, document type, first element."""

import re
from dataclasses import dataclass
from typing import Final

from gossamer.model import RootElement

MOST_BYTES: Final = 64 * 1024  # a root further down than this is not looked for

_NOTHING: Final = re.compile(rb"(?:[\x00-\x20]|\xef\xbb\xbf)*+")
_DOCTYPE: Final = re.compile(rb"<!doctype[\x00-\x20]*+([^\x00-\x20>\[]*+)[^>\[]*+", re.IGNORECASE)
_SUBSET_END: Final = re.compile(rb"\][\x00-\x20]*+>")
# A name, then space or the end: `<http://…>` is no element, and neither is `<#me>`.
_ELEMENT: Final = re.compile(
    rb"<([A-Za-z_\x80-\xff][\w.\x80-\xff-]*+(?::[A-Za-z_\x80-\xff][\w.\x80-\xff-]*+)?)(?=[\x00-\x20/>])"
    rb"""((?:[^>"']|"[^"]*+"|'[^']*+')*+)"""
)
_NAMESPACE: Final = re.compile(
    rb"""xmlns(?::([\w.-]++))?[\x00-\x20]*+=[\x00-\x20]*+(?:"([^"]*+)"|'([^']*+)')"""
)
_ENTITY: Final = re.compile(
    rb"""<!ENTITY[\x00-\x20]++([\w.-]++)[\x00-\x20]++(?:"([^"]*+)"|'([^']*+)')"""
)
_LANGUAGE: Final = re.compile(
    rb"""(?:^|[\x00-\x20"'])(?:xml:)?lang[\x00-\x20]*+=[\x00-\x20]*+["']?[\x00-\x20]*+([A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8}){0,4})""",
    re.IGNORECASE,
)
_REFERENCE: Final = re.compile(rb"&([\w.-]++);")
# Where a document may begin behind the warnings of the script that wrote it.
_BEGINS: Final = re.compile(
    rb"<(?:\?xml\s|!doctype\s|(?:html|rss|feed|rdf)[\s>]|[\w.-]{1,40}:(?:rss|feed|rdf)[\s>])",
    re.IGNORECASE,
)
_JUNK_BYTES: Final = 4096


@dataclass(frozen=True, slots=True)
class Opening:
    """What precedes the content of a document of markup."""

    declared: bool  # there is an XML declaration
    doctype: str  # the name in it, in small letters; "" without one
    name: str  # of the first element, without prefix; "" where none was found
    namespace: str | None
    attributes: bytes = b""  # of the first element, as written

    @property
    def root(self) -> RootElement | None:
        """The first element, by which stylesheets are chosen."""
        return RootElement(self.name, self.namespace) if self.name else None


def opening(text: bytes, at: int = 0) -> Opening:
    """Parse the beginning of a document from an offset."""
    head = text[at : at + MOST_BYTES]
    declared, doctype, subset, here = False, "", b"", 0
    while (end := _piece_end(head, here := _skipped(head, here))) is not None:
        piece = head[here:end]
        declared = declared or piece[:5].lower() == b"<?xml"
        if not doctype and (found := _DOCTYPE.match(piece)):
            doctype, subset = _text(found[1]).lower(), piece[found.end() :]
        here = end
    element = _ELEMENT.match(head, here)
    if element is None:
        return Opening(declared, doctype, "", None)
    prefix, _, name = element[1].rpartition(b":")
    namespace = _namespace(prefix, element[2], subset)
    return Opening(declared, doctype, _text(name), namespace, element[2])


def root_languages(text: bytes) -> tuple[str, ...]:
    """The languages that the outermost element says the document is in, in small letters."""
    found = (_text(each[1]).lower() for each in _LANGUAGE.finditer(opening(text).attributes))
    return tuple(dict.fromkeys(found))


def opening_behind_junk(text: bytes) -> Opening | None:
    """Parse the beginning of a document after junk."""
    begins = _BEGINS.search(text, 0, _JUNK_BYTES)
    return opening(text, begins.start()) if begins else None


def _skipped(head: bytes, here: int) -> int:
    found = _NOTHING.match(head, here)
    assert found is not None  # it can match nothing
    return found.end()


def _piece_end(head: bytes, here: int) -> int | None:
    """Where the comment, instruction or document type that begins here ends; None if none does."""
    if head.startswith(b"<!--", here):
        return _after(head.find(b"-->", here + 2), 3)
    if head.startswith(b"<?", here):
        return _after(head.find(b"?>", here), 2) or _after(head.find(b">", here), 1)
    if found := _DOCTYPE.match(head, here):
        if head[found.end() : found.end() + 1] == b"[":
            ended = _SUBSET_END.search(head, found.end())
            return ended.end() if ended else None
        return _after(head.find(b">", found.end()), 1)
    return None


def _after(found: int, length: int) -> int | None:
    return found + length if found >= 0 else None


def _namespace(prefix: bytes, attributes: bytes, subset: bytes) -> str | None:
    for found in _NAMESPACE.finditer(attributes):
        if (found[1] or b"") == prefix:
            value = found[2] or found[3] or b""
            if b"&" in value:
                value = _with_entities(value, subset)
            return _text(value.strip()) or None
    return None


def _with_entities(value: bytes, subset: bytes) -> bytes:
    """Namespaces are often written as entities in OWL files; one step, so nothing can grow."""
    known = {each[1]: each[2] or each[3] or b"" for each in _ENTITY.finditer(subset)}
    return _REFERENCE.sub(lambda each: known.get(each[1], each[0]), value)


def _text(name: bytes) -> str:
    return name.decode("utf-8", "replace")
