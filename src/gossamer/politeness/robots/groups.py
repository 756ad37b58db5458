r"""What a robots.txt says to one agent: its lines read, its groups told apart and merged.

A text here is the file with one octet per character (Latin-1), so that no bytes
are wrong, and with each line between two `\n`. Records are found by expressions
over the whole text, because a loop over its lines takes three times as long; each
begins at the `\n` before its line, none looks back, and none tries an octet twice
in the same way, so that all of them are done in one pass.

A run of user-agent lines opens a group; the first user-agent line after a rule
opens the next. Other records end nothing (RFC 9309 section 2.2.4). Only what is
said to the agent is read further.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from gossamer.politeness.robots.octets import PLAIN, compared_patterns, has_bare_query
from gossamer.politeness.robots.wild import is_wild

EVERYONE: Final = "*"
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
    r"(user[ -]?agent|site-?map|crawl[ -]?delay|request-rate|content[ _-]?(?:usages?|signals?)"
    r"|(?:dis)?allow[_-]?ai[_-]?training|licen[cs]e)"
)
# Records about the use of content: read as meant for everyone where they stand before all groups.
_OF_USE: Final = ("content", "disallow", "allow", "licen")


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
    """A line of the file for people: as UTF-8, and without what would upset a terminal."""
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


@dataclass(frozen=True, slots=True)
class Group:
    """A group of rules that concerns us, by the line that says so."""

    agent: str  # the product token of that line in lower case, or `*`
    line_number: int

    def __str__(self) -> str:
        return f"User-agent: {self.agent}, line {self.line_number}"


@dataclass(frozen=True, slots=True)
class RuleLine:
    """Where a rule stands."""

    group: Group
    line_number: int
    line: str  # printable


class Record(NamedTuple):
    """A line that is neither rule nor user-agent: how fast to be, where the sitemap is."""

    name: str  # in lower case
    value: str  # octets
    start: int  # where in the text


class Part(NamedTuple):
    """A part of the text that speaks to us: up to the next user-agent line."""

    start: int
    end: int
    group_start: int  # of the user-agent line that speaks to us


class Patterns(NamedTuple):
    """Patterns in the forms that are compared, and whether they allow."""

    literal: dict[str, bool]
    wild: dict[str, bool]
    bare: dict[str, bool]  # of either kind: with bare delimiters in a query

    def kind_of(self, pattern: str) -> dict[str, bool]:
        """The patterns of the same kind as a pattern: literal, wild, or with a bare query."""
        if has_bare_query(pattern):
            return self.bare
        return self.wild if is_wild(pattern) else self.literal


class Groups:
    """What a text says to one agent."""

    def __init__(self, agent: str, text: str) -> None:
        self.agent = agent  # in lower case; `*` where the text has no word for the agent itself
        self.text = text
        self.parts: list[Part] = []
        self.wishes: list[Record] = []  # records of ours that are no rules
        self.unaddressed: list[Record] = []  # about the use of content, before the first group

    def lines(self) -> tuple[Group, ...]:
        """The groups that are merged here, in the order of the file."""
        starts = dict.fromkeys(part.group_start for part in self.parts)
        return tuple(Group(self.agent, number) for number in line_numbers(self.text, starts))

    def patterns(self) -> Patterns:
        """The patterns of all rules; of two rules with one pattern, the one that allows counts."""
        patterns = Patterns({}, {}, {})
        literal = patterns.literal
        for start, end, _ in self.parts:
            for allow, plain, other in RULE.findall(self.text, start, end):
                for pattern in (plain,) if plain else _forms(other):
                    kind = literal if plain else patterns.kind_of(pattern)
                    if allow:
                        kind[pattern] = True
                    else:
                        kind.setdefault(pattern, False)
        return patterns

    def find_rule(self, pattern: str, allowed: bool) -> RuleLine | None:
        """The first line that has a rule with this pattern, in the form that is compared."""
        place = self._places.get((pattern, allowed))
        if place is None:
            return None
        group_number, number = line_numbers(self.text, place)
        return RuleLine(Group(self.agent, group_number), number, line_at(self.text, place[1]))

    @cached_property
    def _places(self) -> dict[tuple[str, bool], tuple[int, int]]:
        """Where each rule's group and the rule itself begin.

        Noted when somebody first asks why: reading a file would take twice as long.
        """
        places: dict[tuple[str, bool], tuple[int, int]] = {}
        for start, end, group_start in self.parts:
            for found in RULE.finditer(self.text, start, end):
                allow, plain, other = found.groups(default="")
                for pattern in (plain,) if plain else _forms(other):
                    places.setdefault((pattern, bool(allow)), (group_start, found.start()))
        return places


def read_groups(agent: str, text: str) -> tuple[Groups, list[Record]]:
    """What a text says to an agent, or else to everyone; and its sitemaps, which are in no group."""
    agent = agent.lower()
    said_to = {EVERYONE: Groups(EVERYONE, text), agent: Groups(agent, text)}
    listening: dict[str, int] = {}  # who of the two is, and since which user-agent line
    sitemaps: list[Record] = []
    unaddressed: list[Record] = []
    part_start = 0
    has_begun = False  # whether any group has

    def end_part(end: int) -> None:
        for token, group_start in listening.items():
            said_to[token].parts.append(Part(part_start, end, group_start))
        if listening and RULE.search(text, part_start, end):
            listening.clear()

    for found in OTHER_RECORD.finditer(text):
        record = Record(found[1].lower(), found[2], found.start())
        if record.name.startswith("user"):
            has_begun = True
            end_part(record.start + 1)  # with the `\n` at which the last line before it ends
            part_start = found.end()
            token = product_token(record.value)
            if token in said_to:
                listening.setdefault(token, record.start)
        elif record.name.startswith("site"):
            sitemaps.append(record)
        elif not has_begun and record.name.startswith(_OF_USE):
            unaddressed.append(record)
        else:
            # To those named so far: `User-agent: slow`, `Crawl-delay: 10`, `User-agent: *`
            # slows one agent, even where a rule that follows is for both.
            for token in listening:
                said_to[token].wishes.append(record)
    end_part(len(text))
    ours = said_to[agent] if said_to[agent].parts else said_to[EVERYONE]
    ours.unaddressed = unaddressed
    return ours, sitemaps


def _forms(value: str) -> tuple[str, ...]:
    """The forms of a value to compare; none for an empty one, which is no rule."""
    value = value.rstrip(" \t\v\f")
    return compared_patterns(value) if value else ()
