r"""The records in the text of a robots.txt: what its lines say, whatever shape they are in.

A text here is the file with one octet per character (Latin-1), so that no bytes
are wrong, and with each line between two `\n`. Records are found by expressions
over the whole text, because a loop over its lines takes three times as long; each
begins at the `\n` before its line, none looks back, and none tries an octet twice
in the same way, so that all of them are done in one pass.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from gossamer.politeness.robots.octets import PLAIN

MAX_ROBOTS_BYTES: Final = 512 * 1024  # RFC 9309 section 2.5 asks for 500 KiB or more

# Cut short by a careless editor, a mark is still no part of the first line.
_BYTE_ORDER_MARK = re.compile(rb"\xef(?:\xbb\xbf?)?")
_MAX_SHOWN: Final = 500  # octets of a line that people are shown; rules are far shorter

_SPACE: Final = r"[ \t\v\f]"
_WORD: Final = r"[^ \t\v\f\n#]++"
# A colon; or none, where the line has two words: `disallow /` can mean nothing else.
_SEPARATOR: Final = rf"{_SPACE}*+(?::{_SPACE}*+|(?<={_SPACE})(?={_WORD}{_SPACE}*+[#\n]))"
_VALUE: Final = r"([^#\n]*+)"
# A rule is meant, however it is misspelled.
_DISALLOW: Final = r"(?:disallow|dissallow|dissalow|disalow|diasllow|disallaw)"
_TOKEN = re.compile(rf"[A-Za-z0-9_-]+|\*(?={_SPACE}|$)")


def _record(names: str, value: str = _VALUE) -> re.Pattern[str]:
    # Only names are read without regard to case: it makes sets of characters slow.
    return re.compile(rf"\n{_SPACE}*+(?i:{names}){_SEPARATOR}{value}")


# The value of a plain rule is ready to be compared; any other has to be made so.
_RULE_VALUE: Final = rf"(?:([{PLAIN}]*+){_SPACE}*+(?=[#\n])|{_VALUE})"

# Groups: allow (or nothing), a plain value, any other value.
RULE: Final = _record(rf"(?:(allow)|{_DISALLOW})", _RULE_VALUE)
# Groups: the name, the value.
OTHER_RECORD: Final = _record(
    r"(user[ -]?agent|site-?map|crawl[ -]?delay|request-rate|content-usage)"
)


def readable_part(body: bytes) -> bytes:
    """What we read of a body: all of it, or the whole lines within the limit."""
    if len(body) <= MAX_ROBOTS_BYTES:
        return body
    # One octet further: a line that ends right at the limit is whole.
    end = max(body.rfind(ending, 0, MAX_ROBOTS_BYTES + 1) for ending in (b"\n", b"\r"))
    return body[: max(end, 0)]


def text_of(body: bytes) -> str:
    """The text in which records are found."""
    body = readable_part(body)
    mark = _BYTE_ORDER_MARK.match(body)
    if mark:
        body = body[mark.end() :]
    if b"\r" in body:
        body = body.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return f"\n{body.decode('latin-1')}\n"


def line_numbers(text: str, starts: Iterable[int]) -> Iterator[int]:
    """The numbers, from 1, of the lines whose records begin at these places, in ascending order."""
    number, counted = 1, 0
    for start in starts:
        # Counted on from the last one: a file may be all records.
        number += text.count("\n", counted, start)
        counted = start
        yield number


def line_at(text: str, start: int) -> str:
    """That line for people: as UTF-8, and without what would upset a terminal."""
    end = text.index("\n", start + 1)
    octets = text[start + 1 : min(end, start + 1 + _MAX_SHOWN)]
    shown = octets.encode("latin-1").decode("utf-8", "replace").strip()
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in shown)


def product_token(value: str) -> str | None:
    """The product token that a user-agent value begins with, in lower case.

    `gossamer/2.1` names gossamer. Digits count, though the RFC's grammar has none:
    there are agents called so, and `gossamer2` is not gossamer.
    """
    found = _TOKEN.match(value)
    return found[0].lower() if found else None
