"""What items are called, and what their types say."""

from gossamer.model import Problem, Syntax
from gossamer.transform.document import Document, Item
from gossamer.transform.microdata.elements import Attributes
from gossamer.transform.microdata.registry import types_in
from gossamer.transform.microdata.values import Values
from gossamer.transform.terms import A, Term, Triple
from gossamer.wording import quoted


class Names:
    """Gives each item of a page its name; blank ones are numbered as they come."""

    def __init__(self, document: Document, values: Values) -> None:
        self._document = document
        self._values = values
        self._blanks = 0

    def given(self, attributes: Attributes) -> Term:
        """The name of an item: its `itemid`, or a new blank node."""
        name = attributes.get("itemid")
        if name and (name := name.strip()):
            address = self._values.address(name)
            if not isinstance(address, Problem):
                return address
        self._blanks += 1
        return self._document.blank(f"m{self._blanks}")


def introduction(subject: Term, attributes: Attributes) -> list[Item]:
    """The types of an item, and what is wrong with them or with its name."""
    types = types_in(attributes.get("itemtype") or "")
    found: list[Item] = [Triple(f"{subject} {A} {type_}") for type_ in types.terms]
    name = attributes.get("itemid")
    if name and subject.startswith("_:"):
        found.append(Problem(f"{quoted(name)} is no IRI; its item has no name.", Syntax.MICRODATA))
    return [*found, *types.problems] if types.problems else found


def type_of(attributes: Attributes) -> str | None:
    """The first type of an item, which decides what its properties mean."""
    return types_in(attributes.get("itemtype") or "").first
