"""The order in which waiting pages are handed out: the strategy of a crawl, and the user's rules. Pure.

A page has a *rank*: the points that the strategy gives it, 0 to 1000, and the weights of all rules whose
expressions match its URL. Higher ranks come first; among equals the nearer page, then the one found
first. Pages that failed wait behind those that were tried less often, whatever their rank. The frontier
keeps the rank of a page where it keeps its priority, so that one index serves every strategy, and hosts
compare by the best rank among their pages. See docs/decisions/0059.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from gossamer.config import Crawl
from gossamer.errors import ConfigError
from gossamer.model import Url
from gossamer.politeness.priority import MOST, Priority, UrlFacts, clamped, priority, promise
from gossamer.urls.expressions import Expression, compiled
from gossamer.wording import quoted

KEY: Final = "crawl.priority"
HEAVIEST: Final = 10_000  # points, up or down, of one rule and of all that match: a rank is 16 bits
MOST_RULES: Final = 100  # each is searched for in each link
MOST_KNOWN: Final = 16_384  # URLs whose weights are at hand: the pages of a site share most links
ENDLESS: Final = 1 << 30


class PriorityRule(NamedTuple):
    """An expression, and the points that URLs have for matching it."""

    expression: Expression
    weight: int


@dataclass(frozen=True, slots=True)
class Ranking:
    """The strategy and the rules of one crawl."""

    strategy: str = "breadth"
    rules: tuple[PriorityRule, ...] = ()
    _weights: dict[Url, int] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, crawl: Crawl) -> "Ranking":
        """The ranking that a configuration asks for; `ConfigError` where a rule is not right."""
        return cls(crawl.strategy, read_rules(crawl.priority))

    @property
    def is_plain(self) -> bool:
        """Whether the priority that a link comes with is its rank."""
        return not self.rules and self.strategy in ("breadth", "best")

    @property
    def at_once(self) -> int:
        """How many pages of a host to hand out together.

        One, where a page that is found next may come before those that are known.
        """
        return 1 if self.rules or self.strategy in ("depth", "best") else ENDLESS

    def rank(self, url: Url, depth: int, given: int, key: int) -> int:
        """The rank of a URL: `given` is its priority when it was found, `key` a number as good as random."""
        match self.strategy:
            case "depth":
                points = min(max(depth, 0), MOST)
            case "random":
                points = key % (MOST + 1)
            case _:
                points = given
        return points + self.weight(url)

    def rank_anew(self, url: Url, depth: int, seed: bool, key: int) -> int:
        """The rank of a URL by what the frontier keeps of it."""
        given = clamped(points_by(self.strategy)(UrlFacts(seed=seed, depth=depth)))
        return self.rank(url, depth, given, key)

    def weight(self, url: Url) -> int:
        """The points that a URL has by the rules, all together."""
        if not self.rules:
            return 0
        if (known := self._weights.get(url)) is not None:
            return known
        if len(self._weights) >= MOST_KNOWN:
            self._weights.clear()
        total = sum(rule.weight for rule in self.matching(url))
        return self._weights.setdefault(url, min(max(total, -HEAVIEST), HEAVIEST))

    def matching(self, url: Url) -> Sequence[PriorityRule]:
        """The rules that match a URL."""
        return [rule for rule in self.rules if rule.expression.found_in(url)]

    def record(self, url: Url) -> dict[str, object]:
        """What decides when a URL's turn comes, as JSON has it."""
        rules = [
            {"expression": rule.expression.text, "weight": rule.weight}
            for rule in self.matching(url)
        ]
        return {"strategy": self.strategy, "weight": self.weight(url), "rules": rules}

    def fingerprint(self) -> bytes:
        """A fingerprint that two rankings share if they rank alike; others mostly differ."""
        said = repr((self.strategy, [(rule.expression.text, rule.weight) for rule in self.rules]))
        return hashlib.blake2b(said.encode(), digest_size=16).digest()


PLAIN: Final = Ranking()
"""The ranking of a crawl that asks for none."""


def points_by(strategy: str) -> Priority:
    """The function by which links have their priority when they are found."""
    return promise if strategy == "best" else priority


def read_rules(weights: Mapping[str, int]) -> tuple[PriorityRule, ...]:
    """Rules from expressions and their weights, in the order of the expressions: order means nothing."""
    if len(weights) > MOST_RULES:
        raise ConfigError(
            f"{KEY}: {len(weights)} rules are too many; give at most {MOST_RULES}. "
            "An expression may have alternatives: /(news|blog)/"
        )
    for text, weight in weights.items():
        if abs(weight) > HEAVIEST:
            raise ConfigError(
                f"{KEY}: {quoted(text)} has {weight} points; give -{HEAVIEST} to {HEAVIEST}. "
                f"Whatever has more than {MOST} comes before everything without."
            )
    return tuple(PriorityRule(compiled(KEY, text), weights[text]) for text in sorted(weights))
