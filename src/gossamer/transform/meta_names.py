"""The meaning of meta element names: the tables of docs/vocabularies.md."""

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from gossamer.transform import kinds
from gossamer.transform.kinds import Kind
from gossamer.transform.terms import Term, iri, known

DCTERMS: Final = "http://purl.org/dc/terms/"
TWITTER: Final = "https://dev.twitter.com/cards/markup#"
OPEN_GRAPH: Final[Mapping[str, str]] = {
    "og": "http://ogp.me/ns#",
    **{
        name: f"http://ogp.me/ns/{name}#"
        for name in ("article", "book", "music", "product", "profile", "video")
    },
}
_DUBLIN_CORE: Final = re.compile(r"dc(?:terms)?[.:](.+)", re.IGNORECASE | re.DOTALL)


class Meaning(NamedTuple):
    """The predicate and kind of value that a meta name stands for."""

    predicate: Term
    kind: Kind


def _elements(kind: Kind, names: str) -> dict[str, Meaning]:
    return {name.lower(): Meaning(known(DCTERMS + name), kind) for name in names.split()}


_ELEMENTS: Final[Mapping[str, Meaning]] = {
    **_elements(
        kinds.text,
        "title alternative description abstract subject rights accessRights coverage spatial "
        "temporal audience provenance tableOfContents bibliographicCitation",
    ),
    **_elements(
        kinds.time,
        "date created issued modified valid available dateAccepted dateCopyrighted dateSubmitted",
    ),
    **_elements(
        kinds.code,
        "creator contributor publisher rightsHolder language type format identifier extent medium",
    ),
    **_elements(
        kinds.address_or_code,
        "source relation license isPartOf hasPart references isReferencedBy replaces "
        "isReplacedBy requires isRequiredBy isVersionOf hasVersion isFormatOf hasFormat conformsTo",
    ),
}
_PLAIN: Final[Mapping[str, Meaning]] = {
    name: Meaning(known(DCTERMS + term), kind)
    for names, term, kind in (
        ("date pubdate publication_date", "issued", kinds.time),
        ("citation_publication_date citation_date", "issued", kinds.time),
        ("last-modified revised", "modified", kinds.time),
        ("copyright rights", "rights", kinds.text),
        ("publisher", "publisher", kinds.code),
        ("geo.placename", "spatial", kinds.text),
        ("citation_title", "title", kinds.text),
        ("citation_author", "creator", kinds.code),
        ("citation_journal_title", "isPartOf", kinds.text),
        ("citation_doi citation_issn citation_isbn", "identifier", kinds.code),
        ("citation_pdf_url", "hasFormat", kinds.address),
    )
    for name in names.split()
}
_TWITTER_TEXT: Final = re.compile(r"title|description|image:alt|(?:label|data)\d+", re.ASCII)
_TWITTER_ADDRESS: Final = frozenset(("image", "image:src", "player", "player:stream", "url"))


def meaning_of(name: str) -> Meaning | None:
    """The meaning of a `meta name` in any case: plain names, Twitter cards, Dublin Core."""
    lowered = name.strip().lower()
    if lowered.startswith("twitter:"):
        return _twitter(lowered.removeprefix("twitter:"))
    return _PLAIN.get(lowered) or dublin_core(lowered)


def _twitter(local: str) -> Meaning | None:
    predicate = iri(TWITTER + local) if local else None
    if predicate is None:
        return None
    if _TWITTER_TEXT.fullmatch(local):
        return Meaning(predicate, kinds.text)
    return Meaning(predicate, kinds.address if local in _TWITTER_ADDRESS else kinds.code)


def dublin_core(name: str) -> Meaning | None:
    """The meaning of a name such as `DC.date.issued`; a refinement counts if it is known."""
    match = _DUBLIN_CORE.fullmatch(name)
    if match is None:
        return None
    element, _, refinement = match[1].lower().partition(".")
    return _ELEMENTS.get(refinement) or _ELEMENTS.get(element)
