"""A worker for which pages with a mark take for ever to read: a stand-in for whatever does."""

import time

from gossamer.reading.page_worker import answer as read

MARK = b"takes for ever"


def answer(job: bytes) -> bytes:
    """What the page says, unless it has the mark."""
    if MARK in job:
        time.sleep(3600)
    return read(job)
