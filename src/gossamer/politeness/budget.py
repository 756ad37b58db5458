"""Sites earn their share: who is linked from many sites may take many pages before waiting.

A site's allowance grows with the number of distinct other sites that link to it. Within it
the site's URLs are in queue 0; past it they fall into slower queues, one further each time
the site has taken twice as much. Nothing is thrown away: each queue has its turns, rarer
and rarer, and a turn that finds its queue empty goes to the quickest that is not, so what
waits alone does not wait. See docs/decisions/0008.
"""

from collections.abc import Sequence

from gossamer.config import Budget

SLOWEST = 4
QUEUES = SLOWEST + 1
ONE_TURN_IN = 8  # turns: each queue gets an eighth as many as the one before it


def allowance(linking_sites: int, budget: Budget) -> int:
    """How many pages a site may take, by how many distinct other sites link to it."""
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


def next_queue(turn: int, ready: Sequence[int]) -> int | None:
    """The queue to serve, given how many hosts are ready in each; None if none is."""
    preferred = queue_in_turn(turn)
    if ready[preferred]:
        return preferred
    return next((queue for queue, hosts in enumerate(ready) if hosts), None)


def shares(turn: int, wanted: int, ready: Sequence[int]) -> tuple[int, ...]:
    """How many hosts of each queue make up the next batch, beginning with this turn.

    The batch is full, or takes everything that is ready; the next one begins at
    `turn + sum(shares)`.
    """
    left = list(ready)
    for now in range(turn, turn + min(wanted, sum(ready))):
        queue = next_queue(now, left)
        assert queue is not None, "the range ends where nothing is left"
        left[queue] -= 1
    return tuple(before - after for before, after in zip(ready, left, strict=True))
