"""Realistic pages: long, messy, with several syntaxes each, from 20 KB to 2 MB; made by us, with code.

`ordinary.py` has small, clean pages. These have what saved pages of the web have: menus and scripts
that are most of the bytes, utility classes, icons, broken nesting, wrong references, and the same
thing said in three syntaxes. The same bytes come out on every machine.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from bench.extract_cases import realistic_kinds as kinds
from bench.extract_cases.realistic_text import Text

from gossamer.model import Syntax

Maker = Callable[[Text, str, int], bytes]
JSON_LD, MICRODATA, RDFA = Syntax.JSON_LD, Syntax.MICRODATA, Syntax.RDFA
MICROFORMATS, OPEN_GRAPH = Syntax.MICROFORMATS, Syntax.OPEN_GRAPH


@dataclass(frozen=True, slots=True)
class RealisticPage:
    """A page of the corpus."""

    url: str
    body: bytes
    kind: str
    syntaxes: frozenset[Syntax]  # those it holds besides `page`, by intention


@dataclass(frozen=True, slots=True)
class _Kind:
    make: Maker
    sizes: tuple[int, ...]
    syntaxes: tuple[Syntax, ...]


# Sizes are chosen so that files are of 20 KB to 2 MB, half of them below 200 KB.
_KINDS = {
    "product": _Kind(kinds.product, (1, 6), (JSON_LD, RDFA, OPEN_GRAPH)),
    "listing": _Kind(kinds.listing, (1, 4, 48), (MICRODATA, JSON_LD, RDFA, OPEN_GRAPH)),
    "recipe": _Kind(kinds.recipe, (1, 5), (JSON_LD, RDFA, MICROFORMATS, OPEN_GRAPH)),
    "news": _Kind(kinds.news, (1, 12), (JSON_LD, RDFA, MICROFORMATS, OPEN_GRAPH)),
    "events": _Kind(kinds.events, (1, 6), (JSON_LD, MICRODATA, MICROFORMATS, OPEN_GRAPH)),
    "discussion": _Kind(kinds.discussion, (1, 8), (MICRODATA, OPEN_GRAPH)),
    "scholarly": _Kind(kinds.scholarly, (1, 6), (RDFA, OPEN_GRAPH)),
    "homepage": _Kind(kinds.homepage, (1,), (MICROFORMATS,)),
}


@cache
def pages(largest: int = 2 << 20) -> tuple[RealisticPage, ...]:
    """All pages of the corpus up to a size in bytes, small ones first."""
    made = [
        _page(name, kind, number, size)
        for name, kind in _KINDS.items()
        for number, size in enumerate(kind.sizes)
    ]
    made.sort(key=lambda page: len(page.body))
    return tuple(page for page in made if len(page.body) <= largest)


def holding(syntax: Syntax, largest: int = 2 << 20) -> tuple[RealisticPage, ...]:
    """The pages that hold a syntax."""
    return tuple(page for page in pages(largest) if syntax in page.syntaxes)


def _page(name: str, kind: _Kind, number: int, size: int) -> RealisticPage:
    url = f"https://{name}.example.test/section/page-{number}/"
    seed = sum(map(ord, name)) * 100 + number
    return RealisticPage(url, kind.make(Text(seed), url, size), name, frozenset(kind.syntaxes))
