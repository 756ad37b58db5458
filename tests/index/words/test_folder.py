"""Words that are damaged or of another version are refused with the way out, and left as they are."""

import shutil
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
import tantivy
from tests.index.words.small_graph import Small, page, thing

from gossamer.index.words.folder import (
    FORMAT,
    HEAP_BYTES,
    NoWordsError,
    WordsError,
    WordsFolder,
    made,
    opened,
)

A = "http://a.test/"


def files(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.fixture
def folder(tmp_path: Path) -> WordsFolder:
    small = Small.make(tmp_path)
    small.say(page(A, *thing(f"{A}#i", name="Ada")))
    small.follow()
    small.words.finish()
    small.words.close()
    return small.words.folder


def test_words_are_there_when_they_are_opened_again(folder: WordsFolder) -> None:
    words = opened(folder)
    assert words.searcher().num_docs == 1
    assert words.follower == "ada"


def test_what_a_crash_left_half_done_is_left_for_later_but_for_a_line_that_broke_off(
    folder: WordsFolder,
) -> None:
    folder.begun.write_bytes(f"{A}#i\nhttp://b.test/\xfc".encode()[:-1])
    words = opened(folder)
    assert words.members.later() == {f"{A}#i"}
    assert not folder.begun.exists()


def test_a_predecessor_that_is_about_to_end_is_waited_for(folder: WordsFolder) -> None:
    held = [tantivy.Index.open(str(folder.index)).writer(HEAP_BYTES, 1)]
    ending = threading.Timer(0.2, held.clear)
    ending.start()
    words = opened(folder)
    words.put(f"{A}#i", None)
    words.commit()
    assert not held
    assert words.searcher().num_docs == 0
    words.close()
    ending.join()


def test_where_there_are_none_this_is_said(tmp_path: Path) -> None:
    with pytest.raises(NoWordsError, match="reindex"):
        opened(WordsFolder(tmp_path / "words"))


def _other_version(folder: WordsFolder) -> None:
    folder.format.write_text("gossamer words 99\n")


def _without_format(folder: WordsFolder) -> None:
    folder.format.unlink()


def _without_meta(folder: WordsFolder) -> None:
    (folder.index / "meta.json").unlink()


def _broken_meta(folder: WordsFolder) -> None:
    (folder.index / "meta.json").write_text("{")


def _without_a_segment(folder: WordsFolder) -> None:
    next(folder.index.glob("*.term")).unlink()


def _without_members(folder: WordsFolder) -> None:
    folder.members.unlink()


def _broken_members(folder: WordsFolder) -> None:
    folder.members.write_bytes(b"not a database" * 1000)


def _without_follower(folder: WordsFolder) -> None:
    folder.follower.unlink()


@pytest.mark.parametrize(
    "harm",
    [
        _other_version,
        _without_format,
        _without_meta,
        _broken_meta,
        _without_a_segment,
        _without_members,
        _broken_members,
        _without_follower,
    ],
)
def test_damage_is_refused_with_the_way_out(
    folder: WordsFolder, harm: Callable[[WordsFolder], None]
) -> None:
    harm(folder)
    before = files(folder.path)
    with pytest.raises(WordsError, match="`gossamer reindex` makes them anew"):
        opened(folder)
    after = files(folder.path)
    assert {name: after.get(name) for name in before} == before


def test_what_is_not_finished_is_not_taken_for_words(tmp_path: Path) -> None:
    made(WordsFolder(tmp_path / "words"), "ada").close()
    with pytest.raises(WordsError):
        opened(WordsFolder(tmp_path / "words"))


def test_a_draft_takes_the_place_of_what_was_there(folder: WordsFolder) -> None:
    made(folder.draft, "bob").finish()
    folder.put_in_place()
    assert opened(folder).follower == "bob"
    assert not folder.draft.path.exists()


@pytest.mark.parametrize("steps", range(8))
def test_a_crash_while_a_draft_is_put_in_place_is_mended(
    folder: WordsFolder, steps: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    made(folder.draft, "bob").finish()
    (folder.path / "members.db-wal").write_bytes(b"of the words before")
    left = steps

    def crash_at_the_end(do: Callable[..., object]) -> Callable[..., object]:
        def wrapped(*arguments: object, **named: object) -> object:
            nonlocal left
            left -= 1
            if left < 0:
                raise KeyboardInterrupt
            return do(*arguments, **named)

        return wrapped

    with monkeypatch.context() as patch, suppress(KeyboardInterrupt):
        for name in ("rename", "unlink", "rmdir"):
            patch.setattr(Path, name, crash_at_the_end(getattr(Path, name)))
        folder.put_in_place()
    folder.mend()
    words = opened(folder)
    assert words.follower == ("bob" if steps else "ada")  # before the first step, it was not begun
    words.close()
    assert {each.name for each in folder.path.iterdir()} == {
        "format",
        "follower",
        "index",
        "members.db",
    }


def test_words_that_an_older_version_was_about_to_put_in_place_are_taken_up(tmp_path: Path) -> None:
    made(WordsFolder(tmp_path / "words.new"), "bob").finish()
    (tmp_path / "words.old").mkdir()
    folder = WordsFolder(tmp_path / "words")
    folder.make()
    folder.mend()
    assert opened(folder).follower == "bob"
    assert [each.name for each in tmp_path.iterdir()] == ["words"]


def test_an_empty_folder_has_no_words_yet(tmp_path: Path) -> None:
    folder = WordsFolder(tmp_path / "words")
    folder.make()
    folder.mend()
    with pytest.raises(NoWordsError):
        opened(folder)


def test_a_draft_that_was_not_finished_is_cleared_away(folder: WordsFolder) -> None:
    made(folder.draft, "bob").close()
    folder.mend()
    assert opened(folder).follower == "ada"
    assert not folder.draft.path.exists()


def test_nothing_that_was_not_committed_is_kept(tmp_path: Path) -> None:
    small = Small.make(tmp_path)
    small.words.put(f"{A}#i", None)
    small.words.members.move(f"{A}#i", "home")
    small.words.close()
    again = opened(small.words.folder)
    assert again.members.all() == {}
    assert again.folder.format.read_text() == FORMAT
    shutil.rmtree(again.folder.path)
