"""What is wrong with a query, as a sentence for whoever wrote it, with line and column. Pure."""

import re
from difflib import get_close_matches
from typing import Final

from gossamer.sparql.grammar import FUNCTIONS, WORDS, Departure, departure, symbols
from gossamer.sparql.prefixes import PREFIXES
from gossamer.sparql.shape import declared
from gossamer.sparql.tokens import Token, place, tokens

MOST_OF_A_MESSAGE: Final = 300
NEARNESS: Final = 0.8  # of two words, from 0 to 1: LIMT is near LIMIT, FOO is not near FLOOR
MOST_NAMED: Final = 6  # of what could stand somewhere; more of it helps nobody
_PLACE: Final = re.compile(r"error at (\d+):(\d+): (.*)", re.DOTALL)
_SENTENCE: Final = re.compile(r"(?<![\w'])[A-Z]\w*+(?: \w++){2,}")
_FORMS: Final = ("SELECT", "ASK", "CONSTRUCT", "DESCRIBE")
_UPDATES: Final = (
    *("INSERT", "DELETE", "LOAD", "CLEAR", "DROP"),
    *("CREATE", "ADD", "MOVE", "COPY", "WITH"),
)
# What the engine reads and the standard of 2013 does not have: there our grammar is no judge.
_NEWER: Final = frozenset({"<<", ">>", "{|", "|}", "~", "LATERAL", "VERSION", "TRIPLE", "ADJUST"})
_COMPUTING: Final = frozenset({"<function>", "COUNT", "GROUP_CONCAT"})
_CLASSES: Final = {
    "<integer>": "a whole number",
    "<var>": "a variable",
    "<iri>": "an IRI in “< >”",
    "<prefix>": "a prefix with its colon, as in “ex:”,",
    "<string>": "a text in quotation marks",
}
_COLUMN: Final = frozenset({"<var>", "("})
_CLOSING: Final = {")": "(", "]": "[", "}": "{"}


def mistake(message: str, query: str) -> str:
    """A sentence about a query that the engine refused with this message."""
    told = _PLACE.search(message)
    if told is None:
        return f"This is no SPARQL query: {shortened(message)}"
    found = _unended(query) or _undeclared(query) or _ungrammatical(query)
    return f"This is no SPARQL query: {found or _engines_own(told, query)}"


def shortened(message: str) -> str:
    """A message of the engine on one line, fit to be read."""
    text = " ".join(message.split())
    return text if len(text) <= MOST_OF_A_MESSAGE else f"{text[:MOST_OF_A_MESSAGE]}…"


def _at(query: str, token: Token, what: str) -> str:
    line, column = place(query, token.start)
    return f"line {line}, column {column}: {what}"


def _unended(query: str) -> str | None:
    for token in tokens(query):
        if token.kind == "open":
            mark = token.text[:3] if token.text[:3] in ("'''", '"""') else token.text[0]
            return _at(query, token, f"this text is not closed; {mark} is missing.")
    return None


def _undeclared(query: str) -> str | None:
    """The first name whose prefix nobody knows, or that is an address."""
    known = {*PREFIXES, *declared(query), "_"}
    before = Token("end", "", 0)
    for token in tokens(query):
        prefix = token.text.partition(":")[0]
        if token.kind == "name" and before.text.upper() not in ("PREFIX", "<"):
            if query.startswith("//", token.start + len(prefix) + 1):
                return _at(query, token, "an IRI stands between “<” and “>”.")
            if prefix not in known:
                return _at(query, token, f"the prefix {prefix}: is neither usual nor declared.")
        before = token
    return None


def _ungrammatical(query: str) -> str | None:
    if any(token.text.upper() in _NEWER for token in tokens(query)):
        return None
    found = departure(query)
    if found is None:
        return None
    if found.token.kind == "end":
        if found.before is None:
            return _at(query, Token("end", "", 0), f"it is empty; {_no_beginning('')}")
        last = found.before._replace(start=found.before.start + len(found.before.text) - 1)
        return _at(query, last, f"the query ends too early: {_unended_part(query, found)}.")
    return _at(query, found.token, _misplaced(query, found))


def _unended_part(query: str, found: Departure) -> str:
    assert found.before is not None
    closing = {opening: mark for mark, opening in _CLOSING.items()}
    if found.within and closing[found.within[-1].text] in found.could:
        line, column = place(query, found.within[-1].start)
        return f"the “{found.within[-1].text}” of line {line}, column {column} is not closed"
    return f"{_wanted(found)} is missing after “{_cut(found.before)}”"


def _misplaced(query: str, found: Departure) -> str:
    token = found.token
    if found.could >= {*_FORMS}:
        return _no_beginning(token.text)
    if token.text in _CLOSING and _CLOSING[token.text] != _around(found):
        return _unlike_brackets(query, found)
    if token.text == "<" and "<iri>" in found.could:
        return "an IRI begins here that does not end: it has a “>” at its end, and no spaces in it."
    if found.could == {"<prefix>"}:
        return f"the prefix needs a colon, as in {_cut(token)}:."
    if symbols(token) & _COMPUTING and found.could >= _COLUMN and not _COMPUTING & found.could:
        return f"what is computed stands in brackets, with a name: ({token.text}(…) AS ?name)."
    if token.kind == "word" and not symbols(token) & WORDS and found.could != {"<integer>"}:
        return _unknown(token.text, found)
    return f"“{_cut(token)}” cannot stand here{_instead(found)}."


def _around(found: Departure) -> str:
    return found.within[-1].text if found.within else ""


def _unlike_brackets(query: str, found: Departure) -> str:
    mark = found.token.text
    if _CLOSING[mark] not in {token.text for token in found.within}:
        return f"“{mark}” closes nothing."
    opened = found.within[-1]
    line, column = place(query, opened.start)
    return (
        f"the “{opened.text}” of line {line}, column {column} is not closed before this “{mark}”."
    )


def _unknown(word: str, found: Departure) -> str:
    here = sorted(found.could & WORDS) + sorted(FUNCTIONS if "<function>" in found.could else ())
    for words in (here, sorted(WORDS)):
        for near in get_close_matches(word.upper(), words, 1, NEARNESS):
            return f"SPARQL has no word “{_short(word)}”. Do you mean {near}?"
    short = _short(word)
    return f"SPARQL has no word “{short}”. A variable would be ?{short}, a text '{short}'."


def _no_beginning(word: str) -> str:
    if word.upper().startswith(_UPDATES):
        return f"{word.upper()} would change the graph. Here it can be asked, not changed."
    return "a query begins with SELECT, ASK, CONSTRUCT or DESCRIBE."


def _wanted(found: Departure) -> str:
    if found.missing is not None:
        return found.missing
    return _named(*found.could) if len(found.could) == 1 else "something"


def _instead(found: Departure) -> str:
    """What is missing, as far as that can be told."""
    could = found.could
    if found.missing is not None or len(could) == 1:
        is_class = found.missing is None and all(map(_is_class, could))
        return f": {_wanted(found)} is {'wanted' if is_class else 'missing'}"
    if "AS" in could and found.token.kind == "var":
        return ": AS is missing before it"
    if ")" in could and _around(found) == "(":
        return f": “)”{' or “,”' if ',' in could else ''} is missing before it"
    if {".", ";", ","} <= could:
        return ": “.”, “;” or “,” is missing before it"
    if len(could) > MOST_NAMED or any(_is_class(each) and each not in _CLASSES for each in could):
        return ""
    return f"; {' or '.join(map(_named, sorted(could)))} could"


def _is_class(symbol: str) -> bool:
    return symbol.startswith("<") and symbol.endswith(">")


def _named(symbol: str) -> str:
    return _CLASSES.get(symbol) or f"“{symbol}”"


def _engines_own(told: re.Match[str], query: str) -> str:
    """What the engine says, where it speaks in sentences; its place is a hint, and may be the end."""
    lines = query.split("\n")
    line = min(int(told[1]), len(lines))
    column = min(int(told[2]), max(len(lines[line - 1]), 1))
    said = _SENTENCE.search(told[3])
    what = f"{shortened(said[0])}." if said else "this, or what stands before it, cannot be read."
    return f"line {line}, column {column}: {what}"


def _cut(token: Token) -> str:
    return _short(token.text)


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 40 else f"{text[:39]}…"
