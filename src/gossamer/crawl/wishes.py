"""What a crawl does when its node is told something through the database: pause, go on, drain, stop.

Wishes come with the answers to heartbeats (`nodes/heartbeat.py`), and each is carried out once, so that
whoever sits at the node can do otherwise afterwards.
"""

from dataclasses import dataclass

from gossamer.crawl.handle import CrawlHandle
from gossamer.crawl.loop import Crawl
from gossamer.events import Draining, Paused, Resumed
from gossamer.frontier.endings import Ending, EndKind
from gossamer.nodes.store import BeatAnswer, NodeStore, NodeWish

STOPPED_WITH_ALL = Ending(EndKind.STOPPED, "It was stopped, with all nodes of the crawl.")

MADE_WAY = Ending(
    EndKind.DRAINED,
    "A newer version of Gossamer is to change the crawl's tables, so this node left the crawl. Upgrade Gossamer on "
    "this machine, then start it again.",
)


@dataclass(slots=True)
class WishFollower:
    """A `BeatListener` that has a crawl do what its node is asked to."""

    running: CrawlHandle
    _followed: int | None = None  # when the wish was made that was carried out last

    def __call__(self, answer: BeatAnswer) -> None:
        """Carry out a wish, if it is a new one."""
        if answer.wish is None or answer.wished_at is None:
            return
        crawl = self.running.crawl
        if answer.wished_at != self._followed:
            self._followed = answer.wished_at
            follow_wish(crawl, answer.wish)
        elif answer.wish is NodeWish.PAUSE and not crawl.is_paused:  # somebody here resumed it
            self._withdraw(answer.wished_at)
        if answer.wish is NodeWish.RUN:
            self._withdraw(answer.wished_at)

    def _withdraw(self, wished_at: int) -> None:
        """Take back what is no longer to count when this node starts again."""
        frontier = self.running.frontier
        store = NodeStore(frontier.store)
        self.running.frontier_thread.later(store.withdraw, frontier.node, wished_at)


def follow_wish(crawl: Crawl, wish: NodeWish) -> None:
    """Have a crawl do what is wished, and tell of it."""
    match wish:
        case NodeWish.PAUSE if not crawl.is_paused:
            crawl.pause()
            crawl.batches.tell(Paused())
        case NodeWish.RUN if crawl.is_paused:
            crawl.resume()
            crawl.batches.tell(Resumed())
        case NodeWish.DRAIN if not crawl.is_ending:
            crawl.drain()
            crawl.batches.tell(Draining())
        case NodeWish.MAKE_WAY if not crawl.is_ending:
            crawl.drain(MADE_WAY)
            crawl.batches.tell(Draining())
        case NodeWish.STOP:
            crawl.stop(STOPPED_WITH_ALL)
        case _:
            pass
