"""The graph anew from the archive: what pages say, as our readers understand it today.

From each page's settled record. Pages that were not archived keep what they say, with names of schema.org in
the form of today (`index/graph/schema_rewrite.py`), unless the graph that
had them is no more: then what they said is lost until they are asked for again. Nobody is asked
anything over the network.
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final, Protocol

from gossamer.archive.exchange import ArchivePlace
from gossamer.archive.folders import find_file
from gossamer.crawl.statements import graphs_of, graphs_since, texts_of
from gossamer.crawl.verdicts import PageVerdict
from gossamer.crawl.visits import visit_of
from gossamer.frontier.protocol import ArchivedPage
from gossamer.frontier.walks import ReadAnew
from gossamer.history.store import ChangeHistory
from gossamer.index.graph.pages import PageChanged, PageGraphs
from gossamer.upkeep.archived_pages import ArchivedPages, ReadPage

AT_ONCE: Final = 400  # pages
# A page is settled within seconds of being asked for, or minutes where its contexts, the graph or room
# on the disk are waited for.
SETTLED_WITHIN: Final = timedelta(minutes=10)


class Graph(Protocol):
    """What is asked of a graph."""

    async def renew(self, pages: Sequence[PageGraphs]) -> tuple[PageChanged, ...]:
        """Have the graph hold this of these pages; how much is other than before."""

    async def unify_schema(self) -> tuple[tuple[PageChanged, ...], int]:
        """Rewrite names of schema.org in some pages; how much that changes, and how many are left."""

    async def flush(self) -> None:
        """Return when all that was replaced before is on the disk."""


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """What came of it."""

    pages: int = 0  # read anew
    changed: int = 0  # pages that say something else now
    added: int = 0  # quads
    removed: int = 0
    unreadable: int = 0  # copies that the archive could not give back, or our limits not read
    lost: int = 0  # pages that had something to say, of which there is no copy and no graph
    rewritten: int = 0  # pages without a copy, whose names of schema.org have the form of today
    aside: str | None = None  # where the graph is that could not be used


@dataclass(slots=True, kw_only=True)
class Rebuilding(ArchivedPages):
    """Reads archived pages anew, batch by batch, into the graph."""

    graph: Graph
    differs: Callable[[PageChanged], None]
    history: ChangeHistory | None = None  # what pages say is compared with this from now on
    anew: bool = False  # the graph has nothing but what comes from here

    async def run(self) -> Rebuilt:
        """Read all there is."""
        total, after = Rebuilt(), 0
        while pages := await self.frontier_thread.do(self.frontier.archived, after, AT_ONCE):
            ours = [page for page in pages if self._is_ours(page)]
            async with aclosing(self.lots(ours)) as lots:
                async for lot in lots:
                    total = await self._keep(lot, total)
            after = pages[-1].id
        if self.anew and not self.frontier.is_shared:
            lost = await self.frontier_thread.do(self.frontier.lose_unarchived)
            return replace(total, lost=total.unreadable + lost)
        return total if self.anew else await self._unify(total)

    async def _unify(self, total: Rebuilt) -> Rebuilt:
        """Rewrite what no copy was read for."""
        if self.config.transform.strict or self.config.transform.keep_schemes:
            return total
        left = 1
        while left:
            changed, left = await self.graph.unify_schema()
            await self.graph.flush()
            for each in changed:
                self.differs(each)
            total = replace(
                total,
                rewritten=total.rewritten + len(changed),
                added=total.added + sum(each.added for each in changed),
                removed=total.removed + sum(each.removed for each in changed),
            )
        return total

    def _is_ours(self, page: ArchivedPage) -> bool:
        """Whether it is in our archive; other nodes of a crawl have archives of their own."""
        file = ArchivePlace.parse(page.archived).file
        return not self.frontier.is_shared or find_file(self.archive, file) is not None

    async def _keep(self, lot: Sequence[ReadPage], total: Rebuilt) -> Rebuilt:
        read = [(page, verdict) for page, verdict in lot if verdict is not None]
        read.sort(key=lambda each: each[0].id)  # people are told in the same order each time
        texts = texts_of(verdict for _, verdict in read)
        other = await self.frontier_thread.do(self.frontier.texts.keep, texts)
        graphs = [
            graphs_since(verdict, page, other)
            if _is_of_an_earlier_visit(page, verdict)
            else graphs_of(verdict, self.now(), other)
            for page, verdict in read
        ]
        changed = await self.graph.renew([each for each in graphs if each is not None])
        await self.graph.flush()
        await self.frontier_thread.do(
            self.frontier.read_anew,
            [
                ReadAnew(page.id, settled.quads, settled.problems, settled.said, settled.shown)
                for page, settled in ((page, verdict.settlement) for page, verdict in read)
            ],
        )
        if self.history is not None:
            visits = [
                replace(visit, at=page.settled_at, was_known=True)
                for page, verdict in read
                if (visit := visit_of(verdict, page.settled_at)) is not None
            ]
            await asyncio.to_thread(self.history.replace_states, visits)
        if self.anew:
            without = [page.id for page, verdict in lot if verdict is None]
            await self.frontier_thread.do(self.frontier.drop_unreadable, without)
        for each in changed:
            self.differs(each)
        return replace(
            total,
            pages=total.pages + len(read),
            changed=total.changed + len(changed),
            added=total.added + sum(each.added for each in changed),
            removed=total.removed + sum(each.removed for each in changed),
            unreadable=total.unreadable + len(lot) - len(read),
        )


def _is_of_an_earlier_visit(page: ArchivedPage, verdict: PageVerdict) -> bool:
    """Whether the last visit brought no content, or the very bytes that the archive had."""
    if page.was_visited_since or verdict.answer is None:
        return page.was_visited_since
    return page.settled_at - verdict.answer.started_at > SETTLED_WITHIN
