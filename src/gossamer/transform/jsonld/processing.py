"""Options and errors of JSON-LD 1.1 processing."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, Final

Json = Any
"""A parsed JSON value: too deep a union to be of use to a type checker."""

NO_CODE: Final = "processing error"


class Scripts(Enum):
    """Which script elements of an HTML page are read, and how."""

    EACH = auto()  # every one, as a document of its own
    MERGED = auto()  # `extractAllScripts`: all of them, as members of one array
    FIRST = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class Processing:
    """The options of the JSON-LD API that bear on RDF. Pages are read with the defaults."""

    processing_mode: str = "json-ld-1.1"
    expand_context: Json = None
    rdf_direction: str | None = None
    scripts: Scripts = Scripts.EACH

    @property
    def is_plain(self) -> bool:
        """Whether nothing but the defaults is asked of the processor."""
        return (
            self.processing_mode == "json-ld-1.1"
            and self.expand_context is None
            and self.rdf_direction is None
        )


Quad = tuple[str, str, str, str]
"""Subject, predicate, object and graph as a processor found them, in N-Quads text.

The graph is empty if it is the default one. Literals are as they should be, but an IRI in its
angle brackets may be any text at all, and blank nodes have the names that the processor gave.
"""


@dataclass(frozen=True, slots=True)
class Found:
    """The quads of a document, and the IRIs and contexts that a processor could not use."""

    quads: Sequence[Quad]
    ill_formed: Sequence[str] = ()  # IRIs for which statements were left out
    unknown: Sequence[str] = ()  # addresses of contexts that were taken for empty


class JsonLdError(Exception):
    """A document that JSON-LD does not allow, with the error code of the specification."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code

    def or_better(self, other: "JsonLdError") -> "JsonLdError":
        """The more informative of two errors about a document: one with a code wins."""
        return other if self.code == NO_CODE else self


ContextLoader = Callable[[str], bytes | None]
"""From an address to a context document, if we have it."""
