from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from gossamer.proxy.cache.changes import Drop, Part, Put
from gossamer.proxy.cache.database import open_cache_file, rows
from gossamer.proxy.cache.stored import Stored
from gossamer.proxy.cache.writer import BATCH_BYTES, Outcome, Pins, Writer

from .test_stored import stored

BODY = b"x" * 1000


class Wrote:
    """A writer, and all that it reported."""

    def __init__(self, path: Path, max_bytes: int) -> None:
        self.path = path
        self.pins = Pins()
        self.outcomes: list[Outcome] = []
        self.writer = Writer(
            open_cache_file(path), path, max_bytes, self.pins, self.outcomes.append
        )

    @property
    def troubles(self) -> list[bool]:
        return [outcome.trouble is not None for outcome in self.outcomes]

    @property
    def evicted(self) -> list[int]:
        return [number for outcome in self.outcomes for number, _ in outcome.evicted]

    def held(self, table: str = "responses", column: str = "id") -> list[int]:
        database = open_cache_file(self.path)
        found = rows(database, f"SELECT DISTINCT {column} FROM {table} ORDER BY 1")
        database.close()
        return [number for (number,) in found]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[[int], Wrote]]:
    started: list[Wrote] = []

    def make(max_bytes: int) -> Wrote:
        started.append(Wrote(tmp_path / "proxy-cache.db", max_bytes))
        return started[-1]

    yield make
    for each in started:
        each.writer.close()


def response(number: int) -> Stored:
    return replace(stored(), id=number, size=len(BODY), body=BODY)


COST = response(1).cost


def test_changes_are_written_in_their_order(start: Callable[[int], Wrote]) -> None:
    wrote = start(10**9)
    wrote.writer.write(Put(response(1), 1.0))
    wrote.writer.write(Drop((1,), None))
    wrote.writer.write(Put(response(2), 1.0))
    wrote.writer.flush()
    assert wrote.held() == [2]
    assert wrote.held("bodies", "response") == [2]
    assert wrote.writer.backlog_bytes == 0
    assert wrote.outcomes[-1].total == COST


def test_a_flood_is_written_in_batches_of_bounded_size(start: Callable[[int], Wrote]) -> None:
    wrote = start(10**9)
    heavy = [
        replace(response(number), size=1_000_000, body=b"x" * 1_000_000) for number in range(1, 21)
    ]
    for each in heavy:
        wrote.writer.write(Put(each, 1.0))
    wrote.writer.flush()
    weights = [sum(each.weight for each in outcome.changes) for outcome in wrote.outcomes]
    assert max(weights) < BATCH_BYTES + heavy[0].cost
    assert wrote.held() == [*range(1, 21)]


def test_who_was_used_long_ago_goes_first(start: Callable[[int], Wrote]) -> None:
    wrote = start(10 * COST)
    for number, used_at in ((1, 50.0), (2, 10.0), (3, 90.0), (4, 20.0)):
        wrote.writer.write(Put(response(number), used_at))
    for number in range(5, 12):
        wrote.writer.write(Put(response(number), 100.0))
    wrote.writer.flush()
    assert set(wrote.evicted) == {2, 4}  # room for a bit more than the last one
    assert wrote.outcomes[-1].total <= 10 * COST
    assert wrote.held() == [1, 3, *range(5, 12)]
    assert wrote.held("bodies", "response") == wrote.held()


def test_a_body_that_is_coming_pushes_others_out(start: Callable[[int], Wrote]) -> None:
    wrote = start(4 * COST)
    for number in range(1, 5):
        wrote.writer.write(Put(response(number), float(number)))
    wrote.writer.write(Part(9, 0, b"x" * 2 * COST))
    wrote.writer.flush()
    assert wrote.outcomes[-1].total <= 4 * COST
    assert wrote.held() == [4]
    assert wrote.held("bodies", "response") == [4, 9]


def test_what_is_being_read_stays_until_it_was(start: Callable[[int], Wrote]) -> None:
    wrote = start(2 * COST)
    wrote.writer.write(Put(response(1), 1.0))
    wrote.writer.flush()
    assert wrote.pins.pin(1)
    for number in (2, 3):
        wrote.writer.write(Put(response(number), 2.0))
    wrote.writer.flush()
    assert 1 not in wrote.evicted
    wrote.writer.write(Drop((1,), None))
    wrote.writer.flush()
    assert 1 not in wrote.held()
    assert 1 in wrote.held("bodies", "response")
    wrote.pins.unpin(1)
    wrote.writer.write(Drop((), None))
    wrote.writer.flush()
    assert 1 not in wrote.held("bodies", "response")


def test_a_limit_that_was_lowered_holds_at_once_and_gives_room_back(
    start: Callable[[int], Wrote],
) -> None:
    before = start(10**9)
    for number in range(1, 201):
        before.writer.write(Put(response(number), float(number)))
    before.writer.close()
    size = before.path.stat().st_size
    after = start(20 * COST)
    after.writer.flush()
    assert after.held() == [*range(182, 201)]
    after.writer.close()
    assert after.path.stat().st_size < size / 3


def test_a_batch_that_cannot_be_written_is_reported_and_leaves_nothing(
    start: Callable[[int], Wrote],
) -> None:
    wrote = start(10**9)
    wrote.writer.write(Put(response(1), 1.0))
    wrote.writer.flush()
    wrote.writer.write(Part(1, 0, b"a second first part"))
    wrote.writer.flush()
    before = wrote.troubles[-1]
    assert wrote.outcomes[-1].total == COST
    wrote.writer.write(Put(response(2), 1.0))
    wrote.writer.flush()
    assert (before, wrote.troubles[-1]) == (True, False)
    assert wrote.held() == [1, 2]


def test_what_is_read_cannot_be_condemned_until_all_have_read_it() -> None:
    pins = Pins()
    assert pins.pin(1)
    assert pins.pin(1)
    pins.unpin(1)
    assert not pins.condemn(1)
    pins.unpin(1)
    assert pins.condemn(1)


def test_what_is_condemned_is_read_by_nobody() -> None:
    pins = Pins()
    assert pins.condemn(1)
    assert not pins.pin(1)
    pins.forget_condemned()
    assert pins.pin(1)


def test_nothing_is_given_back_twice() -> None:
    pins = Pins()
    with pytest.raises(KeyError):
        pins.unpin(1)
