"""JSON-LD by pyoxigraph: fast, but without a document loader."""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Final

from pyoxigraph import (
    BlankNode,
    DefaultGraph,
    Literal,
    NamedNode,
    QuadParser,
    RdfFormat,
    parse,
    serialize,
)
from pyoxigraph import Quad as OxigraphQuad

from gossamer.transform.iris import mended
from gossamer.transform.jsonld.processing import NO_CODE, Found, Json, JsonLdError, Quad
from gossamer.transform.terms import literal

_IRI: Final = r'<[^\x00-\x20<>"{}|^`\\]*>'
_BLANK: Final = r"_:[A-Za-z0-9]+"
_TAG: Final = r"@[a-z]{2,3}(?:-[a-z]{4})?(?:-(?:[a-z]{2}|[0-9]{3}))?"  # no other is surely right
_LITERAL: Final = rf'"[^"\\]*(?:\\.[^"\\]*)*"(?:{_TAG}|\^\^{_IRI})?'
# A line of N-Quads, if there is nothing odd about it.
_LINE: Final = re.compile(
    rf"^({_IRI}|{_BLANK}) ({_IRI}) ({_IRI}|{_BLANK}|{_LITERAL})(?: ({_IRI}|{_BLANK}))? \.$",
    re.MULTILINE,
)
# What was read from JSON has no circles to look for.
_JSON: Final = json.JSONEncoder(ensure_ascii=False, check_circular=False)


def fast_quads(value: Json, base: str | None, *, is_covered: bool) -> Found:
    """The quads of a document without remote contexts, in document order.

    Being lenient is how ill-formed IRIs get through to us, to be mended. But then pyoxigraph
    overlooks mistakes in contexts as well, and goes on below properties that no context
    explains. So it may be lenient alone only where known contexts explain everything.
    """
    try:
        body = _JSON.encode(value).encode()
    except RecursionError as error:
        raise JsonLdError(NO_CODE, "nested too deeply") from error
    strict = [] if is_covered else _parsed(body, base, lenient=False)
    lenient = _parsed(body, base, lenient=True)
    if is_covered or not any(_has_relative(quad) for quad in lenient):
        return Found(lenient)
    return Found(strict, ill_formed=_ill_formed(lenient))


def _parsed(body: bytes, base: str | None, *, lenient: bool) -> list[Quad]:
    """The quads: as text that pyoxigraph writes, which is fastest, or one by one."""

    def parsed() -> QuadParser:
        return parse(body, RdfFormat.JSON_LD, base_iri=base, lenient=lenient)

    try:
        written = serialize(parsed(), format=RdfFormat.N_QUADS)
    except (SyntaxError, ValueError) as error:
        raise JsonLdError(NO_CODE, str(error.args[0])) from error
    assert written is not None  # there is no output to write to
    text = written.decode()
    quads: list[Quad] = _LINE.findall(text)
    return quads if len(quads) == text.count("\n") else list(_read(parsed()))


def _read(quads: Iterable[OxigraphQuad]) -> Iterator[Quad]:
    for subject, predicate, object_, graph in quads:
        yield (
            _node(subject),
            f"<{predicate.value}>",
            _value(object_) if isinstance(object_, Literal) else _node(object_),
            "" if isinstance(graph, DefaultGraph) else _node(graph),
        )


def _node(node: object) -> str:
    if isinstance(node, BlankNode):
        return f"_:{node.value}"
    assert isinstance(node, NamedNode)  # JSON-LD has no triple terms
    return f"<{node.value}>"


def _value(value: Literal) -> str:
    # A base direction is left out, as without `rdfDirection` it should be.
    if value.language is not None:
        return literal(value.value, value.language)
    return literal(value.value, None, value.datatype.value)


def _has_relative(quad: Quad) -> bool:
    return any(term[:1] == "<" and ":" not in term for term in quad)


def _ill_formed(quads: Iterable[Quad]) -> list[str]:
    iris = dict.fromkeys(term[1:-1] for quad in quads for term in quad if term[:1] == "<")
    return [iri for iri in iris if ":" in iri and mended(iri) != iri]
