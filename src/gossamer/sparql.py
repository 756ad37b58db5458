"""What is told of a SPARQL query: would it have the engine send requests, and what is wrong. Pure.

The engine's parser keeps no words apart: `1SERVICE?x{…}`, `SERVICESILENT<…>{…}` and
`SERVICEex:a{…}` all reach out. So nothing is asked of the letters around the word; what may hold
it without meaning it (strings, IRIs, comments, variables, names) is taken away first. Where that
cannot be told for certain, the answer is yes. Update needs no guard: what asks a store for answers
cannot parse one.
"""

import re
from typing import Final

from gossamer.prefixes import PREFIXES

_OPAQUE: Final = re.compile(
    r"'''(?:[^'\\]|\\.|'(?!''))*'''"
    r'|"""(?:[^"\\]|\\.|"(?!""))*"""'
    r"|'(?:[^'\\\n\r]|\\.)*'"
    r'|"(?:[^"\\\n\r]|\\.)*"'
    r"|(?P<iri><[^<>\"{}|^`\\\s]*>)"
    r"|\#[^\n\r]*"
    r"|[?$]\w+"
    r"|(?P<prefix>[\w.-]*+):(?:(?:[\w:%-]|\\.)(?:[\w.:%-]|\\.)*)?"  # no full stop comes first
    r"|(?P<word>[\w.-]++)",  # as a whole: looked at from each of its letters, it would take long
    re.DOTALL,
)
MOST_OF_A_MESSAGE: Final = 300
_PLACE: Final = re.compile(r"error at (\d+):(\d+): (.*)", re.DOTALL)
_BEGINNING: Final = re.compile(
    r"(?:\s++|\#[^\n\r]*+|BASE\s*+<[^>]*+>|PREFIX\s*+[^\s:<]*+:\s*+<[^>]*+>)*+(\w*)",
    re.IGNORECASE,
)
# What a query begins with, and what stands before it (where that is at fault, the engine says so).
_BEGINNINGS: Final = ("SELECT", "ASK", "CONSTRUCT", "DESCRIBE", "PREFIX", "BASE", "VERSION")
_UPDATES: Final = (
    *("INSERT", "DELETE", "LOAD", "CLEAR", "DROP"),
    *("CREATE", "ADD", "MOVE", "COPY", "WITH"),
)
_DECLARED: Final = re.compile(r"PREFIX\s*+([\w.-]*+):", re.IGNORECASE)
_SENTENCE: Final = re.compile(r"(?<![\w'])[A-Z]\w*+(?: \w++){2,}")
_MARK: Final = re.compile(r'"[^"\w\s]{1,3}"')
_WORD: Final = "service"
# What stands between two comparisons, `1<2)…>`, can look like an IRI and hide the word, or a quote or
# comment that hides it elsewhere. With two slashes it is no expression, and without these marks
# it makes no difference.
_SURELY_AN_IRI: Final = re.compile(r"<(?:[A-Za-z][A-Za-z0-9+.-]*://|[^#')]*>)")
_DOUBTFUL: Final = "\1"
# A name whose prefix holds the word may be the word and a name: then a group follows.
_NAME_WITH_WORD: Final = "\0"
_REACHES_OUT: Final = re.compile(rf"{_WORD}|{_DOUBTFUL}|{_NAME_WITH_WORD}\s*{{", re.IGNORECASE)
# SPARQL 1.1, section 19.2: these are read before anything else.
_ESCAPE: Final = re.compile(r"\\u([0-9A-Fa-f]{4})|\\U(00(?:0[0-9A-Fa-f]|10)[0-9A-Fa-f]{4})")


def asks_others(query: str) -> bool:
    """Whether the query has a SERVICE in it; rather too often than once too seldom."""
    # The standard has escapes read first, the engine reads those in strings alone. Either
    # reading can hide what the other shows, so both count.
    written_out = _ESCAPE.sub(lambda match: chr(int(match[1] or match[2], 16)), query)
    return any(_WORD in text.casefold() and _shows(text) for text in (query, written_out))


def _shows(text: str) -> bool:
    return _REACHES_OUT.search(_OPAQUE.sub(_what_counts, text)) is not None


def _what_counts(match: re.Match[str]) -> str:
    if match["word"]:
        return match["word"]
    if match["iri"]:
        return " " if _SURELY_AN_IRI.match(match["iri"]) else _DOUBTFUL
    return f" {_NAME_WITH_WORD} " if _WORD in (match["prefix"] or "").casefold() else " "


def mistake(message: str, query: str) -> str:
    """A sentence from the engine's message about a query that is none, line and column first."""
    place = _PLACE.search(message)
    if place is None:
        return f"This is no SPARQL query: {shortened(message)}"
    line, column = int(place[1]), int(place[2])
    word = _BEGINNING.search(query)
    assert word is not None  # it may be empty
    if not word[1].upper().startswith(_BEGINNINGS):
        line, column = _line_and_column(query, word.start(1))
        what = _no_beginning(word[1])
    elif (name := _undeclared(query)) is not None:
        line, column = _line_and_column(query, name.start())
        what = f"the prefix {name['prefix']}: is neither usual nor declared."
    else:
        what = _expected(place[3])
    return f"This is no SPARQL query: line {line}, column {column}: {what}"


def _line_and_column(text: str, offset: int) -> tuple[int, int]:
    before = text[:offset]
    return before.count("\n") + 1, offset - before.rfind("\n")


def _no_beginning(word: str) -> str:
    if word.upper().startswith(_UPDATES):
        return f"{word.upper()} would change the graph. Here it can be asked, not changed."
    return "a query begins with SELECT, ASK, CONSTRUCT or DESCRIBE."


def _undeclared(query: str) -> re.Match[str] | None:
    """The first name whose prefix nobody knows: the engine often stops elsewhere for its sake."""
    known = {*PREFIXES, *_DECLARED.findall(query), None, "_"}
    for name in _OPAQUE.finditer(query):
        if name["prefix"] not in known and not query.startswith("//", name.end()):
            return name
    return None


def _expected(what: str) -> str:
    """What could stand there: of all that the engine names, the sentences and the marks."""
    said = _SENTENCE.search(what)
    if said is not None:
        return f"{shortened(said[0])}."
    # Words are left out: the engine names the odd ones, such as LATERAL where an object is missing.
    marks = _MARK.findall(shortened(what))
    hint = f"; {' or '.join(marks)} could stand here" if marks else ""
    return f"this, or what stands just before it, cannot be read{hint}."


def shortened(message: str) -> str:
    """A message of the engine on one line, fit to be read."""
    text = " ".join(message.split())
    return text if len(text) <= MOST_OF_A_MESSAGE else f"{text[:MOST_OF_A_MESSAGE]}…"
