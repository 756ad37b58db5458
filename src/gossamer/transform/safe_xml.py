"""XML trees from hostile text: no network, no files, no DTD, no entities, bounded depth. Pure.

The parser is libxml2 in its forgiving mode, over text that `xml_mend` has seen. It stops at a
nesting of 256 and at ten million characters of text in one place, and keeps what came before.
"""

import codecs
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Final

from lxml import etree

from gossamer.model import Problem
from gossamer.transform.document import Document
from gossamer.transform.xml_mend import mended

_MOST_OF_A_MESSAGE: Final = 160
_AS_WINDOWS_1252: Final = "gossamer.xml-windows-1252"  # the name of our error handler


_SAFE: Final[Mapping[str, Any]] = MappingProxyType(
    {
        "recover": True,
        "encoding": "utf-8",
        "resolve_entities": False,
        "load_dtd": False,
        "dtd_validation": False,
        "attribute_defaults": False,
        "no_network": True,
        "huge_tree": False,
        "collect_ids": False,
    }
)


@dataclass(frozen=True, slots=True)
class Xml:
    """The tree of a document, as far as there is one, and its problems."""

    root: etree._Element | None
    problems: tuple[Problem, ...]


def parsed(document: Document, syntax: str, *, keep_comments: bool = False) -> Xml:
    """Parse a document to a tree, without comments and instructions unless wanted."""
    text, problems = xml_text(document, syntax)
    parser = safe_parser(remove_comments=not keep_comments, remove_pis=not keep_comments)
    root, complaint = tree(text, parser)
    if complaint is not None:
        problems.append(replace(complaint, syntax=syntax))
    return Xml(root, tuple(problems))


def xml_text(document: Document, syntax: str) -> tuple[str, list[Problem]]:
    """The document decoded and repaired, without DOCTYPE: the first step of every XML syntax."""
    text, problems = document.text, []
    if "\ufffd" in text and (better := _decoded(document)) != text:
        text = better
        document.replacements_are_told = "\ufffd" not in better
        problems.append(Problem("Bytes that are not UTF-8 are read as Windows-1252.", syntax))
    text, slips = mended(text)
    return text, problems + [replace(slip, syntax=syntax) for slip in slips]


def safe_parser(*, remove_comments: bool = True, remove_pis: bool = True) -> etree.XMLParser:
    """An XML parser without access to files and the network."""
    return etree.XMLParser(**_SAFE, remove_comments=remove_comments, remove_pis=remove_pis)


def tree(text: str, parser: etree.XMLParser) -> tuple[etree._Element | None, Problem | None]:
    """The root of repaired text, and the first error of the parser."""
    try:
        root = etree.fromstring(text.encode(errors="replace"), parser)
    except etree.XMLSyntaxError as error:
        return None, _complaint(str(error), error.lineno)
    return root, next((_complaint(entry.message, entry.line) for entry in parser.error_log), None)


def check(text: str) -> Problem | None:
    """The first error in repaired text, without a tree: a third of the time and no memory."""
    target: Any = _Nothing()  # the stubs ask for more than lxml does
    return tree(text, etree.XMLParser(**_SAFE, target=target))[1]


class _Nothing:
    """Takes no events, so none are made."""

    def close(self) -> None:
        pass


def _complaint(message: str, line: int | None) -> Problem:
    first_line = message.partition("\n")[0][:_MOST_OF_A_MESSAGE].rstrip(".")
    return Problem(f"The XML is broken: {first_line}.", line=line)


def _decoded(document: Document) -> str:
    """As UTF-8, where bytes that are none are taken for Windows-1252: half of all such feeds."""
    if codecs.lookup(document.encoding).name != "utf-8":
        return document.text
    return document.body.decode("utf-8", _AS_WINDOWS_1252).removeprefix("\ufeff")


def _as_windows_1252(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)  # we only ever decode with it
    return error.object[error.start : error.end].decode("cp1252", "replace"), error.end


codecs.register_error(_AS_WINDOWS_1252, _as_windows_1252)
