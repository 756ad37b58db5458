"""Cuts RDF 1.2 triple terms that nest without end before they reach a parser. Pure.

pyoxigraph recurses over them, and 20,000 one inside the other take the process down. We leave
statements about statements out anyway, so a document that nests them deep loses nothing else.
"""

import re
from typing import Final

MOST_NESTED: Final = 200
# Comments and quoted texts may hold closing marks that close nothing; opening marks in them count
# all the same, since it is better to see too many.
_TOKEN: Final = re.compile(
    r"""<<\( | \)>> | \#[^\n]*+ | <[^<>\s]*+> | "(?:[^"\\\n]++|\\.)*+" | '(?:[^'\\\n]++|\\.)*+'""",
    re.VERBOSE,
)
_OPENING: Final = "<<("


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
