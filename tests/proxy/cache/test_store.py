import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event

import apsw
import pytest
from tests.slowness import patience

from gossamer.errors import DataFolderError
from gossamer.proxy.cache.changes import File
from gossamer.proxy.cache.database import rows
from gossamer.proxy.cache.protocol import Counters, LostBodyError
from gossamer.proxy.cache.store import BACKLOG_BYTES, MARKS, PART_BYTES, VARIANTS, Store
from gossamer.proxy.cache.stored import Stored

from .test_stored import stored
from .world import URL

SIZE = 10**9


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "proxy-cache.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    opened = Store(path, SIZE, Counters())
    yield opened
    opened.close()


def nothing(_is_stored: bool) -> None:
    return


@contextmanager
def full_disk(store: Store) -> Iterator[None]:
    """As long as this lasts, the file cannot grow."""
    store.flush()
    database = store._writer._file.database
    most = database.execute("PRAGMA max_page_count").get
    database.execute("PRAGMA max_page_count = 1")  # which means: no more than now
    yield
    store.flush()
    database.execute(f"PRAGMA max_page_count = {most}")


def response(store: Store, url: str = URL, body: bytes = b"hello") -> Stored:
    return replace(stored(), id=store.new_id(), url=url, size=len(body), body=body)


def read(store: Store, url: str = URL) -> list[bytes]:
    return [whole(store, each) for each in store.page(url).variants]


def whole(store: Store, each: Stored) -> bytes:
    found = store.body(each)
    assert found is not None
    first, rest, release = found
    body = first + b"".join(rest)
    if release is not None:
        release()
    return body


def put_large(store: Store, parts: list[bytes]) -> list[bool]:
    """A body in parts; the list says whether it can be used, once that is known."""
    number, usable = store.new_id(), list[bool]()
    for place, part in enumerate(parts):
        assert store.add_part(number, place, part)
    large = replace(stored(), id=number, size=sum(map(len, parts)), body=None)
    store.put(large, 1.0, usable.append)
    return usable


def test_a_response_is_there_at_once_and_after_opening_again(path: Path) -> None:
    store = Store(path, SIZE, Counters())
    store.put(response(store), 1.0, nothing)
    assert read(store) == [b"hello"]
    store.close()
    again = Store(path, SIZE, Counters())
    assert read(again) == [b"hello"]
    assert again.new_id() > again.page(URL).variants[0].id
    again.close()


def test_a_newer_response_takes_the_place_of_the_older(store: Store) -> None:
    store.put(response(store), 1.0, nothing)
    store.put(response(store, body=b"new"), 2.0, nothing)
    assert read(store) == [b"new"]
    store.flush()
    assert read(store) == [b"new"]


def test_a_large_body_can_be_used_when_all_of_it_is_on_disk(store: Store) -> None:
    parts = [b"a" * PART_BYTES, b"b" * PART_BYTES, b"c"]
    usable = put_large(store, parts)
    assert not usable
    assert read(store) == []
    store.flush()
    assert usable == [True]
    assert read(store) == [b"".join(parts)]


def test_a_large_body_that_is_being_read_is_read_to_its_end(store: Store) -> None:
    parts = [b"a" * 10, b"b" * 10, b"c"]
    put_large(store, parts)
    store.flush()
    (large,) = store.page(URL).variants
    found = store.body(large)
    assert found is not None
    assert store.drop(URL) == 1
    store.flush()
    first, rest, release = found
    assert first + b"".join(rest) == b"".join(parts)
    assert release is not None
    release()
    assert store.page(URL).variants == []


def test_large_bodies_under_way_are_within_the_limit_and_leave_room(path: Path) -> None:
    limit, counters = 8 * 1024 * 1024, Counters()
    store = Store(path, limit, counters)
    store.put(response(store), 1.0, nothing)
    numbers = [store.new_id() for _ in range(8)]
    places = [(number, place) for place in range(16) for number in numbers]
    taken = [each for each in places if store.add_part(*each, b"x" * PART_BYTES)]
    store.flush()
    assert len(taken) * PART_BYTES == limit // 2
    assert counters.bytes > limit // 2
    ((pages, size),) = rows(store._database, "SELECT * FROM pragma_page_count, pragma_page_size")
    assert pages * size < limit
    assert read(store) == [b"hello"]
    for number in numbers:
        store.discard(number)
    store.flush()
    assert counters.bytes == store.page(URL).variants[0].cost
    assert store.add_part(store.new_id(), 0, b"x" * PART_BYTES)
    store.close()


def test_what_was_dropped_is_gone_before_it_is_gone_from_disk(store: Store) -> None:
    store.put(response(store), 1.0, nothing)
    store.flush()
    store.drop(URL)
    assert read(store) == []
    store.flush()
    assert read(store) == []


def test_one_url_has_so_many_variants_and_no_more(store: Store) -> None:
    for number in range(VARIANTS + 5):
        varied = replace(response(store), vary=(b"foo",), selection=(b"%d" % number,))
        store.put(varied, float(number), nothing)
    kept = [each.selection for each in store.page(URL).variants]
    assert kept == [(b"%d" % number,) for number in range(5, VARIANTS + 5)]
    store.flush()
    assert store._counters.entries == VARIANTS


def test_a_validated_head_outlives_the_process(path: Path) -> None:
    store = Store(path, SIZE, Counters())
    store.put(response(store), 1.0, nothing)
    (kept,) = store.page(URL).variants
    store.freshen(replace(kept, block=kept.block + b"New: 1\r\n"), 2.0)
    assert store.page(URL).variants[0].block.endswith(b"New: 1\r\n")
    store.close()
    again = Store(path, SIZE, Counters())
    assert again.page(URL).variants[0].block.endswith(b"New: 1\r\n")
    again.close()


def test_use_is_written_down_in_time_and_keeps_a_response(path: Path) -> None:
    store = Store(path, 10 * 2000, Counters())
    body = b"x" * 1000
    urls = [f"http://a.test/{number}" for number in range(10)]
    for place, url in enumerate(urls):
        store.put(response(store, url, body), float(place), nothing)
    store.mark_used(store.page(urls[0]).variants[0], 100.0)
    for number in range(8):
        store.put(response(store, f"http://b.test/{number}", body), 50.0 + number, nothing)
    store._writer.flush()  # the store's own would see to the use, too
    store.catch_up()
    assert store._counters.evictions
    assert read(store, urls[0]) == [body]
    assert read(store, urls[1]) == []
    store.close()


def test_many_uses_are_written_without_being_asked_for(store: Store) -> None:
    kept = response(store)
    store.put(kept, 1.0, nothing)
    for number in range(MARKS):
        store.mark_used(replace(kept, id=number), 5.0)
    assert not store._marks


def test_what_cannot_be_written_is_not_pretended_to_be_there(store: Store) -> None:
    kept = response(store)
    store.put(kept, 1.0, nothing)
    store.flush()
    other = replace(response(store, "http://b.test/"), id=kept.id)  # no number is given twice
    store.put(other, 2.0, nothing)
    store.flush()
    assert store._counters.trouble is not None
    assert store._counters.failures == 1
    assert read(store, "http://b.test/") == []
    assert read(store) == [b"hello"]


def test_a_body_of_which_a_part_was_lost_is_not_stored(store: Store) -> None:
    old = response(store)
    store.put(old, 1.0, nothing)
    number, heard = store.new_id(), list[bool]()
    store.add_part(number, 0, b"a" * PART_BYTES)
    with full_disk(store):
        store.add_part(number, 1, b"b" * PART_BYTES)
    store.add_part(number, 2, b"c" * PART_BYTES)
    assert store._counters.failures == 1
    store.put(replace(old, id=number, size=3 * PART_BYTES, body=None), 2.0, heard.append)
    store.flush()
    assert heard == [False]
    assert read(store) == [b"hello"]
    store.flush()
    assert rows(store._database, "SELECT DISTINCT response FROM bodies") == [(old.id,)]


def test_a_large_body_whose_head_cannot_be_written_leaves_nothing(store: Store) -> None:
    taken = response(store)
    store.put(taken, 1.0, nothing)
    number, heard = store.new_id(), list[bool]()
    for place in range(2):
        store.add_part(number, place, b"a" * PART_BYTES)
    with full_disk(store):
        long = replace(taken, id=number, size=2 * PART_BYTES, body=None, block=b"x" * 10**6)
        store.put(long, 2.0, heard.append)
    store.flush()
    assert heard == [False]
    assert rows(store._database, "SELECT DISTINCT response FROM bodies") == [(taken.id,)]


def test_a_body_of_which_a_part_vanished_ends_with_an_error_and_is_forgotten(store: Store) -> None:
    put_large(store, [b"a" * 10, b"b" * 10, b"c"])
    store.flush()
    (large,) = store.page(URL).variants
    store._database.execute("DELETE FROM bodies WHERE part = 1")
    found = store.body(large)
    assert found is not None
    _, rest, release = found
    with pytest.raises(LostBodyError):
        next(iter(rest))
    assert release is not None
    release()
    assert store.page(URL).variants == []


def test_counters_say_what_is_held(store: Store) -> None:
    store.put(response(store), 1.0, nothing)
    store.flush()
    counters = store._counters
    assert (counters.entries, counters.stored, counters.stored_bytes) == (1, 1, 5)
    assert counters.bytes > 5


def test_a_body_that_vanished_is_no_body(path: Path) -> None:
    store = Store(path, SIZE, Counters())
    store.put(response(store), 1.0, nothing)
    store.close()
    again = Store(path, SIZE, Counters())
    (kept,) = again.page(URL).variants
    again._database.execute("DELETE FROM bodies")
    assert again.body(kept) is None
    again.close()


def test_damage_that_shows_while_reading_is_told_and_costs_no_more_than_a_miss(path: Path) -> None:
    store = Store(path, SIZE, Counters())
    for number in range(200):
        store.put(response(store, f"http://a.test/{number}", b"x" * 3000), 1.0, nothing)
    store.close()
    content = bytearray(path.read_bytes())
    for start in range(0, len(content), 4096):  # pages full of bodies; all others are as they were
        if content[start : start + 4096].count(b"x") > 2000:
            content[start : start + 4096] = b"\xff" * 4096
    path.write_bytes(content)
    counters = Counters()
    damaged = Store(path, SIZE, counters)
    for number in range(200):
        (each,) = damaged.page(f"http://a.test/{number}").variants
        assert damaged.body(each) is None
    assert counters.trouble is not None
    assert "Move it away" in counters.trouble
    damaged.close()
    assert path.stat().st_size == len(content)


def test_two_proxies_cannot_have_one_cache(store: Store, path: Path) -> None:
    with pytest.raises(DataFolderError, match=r"proxy\.cache_size=0"):
        Store(path, SIZE, Counters())
    store.put(response(store), 1.0, nothing)
    assert read(store) == [b"hello"]


def test_a_file_that_was_refused_can_be_tried_again(path: Path) -> None:
    path.write_bytes(b"no database " * 1000)
    for _ in range(2):
        with pytest.raises(DataFolderError, match="Move it away"):
            Store(path, SIZE, Counters())
    path.unlink()
    Store(path, SIZE, Counters()).close()


KILLED = """
import sys
from pathlib import Path
from dataclasses import replace
sys.path[:0] = {paths!r}
from tests.proxy.cache.test_store import SIZE, nothing, response
from gossamer.proxy.cache.protocol import Counters
from gossamer.proxy.cache.store import Store
store = Store(Path({file!r}), SIZE, Counters())
store.add_part(store.new_id(), 0, b"half a body")
for number in range(50):
    store.put(response(store, f"http://a.test/{{number}}"), 1.0, nothing)
    if number == 24:
        store.flush()
        print("half", flush=True)
sys.stdin.read()
"""


def test_what_was_written_survives_a_kill(path: Path) -> None:
    script = KILLED.format(paths=sys.path, file=str(path))
    running = subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert running.stdout is not None
    assert running.stdin is not None
    assert running.stdout.readline() == b"half\n"
    os.kill(running.pid, signal.SIGKILL)
    running.wait(patience(10))
    running.stdin.close()
    running.stdout.close()
    store = Store(path, SIZE, Counters())
    kept = [read(store, f"http://a.test/{number}") for number in range(50)]
    assert kept[:25] == [[b"hello"]] * 25
    assert all(each in ([], [b"hello"]) for each in kept[25:])
    (remains,) = store._database.execute("SELECT count(*) FROM bodies WHERE response = 1")
    assert remains == (0,)
    store.close()


@contextmanager
def stuck_disk(store: Store) -> Iterator[None]:
    """As long as this lasts, nothing gets written."""
    store.flush()
    blocking = apsw.Connection(str(store._path))
    blocking.execute("BEGIN IMMEDIATE")
    yield
    blocking.execute("ROLLBACK")
    blocking.close()
    store.flush()


def test_what_a_stuck_disk_cannot_take_is_not_kept_in_memory(path: Path) -> None:
    counters, usable = Counters(), list[bool]()
    store = Store(path, SIZE, counters)
    old = response(store)
    store.put(old, 1.0, nothing)
    with stuck_disk(store):
        enough, body = BACKLOG_BYTES // PART_BYTES + 1, b"x" * PART_BYTES
        for number in range(2 * enough):
            store.put(response(store, f"http://a.test/{number}", body), 1.0, usable.append)
        assert store._writer.backlog_bytes < BACKLOG_BYTES + 2 * PART_BYTES
        store.put(response(store, body=b"new"), 2.0, usable.append)
        assert read(store) == []  # neither the new page nor the one in whose place it would be
    refused = usable.count(False)
    assert usable == [True] * (len(usable) - refused) + [False] * refused
    assert refused >= enough
    assert counters.failures == refused
    store.put(response(store), 3.0, usable.append)
    assert usable[-1]
    assert counters.trouble is None
    store.close()


@dataclass(frozen=True)
class Held:
    """A change that keeps the writer busy until it is let go."""

    go: Event
    url: None = None
    weight: int = 0

    def apply(self, _file: File) -> None:
        self.go.wait(patience(60))


def test_what_is_cleared_is_gone_at_once_in_memory_and_on_disk(path: Path) -> None:
    store = Store(path, SIZE, Counters())
    urls = [f"http://{host}.test/{number}" for host in "ab" for number in range(3)]
    for url in urls:
        store.put(response(store, url), 1.0, nothing)
    store.close()
    store = Store(path, SIZE, counters := Counters())
    read(store, urls[0])  # which has it in memory; the others are on disk alone
    store.put(response(store, urls[3] + "?new"), 2.0, nothing)
    go = Event()
    store._writer.write(Held(go))
    assert store.clear(lambda url: url.startswith("http://a.")) == 3
    assert store.clear(lambda url: url.startswith("http://a.")) == 0
    assert [read(store, url) for url in urls[:3]] == [[]] * 3  # though the file still has them
    store.put(response(store, urls[1], b"newer"), 3.0, nothing)
    go.set()
    store.flush()
    assert [len(read(store, url)) for url in urls] == [0, 1, 0, 1, 1, 1]
    assert counters.cleared == 3
    store.close()
    store = Store(path, SIZE, counters := Counters())
    assert [len(read(store, url)) for url in urls] == [0, 1, 0, 1, 1, 1]
    assert store.clear(lambda url: True) == 5
    store.flush()
    assert (counters.entries, counters.bytes) == (0, 0)
    store.close()


def test_a_body_that_is_being_read_is_read_to_its_end_though_its_page_is_cleared(
    store: Store,
) -> None:
    parts = [bytes([number]) * PART_BYTES for number in range(3)]
    known = put_large(store, parts)
    store.flush()
    assert known == [True]
    (kept,) = store.page(URL).variants
    found = store.body(kept)
    assert found is not None
    first, rest, done = found
    assert store.clear(lambda url: True) == 1
    store.flush()
    assert b"".join([first, *rest]) == b"".join(parts)
    assert done is not None
    done()
    assert read(store) == []
