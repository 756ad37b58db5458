"""Where a record is: the text that a page's row in the frontier keeps. Pure."""

import re
from dataclasses import dataclass
from typing import Final, Self

# Never a path: what a row says must not lead out of the archive's folder.
FILE_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*\.warc\.gz", re.ASCII)
_PLACE: Final = re.compile(rf"({FILE_NAME.pattern}):([0-9]{{1,18}}):([0-9]{{1,18}})", re.ASCII)


@dataclass(frozen=True, slots=True)
class ArchivePlace:
    """One packed record: which file, where it begins, how many bytes it takes there."""

    file: str
    offset: int
    length: int

    def __str__(self) -> str:
        return f"{self.file}:{self.offset}:{self.length}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """The place that `str` wrote."""
        parts = _PLACE.fullmatch(text)
        if not parts:
            raise ValueError(f"not a place in an archive: {text!r}")
        return cls(parts[1], int(parts[2]), int(parts[3]))
