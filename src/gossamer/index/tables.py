"""When the engine writes tables of what it holds in memory.

By itself it waits for 256 MB in each of seven indexes: 1.5 GB after 90,000 pages. Nothing is lost
meanwhile, for all of it is in the log; but no laptop should spend that on a crawl. So it is told
to, beside the other work: what comes meanwhile goes into new memory.
"""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Final

MOST_FRESH: Final = 200_000  # quads; each takes about 1 KB in all indexes together


class Tables:
    """Has tables written every so many quads. For one thread."""

    def __init__(self, write: Callable[[], None], most: int | None = None) -> None:
        self._write = write
        self._most = MOST_FRESH if most is None else most
        self._fresh = 0
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="tables")
        self._writing: Future[None] | None = None

    def grew(self, quads: int) -> None:
        """So many quads came or went."""
        self._fresh += quads

    def written(self) -> None:
        """Somebody else had all of them written."""
        self._fresh = 0

    def keep_up(self) -> None:
        """Begin to write tables where that is due; raises what went wrong the last time.

        Who is quicker than the disk waits here: there are two portions in memory, and no more.
        """
        if self._fresh >= self._most:
            before, self._writing = self._writing, None
            if before is not None:
                before.result()
            self._fresh = 0
            self._writing = self._thread.submit(self._write)

    def close(self) -> None:
        """Return when nothing is being written any more."""
        self._thread.shutdown(wait=True)
