"""The journal of a graph on a server: nothing that changed is missed, by nobody, and it does not grow for ever."""

from datetime import timedelta

import pytest
from tests.frontier.conftest import new_world, server_connection, world
from tests.frontier.worlds import World

from gossamer.index.server.journal import GraphJournal, JournalRead
from gossamer.index.words.journal import Touched

__all__ = ["new_world", "server_connection", "world"]  # fixtures


def of(*iris: str) -> Touched:
    return Touched(frozenset(iris), frozenset(f"{iri}/linked" for iri in iris))


def put(journal: GraphJournal, *iris: str) -> None:
    journal.note(of(*iris))
    journal.confirm()


def spoken(read: JournalRead) -> set[str]:
    return set(read.touched.spoken_of)


@pytest.fixture
def journal(world: World) -> GraphJournal:
    return GraphJournal(world.store(), "one")


def test_what_is_confirmed_is_read_once_and_in_order(journal: GraphJournal) -> None:
    begin = journal.begin("words").seq
    put(journal, "a", "b")
    put(journal, "b", "c")
    read = journal.read(begin)
    assert read.touched == of("a", "b", "c")
    assert read.is_all
    put(journal, "d")
    assert spoken(journal.read(read.seq)) == {"d"}


def test_what_the_graph_may_not_have_yet_is_not_read(world: World, journal: GraphJournal) -> None:
    begin = journal.begin("words").seq
    journal.note(of("a"))
    assert spoken(journal.read(begin)) == set()
    put(GraphJournal(world.store(), "two"), "b")
    read = journal.read(begin)
    assert spoken(read) == {"b"}
    journal.confirm()
    assert spoken(journal.read(read.seq)) == {"a"}  # after what was confirmed before it


def test_what_a_dead_node_noted_is_read_after_minutes(world: World, journal: GraphJournal) -> None:
    begin = journal.begin("words").seq
    dead = GraphJournal(world.store(), "two")
    dead.note(of("a"))
    world.later(200)
    assert spoken(journal.read(begin)) == set()
    world.later(200)
    read = journal.read(begin)
    assert spoken(read) == {"a"}
    journal.advance("words", read.seq)
    journal.trim()
    dead.confirm()  # it was frozen, and the graph has it only now
    assert spoken(journal.read(read.seq)) == {"a"}


def test_an_update_that_failed_is_confirmed_with_the_one_that_did_not(
    journal: GraphJournal,
) -> None:
    begin = journal.begin("words").seq
    journal.note(of("a", "b"))  # then the server was away, after it had taken half of it
    put(journal, "b")
    assert spoken(journal.read(begin)) == {"a", "b"}


def test_rows_go_when_the_last_follower_is_past_them(world: World, journal: GraphJournal) -> None:
    for follower in ("first", "second"):
        journal.begin(follower)
    put(journal, "a")
    put(journal, "b")
    end = journal.read(0).seq
    journal.advance("first", end)
    journal.trim()
    assert spoken(journal.read(0)) == {"a", "b"}
    journal.advance("second", end - 1)
    journal.trim()
    assert spoken(journal.read(0)) == {"b"}
    assert journal.ends().trimmed == end - 1
    journal.leave("second")
    journal.trim()
    assert journal.ends().trimmed == end


def test_nothing_is_kept_where_nobody_follows(journal: GraphJournal) -> None:
    put(journal, "a")
    journal.trim()
    assert spoken(journal.read(0)) == set()
    assert journal.begin("words").seq == journal.ends().seq


@pytest.mark.parametrize("bound", ["age", "bytes"])
def test_a_follower_that_is_away_for_too_long_does_not_keep_all(world: World, bound: str) -> None:
    short = {"most_age": timedelta(days=1)} if bound == "age" else {"most_bytes": 1}
    journal = GraphJournal(world.store(), "one", **short)
    begin = journal.begin("away").seq
    put(journal, "a")
    world.later(2 * 86_400 if bound == "age" else 1)
    put(journal, "b")
    journal.trim()
    assert journal.ends().trimmed > begin
    assert "a" not in spoken(journal.read(begin))


def test_a_restart_is_seen_by_all(journal: GraphJournal) -> None:
    begin = journal.begin("words").seq
    put(journal, "a")
    journal.restart()
    assert journal.ends().trimmed > begin
    assert journal.begin("words again", instead_of="words").seq == journal.ends().trimmed


def test_what_is_much_is_read_in_parts(
    journal: GraphJournal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gossamer.index.server.journal.ROWS_AT_ONCE", 2)
    begin = journal.begin("words").seq
    for iri in "abcde":
        put(journal, iri)
    parts = []
    while not (read := journal.read(begin)).is_all:
        parts.append(spoken(read))
        begin = read.seq
    assert [*parts, spoken(read)] == [{"a", "b"}, {"c", "d"}, {"e"}]
