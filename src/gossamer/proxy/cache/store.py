"""Stored responses: those in use in memory, all of them on disk.

Everything here but the writer runs in one thread, the event loop's. A page is all that is stored
for one URL; while it is in memory, that is what counts, whether it is on disk yet or not. What
the writer did is taken note of between requests (`catch_up`).
"""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

import apsw

from gossamer.proxy.cache.changes import Change, Drop, Freshen, Part, Put, Used
from gossamer.proxy.cache.database import clear_remains, held_alone, in_words, open_cache_file, rows
from gossamer.proxy.cache.protocol import Counters, LostBodyError
from gossamer.proxy.cache.shelf import BloomFilter, Page, Shelf
from gossamer.proxy.cache.stored import Stored
from gossamer.proxy.cache.writer import Outcome, Pins, Writer

PART_BYTES: Final = 256 * 1024  # a smaller body is one piece, and may be kept in memory
BACKLOG_BYTES: Final = 64 * 1024 * 1024  # more than a disk can take is not stored
VARIANTS: Final = 32  # of one URL; whoever sends a new `User-Agent` each time fills no disk
MARKS: Final = 512  # moments of use that are written together
UNDER_WAY_SHARE: Final = 0.5  # of the limit, for large bodies that may never get complete
_HEADS: Final = """
SELECT id, url, vary, selection, status, block, born, answered_at, size, marks
FROM responses WHERE url = ? ORDER BY answered_at"""
_PART: Final = "SELECT data FROM bodies WHERE response = ? AND part = ?"


class Store:
    """The responses of one file."""

    def __init__(
        self,
        path: Path,
        max_bytes: int,
        counters: Counters,
        *,
        wake: Callable[[], object] = lambda: None,
        share: Callable[[Stored | str], object] = lambda _: None,
    ) -> None:
        """Open the file. `wake` is called from the writer's thread when there is news.

        `share` hears of responses that are stored, and of URLs of which they are dropped.
        """
        self._share = share
        self._path, self._counters, self._wake = path, counters, wake
        self._most_under_way = max_bytes * UNDER_WAY_SHARE
        self._under_way: dict[int, int] = {}  # bytes of bodies that come in parts, by number
        self._lock = held_alone(path)
        try:
            self._database = open_cache_file(path)
            clear_remains(self._database, path)
            writing = open_cache_file(path)
        except BaseException:
            os.close(self._lock)
            raise
        ((last_id,),) = rows(self._database, "SELECT coalesce(max(id), 0) FROM responses")
        self._last_id: int = last_id
        self._known = self._stored_urls()
        self._shelf = Shelf()
        self._marks: dict[int, float] = {}
        self._leaving: set[int] = set()  # responses that were cleared and are still on disk
        self._news: deque[Outcome] = deque()
        self._pins = Pins()
        self._writer = Writer(writing, path, max_bytes, self._pins, self._hear)
        self._count(self._writer.at_first.total, self._writer.at_first.entries)

    def new_id(self) -> int:
        """A number for a response to come."""
        self._last_id += 1
        return self._last_id

    def page(self, url: str) -> Page:
        """All that is stored for a URL; empty where nothing is."""
        if self._news:
            self.catch_up()
        page = self._shelf.get(url)
        if page is None:
            page = self._read(url) if url in self._known else Page(url)
        return page

    def put(
        self, stored: Stored, now: float, then: Callable[[bool], None], *, is_shared: bool = False
    ) -> None:
        """Store a complete response in place of those that it supersedes; one that `is_shared` is not told.

        `then` hears whether it can be used: with its body in hand that is so at once, unless the
        disk cannot keep up; one whose body went to disk in parts must be there in whole.
        """
        if stored.body is not None and self._is_behind():
            self._drop(stored.url, self._superseded(stored))
            then(False)
            return
        self._write_marks()  # before there is a reason to evict by them
        self._counters.stored += 1
        self._counters.stored_bytes += stored.size
        self._known.add(stored.url)
        if stored.body is None:
            self._under_way.pop(stored.id, None)
            self._write(Put(stored, now, then), self.page(stored.url))
            return
        self._shelve(stored)
        self._write(Put(stored, now), self.page(stored.url))
        if not is_shared:
            self._share(stored)
        then(True)

    def add_part(self, number: int, place: int, data: bytes) -> bool:
        """Write a part of a large body; False where the disk cannot keep up, or too many come."""
        under_way = sum(self._under_way.values()) + len(data)
        if under_way > self._most_under_way or self._is_behind():
            return False
        self._under_way[number] = self._under_way.get(number, 0) + len(data)
        self._write_marks()
        self._writer.write(Part(number, place, data))
        return True

    def discard(self, number: int) -> None:
        """Forget the parts of a body that will not get complete."""
        self._under_way.pop(number, None)
        self._writer.write(Drop((number,), None))

    def freshen(self, stored: Stored, now: float) -> None:
        """A new head for something stored."""
        page = self.page(stored.url)
        for place, known in enumerate(page.variants):
            if known.id == stored.id:
                page.variants[place] = renewed = replace(stored, body=known.body)
                self._share(renewed)
                self._write(Freshen(stored, now), page)

    def drop(self, url: str) -> int:
        """Forget all that is stored for a URL; how many that were."""
        self._share(url)
        return self._drop(url, self.page(url).variants)

    def clear(self, covers: Callable[[str], bool]) -> int:
        """Forget all that is stored for some URLs; how many responses that were."""
        self.catch_up()
        try:
            on_disk = rows(self._database, "SELECT id, url FROM responses")
        except apsw.Error as error:
            self._counters.trouble = in_words(error, self._path)
            on_disk = []
        here = self._shelf.urls()
        count = sum(self.drop(url) for url in here if covers(url))
        numbers = {number for number, url in on_disk if url not in here and covers(url)}
        numbers -= self._leaving
        if numbers:
            self._leaving |= (
                numbers  # until they are gone, whoever reads the file does not see them
            )
            self._writer.write(Drop(tuple(numbers), None))
        self._counters.cleared += count + len(numbers)
        return count + len(numbers)

    def drop_one(self, stored: Stored) -> None:
        """Forget one response."""
        self._share(stored.url)
        known = self.page(stored.url).variants
        self._drop(stored.url, [each for each in known if each.id == stored.id])

    def mark_used(self, stored: Stored, now: float) -> None:
        """Note that a response was used; that is written down before others are stored, or some time."""
        self._marks[stored.id] = now
        if len(self._marks) >= MARKS:
            self._write_marks()

    def body(
        self, stored: Stored
    ) -> tuple[bytes, Iterable[bytes], Callable[[], None] | None] | None:
        """The body's first piece, the others, and what to call afterwards; None where it is gone."""
        if stored.body is not None:
            return stored.body, (), None
        if not self._pins.pin(stored.id):
            return None
        piece = self._part(stored.id, 0)
        if piece is None:
            self._pins.unpin(stored.id)
            return None
        if len(piece) == stored.size:
            self._pins.unpin(stored.id)
            self._keep_in_memory(stored, piece)
            return piece, (), None
        rest = self._parts(stored, len(piece))
        return piece, rest, lambda: self._pins.unpin(stored.id)

    def catch_up(self) -> None:
        """Take note of what the writer did."""
        while self._news:
            self._learn(self._news.popleft())

    def flush(self) -> None:
        """Wait until all is written; for those who cannot wait for news."""
        self._write_marks()
        self._writer.flush()
        self.catch_up()

    def close(self) -> None:
        """Write what is left and close the file. May run in another thread, as the last thing."""
        self._write_marks()
        self._writer.close()
        self._database.close()
        os.close(self._lock)

    def _read(self, url: str) -> Page:
        try:
            heads = rows(self._database, _HEADS, url)
        except apsw.Error as error:
            self._counters.trouble = in_words(error, self._path)
            heads = []
        page = Page(url, [Stored.from_row(head) for head in heads if head[0] not in self._leaving])
        self._shelf.put(page)  # also an empty one: many ask again for what is no longer stored
        return page

    def _stored_urls(self) -> BloomFilter:
        known = BloomFilter()
        try:
            for (url,) in self._database.execute(
                "SELECT url FROM responses"
            ):  # its index is enough
                known.add(url)
        except apsw.Error as error:
            self._counters.trouble = in_words(error, self._path)
            known.add_all()
        return known

    def _shelve(self, stored: Stored) -> None:
        """Put a response in its page, in place of those for the same requests."""
        page = self.page(stored.url)
        superseded = self._superseded(stored)
        if len(page.variants) - len(superseded) >= VARIANTS:
            superseded.append(page.variants[0])
        self._drop(stored.url, superseded)
        page.variants.append(stored)
        self._shelf.put(page)

    def _superseded(self, stored: Stored) -> list[Stored]:
        known = self.page(stored.url).variants
        return [each for each in known if _is_superseded(each, stored)]

    def _is_behind(self) -> bool:
        """Whether more waits to be written than memory is to hold; that is counted."""
        if self._writer.backlog_bytes <= BACKLOG_BYTES:
            return False
        self._counters.failures += 1
        self._counters.trouble = f"The disk cannot keep up: {self._path} misses what comes."
        return True

    def _drop(self, url: str, dropped: list[Stored]) -> int:
        numbers = {each.id for each in dropped}
        if numbers:
            page = self.page(url)
            page.variants[:] = [each for each in page.variants if each.id not in numbers]
            self._write(Drop(tuple(numbers), url), page)
        return len(numbers)

    def _keep_in_memory(self, stored: Stored, body: bytes) -> None:
        page = self._shelf.get(stored.url)
        if page is not None and len(body) <= PART_BYTES:
            page.variants[:] = [
                replace(each, body=body) if each.id == stored.id else each for each in page.variants
            ]
            self._shelf.put(page)

    def _part(self, number: int, place: int) -> bytes | None:
        try:
            found = rows(self._database, _PART, number, place)
        except apsw.Error as error:
            self._counters.trouble = in_words(error, self._path)
            return None
        return found[0][0] if found else None

    def _parts(self, stored: Stored, size: int) -> Iterator[bytes]:
        """The parts after the first, which has that size."""
        place = 1
        while size < stored.size:
            data = self._part(stored.id, place)
            if data is None:
                self.drop_one(stored)
                raise LostBodyError(f"The cache has lost a part of {stored.url}.")
            yield data
            size += len(data)
            place += 1

    def _write(self, change: Change, page: Page) -> None:
        self._shelf.hold(page)
        self._writer.write(change)

    def _write_marks(self) -> None:
        if self._marks:
            self._writer.write(Used(self._marks))
            self._marks = {}

    def _hear(self, outcome: Outcome) -> None:
        """In the writer's thread."""
        self._news.append(outcome)
        self._wake()

    def _learn(self, outcome: Outcome) -> None:
        self._counters.trouble = outcome.trouble
        self._counters.failures += outcome.trouble is not None
        self._counters.evictions += len(outcome.evicted)
        self._count(outcome.total, outcome.entries)
        for change in outcome.changes:
            if change.url is not None:
                self._shelf.release(change.url)
                if outcome.trouble:  # what is on disk counts, whatever we thought
                    self._shelf.remove(change.url)
            if isinstance(change, Drop):
                self._leaving.difference_update(change.numbers)
            if isinstance(change, Put) and change.then is not None:
                is_stored = not outcome.trouble and change.stored.id not in outcome.holed
                if is_stored:
                    self._shelve(change.stored)
                else:
                    self.discard(change.stored.id)
                change.then(is_stored)
        for number, url in outcome.evicted:
            self._shelf.take_out(url, number)

    def _count(self, total: int, entries: int) -> None:
        self._counters.bytes, self._counters.entries = total, entries


def _is_superseded(known: Stored, new: Stored) -> bool:
    """Whether a response has had its day: a newer one is for the same requests.

    So has one whose origin now varies by other fields: it would be found for requests that
    deserve another one.
    """
    return known.vary != new.vary or known.selection == new.selection
