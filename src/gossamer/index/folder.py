"""The folder `graph/` of a data folder: what is in it, and how it is opened.

`format` says which version of Gossamer's graph it is, `quads/` is the store, `snapshots/` are copies
that are being read, `journal/` is what words have yet to be made of, `counts.json` is there while nobody has the graph open, if it was closed in
peace. A folder that is damaged or of another version is refused and left as it is, never emptied.
"""

import json
import os
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

import pyoxigraph as ox

from gossamer.errors import GossamerError, StorageAwayError, StorageFullError
from gossamer.index.changes import Counts

FORMAT: Final = "gossamer graph 1\n"
WAY_OUT: Final = "Move it aside; the graph can be made anew from the archive."
LOCK_PATIENCE: Final = 5.0  # seconds: a predecessor that was killed takes a moment to go
LOCK_POLL: Final = 0.05


class GraphError(GossamerError):
    """The graph cannot be used; says what to do."""


class GraphFullError(GraphError, StorageFullError):
    """There is no room for the graph, or its disk is broken: see to it, open the graph anew, go on."""


class GraphAwayError(GraphError, StorageAwayError):
    """The server that has the graph does not answer now; nothing is lost by asking again."""


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

    def take_counts(self) -> Counts | None:
        """The counts, if the graph was closed in peace. From here on, only the store knows."""
        try:
            counts = Counts(**json.loads(self.counts.read_bytes()))
        except (OSError, ValueError, TypeError):
            counts = None
        self.counts.unlink(missing_ok=True)
        self._sync()  # else it might come back after the machine went down, and be wrong
        return counts

    def keep_counts(self, counts: Counts) -> None:
        """The counts for `take_counts`; the file appears as a whole."""
        draft = self.counts.with_suffix(".tmp")
        draft.write_text(json.dumps(asdict(counts)))
        draft.replace(self.counts)

    def keep_format(self) -> None:
        """Say that this is a graph of ours."""
        self.format.write_text(FORMAT)
        self._sync()

    def _sync(self) -> None:
        descriptor = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def opened(folder: GraphFolder, patience: float = LOCK_PATIENCE) -> ox.Store:
    """The store of the folder, made where there is none; raises `GraphError` with the way out."""
    _check(folder)
    store = _store(folder, time.monotonic() + patience)
    if not folder.format.exists():
        if store:
            raise GraphError(f"{folder.quads} holds quads, but not of ours. {WAY_OUT}")
        folder.keep_format()
    return store


def _check(folder: GraphFolder) -> None:
    """That opening will not make something new of something that is there."""
    try:
        folder.path.mkdir(parents=True, exist_ok=True)
        found = folder.format.read_text() if folder.format.exists() else None
    except (OSError, UnicodeDecodeError) as error:
        raise GraphError(
            f"The graph in {folder.path} cannot be used: {error}. Choose another data folder."
        ) from None
    if found is None:
        return
    if found != FORMAT:
        raise GraphError(
            f"The graph in {folder.path} is of another version ({found.strip()[:40]!r}, not "
            f"{FORMAT.strip()!r}). Use the Gossamer that made it, or move it aside."
        )
    # Without this file, the store would take what is left for nothing and start anew.
    if not (folder.quads / "CURRENT").exists():
        raise GraphError(f"The graph in {folder.path} is damaged: files are missing. {WAY_OUT}")


def _store(folder: GraphFolder, deadline: float) -> ox.Store:
    while True:
        try:
            return ox.Store(folder.quads)
        except (OSError, ValueError, RuntimeError) as error:
            if "lock" not in str(error).lower():
                raise GraphError(_cannot(folder, error)) from None
            if time.monotonic() >= deadline:
                raise GraphError(
                    f"The graph in {folder.path} is in use by another process. "
                    "Wait until it is done, or choose another data folder."
                ) from None
            time.sleep(LOCK_POLL)


def _cannot(folder: GraphFolder, error: Exception) -> str:
    if isinstance(error, PermissionError) or "Permission denied" in str(error):
        return f"The graph in {folder.path} cannot be used: {error}. Choose another data folder."
    return f"The graph in {folder.path} is damaged ({error}). {WAY_OUT}"
