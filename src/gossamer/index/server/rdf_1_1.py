"""What a page loses on a SPARQL server, most of which know RDF 1.1 alone. Pure.

Read from the N-Quads of a worker by expressions, since whoever asks must not parse what a page may have
made up.
"""

import re
from typing import Final

from gossamer.model import Problem

_TRIPLE_TERM: Final = re.compile(rb"^\S++ <[^>\n]*+> <<\(", re.MULTILINE)
_DIRECTION: Final = re.compile(
    rb"""\"@[A-Za-z]++(?:-[A-Za-z0-9]++)*+--(?:ltr|rtl) (?:<[^<>"\n]*+> )?\.$""", re.MULTILINE
)


def loss(nquads: bytes) -> Problem | None:
    """The problem of a page that says what the server cannot keep; None as for nearly all."""
    statements = len(_TRIPLE_TERM.findall(nquads)) if b"<<(" in nquads else 0
    directions = len(_DIRECTION.findall(nquads)) if b"--" in nquads else 0
    if not statements and not directions:
        return None
    return Problem(
        "The SPARQL server is for RDF 1.1: statements about statements are left out "
        f"({statements}), and base directions of texts ({directions})."
    )
