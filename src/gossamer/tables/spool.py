"""Things on their way to a table: counted as they come, and kept in a file until its columns are known.

Memory does not grow with them: past some megabytes they are on the disk.
"""

import tempfile
from collections.abc import Iterator
from typing import Final, Self

from gossamer.tables.gathered import Coverage, GatheredThing, read_thing

IN_MEMORY: Final = 8 * 1024 * 1024


class ThingSpool:
    """Use it in a `with` block: `take` lines of JSON, then iterate over the things."""

    def __init__(self) -> None:
        self.coverage = Coverage()
        self._file = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 (closed at exit)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def take(self, line: bytes) -> None:
        """Take one more thing."""
        self.coverage.take(read_thing(line))
        self._file.write(line.rstrip(b"\n") + b"\n")

    def __iter__(self) -> Iterator[GatheredThing]:
        self._file.seek(0)
        return map(read_thing, self._file)
