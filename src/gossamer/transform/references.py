"""Resolves the references of a page against one base to terms. Pure."""

import re
from typing import Final

from gossamer.transform.iris import join
from gossamer.transform.terms import Term, iri

_ORIGIN: Final = re.compile(r"https?://[A-Za-z0-9.-]+(?::[0-9]+)?(?=[/?#]|$)")
# What most references of a page look like: from the root of its host, and nothing to be mended.
_FROM_ROOT: Final = re.compile(
    r"/(?!/)[!$&-;=@-Z_a-z~]*(?:\?[!$&-;=?-Z_a-z~]*)?(?:#[!$&-;=?-Z_a-z~]*)?"
)


class References:
    """Resolves references to terms, with a cache."""

    __slots__ = ("_base", "_origin", "_terms")

    def __init__(self, base: str) -> None:
        self._base = base
        origin = _ORIGIN.match(base)
        self._origin = origin[0] if origin else None
        self._terms: dict[str, Term | None] = {}

    def term(self, reference: str) -> Term | None:
        """The term of a reference; None if it is not an IRI."""
        if reference in self._terms:
            return self._terms[reference]
        found = self._terms[reference] = self._named(reference)
        return found

    def _named(self, reference: str) -> Term | None:
        # There are no dots to remove, and so there is nothing to join.
        if self._origin and "/." not in reference and _FROM_ROOT.fullmatch(reference):
            return Term(f"<{self._origin}{reference}>")
        return iri(join(self._base, reference))
