"""The graph on a server as the rest of Gossamer uses it: the same methods as `GraphProcess`.

A process of ours writes to the server and others read from it: pages are checked and answers
written beside the event loop, and whatever takes too long can be killed.
"""

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Final, Protocol, Self

from gossamer.errors import GraphAwayError, GraphError
from gossamer.index.graph.names import FETCH, is_fetch
from gossamer.index.graph.page_diff import GraphCounts
from gossamer.index.graph.pages import TRIPLES, PageChanged, PageGraphs, PageRefused
from gossamer.index.graph.query import USUAL_LIMITS, GraphQuery, QueryLimits
from gossamer.index.graph.reader_pool import (
    MOST_QUERIES,
    QUERY_BYTES,
    QueryGraphError,
    ReadableGraph,
    wait_until_ready,
)
from gossamer.index.server.address import Server
from gossamer.index.server.process import ORDERS, REPLIES, Order, Reply
from gossamer.index.server.process import program as writing_program
from gossamer.index.server.reading import program as reading_program
from gossamer.index.server.reading import written
from gossamer.index.words.journal import Touched, touched_of
from gossamer.processes.channel import Line, LineEndedError, connect
from gossamer.processes.wire import WireError

COUNTED: Final = ("pages", "graphs", "quads")
# In the server, a row at a time: there may be millions of pages.
COUNT: Final = f"""
SELECT (SUM(IF(STR(?fetch) = CONCAT(STR(?graph), "{FETCH}"), 1, 0)) AS ?pages)
       (SUM(IF(?size > 0, 1, 0)) AS ?graphs)
       (SUM(?size) AS ?quads)
{{ GRAPH ?fetch {{ ?graph {TRIPLES} ?size }} FILTER({is_fetch("?fetch")}) }}
"""


class ChangeJournal(Protocol):
    """Takes down of whom the graph says something else, for those who make words of it."""

    async def note(self, touched: Touched) -> None:
        """Return when these are noted, before the graph is changed."""

    async def confirm(self) -> None:
        """Hear that the graph has all that was noted."""

    async def restart(self) -> None:
        """Have whoever makes words of the graph begin anew: more has changed than is noted."""


class ServerGraph(ReadableGraph):
    """The graph on a server. Raises `GraphError`, and `GraphAwayError` where asking again may help."""

    def __init__(
        self,
        server: Server,
        *,
        writing: bool = True,
        journal: ChangeJournal | None = None,
        queries: int = MOST_QUERIES,
        query_bytes: int = QUERY_BYTES,
    ) -> None:
        path = tuple(sys.path)
        self._server = server
        self._writing = writing
        self._journal = journal
        self._keeping = asyncio.Lock()
        self._program = writing_program(path)
        super().__init__(reading_program(query_bytes, path), queries)
        self._turn = asyncio.Lock()
        self._number = 0

    async def __aenter__(self) -> Self:
        async with AsyncExitStack() as life:
            self._line: Line = await life.enter_async_context(connect(self._program))
            life.push_async_callback(self._readers.aclose)
            await wait_until_ready(self._line)
            await self._ask(Order("open", self._server, writing=self._writing))
            self._life = life.pop_all()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._life.aclose()

    @property
    def pid(self) -> int:
        """The process that writes."""
        return self._line.pid

    async def replace(self, pages: Sequence[PageGraphs]) -> tuple[PageRefused, ...]:
        """Have the graph hold this of these pages; the pages that it refused."""
        return (await self._replace(pages, compare=False)).refused

    async def renew(self, pages: Sequence[PageGraphs]) -> tuple[PageChanged, ...]:
        """Replace pages, and tell how much of what they say has changed."""
        return (await self._replace(pages, compare=True)).changed

    async def _replace(self, pages: Sequence[PageGraphs], *, compare: bool) -> Reply:
        """Replace pages, and have the journal say of whom: before the graph changes, and after it."""
        if self._journal is None:
            return await self._ask(Order("replace", pages=tuple(pages), compare=compare))
        async with self._keeping:  # what was looked at is replaced next
            looked = await self._ask(Order("look", pages=tuple(pages)))
            await self._journal.note(touched_of(looked.touched))
            reply = await self._ask(Order("replace", looked_at=True, compare=compare))
            await self._journal.confirm()
        return reply

    async def unify_schema(self) -> tuple[tuple[PageChanged, ...], int]:
        """Rewrite names of schema.org in some pages; how much that changes, and how many are left.

        Whoever makes words of the graph begins anew afterwards.
        """
        reply = await self._ask(Order("unify"))
        if self._journal is not None and reply.changed:
            await self._journal.restart()
        return reply.changed, reply.left

    async def flush(self) -> None:
        """Nothing is left to be done: what the server has taken is its to keep."""

    async def counts(self, limits: QueryLimits = USUAL_LIMITS) -> GraphCounts:
        """How much there is, by what was said about every page."""
        try:
            answer = json.loads(await self.query(GraphQuery(COUNT, ("json",), limits)).read())
        except QueryGraphError as error:
            raise GraphAwayError(str(error)) from None
        (row,) = answer["results"]["bindings"]
        pages, graphs, quads = (int(row[name]["value"]) if name in row else 0 for name in COUNTED)
        return GraphCounts(pages, graphs, quads)

    @asynccontextmanager
    async def _place(self, _max_age: float) -> AsyncIterator[str]:
        yield written(self._server)  # which is always as new as it is

    async def _ask(self, order: Order) -> Reply:
        async with self._turn:
            try:
                reply = await self._reply(order)
            except (LineEndedError, WireError):
                lost = await self._line.end()
                raise GraphError(
                    "The process that writes to the SPARQL server has ended "
                    f"({lost.loss}: {lost.last_line})."
                ) from None
        if reply.fault is not None:
            raise (GraphAwayError if reply.away else GraphError)(reply.fault)
        return reply

    async def _reply(self, order: Order) -> Reply:
        self._number += 1
        self._line.say(self._number, ORDERS.dumps(order))
        with suppress(LineEndedError):  # then there is no answer either
            await self._line.flow()
        while True:
            frame = await self._line.receive()
            if frame.number == self._number:  # and not the answer to somebody who left
                return REPLIES.loads(frame.payload)
