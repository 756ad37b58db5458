"""Finds the syntaxes that an HTML page may contain, by a cheap search.

Nothing is missed: what is searched for must be there for the syntax to say anything. It may
be there and say nothing, which costs time alone. One pass over the page finds all signs at
once; where a sign needs a closer look, the page is looked at again, in small letters.
"""

import re
from collections.abc import Iterator
from typing import Any, Final

import re2

from gossamer.model import Evidence, Syntax

# What `rel` says to browsers and search engines alone: in no vocabulary, unless `vocab` sets one.
_SILENT: Final = (
    rb"(?:nofollow|noopener|noreferrer|ugc|sponsored|external|preload|modulepreload|prefetch"
    rb"|preconnect|dns-prefetch|manifest)"
)
# Those that make statements, the telling ones first; all others only add to them.
_RDFA: Final = ("typeof", "property", "vocab", "rel", "role", "rev")
# What breaks off within the attribute is not known to speak.
_SPEAKING_REL: Final = re.compile(
    rb"""rel(?<=[\s"'/]rel)\s*+=(?!\s*+["']?\s*+(?:""" + _SILENT + rb"""\s*+)++["'>])"""
    rb"""(?!\s*+["']?[^"'>]{0,200}\Z)"""
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
_META_WORDS: Final = (
    rb"property|og:|twitter:|\bdc(?:terms)?[.:]|keywords|date|modified|revised|copyright|rights"
    rb"|publisher|geo\.|icbm|citation_"
    rb"|(?:article|book|music|product|profile|video):"
)
_META: Final = re.compile(_META_WORDS)
# A reference to a letter, digit, `+`, `-`, `.`, `/`, `:` or space: a name may be written with it.
_DISGUISE: Final = (
    rb"&(?:#(?:x0*(?:20|2[bdef]|3[0-9a]|[46][1-9a-f]|[57][0-9a])"
    rb"|0*(?:32|43|4[5-9]|5[0-8]|6[5-9]|[78]\d|90|9[7-9]|1[01]\d|12[012]))(?:[^0-9a-f]|\z)"
    rb"|(?:plus|period|sol|colon|lowbar|tab|newline);)"
)


def _any_case() -> Any:  # noqa: ANN401 (re2 brings no types)
    options = re2.Options()
    options.encoding = re2.Options.Encoding.LATIN1  # bytes, of whatever encoding
    options.case_sensitive = False
    return options


# An attribute of this name with a character reference in its value. Values may seem to lie within each other:
# RE2 goes over the text once all the same.
_REFERENCE: Final = {
    name: re2.compile(
        name + rb"""[\t-\r ]*=[\t-\r ]*(?:"[^"&]*&|'[^'&]*&|[^\t-\r "'>&]*&)""", _any_case()
    )
    for name in (b"class", b"type", b"name", b"property", b"rel")
}


# What Python calls `\s`; RE2 leaves out the vertical tab.
_SPACE: Final = rb"[\t-\r ]"
# Within an element, be it in quotes that are never closed.
_INSIDE: Final = rb"""[\t-\r /](?:[^>"']|"[^"]*"|'[^']*')*(?:"[^"]*|'[^']*)?"""
_SIGNS: Final = {
    **{name: rb"""[\t-\r "'/]""" + name.encode() + _SPACE + rb"*=" for name in _RDFA},
    "itemscope": rb"itemscope",
    "script": rb"ld\+json",
    "root": rb"""[\t-\r "'=](?:""" + b"|".join(sorted(_ROOTS)) + rb""")(?:[\t-\r "'>]|\z)""",
    "meta": rb"<meta" + _INSIDE + rb"(?:" + _META_WORDS + rb")",
    "prefix": rb"ogp\.me/ns",
    "link": rb"<link" + _INSIDE + rb"dc",
    "disguise": _DISGUISE,
    "end": rb"\z",  # always there
}


def _search() -> Any:  # noqa: ANN401 (re2 brings no types)
    search = re2.Set.SearchSet(_any_case())
    for pattern in _SIGNS.values():
        search.Add(pattern)
    search.Compile()
    return search


_SEARCH: Final = _search()
_NAMES: Final = tuple(_SIGNS)
# Where one syntax alone is wanted: less is asked than above, in a tenth of the time.
_PLAIN_SIGNS: Final = {
    Syntax.OPEN_GRAPH: ((re2.compile(rb"<(?:meta|link)", _any_case()), "a meta or link element"),),
    Syntax.MICRODATA: ((re2.compile(rb"itemscope", _any_case()), "an attribute itemscope"),),
    Syntax.JSON_LD: (
        (re2.compile(rb"ld\+json", _any_case()), "a script of type application/ld+json"),
        (_REFERENCE[b"type"], "character references in an attribute type"),
    ),
}
_OF_META: Final = frozenset(("meta", "prefix", "link"))
_LOOKED_AT_CLOSELY: Final = _OF_META | {"root", "disguise"}


def rdfa_evidence(text: bytes) -> Evidence | None:
    """Evidence that HTML or XML contains RDFa, or None."""
    return _rdfa_evidence(text, _signs(text))


def page_evidence(text: bytes, wanted: frozenset[Syntax] | None = None) -> tuple[Evidence, ...]:
    """All syntaxes that an HTML page may contain, in reading order; or of these, the wanted ones."""
    if wanted is None:
        return tuple(_evidence(text, _signs(text)))
    if wanted <= _PLAIN_SIGNS.keys():
        found = (
            each for syntax in _PLAIN_SIGNS if syntax in wanted for each in _plain(text, syntax)
        )
        return (Evidence(Syntax.PAGE, "an HTML page"), *found)
    of_all = _evidence(text, _signs(text))
    return tuple(each for each in of_all if each.syntax is Syntax.PAGE or each.syntax in wanted)


def _plain(text: bytes, syntax: Syntax) -> Iterator[Evidence]:
    for sign, why in _PLAIN_SIGNS[syntax]:
        if sign.search(text):
            yield Evidence(syntax, why)
            return


def _signs(text: bytes) -> frozenset[str]:
    # Without an answer, should its memory ever not do, we look for everything.
    found = _SEARCH.Match(text)
    return frozenset([_NAMES[number] for number in found] if found else _NAMES)


def _evidence(text: bytes, signs: frozenset[str]) -> Iterator[Evidence]:
    yield Evidence(Syntax.PAGE, "an HTML page")
    # A name in a value can be written as references, which no search for the name would find.
    disguises = "disguise" in signs
    low = b"" if _LOOKED_AT_CLOSELY.isdisjoint(signs) else text.lower()
    if why := _meta_evidence(low, signs) or (
        disguises and _disguised(low, b"name", b"property", b"rel")
    ):
        yield Evidence(Syntax.OPEN_GRAPH, why)
    if rdfa := _rdfa_evidence(text, signs):
        yield rdfa
    if "itemscope" in signs:
        yield Evidence(Syntax.MICRODATA, "an attribute itemscope")
    if why := _script_evidence(signs) or (disguises and _disguised(low, b"type")):
        yield Evidence(Syntax.JSON_LD, why)
    if why := _class_evidence(low, signs) or (disguises and _disguised(low, b"class")):
        yield Evidence(Syntax.MICROFORMATS, why)


def _rdfa_evidence(text: bytes, signs: frozenset[str]) -> Evidence | None:
    for name in _RDFA:
        if name in signs and (name != "rel" or _SPEAKING_REL.search(text.lower())):
            return Evidence(Syntax.RDFA, f"an attribute {name}")
    return None


def _meta_evidence(low: bytes, signs: frozenset[str]) -> str:
    if _OF_META.isdisjoint(signs):
        return ""
    prefixed = False
    for element in _ELEMENTS[b"meta"].finditer(low):
        if found := _META.search(element[0]):
            return f"a meta element with {found[0].decode('ascii')}"
        prefixed = prefixed or b":" in element[0]
    if prefixed and "prefix" in signs:
        return "a prefix for Open Graph"
    if any(b"dc" in element[0] for element in _ELEMENTS[b"link"].finditer(low)):
        return "a link of Dublin Core"
    return ""


def _script_evidence(signs: frozenset[str]) -> str:
    return "a script of type application/ld+json" if "script" in signs else ""


def _class_evidence(low: bytes, signs: frozenset[str]) -> str:
    if "root" not in signs:
        return ""
    names = b" ".join(_CLASS.findall(low)).translate(_NO_QUOTES).split()
    return "" if _ROOTS.isdisjoint(names) else "a class of microformats"


def _disguised(low: bytes, *names: bytes) -> str:
    for name in names:
        if _REFERENCE[name].search(low):
            return f"character references in an attribute {name.decode('ascii')}"
    return ""
