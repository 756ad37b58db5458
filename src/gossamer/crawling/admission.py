"""Which links of a page are followed. Pure.

In the order of docs/demo-web.md: what the page asks not to be followed, traps, scope. Robots
and addresses are asked when a page's turn has come, since both may have changed by then.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from gossamer.config import Config
from gossamer.frontier.protocol import Outlink, RefusedLink
from gossamer.model import Link, Refusal, Url
from gossamer.politeness.priority import Priority, UrlFacts, clamped, priority
from gossamer.urls.scope import SeedScope
from gossamer.urls.traps import trapped

NOFOLLOW: Final = "nofollow"


@dataclass(frozen=True, slots=True)
class Admitted:
    """The links of one page: to follow, and to keep for a wider scope."""

    links: tuple[Outlink, ...] = ()
    outside: tuple[Outlink, ...] = ()
    refused: tuple[RefusedLink, ...] = ()  # all that is not followed, by which rule


@dataclass(frozen=True, slots=True)
class Admission:
    """The rules of a crawl about links."""

    config: Config
    scope: SeedScope
    rank: Priority = priority

    def refusal(self, url: Url, now: datetime) -> Refusal | None:
        """Why a URL does not belong to the crawl, if it does not."""
        return trapped(url, now, self.config.traps) or self.scope.admits(url)

    def admit(
        self, links: Iterable[Link], depth: int, now: datetime, *, nofollow: bool = False
    ) -> Admitted:
        """What to follow of the links of a page at some depth; each URL is among them once."""
        rank = clamped(self.rank(UrlFacts(depth=depth + 1)))
        honour = self.config.politeness.honour_nofollow
        inside: list[Outlink] = []
        outside: list[Outlink] = []
        refused: list[RefusedLink] = []
        for link in links:
            url = link.url
            if nofollow or (honour and link.nofollow):
                refused.append(RefusedLink(url, NOFOLLOW))
            elif (refusal := trapped(url, now, self.config.traps)) is not None:
                refused.append(RefusedLink(url, refusal.rule))
            elif (refusal := self.scope.admits(url)) is not None:
                refused.append(RefusedLink(url, refusal.rule))
                outside.append(Outlink(url, rank))
            else:
                inside.append(Outlink(url, rank))
        return Admitted(tuple(inside), tuple(outside), tuple(refused))
