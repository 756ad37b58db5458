"""What can be asked of a graph, wherever it is: queries and exports, each in a process that reads."""

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from typing import Final

from gossamer.index.answer import Answer, Asking, QueryLimits
from gossamer.index.dataset import EVERYTHING, Dataset
from gossamer.index.messages import Ask
from gossamer.index.readers import Readers
from gossamer.processes.process import Program

MOST_QUERIES: Final = 4  # at once, a process each
QUERY_BYTES: Final = 1024 * 1024 * 1024  # of memory, for a process that answers queries
UNLIMITED: Final = QueryLimits(time=None)


class AskedGraph(ABC):
    """A graph that processes of ours read."""

    def __init__(self, program: Program, most: int) -> None:
        self._readers = Readers(program, most)

    @abstractmethod
    def _place(self, max_age: float) -> AbstractAsyncContextManager[str]:
        """What a reader is told of where to read, while it reads; not older than so many seconds."""

    @property
    def reader_pids(self) -> tuple[int, ...]:
        """The processes that read."""
        return self._readers.pids

    def query(
        self,
        text: str,
        formats: str | Sequence[str],
        limits: QueryLimits | None = None,
        dataset: Dataset = EVERYTHING,
    ) -> Answer:
        """The answer to a SPARQL query, in the first of the formats that suits it."""
        names = (formats,) if isinstance(formats, str) else tuple(formats)
        limits = limits or QueryLimits()
        ask = Ask("", text, names, limits.rows, dataset=dataset, timed=limits.timed)
        return self._answer(ask, limits)

    def export(self, format_: str, graph: str | None = None) -> Answer:
        """Everything, or one graph, in an RDF syntax."""
        return self._answer(Ask("", None, (format_,), graph=graph), UNLIMITED)

    def _answer(self, ask: Ask, limits: QueryLimits) -> Answer:
        max_age = limits.max_age.total_seconds()
        return Answer(
            lambda: self._asking(max_age),
            lambda place: replace(ask, snapshot=place),
            limits,
            self._damaged,
        )

    def _damaged(self, why: str) -> str:
        """What people are told where files of the graph are found to be broken."""
        return why

    @asynccontextmanager
    async def _asking(self, max_age: float) -> AsyncIterator[Asking]:
        # A reader first: whoever waits for one is to see what is written meanwhile.
        async with self._readers.one() as reader, self._place(max_age) as place:
            yield Asking(reader, place)
