"""What a site may take of the crawl: pages by who links to it, bytes that we keep for it, requests elsewhere. Pure.

Pages: a site's allowance grows with the number of distinct other sites that link to it. Within it
the site's URLs are in queue 0; past it they fall into slower queues, one further each time
the site has taken twice as much. Nothing is thrown away: each queue has its turns, rarer
and rarer. A turn goes to the quickest queue instead if its own queue is empty, so what waits alone
does not wait, or if a host of a quicker queue has waited longer, so no site is served more often because it
is over its allowance. See docs/decisions/0008.

Bytes: there are three accounts, for they end differently. URLs of the site that *wait* to be fetched
leave theirs when they are fetched. What is kept *aside*, of links that are not followed, stays. URLs made
known *elsewhere*, at other sites, count by day: each may become requests to somebody who did not ask.
See docs/decisions/0051.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from gossamer.config import Budget

SLOWEST = 4
QUEUES = SLOWEST + 1
ONE_TURN_IN = 8  # turns: each queue gets an eighth as many as the one before it
WAITING, ASIDE, ELSEWHERE = "budget.waiting_bytes", "budget.aside_bytes", "budget.elsewhere_bytes"
FEWEST_JUDGED: Final = 50  # pages of a site, before it is said to bring nothing new
MOST_REPEATED: Final = 0.8  # of its pages
LESS: Final = 100  # times less is the allowance of a site that brings nothing new
LONGEST_URL: Final = 4096  # what is left may be too little for the next one, and more than nothing
URL_BYTES: Final = 120  # of the row of a URL and its places in indexes, besides the URL
ELSEWHERE_BYTES: Final = 400  # the same for another site's URL, which mostly brings a host with it


def brings_nothing_new(content: int, repeated: int) -> bool:
    """Whether nearly all of a site's pages say what other pages say: so many of so many."""
    return content >= FEWEST_JUDGED and repeated >= MOST_REPEATED * content


def allowance(linking_sites: int, budget: Budget, *, is_new: bool = True) -> int:
    """How many pages a site may take, by how many distinct other sites link to it.

    One that brings nothing new may take a hundredth, and links to it count for nothing: so sites that link to
    each other and repeat each other gain nothing by it.
    """
    if not is_new:
        return max(budget.pages // LESS, 1)
    return budget.pages + budget.pages_per_linking_site * linking_sites


def queue_of(pages_taken: int, allowed: int) -> int:
    """Which queue the further URLs of a site are in: 0 within its allowance, then slower ones.

    Of the site, not of the URL: when new links raise the allowance, all of its waiting URLs
    move up at once, and no row of theirs is touched.
    """
    return min((pages_taken // allowed).bit_length(), SLOWEST)


def queue_in_turn(turn: int) -> int:
    """Whose turn it is, turns being counted from 1 over the whole crawl."""
    queue = 0
    while queue < SLOWEST and turn % ONE_TURN_IN == 0:
        turn //= ONE_TURN_IN
        queue += 1
    return queue


def next_queue(turn: int, since: Sequence[int | None]) -> int | None:
    """The queue to serve, given since when the first host of each queue is ready; None if none is."""
    preferred = queue_in_turn(turn)
    its_own = since[preferred]
    quicker = [moment for moment in since[:preferred] if moment is not None]
    if its_own is not None and all(its_own <= moment for moment in quicker):
        return preferred
    return next((queue for queue, moment in enumerate(since) if moment is not None), None)


def shares(turn: int, wanted: int, ready: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """How many hosts of each queue make up the next batch, beginning with this turn.

    Hosts are given as the moments since which they are ready, in order. The batch is full, or takes
    everything that is ready; the next one begins at `turn + sum(shares)`.
    """
    taken = [0] * len(ready)
    for now in range(turn, turn + min(wanted, sum(map(len, ready)))):
        since = [
            each[count] if count < len(each) else None
            for each, count in zip(ready, taken, strict=True)
        ]
        queue = next_queue(now, since)
        assert queue is not None, "the range ends where nothing is left"
        taken[queue] += 1
    return tuple(taken)


@dataclass(slots=True)
class Charge:
    """What one transaction adds to the accounts of a site; waiting URLs that were fetched are taken off."""

    waiting: int = 0
    aside: int = 0
    elsewhere: int = 0
    left_out: int = 0  # links that were not kept
    repeated: int = 0  # pages that say what another page says
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


def used_up(site: str, most: int) -> str:
    """Why a request to another site is not sent, without the full stop."""
    return (
        f"{site} has caused the {most:,} requests to other sites that it may in a day "
        "(budget.requests_elsewhere)"
    )
