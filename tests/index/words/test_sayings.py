"""What was said is there whole, or not at all."""

import errno
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gossamer.index.words import sayings
from gossamer.index.words.sayings import Saying, remove, remove_all, said

A, B = "http://a.test/", "http://b.test/ü"


def saying(folder: Path, number: int, *told: dict[str, bytes]) -> Saying:
    made = Saying(folder, number)
    for pages in told:
        made.owe()
        made.say(pages)
    return made


def files(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


@settings(max_examples=50)
@given(st.lists(st.dictionaries(st.sampled_from([A, B]), st.binary(max_size=30)), max_size=5))
def test_what_a_page_said_last_is_what_it_says(
    tmp_path_factory: pytest.TempPathFactory, told: list[dict[str, bytes]]
) -> None:
    folder = tmp_path_factory.mktemp("any")
    for number, pages in enumerate(told):
        saying(folder, number, pages).close()
    expected = {page: nquads for pages in told for page, nquads in pages.items()}
    assert said(folder, range(len(told))) == expected


def test_a_change_of_which_nothing_was_said_leaves_nothing(tmp_path: Path) -> None:
    at_the_end, in_between = saying(tmp_path, 1, {A: b"1"}), saying(tmp_path, 2, {A: b"1"})
    at_the_end.owe()
    at_the_end.close()
    in_between.owe()
    in_between.owe()
    in_between.say({A: b"2"})
    in_between.close()
    assert files(tmp_path) == set()


def test_what_was_said_before_a_file_that_is_missing_is_doubtful(tmp_path: Path) -> None:
    for number in (1, 2, 3):
        saying(tmp_path, number, {f"{A}{number}": b"1"}).close()
    remove(tmp_path, 2)
    remove(tmp_path, 2)
    assert said(tmp_path, [1, 2, 3]) == {f"{A}3": b"1"}


@pytest.mark.parametrize("end", [b"12", b"12 http://c.test/", b"12 http://c.test/\nabc", b"x y\n"])
def test_a_file_that_broke_off_is_as_good_as_none(tmp_path: Path, end: bytes) -> None:
    saying(tmp_path, 1, {A: b"1"}).close()
    with (tmp_path / "000000000001.said").open("ab") as file:
        file.write(end)
    assert said(tmp_path, [1]) == {}


@pytest.mark.parametrize("written", [0, 3])
def test_a_full_disk_leaves_nothing_and_stops_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written: int
) -> None:
    kept = saying(tmp_path, 1, {A: b"1"})

    def full(descriptor: int, data: bytes) -> int:
        if not written:
            raise OSError(errno.ENOSPC, "No space left on device")
        return written

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        kept.owe()
        kept.say({A: b"2"})
    kept.owe()
    kept.say({A: b"3"})
    kept.close()
    assert files(tmp_path) == set()


def test_who_falls_far_behind_is_told_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sayings, "MOST_BYTES", 100)
    saying(tmp_path, 1, {A: b"x" * 100}).close()
    saying(tmp_path, 2, {A: b"y"}).close()
    assert files(tmp_path) == {"000000000001.said"}
    assert said(tmp_path, [1, 2]) == {}
    remove_all(tmp_path)
    saying(tmp_path, 3, {A: b"z"}).close()
    assert said(tmp_path, [3]) == {A: b"z"}
