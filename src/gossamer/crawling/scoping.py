"""Links that were out of scope are kept: when the scope grows, the crawl goes on from them."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from gossamer.crawling.admission import Admission
from gossamer.crawling.clerk import Clerk
from gossamer.frontier.frontier import SqlFrontier
from gossamer.model import Url

_FACT: Final = "scope"


@dataclass(slots=True)
class Scoping:
    """Keeps the frontier in step with what the crawl admits."""

    frontier: SqlFrontier
    clerk: Clerk
    admission: Admission
    now: Callable[[], datetime]
    _size: int = -1  # of the scope that the frontier is in step with

    async def catch_up(self) -> int:
        """Take up what was out of scope and no longer is; how many URLs these are.

        To be called when nothing is under way: a page judged by a narrower scope and settled
        later would leave its links behind.
        """
        scope = self.admission.scope
        if scope.size == self._size:
            return 0
        for seed in await self.clerk.do(self.frontier.seeds):
            scope.add_seed(seed)  # one that was found while the scope was being changed
        size, mark = scope.size, scope.fingerprint().encode()
        known = await self.clerk.do(self.frontier.facts.of, _FACT)
        count = await self.take_up() if known not in (None, mark) else 0
        await self.clerk.do(self.frontier.facts.keep, _FACT, mark)
        self._size = size
        return count

    async def take_up(self) -> int:
        """The same, at once; what is under way may still be left behind."""
        self._size = -1
        return await self.clerk.do(self.frontier.reconsider, self._admits)

    def _admits(self, url: Url) -> bool:
        return self.admission.refusal(url, self.now()) is None
