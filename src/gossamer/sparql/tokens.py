"""A SPARQL query as words, names, values and marks. Pure; reads whatever it is given.

As the standard has it (SPARQL 1.1, section 19.8), with what is missing an end as a kind of its own.
"""

import re
from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

Kind = Literal["string", "open", "iri", "var", "name", "lang", "number", "word", "mark", "end"]

_TOKEN: Final = re.compile(
    r"""(?P<skip>\s++|\#[^\n\r]*+)"""
    r"""|(?P<string>'''(?:[^'\\]|\\.|'(?!''))*'''"""
    r'''|"""(?:[^"\\]|\\.|"(?!""))*"""'''
    r"""|'(?!'')(?:[^'\\\n\r]|\\.)*+'"""
    r"""|"(?!"")(?:[^"\\\n\r]|\\.)*+")"""
    r"""|(?P<open>'''.*|\"\"\".*|['"][^\n\r]*+)"""
    # Without a scheme, brackets in it are those of an expression: `1<(2)&&(3)>2`.
    r"""|(?P<iri><(?:[A-Za-z][\w+.-]*+:[^<>"{}|^`\\\s]*+|[^<>"{}|^`\\\s()]*+)>)"""
    r"""|(?P<var>[?$]\w++)"""
    r"""|(?P<lang>@[A-Za-z][\w-]*+)"""
    # Of a bounded length, so that `a.a.a…` is not looked at from each of its letters to its end.
    r"""|(?P<name>(?:[^\W\d][\w.-]{0,99}+)?:(?:(?:[\w:%-]|\\.)(?:[\w:%-]|\\.|\.(?=[\w.:%-]))*+)?)"""
    r"""|(?P<number>(?:\d++(?:\.\d++)?|\.\d++)(?:[eE][+-]?\d++)?)"""
    r"""|(?P<word>[^\W\d]\w*+)"""
    r"""|(?P<mark>\(\s*+\)|\[\s*+\]|\^\^|\|\||&&|[!<>]=|<<|>>|\{\||\|\}|.)""",
    re.DOTALL,
)


class Token(NamedTuple):
    """A piece of a query that means something."""

    kind: Kind
    text: str
    start: int


def tokens(query: str) -> Iterator[Token]:
    """All of a query but spaces and comments; `open` is a text that does not end."""
    for found in _TOKEN.finditer(query):
        kind = found.lastgroup
        if kind != "skip":
            yield Token(kind, found[0], found.start())  # type: ignore[arg-type]  # a group's name


def place(query: str, offset: int) -> tuple[int, int]:
    """Line and column, both from 1."""
    before = query[:offset]
    return before.count("\n") + 1, offset - before.rfind("\n")
