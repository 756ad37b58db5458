"""Answers that people take along as files: the formats, what they are called, and their headers."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from starlette.responses import Response

from gossamer.service.negotiation import ROWS, TRIPLES, Wanted

ROW_TITLES: Final[Mapping[str, str]] = MappingProxyType(
    {"csv": "CSV", "tsv": "TSV", "json": "JSON", "xml": "XML"}
)
TRIPLE_TITLES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "turtle": "Turtle",
        "jsonld": "JSON-LD",
        "ntriples": "N-Triples",
        "rdfxml": "RDF/XML",
        "trig": "TriG",
        "nquads": "N-Quads",
    }
)
_SUFFIXES: Final = {"turtle": "ttl", "ntriples": "nt", "rdfxml": "rdf", "nquads": "nq"}
_BOTH: Final = [*TRIPLES.items(), *ROWS.items()]


def wanted_file(name: str) -> Wanted:
    """A format by its name, with its own media type: the first that is listed for it."""
    return Wanted(next(media for media, each in _BOTH if each == name), name)


def as_file(answer: Response, stem: str, wanted: Wanted) -> Response:
    """The answer, to be kept instead of shown."""
    suffix = _SUFFIXES.get(wanted.format, wanted.format)
    answer.headers["Content-Disposition"] = f'attachment; filename="{stem}.{suffix}"'
    return answer
