"""What the pages of one site may still have us keep, in bytes. Pure; see docs/decisions/0051.

There are three accounts, for they end differently. URLs of the site that *wait* to be fetched leave
theirs when they are fetched. What is kept *aside*, of links that are not followed, stays. URLs made
known *elsewhere*, at other sites, count by day: each may become requests to somebody who did not ask.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from gossamer.config import Budget

WAITING, ASIDE, ELSEWHERE = "budget.waiting_bytes", "budget.aside_bytes", "budget.elsewhere_bytes"
LONGEST_URL: Final = 4096  # what is left may be too little for the next one, and more than nothing
URL_BYTES: Final = 120  # of the row of a URL and its places in indexes, besides the URL
ELSEWHERE_BYTES: Final = 400  # the same for another site's URL, which mostly brings a host with it


@dataclass(slots=True)
class Charge:
    """What one transaction adds to the accounts of a site; waiting URLs that were fetched are taken off."""

    waiting: int = 0
    aside: int = 0
    elsewhere: int = 0
    left_out: int = 0  # links that were not kept
    over: set[str] = field(default_factory=set)  # keys of the limits that kept them out


@dataclass(slots=True)
class Purse:
    """What is left in the accounts of one site, and what of it a transaction may be about to take."""

    waiting: int
    aside: int
    elsewhere: int
    pledged: int = field(default=0)  # if everything so far turned out to be new

    @classmethod
    def after(cls, budget: Budget, waiting: int, aside: int, elsewhere: int) -> "Purse":
        """What a budget leaves of accounts."""
        return cls(
            budget.waiting_bytes - max(waiting, 0),
            budget.aside_bytes - aside,
            budget.elsewhere_bytes - elsewhere,
        )

    def pledge(self, urls: Iterable[str], count: int) -> bool:
        """Whether so many URLs surely fit, new or not; where they may not, each is to be looked at."""
        most = sum(map(len, urls)) + ELSEWHERE_BYTES * count
        if self.pledged + most > min(self.waiting, self.elsewhere):
            return False
        self.pledged += most
        return True

    def take(self, url: str, *, own: bool) -> bool:
        """Pay for a URL that is new; False where there is too little left for it."""
        cost = cost_of(len(url), 1, own=own)
        left = (self.waiting if own else self.elsewhere) - cost
        if left < 0:
            return False
        if own:
            self.waiting = left
        else:
            self.elsewhere = left
        return True

    def take_aside(self, size: int) -> bool:
        """Pay for what is kept of links that are not followed; False where there is too little left."""
        if size > self.aside:
            return False
        self.aside -= size
        return True


def cost_of(url_bytes: int, count: int, *, own: bool) -> int:
    """What so many URLs of so many bytes together take; `own` ones are those of the site that names them."""
    return url_bytes + count * (URL_BYTES if own else ELSEWHERE_BYTES)


def accounts_over(
    budget: Budget, waiting: int, aside: int, elsewhere: int
) -> Mapping[str, tuple[int, int]]:
    """The accounts of a site that are as good as used up: the key of each, what is in it, its limit."""
    accounts = {
        WAITING: (waiting, budget.waiting_bytes),
        ASIDE: (aside, budget.aside_bytes),
        ELSEWHERE: (elsewhere, budget.elsewhere_bytes),
    }
    return {key: each for key, each in accounts.items() if each[0] + LONGEST_URL > each[1]}
