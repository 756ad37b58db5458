"""Files that are compressed as they are written: how is told by the end of their name."""

import gzip
import sys
from pathlib import Path
from typing import IO, Final, cast

from gossamer.errors import ConfigError

try:
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
except ImportError:  # a Python built without it
    zstd = None  # type: ignore[assignment]  # and so a file of that name is refused

__all__ = ["packing", "unpacked_name", "zstd"]

GZIP: Final = ".gz"
ZSTD: Final = ".zst"
GZIP_LEVEL: Final = 6


def unpacked_name(file: Path) -> str:
    """The name of what is in the file, whether it is compressed or not."""
    return file.name.removesuffix(GZIP).removesuffix(ZSTD)


def packing(draft: Path, name: Path) -> IO[bytes]:
    """The draft of a file, open to be written, as the name of that file wants it compressed."""
    match name.suffix:
        case ".gz":
            return cast(IO[bytes], gzip.open(draft, "wb", GZIP_LEVEL))
        case ".zst":
            if zstd is None:
                raise ConfigError(f"{name}: this Python has no zstd. Choose a name in {GZIP}.")
            return cast(IO[bytes], zstd.open(draft, "wb"))
    return draft.open("wb")
