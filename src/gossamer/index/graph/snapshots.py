"""Frozen copies of the store that other processes read.

A copy is a folder of hard links to the store's files, made in some milliseconds. Nobody else can
read a store while it is written; of a copy there may be as many readers as there like. It is kept
while it has readers, and the latest for a while longer.
"""

import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

KEPT_SECONDS: Final = 10.0  # an old snapshot keeps files alive that the store has long replaced


@dataclass(slots=True)
class _Snapshot:
    path: Path
    taken_at: float
    readers: int = 0


class Snapshots:
    """The copies of one store, in a folder of their own."""

    def __init__(self, folder: Path, copy: Callable[[Path], None]) -> None:
        self._folder = folder
        self._copy = copy  # the store, to there
        self._number = 0
        self._kept: dict[Path, _Snapshot] = {}
        self._latest: _Snapshot | None = None
        self._is_current = False
        self.clear()  # of what a crash left; the readers are gone too

    def clear(self) -> None:
        """Remove all of them, read or not. The folder stays: readers may read what is in this one."""
        self._kept.clear()
        self._latest = None
        self._folder.mkdir(exist_ok=True)
        for each in self._folder.iterdir():
            shutil.rmtree(each, ignore_errors=True)

    def take(self, max_age: float) -> Path:
        """The latest, if it will do; else a new one. For one reader more."""
        snapshot = self._latest
        if snapshot is None or not (self._is_current or _age(snapshot) <= max_age):
            snapshot = self._new()
        snapshot.readers += 1
        return snapshot.path

    def release(self, path: Path) -> None:
        """Count one reader of a snapshot less; one that nobody reads is removed."""
        if snapshot := self._kept.get(path):
            snapshot.readers -= 1
            self._tidy()

    def grow_old(self) -> None:
        """The store has changed."""
        self._is_current = False
        self._tidy()

    def _new(self) -> _Snapshot:
        self._number += 1
        snapshot = _Snapshot(self._folder / str(self._number), time.monotonic())
        self._copy(snapshot.path)
        self._kept[snapshot.path] = self._latest = snapshot
        self._is_current = True
        self._tidy()
        return snapshot

    def _tidy(self) -> None:
        if not self._is_current and self._latest and _age(self._latest) > KEPT_SECONDS:
            self._latest = None
        for snapshot in list(self._kept.values()):
            if snapshot.readers <= 0 and snapshot is not self._latest:
                del self._kept[snapshot.path]
                shutil.rmtree(snapshot.path, ignore_errors=True)


def _age(snapshot: _Snapshot) -> float:
    return time.monotonic() - snapshot.taken_at
