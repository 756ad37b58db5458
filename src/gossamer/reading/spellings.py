"""Names of syntaxes, in the spellings that people use.

Case and punctuation count for nothing: `json-ld`, `JSON-LD` and `ld+json` are `jsonld`. Each name stands for a
syntax, and for the kinds of items in `page.items`; two kinds, Open Graph and Dublin Core, are one syntax.
"""

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from gossamer.model import Syntax

NONE: Final = "none"  # no syntax at all: a crawl for links alone
_MARKS: Final = re.compile(r"[^a-z0-9]+")
_WRITTEN_IN_FULL: Final = re.compile(r"^(?:application|text)/(?:x-)?")


class SyntaxName(NamedTuple):
    """What a name asks for: a syntax, and the kind of items that goes with it."""

    syntax: Syntax | None = None
    items: str | None = None


_ITEMS: Final[Mapping[str, Syntax]] = MappingProxyType(
    {
        "microdata": Syntax.MICRODATA,
        "json-ld": Syntax.JSON_LD,
        "opengraph": Syntax.OPEN_GRAPH,
        "microformat": Syntax.MICROFORMATS,
        "rdfa": Syntax.RDFA,
        "dublincore": Syntax.OPEN_GRAPH,
    }
)
_OTHER_SPELLINGS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "ldjson": "json-ld",
        **dict.fromkeys(("microformats", "microformats2", "mf", "mf2"), "microformat"),
        **dict.fromkeys(("og", "ogp"), "opengraph"),
        **dict.fromkeys(("dc", "dcterms", "dublincoremetadata"), "dublincore"),
        **dict.fromkeys(("rdfa11", "rdfalite", "rdfacore"), "rdfa"),
        "ttl": Syntax.TURTLE,
        "nt": Syntax.N_TRIPLES,
        "nq": Syntax.N_QUADS,
        **dict.fromkeys(("rssxml", "rss2"), Syntax.RSS),
        "atomxml": Syntax.ATOM,
    }
)


def _plain(name: str) -> str:
    """A name as it is compared: lower case, letters and digits, without the beginning of a media type."""
    media_type = name.strip().lower().partition(";")[0]
    return _MARKS.sub("", _WRITTEN_IN_FULL.sub("", media_type))


def _names() -> dict[str, SyntaxName]:
    names = {_plain(name): SyntaxName(syntax, name) for name, syntax in _ITEMS.items()}
    for syntax in Syntax:
        names.setdefault(_plain(syntax), SyntaxName(syntax))
    for spelling, name in _OTHER_SPELLINGS.items():
        names[spelling] = names[_plain(name)]
    return {**names, NONE: SyntaxName()}


_NAMES: Final = MappingProxyType(_names())
KNOWN: Final = (*Syntax, "dublincore", NONE)
"""The names that people are told of."""


def meaning(name: str) -> SyntaxName | None:
    """What a name asks for; None where it is no name of a syntax."""
    return _NAMES.get(_plain(name))


def mistake(names: Iterable[str]) -> str | None:
    """What is wrong with these names of syntaxes, in a sentence; None where all are known."""
    unknown = sorted(name for name in names if meaning(name) is None)
    if not unknown:
        return None
    import difflib  # for mistakes alone

    near = difflib.get_close_matches(_plain(unknown[0]), _NAMES, n=1)
    there = "there are" if not near else f"did you mean {_told(_NAMES[near[0]])!r}? There are"
    return f"{unknown[0]!r} is no syntax; {there} {', '.join(KNOWN[:-1])}, and {NONE}."


def _told(found: SyntaxName) -> str:
    if found.items == "dublincore":
        return found.items
    return NONE if found.syntax is None else str(found.syntax)
