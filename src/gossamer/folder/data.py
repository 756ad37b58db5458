"""The data folder: where everything of one crawl lives, and who owns it.

One process owns a folder at a time, decided by a lock on the file `lock`. The
kernel gives the lock back when the owner dies, however it dies, so a stale file
never keeps anybody out.
"""

import fcntl
import json
import os
import stat
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path

from gossamer.config import Index
from gossamer.errors import DataFolderError, FolderInUseError

LOCK_POLL_SECONDS = 0.05
PRIVATE = 0o700  # what is crawled, and who asked for what, is nobody else's


@dataclass(frozen=True, slots=True)
class DataFolder:
    """The paths of one data folder. Making one of these touches nothing."""

    path: Path
    # Where these are, if not in the folder: as the settings say, which `placed` is given.
    graph_at: Path | None = field(default=None, compare=False)
    words_at: Path | None = field(default=None, compare=False)

    def placed(self, index: Index) -> "DataFolder":
        """The data folder with its graph and words where the settings have them."""
        return replace(
            self, graph_at=self._path(index.graph_folder), words_at=self._path(index.words_folder)
        )

    def _path(self, named: str | None) -> Path | None:
        return None if named is None else self.path / Path(named).expanduser()

    @property
    def settings_file(self) -> Path:
        """The user's own configuration; we never write it."""
        return self.path / "gossamer.toml"

    @property
    def runtime_file(self) -> Path:
        """Changes made while running."""
        return self.path / "runtime.json"

    @property
    def reload_file(self) -> Path:
        """An empty file, made anew when edits of the configuration are to be taken up."""
        return self.path / "reload"

    @property
    def frontier_file(self) -> Path:
        """What is known about hosts and URLs."""
        return self.path / "frontier.db"

    @property
    def node_file(self) -> Path:
        """What this folder knows of itself as a node of a crawl."""
        return self.path / "node.json"

    @property
    def unsettled_file(self) -> Path:
        """Pages in the graph of a node that another node may settle."""
        return self.path / "unsettled"

    @property
    def history_file(self) -> Path:
        """How fast the last run was, from its beginning to its end."""
        return self.path / "history.json"

    @property
    def changes_file(self) -> Path:
        """What each page said last, and what has changed since."""
        return self.path / "changes.db"

    @property
    def report_file(self) -> Path:
        """What was found wrong with the structured data of each page."""
        return self.path / "report.db"

    @property
    def vocabularies_folder(self) -> Path:
        """The terms of vocabularies that the user has added for reports."""
        return self.path / "vocabularies"

    @property
    def graph_folder(self) -> Path:
        """What pages say."""
        return self.graph_at or self.path / "graph"

    @property
    def words_folder(self) -> Path:
        """What people search."""
        return self.words_at or self.path / "words"

    @property
    def log_folder(self) -> Path:
        """JSON lines, one event each."""
        return self.path / "log"

    @property
    def archive_folder(self) -> Path:
        """What was fetched, as WARC files."""
        return self.path / "archive"

    @property
    def proxy_cache_file(self) -> Path:
        """What the proxy keeps of the responses that passed through it."""
        return self.path / "proxy-cache.db"

    @property
    def authority_folder(self) -> Path:
        """The local certificate authority, with which the proxy looks into HTTPS."""
        return self.path / "ca"

    @property
    def identity_folder(self) -> Path:
        """Keys that sign requests."""
        return self.path / "identity"

    @property
    def socket_file(self) -> Path:
        """Where the owner of the folder answers questions."""
        return self.path / "gossamer.sock"

    def disk_folders(self) -> list[Path]:
        """The folder, and those of its graph and words that are there and lie elsewhere."""
        moved = (self.graph_at, self.words_at)
        return [self.path, *(each for each in moved if each is not None and each.exists())]

    def make(self) -> None:
        """Create the folder where there is none, for its owner alone; one that is there stays as it is."""
        try:
            self.path.mkdir(mode=PRIVATE, parents=True, exist_ok=True)
        except OSError as error:
            raise DataFolderError(
                f"The data folder {self.path} cannot be made: {error.strerror}. "
                "Choose another with --data."
            ) from None

    def others_can_read(self) -> bool:
        """Whether another user of this machine can list the folder, or enter it.

        An ancestor that keeps others out keeps them out of here too.
        """
        try:
            folder = self.path.resolve()
            return is_open(*(each.stat().st_mode for each in (folder, *folder.parents)))
        except OSError:
            return False  # there is none yet

    @contextmanager
    def owned(self, patience: timedelta = timedelta(seconds=10)) -> Iterator[None]:
        """Hold the folder's lock; wait for its present owner this long at most."""
        from gossamer.processes.sandbox import hide_folder

        self.make()
        hide_folder(self.path)
        lock = self._open_lock()
        try:
            self._acquire(lock, time.monotonic() + patience.total_seconds())
            os.ftruncate(lock, 0)
            os.pwrite(lock, f"{os.getpid()}\n".encode(), 0)
            yield
        finally:
            os.close(lock)

    def _open_lock(self) -> int:
        try:
            return os.open(self.path / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise DataFolderError(
                f"The data folder {self.path} cannot be written: {error.strerror}. "
                "Choose another with --data."
            ) from None

    def _acquire(self, lock: int, deadline: float) -> None:
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() >= deadline:
                    owner = os.pread(lock, 32, 0).decode(errors="replace").strip() or "unknown"
                    raise FolderInUseError(
                        f"The data folder {self.path} is in use by process {owner}. "
                        "Wait until it is done, or choose another with --data."
                    ) from None
                time.sleep(LOCK_POLL_SECONDS)
            else:
                return

    @contextmanager
    def changing_runtime(self) -> Iterator[None]:
        """Lock the run-time settings for one change: read, change and keep within this."""
        self.make()
        folder = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            fcntl.flock(folder, fcntl.LOCK_EX)
            yield
        finally:
            os.close(folder)

    def ask_for_reload(self) -> None:
        """Have all who work in this folder read the user's configuration again."""
        self.make()
        # Never the file that is there: so it looks different, whatever the clock says.
        draft = self.reload_file.with_suffix(f".{os.getpid()}.tmp")
        try:
            draft.touch(mode=0o600)
            draft.replace(self.reload_file)
        except OSError as error:
            draft.unlink(missing_ok=True)
            raise DataFolderError(
                f"{self.reload_file} cannot be written: {error.strerror}. Nothing was changed."
            ) from None

    def keep_runtime_changes(self, changes: Mapping[str, object]) -> None:
        """Replace the runtime changes as a whole: after a crash it is the old file or the new."""
        self.make()
        draft = self.runtime_file.with_suffix(f".{os.getpid()}.tmp")
        try:
            draft.touch(mode=0o600)  # a proxy's password may be among them
            with draft.open("w", encoding="utf-8") as file:
                json.dump(dict(changes), file, indent=2)
                file.flush()
                os.fsync(file.fileno())
            draft.replace(self.runtime_file)
        except OSError as error:
            draft.unlink(missing_ok=True)
            raise DataFolderError(
                f"{self.runtime_file} cannot be written: {error.strerror}. Nothing was changed."
            ) from None


def is_open(mode: int, *above: int) -> bool:
    """Whether others can get into a folder of this mode, within folders of those modes."""
    enters = stat.S_IXGRP | stat.S_IXOTH
    return bool(mode & (stat.S_IRWXG | stat.S_IRWXO)) and all(each & enters for each in above)


def bytes_below(path: Path) -> int:
    """The bytes below a path; a file that goes away meanwhile has none."""
    try:
        # Snapshots are links to files that are counted where they belong.
        if path.is_dir() and not path.is_symlink():
            return sum(bytes_below(each) for each in path.iterdir() if each.name != "snapshots")
        return path.lstat().st_size
    except OSError:
        return 0
