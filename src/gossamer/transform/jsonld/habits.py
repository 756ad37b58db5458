"""Reads JSON-LD as its authors plainly mean it: contexts, escaped strings, names with spaces, nulls. Pure.

What is done here, and what is left alone, is told in docs/extraction.md ("Real pages"). Nothing of it
is done in strict mode. A block is walked only if its text shows that there is something to mend.
"""

import json
import re
from collections.abc import Container, Iterator
from html import unescape
from html.entities import html5
from typing import Final, NamedTuple

from gossamer.transform.iris import join
from gossamer.transform.jsonld.processing import Json
from gossamer.transform.jsonld.reading import Parsed
from gossamer.transform.jsonld.schema_org import SCHEMA, is_schema_org
from gossamer.transform.terms import RDF
from gossamer.wording import quoted

SCHEMA_ORG: Final = "https://schema.org"
# Misspelled schemes, types as contexts, subdomains, the name that Google once had for it, no scheme.
_SLOPPY: Final = re.compile(
    r"(?:h[a-z]{2,5}(?::/{0,3}|/{1,3})|/{0,2})"
    r"(?:[a-z-]{2,20}\.)?schema\.(?:org|googleapis\.com)(?:[/?#].*)?",
    re.IGNORECASE | re.DOTALL,
)
_ARCHIVED: Final = re.compile(
    r"https?://web\.archive\.org/web/[^/]{1,40}/https?:/{1,2}(?:www\.)?schema\.org(?:[/?#].*)?",
    re.IGNORECASE | re.DOTALL,
)
_NO_SLASH: Final = re.compile(r"https?://(?:www\.)?schema\.org", re.IGNORECASE)
_CAMBRIAN: Final = re.compile(r"https?://[a-z]{1,20}\.baidu\.com/contexts/cambrian\.jsonld")
_BAIDU: Final = {
    "@vocab": "https://ziyuan.baidu.com/contexts/cambrian.jsonld#",
    "title": f"{SCHEMA}headline",
    "description": f"{SCHEMA}description",
    "images": {"@id": f"{SCHEMA}image", "@type": "@id"},
    "pubDate": {"@id": f"{SCHEMA}datePublished", "@type": f"{SCHEMA}Date"},
    "upDate": {"@id": f"{SCHEMA}dateModified", "@type": f"{SCHEMA}Date"},
}
_WORD: Final = re.compile(r"[A-Za-z][A-Za-z0-9]*")
_REFERENCE: Final = re.compile(r"&(#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_TAG: Final = re.compile(r"<[A-Za-z/!]")
_NULL_MEMBER: Final = re.compile(r'"@(?:id|type)"\s*+:\s*+(?:null|\[[^]]{0,199}null)')
_SPACED_NAME: Final = re.compile(r'[{,]\s*+"[^"\\\s]{0,99}+\s[^"\\]{0,99}+"\s*+:')
_OUTER_SPACE: Final = re.compile(r'"@type"\s*+:\s*+\[?\s*+"(?:\s|[^"\\]{0,99}?\s")')
_MARKUP: Final = frozenset(
    ("@json", f"{RDF}HTML", f"{RDF}XMLLiteral", "rdf:HTML", "rdf:XMLLiteral")
)
NO_CONTEXT: Final = "There is no @context; the names are read as those of schema.org."
NULL_ID: Final = "An @id is null; the entity is read as one without a name."
SPACED: Final = "Names have spaces in them; they are read without."


class Meant(NamedTuple):
    """A value as it is plainly meant, and a sentence for each mistake."""

    parsed: Parsed
    notes: tuple[str, ...]


def as_meant(parsed: Parsed, given: Container[str], *, in_html: bool) -> Meant:
    """Mend a value, changing it. `given` are addresses of contexts that were brought along.

    Strings are escaped for HTML, and contexts left out, in blocks of HTML pages alone.
    """
    value, text = parsed
    if '"@json"' in text or not isinstance(value, dict | list):  # JSON literals mean themselves
        return Meant(parsed, ())
    notes: dict[str, None] = {}
    contexts = _mend_contexts(value, text, given, notes, in_html=in_html)
    escaped = in_html and "&" in text and _REFERENCE.search(text) is not None
    names = _has_odd_names(text)
    if escaped or names or _NULL_MEMBER.search(text):
        _Walk(notes, escaped=escaped).run(value)
    elif not contexts:
        return Meant(parsed, ())
    return Meant(Parsed(value, json.dumps(value, ensure_ascii=False)), tuple(notes))


def bare_classes(value: Json, base: str) -> dict[str, str]:
    """The IRIs, in angle brackets, that one-word classes are by the page's address; each with its word.

    They come of names to which no context gives a meaning, and mean nothing.
    """
    return {
        f"<{join(base, word)}>": word
        for members in _objects(value)
        for key in ("@type", "type")
        for word in _listed(members.get(key))
        if isinstance(word, str) and _WORD.fullmatch(word)
    }


def decode_references(text: str) -> str:
    """Decode the character references of a string, once, unless it holds markup of its own."""
    if "&" not in text or _TAG.search(text):
        return text
    return _REFERENCE.sub(_decoded, text)


def _decoded(reference: re.Match[str]) -> str:
    name = reference[1]
    return unescape(reference[0]) if name[0] == "#" or f"{name};" in html5 else reference[0]


# ---- contexts


def _mend_contexts(
    value: Json, text: str, given: Container[str], notes: dict[str, None], *, in_html: bool
) -> bool:
    """Mend contexts in place; whether any was changed."""
    tops = [top for top in _listed(value) if isinstance(top, dict)]
    if text.count('"@context"') == len(tops) and all(map(_is_usual, tops)):
        return False
    changed = False
    for members in _objects(value):
        if "@context" in members:
            old = members["@context"]
            new = [_meant(each, given, notes) for each in _listed(old)]
            if new != _listed(old):
                members["@context"] = new if isinstance(old, list) else new[0]
                changed = True
    if in_html:
        for top in tops:
            if not top.get("@context") and _has_bare_class(top):
                rest = {name: member for name, member in top.items() if name != "@context"}
                top.clear()
                top.update({"@context": SCHEMA_ORG, **rest})
                notes.setdefault(NO_CONTEXT)
                changed = True
    return changed


def _is_usual(top: dict[str, Json]) -> bool:
    context = top.get("@context")
    return isinstance(context, str) and is_schema_org(context)


def _meant(context: Json, given: Container[str], notes: dict[str, None]) -> Json:
    if isinstance(context, str):
        return _meant_address(context, given, notes)
    if isinstance(context, dict) and any(map(_lacks_slash, context.values())):
        notes.setdefault("The namespace of schema.org is written without its slash; read with it.")
        return {name: f"{each}/" if _lacks_slash(each) else each for name, each in context.items()}
    return context


def _lacks_slash(value: Json) -> bool:
    return isinstance(value, str) and _NO_SLASH.fullmatch(value) is not None


def _meant_address(context: str, given: Container[str], notes: dict[str, None]) -> Json:
    address = context.strip()
    if address in given or is_schema_org(join(SCHEMA_ORG, address)):
        return context
    if _SLOPPY.fullmatch(address) or _ARCHIVED.fullmatch(address):
        notes.setdefault(f"The context {quoted(address)} is read as {SCHEMA_ORG}.")
        return SCHEMA_ORG
    if _CAMBRIAN.fullmatch(address):
        return _BAIDU
    return context


def _has_bare_class(top: dict[str, Json]) -> bool:
    return any(
        isinstance(name, str) and _WORD.fullmatch(name.strip())
        for node in (top, *_listed(top.get("@graph")))
        if isinstance(node, dict) and not node.get("@context")
        for name in _listed(node.get("@type"))
    )


# ---- members


def _has_odd_names(text: str) -> bool:
    return bool(_OUTER_SPACE.search(text) or _SPACED_NAME.search(text))


class _Walk:
    def __init__(self, notes: dict[str, None], *, escaped: bool) -> None:
        self._notes = notes
        self._escaped = escaped

    def run(self, value: Json) -> None:
        level = [value]
        while level:  # no recursion over what a page nests
            each = level.pop()
            if isinstance(each, dict):
                self._mend(each)
                if "@value" in each and each.get("@type") in _MARKUP:
                    continue
                members: list[tuple[Json, Json]] = list(each.items())
            else:
                members = list(enumerate(each))
            for key, member in members:
                if key == "@context":
                    continue
                if isinstance(member, dict | list):
                    level.append(member)
                elif self._escaped and isinstance(member, str):
                    each[key] = decode_references(member)

    def _mend(self, members: dict[str, Json]) -> None:
        if "@id" in members and members["@id"] is None:
            del members["@id"]
            self._notes.setdefault(NULL_ID)
        if "@type" in members:
            self._mend_types(members)
        if any(" " in name or name != name.strip() for name in members):
            tidy: dict[str, Json] = {}
            for name, member in members.items():
                tidy.setdefault(_joined(name), member)
            members.clear()
            members.update(tidy)
            self._notes.setdefault(SPACED)

    def _mend_types(self, members: dict[str, Json]) -> None:
        types = members["@type"]
        names = [name for name in _listed(types) if name is not None]
        tidy = [name.strip() if isinstance(name, str) else name for name in names]
        if not tidy:
            del members["@type"]
        elif isinstance(types, list):
            members["@type"] = tidy
        else:
            members["@type"] = tidy[0]


def _joined(name: str) -> str:
    """A name without its spaces, in camel case: `cook Time` is `cookTime`."""
    first, *rest = name.split() or [""]
    return first + "".join(word[:1].upper() + word[1:] for word in rest)


# ---- values


def _listed(value: Json) -> list[Json]:
    return value if isinstance(value, list) else [value]


def _objects(value: Json) -> Iterator[dict[str, Json]]:
    """Every object of a value, from the outside in."""
    level = [value]
    while level:
        each = level.pop()
        if isinstance(each, dict):
            yield each
            level += [member for member in each.values() if isinstance(member, dict | list)]
        elif isinstance(each, list):
            level += [member for member in each if isinstance(member, dict | list)]
