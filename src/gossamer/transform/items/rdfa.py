"""RDFa statements by subject, as expanded JSON-LD, in document order and with repetitions."""

import re
from typing import Any, Final

from gossamer.transform.document import Document
from gossamer.transform.rdfa import rdfa_statements
from gossamer.transform.terms import RDF, XSD

_TYPE: Final = f"<{RDF}type>"
_STRING: Final = f"{XSD}string"
_ESCAPE: Final = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))", re.DOTALL)
_ESCAPED: Final = {"t": "\t", "n": "\n", "r": "\r", "b": "\b", "f": "\f"}


def rdfa_items(document: Document) -> list[dict[str, Any]]:
    """The subjects of a page's RDFa, each with its types and properties."""
    subjects: dict[str, dict[str, Any]] = {}
    quads_left, size_left = document.options.max_quads, document.options.max_nquads_bytes
    for statement in rdfa_statements(document):
        if not isinstance(statement, str):
            continue
        quads_left -= 1
        size_left -= len(statement)
        if quads_left < 0 or size_left < 0:
            document.items_are_cut = True
            break
        subject, predicate, object_ = statement.split(" ", 2)
        node = subjects.get(subject)
        if node is None:
            node = subjects[subject] = {"@id": _name(subject)}
        if predicate == _TYPE and object_[0] != '"':
            node.setdefault("@type", []).append(_name(object_))
        else:
            node.setdefault(_plain(predicate[1:-1]), []).append(_value(object_))
    return list(subjects.values())


def _name(term: str) -> str:
    return _plain(term[1:-1]) if term[0] == "<" else term


def _value(term: str) -> dict[str, str]:
    if term[0] != '"':
        return {"@id": _name(term)}
    end = term.rindex('"')
    text = _plain(term[1:end])
    if len(term) == end + 1:
        return {"@value": text}
    if term[end + 1] == "@":
        return {"@value": text, "@language": term[end + 2 :]}
    datatype = _plain(term[end + 4 : -1])
    return {"@value": text} if datatype == _STRING else {"@value": text, "@type": datatype}


def _plain(text: str) -> str:
    """A text without the escapes of N-Triples."""
    return _ESCAPE.sub(_unescaped, text) if "\\" in text else text


def _unescaped(escape: re.Match[str]) -> str:
    number = escape[1] or escape[2]
    return chr(int(number, 16)) if number else _ESCAPED.get(escape[3], escape[3])
