"""What is told of a query before it is asked: its graphs, columns and prefixes, and how deep it is. Pure."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from gossamer.sparql.prefixes import PREFIXES
from gossamer.sparql.tokens import Token, tokens

# The engine calls itself for each bracket, and for each part of a chain. Its stack holds some 600
# brackets of the costliest kind, or 3,000 parts of a chain.
MOST_DEEP: Final = 200
MOST_IN_A_ROW: Final = 2_000
_COST: Final = MOST_IN_A_ROW // MOST_DEEP  # of a bracket, in parts of a chain
_OPENING: Final = frozenset("([{")
_CLOSING: Final = frozenset(")]}")
_OPERATORS: Final = frozenset({"!", "+", "-", "*", "/", "|", "^", "||", "&&"})
_PARTS: Final = frozenset(
    {"UNION", "OPTIONAL", "MINUS", "BIND", "FILTER", "VALUES", "GRAPH", "LATERAL", "NOT"}
)
_SIGNS: Final = frozenset("+-")


def names_graphs(query: str) -> bool:
    """Whether a query says itself which graphs it is asked of (FROM, FROM NAMED).

    No other word of SPARQL has these letters in it. The engine keeps no words apart, so they may
    be part of a longer one: `ASKFROM<…>{…}`, or `FROM:page`, unless that is a prefix.
    """
    if "FROM" not in query.upper():  # as almost always
        return False
    known = PREFIXES.keys() | declared(query).keys()
    return any(_means_from(token, known) for token in tokens(query))


def _means_from(token: Token, known: Collection[str]) -> bool:
    if token.kind == "name":
        prefix = token.text.partition(":")[0]
        return "FROM" in prefix.upper() and prefix not in known
    return token.kind == "word" and "FROM" in token.text.upper()


def declared(query: str) -> Mapping[str, str]:
    """The prefixes that a query declares, with what they stand for."""
    found: dict[str, str] = {}
    before = earlier = Token("end", "", 0)
    for token in tokens(query):
        if earlier.text.upper() == "PREFIX" and before.kind == "name" and token.kind == "iri":
            found[before.text.removesuffix(":")] = token.text[1:-1]
        earlier, before = before, token
    return found


def columns(query: str, variables: Sequence[str]) -> Sequence[str]:
    """The columns of an answer in the order in which `SELECT *` meets them; else as they are."""
    if not _selects_all(query):
        return variables
    met = dict.fromkeys(token.text[1:] for token in tokens(query) if token.kind == "var")
    rank = {name: number for number, name in enumerate(met)}
    return sorted(variables, key=lambda name: rank.get(name, len(rank)))


def _selects_all(query: str) -> bool:
    """Whether the first SELECT is followed by a star."""
    found = tokens(query)
    for token in found:
        if token.kind == "word" and token.text.upper().startswith("SELECT"):
            break
    after = next((token for token in found if token.kind != "word"), None)
    return after is not None and after.text == "*"


def too_deep(query: str) -> bool:
    """Whether the engine's stack may not be enough for a query."""
    return any(height > MOST_IN_A_ROW for height in _heights(query))


def _heights(query: str) -> Iterator[int]:
    """At every token, how deep it is: all brackets around it, and the chains that these hold."""
    around = [_Bracket("{")]
    height = 0
    for token in tokens(query):
        inner = around[-1]
        if token.text in _OPENING:
            around.append(_Bracket(token.text))
            height += _COST
        elif token.text in _CLOSING and len(around) > 1:
            height -= _COST + around.pop().chain
        elif token.text == "," and inner.mark == "(":  # another argument, another chain
            height, inner.chain = height - inner.chain, 0
        elif _lengthens(token, inner.mark):
            height, inner.chain = height + 1, inner.chain + 1
        yield height


@dataclass(slots=True)
class _Bracket:
    """A bracket that is open."""

    mark: str
    chain: int = 0  # parts in a row within it


def _lengthens(token: Token, within: str) -> bool:
    if token.kind == "word":
        return token.text.upper() in _PARTS
    if token.kind != "mark" or token.text not in _OPERATORS:
        return False
    return within == "(" or token.text not in _SIGNS  # else it is the sign of a number
