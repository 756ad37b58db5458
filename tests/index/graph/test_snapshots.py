from pathlib import Path

import pyoxigraph as ox
import pytest

from gossamer.index.graph import snapshots
from gossamer.index.graph.snapshots import Snapshots

A = ox.NamedNode("http://a.test/")


class Grown:
    """A store that grows, and its snapshots."""

    def __init__(self, folder: Path) -> None:
        self.store = ox.Store(folder / "quads")
        self.folder = folder / "snapshots"
        self.snapshots = Snapshots(self.folder, self.store.backup)

    def grow(self) -> None:
        self.store.add(ox.Quad(A, A, ox.Literal(str(len(self.store)))))
        self.snapshots.grow_old()

    @property
    def there(self) -> set[Path]:
        return set(self.folder.iterdir())


@pytest.fixture
def grown(tmp_path: Path) -> Grown:
    grown = Grown(tmp_path)
    grown.grow()
    return grown


def test_readers_share_a_snapshot_until_the_store_changes(grown: Grown) -> None:
    first, second = grown.snapshots.take(0), grown.snapshots.take(0)
    assert first == second
    grown.grow()
    third = grown.snapshots.take(0)
    assert third != first
    assert [len(ox.Store.read_only(str(each))) for each in (first, third)] == [1, 2]


def test_a_reader_may_be_content_with_an_older_one(grown: Grown) -> None:
    first = grown.snapshots.take(0)
    grown.grow()
    assert grown.snapshots.take(max_age=3600) == first


def test_a_snapshot_goes_with_its_last_reader_once_there_is_a_newer_one(grown: Grown) -> None:
    first = grown.snapshots.take(0)
    grown.snapshots.take(0)
    grown.grow()
    second = grown.snapshots.take(0)
    grown.snapshots.release(first)
    assert grown.there == {first, second}
    grown.snapshots.release(first)
    assert grown.there == {second}
    grown.snapshots.release(second)
    assert grown.there == {second}  # still the latest


def test_one_that_nobody_reads_does_not_outlive_the_next_changes_for_long(
    grown: Grown, monkeypatch: pytest.MonkeyPatch
) -> None:
    grown.snapshots.release(grown.snapshots.take(0))
    monkeypatch.setattr(snapshots, "KEPT_SECONDS", 0)
    grown.grow()
    assert grown.there == set()
    assert len(ox.Store.read_only(str(grown.snapshots.take(max_age=3600)))) == 2


def test_what_a_crash_left_is_cleared_away(tmp_path: Path) -> None:
    grown = Grown(tmp_path)
    left = grown.snapshots.take(0)
    del grown
    assert left.exists()
    assert Grown(tmp_path).there == set()


def test_a_snapshot_that_nobody_took_can_be_given_back(grown: Grown) -> None:
    grown.snapshots.release(Path("nowhere"))
