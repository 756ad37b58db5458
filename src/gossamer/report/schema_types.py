"""The rule `unknown-type`: classes in the namespace of schema.org that schema.org does not have."""

from collections.abc import Iterator
from typing import Final

import pyoxigraph as ox

from gossamer.report.finding import Finding, Severity
from gossamer.report.page import SCHEMA, RulePage, entity_name
from gossamer.vocabulary import class_names, is_class, plain
from gossamer.vocabulary.nearness import nearest_name
from gossamer.wording import quoted

TYPE: Final = ox.NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")


def unknown_types(page: RulePage) -> Iterator[Finding]:
    """Classes that are misspelled or made up, with the nearest one that there is."""
    for quad in page.quads:
        if quad.predicate == TYPE and isinstance(quad.object, ox.NamedNode):
            iri = plain(quad.object.value)
            if iri.startswith(SCHEMA) and not is_class(iri):
                yield _unknown(page, entity_name(quad.subject), iri[len(SCHEMA) :])


def _unknown(page: RulePage, entity: str, name: str) -> Finding:
    near = nearest_name(name, class_names())
    return Finding(
        f"schema.org has no type {quoted(name)}.",
        Severity.ERROR,
        page.line_of(name),
        entity,
        fix=f"Write {near}." if near else "See https://schema.org/docs/full.html for its types.",
    )
