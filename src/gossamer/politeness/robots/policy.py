"""What one robots.txt permits us: RFC 9309. Handed bytes; never fetches, never raises.

Only the groups that concern our agent are kept. The choices that the RFC leaves
open, and the few in which we are kinder than it asks, are in
`docs/decisions/0005-robots-txt.md`.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Final, Self

from gossamer.model import Url
from gossamer.politeness.delay import LONGEST
from gossamer.politeness.robots.groups import (
    EVERYONE,
    Group,
    Groups,
    Record,
    line_numbers,
    read_groups,
    text_of,
)
from gossamer.politeness.robots.matcher import NO_RULE, Best, Matcher, PathPattern, compared_places
from gossamer.politeness.robots.octets import compared_paths, normal_path
from gossamer.politeness.robots.places import Places
from gossamer.politeness.usage import Signal, UsageLine, usage_line
from gossamer.urls.parts import path_of

MAX_DELAY_SECONDS: Final = LONGEST.total_seconds()
_NUMBER: Final = r"\d{1,12}(?:\.\d{0,6})?|\.\d{1,6}"
_CRAWL_DELAY = re.compile(rf"({_NUMBER})\s*(?:s|secs?|seconds?)?", re.ASCII | re.IGNORECASE)
_REQUEST_RATE = re.compile(
    rf"(\d{{1,12}})\s*/\s*({_NUMBER})\s*([smhd]?)(?:\s.*)?", re.ASCII | re.IGNORECASE
)
_UNIT_SECONDS: Final = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 24 * 3600}
ROBOTS_PATH: Final = "/robots.txt"
MAX_USAGES: Final = 256  # lines about use that are read; each is compared with every page
MAX_LICENSES: Final = 8  # addresses of licences that are read: a site that means it has one or two
_AN_ADDRESS: Final = ("https://", "http://", "/")
NO_RULES: Final = Matcher({}, {})
NOTHING_SAID: Final = Groups(EVERYONE, "")


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether a URL may be fetched, and on whose word."""

    allowed: bool
    group: Group | None  # None where no group concerns us
    line_number: int | None  # of the rule that decided, if one did
    line: str | None  # that line, printable
    why: str  # a sentence


@dataclass(frozen=True, slots=True)
class CrawlDelay:
    """A delay that a robots.txt asks for, and where it does."""

    seconds: float
    line_number: int
    field: str = "Crawl-delay"  # as the site named it: Crawl-delay or Request-rate

    def __str__(self) -> str:
        return f"{self.field}, line {self.line_number}"


@dataclass(frozen=True, slots=True)
class RobotsPolicy:
    """The rules of one origin for one agent."""

    _said: Groups
    crawl_delay: CrawlDelay | None = None
    sitemaps: tuple[str, ...] = ()  # as written: relative ones are the reader's to judge
    usage_lines: tuple[UsageLine, ...] = ()  # Content-Usage, Content-Signal and the like
    licenses: tuple[str, ...] = ()  # addresses of RSL documents, as written
    _usage_patterns: tuple[PathPattern, ...] = ()  # of `usage_lines`, in that order
    _matcher: Matcher = NO_RULES
    _bare: Matcher = NO_RULES  # patterns whose encoded form is above
    _always: Decision | None = None  # the answer to every URL, where there are no rules to ask
    _note: str = ""  # what else people should know, such as how old these rules are

    @classmethod
    def parse(cls, body: bytes, agent: str) -> Self:
        """The policy that a robots.txt states for the agent with this product token."""
        said, sitemaps = read_groups(agent, text_of(body))
        literal, wild, bare = said.patterns()
        usages = _usages(said)
        return cls(
            said,
            crawl_delay=_slowest(said),
            sitemaps=_addresses(sitemaps),
            usage_lines=usages,
            licenses=_licenses(said),
            _usage_patterns=tuple(PathPattern(usage.pattern) for usage in usages),
            _matcher=Matcher(literal, wild),
            _bare=Matcher.of(bare) if bare else NO_RULES,
        )

    @classmethod
    def allow_all(cls, why: str) -> Self:
        """A policy that permits everything, for the reason given."""
        return cls(NOTHING_SAID, _always=Decision(True, None, None, None, why))

    @classmethod
    def deny_all(cls, why: str) -> Self:
        """A policy that permits nothing but robots.txt itself, for the reason given."""
        return cls(NOTHING_SAID, _always=Decision(False, None, None, None, why))

    def noting(self, note: str) -> Self:
        """A policy that adds a sentence to each of its reasons."""
        return replace(self, _note=f" {note}")

    @property
    def groups(self) -> tuple[Group, ...]:
        """The groups that concern us, in the order of the file."""
        return self._said.lines()

    def allows(self, url: Url) -> bool:
        """Whether a URL of this origin may be fetched."""
        path = path_of(url)
        if self._always is not None:
            return self._always.allowed or _is_robots_txt(path)
        rank, _ = self._best(path)
        return rank % 2 == 1 or _is_robots_txt(path)

    def decide(self, url: Url) -> Decision:
        """Whether a URL of this origin may be fetched, with the line that says so."""
        path = path_of(url)
        if _is_robots_txt(path):
            return self._without_rule("robots.txt itself may always be fetched.")
        if self._always is not None:
            return self._always
        rank, pattern = self._best(path)
        allowed = rank % 2 == 1
        rule = self._said.find_rule(pattern, allowed) if pattern else None
        if rule is None:
            return self._without_rule(self._no_rule())
        why = (
            f"Line {rule.line_number} of robots.txt, {rule.line!r} ({rule.group}), "
            "is the longest rule that matches."
        )
        return Decision(allowed, rule.group, rule.line_number, rule.line, why + self._note)

    def usage_of(self, url: Url) -> tuple[UsageLine, ...]:
        """The lines about the use of a URL: of each signal, those with the longest pattern that matches."""
        if not self.usage_lines:
            return ()
        paths = compared_places(path_of(url))
        ranks = [pattern.rank(paths) for pattern in self._usage_patterns]
        longest: dict[Signal, int] = {}
        for line, rank in zip(self.usage_lines, ranks, strict=True):
            longest[line.signal] = max(rank, longest.get(line.signal, NO_RULE[0]))
        about = zip(self.usage_lines, ranks, strict=True)
        return tuple(
            line for line, rank in about if rank == longest[line.signal] and rank != NO_RULE[0]
        )

    def _best(self, path: str) -> Best:
        paths = compared_paths(path)
        best = self._matcher.best(paths[-1])
        return best if len(paths) == 1 else max(best, self._best_as_written(paths[0]))

    def _best_as_written(self, path: str) -> Best:
        """The rule that decides about a path with bare delimiters in its query.

        Bare patterns match no other paths, for they have such delimiters after a `?`.
        If their `?` is the one at which the path's query begins, then the encoded forms
        match too, and count as longer. So they matter only where there is another `?`.
        """
        places = Places(path)
        best = self._matcher.best(path, places)
        return max(best, self._bare.best(path, places)) if path.count("?") > 1 else best

    def _no_rule(self) -> str:
        groups = self.groups
        if not groups:
            return "No group of robots.txt concerns us."
        return f"No rule of our group ({groups[0]}) matches."

    def _without_rule(self, why: str) -> Decision:
        group = next(iter(self.groups), None)
        return Decision(True, group, None, None, why + self._note)


def _is_robots_txt(path: str) -> bool:
    return path == ROBOTS_PATH or ("%" in path and normal_path(path) == ROBOTS_PATH)


def asked_delay(name: str, value: str, line_number: int) -> CrawlDelay | None:
    """The delay that a record asks for; None where it makes no sense, or is about other things."""
    if name == "request-rate":
        return _request_rate(value, line_number)
    return _crawl_delay(value, line_number) if name.startswith("crawl") else None


def _crawl_delay(value: str, line_number: int) -> CrawlDelay | None:
    """The delay of a `Crawl-delay: 10`; None where the value is no number of seconds."""
    found = _CRAWL_DELAY.fullmatch(value)
    if not found:
        return None
    return CrawlDelay(min(float(found[1]), MAX_DELAY_SECONDS), line_number)


def _request_rate(value: str, line_number: int) -> CrawlDelay | None:
    """The delay that keeps to a `Request-rate: 1/10m`: ten minutes for one page.

    The hours of the day for which a rate may be limited are read over: keeping
    to it all day is slower, and never wrong.
    """
    found = _REQUEST_RATE.fullmatch(value)
    if not found or not int(found[1]):
        return None
    seconds = float(found[2]) * _UNIT_SECONDS[found[3].lower()] / int(found[1])
    return CrawlDelay(min(seconds, MAX_DELAY_SECONDS), line_number, "Request-rate")


def _slowest(said: Groups) -> CrawlDelay | None:
    asked = (
        asked_delay(wish.name, wish.value.strip(), number)
        for wish, number in _numbered(said.text, said.wishes)
    )
    return max(filter(None, asked), key=lambda delay: delay.seconds, default=None)


def _usages(said: Groups) -> tuple[UsageLine, ...]:
    unaddressed = _numbered(said.text, said.unaddressed)
    before = (_usage(record, number, in_group=False) for record, number in unaddressed)
    within = (_usage(wish, number) for wish, number in _numbered(said.text, said.wishes))
    return tuple(islice(filter(None, chain(before, within)), MAX_USAGES))


def _usage(record: Record, number: int, *, in_group: bool = True) -> UsageLine | None:
    return usage_line(record.name, record.value.strip(), number, in_group=in_group)


def _licenses(said: Groups) -> tuple[str, ...]:
    """Addresses of our group's licences, or else of those that stand before all groups (RSL 1.0, 4.4)."""
    own = _addresses(record for record in said.wishes if record.name.startswith("licen"))
    before = (record for record in said.unaddressed if record.name.startswith("licen"))
    # A name of a licence (`License: CC-BY-4.0`) is no address, and nothing to ask for.
    found = (each for each in own or _addresses(before) if each.startswith(_AN_ADDRESS))
    return tuple(islice(found, MAX_LICENSES))


def _numbered(text: str, records: Sequence[Record]) -> Iterable[tuple[Record, int]]:
    return zip(records, line_numbers(text, (each.start for each in records)), strict=True)


def _addresses(records: Iterable[Record]) -> tuple[str, ...]:
    texts = (record.value.encode("latin-1").decode("utf-8", "replace") for record in records)
    return tuple(dict.fromkeys(filter(None, map(str.strip, texts))))
