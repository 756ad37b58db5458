"""The grammar of SPARQL 1.1 queries, and where a query leaves it. Pure.

For telling people what is wrong: the engine's own parser names a place that may be far from the
mistake, and marks that have nothing to do with it. What counts is what the engine accepts; this is
asked only of what it does not. One token ahead is enough to know the way, so there is no stack but
our own, however deep a query is.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Final

from gossamer.sparql.tokens import Token, tokens

# One rule a line: `name = …`. Words in capitals and marks in quotes stand for themselves, kinds of
# tokens are in angle brackets; `?`, `*`, `+` and `|` mean what they do in regular expressions. What
# follows `#` is what people call that which is missing where a rule cannot begin.
RULES: Final = """
query = prologue form end_values <end>
prologue = ( BASE <iri> | PREFIX <prefix> <iri> )*
form = selection dataset* where modifiers | construct | DESCRIBE described dataset* where? modifiers | ASK dataset* where modifiers
selection = SELECT ( DISTINCT | REDUCED )? selected
selected = '*' | column+ # what is to be selected (variables, “*”, or “(… AS ?name)”)
column = <var> | '(' expression AS <var> ')'
described = '*' | ( <var> | iri )+ # what is to be described (IRIs, variables or “*”)
construct = CONSTRUCT ( '{' triples? '}' dataset* where modifiers | dataset* WHERE '{' triples? '}' modifiers )
dataset = FROM NAMED? graph_name
graph_name = iri # the IRI of a graph
where = WHERE? group # a group in “{ }”
modifiers = ( GROUP BY grouping+ )? ( HAVING constraint+ )? ( ORDER BY ordering+ )? ( LIMIT <integer> ( OFFSET <integer> )? | OFFSET <integer> ( LIMIT <integer> )? )?
grouping = <var> | '(' expression ( AS <var> )? ')' | builtin | call # what to group by
ordering = ( ASC | DESC ) '(' expression ')' | <var> | constraint # what to order by
end_values = ( VALUES block )?
block = <var> '{' datum* '}' | ( '(' <var>* ')' | '()' ) '{' ( '(' datum* ')' | '()' )* '}'
datum = iri | literal | number | <boolean> | UNDEF
group = '{' ( selection where modifiers end_values | body ) '}' # a group in “{ }”
body = triples? ( pattern '.'? triples? )*
triples = same_subject ( '.' triples? )?
pattern = OPTIONAL group | MINUS group | GRAPH named group | SERVICE SILENT? named group | FILTER constraint | BIND '(' expression AS <var> ')' | VALUES block | group ( UNION group )*
named = <var> | iri # a graph (an IRI or a variable)
constraint = '(' expression ')' | builtin | call # a condition in “( )”
call = iri arguments
same_subject = term properties | ( collection | described_blank ) properties?
properties = verb objects ( ';' ( verb objects )? )* # a property
verb = <var> | path # a property
objects = object ( ',' object )* # an object
object = term | collection | described_blank # an object
term = <var> | iri | literal | number | <boolean> | <blank> | '()'
collection = '(' object+ ')'
described_blank = '[' properties ']'
path = path_part ( '|' path_part )* # a property
path_part = path_step ( '/' path_step )* # a property
path_step = '^'? path_unit ( '?' | '*' | '+' )? # a property
path_unit = iri | <a> | '!' ( path_one | '(' ( path_one ( '|' path_one )* )? ')' | '()' ) | '(' path ')' # a property
path_one = '^'? ( iri | <a> )
expression = all ( '||' all )* # an expression
all = compared ( '&&' compared )* # an expression
compared = sum ( ( '=' | '!=' | '<' | '>' | '<=' | '>=' ) sum | NOT? IN list )? # an expression
sum = product ( ( '+' | '-' ) product )* # an expression
product = signed ( ( '*' | '/' ) signed )* # an expression
signed = ( '!' | '+' | '-' )* unit # an expression
unit = '(' expression ')' | builtin | iri arguments? | literal | <number> | <integer> | <boolean> | <var> # an expression
list = '()' | '(' expression ( ',' expression )* ')' # a list in “( )”
arguments = '()' | '(' DISTINCT? expression ( ',' expression )* ')'
builtin = <function> arguments | NOT? EXISTS group | COUNT '(' DISTINCT? ( '*' | expression ) ')' | GROUP_CONCAT '(' DISTINCT? expression ( ';' SEPARATOR '=' <string> )? ')'
literal = <string> ( <lang> | '^^' iri )?
number = ( '+' | '-' )? ( <integer> | <number> )
iri = <iri> | <name> # an IRI
"""
FUNCTIONS: Final = frozenset(
    re.findall(
        r"\w+",
        "STR LANG LANGMATCHES DATATYPE BOUND IRI URI BNODE RAND ABS CEIL FLOOR ROUND CONCAT STRLEN "
        "UCASE LCASE ENCODE_FOR_URI CONTAINS STRSTARTS STRENDS STRBEFORE STRAFTER YEAR MONTH DAY "
        "HOURS MINUTES SECONDS TIMEZONE TZ NOW UUID STRUUID MD5 SHA1 SHA256 SHA384 SHA512 COALESCE "
        "IF STRLANG STRDT SAMETERM ISIRI ISURI ISBLANK ISLITERAL ISNUMERIC REGEX SUBSTR REPLACE "
        "SUM MIN MAX AVG SAMPLE",
    )
)
WORDS: Final = frozenset(re.findall(r"\b[A-Z_]{2,}\b", RULES)) | FUNCTIONS | {"TRUE", "FALSE", "A"}
_PIECE: Final = re.compile(r"'[^']*'|<\w+>|\w+|[()|?*+]")


@dataclass(frozen=True, slots=True)
class Symbol:
    """One kind of token: a word, a mark, or a class of them in angle brackets."""

    name: str


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule by its name."""

    name: str


@dataclass(frozen=True, slots=True)
class All:
    """A sequence: all parts, one after the other."""

    parts: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class Any:
    """An alternative: one of these parts."""

    parts: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class Maybe:
    """An optional part: not at all, once, or, if `again`, any number of times."""

    part: "Node"
    again: bool


Node = Symbol | Rule | All | Any | Maybe


@dataclass(frozen=True, slots=True)
class Departure:
    """The first token that cannot stand where it stands."""

    token: Token
    before: Token | None
    missing: str | None  # what people call that which is missing, where there is a name for it
    could: frozenset[str]  # symbols that could stand here
    within: tuple[Token, ...]  # brackets that are open


def departure(query: str) -> Departure | None:
    """Where a query leaves the grammar; None if it does not."""
    found = [*tokens(query), Token("end", "", len(query))]
    stack: list[Node] = [Rule("query")]
    could: set[str] = set()
    at = 0
    while stack:
        node, kinds = stack.pop(), symbols(found[at])
        if isinstance(node, Symbol):
            if node.name not in kinds:
                return _departed(found, at, None, {*could, node.name})
            at, could = at + 1, set()
            continue
        if not kinds & _first(node):
            could |= _first(node)
            if not _may_be_empty(node):
                missing = _names().get(node.name) if isinstance(node, Rule) else None
                return _departed(found, at, missing, could)
            continue
        stack += _on_the_way(node, kinds)
    return None


def symbols(token: Token) -> frozenset[str]:
    """All that a token can be."""
    match token.kind:
        case "word":
            return _word_symbols(token.text)
        case "name":
            is_prefix = token.text.endswith(":")
            if token.text.startswith("_:"):
                return frozenset({"<blank>"})
            return frozenset({"<name>", "<prefix>"} if is_prefix else {"<name>"})
        case "number":
            return frozenset({"<integer>", "<number>"} if token.text.isdecimal() else {"<number>"})
        case "mark":
            text = "".join(token.text.split())
            return frozenset({"<blank>"} if text == "[]" else {text})
    return frozenset({f"<{token.kind}>"})


def _word_symbols(word: str) -> frozenset[str]:
    upper = word.upper()
    found = {upper}
    if upper in FUNCTIONS:
        found.add("<function>")
    if upper in ("TRUE", "FALSE"):
        found.add("<boolean>")
    if word == "a":
        found.add("<a>")
    return frozenset(found)


def _departed(found: Sequence[Token], at: int, missing: str | None, could: set[str]) -> Departure:
    before = found[at - 1] if at else None
    return Departure(found[at], before, missing, frozenset(could), _open(found[:at]))


def _open(before: Sequence[Token]) -> tuple[Token, ...]:
    around: list[Token] = []
    for token in before:
        if token.text in ("(", "[", "{"):
            around.append(token)
        elif token.text in (")", "]", "}") and around:
            around.pop()
    return tuple(around)


def _on_the_way(node: Node, kinds: frozenset[str]) -> list[Node]:
    """What a node asks for next, the last first."""
    match node:
        case Rule(name):
            return [_rules()[name]]
        case All(parts):
            return [*reversed(parts)]
        case Any(parts):
            return [next(part for part in parts if kinds & _first(part))]
        case Maybe(part, again):
            return [node, part] if again else [part]
    raise AssertionError(node)


@cache
def _first(node: Node) -> frozenset[str]:
    """The symbols that a node can begin with."""
    match node:
        case Symbol(name):
            return frozenset({name})
        case Rule(name):
            return _first(_rules()[name])
        case Any(parts):
            return frozenset().union(*map(_first, parts))
        case Maybe(part, _):
            return _first(part)
    begun: frozenset[str] = frozenset()
    for part in node.parts:
        begun |= _first(part)
        if not _may_be_empty(part):
            break
    return begun


@cache
def _may_be_empty(node: Node) -> bool:
    match node:
        case Rule(name):
            return _may_be_empty(_rules()[name])
        case All(parts):
            return all(map(_may_be_empty, parts))
        case Any(parts):
            return any(map(_may_be_empty, parts))
    return isinstance(node, Maybe)


@cache
def _rules() -> MappingProxyType[str, Node]:
    split = (line.partition("#")[0].partition("=") for line in RULES.strip().splitlines())
    return MappingProxyType({name.strip(): _Reader(text).alternatives() for name, _, text in split})


@cache
def _names() -> MappingProxyType[str, str]:
    lines = [line for line in RULES.strip().splitlines() if "#" in line]
    return MappingProxyType(
        {line.partition("=")[0].strip(): line.partition("#")[2].strip() for line in lines}
    )


class _Reader:
    """Reads the right side of a rule."""

    def __init__(self, text: str) -> None:
        self._pieces = [*_PIECE.findall(text), ""]

    def alternatives(self) -> Node:
        found = [self._sequence()]
        while self._pieces[0] == "|":
            self._pieces.pop(0)
            found.append(self._sequence())
        return found[0] if len(found) == 1 else Any(tuple(found))

    def _sequence(self) -> Node:
        found = tuple(self._parts())
        return found[0] if len(found) == 1 else All(found)

    def _parts(self) -> Iterator[Node]:
        while self._pieces[0] not in ("", "|", ")"):
            part = self._part()
            match self._pieces[0]:
                case "?":
                    yield Maybe(part, again=False)
                case "*":
                    yield Maybe(part, again=True)
                case "+":
                    yield part
                    yield Maybe(part, again=True)
                case _:
                    yield part
                    continue
            self._pieces.pop(0)

    def _part(self) -> Node:
        piece = self._pieces.pop(0)
        if piece == "(":
            inner = self.alternatives()
            self._pieces.pop(0)
            return inner
        if piece.startswith("'"):
            return Symbol(piece.strip("'"))
        return Rule(piece) if piece.islower() and not piece.startswith("<") else Symbol(piece)
