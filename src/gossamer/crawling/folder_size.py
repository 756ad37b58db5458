"""The size of a data folder, measured now and then: rarely where that takes long."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from gossamer.disk import bytes_below

LEAST_SECONDS: Final = 1.0  # between two looks
LOOK_SHARE: Final = 200  # a look takes no more than this part of our time


@dataclass(slots=True)
class FolderSize:
    """Knows how large a folder was of late."""

    path: Path
    clock: Callable[[], float] = time.monotonic
    _bytes: int = 0
    _look_at: float | None = None

    def bytes(self) -> int:
        """How many bytes the folder takes, by the last look."""
        started = self.clock()
        if self._look_at is None or started >= self._look_at:
            self._bytes = bytes_below(self.path)
            ended = self.clock()
            self._look_at = ended + max(LEAST_SECONDS, LOOK_SHARE * (ended - started))
        return self._bytes
