"""Names microdata items and checks their types."""

from gossamer.model import Problem, Syntax
from gossamer.transform.document import Document
from gossamer.transform.microdata.elements import Attributes
from gossamer.transform.microdata.registry import Types, types_in
from gossamer.transform.microdata.values import Values
from gossamer.transform.terms import Term
from gossamer.wording import quoted


class Names:
    """Gives each item of a page its name; blank nodes are numbered in order."""

    def __init__(self, document: Document, values: Values) -> None:
        self._blank = document.blank("m")
        self._values = values
        self._blanks = 0

    def given(self, attributes: Attributes) -> Term:
        """The name of an item: its `itemid`, or a new blank node."""
        if "itemid" in attributes and (name := (attributes["itemid"] or "").strip()):
            address = self._values.address(name)
            if not isinstance(address, Problem):
                return address
        self._blanks += 1
        return Term(f"{self._blank}{self._blanks}")


def complaints(subject: Term, attributes: Attributes, types: Types) -> list[Problem]:
    """The problems with an item's name and types."""
    name = attributes.get("itemid")
    if not name or not subject.startswith("_:"):
        return list(types.problems)
    nameless = Problem(f"{quoted(name)} is no IRI; its item has no name.", Syntax.MICRODATA)
    return [nameless, *types.problems]


def types_of(attributes: Attributes) -> Types:
    """The types of an item."""
    return types_in(attributes.get("itemtype") or "")
