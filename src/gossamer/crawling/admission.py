"""Which links of a page are followed. Pure.

In the order of docs/demo-web.md: what the page asks not to be followed, traps, scope. Robots
and addresses are asked when a page's turn has come, since both may have changed by then.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from gossamer.config import Config
from gossamer.fetch.redirect import MAX_HOPS
from gossamer.frontier.protocol import NOFOLLOW, Outlink, RefusedLink
from gossamer.model import Link, Refusal, Url
from gossamer.politeness.priority import Priority, UrlFacts, clamped, priority
from gossamer.urls.scope import SeedScope
from gossamer.urls.traps import trap_test, trapped

REDIRECTS: Final = "redirects"


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
        trap, scope = trap_test(now, self.config.traps), self.scope.admits
        inside: list[Outlink] = []
        outside: list[Outlink] = []
        refused: list[RefusedLink] = []
        for link in links:
            url = link.url
            if nofollow or (honour and link.nofollow):
                refused.append(RefusedLink(url, NOFOLLOW))
            elif (refusal := trap(url) or scope(url)) is None:
                inside.append(Outlink(url, rank))
            else:
                refused.append(RefusedLink(url, refusal.rule))
                if _may_be_wider(refusal):
                    outside.append(Outlink(url, rank))
        return Admitted(tuple(inside), tuple(outside), tuple(refused))

    def admit_target(self, target: Outlink, hops: int, now: datetime) -> Admitted:
        """Whether to follow the redirect of a page to which so many redirects led."""
        if hops >= MAX_HOPS:
            return Admitted(refused=(RefusedLink(target.url, REDIRECTS),))
        refusal = self.refusal(target.url, now)
        if refusal is None:
            return Admitted(links=(target,))
        outside = (target,) if _may_be_wider(refusal) else ()
        return Admitted(outside=outside, refused=(RefusedLink(target.url, refusal.rule),))


def _may_be_wider(refusal: Refusal) -> bool:
    """Whether another scope may admit what was refused."""
    return refusal.rule.startswith("scope-")
