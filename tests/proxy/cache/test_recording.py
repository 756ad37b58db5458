from collections.abc import Iterator
from pathlib import Path

import pytest

from gossamer.http.wire.fields import Fields
from gossamer.proxy.cache.protocol import Counters, Landing, Request
from gossamer.proxy.cache.recording import Recording
from gossamer.proxy.cache.store import PART_BYTES, Store
from gossamer.proxy.cache.stored import arriving

from .test_store import full_disk, read
from .world import START, URL, fields


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store(tmp_path / "proxy-cache.db", 10**9, Counters())
    yield opened
    opened.close()


class Recorded:
    """A recording, and what came of it once that is known."""

    def __init__(self, store: Store, said: Fields = (), max_bytes: int = 10**8) -> None:
        self.store = store
        self.landed: list[Landing] = []
        entry = arriving(store.new_id(), Request("GET", URL, ()), 200, said, START, START)
        self.recording = Recording(
            said, (), entry, store, max_bytes, lambda: START, self.landed.append
        )

    def write(self, *pieces: bytes) -> None:
        for piece in pieces:
            self.recording.write(piece)


def test_a_complete_body_is_stored(store: Store) -> None:
    recorded = Recorded(store)
    recorded.write(b"hel", b"lo")
    assert read(store) == []
    recorded.recording.done()
    assert read(store) == [b"hello"]
    assert recorded.landed == [Landing.SHARED]
    recorded.recording.abandon()
    assert recorded.landed == [Landing.SHARED]


def test_a_large_one_goes_to_disk_as_it_comes(store: Store) -> None:
    recorded = Recorded(store)
    pieces = [bytes([number]) * 100_000 for number in range(9)]
    recorded.write(*pieces)
    assert len(recorded.recording._gathered) <= PART_BYTES + 100_000
    recorded.recording.done()
    store.flush()
    assert read(store) == [b"".join(pieces)]
    assert recorded.landed == [Landing.SHARED]


def test_one_that_breaks_off_leaves_nothing(store: Store) -> None:
    for body in (b"hel", b"x" * 3 * PART_BYTES):
        recorded = Recorded(store)
        recorded.write(body)
        recorded.recording.abandon()
        store.flush()
        assert read(store) == []
        assert recorded.landed == [Landing.NOTHING]
        recorded.recording.done()
        assert read(store) == []
    assert store._database.execute("SELECT count(*) FROM bodies").get == 0


def test_one_that_is_not_as_long_as_it_said_is_not_stored(store: Store) -> None:
    for length in ("4", "6"):
        recorded = Recorded(store, fields({"Content-Length": length}))
        recorded.write(b"hello")
        recorded.recording.done()
        assert recorded.landed == [Landing.NOTHING]
    assert read(store) == []


def test_one_that_grows_too_large_is_given_up(store: Store) -> None:
    recorded = Recorded(store, max_bytes=8)
    recorded.write(b"hello")
    kept_before = recorded.recording.is_kept
    recorded.write(b"hello")
    assert (kept_before, recorded.recording.is_kept) == (True, False)
    recorded.write(b"hello")
    recorded.recording.done()
    assert read(store) == []
    assert recorded.landed == [Landing.ALONE]


def test_one_that_the_disk_loses_is_for_nobody_else(store: Store) -> None:
    recorded = Recorded(store)
    recorded.write(b"x" * 2 * PART_BYTES)
    with full_disk(store):
        recorded.write(b"y" * 2 * PART_BYTES)
    recorded.recording.done()
    store.flush()
    assert read(store) == []
    assert recorded.landed == [Landing.ALONE]
