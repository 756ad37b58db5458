"""Bounds how deep RDF 1.2 triple terms nest, before they reach a parser. Pure.

pyoxigraph recurses over them, and 20,000 one inside the other take the process down. A document is cut
where it would; of what is read, statements that nest deeper than `MOST_KEPT` are left out.
"""

import re
from typing import Final

MOST_NESTED: Final = 200  # in a document
MOST_KEPT: Final = 8  # in a statement; those of people nest once or twice
# Comments and quoted texts may hold closing marks that close nothing; opening marks in them count
# all the same, since it is better to see too many.
_TOKEN: Final = re.compile(
    r"""<<\( | \)>> | \#[^\n]*+ | <[^<>\s]*+> | "(?:[^"\\\n]++|\\.)*+" | '(?:[^'\\\n]++|\\.)*+'""",
    re.VERBOSE,
)
_OPENING: Final = "<<("
_WORD: Final = re.compile(
    rb"""<<\( | \)>> | \#[^\n]*+ | <[^<>\s]*+> | "(?:[^"\\\n]++|\\.)*+" """, re.VERBOSE
)


def cut_deep(text: str) -> tuple[str, bool]:
    """The text up to where triple terms nest too deep, and whether anything was cut."""
    if text.count(_OPENING) <= MOST_NESTED:  # as in nearly every document
        return text, False
    depth, outermost = 0, 0
    for token in _TOKEN.finditer(text):
        if token[0] == ")>>":
            depth = max(depth - 1, 0)
        elif opened := token[0].count(_OPENING):
            outermost = outermost if depth else token.start()
            depth += opened
            if depth > MOST_NESTED:
                return text[:outermost], True
    return text, False


def is_shallow(nquads: bytes) -> bool:
    """Whether no triple term in N-Quads nests deeper than is kept."""
    if nquads.count(b"<<(") <= MOST_KEPT:  # as in nearly every page
        return True
    depth = 0
    for word in _WORD.finditer(nquads):
        if word[0] == b"<<(":
            depth += 1
            if depth > MOST_KEPT:
                return False
        elif word[0] == b")>>":
            depth -= 1
    return True
