"""Files that are compressed as they are written: how is told by the end of their name."""

import gzip
from pathlib import Path
from typing import IO, Final, cast

from gossamer.cli.private_files import given_umask
from gossamer.errors import ConfigError
from gossamer.zstd import zstd

GZIP: Final = ".gz"
ZSTD: Final = ".zst"
GZIP_LEVEL: Final = 6


def unpacked_name(file: Path) -> str:
    """The name of what is in the file, whether it is compressed or not."""
    return file.name.removesuffix(GZIP).removesuffix(ZSTD)


def packing(draft: Path, name: Path) -> IO[bytes]:
    """The draft of a file, open to be written, as the name of that file wants it compressed."""
    with given_umask():
        match name.suffix:
            case ".gz":
                return cast(IO[bytes], gzip.open(draft, "wb", GZIP_LEVEL))
            case ".zst":
                if zstd is None:
                    raise ConfigError(f"{name}: this Python has no zstd. Choose a name in {GZIP}.")
                return cast(IO[bytes], zstd.open(draft, "wb"))
        return draft.open("wb")
