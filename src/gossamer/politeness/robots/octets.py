"""The form in which rules and paths are compared: RFC 9309 section 2.2.2.

A text here holds one octet per character (Latin-1), so that bytes that are no
UTF-8 pass through like any others. In the compared form, unreserved octets stand
as themselves, reserved ones as they were written, all others as `%XX` in upper
case. What is `*` or `$` in a URL is `%2A` or `%24` here: in a rule the bare
characters mean something (section 2.2.3).
"""

import re
from typing import Final

# Reserved octets other than `*` and `$`, and all unreserved ones.
_AS_WRITTEN: Final = r"A-Za-z0-9\-._~:/?#\[\]@!&'()+,;="
_OTHER = re.compile(rf"%[0-9A-Fa-f]{{2}}|[^{_AS_WRITTEN}]")
# What is made of these alone is the same in every form: no `%`, no `*` and `$`, no query.
PLAIN: Final = r"A-Za-z0-9\-._~:/\[\]@!&'()+,;="
_PLAIN_PATH = re.compile(rf"[{PLAIN}]*+(?:\?[A-Za-z0-9\-._~!&'()+,;=]*+)?")
_OTHER_IN_PATTERN = re.compile(rf"[^{_AS_WRITTEN}*]")
_UNRESERVED: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_QUERY_DELIMITER = re.compile(r"[:/?#\[\]@]")


def octets_of(text: str) -> str:
    """A text as its UTF-8 octets, one character each; lone surrogates included."""
    return text if text.isascii() else text.encode("utf-8", "surrogatepass").decode("latin-1")


def normal_path(path: str) -> str:
    """A URL's path and query in the form in which they are compared."""
    return _normal(octets_of(path))


def normal_pattern(pattern: str) -> str:
    """A rule's pattern, given as octets, with `*` and a final `$` kept as what they mean."""
    if not _OTHER_IN_PATTERN.search(pattern):
        return pattern
    anchor = "$" if pattern.endswith("$") else ""
    return "*".join(map(_normal, pattern.removesuffix("$").split("*"))) + anchor


def compared_paths(path: str) -> tuple[str, ...]:
    """The forms of a URL's path and query that are compared with the forms of patterns."""
    if _PLAIN_PATH.fullmatch(path):  # nearly all are
        return (path,)
    return _with_query_encoded(normal_path(path))


def compared_patterns(pattern: str) -> tuple[str, ...]:
    """The forms of a pattern, given as octets, of which one has to match a form of the path.

    Two, where there is a query with delimiters in it: a pattern that begins with a
    wild card need not show that it is about a query, so the form as written counts too.
    """
    return _with_query_encoded(normal_pattern(pattern))


def has_bare_query(text: str) -> bool:
    """Whether a normal path or pattern has a query with delimiters as they are: the first of two forms."""
    mark = text.find("?")
    return mark >= 0 and _QUERY_DELIMITER.search(text, mark + 1) is not None


def _with_query_encoded(path: str) -> tuple[str, ...]:
    """A normal path or pattern, and the same with the delimiters in its query encoded.

    The RFC's table compares `?baz=https://foo.bar` as `?baz=https%3A%2F%2Ffoo.bar`:
    in a query these octets delimit nothing, so both spellings mean the same.
    """
    if not has_bare_query(path):
        return (path,)
    before, mark, query = path.partition("?")
    return (path, before + mark + _QUERY_DELIMITER.sub(_encoded, query))


def _normal(text: str) -> str:
    return _OTHER.sub(_normal_octet, text) if _OTHER.search(text) else text


def _normal_octet(found: re.Match[str]) -> str:
    octet = found[0]
    if len(octet) == 1:
        return _encoded(found)
    decoded = chr(int(octet[1:], 16))
    return decoded if decoded in _UNRESERVED else octet.upper()


def _encoded(found: re.Match[str]) -> str:
    return f"%{ord(found[0]):02X}"
