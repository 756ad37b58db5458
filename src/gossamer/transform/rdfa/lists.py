"""Lists that `inlist` collects: one per property and subject, closed when its element ends."""

from typing import Final

from gossamer.transform.rdfa.names import Blanks
from gossamer.transform.terms import RDF, Term, Triple, known, triple

_FIRST: Final = known(f"{RDF}first")
_REST: Final = known(f"{RDF}rest")
_NIL: Final = known(f"{RDF}nil")


class Lists:
    """The open lists of one subject.

    Core lets an element share the lists of its parent if its subject is the parent's object;
    read to the letter, `rel` with `resource` would then fill lists of the wrong subject. Who
    owns the lists decides instead.
    """

    __slots__ = ("_members", "subject")

    def __init__(self, subject: Term) -> None:
        self.subject = subject
        self._members: dict[Term, list[Term]] = {}

    def of(self, predicate: Term) -> list[Term]:
        """The list of a property; empty if there was none."""
        return self._members.setdefault(predicate, [])

    def statements(self, blanks: Blanks) -> list[Triple]:
        """The statements of all lists."""
        found: list[Triple] = []
        for predicate, members in self._members.items():
            cells = [blanks.fresh() for _ in members]
            found.append(triple(self.subject, predicate, cells[0] if cells else _NIL))
            for member, cell, rest in zip(members, cells, [*cells[1:], _NIL], strict=False):
                found += (triple(cell, _FIRST, member), triple(cell, _REST, rest))
        return found
