"""What the words process does with the graph's changes: takes them up, or begins with everything."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import reduce
from itertools import islice
from operator import or_
from pathlib import Path
from types import MappingProxyType
from typing import Final

import apsw
import pyoxigraph as ox

from gossamer.index.graph.blanks import Term
from gossamer.index.graph.names import FETCH
from gossamer.index.server.remote_store import RemoteStatements, RemoteStore, is_locator
from gossamer.index.words import journal
from gossamer.index.words.folder import Words, WordsFolder, made
from gossamer.index.words.journal import Touched
from gossamer.index.words.page_texts import NO_TEXTS, PageTexts
from gossamer.index.words.refreshing import Refreshing, spoken
from gossamer.index.words.sayings import said
from gossamer.index.words.skipped import StepGuard
from gossamer.index.words.statements import Statements
from gossamer.index.words.throttle import WordsThrottle

SEGMENTS_AT_ONCE: Final = 4  # files of the journal, before what came of them is committed
SUBJECTS_AT_ONCE: Final = 50_000  # where all of them are done, before that is committed
Told = Callable[[int], None]


def catch_up(
    words: Words,
    notes: Path,
    segments: Sequence[int],
    snapshot: str,
    pace: WordsThrottle,
    *,
    everything: bool = False,
    guard: StepGuard | None = None,
    texts: PageTexts = NO_TEXTS,
) -> None:
    """Take up what was noted in these files of the journal, and what was left for later if it is time.

    Where everything is to be done, what takes long comes last, and once. Words first, then the files:
    a crash in between has us do it again.
    """
    statements = statements_of(snapshot)
    refreshing, rest = Refreshing(statements, words, pace, guard, texts), iter(segments)
    later = {iri for iri in words.members.later() if pace.is_due(iri)}
    while (some := list(islice(rest, SEGMENTS_AT_ONCE))) or later:
        touched = reduce(or_, (journal.noted(notes, number) for number in some), Touched())
        words.members.done(later)
        concerned = later | touched.spoken_of | words.known(touched.linked_to)
        _refresh(refreshing, words, concerned, said(notes, some))
        for number in some:
            journal.done_with(notes, number)
        later = set()
    if everything and (later := words.members.later()):
        words.members.done(later)
        _refresh(Refreshing(statements, words, None, guard, texts), words, later)


def _refresh(
    refreshing: Refreshing,
    words: Words,
    concerned: Set[str],
    pages: Mapping[str, bytes] = MappingProxyType({}),
) -> None:
    for _ in refreshing.refresh(concerned, spoken(pages, concerned)):
        pass
    words.commit()


def make_anew(
    folder: WordsFolder,
    follower: str,
    snapshot: str,
    tell: Told,
    guard: StepGuard | None = None,
    texts: PageTexts = NO_TEXTS,
) -> None:
    """New words of everything that a snapshot has, complete in the folder's draft."""
    words = made(folder.draft, follower)
    with_all = Everybody(folder.draft.path / "subjects.db")
    with_all.gather(spoken_of(snapshot))
    with_all.gather(texts.names())
    refreshing = Refreshing(statements_of(snapshot), words, None, guard, texts)
    done = 0
    while some := with_all.take(SUBJECTS_AT_ONCE):
        for count in refreshing.refresh(some):
            tell(done + count)
        done += len(some)
        words.commit()
    with_all.remove()
    words.finish()
    words.close()


class Everybody:
    """All subjects of a graph and pages with text, each once, in a file: there may be many millions."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connection = apsw.Connection(str(path))
        self._connection.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
        self._connection.execute("CREATE TABLE subjects (iri TEXT PRIMARY KEY) WITHOUT ROWID")
        self._last = ""

    def gather(self, subjects: Iterable[str]) -> None:
        """Every subject of which a page says something."""
        rows = ((iri,) for iri in subjects)
        with self._connection:
            self._connection.executemany("INSERT OR IGNORE INTO subjects VALUES (?)", rows)

    def take(self, most: int) -> list[str]:
        """The next ones, in the order of their names."""
        rows = self._connection.execute(
            "SELECT iri FROM subjects WHERE iri > ? ORDER BY iri LIMIT ?", (self._last, most)
        )
        found = [str(iri) for (iri,) in rows]
        self._last = found[-1] if found else self._last
        return found

    def remove(self) -> None:
        """Remove the words: they are not needed any more."""
        self._connection.close()
        self._path.unlink()


def statements_of(snapshot: str) -> Statements:
    """What a graph says, in the frozen copy that is named here or on the server."""
    if is_locator(snapshot):
        return RemoteStatements(RemoteStore.open(snapshot))
    return Statements(ox.Store.read_only(snapshot), snapshot)


def spoken_of(snapshot: str) -> Iterator[str]:
    """The subjects of which pages say something, in the frozen copy that is named here or on the server."""
    if is_locator(snapshot):
        return _subjects(RemoteStore.open(snapshot).subjects())
    return subjects(ox.Store.read_only(snapshot))


def subjects(store: ox.Store) -> Iterator[str]:
    """The subjects of which pages say something in a store of the engine."""
    quads = store.quads_for_pattern(None, None, None, None)
    return _subjects((quad.subject, quad.graph_name) for quad in quads)


def _subjects(
    spoken: Iterable[tuple[Term | ox.DefaultGraph, Term | ox.DefaultGraph]],
) -> Iterator[str]:
    """The names among subjects and the graphs that speak of them; those of one graph follow each other."""
    last = None
    for subject, graph in spoken:
        if subject == last or not isinstance(graph, ox.NamedNode) or graph.value.endswith(FETCH):
            continue
        last = subject
        if isinstance(subject, ox.NamedNode) and len(subject.value) <= journal.LONGEST_IRI:
            yield subject.value
