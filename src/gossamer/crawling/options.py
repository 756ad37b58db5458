"""What a crawl was asked to do: kept beside what it found, so that it can be resumed."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from gossamer.frontier.facts import FactStore
from gossamer.settings import keys

_NAME = "crawl"


@dataclass(frozen=True, slots=True)
class CrawlOrder:
    """The options that were given on the command line, by key, over all runs."""

    options: Mapping[str, object] = field(default_factory=dict)

    def with_options(self, given: Mapping[str, object]) -> "CrawlOrder":
        """The order once more options were given; secrets are not for keeping."""
        public = {name: value for name, value in given.items() if not keys()[name].secret}
        return CrawlOrder({**self.options, **public})


def stored_order(facts: FactStore) -> CrawlOrder:
    """What the crawl in this store was asked to do so far."""
    known = facts.of(_NAME)
    return CrawlOrder() if known is None else CrawlOrder(json.loads(known)["options"])


def keep_order(facts: FactStore, order: CrawlOrder) -> None:
    """Keep it for the next run."""
    facts.keep(_NAME, json.dumps({"options": dict(order.options)}, default=_plain).encode())


def _plain(value: object) -> object:
    assert isinstance(value, Iterable)
    return list(value)
