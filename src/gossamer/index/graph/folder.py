"""The folder `graph/` of a data folder: what is in it, and how it is opened.

`format` says which version of Gossamer's graph it is, `quads/` is the store, `snapshots/` are copies
that are being read, `journal/` is what words have yet to be made of, `counts.json` is there while
nobody has the graph open, if it was closed in peace. `damaged` says what somebody found to be broken,
`unfinished` that it is being made anew. A folder that is damaged or of another version is refused and
left as it is, never emptied: `gossamer rebuild` puts it aside and makes another.
"""

import json
import re
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

import pyoxigraph as ox

from gossamer.errors import GraphError, StorageFullError
from gossamer.folder.durable import sync
from gossamer.index.graph.page_diff import GraphCounts

FORMAT: Final = "gossamer graph 1\n"
WAY_OUT: Final = "`gossamer rebuild` puts it aside and makes it anew from the archive."
LOCK_PATIENCE: Final = 5.0  # seconds: a predecessor that was killed takes a moment to go
LOCK_POLL: Final = 0.05
# Of the engine: "While lock file: …", "lock hold by current process", but not "block checksum mismatch".
_LOCKED: Final = re.compile(r"\block (?:file|hold)\b")
# What says nothing about the files: others' rights, no room, too many files open.
_OTHER_TROUBLE: Final = re.compile(r"Permission denied|No space left|Too many open files")


class GraphUnusableError(GraphError):
    """What is there is damaged, incomplete or of another version: it is to be made anew."""


class GraphFullError(GraphError, StorageFullError):
    """No room for the graph, or a broken disk: see to it, open the graph anew, go on."""


@dataclass(frozen=True, slots=True)
class GraphFolder:
    """The paths of one graph. Making one of these touches nothing."""

    path: Path

    @property
    def format(self) -> Path:
        """Which version this is."""
        return self.path / "format"

    @property
    def quads(self) -> Path:
        """The store's own files."""
        return self.path / "quads"

    @property
    def snapshots(self) -> Path:
        """Copies that are being read."""
        return self.path / "snapshots"

    @property
    def journal(self) -> Path:
        """What changed since words were made of it, where somebody does that."""
        return self.path / "journal"

    @property
    def counts(self) -> Path:
        """The counts at the last close."""
        return self.path / "counts.json"

    @property
    def damaged(self) -> Path:
        """What was found to be broken, where something was."""
        return self.path / "damaged"

    @property
    def unfinished(self) -> Path:
        """A marker that exists while the graph is rebuilt: until then it is not to be trusted."""
        return self.path / "unfinished"

    def note_damage(self, why: str) -> str:
        """Remember that the store is broken, for all who come; a sentence with the way out."""
        with suppress(OSError):  # on a full disk, whoever comes next finds it out anew
            self.damaged.write_text(why)
        return str(_unusable(self, why))

    def put_aside(self, now: datetime) -> Path:
        """Move all of it away, under a name that has the moment in it."""
        aside = self.path.with_name(f"{self.path.name}-{now:%Y%m%d-%H%M%S}")
        self.path.rename(aside)
        return aside

    @property
    def aside(self) -> list[Path]:
        """Where those are that were put aside, the oldest first."""
        return sorted(self.path.parent.glob(f"{self.path.name}-????????-??????"))

    def begin_anew(self) -> None:
        """Say that the graph is about to be made anew."""
        self.path.mkdir(parents=True, exist_ok=True)
        self.unfinished.touch()
        sync(self.path)

    def end_anew(self) -> None:
        """Say that all there is to be had is in the graph."""
        self.unfinished.unlink(missing_ok=True)
        sync(self.path)

    def take_counts(self) -> GraphCounts | None:
        """The counts, if the graph was closed in peace. From here on, only the store knows."""
        try:
            counts = GraphCounts(**json.loads(self.counts.read_bytes()))
        except (OSError, ValueError, TypeError):
            counts = None
        self.counts.unlink(missing_ok=True)
        sync(self.path)  # else it might come back after the machine went down, and be wrong
        return counts

    def keep_counts(self, counts: GraphCounts) -> None:
        """The counts for `take_counts`; the file appears as a whole."""
        draft = self.counts.with_suffix(".tmp")
        draft.write_text(json.dumps(asdict(counts)))
        draft.replace(self.counts)

    def keep_format(self) -> None:
        """Say that this is a graph of ours."""
        self.format.write_text(FORMAT)
        sync(self.path)


def is_damage(error: Exception) -> bool:
    """Whether the engine says that its files are broken."""
    return "Corruption" in str(error)


def broken(error: Exception) -> str:
    """What the engine found to be broken; which of its files that is helps nobody."""
    return str(error).partition("  ")[0]


def opened(
    folder: GraphFolder, patience: float = LOCK_PATIENCE, *, unfinished: bool = False
) -> ox.Store:
    """The store of the folder, made where there is none; raises `GraphError` with the way out.

    One that is being made anew is opened only for whoever does that.
    """
    _check(folder)
    if folder.unfinished.exists() and not unfinished:
        raise GraphUnusableError(
            f"The graph in {folder.path} is not complete: making it anew was broken off. "
            "`gossamer rebuild` does it."
        )
    store = _store(folder, time.monotonic() + patience)
    if not folder.format.exists():
        if store:
            raise GraphUnusableError(f"{folder.quads} holds quads, but not of ours. {WAY_OUT}")
        folder.keep_format()
    return store


def _check(folder: GraphFolder) -> None:
    """Check that opening the graph will not replace something that is there."""
    try:
        folder.path.mkdir(parents=True, exist_ok=True)
        found = folder.format.read_bytes() if folder.format.exists() else None
        damage = folder.damaged.read_text() if folder.damaged.exists() else None
    except (OSError, UnicodeDecodeError) as error:
        raise GraphError(
            f"The graph in {folder.path} cannot be used: {error}. Choose another data folder."
        ) from None
    if damage is not None:
        raise _unusable(folder, damage)
    if found is None:
        return
    if found != FORMAT.encode():
        version = found.decode(errors="replace").strip()[:40]
        raise GraphUnusableError(
            f"The graph in {folder.path} is of another version ({version!r}, not "
            f"{FORMAT.strip()!r}), which the Gossamer that made it can use. {WAY_OUT}"
        )
    # Without this file, the store would take what is left for nothing and start anew.
    if not (folder.quads / "CURRENT").exists():
        raise _unusable(folder, "files are missing")


def _store(folder: GraphFolder, deadline: float) -> ox.Store:
    while True:
        try:
            return ox.Store(folder.quads)
        except (OSError, ValueError, RuntimeError) as error:
            if not _LOCKED.search(str(error)):
                raise _cannot(folder, error) from None
            if time.monotonic() >= deadline:
                raise GraphError(
                    f"The graph in {folder.path} is in use by another process. "
                    "Wait until it is done, or choose another data folder."
                ) from None
            time.sleep(LOCK_POLL)


def _cannot(folder: GraphFolder, error: Exception) -> GraphError:
    if isinstance(error, PermissionError) or _OTHER_TROUBLE.search(str(error)):
        return GraphError(
            f"The graph in {folder.path} cannot be used: {error}. See to that, or choose another "
            "data folder."
        )
    return _unusable(folder, broken(error))


def _unusable(folder: GraphFolder, why: str) -> GraphUnusableError:
    return GraphUnusableError(f"The graph in {folder.path} is damaged ({why}). {WAY_OUT}")
