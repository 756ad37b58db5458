"""Links that were out of scope are kept: when the scope grows, the crawl goes on from them."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from gossamer.crawling.admission import Admission
from gossamer.crawling.clerk import Clerk
from gossamer.frontier.frontier import SqlFrontier
from gossamer.model import Url

_FACT: Final = "scope"
LISTEN: Final = 1.0  # seconds


@dataclass(slots=True)
class Scoping:
    """Keeps the frontier in step with what the crawl admits."""

    frontier: SqlFrontier
    clerk: Clerk
    admission: Admission
    now: Callable[[], datetime]
    _mark: bytes | None = None  # of the scope that what this run settled is in step with
    _size: int = -1  # of that scope
    _seeds: int = 0  # that were heard of

    async def catch_up(self) -> int:
        """Take up what was out of scope and no longer is; how many URLs these are.

        To be called when nothing is under way: a page judged by a narrower scope and settled
        later would leave its links behind. That goes for each node: what another one has taken
        up may have been before we settled something.
        """
        await self.hear()
        scope = self.admission.scope
        if scope.size == self._size:
            return 0
        for seed in await self.clerk.do(self.frontier.seeds):
            scope.add_seed(seed)  # one that was found while the scope was being changed
        size, mark = scope.size, scope.fingerprint().encode()
        known = await self.clerk.do(self.frontier.facts.of, _FACT)
        is_behind = known not in (None, mark) or self._mark not in (None, mark)
        count = await self.take_up() if is_behind else 0
        await self.clerk.do(self.frontier.facts.keep, _FACT, mark)
        self._size, self._mark = size, mark
        return count

    async def hear(self) -> None:
        """Learn of the seeds that other nodes found: where a seed redirects is one for all."""
        if self.frontier.is_shared:
            seeds = await self.clerk.do(self.frontier.more_seeds, self._seeds)
            self._seeds = len(seeds) or self._seeds
            for seed in seeds:
                self.admission.scope.add_seed(seed)

    async def listen(self) -> None:
        """Do so from time to time, until cancelled."""
        while True:
            await self.hear()
            await asyncio.sleep(LISTEN)

    async def take_up(self) -> int:
        """The same, at once; what is under way may still be left behind."""
        self._size = -1
        return await self.clerk.do(self.frontier.reconsider, self._admits)

    def _admits(self, url: Url) -> bool:
        return self.admission.refusal(url, self.now()) is None
