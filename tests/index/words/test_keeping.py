"""A crash anywhere between graph, words, table and journal is mended by doing it again."""

from pathlib import Path

import pyoxigraph as ox
import pytest
from tests.index.words.small_graph import Small, held, page, thing
from tests.index.words.test_refreshing import history

from gossamer.index.folder import GraphFolder
from gossamer.index.words import journal, keeping
from gossamer.index.words.folder import Words, opened
from gossamer.index.words.keeping import Everybody, subjects
from gossamer.index.words.members import Members

A = "http://a.test/"


class CrashError(BaseException):
    """The end of the process, as far as everything behind it is concerned."""


def crash(*_: object) -> None:
    raise CrashError


def reopened(small: Small) -> Small:
    """The same folder, in a process that comes after."""
    small.words.close()
    return Small(small.folder, small.store, opened(small.words.folder))


@pytest.mark.parametrize(
    ("where", "what"),
    [(Words, "commit"), (Members, "commit"), (journal, "done_with")],
    ids=["before the words", "between words and table", "between table and journal"],
)
def test_a_crash_is_mended_at_the_next_start(
    where: type | object, what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = Small.make(tmp_path)
    for number, version in enumerate(history(3, 20)):
        small.say(version)
        if number % 5 == 4:
            with monkeypatch.context() as patch:
                patch.setattr(where, what, crash)
                with pytest.raises(CrashError):
                    small.follow()
            small = reopened(small)
        if number % 10 == 9:
            small.follow()
    small.follow()
    assert not any(journal.numbers(GraphFolder(tmp_path / "graph").journal))
    assert held(small.words) == held(small.anew())


def test_a_journal_of_many_files_is_taken_up_in_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeping, "SEGMENTS_AT_ONCE", 2)
    small = Small.make(tmp_path)
    for version in history(5, 12):
        small.say(version)
        small.store.cut()
    small.follow()
    assert held(small.words) == held(small.anew())


def test_a_file_of_the_journal_that_is_gone_was_done(tmp_path: Path) -> None:
    small = Small.make(tmp_path)
    small.say(page(A, *thing(f"{A}#i", name="Ada")))
    snapshot, notes = small.store.snapshot(), GraphFolder(tmp_path / "graph").journal
    segments = list(small.store.cut().segments)
    for _ in range(2):
        keeping.catch_up(small.words, notes, segments, str(snapshot), None)
    assert small.found("ada") == ["Ada"]


def test_everybody_is_gathered_once(tmp_path: Path) -> None:
    small = Small.make(tmp_path)
    for version in history(11, 12):
        small.say(version)
    store = ox.Store.read_only(str(small.store.snapshot()))
    everybody = Everybody(tmp_path / "all.db")
    everybody.gather(store)
    taken: list[str] = []
    while some := everybody.take(3):
        taken += some
    assert taken == sorted(set(subjects(store)))
    everybody.remove()
    assert not (tmp_path / "all.db").exists()


def test_it_is_told_how_far_making_anew_has_come(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeping, "SUBJECTS_AT_ONCE", 4)
    small = Small.make(tmp_path)
    small.say(page(A, *(f'<{A}#{n}> <http://schema.org/name> "n{n}"' for n in range(10))))
    told: list[int] = []
    keeping.make_anew(small.words.folder, "ada", str(small.store.snapshot()), told.append)
    assert told == [4, 8, 10]
