"""What was noted is there, whole, for the one it was noted for."""

import errno
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gossamer.index.words import journal
from gossamer.index.words.journal import Journal, Touched, done_with, numbers, segment
from gossamer.index.words.sayings import said


def of(*iris: str) -> Touched:
    return Touched(frozenset(iris))


def noted(path: Path, number: int) -> set[str]:
    return set(journal.noted(path, number).spoken_of)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal"


def test_a_graph_that_nobody_follows_has_no_journal(path: Path) -> None:
    assert Journal.found(path) is None


def test_what_is_noted_is_read_after_a_cut(path: Path) -> None:
    kept = Journal.begin(path, "ada")
    kept.note(of("http://a.test/1", "http://a.test/2"))
    kept.note(of("http://a.test/2", "http://a.test/ü"))
    (number,) = kept.cut()
    assert noted(path, number) == {"http://a.test/1", "http://a.test/2", "http://a.test/ü"}
    kept.note(of("http://a.test/3"))
    assert noted(path, number) == {"http://a.test/1", "http://a.test/2", "http://a.test/ü"}
    assert noted(path, kept.cut()[1]) == {"http://a.test/3"}


def test_who_is_spoken_of_is_told_from_who_is_linked_to(path: Path) -> None:
    kept = Journal.begin(path, "ada")
    touched = Touched(frozenset({"http://a.test/1"}), frozenset({"http://a.test/2"}))
    kept.note(touched)
    assert journal.noted(path, kept.cut()[0]) == touched


def test_a_cut_of_nothing_makes_no_file(path: Path) -> None:
    kept = Journal.begin(path, "ada")
    kept.note(of())
    assert kept.cut() == kept.cut() == ()


def test_files_that_are_done_with_are_gone_and_their_numbers_not_used_again(path: Path) -> None:
    kept = Journal.begin(path, "ada")
    kept.note(of("http://a.test/1"))
    (first,) = kept.cut()
    done_with(path, first)
    done_with(path, first)  # a crash may have us do it twice
    kept.note(of("http://a.test/2"))
    assert kept.cut() == (first + 1,)


def test_a_journal_that_is_opened_again_goes_on_in_a_new_file(path: Path) -> None:
    before = Journal.begin(path, "ada")
    before.note(of("http://a.test/1"))
    before.close()
    after = Journal.found(path)
    assert after is not None
    assert after.follower == "ada"
    after.note(of("http://a.test/2"))
    assert [noted(path, each) for each in after.cut()] == [{"http://a.test/1"}, {"http://a.test/2"}]


def test_a_line_that_broke_off_is_not_taken_for_an_iri(path: Path) -> None:
    Journal.begin(path, "ada").note(of("http://a.test/1"))
    with segment(path, 1).open("ab") as file:
        file.write(b"http://a.te")
    assert noted(path, 1) == {"http://a.test/1"}


def test_nothing_is_written_behind_a_line_that_broke_off(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = Journal.begin(path, "ada")
    kept.note(of("http://a.test/1"))

    def full(descriptor: int, data: memoryview) -> int:
        monkeypatch.undo()
        os.write(descriptor, data[:5])
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(OSError, match="No space"):
        kept.note(of("http://a.test/2"))
    kept.note(of("http://a.test/3"))
    assert [noted(path, each) for each in kept.cut()] == [{"http://a.test/1"}, {"http://a.test/3"}]


def test_a_long_journal_is_in_many_files(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "SEGMENT_BYTES", 100)
    kept = Journal.begin(path, "ada")
    iris = [f"http://a.test/{number}" for number in range(50)]
    for iri in iris:
        kept.note(of(iri))
    found = kept.cut()
    assert len(found) > 5
    assert set().union(*(noted(path, each) for each in found)) == set(iris)


def test_an_iri_without_end_is_left_out(path: Path) -> None:
    kept = Journal.begin(path, "ada")
    kept.note(of(f"data:{'x' * journal.LONGEST_IRI}", "http://a.test/"))
    assert noted(path, kept.cut()[0]) == {"http://a.test/"}


def test_a_new_follower_begins_with_nothing(path: Path) -> None:
    Journal.begin(path, "ada").note(of("http://a.test/1"))
    after = Journal.begin(path, "bob")
    assert after.follower == "bob"
    assert after.cut() == ()
    journal.end(path)
    assert Journal.found(path) is None


@settings(max_examples=20, deadline=None)
@given(st.lists(st.lists(st.integers(0, 30)), max_size=12), st.data())
def test_every_iri_is_in_some_file_until_that_is_done_with(
    tmp_path_factory: pytest.TempPathFactory, batches: list[list[int]], data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("any") / "journal"
    kept, open_iris = Journal.begin(path, "ada"), set[str]()
    for batch in batches:
        iris = [f"http://a.test/{number}" for number in batch]
        kept.note(of(*iris))
        open_iris |= set(iris)
        if data.draw(st.booleans()):
            for number in kept.cut():
                open_iris -= noted(path, number)
                done_with(path, number)
        if data.draw(st.booleans()):
            kept.close()
            kept = Journal(path)
    left = set().union(*(noted(path, each) for each in numbers(path)))
    assert left >= open_iris


def test_what_pages_say_lies_beside_the_notes_until_they_are_done_with(path: Path) -> None:
    kept = Journal.begin(path, "ada")
    kept.note(of("http://a.test/1"))
    kept.say({"http://a.test/": b"1"})
    (number,) = kept.cut()
    assert said(path, [number]) == {"http://a.test/": b"1"}
    done_with(path, number)
    assert said(path, [number]) == {}
    kept.say({"http://a.test/": b"2"})  # of which nothing was noted
    assert kept.cut() == ()


def test_much_that_is_said_is_in_many_files(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "SAYING_BYTES", 100)
    kept = Journal.begin(path, "ada")
    for number in range(10):
        kept.note(of(f"http://a.test/{number}"))
        kept.say({f"http://a.test/{number}": b"x" * 60})
    assert len(kept.cut()) == 5
    assert len(said(path, kept.cut())) == 10


def test_who_opens_a_journal_does_not_believe_what_was_said_before(path: Path) -> None:
    before = Journal.begin(path, "ada")
    before.note(of("http://a.test/1"))
    before.say({"http://a.test/": b"1"})
    before.close()
    assert journal.follower_of(path) == "ada"
    assert said(path, [1]) == {"http://a.test/": b"1"}
    Journal(path)
    assert said(path, [1]) == {}
