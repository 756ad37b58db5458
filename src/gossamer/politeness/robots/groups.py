"""What a robots.txt says to one agent: its groups, told apart and merged.

A run of user-agent lines opens a group; the first user-agent line after a rule
opens the next. Other records end nothing (RFC 9309 section 2.2.4). Only what is
said to the agent is read further.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from gossamer.politeness.robots.lines import (
    OTHER_RECORD,
    RULE,
    line_at,
    line_numbers,
    product_token,
)
from gossamer.politeness.robots.octets import compared_patterns, has_bare_query
from gossamer.politeness.robots.wild import is_wild

EVERYONE: Final = "*"


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
        """Those to which a pattern belongs."""
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
    part_start = 0

    def end_part(end: int) -> None:
        for token, group_start in listening.items():
            said_to[token].parts.append(Part(part_start, end, group_start))
        if listening and RULE.search(text, part_start, end):
            listening.clear()

    for found in OTHER_RECORD.finditer(text):
        record = Record(found[1].lower(), found[2], found.start())
        if record.name.startswith("user"):
            end_part(record.start + 1)  # with the `\n` at which the last line before it ends
            part_start = found.end()
            token = product_token(record.value)
            if token in said_to:
                listening.setdefault(token, record.start)
        elif record.name.startswith("site"):
            sitemaps.append(record)
        else:
            # To those named so far: `User-agent: slow`, `Crawl-delay: 10`, `User-agent: *`
            # slows one agent, even where a rule that follows is for both.
            for token in listening:
                said_to[token].wishes.append(record)
    end_part(len(text))
    ours = said_to[agent]
    return ours if ours.parts else said_to[EVERYONE], sitemaps


def _forms(value: str) -> tuple[str, ...]:
    """The forms of a value to compare; none for an empty one, which is no rule."""
    value = value.rstrip(" \t\v\f")
    return compared_patterns(value) if value else ()
