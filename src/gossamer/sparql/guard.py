"""Whether a SPARQL query is one that we ask at all. Pure.

It must not have the engine send requests, nor use up its stack. The engine's parser keeps no words
apart: `1SERVICE?x{…}`, `SERVICESILENT<…>{…}` and `SERVICEex:a{…}` all reach out. So nothing is asked of the letters around the word; what may hold
it without meaning it (strings, IRIs, comments, variables, names) is taken away first. Where that
cannot be told for certain, the answer is yes. Update needs no guard: what asks a store for answers
cannot parse one.
"""

import re
from typing import Final

from gossamer.sparql.shape import MOST_DEEP, MOST_IN_A_ROW, too_deep
from gossamer.sparql.tokens import place, tokens

_OPAQUE: Final = re.compile(
    r"'''(?:[^'\\]|\\.|'(?!''))*+'''"
    r'|"""(?:[^"\\]|\\.|"(?!""))*+"""'
    r"|'(?!'')(?:[^'\\\n\r]|\\.)*+'"
    r'|"(?!"")(?:[^"\\\n\r]|\\.)*+"'
    # A text that does not end: else each mark in it would be looked at to the end.
    r"|(?P<open>'''.*+|\"\"\".*+|['\"][^\n\r]*+)"
    r"|(?P<iri><[^<>\"{}|^`\\\s]*>)"
    r"|\#[^\n\r]*"
    r"|[?$]\w+"
    r"|(?P<prefix>[\w.-]*+):(?:(?:[\w:%-]|\\.)(?:[\w.:%-]|\\.)*)?"  # no full stop comes first
    r"|(?P<word>[\w.-]++)",  # as a whole: looked at from each of its letters, it would take long
    re.DOTALL,
)
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


def refusal(query: str) -> str | None:
    """Why this is never asked, as a sentence; None where it is."""
    if asks_others(query):
        return f"The query is refused: {_where(query)}SERVICE would send requests of its own; leave it out."
    if too_deep(query):
        return (
            f"The query is too deep: {MOST_DEEP} brackets within each other, or {MOST_IN_A_ROW:,} "
            "parts in a row, are the most. Ask in several queries."
        )
    return None


def _where(query: str) -> str:
    """Where the word stands, if it is plain to see."""
    for token in tokens(query):
        if token.kind == "word" and _WORD in token.text.casefold():
            line, column = place(query, token.start)
            return f"line {line}, column {column}: "
    return ""


def asks_others(query: str) -> bool:
    """Whether the query has a SERVICE in it; rather too often than once too seldom."""
    # The standard has escapes read first, the engine reads those in strings alone. Either
    # reading can hide what the other shows, so both count.
    written_out = _ESCAPE.sub(lambda match: chr(int(match[1] or match[2], 16)), query)
    return any(_WORD in text.casefold() and _shows(text) for text in (query, written_out))


def _shows(text: str) -> bool:
    return _REACHES_OUT.search(_OPAQUE.sub(_what_counts, text)) is not None


def _what_counts(match: re.Match[str]) -> str:
    if match["word"] or match["open"]:
        return match[0]
    if match["iri"]:
        return " " if _SURELY_AN_IRI.match(match["iri"]) else _DOUBTFUL
    return f" {_NAME_WITH_WORD} " if _WORD in (match["prefix"] or "").casefold() else " "
