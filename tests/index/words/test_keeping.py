"""A crash anywhere between graph, words, table and journal is mended by doing it again."""

import random
from collections.abc import Callable
from pathlib import Path

import pyoxigraph as ox
import pytest
import tantivy
from tests.index.words.small_graph import Small, held, page, thing
from tests.index.words.test_refreshing import history

from gossamer.index.entities import Said
from gossamer.index.graph.folder import GraphFolder
from gossamer.index.graph.store import GraphStore
from gossamer.index.words import journal, keeping, sayings
from gossamer.index.words.folder import Words, opened
from gossamer.index.words.keeping import Everybody, subjects
from gossamer.index.words.members import Members
from gossamer.index.words.statements import Statements
from gossamer.index.words.throttle import WordsThrottle

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
        keeping.catch_up(small.words, notes, segments, str(snapshot), WordsThrottle())
    assert small.found("ada") == ["Ada"]


def test_everybody_is_gathered_once(tmp_path: Path) -> None:
    small = Small.make(tmp_path)
    for version in history(11, 12):
        small.say(version)
    store = ox.Store.read_only(str(small.store.snapshot()))
    everybody = Everybody(tmp_path / "all.db")
    everybody.gather(subjects(store))
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


@pytest.mark.parametrize("seed", range(3))
def test_what_pages_said_is_believed_only_if_the_graph_has_it(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, full_size: bool
) -> None:
    """Changes that fail, another life of the graph, sayings that are lost, snapshots that are later."""
    small, chance = Small.make(tmp_path), random.Random(seed)
    notes = GraphFolder(tmp_path / "graph").journal
    for version in history(seed, 300 if full_size else 40):
        match chance.randrange(8):
            case 0:
                with monkeypatch.context() as patch:
                    patch.setattr(GraphStore, chance.choice(["_make", "_say"]), crash)
                    with pytest.raises(CrashError):
                        small.say(version)
            case 1:
                small.store.close()
                del small.store
                small.store = GraphStore.open(tmp_path / "graph")
            case 2:
                sayings.remove(notes, chance.randrange(20))
            case 3:
                segments = list(small.store.cut().segments)
                small.say(version)
                snapshot = small.store.snapshot()
                keeping.catch_up(small.words, notes, segments, str(snapshot), WordsThrottle())
            case 4:
                small.store.cut()
            case _:
                small.say(version)
    small.follow()
    assert held(small.words) == held(small.anew())


@pytest.mark.parametrize("trouble", ["change half made", "graph killed", "saying lost"])
def test_what_a_page_said_before_its_last_change_is_not_believed(
    trouble: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = Small.make(tmp_path)
    before, after = (page(A, *thing(f"{A}#i", name=name)) for name in ("Ada", "Bob"))
    small.say(before)
    if trouble == "saying lost":
        small.store.cut()
        small.say(after)
        last = small.store.cut().segments[-1]
        sayings.remove(GraphFolder(tmp_path / "graph").journal, last)
    else:
        with monkeypatch.context() as patch:
            patch.setattr(GraphStore, "_say", crash)
            with pytest.raises(CrashError):
                small.say(after)
    if trouble == "graph killed":
        del small.store
        small.store = GraphStore.open(tmp_path / "graph")
    small.follow()
    assert small.found("bob") == ["Bob"]
    assert small.found("ada") == []


def test_what_one_page_alone_says_is_not_read_out_of_the_graph(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small, read = Small.make(tmp_path), set[str]()
    about = Statements.about

    def watched(statements: Statements, subject: str, beat: Callable[[], None]) -> list[Said]:
        read.add(subject)
        return about(statements, subject, beat)

    monkeypatch.setattr(Statements, "about", watched)
    org = thing(f"{A}#org", "Organization", name="Org")
    small.say(page(A, *thing(f"{A}#i", name="Ada"), *thing("_:b", name="b")), page(f"{A}1", *org))
    small.follow()
    assert read == set()
    small.say(page(f"{A}2", *org))
    small.follow()
    assert read == {f"{A}#org"}
    assert held(small.words) == held(small.anew())


def test_what_is_written_to_break_out_of_a_query_stops_nobody(tmp_path: Path) -> None:
    small = Small.make(tmp_path)
    hostile = '"http://x.test/>)}SERVICE<http://y.test/>{?s?p?o}#"'
    small.say(page(A, *thing(f"{A}#i", name="Ada", sameAs=hostile, email='"a{b}>@x.test"')))
    small.follow()
    assert small.found("ada") == ["Ada"]
    assert small.words.members.all() == {}


def test_where_everything_is_done_what_takes_long_is_done_once_and_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeping, "SEGMENTS_AT_ONCE", 1)
    small, put, pace = Small.make(tmp_path), list[str](), WordsThrottle()
    keep = Words.put_document

    def watched(words: Words, home: str, made: tantivy.Document | None) -> None:
        put.append(home)
        keep(words, home, made)

    monkeypatch.setattr(Words, "put_document", watched)
    pace.took(f"{A}#org", 1.0)
    for number in range(3):
        name = thing(f"{A}#org", "Organization", name=f"Org {number}")
        small.say(page(f"{A}{number}", *name, *thing(f"{A}{number}#i", name="Ada")))
        segments = small.store.cut().segments
    notes = GraphFolder(tmp_path / "graph").journal
    snapshot = str(small.store.snapshot())
    keeping.catch_up(small.words, notes, segments, snapshot, pace, everything=True)
    assert put == [*(f"{A}{number}#i" for number in range(3)), f"{A}#org"]
    assert small.words.members.later() == set()
    assert held(small.words) == held(small.anew())
