"""The folder `words/` of a data folder: what is in it, and how it is opened.

`index/` is the engine's, `members.db` says which subjects are gathered where, `follower` is the name
under which the graph notes its changes for us, and `format`, which is written last, says of which
version all this is. New words are made in `new/`, inside the folder: the process that makes them may
write nowhere else. A folder that is damaged or of a version we do not
know is refused and left as it is; one of an older version is searched until its words are made anew.
"""

import shutil
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import apsw
import tantivy

from gossamer.errors import GossamerError
from gossamer.folder.durable import sync
from gossamer.index.entities import Entity
from gossamer.index.words.documents import document, prepare, schema
from gossamer.index.words.members import Members

FORMAT: Final = "gossamer words 3\n"
OLDER_FORMATS: Final = frozenset({"gossamer words 1\n", "gossamer words 2\n"})
"""Of words that are searched until they are made anew, and not written any more."""
WAY_OUT: Final = "`gossamer reindex` makes them anew from the graph."
HEAP_BYTES: Final = 15_000_000  # the least that the engine takes
LOCK_PATIENCE: Final = (
    10.0  # seconds: a predecessor that was killed while it wrote takes a moment to go
)
LOCK_POLL: Final = 0.05


class WordsError(GossamerError):
    """The words cannot be used; says what to do."""


class NoWordsError(WordsError):
    """A folder that has no words yet."""


@dataclass(frozen=True, slots=True)
class WordsFolder:
    """The paths of one folder of words. Making one of these touches nothing."""

    path: Path

    @property
    def format(self) -> Path:
        """Which version this is; there when everything else is."""
        return self.path / "format"

    @property
    def follower(self) -> Path:
        """For whom the graph notes its changes."""
        return self.path / "follower"

    @property
    def index(self) -> Path:
        """The engine's own files."""
        return self.path / "index"

    @property
    def members(self) -> Path:
        """The table of which subject is gathered at which home."""
        return self.path / "members.db"

    @property
    def begun(self) -> Path:
        """Homes that subjects are about to move to, while words are written and the table is not."""
        return self.path / "begun"

    @property
    def later(self) -> Path:
        """How many things are left for later, for those who do not open the words."""
        return self.path / "later"

    @property
    def is_outdated(self) -> bool:
        """Whether an older version of ours made them; missing and damaged ones are not."""
        try:
            return self.format.read_text() in OLDER_FORMATS
        except (OSError, ValueError):
            return False

    def left(self) -> int:
        """How many that file says."""
        try:
            return int(self.later.read_text())
        except (OSError, ValueError):
            return 0  # nothing was left yet

    @property
    def draft(self) -> "WordsFolder":
        """Where new words are made, before they take the place of these."""
        return WordsFolder(self.path / "new")

    @property
    def hand(self) -> Path:
        """What the process has in hand."""
        return self.path.with_name(f"{self.path.name}.hand")

    @property
    def skipped(self) -> Path:
        """Which things are left out, and why."""
        return self.path.with_name(f"{self.path.name}.skipped")

    @property
    def moving(self) -> Path:
        """What is left of a draft on its way here; nothing else is here any more."""
        return self.path / "moving"

    def put_in_place(self) -> None:
        """Have the draft, which is complete, stand here; after a crash this is done at the next start."""
        self.format.unlink(missing_ok=True)  # first: from here on, only the draft is complete
        sync(self.path)
        for each in self.path.iterdir():
            if each != self.draft.path:
                _remove(each)
        self.draft.path.rename(self.moving)
        self._move()

    def mend(self) -> None:
        """Finish what a crash left half-done, and clear away what is of no use."""
        if self.moving.exists():
            self._move()
        elif self.draft.format.exists() and not self.format.exists():
            self.put_in_place()
        shutil.rmtree(self.draft.path, ignore_errors=True)

    def make(self) -> None:
        """Create the folder where there is none; take up what older versions left beside it."""
        draft, former = (self.path.with_name(f"{self.path.name}.{end}") for end in ("new", "old"))
        if not self.path.exists() and (draft / self.format.name).exists():
            draft.rename(self.path)
        self.path.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(draft, ignore_errors=True)
        shutil.rmtree(former, ignore_errors=True)

    def _move(self) -> None:
        names = {each.name for each in self.moving.iterdir()} - {self.format.name}
        for name in names:
            (self.moving / name).rename(self.path / name)
        sync(self.path)
        if (self.moving / self.format.name).exists():  # last: it says that all is here
            (self.moving / self.format.name).rename(self.format)
        sync(self.path)
        self.moving.rmdir()


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()


class Words:
    """The words in a folder. Made by `made` or `opened`; to be closed."""

    def __init__(self, folder: WordsFolder, index: tantivy.Index, members: Members) -> None:
        self.folder = folder
        self.members = members
        self.follower = folder.follower.read_text()
        self._index = index
        self._schema = index.schema
        self._writer: tantivy.IndexWriter | None = None
        self._left = folder.left()  # as others are told
        self.is_outdated = folder.is_outdated
        prepare(index)
        index.config_reader("manual")

    @property
    def schema(self) -> tantivy.Schema:
        """The fields of a document."""
        return self._schema

    def searcher(self) -> tantivy.Searcher:
        """The documents as of the last commit."""
        return self._index.searcher()

    def known(self, iris: Iterable[str]) -> set[str]:
        """The subjects that have a document, of their own or with others, as of the last commit."""
        searcher = self.searcher()
        here = {iri for iri in iris if searcher.doc_freq("home", iri)}
        return here.union(self.members.elsewhere(iris))

    def put(self, home: str, entity: Entity | None) -> None:
        """Have this be what is found of a home; None: have nothing be found."""
        self.put_document(home, None if entity is None else document(entity))

    def put_document(self, home: str, made: tantivy.Document | None) -> None:
        """Have this be the document of a home; None: have it have none."""
        writer = self._writing()
        writer.delete_documents_by_term("home", home)
        if made is not None:
            writer.add_document(made)

    def commit(self) -> None:
        """Return when all documents are on the disk, and then who is gathered where.

        The journal names the subjects that are to be done again after a crash in between. By then the
        graph may be another, and nothing else would tell of a home that one of them was written to.
        """
        if self.members.moved_to:
            lines = "".join(f"{home}\n" for home in self.members.moved_to)
            self.folder.begun.write_text(lines)
            sync(self.folder.begun)
            sync(self.folder.path)
        if self._writer is not None:
            self._writer.commit()
            self._index.reload()
        self.members.commit()
        self.folder.begun.unlink(missing_ok=True)
        if (left := self.members.left()) != self._left:
            with suppress(OSError):  # it is for people: nothing depends on it
                self.folder.later.write_text(f"{left}\n")
                self._left = left

    def take_up_begun(self) -> None:
        """Leave for later what a crash left half-done. A line that broke off was never acted upon."""
        if self.folder.begun.exists():
            *homes, _broken = self.folder.begun.read_bytes().split(b"\n")
            self.members.put_off(home.decode() for home in homes)
            self.members.commit()
            self.folder.begun.unlink()

    def finish(self) -> None:
        """Say that the words are complete, when nothing is written any more."""
        self.commit()
        if self._writer is not None:
            self._writer.wait_merging_threads()
            self._writer = None
        self.folder.format.write_text(FORMAT)
        sync(self.folder.format)
        sync(self.folder.path)

    def close(self) -> None:
        """Let go of everything; what was not committed is forgotten."""
        self._writer = None
        self.members.close()

    def _writing(self) -> tantivy.IndexWriter:
        if self._writer is None:
            self._writer = _writer_of(self._index, time.monotonic() + LOCK_PATIENCE)
        return self._writer


def _writer_of(index: tantivy.Index, deadline: float) -> tantivy.IndexWriter:
    while True:
        try:
            return index.writer(HEAP_BYTES, 1)
        except ValueError as error:
            if "LockBusy" not in str(error) or time.monotonic() >= deadline:
                raise
            time.sleep(LOCK_POLL)


def made(folder: WordsFolder, follower: str) -> Words:
    """New words, without any documents; to be finished."""
    shutil.rmtree(folder.path, ignore_errors=True)
    folder.index.mkdir(parents=True)
    folder.follower.write_text(follower)
    return Words(folder, tantivy.Index(schema(), str(folder.index)), Members(folder.members))


def opened(folder: WordsFolder) -> Words:
    """The words that are there; raises `WordsError` with the way out."""
    _check(folder)
    with _damage(folder):
        index = tantivy.Index.open(str(folder.index))
        words = Words(folder, index, Members(folder.members))
        words.take_up_begun()
        return words


def _check(folder: WordsFolder) -> None:
    if not folder.path.exists() or (folder.path.is_dir() and not any(folder.path.iterdir())):
        raise NoWordsError(f"There are no words in {folder.path} yet. {WAY_OUT}")
    with _damage(folder):
        found = folder.format.read_text()
    if found != FORMAT and found not in OLDER_FORMATS:
        raise WordsError(
            f"The words in {folder.path} are of another version ({found.strip()[:40]!r}, not "
            f"{FORMAT.strip()!r}). {WAY_OUT}"
        )
    if not folder.members.exists():  # else an empty one would be made
        raise WordsError(f"The words in {folder.path} are damaged: a file is missing. {WAY_OUT}")


@contextmanager
def _damage(folder: WordsFolder) -> Iterator[None]:
    """Whatever goes wrong here means that something is broken."""
    try:
        yield
    except (OSError, ValueError, RuntimeError, apsw.Error) as error:
        raise WordsError(f"The words in {folder.path} are damaged ({error}). {WAY_OUT}") from None
