"""Names of schema.org in a query, in the form that the graph holds. Pure.

The vocabulary is written with http and with https. Pages have one form in the graph
(`transform/schema_forms.py`), unless the folder keeps what pages wrote, or was filled before there was
one form. So a name in a query that the graph does not hold stands for the other form of it, if the
graph holds that.
"""

from collections.abc import Callable, Mapping
from typing import Final

from gossamer.sparql.prefixes import PREFIXES
from gossamer.sparql.shape import declared
from gossamer.sparql.tokens import tokens

FORMS: Final = ("http://schema.org/", "https://schema.org/")


def in_held_forms(query: str, holds: Callable[[str], bool]) -> str:
    """The query with each name of schema.org in the form for which `holds` is true."""
    prefixes = {**PREFIXES, **declared(query)}
    if not any(form in query for form in FORMS) and "schema:" not in query:
        return query
    parts: list[str] = []
    end = 0
    forms: dict[str, str] = {}
    for token in tokens(query):
        name = _full_name(token.kind, token.text, prefixes)
        if name is None:
            continue
        if name not in forms:
            forms[name] = _held_form(name, holds)
        if forms[name] != name:
            parts += query[end : token.start], f"<{forms[name]}>"
            end = token.start + len(token.text)
    return "".join((*parts, query[end:]))


def _full_name(kind: str, text: str, prefixes: Mapping[str, str]) -> str | None:
    """The IRI of a token that names something of schema.org; None for all others."""
    if kind == "iri":
        iri = text[1:-1]
    elif kind == "name":
        prefix, _, local = text.partition(":")
        iri = prefixes.get(prefix, "") + local
    else:
        return None
    local = next((iri.removeprefix(form) for form in FORMS if iri.startswith(form)), "")
    return iri if local.isalnum() and local.isascii() else None


def _held_form(name: str, holds: Callable[[str], bool]) -> str:
    here, other = FORMS if name.startswith(FORMS[0]) else FORMS[::-1]
    changed = other + name.removeprefix(here)
    return changed if not holds(name) and holds(changed) else name
