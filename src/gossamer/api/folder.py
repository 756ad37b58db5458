"""A data folder as an object: `with gossamer.open("gossamer-data") as data`.

Whoever owns the folder answers, such as a crawl that runs; where nobody does, this process owns it while
questions come, and lets it go soon after. Nothing is sent and nothing is changed. Calls return when
they are answered, in any thread and beside a running event loop; Ctrl-C ends a question.
"""

from __future__ import annotations

import os
import weakref
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any, Final, Self, TypeVar

from gossamer.api.loop_thread import LoopThread
from gossamer.api.queries import FORMATS, read_answer, stream_answer
from gossamer.api.results import Row, Rows
from gossamer.api.views import ChangeRows, EntityRows, SearchRows, entity_rows, search_rows
from gossamer.errors import DataFolderError, FolderInUseError
from gossamer.folder.data import DataFolder
from gossamer.history.asking import MOST as MOST_CHANGES
from gossamer.history.asking import ChangeFilter
from gossamer.index.graph.query import QueryLimits
from gossamer.index.words.asked import Search, Within, where
from gossamer.owner.handlers import Handlers
from gossamer.owner.messages import Answering, Record, ask
from gossamer.owner.on_demand import OnDemandOwner
from gossamer.owner.opening import Answers, answer_with, read_folder
from gossamer.owner.questions import AboutPage, ListChanges, MakeWay, Query, SearchWords, Status
from gossamer.owner.things import find_thing, record_of_thing
from gossamer.owner.type_table import gather_things, nothing_of
from gossamer.owner.unix_socket import NoOwnerError
from gossamer.owner.vocabulary import Met, vocabulary
from gossamer.settings.folder_settings import folder_settings
from gossamer.settings.node import has_frontier
from gossamer.tables.columns import plan_table
from gossamer.tables.spool import ThingSpool
from gossamer.tables.values import Iri

T = TypeVar("T")
Work = Callable[[Answering], Awaitable[T]]
COMMAND: Final = "python"  # what others are told who owns the folder
USUAL_FOLDER: Final = "gossamer-data"
MOST_ROWS: Final = 1_000_000  # that a result holds unless it is asked for more
SECONDS: Final = 60.0  # for a query, unless it is given more
VOCABULARY_SECONDS: Final = 300.0  # to count everything takes longer than an ordinary query


def open_folder(path: str | os.PathLike[str] | None = None) -> Folder:
    """Open the data folder of a crawl, to ask it; without a path, `$GOSSAMER_DATA` or `gossamer-data`.

    Raises `FileNotFoundError` where there is none.
    """
    return Folder(path)


class Folder:
    """A data folder that is open: use it in a `with` block, or `close` it.

    May be used from several threads at once.
    """

    def __init__(self, path: str | os.PathLike[str] | None = None) -> None:
        self._data = _existing(path)
        self._thread = LoopThread("gossamer-folder")
        self._owner = OnDemandOwner(self._data, partial(_own, self._data))
        self._closing = weakref.finalize(  # at the latest, at exit
            self, self._thread.close, self._owner.let_go
        )

    @property
    def path(self) -> Path:
        """Where the folder is."""
        return self._data.path

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        state = "open" if self._closing.alive else "closed"
        return f"<gossamer.Folder {str(self._data.path)!r}, {state}>"

    def close(self) -> None:
        """Let the folder go; questions under way end."""
        self._closing()

    def query(
        self, sparql: str, *, limit: int | None = MOST_ROWS, timeout: float | None = SECONDS
    ) -> Any:  # noqa: ANN401 (what comes depends on the query)
        """The answer to a SPARQL query: a `Rows` of rows, a `QuadRows` (CONSTRUCT, DESCRIBE), or a bool (ASK).

        The usual prefixes need no declaration; the default graph is the union of all pages. No more
        than `limit` rows are held; `stream` has no such limit.
        """
        question = _query(sparql, limit, timeout)
        return self._run(lambda owner: read_answer(owner, question))

    def stream(self, sparql: str, *, timeout: float | None = SECONDS) -> Iterator[Row]:
        """The rows of a SELECT query as they come, however many there are."""
        question = _query(sparql, None, timeout)
        found = self._thread.each(stream_answer(self._owner, question))
        with _sentences(self._data), closing(found) as parts:
            for rows in parts:
                yield from rows

    def search(
        self,
        words: str = "",
        *,
        type: str | Iterable[str] = (),  # noqa: A002 (what it is on the command line)
        host: str | Iterable[str] = (),
        not_type: str | Iterable[str] = (),
        property: str | Iterable[str] = (),  # noqa: A002
        lang: str | Iterable[str] = (),
        since: str | None = None,
        until: str | None = None,
        within: Within | Iterable[Within] = (),
        fold: bool = True,
        limit: int = 10,
        skip: int = 0,
    ) -> SearchRows:
        """Entities and pages that have these words, best first, as `gossamer search` finds them.

        `within` says where the words have to stand: in the "title" (names too), in the "text" that people
        see on pages, or in "data". Those that look the same are one row, whose `alike` is how many others there are, unless
        `fold` is False.
        """
        asked = Search(
            text=words,
            types=_several(type),
            not_types=_several(not_type),
            hosts=_several(host),
            properties=_several(property),
            languages=_several(lang),
            since=since,
            until=until,
            within=where(within),
            fold=fold,
            limit=limit,
            skip=skip,
        )

        async def work(owner: Answering) -> SearchRows:
            return search_rows(await ask(owner, SearchWords(asked)))

        return self._run(work)

    def entity(self, iri: str, *, timeout: float = SECONDS) -> EntityRows | None:
        """All that is said of an entity, each value with the pages that say it; None if nothing is."""

        async def work(owner: Answering) -> EntityRows | None:
            thing = await find_thing(owner, iri, timeout)
            if thing is None:
                return None
            return entity_rows(await record_of_thing(owner, thing, timeout))

        return self._run(work)

    def table(
        self,
        type: str | Iterable[str],  # noqa: A002
        columns: Iterable[str] = (),
        *,
        host: str | Iterable[str] = (),
        limit: int | None = MOST_ROWS,
        lists: bool = False,
    ) -> Rows:
        """The entities of a type and its subclasses, one a row; what they lead to is in `offers.price` and so on.

        Without `columns`, those that enough of the entities have. Where an entity has several values
        in a column, the cell is the first, and a column `….count` says how many there are; with
        `lists`, cells are lists.
        """
        types, hosts, asked = _several(type), _several(host), list(columns)

        async def work(owner: Answering) -> Rows:
            with ThingSpool() as spool:
                cut = await gather_things(owner, types, hosts, limit, spool)
                plan = plan_table(spool.coverage, asked, lists=lists)
                hints = [f"No entity has {name}." for name in plan.missing if spool.coverage.things]
                if not spool.coverage.things:
                    hints = [await nothing_of(owner, types)]
                rows = [plan.row(thing) for thing in spool]
                return Rows(plan.names, rows, cut=cut, hints=hints)

        return self._run(work)

    def changes(
        self,
        since: str | None = None,
        *,
        until: str | None = None,
        host: str | Iterable[str] = (),
        type: str | Iterable[str] = (),  # noqa: A002
        property: str | Iterable[str] = (),  # noqa: A002
        kind: str | Iterable[str] = (),
        page: str | None = None,
        limit: int | None = None,
    ) -> ChangeRows:
        """What pages say otherwise than before, the latest first: a row for each property, before and after.

        `since` and `until` are ages (`7d`) or dates; `kind` is new, changed or gone. No more than
        `limit` changes of entities are held, each with as many rows as it has properties.
        """
        asked = ChangeFilter(
            since=since,
            until=until,
            hosts=_several(host),
            types=_several(type),
            properties=_several(property),
            kinds=_several(kind),
            page=page,
        )

        async def work(owner: Answering) -> ChangeRows:
            found: list[Record] = []
            after: str | None = None
            most = MOST_ROWS if limit is None else limit
            while len(found) < most:
                portion = replace(asked, after=after, limit=min(most - len(found), MOST_CHANGES))
                answer = await ask(owner, ListChanges(portion))
                found += answer["changes"]
                if (after := answer["next"]) is None:
                    return ChangeRows(found)
            return ChangeRows(found, cut=True)

        return self._run(work)

    def vocabulary(self, *, timeout: float = VOCABULARY_SECONDS) -> Rows:
        """The classes and properties that were found, with how often, the commonest first."""

        async def work(owner: Answering) -> Rows:
            found = await vocabulary(owner, None, timeout)
            return Rows(
                ("kind", "name", "count", "label", "iri"),
                [*_met("class", found.classes), *_met("property", found.properties)],
            )

        return self._run(work)

    def status(self) -> Record:
        """How the crawl stands: what `gossamer status --json` prints."""

        async def work(owner: Answering) -> Record:
            return await ask(owner, Status())

        return self._run(work)

    def explain(self, url: str) -> Record:
        """What is known of a URL: its state, its last fetch, problems, what our robots.txt of its host says.

        Nobody is asked; `gossamer explain` also fetches a robots.txt that is not known.
        """

        async def work(owner: Answering) -> Record:
            return await ask(owner, AboutPage(url))

        return self._run(work)

    def _run(self, work: Work[T]) -> T:
        async def asked() -> T:
            return await work(self._owner)

        with _sentences(self._data):
            return self._thread.run(asked())


def _existing(path: str | os.PathLike[str] | None) -> DataFolder:
    """The data folder at a path, if there is a crawl in it."""
    data = DataFolder(Path(path or os.environ.get("GOSSAMER_DATA") or USUAL_FOLDER))
    if not data.path.is_dir():
        raise FileNotFoundError(
            f"There is no data folder {str(data.path)!r}. `gossamer crawl example.org --data DIR` makes one."
        )
    if not has_frontier(data):
        raise DataFolderError(
            f"There is no crawl in {str(data.path)!r}. Begin one with `gossamer crawl example.org`, "
            "or open another folder."
        )
    return data


@asynccontextmanager
async def _own(data: DataFolder, make_way: Callable[[], None]) -> AsyncIterator[Answers]:
    """Answer in a folder that is ours, here and at its socket; whoever wants the folder gets it."""
    config = folder_settings(data).config
    async with read_folder(COMMAND, data, config) as folder:
        making_way = Handlers().on(MakeWay, folder.doing(make_way))
        async with answer_with(folder, making_way) as answers:
            yield answers


@contextmanager
def _sentences(data: DataFolder) -> Iterator[None]:
    """Have whatever goes wrong be one error with a sentence."""
    try:
        yield
    except NoOwnerError:
        raise FolderInUseError(
            f"Another process has the data folder {data.path}, and answers no questions. "
            "Wait until it is done."
        ) from None
    except BaseExceptionGroup as group:
        raise _first(group) from None


def _first(error: BaseException) -> BaseException:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def _query(sparql: str, limit: int | None, timeout: float | None) -> Query:
    time = None if timeout is None else timedelta(seconds=timeout)
    return Query(sparql, FORMATS, QueryLimits(time=time, rows=limit))


def _several(given: str | Iterable[str]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given)


def _met(kind: str, found: Iterable[Met]) -> Iterator[tuple[str, str, int, str | None, Iri]]:
    return ((kind, met.name, met.count, met.label, Iri(met.iri)) for met in found)
