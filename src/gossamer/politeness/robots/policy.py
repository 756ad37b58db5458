"""What one robots.txt permits us: RFC 9309. Handed bytes; never fetches, never raises.

Only the groups that concern our agent are kept. The choices that the RFC leaves
open, and the few in which we are kinder than it asks, are in
`docs/decisions/0005-robots-txt.md`.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final, Self

from gossamer.model import Url
from gossamer.politeness.robots.delay import CrawlDelay, asked_delay
from gossamer.politeness.robots.groups import EVERYONE, Group, Groups, Record, read_groups
from gossamer.politeness.robots.lines import line_numbers, text_of
from gossamer.politeness.robots.matcher import NO_RULE, Best, Matcher
from gossamer.politeness.robots.octets import compared_paths, compared_patterns, normal_path
from gossamer.politeness.robots.places import Places
from gossamer.politeness.usage import ContentUsage, content_usage
from gossamer.urls.parts import path_of

ROBOTS_PATH: Final = "/robots.txt"
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
class RobotsPolicy:
    """The rules of one origin for one agent."""

    _said: Groups
    crawl_delay: CrawlDelay | None = None
    sitemaps: tuple[str, ...] = ()  # as written: relative ones are the reader's to judge
    content_usage: tuple[ContentUsage, ...] = ()
    _matcher: Matcher = NO_RULES
    _bare: Matcher = NO_RULES  # patterns whose encoded form is above
    _always: Decision | None = None  # the answer to every URL, where there are no rules to ask
    _note: str = ""  # what else people should know, such as how old these rules are

    @classmethod
    def parse(cls, body: bytes, agent: str) -> Self:
        """The policy that a robots.txt states for the agent with this product token."""
        said, sitemaps = read_groups(agent, text_of(body))
        literal, wild, bare = said.patterns()
        return cls(
            said,
            crawl_delay=_slowest(said),
            sitemaps=_addresses(sitemaps),
            content_usage=_usages(said),
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
        """The same policy, which adds a sentence to each of its reasons."""
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

    def content_usage_for(self, url: Url) -> tuple[ContentUsage, ...]:
        """The Content-Usage lines about a URL: those with the longest pattern that matches."""
        paths = [Places(path) for path in compared_paths(path_of(url))]
        ranks = [_rank(usage.pattern, paths) for usage in self.content_usage]
        longest = max(ranks, default=0)
        about = zip(self.content_usage, ranks, strict=True)
        return tuple(usage for usage, rank in about if rank == longest and rank != NO_RULE[0])

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


def _slowest(said: Groups) -> CrawlDelay | None:
    asked = (asked_delay(wish.name, wish.value.strip(), number) for wish, number in _numbered(said))
    return max(filter(None, asked), key=lambda delay: delay.seconds, default=None)


def _usages(said: Groups) -> tuple[ContentUsage, ...]:
    stated = ((wish, number) for wish, number in _numbered(said) if wish.name == "content-usage")
    return tuple(
        filter(None, (content_usage(wish.value.strip(), number) for wish, number in stated))
    )


def _numbered(said: Groups) -> Iterable[tuple[Record, int]]:
    numbers = line_numbers(said.text, (wish.start for wish in said.wishes))
    return zip(said.wishes, numbers, strict=True)


def _addresses(sitemaps: Iterable[Record]) -> tuple[str, ...]:
    texts = (record.value.encode("latin-1").decode("utf-8", "replace") for record in sitemaps)
    return tuple(dict.fromkeys(filter(None, map(str.strip, texts))))


def _rank(pattern: str, paths: Iterable[Places]) -> int:
    """How well one pattern matches, in the measure of rules."""
    matcher = Matcher.of(dict.fromkeys(compared_patterns(pattern), True))
    return max(matcher.best(places.path, places)[0] for places in paths)
