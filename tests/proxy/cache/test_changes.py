from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from gossamer.proxy.cache.changes import Drop, File, Freshen, Part, Put, State, Used
from gossamer.proxy.cache.database import open_cache_file, rows

from .test_stored import stored


@pytest.fixture
def file(tmp_path: Path) -> Iterator[File]:
    database = open_cache_file(tmp_path / "proxy-cache.db")
    yield File(database)
    database.close()


def bodies(file: File) -> list[tuple[object, ...]]:
    return rows(file.database, "SELECT response, part, data FROM bodies ORDER BY part")


def test_a_response_counts_with_what_it_costs(file: File) -> None:
    kept = stored()
    Put(kept, 1.0).apply(file)
    assert file.state == State(kept.cost, 1)
    assert bodies(file) == [(kept.id, 0, b"hello")]
    assert File(file.database).state == file.state


def test_one_whose_body_is_there_in_parts_brings_none(file: File) -> None:
    kept = replace(stored(), body=None)
    Part(kept.id, 0, b"hel").apply(file)
    Part(kept.id, 1, b"lo").apply(file)
    Put(kept, 1.0).apply(file)
    assert bodies(file) == [(kept.id, 0, b"hel"), (kept.id, 1, b"lo")]


def test_a_body_without_a_head_counts_with_its_size(file: File) -> None:
    kept = replace(stored(), body=None)
    Part(kept.id, 0, b"hel").apply(file)
    Part(99, 0, b"no more").apply(file)
    Part(kept.id, 1, b"lo").apply(file)
    assert file.state == State(12, 0, {kept.id: 5, 99: 7})
    Put(kept, 1.0).apply(file)
    assert file.state == State(kept.cost + 7, 1, {99: 7})
    Drop((99,), None).apply(file)
    assert file.state == State(kept.cost, 1)


@pytest.mark.parametrize("missing", [0, 1, 2])
def test_one_whose_body_has_a_hole_is_not_stored(file: File, missing: int) -> None:
    kept = replace(stored(), body=None)
    for number, data in enumerate((b"h", b"el", b"lo")):
        if number != missing:
            Part(kept.id, number, data).apply(file)
    Put(kept, 1.0).apply(file)
    assert file.state.entries == 0
    assert rows(file.database, "SELECT * FROM responses") == []
    assert file.holed == {kept.id}
    Drop((kept.id,), None).apply(file)
    assert file.state == State(0, 0)


def test_a_new_head_replaces_the_old_one(file: File) -> None:
    kept = stored()
    Put(kept, 1.0).apply(file)
    longer = replace(kept, block=kept.block + b"A: b\r\n")
    Freshen(longer, 2.0).apply(file)
    assert file.state == State(longer.cost, 1)
    assert rows(file.database, "SELECT block, used_at FROM responses") == [(longer.block, 2.0)]


def test_a_new_head_for_what_is_gone_is_none(file: File) -> None:
    Freshen(stored(), 1.0).apply(file)
    assert file.state == State(0, 0)
    assert rows(file.database, "SELECT * FROM responses") == []


def test_what_is_dropped_costs_something_until_its_body_is_removed(file: File) -> None:
    kept = stored()
    Put(kept, 1.0).apply(file)
    Drop((kept.id, 99), kept.url).apply(file)
    assert (file.state.total, file.state.entries) == (kept.cost, 0)
    assert file.headless == {kept.id, 99}
    file.leave({kept.id})
    file.leave({kept.id})
    assert file.state == State(0, 0)


def test_moments_of_use_are_written(file: File) -> None:
    kept = stored()
    Put(kept, 1.0).apply(file)
    Used({kept.id: 5.0, 99: 6.0}).apply(file)
    assert rows(file.database, "SELECT id, used_at FROM responses") == [(kept.id, 5.0)]
