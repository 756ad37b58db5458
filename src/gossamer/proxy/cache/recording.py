"""A response on its way to a client, and into the store if it may be kept and gets complete."""

from collections.abc import Callable
from typing import Final

from gossamer.http.wire.fields import Fields
from gossamer.proxy.cache.fields import first
from gossamer.proxy.cache.protocol import Landing
from gossamer.proxy.cache.store import PART_BYTES, Store
from gossamer.proxy.cache.stored import Stored
from gossamer.proxy.cache.storing import may_ask, page_asks

UNKNOWN: Final = -1


class Recording:
    """A relay that keeps what passes."""

    __slots__ = (
        "_announced",
        "_ended",
        "_gathered",
        "_landed",
        "_max_bytes",
        "_now",
        "_parts",
        "_said",
        "_size",
        "_store",
        "_stored",
        "added",
        "is_kept",
        "status",
    )

    def __init__(
        self,
        said: Fields,
        added: Fields,
        stored: Stored,
        store: Store,
        max_bytes: int,
        now: Callable[[], float],
        landed: Callable[[Landing], None],
    ) -> None:
        """`said` is what the origin said of it, `added` what we say besides.

        `landed` is called once: when others can use the response, or never will.
        """
        self.status, self.added = stored.status, added
        self.is_kept = True
        self._stored, self._store = stored, store
        self._max_bytes, self._now, self._landed = max_bytes, now, landed
        self._announced = announced_length(said)
        self._said = said
        self._gathered = bytearray()  # one object, however small the pieces are
        self._size = 0
        self._parts = 0
        self._ended = False

    def write(self, piece: bytes) -> None:
        """Take a piece of the body."""
        if not self.is_kept:
            return
        self._gathered += piece
        self._size += len(piece)
        if self._size > self._max_bytes:
            self.abandon(Landing.ALONE)
        elif len(self._gathered) > PART_BYTES:
            self._write_part()

    def done(self) -> None:
        """The body is complete, if it is as long as was announced."""
        if not self.is_kept or self._announced not in (UNKNOWN, self._size):
            self.abandon()
            return
        if not self._parts:
            body = bytes(self._gathered)
            if not self._is_withheld(body):
                self._finish(body)
        elif self._write_part():
            self._finish(None)

    def abandon(self, landing: Landing = Landing.NOTHING) -> None:
        """Give up a response that is incomplete or cannot be kept: nothing is kept of it."""
        self.is_kept = False
        if not self._ended:
            self._ended = True
            self._gathered.clear()
            if self._parts:
                self._store.discard(self._stored.id)
            self._landed(landing)

    def _finish(self, body: bytes | None) -> None:
        self._ended, self.is_kept = True, False
        complete = self._stored.complete(self._size, body)
        self._store.put(complete, self._now(), self._put)

    def _put(self, is_stored: bool) -> None:
        self._landed(Landing.SHARED if is_stored else Landing.ALONE)

    def _is_withheld(self, start: bytes) -> bool:
        """Whether the page asks not to be kept, by its beginning; then nothing is, of it or before it."""
        if not may_ask(self._said) or not page_asks(start, self._said):
            return False
        self._store.drop(self._stored.url)
        self.abandon(Landing.ALONE)
        return True

    def _write_part(self) -> bool:
        """Write what has gathered; False where that is given up."""
        data = bytes(self._gathered)
        self._gathered.clear()
        if not self._parts and self._is_withheld(data):
            return False
        if not self._store.add_part(self._stored.id, self._parts, data):
            self.abandon(Landing.ALONE)
            return False
        self._parts += 1
        return True


def announced_length(fields: Fields) -> int:
    """The length that a response says it has."""
    length = first(fields, b"content-length")
    return int(length) if length is not None and length.isdigit() else UNKNOWN
