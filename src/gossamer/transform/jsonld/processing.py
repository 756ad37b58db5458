"""Options and errors of JSON-LD 1.1 processing."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

Json = Any
"""A parsed JSON value: too deep a union to be of use to a type checker."""

NO_CODE: Final = "processing error"


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonLdOptions:
    """The options of the JSON-LD 1.1 API that bear on RDF. Pages are read with the defaults.

    `base` stands for the document's own address when relative IRIs are resolved. `expand_context` is
    a context before all others, as JSON text. `extract_all_scripts` says which script elements of an
    HTML page are read: `True` all of them, as members of one array; `False` the first; and with
    either, the one that the fragment of the page's URL names. Without it each one is a document of its
    own, which is what authors mean.
    """

    base: str | None = None
    expand_context: str | None = None
    processing_mode: Literal["json-ld-1.0", "json-ld-1.1"] = "json-ld-1.1"
    rdf_direction: Literal["i18n-datatype", "compound-literal"] | None = None
    produce_generalized_rdf: bool = False  # blank nodes as properties: told, as N-Quads has none
    extract_all_scripts: bool | None = None

    def __post_init__(self) -> None:
        if self.processing_mode not in ("json-ld-1.0", "json-ld-1.1"):
            raise ValueError(f"processing_mode: no {self.processing_mode!r}; json-ld-1.0 or 1.1")
        if self.rdf_direction not in (None, "i18n-datatype", "compound-literal"):
            raise ValueError(
                f"rdf_direction: no {self.rdf_direction!r}; i18n-datatype or compound-literal"
            )
        if self.expand_context is not None:
            if not isinstance(self.expand_context, str):
                raise TypeError("expand_context is JSON text: use json.dumps on a mapping")
            json.loads(self.expand_context)  # a ValueError is the caller's to see

    @property
    def is_plain(self) -> bool:
        """Whether nothing but the defaults is asked of the processor."""
        return (
            self.processing_mode == "json-ld-1.1"
            and self.expand_context is None
            and self.rdf_direction is None
            and not self.produce_generalized_rdf
        )


PLAIN: Final = JsonLdOptions()
"""How pages are read where nobody asks for anything else."""

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
