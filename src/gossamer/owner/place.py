"""Where the owner of a data folder listens: the Unix socket `gossamer.sock` in it.

The path of a socket may have about a hundred bytes. Where the folder's is longer, the socket is
in a folder of its own among the temporary files, and `gossamer.sock` is a link that leads there.
"""

import os
import shutil
import socket
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final

MOST_PATH_BYTES: Final = 100  # macOS has room for 103, Linux for 107
PREFIX: Final = "gossamer-"
BACKLOG: Final = 16


@contextmanager
def listening(path: Path) -> Iterator[socket.socket]:
    """A socket that listens where this path leads; nobody but this user may connect."""
    place = path.parent.resolve() / path.name
    _clear(place)
    with closing(socket.socket(socket.AF_UNIX)) as bound:
        try:
            _bind(bound, place)
            bound.listen(BACKLOG)
            yield bound
        finally:
            _clear(place)


def way_to(path: Path) -> str:
    """The address to connect to."""
    place = path.parent.resolve() / path.name
    return str(place.readlink() if place.is_symlink() else place)


def _bind(bound: socket.socket, place: Path) -> None:
    short = place
    if len(os.fsencode(place)) > MOST_PATH_BYTES:
        short = Path(tempfile.mkdtemp(prefix=PREFIX, dir=_short_folder())) / place.name
        place.symlink_to(short)
    bound.bind(str(short))
    short.chmod(0o600)  # before it listens, so nobody can come sooner


def _short_folder() -> str:
    folder = tempfile.gettempdir()
    return folder if len(os.fsencode(folder)) < MOST_PATH_BYTES // 2 else "/tmp"  # noqa: S108 (mkdtemp follows)


def _clear(place: Path) -> None:
    """Remove what we, or an owner that was killed, left here."""
    with suppress(OSError):
        if place.is_symlink() and place.readlink().parent.name.startswith(PREFIX):
            shutil.rmtree(place.readlink().parent)
    place.unlink(missing_ok=True)
