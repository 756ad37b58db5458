"""Health of a folder's owner: database, graph, words, disk and progress, each with what is wrong.

Whoever looks after us wants an answer at once, also while something is stuck. So nothing is waited for
here but for a moment, and a database that does not answer is told by how long it has not.
"""

import asyncio
import shutil
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from gossamer.archive.folders import all_rooms
from gossamer.errors import GossamerError
from gossamer.owner.messages import Record
from gossamer.values import written_size

MOMENT: Final = 1.0  # seconds that we wait for the database
LONG: Final = 10.0  # seconds; what is silent for longer is away or stuck
NEEDED: Final = ("database", "graph", "disk")
"""The parts without which nobody can be served."""


@dataclass(slots=True)
class DatabasePing:
    """Asks the database of the frontier for a sign of life, once at a time."""

    ask: Callable[[], Awaitable[object]]
    clock: Callable[[], float] = time.monotonic
    _asking: asyncio.Task[float] | None = None
    _asked_at: float = field(default=0.0)

    async def look(self) -> Record:
        """The seconds that it took to answer, or for which it has not; and what is wrong, if anything."""
        if self._asking is None:
            self._asked_at, self._asking = self.clock(), asyncio.create_task(self._ask())
        asking = self._asking
        await asyncio.wait([asking], timeout=MOMENT)
        silent = self.clock() - self._asked_at
        if not asking.done():
            trouble = f"The database of the frontier has not answered for {silent:.0f} s."
            return part(trouble if silent >= LONG else None, seconds=round(silent, 3))
        self._asking = None
        try:
            return part(None, seconds=round(asking.result(), 3))
        except GossamerError as error:
            return part(str(error), seconds=round(silent, 3))

    async def aclose(self) -> None:
        """Wait for an answer no longer."""
        if self._asking is not None:
            self._asking.cancel()
            with suppress(asyncio.CancelledError, GossamerError):
                await self._asking

    async def _ask(self) -> float:
        await self.ask()
        return self.clock() - self._asked_at


def part(trouble: str | None, **figures: object) -> dict[str, object]:
    """One part: what is wrong with it, if anything, and its figures."""
    return {"trouble": trouble, **figures}


def disk_part(folders: Sequence[Path], least: int) -> Record:
    """The room on the disk of the data folder, which is first; too little there or on another is trouble."""
    free = {folder: shutil.disk_usage(folder).free for folder in folders}
    troubles = [
        f"{written_size(each)} are free on the disk of "
        f"{'the folder' if folder == folders[0] else folder}, and crawls end below "
        f"{written_size(least)} (crawl.min_free_disk)."
        for folder, each in free.items()
        if each < least
    ]
    return part(" ".join(troubles) or None, free=free[folders[0]])


def archive_part(home: Path, least: int) -> Record:
    """The folders of an archive that has several: one that is gone or full is trouble, for others go on."""
    troubles = []
    for each in all_rooms(home):
        if each.trouble is not None:
            troubles.append(each.trouble)
        elif each.is_in_use and each.free < least:
            troubles.append(f"{each.path} has {written_size(each.free)} of room left.")
    return part(" ".join(troubles) or None)


def progress_part(run: Record | None) -> Record:
    """The state of a crawl, and the seconds since it last got anywhere; none where none runs."""
    if run is None:
        return {"state": None, "seconds": None}
    return {"state": run["state"], "seconds": run["progress_seconds"]}


def health_record(
    parts: Mapping[str, Record], progress: Record, behind: Record, who: Record
) -> dict[str, object]:
    """The whole answer."""
    troubles = [each["trouble"] for each in parts.values() if each["trouble"] is not None]
    return {
        **who,
        "ready": all(parts[name]["trouble"] is None for name in NEEDED),
        "troubles": troubles,
        "parts": dict(parts),
        "progress": progress,
        "behind": behind,
    }
