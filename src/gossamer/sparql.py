"""Whether a SPARQL query would have the engine send requests of its own. Pure.

The engine's parser keeps no words apart: `1SERVICE?x{…}`, `SERVICESILENT<…>{…}` and
`SERVICEex:a{…}` all reach out. So nothing is asked of the letters around the word; what may hold
it without meaning it (strings, IRIs, comments, variables, names) is taken away first. Update needs
no guard: what asks a store for answers cannot parse one.
"""

import re
from typing import Final

_OPAQUE: Final = re.compile(
    r"'''(?:[^'\\]|\\.|'(?!''))*'''"
    r'|"""(?:[^"\\]|\\.|"(?!""))*"""'
    r"|'(?:[^'\\\n\r]|\\.)*'"
    r'|"(?:[^"\\\n\r]|\\.)*"'
    r"|<[^<>\"{}|^`\\\s]*>"
    r"|\#[^\n\r]*"
    r"|[?$]\w+"
    r"|(?P<prefix>[\w.-]*+):(?:[\w:%\\-][\w.:%\\-]*)?"  # a local name cannot begin with a full stop
    r"|(?P<word>[\w.-]++)",  # as a whole: looked at from each of its letters, it would take long
    re.DOTALL,
)
_WORD: Final = "service"
# A name whose prefix holds the word may be the word and a name: then a group follows.
_NAME_WITH_WORD: Final = "\0"
_REACHES_OUT: Final = re.compile(rf"{_WORD}|{_NAME_WITH_WORD}\s*{{", re.IGNORECASE)
# SPARQL 1.1, section 19.2: these are read before anything else.
_ESCAPE: Final = re.compile(r"\\u([0-9A-Fa-f]{4})|\\U(00(?:0[0-9A-Fa-f]|10)[0-9A-Fa-f]{4})")


def asks_others(query: str) -> bool:
    """Whether the query has a SERVICE in it; rather too often than once too seldom."""
    # The standard has escapes read first, the engine reads those in strings alone. Either
    # reading can hide what the other shows, so both count.
    written_out = _ESCAPE.sub(lambda match: chr(int(match[1] or match[2], 16)), query)
    return any(
        _REACHES_OUT.search(_OPAQUE.sub(_what_counts, text)) for text in (query, written_out)
    )


def _what_counts(match: re.Match[str]) -> str:
    if match["word"]:
        return match["word"]
    return f" {_NAME_WITH_WORD} " if _WORD in (match["prefix"] or "").lower() else " "
