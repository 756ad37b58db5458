"""JSON-LD by PyLD: slow, but complete, with remote contexts and error codes.

It is given a loader that never fetches, and a cache of its own, so that nothing of one page
reaches another.
"""

import json
import warnings
from collections.abc import Iterator, Mapping
from typing import Any, Final

from pyld import jsonld
from pyld.context_resolver import ContextResolver
from pyld.identifier_issuer import IdentifierIssuer

from gossamer.transform.jsonld.node_map import Processor
from gossamer.transform.jsonld.processing import (
    NO_CODE,
    ContextLoader,
    Found,
    Json,
    JsonLdError,
    JsonLdOptions,
    Quad,
)
from gossamer.transform.jsonld.schema_org import is_schema_org, whole_context
from gossamer.transform.terms import literal

_DEFAULT_GRAPH: Final = "@default"


def full_quads(
    value: Json, base: str | None, load: ContextLoader, processing: JsonLdOptions, scope: str
) -> Found:
    """The quads of a document; blank-node labels begin with `_:` and the scope."""
    loader = _Loader(load)
    try:
        with warnings.catch_warnings():
            # It warns of what pages do, on the terminal of whoever reads them.
            warnings.simplefilter("ignore")
            dataset = Processor().to_rdf(value, _options(base, loader, processing, scope))
    except jsonld.JsonLdError as error:
        raise JsonLdError(_code(error), _innermost(error)) from error
    except RecursionError as error:
        raise JsonLdError(NO_CODE, "nested too deeply") from error
    except MemoryError:
        raise
    except Exception as error:  # PyLD trips over odd input in many ways: no page may stop us
        raise JsonLdError(NO_CODE, f"{type(error).__name__}: {error}") from error
    return Found(list(_read(dataset)), unknown=list(loader.unknown))


def _options(
    base: str | None, loader: "_Loader", processing: JsonLdOptions, scope: str
) -> dict[str, Any]:
    options = {
        "base": base or "",
        "documentLoader": loader,
        "contextResolver": ContextResolver({}, loader),
        "identifierIssuer": IdentifierIssuer(f"_:{scope}"),
        "processingMode": processing.processing_mode,
        "produceGeneralizedRdf": processing.produce_generalized_rdf,
    }
    if processing.expand_context is not None:
        options["expandContext"] = json.loads(processing.expand_context)
    if processing.rdf_direction is not None:
        options["rdfDirection"] = processing.rdf_direction
    return options


class _Loader:
    """Answers for contexts that we have; one that we have not is empty, and noted."""

    def __init__(self, load: ContextLoader) -> None:
        self._load = load
        self.unknown: dict[str, None] = {}

    def __call__(self, address: str, _: Mapping[str, Any]) -> dict[str, Any]:
        return {
            "contentType": "application/ld+json",
            "contextUrl": None,
            "documentUrl": address,
            "document": self._context_document(address),
        }

    def _context_document(self, address: str) -> Json:
        body = self._load(address)
        if body is not None:
            return _parsed(address, body)
        if is_schema_org(address):
            return {"@context": dict(whole_context())}
        self.unknown.setdefault(address)
        return {"@context": {}}


def _parsed(address: str, body: bytes) -> Json:
    try:
        return json.loads(body)
    except (ValueError, RecursionError) as error:
        raise _failed(f"The context {address} is no JSON.") from error


def _failed(message: str) -> jsonld.JsonLdError:
    return jsonld.JsonLdError(
        message, "jsonld.LoadDocumentError", code="loading remote context failed"
    )


def _code(error: BaseException | None) -> str:
    """The outermost code: an error often wraps another, and has none of its own."""
    while error is not None:
        if code := getattr(error, "code", None):
            return str(code)
        error = error.__cause__
    return NO_CODE


def _innermost(error: BaseException) -> str:
    while error.__cause__ is not None:
        error = error.__cause__
    return str(error.args[0]) if error.args else type(error).__name__


def _read(dataset: Mapping[str, Any]) -> Iterator[Quad]:
    for name, triples in dataset.items():
        graph = "" if name == _DEFAULT_GRAPH else _node(name)
        for triple in triples:
            yield (
                _node(triple["subject"]["value"]),
                _node(triple["predicate"]["value"]),
                _object(triple["object"]),
                graph,
            )


def _object(term: Mapping[str, Any]) -> str:
    if term["type"] != "literal":
        return _node(term["value"])
    return literal(term["value"], term.get("language"), term.get("datatype"))


def _node(text: str) -> str:
    return text if text.startswith("_:") else f"<{text}>"
