"""Keeps base directions of JSON-LD texts, as RDF 1.2 has them: `"…"@ar--rtl`. Pure.

By JSON-LD 1.1 a direction has no place in RDF, unless `rdfDirection` says where. Here it has, so a
document that has directions is read with `i18n-datatype`, and its datatypes become directions.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from gossamer.transform.jsonld.processing import PLAIN, JsonLdOptions, Quad
from gossamer.transform.terms import ending

AS_DATATYPES: Final[JsonLdOptions] = replace(PLAIN, rdf_direction="i18n-datatype")
WITHOUT_LANGUAGE: Final = "A base direction without a language is left out: RDF has none."
_DIRECTED: Final = re.compile(
    r'"\^\^<https://www\.w3\.org/ns/i18n#(?:([A-Za-z0-9-]++)_(ltr|rtl)|_(?:ltr|rtl))>\Z'
)


def has_directions(text: str, contexts: Mapping[str, bytes]) -> bool:
    """Whether a document or one of its contexts speaks of directions, as hardly any does."""
    return '"@direction"' in text or any(b'"@direction"' in each for each in contexts.values())


def directed(quads: Iterable[Quad]) -> tuple[list[Quad], bool]:
    """The quads with directions in place of datatypes; and whether one had to be left out."""
    made, is_left_out = [], False
    for subject, predicate, object_, graph in quads:
        found = _DIRECTED.search(object_) if object_[:1] == '"' else None
        if found is not None:
            end = ending(found[1]) if found[1] else '"'
            is_left_out = is_left_out or "@" not in end
            object_ = object_[: found.start()] + (f"{end}--{found[2]}" if "@" in end else end)
        made.append((subject, predicate, object_, graph))
    return made, is_left_out
