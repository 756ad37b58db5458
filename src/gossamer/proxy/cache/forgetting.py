"""Forgetting: what is stored of hosts and pages leaves the file, while no proxy runs."""

import os
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from gossamer.errors import FolderInUseError
from gossamer.frontier.sqlite import transaction
from gossamer.proxy.cache.database import (
    CacheInUseError,
    clear_remains,
    held_alone,
    open_cache_file,
    rows,
    sentences,
)

_STORED: Final = "SELECT id, url FROM responses"
_DROPS: Final = ("DELETE FROM responses WHERE id = ?", "DELETE FROM bodies WHERE response = ?")


@contextmanager
def without_proxy(path: Path) -> Iterator[None]:
    """Have the file, if there is one, to ourselves; a proxy that is running is named at once."""
    if not path.exists():
        yield
        return
    try:
        lock = held_alone(path)
    except CacheInUseError:
        raise FolderInUseError(
            f"A proxy is running with the cache of {path.parent}, and this changes what is in it. "
            "Stop the proxy first."
        ) from None
    try:
        yield
    finally:
        os.close(lock)


def forget_stored(path: Path, covers: Callable[[str], bool]) -> int:
    """Remove the responses for some URLs, and say how many; only `without_proxy`."""
    if not path.exists():
        return 0
    with closing(open_cache_file(path)) as database, sentences(path):
        rows(database, "PRAGMA secure_delete = ON")  # no bytes of it stay in the file
        clear_remains(database, path)  # of which nobody knows what URL they were for
        gone = [(number,) for number, url in rows(database, _STORED) if covers(url)]
        with transaction(database):
            for drop in _DROPS:
                database.executemany(drop, gone)
    return len(gone)
