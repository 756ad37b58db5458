"""Answers of late, by their bodies: so that an equal body at another URL is written once.

Bounded: the answers that were met last stay. What is not found here any more is written whole, which costs room and
nothing else; a new run begins with none.
"""

from collections import OrderedDict
from hashlib import blake2b
from typing import Final, NamedTuple

from gossamer.archive.compose import TELLING
from gossamer.archive.exchange import Archived, ArchivePlace
from gossamer.archive.record import digest
from gossamer.model import BodyState, Fetched

MOST: Final = 20_000  # answers; about ten megabytes
FEWEST_BYTES: Final = 1_024  # of a body: a record that refers to another takes nearly as much
_DIGEST_BYTES: Final = 32


class WrittenBody(NamedTuple):
    """An answer that the archive has whole."""

    place: ArchivePlace
    answer: Archived  # without its body, which the digest stands for


class EqualBodies:
    """Answers by body, status and the headers that say what a body means."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._written: OrderedDict[bytes, WrittenBody] = OrderedDict()
        self._unconfirmed: dict[bytes, WrittenBody] = {}  # of a batch that is not on disk yet

    def find(self, fetched: Fetched) -> WrittenBody | None:
        """An answer with this body that is written already, in this batch or before."""
        if (key := _key(fetched)) is None:
            return None
        found = self._unconfirmed.get(key) or self._written.get(key)
        if key in self._written:
            self._written.move_to_end(key)
        return found

    def note(self, fetched: Fetched, place: ArchivePlace, record_id: str) -> None:
        """Note an answer that is written whole, if its batch is kept."""
        if (key := _key(fetched)) is not None:
            answer = Archived(
                fetched.url,
                fetched.status,
                fetched.headers,
                b"",
                fetched.body_state,
                fetched.http_version,
                fetched.address,
                fetched.started_at,
                record_id,
                digest(fetched.body),
            )
            self._unconfirmed[key] = WrittenBody(place, answer)

    def confirm(self) -> None:
        """Have the last batch count: it is on disk."""
        self._written |= self._unconfirmed
        self._unconfirmed.clear()
        while len(self._written) > self._most:
            self._written.popitem(last=False)

    def take_back(self) -> None:
        """Know nothing of the last batch: it came to nothing."""
        self._unconfirmed.clear()

    def drop(self, file: str) -> None:
        """Know nothing of a file any more."""
        gone = [key for key, each in self._written.items() if each.place.file == file]
        for key in gone:
            del self._written[key]

    def clear(self) -> None:
        """Know nothing any more: files were written anew."""
        self._written.clear()
        self._unconfirmed.clear()


def _key(fetched: Fetched) -> bytes | None:
    if fetched.body_state is not BodyState.WHOLE or len(fetched.body) < FEWEST_BYTES:
        return None
    found = blake2b(fetched.body, digest_size=_DIGEST_BYTES)
    told = [fetched.header_values(name) for name in TELLING]
    found.update(repr((fetched.status, told)).encode())
    return found.digest()
