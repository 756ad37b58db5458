"""The learned rules about parameters that a node knows by heart: links that they apply to are put off."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from gossamer.duplicates.parameters import PUT_OFF, Standing, idle_in
from gossamer.model import Url
from gossamer.politeness.ranking import HEAVIEST
from gossamer.urls import host_of

Names = frozenset[str]
NO_NAMES: Final[Names] = frozenset()


class LearnedRule(NamedTuple):
    """A parameter of a host of which something was learned just now."""

    host: str
    name: str
    standing: Standing


@dataclass(slots=True)
class ParameterMemory:
    """The rules in force, by host."""

    idle: dict[str, Names] = field(default_factory=dict)
    news: list[LearnedRule] = field(default_factory=list)  # yet to be taken up

    def take(self, rules: Iterable[LearnedRule]) -> None:
        """Take up what was learned."""
        for rule in rules:
            known = self.idle.get(rule.host, NO_NAMES)
            names = known | {rule.name} if rule.standing is Standing.IDLE else known - {rule.name}
            if names:
                self.idle[rule.host] = names
            else:
                self.idle.pop(rule.host, None)
            self.news.append(rule)

    def load(self, idle: Mapping[str, Names]) -> None:
        """Know the rules as the store has them."""
        self.idle = dict(idle)

    def put_off(self, url: Url, priority: int) -> int:
        """The rank of a URL, by the rules of its host."""
        if "?" in url and idle_in(url, self.idle.get(host_of(url), NO_NAMES)):
            return priority - PUT_OFF
        return priority


def is_put_off(rank: int) -> bool:
    """Whether a rank is that of a URL that was put off."""
    return rank < -HEAVIEST
