"""How many files we may have open: a connection is one, and most systems begin with few."""

import resource
from contextlib import suppress
from pathlib import Path

_NO_LIMIT = 1 << 20  # where the system names none


def raise_open_files() -> int:
    """Allow ourselves as many as the system lets us, from now on; gives how many."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(OSError, ValueError):  # macOS names a limit that it does not grant
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        soft = hard
    return _NO_LIMIT if soft == resource.RLIM_INFINITY else soft


def open_files() -> int:
    """How many are open now."""
    return len([*Path("/dev/fd").iterdir()]) - 1  # one of which is that folder
