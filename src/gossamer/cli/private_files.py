"""Files in the data folder are readable by their owner alone: the umask of this process says so.

A file that the user names (`-o FILE`) is made as the user's own umask has it.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

NOBODY_ELSE: Final = 0o077
_given: int | None = None  # the umask that this process was started with


@contextmanager
def tight_umask() -> Iterator[None]:
    """Have whatever is made within this, by us or a child, be the owner's alone."""
    global _given
    _given = os.umask(NOBODY_ELSE)
    os.umask(_given | NOBODY_ELSE)
    try:
        yield
    finally:
        os.umask(_given)
        _given = None


@contextmanager
def given_umask() -> Iterator[None]:
    """Make files within this as the user's umask has them."""
    if _given is None:
        yield
        return
    tight = os.umask(_given)
    try:
        yield
    finally:
        os.umask(tight)
