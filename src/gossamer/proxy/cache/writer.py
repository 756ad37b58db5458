"""The thread that writes the cache's file, so that answering never waits for a disk.

Changes are written in the order in which they came, as many in one transaction as are there, within a bound.
"""

import threading
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Final

import apsw

from gossamer.frontier.sqlite import transaction
from gossamer.proxy.cache.changes import Change, File
from gossamer.proxy.cache.database import in_words, rows

ROOM_SHARE: Final = 0.95  # eviction makes room for more than the one response that needs it
EVICT_AT_ONCE: Final = 1000  # in one transaction; others want to write, too
BATCH_BYTES: Final = 4 * 1024 * 1024
SHRINK_SHARE: Final = 0.25  # of the file that is free
_OLDEST: Final = "SELECT id, url FROM responses ORDER BY used_at LIMIT ?"
_DROP_BODY: Final = """
DELETE FROM bodies WHERE response = ? AND NOT EXISTS (SELECT 1 FROM responses WHERE id = ?)"""


class Pins:
    """Bodies that are being read, which must stay until that is done."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._readers: dict[int, int] = {}
        self._condemned: set[int] = set()

    def pin(self, number: int) -> bool:
        """Keep a body; False where it is about to go."""
        with self._lock:
            if number in self._condemned:
                return False
            self._readers[number] = self._readers.get(number, 0) + 1
            return True

    def unpin(self, number: int) -> None:
        """Unpin a body that was read, or given up."""
        with self._lock:
            left = self._readers[number] - 1
            if left:
                self._readers[number] = left
            else:
                del self._readers[number]

    def condemn(self, number: int) -> bool:
        """Forbid further reads of a body; False while it is being read."""
        with self._lock:
            if number in self._readers:
                return False
            self._condemned.add(number)
            return True

    def forget_condemned(self) -> None:
        """Forget bodies that are gone, or were spared."""
        with self._lock:
            self._condemned.clear()


class Outcome:
    """What came of a batch of changes."""

    __slots__ = ("changes", "entries", "evicted", "holed", "total", "trouble")

    def __init__(self, changes: list[Change]) -> None:
        self.changes = changes
        self.evicted: list[tuple[int, str]] = []  # number and URL
        self.holed: set[int] = set()  # responses that were not stored, for want of their bodies
        self.trouble: str | None = None
        self.total = 0
        self.entries = 0


class Writer:
    """Writes changes, and keeps the file within its size."""

    def __init__(
        self,
        database: apsw.Connection,
        path: Path,
        max_bytes: int,
        pins: Pins,
        report: Callable[[Outcome], None],
    ) -> None:
        self._file = File(database)
        self._path, self._max_bytes = path, max_bytes
        self._pins, self._report = pins, report
        self._changes: deque[Change] = deque()
        self._ready = threading.Condition()
        self._idle = False
        self._closing = False
        self._is_full = False  # there is more to be evicted
        self.backlog_bytes = 0
        self.at_first = self._file.state
        self._thread = threading.Thread(target=self._run, name="proxy-cache", daemon=True)
        self._thread.start()

    def write(self, change: Change) -> None:
        """Have a change written, after those before it."""
        with self._ready:
            self._changes.append(change)
            self.backlog_bytes += change.weight
            self._ready.notify_all()

    def flush(self) -> None:
        """Wait until all that was asked for is written and reported."""
        with self._ready:
            self._ready.wait_for(lambda: self._idle and not self._changes)

    def close(self) -> None:
        """Write what is left, and end."""
        with self._ready:
            self._closing = True
            self._ready.notify_all()
        self._thread.join()
        self._file.database.close()

    def _run(self) -> None:
        self._write_batch([])  # the limit may be lower than last time
        while self._is_full and not self._closing:
            self._write_batch([])
        if not self._closing:
            self._shrink()
        while (batch := self._next_batch()) is not None:
            self._write_batch(batch)

    def _next_batch(self) -> list[Change] | None:
        with self._ready:
            self._idle = not self._is_full
            self._ready.notify_all()
            self._ready.wait_for(lambda: self._changes or self._closing or self._is_full)
            if not self._changes and (self._closing or not self._is_full):
                return None
            self._idle = False
            return self._batch()

    def _batch(self) -> list[Change]:
        """As many changes as go into one transaction; without a bound the file would outgrow its own."""
        batch, weight = list[Change](), 0
        while self._changes and weight < BATCH_BYTES:
            batch.append(self._changes.popleft())
            weight += batch[-1].weight
        return batch

    def _write_batch(self, batch: list[Change]) -> None:
        outcome = Outcome(batch)
        before, file = self._file.state, self._file
        try:
            with transaction(file.database):
                for change in batch:
                    change.apply(file)
                gone = self._drop_bodies()
                self._make_room(outcome)
                gone |= self._drop_bodies()
            file.headless -= gone
        except apsw.Error as error:
            # What should have gone stays on the list of bodies to drop, without harm: a body is
            # dropped only if its head is gone.
            file.state = before
            outcome.evicted.clear()
            outcome.trouble = in_words(error, self._path)
        self._pins.forget_condemned()
        with self._ready:
            self.backlog_bytes -= sum(change.weight for change in batch)
        outcome.holed, file.holed = file.holed, set()
        outcome.total, outcome.entries = file.state.total, file.state.entries
        self._is_full = bool(outcome.evicted) and outcome.total > self._max_bytes
        self._report(outcome)

    def _make_room(self, outcome: Outcome) -> None:
        """Evict what was not used for longest, but nothing that is being read, and some at a time."""
        if self._file.state.total <= self._max_bytes:
            return
        enough = int(self._max_bytes * ROOM_SHARE)
        for number, url in rows(self._file.database, _OLDEST, EVICT_AT_ONCE):
            if self._file.state.total <= enough:
                return
            if self._pins.condemn(number):
                self._file.drop(number)
                self._file.leave({number})
                outcome.evicted.append((number, url))

    def _drop_bodies(self) -> set[int]:
        """Remove the bodies of what was dropped, unless somebody still reads them."""
        gone = {number for number in self._file.headless if self._pins.condemn(number)}
        self._file.database.executemany(_DROP_BODY, [(number, number) for number in gone])
        self._file.leave(gone)
        for number in gone:
            self._file.end_parts(number)  # whose dropping may have failed once
        return gone

    def _shrink(self) -> None:
        """Give room back to the disk where the limit was lowered; a little is soon used again."""
        ((free,),) = rows(self._file.database, "PRAGMA freelist_count")
        ((pages,),) = rows(self._file.database, "PRAGMA page_count")
        if free > pages * SHRINK_SHARE:
            rows(self._file.database, "PRAGMA incremental_vacuum")
