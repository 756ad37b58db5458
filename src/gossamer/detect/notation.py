"""Distinguishes Turtle, TriG, N-Triples and N-Quads by the form of their lines.

Only what is sure counts: prose with a bit of Turtle in it is prose.
"""

import re
from typing import Final

from gossamer.model import Evidence, Syntax

_HEAD: Final = 8 * 1024
_GRAPH_HEAD: Final = 64 * 1024  # a first graph may come after a page of prefixes

_IRI: Final = rb'<[^\x00-\x20<>"{}|^`]*+>'
_ABSOLUTE: Final = rb'<[A-Za-z][A-Za-z0-9+.-]*+:[^\x00-\x20<>"{}|^`]*+>'
_BLANK: Final = rb"_:[\w\x80-\xff](?:[\w.\x80-\xff-]*[\w\x80-\xff-])?"
_LITERAL: Final = (
    rb'"(?:[^"\\\r\n]|\\.)*+"(?:@[A-Za-z]++(?:-[A-Za-z0-9]+)*+(?:--(?:ltr|rtl))?|\^\^'
    + _ABSOLUTE
    + rb")?"
)
_NODE: Final = rb"(?:" + _ABSOLUTE + rb"|" + _BLANK + rb")"
_LINE: Final = re.compile(
    _NODE
    + rb"[ \t]*+"
    + _ABSOLUTE
    + rb"[ \t]*+(?:"
    + _NODE
    + rb"|"
    + _LITERAL
    + rb")[ \t]*+("
    + _NODE
    + rb"[ \t]*+)?\.[ \t]*+(?:#.*)?"
)
_BLANKS: Final = rb"(?:[\x00-\x20]|\xef\xbb\xbf|#[^\r\n]*+)*+"
_DIRECTIVE: Final = (
    rb"(?:@prefix\s+[\w.\x80-\xff-]*+:\s*+" + _IRI + rb"\s*+\."
    rb"|@base\s++" + _IRI + rb"\s*+\."
    rb"|(?i:prefix)\s++[\w.\x80-\xff-]*+:\s*+" + _IRI + rb"|(?i:base)\s++" + _IRI + rb")"
)
_DIRECTIVES: Final = re.compile(_BLANKS + rb"((?:" + _DIRECTIVE + _BLANKS + rb")++)(\w*+)")
_QUERY_WORDS: Final = frozenset(
    (
        *(b"select", b"construct", b"ask", b"describe", b"insert", b"delete", b"with"),
        *(b"load", b"clear", b"create", b"drop", b"copy", b"move", b"add"),
    )
)
# `<p> a <b>` is HTML as well as Turtle: a relative subject must look like nothing else.
_SUBJECT: Final = rb"(?:" + _NODE + rb"|<(?:[#.][^\x00-\x20<>]*+)?>|\[\s*+(?:\]\s*+)?)"
_STATEMENT: Final = re.compile(
    _BLANKS + _SUBJECT + rb"\s*+(?:a\s|" + _ABSOLUTE + rb""")\s*+(?:<[^\s<>]*+>|_:|["'\[(0-9+-])"""
)
_GRAPH: Final = re.compile(
    _BLANKS
    + rb"(?:(?i:graph)\s*+)?(?:"
    + _NODE
    + rb"|\[\s*+\])?\s*+\{"
    + _BLANKS
    + rb"(?:"
    + _SUBJECT
    + rb"\s*+(?:a\s|<)|(?<=[>\]a-z0-9]\{)\})"
)
# Everything in which a brace means nothing, or a brace that is not an annotation's (RDF 1.2, `{|`). A text that does not end goes to the end of
# the line, or of all: else each of its marks would be looked at to the end.
_BRACE: Final = re.compile(
    rb'"""(?:(?:[^"\\]|\\.|"(?!""))*+"""|.*+)'
    rb"|'''(?:(?:[^'\\]|\\.|'(?!''))*+'''|.*+)"
    rb'|"(?:(?:[^"\\\r\n]|\\.)*+"|[^\r\n]*+)'
    rb"|'(?:(?:[^'\\\r\n]|\\.)*+'|[^\r\n]*+)"
    rb"|<[^\x00-\x20<>]*+>|#[^\r\n]*+|(\{)(?!\|)",
    re.DOTALL,
)
_PLAUSIBLE: Final = re.compile(_BLANKS + rb"(?:[@<_\[(:{]|[\w.-]++:|(?i:prefix|base|graph)\s)")


def notation(text: bytes) -> Evidence | None:
    """The RDF syntax of a text if it is certain; otherwise None."""
    if (lines := _by_lines(text)) is not None:
        return lines
    directives = _DIRECTIVES.match(text, 0, _GRAPH_HEAD)
    if directives and directives[2].lower() not in _QUERY_WORDS:
        return _turtle_or_trig(text, "it begins with prefixes")
    if _STATEMENT.match(text, 0, _HEAD):
        return _turtle_or_trig(text, "it begins with a statement")
    if _GRAPH.match(text, 0, _HEAD):
        return Evidence(Syntax.TRIG, "it begins with a graph")
    return None


def plausible(text: bytes) -> bool:
    """Whether a text may be one of the four: enough if the URL says so too."""
    return _PLAUSIBLE.match(text, 0, _HEAD) is not None


def begins_with_a_line(text: bytes) -> bool:
    """Whether the first line is a whole statement, as in N-Triples and N-Quads."""
    lines = _whole_lines(text)
    return bool(lines) and _LINE.fullmatch(lines[0]) is not None


def _by_lines(text: bytes) -> Evidence | None:
    lines = _whole_lines(text)
    first = _LINE.fullmatch(lines[0]) if lines else None
    if first is None:
        return None
    found = [match for line in lines if (match := _LINE.fullmatch(line))]
    # A broken line in ten does not make it something else.
    if len(lines) - len(found) > len(lines) // 10:
        return None
    if any(match[1] for match in found):
        return Evidence(Syntax.N_QUADS, "its lines are quads")
    return Evidence(Syntax.N_TRIPLES, "its lines are triples")


def _whole_lines(text: bytes) -> list[bytes]:
    """The lines of the head that say something, without one that goes on behind it."""
    lines = text[:_HEAD].removeprefix(b"\xef\xbb\xbf").splitlines()
    if len(text) > _HEAD:
        lines.pop()
    stripped = (line.strip(b" \t\x00") for line in lines)
    return [line for line in stripped if line and not line.startswith(b"#")]


def _turtle_or_trig(text: bytes, why: str) -> Evidence:
    braces = _BRACE.finditer(text, 0, _GRAPH_HEAD) if b"{" in text[:_GRAPH_HEAD] else iter(())
    if any(brace[1] for brace in braces):
        return Evidence(Syntax.TRIG, f"{why} and holds graphs")
    return Evidence(Syntax.TURTLE, why)
