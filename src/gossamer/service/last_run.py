"""The history of the last run, kept in the data folder: charts show it when the crawl is over.

The crawl writes it, once a minute and at its end; it has figures alone, no addresses.
"""

import asyncio
import json
import os
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from gossamer.owner.messages import Record
from gossamer.service.watching import History, snapshot, usages

FIRST_EVERY: Final = 1.0  # seconds between two points, at first
SAVE_SECONDS: Final = 60.0
MOST_BYTES: Final = 2 * 1024 * 1024


def load_history(file: Path) -> History:
    """The history that is kept there; an empty one where there is none, or a damaged one."""
    with suppress(OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError):
        if file.stat().st_size <= MOST_BYTES:
            return History.of_record(json.loads(file.read_text(encoding="utf-8")))
    return History()


def save_history(file: Path, history: History) -> None:
    """Keep a history there, whole or not at all; a full disk is no reason to end a crawl."""
    draft = file.with_suffix(f".{os.getpid()}.tmp")
    try:
        draft.write_text(json.dumps(history.record()), encoding="utf-8")
        draft.replace(file)
    except OSError:
        draft.unlink(missing_ok=True)


@dataclass(slots=True)
class HistoryKeeper:
    """Notes how a crawl of this process goes, until cancelled."""

    file: Path
    status: Callable[[], Record]  # of the run, with what is left
    clock: Callable[[], float] = time.time
    history: History = field(default_factory=lambda: History(every=FIRST_EVERY))
    _before: Record | None = None

    async def run(self) -> None:
        """Look from time to time."""
        saved_at = self.clock()
        try:
            while True:
                self.look()
                if self.clock() >= saved_at + SAVE_SECONDS:
                    saved_at = self.clock()
                    save_history(self.file, self.history)  # some 100 kB, once a minute
                await asyncio.sleep(self.history.every)
        finally:
            self.look()
            save_history(self.file, self.history)

    def look(self) -> None:
        """Note how it is now."""
        if self.history.is_full:
            self.history.thin()
        self._before = snapshot(self.status(), usages(os.getpid()), self.clock(), self._before)
        self.history.note(self._before)
