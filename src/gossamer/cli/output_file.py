"""A file that a command was asked to write: there when it is whole, and not at all otherwise."""

import gzip
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final, cast

from gossamer.cli.errors import given_umask
from gossamer.errors import ConfigError, InputError

GZIP: Final = ".gz"
ZSTD: Final = ".zst"
GZIP_LEVEL: Final = 6


@contextmanager
def whole_file(file: Path) -> Iterator[IO[bytes]]:
    """The file, to be written within the block; compressed if its name ends in .gz or .zst."""
    draft = file.with_name(f".{file.name}.{os.getpid()}.tmp")
    try:
        with packing(draft, file) as output:
            yield output
        draft.replace(file)
    except OSError as error:
        raise InputError(f"{file} cannot be written: {error.strerror}.") from None
    finally:
        draft.unlink(missing_ok=True)


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
                from gossamer.fetch.zstd import zstd

                if zstd is None:
                    raise ConfigError(f"{name}: this Python has no zstd. Choose a name in {GZIP}.")
                return cast(IO[bytes], zstd.open(draft, "wb"))
        return draft.open("wb")
