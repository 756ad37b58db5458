"""Writing answers a piece at a time: rows in the formats of SPARQL results, statements in a syntax of RDF. Pure.

SPARQL 1.1 Query Results JSON, XML, CSV and TSV. The engine's own writers know nothing of the IRIs
that stand for blank nodes, and mending what they wrote would be guesswork in CSV.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from types import MappingProxyType
from typing import IO, Final, TypeVar, cast
from xml.sax.saxutils import escape, quoteattr

import pyoxigraph as ox

from gossamer.index.graph.blanks import Term
from gossamer.sparql.prefixes import PREFIXES

Row = Sequence[Term | None]
Writer = Callable[[Sequence[str], Iterable[Row]], Iterator[str]]

XSD_STRING: Final = "http://www.w3.org/2001/XMLSchema#string"
RESULTS: Final = "http://www.w3.org/2005/sparql-results#"
_CSV_SPECIAL: Final = re.compile(r'[",\r\n]')
# Characters that XML 1.0 cannot hold, however they are written.
_NOT_XML: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def json_rows(variables: Sequence[str], rows: Iterable[Row]) -> Iterator[str]:
    """SPARQL 1.1 Query Results JSON."""
    yield f'{{"head":{{"vars":{_json(variables)}}},"results":{{"bindings":['
    comma = ""
    for row in rows:
        named = zip(variables, row, strict=True)
        yield comma + _json({name: _json_term(term) for name, term in named if term is not None})
        comma = ","
    yield "]}}\n"


def xml_rows(variables: Sequence[str], rows: Iterable[Row]) -> Iterator[str]:
    """SPARQL Query Results XML."""
    heads = "".join(f"<variable name={quoteattr(name)}/>" for name in variables)
    yield f'<?xml version="1.0"?>\n<sparql xmlns="{RESULTS}"><head>{heads}</head><results>\n'
    for row in rows:
        named = zip(variables, row, strict=True)
        bound = [
            f"<binding name={quoteattr(name)}>{_xml_term(term)}</binding>"
            for name, term in named
            if term is not None
        ]
        yield f"<result>{''.join(bound)}</result>\n"
    yield "</results></sparql>\n"


def csv_rows(variables: Sequence[str], rows: Iterable[Row]) -> Iterator[str]:
    """SPARQL 1.1 Query Results CSV: values alone, for spreadsheets."""
    yield ",".join(variables) + "\r\n"
    for row in rows:
        yield ",".join(map(_csv_term, row)) + "\r\n"


def tsv_rows(variables: Sequence[str], rows: Iterable[Row]) -> Iterator[str]:
    """SPARQL 1.1 Query Results TSV: terms as Turtle has them."""
    yield "\t".join(f"?{name}" for name in variables) + "\n"
    for row in rows:
        # Written as N-Triples, a term has neither tab nor line break in it.
        yield "\t".join("" if term is None else _turtle(term) for term in row) + "\n"


ROWS: Final[Mapping[str, Writer]] = MappingProxyType(
    {"json": json_rows, "csv": csv_rows, "tsv": tsv_rows, "xml": xml_rows}
)
"""The formats of SELECT, by name."""

TRUTHS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "json": '{{"head":{{}},"boolean":{}}}\n',
        "xml": f'<?xml version="1.0"?>\n<sparql xmlns="{RESULTS}"><head/><boolean>{{}}</boolean></sparql>\n',
        "csv": "{}\r\n",
        "tsv": "{}\n",
    }
)
"""The formats of ASK, by name, with a place for the answer."""


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _json_term(term: Term) -> dict[str, object]:
    match term:
        case ox.NamedNode():
            return {"type": "uri", "value": term.value}
        case ox.BlankNode():
            return {"type": "bnode", "value": term.value}
        case ox.Triple():
            names = ("subject", "predicate", "object")
            parts = {name: _json_term(part) for name, part in zip(names, term, strict=True)}
            return {"type": "triple", "value": parts}
    return {"type": "literal", "value": term.value, **_json_kind(term)}


def _json_kind(literal: ox.Literal) -> dict[str, str]:
    if literal.language is not None:
        way = {"its:dir": literal.direction.value} if literal.direction else {}
        return {"xml:lang": literal.language, **way}
    return {} if literal.datatype.value == XSD_STRING else {"datatype": literal.datatype.value}


def _xml_term(term: Term) -> str:
    match term:
        case ox.NamedNode():
            return f"<uri>{_xml_text(term.value)}</uri>"
        case ox.BlankNode():
            return f"<bnode>{_xml_text(term.value)}</bnode>"
        case ox.Triple():
            names = ("subject", "predicate", "object")
            pairs = zip(names, term, strict=True)
            parts = "".join(f"<{name}>{_xml_term(part)}</{name}>" for name, part in pairs)
            return f"<triple>{parts}</triple>"
    return f"<literal{_xml_kind(term)}>{_xml_text(term.value)}</literal>"


def _xml_kind(literal: ox.Literal) -> str:
    if literal.language is not None:
        way = ""
        if literal.direction:
            space = "http://www.w3.org/2005/11/its"
            way = f' xmlns:its="{space}" its:version="2.0" its:dir="{literal.direction.value}"'
        return f' xml:lang="{literal.language}"{way}'
    if literal.datatype.value == XSD_STRING:
        return ""
    return f" datatype={quoteattr(literal.datatype.value)}"


def _xml_text(text: str) -> str:
    # A bare carriage return would be read as a line feed.
    return escape(_NOT_XML.sub("\ufffd", text), {"\r": "&#13;"})


def _turtle(term: Term) -> str:
    return f"<<( {term} )>>" if isinstance(term, ox.Triple) else str(term).replace("\t", r"\t")


def _csv_term(term: Term | None) -> str:
    match term:
        case None:
            return ""
        case ox.BlankNode() | ox.Triple():
            text = _turtle(term)
        case _:
            text = term.value
    quoted = text.replace('"', '""')
    return f'"{quoted}"' if _CSV_SPECIAL.search(text) else text


Statement = TypeVar("Statement", ox.Triple, ox.Quad)
Send = Callable[[bytes], None]

CHUNK_BYTES: Final = 64 * 1024
SAMPLE: Final = 1_000  # statements; of fewer it is known beforehand which prefixes they use
# Literals of these have a short form, without the name of what they are.
_PLAIN: Final = frozenset(
    PREFIXES["xsd"] + name for name in ("string", "integer", "decimal", "double", "boolean")
) | {PREFIXES["rdf"] + "langString"}
NO_PREFIXES: Final[Mapping[str, str]] = MappingProxyType({})


def serialize(
    statements: Iterable[Statement],
    to: ox.RdfFormat,
    send: Send,
    own: Mapping[str, str] = NO_PREFIXES,
) -> None:
    """Write statements as they come. Prefixes of one's own count before the usual ones."""
    chunks = _Chunks(send)
    rest = iter(statements)
    first = list(islice(rest, SAMPLE))
    known = {**PREFIXES, **dict(filter(_is_usable, own.items()))}
    prefixes = _used(known, first) if len(first) < SAMPLE else known
    # The serializer takes any iterable of either kind, which its types do not say of one that is both.
    items = cast(Iterable[ox.Quad], chain(first, rest))
    ox.serialize(items, cast(IO[bytes], chunks), to, prefixes=prefixes)
    chunks.finish()


def _is_usable(declared: tuple[str, str]) -> bool:
    try:
        ox.NamedNode(declared[1])
    except ValueError:  # a prefix for what is relative to something
        return False
    return bool(declared[1])


def _used(prefixes: Mapping[str, str], statements: Iterable[Statement]) -> dict[str, str]:
    met = {iri for statement in statements for term in statement for iri in _iris(term)}
    return {
        name: space for name, space in prefixes.items() if any(iri.startswith(space) for iri in met)
    }


def _iris(term: object) -> Iterator[str]:
    match term:
        case ox.NamedNode():
            yield term.value
        case ox.Literal() if term.datatype.value not in _PLAIN:
            yield term.datatype.value
        case ox.Triple():
            for part in term:
                yield from _iris(part)


class _Chunks:
    """A file to write to, as far as a serializer needs one: what it gets is sent in chunks."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._held = bytearray()
        self._last = b""

    def write(self, data: bytes) -> int:
        self._held += data
        self._last = data[-1:] or self._last
        if len(self._held) >= CHUNK_BYTES:
            self.flush()
        return len(data)

    def flush(self) -> None:
        self._send(bytes(self._held))
        self._held.clear()

    def finish(self) -> None:
        """A text ends with a line break; JSON-LD as it is written does not."""
        if self._last not in (b"", b"\n"):
            self.write(b"\n")
        self.flush()
