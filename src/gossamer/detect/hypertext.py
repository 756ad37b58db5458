"""What an HTML page may hold, by searches cheap enough for every page.

Nothing is missed: what is searched for must be there for the syntax to say anything. It may
be there and say nothing, which costs time alone. Everything here is given in small letters.
"""

import re
from collections.abc import Iterator
from typing import Final

from gossamer.model import Evidence, Syntax

# What `rel` says to browsers and search engines alone: in no vocabulary, unless `vocab` sets one.
_SILENT: Final = (
    rb"(?:nofollow|noopener|noreferrer|ugc|sponsored|external|preload|modulepreload|prefetch"
    rb"|preconnect|dns-prefetch|manifest)"
)
# Those that make statements, the telling ones first; all others only add to them.
_RDFA: Final = tuple(
    (name, re.compile(name.encode() + rb"""(?<=[\s"'/]""" + name.encode() + rb")\s*+=" + value))
    for name, value in (
        ("typeof", b""),
        ("property", b""),
        ("vocab", b""),
        ("rel", rb"""(?!\s*+["']?\s*+(?:""" + _SILENT + rb"""\s*+)++["'>])"""),
        ("role", b""),
        ("rev", b""),
    )
)
_ROOTS: Final = frozenset(
    (
        *(b"h-card", b"h-adr", b"h-geo", b"h-entry", b"h-feed", b"h-cite", b"h-event", b"h-item"),
        *(b"h-product", b"h-recipe", b"h-review", b"h-review-aggregate", b"h-resume", b"h-listing"),
        *(
            b"h-app",
            b"h-x-app",
            b"h-news",
            b"hcard",
            b"hentry",
            b"hfeed",
            b"hatom",
            b"hreview",
            b"hrecipe",
        ),
        *(b"hreview-aggregate", b"hresume", b"hproduct", b"hlisting", b"hnews", b"hmedia"),
        *(b"haudio", b"vcard", b"vevent", b"adr", b"geo"),
    )
)
# With the quote before it, since one group is found faster than three.
_CLASS: Final = re.compile(rb"""class\s*+=\s*+("[^"]*+|'[^']*+|[^\s>"']++)""")
_NO_QUOTES: Final = bytes.maketrans(b"\"'", b"  ")
# The whole element: a `>` in quotes does not end it.
_ELEMENTS: Final = {
    name: re.compile(b"<" + name + rb"""[\s/](?:[^>"']|"[^"]*+"|'[^']*+')*+""")
    for name in (b"meta", b"link")
}
_META: Final = re.compile(
    rb"property|og:|twitter:|\bdc(?:terms)?[.:]|keywords|date|modified|revised|copyright|rights"
    rb"|publisher|geo\.|icbm|citation_"
    rb"|(?:article|book|music|product|profile|video):"
)
# A reference to a letter, digit, `+`, `-`, `.`, `/`, `:` or space: a name may be written with it.
_DISGUISE: Final = re.compile(
    rb"&(?:#(?:x0*+(?:20|2[bdef]|3[0-9a]|[46][1-9a-f]|[57][0-9a])"
    rb"|0*+(?:32|43|4[5-9]|5[0-8]|6[5-9]|[78]\d|90|9[7-9]|1[01]\d|12[012]))(?![0-9a-f])"
    rb"|(?:plus|period|sol|colon|lowbar|tab|newline);)"
)
_WITH_REFERENCE: Final = {
    name: re.compile(name + rb"""\s*+=\s*+(?:"[^"&]*+&|'[^'&]*+&|[^\s>"'&]*+&)""")
    for name in (b"class", b"type", b"name", b"property", b"rel")
}


def rdfa_evidence(low: bytes) -> Evidence | None:
    """RDFa, in HTML or any XML."""
    for name, attribute in _RDFA:
        if attribute.search(low):
            return Evidence(Syntax.RDFA, f"an attribute {name}")
    return None


def page_evidence(low: bytes) -> tuple[Evidence, ...]:
    """Everything an HTML page may hold, in the order it is to be read."""
    return tuple(_evidence(low))


def _evidence(low: bytes) -> Iterator[Evidence]:
    yield Evidence(Syntax.PAGE, "an HTML page")
    # A name in a value can be written as references, which no search for the name would find.
    disguises = _DISGUISE.search(low) is not None
    if why := _meta_evidence(low) or (disguises and _disguised(low, b"name", b"property", b"rel")):
        yield Evidence(Syntax.OPEN_GRAPH, why)
    if rdfa := rdfa_evidence(low):
        yield rdfa
    if b"itemscope" in low:
        yield Evidence(Syntax.MICRODATA, "an attribute itemscope")
    if why := _script_evidence(low) or (disguises and _disguised(low, b"type")):
        yield Evidence(Syntax.JSON_LD, why)
    if why := _class_evidence(low) or (disguises and _disguised(low, b"class")):
        yield Evidence(Syntax.MICROFORMATS, why)


def _meta_evidence(low: bytes) -> str:
    prefixed = False
    for element in _ELEMENTS[b"meta"].finditer(low):
        if found := _META.search(element[0]):
            return f"a meta element with {found[0].decode('ascii')}"
        prefixed = prefixed or b":" in element[0]
    if prefixed and b"ogp.me/ns" in low:
        return "a prefix for Open Graph"
    if any(b"dc" in element[0] for element in _ELEMENTS[b"link"].finditer(low)):
        return "a link of Dublin Core"
    return ""


def _script_evidence(low: bytes) -> str:
    return "a script of type application/ld+json" if b"ld+json" in low else ""


def _class_evidence(low: bytes) -> str:
    names = b" ".join(_CLASS.findall(low)).translate(_NO_QUOTES).split()
    return "" if _ROOTS.isdisjoint(names) else "a class of microformats"


def _disguised(low: bytes, *names: bytes) -> str:
    for name in names:
        if _WITH_REFERENCE[name].search(low):
            return f"character references in an attribute {name.decode('ascii')}"
    return ""
