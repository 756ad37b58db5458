"""The graph on disk. One process at a time holds it, and one thread of that.

**A page is there whole or not at all**, at every moment and after every crash: what is new goes in
by one `extend`, what changes by one `update`, and the store makes each of them as a whole. What
`replace` has returned from survives the end of the process, however it ends; what `flush` has
returned from survives the end of the machine.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial, reduce
from operator import add
from pathlib import Path

import pyoxigraph as ox

from gossamer.durable import sync
from gossamer.index.changes import (
    Change,
    Counts,
    Holding,
    arrival,
    as_update,
    changed,
    farewell,
    replacement,
    sizes_said,
)
from gossamer.index.folder import (
    LOCK_PATIENCE,
    GraphFolder,
    GraphUnusableError,
    broken,
    is_damage,
    opened,
)
from gossamer.index.names import FETCH, fetch_graph
from gossamer.index.pages import (
    TRIPLES,
    PageChanged,
    PageGraphs,
    PageRefused,
    RefusedError,
    check_name,
    content_of,
    without_repeats,
)
from gossamer.index.snapshots import Snapshots
from gossamer.index.tables import Tables
from gossamer.index.words import journal
from gossamer.index.words.dirty import speaks_otherwise, touched
from gossamer.index.words.journal import Cut, Journal
from gossamer.processes.memory import give_back_memory


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
    def counts(self) -> Counts:
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
            self._note(changes)
            left = self._make(changes)
            self._say(run, changes, left)
            refused += left
            if differences is not None:
                found = (changed(page, change) for page, change in changes.items())
                differences += [each for each in found if each is not None]
        return refused

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

    def _note(self, changes: Mapping[str, Change]) -> None:
        """Before anything is changed: who is spoken of, and who is linked to."""
        if self._journal is not None:
            self._journal.note(touched(changes, self._quads))

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
        plain = [change for change in changes.values() if change.only_adds]
        others = {page: change for page, change in changes.items() if not change.only_adds}
        if plain:
            self._store.extend([quad for change in plain for quad in change.added])
            self._counted(plain)
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

    def _counted(self, changes: Collection[Change]) -> None:
        self._counts = reduce(add, (change.counts for change in changes), self._counts)
        self._tables.grew(sum(len(change.added) + len(change.removed) for change in changes))

    def _recount(self) -> Counts:
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
        return Counts(pages, graphs, quads)


def _write_tables(store: ox.Store) -> None:
    store.flush()
    give_back_memory()


def _copy(store: ox.Store, tables: Tables, place: Path) -> None:
    store.backup(place)
    tables.written()  # a copy has tables of everything, and no log
