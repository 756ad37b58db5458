"""The graph on disk. One process at a time holds it, and one thread of that.

**A page is there whole or not at all**, at every moment and after every crash: what is new goes in
by one `extend`, a large new page by one `bulk_extend`, what changes by one `update`, and the store
makes each of them as a whole. What `replace` has returned from survives the end of the process,
however it ends; what `flush` has returned from survives the end of the machine.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import partial, reduce
from operator import add
from pathlib import Path
from typing import Final

import pyoxigraph as ox

from gossamer.folder.durable import sync
from gossamer.index.graph.folder import (
    LOCK_PATIENCE,
    GraphFolder,
    GraphUnusableError,
    broken,
    is_damage,
    opened,
)
from gossamer.index.graph.names import FETCH, fetch_graph
from gossamer.index.graph.page_diff import (
    Change,
    GraphCounts,
    Holding,
    arrival,
    as_update,
    changed,
    farewell,
    replacement,
    sizes_said,
)
from gossamer.index.graph.pages import (
    TRIPLES,
    PageChanged,
    PageGraphs,
    PageRefused,
    RefusedError,
    check_name,
    content_of,
    without_repeats,
)
from gossamer.index.graph.schema_rewrite import PAGES_AT_ONCE, pages_to_rewrite, rewritten
from gossamer.index.graph.snapshots import Snapshots
from gossamer.index.words import journal
from gossamer.index.words.affected import speaks_otherwise, touched
from gossamer.index.words.journal import Cut, Journal, Touched
from gossamer.processes.confine import give_back_memory

MOST_FRESH: Final = 200_000  # quads; each takes about 1 KB in all indexes together
# Quads of a new page that go to the disk as tables of their own, at a third of the cost: the more there is in
# memory, the dearer is each that is added to it. The engine puts all tables of one such call in place at once,
# up to a million quads.
LARGE: Final = 50_000
MOST_LARGE: Final = 900_000


class GraphStore:
    """What is kept of all pages. Made by `GraphStore.open`; to be closed."""

    def __init__(self, folder: GraphFolder, store: ox.Store) -> None:
        self._folder = folder
        self._store = store
        self._tables = Tables(partial(_write_tables, store))
        # No method of ours: the engine lets go of the folder when nobody knows the store any more.
        self._snapshots = Snapshots(folder.snapshots, partial(_copy, store, self._tables))
        self._counts = folder.take_counts() or self._recount()
        self._journal = Journal.found(folder.journal)
        self._to_rewrite: list[str] | None = None  # pages, while `unify_schema` is called

    @classmethod
    def open(
        cls, path: Path, patience: float = LOCK_PATIENCE, *, unfinished: bool = False
    ) -> "GraphStore":
        """The graph in this folder, made where there is none; raises `GraphError`."""
        folder = GraphFolder(path)
        try:
            return cls(folder, opened(folder, patience, unfinished=unfinished))
        except RuntimeError as error:
            if is_damage(error):
                raise GraphUnusableError(folder.note_damage(broken(error))) from None
            raise

    def close(self) -> None:
        """Keep the counts for the next time. The store itself needs no goodbye."""
        self._snapshots.clear()
        self._tables.close()
        self._folder.keep_counts(self._counts)

    @property
    def counts(self) -> GraphCounts:
        """How much there is; kept along, never counted."""
        return self._counts

    def replace(
        self, pages: Sequence[PageGraphs], differences: list[PageChanged] | None = None
    ) -> list[PageRefused]:
        """Have the graph hold this of these pages, in turn; the pages that are left as they were.

        How much of what pages say is new goes into `differences`, where that is wanted.
        """
        refused: list[PageRefused] = []
        for run in without_repeats(pages):
            changes = dict(self._changes(run, refused))
            self._note(changes, frozenset(page.url for page in run if page.is_news))
            left = self._make(changes)
            self._say(run, changes, left)
            refused += left
            if differences is not None:
                found = (changed(page, change) for page, change in changes.items())
                differences += [each for each in found if each is not None]
        return refused

    def unify_schema(self) -> tuple[list[PageChanged], int]:
        """Rewrite names of schema.org in some pages; how much that changes, and how many pages are left.

        To be called until none is left. Each page is rewritten as a whole or not at all.
        """
        if self._to_rewrite is None:
            every = self._store.quads_for_pattern(None, None, None, None)
            self._to_rewrite = sorted(frozenset(pages_to_rewrite(every)), reverse=True)
        changes: dict[str, Change] = {}
        for _ in range(min(PAGES_AT_ONCE, len(self._to_rewrite))):
            page = self._to_rewrite.pop()
            held = self._holding(page, with_source=True)
            content = held and rewritten(page, held.source, held.fetch)
            if held and content:
                changes[page] = replacement(held, content)
        if changes:
            self._note(changes)  # and nothing is said: words are then made of what is in the graph
            refused = {page.url for page in self._make(changes)}
            changes = {page: change for page, change in changes.items() if page not in refused}
        left = len(self._to_rewrite)
        if not left:
            self._to_rewrite = None
        found = (changed(page, change) for page, change in changes.items())
        return [each for each in found if each is not None], left

    def flush(self) -> None:
        """Return when all that was replaced is safe from the end of the machine, too.

        The store's own `flush` writes tables, many small ones if it is called often. All of it is
        in the log already; the log only has to reach the disk. Tables are written for the sake of
        memory alone.
        """
        for log in self._folder.quads.glob("*.log"):
            with suppress(FileNotFoundError):  # the store has put its contents into tables since
                sync(log)
        sync(self._folder.quads)
        self._tables.keep_up()

    def note_damage(self, why: str) -> str:
        """Have nobody use the graph any more, for it is broken; a sentence with the way out."""
        return self._folder.note_damage(why)

    def snapshot(self, max_age: float = 0) -> Path:
        """A frozen copy that others may open to read, to be given back by `release`."""
        return self._snapshots.take(max_age)

    def release(self, snapshot: Path) -> None:
        """A reader is done with a snapshot."""
        self._snapshots.release(snapshot)

    def follow(self, follower: str) -> None:
        """From now on, note what changes, for whoever has this name; for nobody if it is empty."""
        if self._journal is not None:
            self._journal.close()
        journal.end(self._folder.journal)
        self._journal = Journal.begin(self._folder.journal, follower) if follower else None

    def cut(self) -> Cut:
        """What was noted so far, closed: all of it is in a snapshot that is taken after this."""
        if self._journal is None:
            return Cut("", ())
        return Cut(self._journal.follower, self._journal.cut())

    def _note(self, changes: Mapping[str, Change], news: frozenset[str] = frozenset()) -> None:
        """Before anything is changed: who is spoken of, and who is linked to; and pages that are news anyway."""
        if self._journal is not None:
            self._journal.note(touched(changes, self._quads) | Touched(news))

    def _say(
        self, pages: Sequence[PageGraphs], changes: Mapping[str, Change], left: list[PageRefused]
    ) -> None:
        """After it is changed: what pages say now, of those that say something else."""
        if self._journal is not None:
            made = changes.keys() - {page.url for page in left}
            others = {page for page in made if speaks_otherwise(changes[page])}
            said = {page.url: b"" if page.drop else page.nquads or b"" for page in pages}
            self._journal.say({page: said[page] for page in others})

    def _changes(
        self, pages: Sequence[PageGraphs], refused: list[PageRefused]
    ) -> Iterator[tuple[str, Change]]:
        for page in pages:
            try:
                change = self._change(page)
            except RefusedError as error:
                refused.append(PageRefused(page.url, str(error)))
            else:
                if change is not None:
                    yield page.url, change

    def _change(self, page: PageGraphs) -> Change | None:
        if page.drop:
            check_name(page.url)
            held = self._holding(page.url)
            return farewell(page.url, held) if held else None
        content = content_of(page)
        held = self._holding(page.url, with_source=content.source is not None)
        return replacement(held, content) if held else arrival(content)

    def _holding(self, page: str, *, with_source: bool = False) -> Holding | None:
        """What there is of a page; None where nothing is: then it has no fetch graph."""
        graph = ox.NamedNode(fetch_graph(page))
        if not self._store.contains_named_graph(graph):
            return None
        fetch = frozenset(self._quads(graph))
        sizes = {name: size for name, size in sizes_said(fetch).items() if size}
        source = (quad for name in sizes for quad in self._quads(name)) if with_source else ()
        return Holding(fetch, frozenset(source), sizes)

    def _quads(self, graph: ox.NamedNode) -> Iterator[ox.Quad]:
        return self._store.quads_for_pattern(None, None, None, graph)

    def _make(self, changes: Mapping[str, Change]) -> list[PageRefused]:
        """Two steps, with whole pages in both; the pages that are left as they were."""
        small: list[Change] = []
        large: list[Change] = []
        for change in changes.values():
            if change.only_adds:
                (large if LARGE <= len(change.added) <= MOST_LARGE else small).append(change)
        others = {page: change for page, change in changes.items() if not change.only_adds}
        if small:
            self._store.extend([quad for change in small for quad in change.added])
            self._counted(small)
        for change in large:
            self._store.bulk_extend(change.added)
            self._counted([change], in_memory=False)
        left = self._update(others) if others else []
        self._snapshots.grow_old()
        return left

    def _update(self, changes: Mapping[str, Change]) -> list[PageRefused]:
        try:
            self._store.update(";\n".join(map(as_update, changes.values())))
        except SyntaxError as error:
            # Whatever the engine reads in N-Quads it should read in SPARQL. Should it not, that
            # page is left as it was; it must not take the process down each time it comes.
            if len(changes) == 1:
                why = f"The engine cannot replace the page ({error.msg})."
                return [PageRefused(page, why) for page in changes]
            one_by_one = (self._update({page: change}) for page, change in changes.items())
            return [left for each in one_by_one for left in each]
        self._counted(changes.values())
        return []

    def _counted(self, changes: Collection[Change], *, in_memory: bool = True) -> None:
        self._counts = reduce(add, (change.counts for change in changes), self._counts)
        if in_memory:
            self._tables.grew(sum(len(change.added) + len(change.removed) for change in changes))

    def _recount(self) -> GraphCounts:
        """The counts after a crash, by what the store itself said about every page.

        Not by a query: over files that are damaged, an aggregate of the engine never ends.
        """
        pages = graphs = quads = 0
        for quad in self._store.quads_for_pattern(None, TRIPLES, None, None):
            fetch = quad.graph_name
            if isinstance(fetch, ox.NamedNode) and fetch.value.endswith(FETCH):
                ((graph, size),) = sizes_said([quad]).items()
                pages += fetch.value == fetch_graph(graph.value)
                graphs += size > 0
                quads += size
        return GraphCounts(pages, graphs, quads)


class Tables:
    """Has the engine write tables of what it holds in memory, every so many quads. For one thread.

    By itself it waits for 256 MB in each of seven indexes: 1.5 GB after 90,000 pages. Nothing is lost
    meanwhile, for all of it is in the log; but no laptop should spend that on a crawl. So it is told
    to, beside the other work: what comes meanwhile goes into new memory.
    """

    def __init__(self, write: Callable[[], None], most: int | None = None) -> None:
        self._write = write
        self._most = MOST_FRESH if most is None else most
        self._fresh = 0
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="tables")
        self._writing: Future[None] | None = None

    def grew(self, quads: int) -> None:
        """Count quads that came or went."""
        self._fresh += quads

    def written(self) -> None:
        """Somebody else had all of them written."""
        self._fresh = 0

    def keep_up(self) -> None:
        """Begin to write tables where that is due; raises what went wrong the last time.

        Who is quicker than the disk waits here: there are two portions in memory, and no more.
        """
        if self._fresh >= self._most:
            before, self._writing = self._writing, None
            if before is not None:
                before.result()
            self._fresh = 0
            self._writing = self._thread.submit(self._write)

    def close(self) -> None:
        """Return when nothing is being written any more."""
        self._thread.shutdown(wait=True)


def _write_tables(store: ox.Store) -> None:
    store.flush()
    give_back_memory()


def _copy(store: ox.Store, tables: Tables, place: Path) -> None:
    store.backup(place)
    tables.written()  # a copy has tables of everything, and no log
