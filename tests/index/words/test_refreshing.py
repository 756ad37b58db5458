"""After any history, words are what they would be if they were made of the graph as it is."""

import random
from collections.abc import Iterator, Set
from dataclasses import replace
from pathlib import Path

import pyoxigraph as ox
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.index.words.small_graph import S, Small, held, page, thing

from gossamer.index.entities import Said
from gossamer.index.graph.pages import PageGraphs
from gossamer.index.graph.store import GraphStore
from gossamer.index.words import refreshing, sayings, throttle
from gossamer.index.words.keeping import subjects
from gossamer.index.words.refreshing import Spoken, spoken
from gossamer.index.words.statements import Statements
from gossamer.index.words.throttle import REST, WordsThrottle
from gossamer.transform.text.page_text import PageText

A, B = "http://a.test/", "http://b.test/"


def drawn(random_: random.Random, url: str) -> PageGraphs:
    """Some version of a page: things of its own and of others, identified in all our ways, or nothing."""
    number = random_.randrange(4)
    own = f"{url}#{number}"
    mail = f"person{random_.randrange(3)}@{url.split('/')[2]}"
    said = [
        thing(own, name=f"P{random_.randrange(3)} of {number}", knows=f"<{A}1#{number}>"),
        thing(own, description="Some words", sameAs=f"<http://www.wikidata.org/entity/Q{number}>"),
        thing("_:b", name=mail.partition("@")[0], email=mail, knows=f"<{own}>"),
        thing(f"{A}1#0", "Organization", name="The house", url=f"<{url}>"),
        thing(url, "WebPage", name=f"Page {number}", about=f"<{own}>"),
        thing(f"{B}2#1", name="Said by others", sameAs=f"<{A}1#1>"),
    ]
    chosen = [triple for each in said if random_.random() < 0.5 for triple in each]
    return page(url, *chosen, drop=random_.random() < 0.15)


def history(seed: int, steps: int) -> Iterator[PageGraphs]:
    random_ = random.Random(seed)
    urls = [f"{host}{number}" for host in (A, B) for number in range(4)]
    return (drawn(random_, random_.choice(urls)) for _ in range(steps))


@pytest.mark.parametrize("seed", range(4))
def test_any_history_comes_to_the_same_words(tmp_path: Path, seed: int, full_size: bool) -> None:
    small, when = Small.make(tmp_path), random.Random(seed)
    for version in history(seed, 500 if full_size else 25):
        text = PageText(f"T{when.randrange(3)}", main=f"ink {when.randrange(99)}").pack()
        shows = when.random() < 0.3 and not version.drop
        small.texts.pop(version.url, None) if version.drop or shows else None
        if shows and when.random() < 0.7:
            small.texts[version.url] = text
        small.say(replace(version, has_other_text=shows))
        if when.random() < 0.25:
            small.follow()
    small.follow()
    assert held(small.words) == held(small.anew())


def test_descriptions_of_one_thing_meet_and_part_again(tmp_path: Path) -> None:
    small = Small.make(tmp_path)
    wikidata = "<http://www.wikidata.org/entity/Q7259>"
    here = page(A, *thing(f"{A}#ada", name="Ada Lovelace", sameAs=wikidata))
    there = page(B, *thing("_:x", name="Ada King", sameAs=wikidata))
    small.say(here, there)
    small.follow()
    (ada,) = small.answer("ada")["results"]
    assert (ada["page_count"], ada["host_count"]) == (2, 2)
    small.say(page(B, *thing("_:x", name="Ada King")))
    small.follow()
    assert sorted(small.found("ada")) == ["Ada King", "Ada Lovelace"]
    small.say(page(A, drop=True))
    small.follow()
    assert small.found("ada") == ["Ada King"]


def test_a_thing_whose_last_page_is_gone_is_found_no_more(tmp_path: Path) -> None:
    small = Small.make(tmp_path)
    small.say(page(A, *thing(f"{A}#i", name="Ada")), page(B, *thing(f"{A}#i", name="Ada")))
    small.follow()
    small.say(page(A))
    small.follow()
    assert small.answer("ada")["results"][0]["pages"] == [B]
    small.say(page(B, drop=True))
    small.follow()
    assert small.found("ada") == []


def test_whoever_is_linked_to_hears_of_it(tmp_path: Path) -> None:
    small = Small.make(tmp_path)
    small.say(page(A, *thing(f"{A}#i", name="Ada")))
    small.follow()
    small.say(page(B, *thing(f"{B}#j", name="Bob", knows=f"<{A}#i>")))
    small.follow()
    assert small.answer("ada")["results"][0]["links_in"] == 1
    small.say(page(B))
    small.follow()
    assert small.answer("ada")["results"][0]["links_in"] == 0


def test_what_takes_long_is_put_off_but_never_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (throttle, refreshing):
        monkeypatch.setattr(module, "SLOW_SECONDS", 0.0)  # everything takes long
    now = 0.0
    pace = WordsThrottle(lambda: now)
    small = Small.make(tmp_path)
    small.say(page(A, *thing(f"{A}#org", name="First")))
    small.follow(pace)
    assert small.found("first") == ["First"]
    small.say(page(A, *thing(f"{A}#org", name="Second")))
    small.follow(pace)
    assert small.found("second") == []
    assert small.words.members.later() == {f"{A}#org"}
    now = 2 * REST
    small.follow(pace)
    assert small.found("second") == ["Second"]
    assert small.words.members.later() == set()
    small.say(page(A, *thing(f"{A}#org", name="Third")))
    small.follow(pace)
    small.follow()
    assert small.found("third") == ["Third"]
    assert held(small.words) == held(small.anew())


def test_a_long_list_is_done_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refreshing, "AT_ONCE", 3)
    small = Small.make(tmp_path)
    for version in history(7, 30):
        small.say(version)
    small.follow()
    assert held(small.words) == held(small.anew())


def test_where_very_much_is_said_little_is_in_memory_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(refreshing, "MOST_STATEMENTS", 5)
    small = Small.make(tmp_path)
    for version in history(8, 30):
        small.say(version)
    small.store.cut()
    sayings.remove_all(tmp_path / "graph" / "journal")
    small.follow()
    assert held(small.words) == held(small.anew())


A, B = "http://a.test/", "http://b.test/"
XSD = "http://www.w3.org/2001/XMLSchema#"
TYPES = (
    "integer",
    "decimal",
    "double",
    "boolean",
    "date",
    "dateTime",
    "gYear",
    "duration",
    "token",
)
SPELLINGS = ("1", "01", "1.50", "+7", "true", "1e3", "2024-05-17", "2024-05-17T24:00:00", "P1Y", "")
LITERALS = st.one_of(
    st.builds(
        lambda text, name: ox.Literal(text, datatype=ox.NamedNode(XSD + name)),
        st.sampled_from(SPELLINGS),
        st.sampled_from(TYPES),
    ),
    st.text(st.characters(codec="utf-8", exclude_categories=["Cs"])).map(ox.Literal),
    st.builds(lambda tag: ox.Literal("x", language=tag), st.sampled_from(["en", "de-AT", "zh"])),
)
NODES = st.sampled_from(
    [ox.NamedNode(A), ox.NamedNode(f"{A}#i"), ox.BlankNode("x"), ox.BlankNode("y")]
)
QUADS = st.builds(
    ox.Quad,
    NODES,
    st.sampled_from([ox.NamedNode(f"{S}{name}") for name in ("name", "birthDate", "isbn")]),
    st.one_of(NODES, LITERALS),
    st.sampled_from([ox.NamedNode(A), ox.NamedNode(f"{A}#graph-1")]),
)


def together(pages: dict[str, bytes], wanted: Set[str]) -> Spoken:
    (found,) = spoken(pages, wanted)
    return found


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> GraphStore:
    return GraphStore.open(tmp_path_factory.mktemp("graph"))


@settings(max_examples=40)
@given(st.lists(QUADS, max_size=12))
def test_it_is_what_the_graph_would_have_said(store: GraphStore, quads: list[ox.Quad]) -> None:
    nquads = ox.serialize(quads, format=ox.RdfFormat.N_QUADS)
    assert nquads is not None
    store.replace([PageGraphs(A, nquads, b"")])
    snapshot = store.snapshot()
    graph = ox.Store.read_only(str(snapshot))
    statements, named = Statements(graph), set(subjects(graph))
    found = together({A: nquads}, named)
    assert found.keys() == named
    assert {each: as_set(said) for each, said in found.items()} == {
        each: as_set(statements.about(each)) for each in named
    }
    store.release(snapshot)


def as_set(said: list[Said]) -> set[tuple[str, str, str]]:
    return {(each.predicate, str(each.object), each.page) for each in said}


def test_only_those_who_are_wanted_are_listened_for() -> None:
    one = page(A, *thing(f"{A}#i", name="Ada"), *thing(f"{A}#j", birthDate='"2024"'))
    assert together({A: one.nquads or b""}, {f"{A}#i"}).keys() == {f"{A}#i"}


def test_pages_are_taken_some_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refreshing, "PAGES_AT_ONCE", 2)
    said = f'<{B}#i> <{S}name> "Ada"'
    pages = {f"{A}{number}": page(f"{A}{number}", said).nquads or b"" for number in range(5)}
    found = [portion[f"{B}#i"] for portion in spoken(pages, {f"{B}#i"})]
    assert [len(each) for each in found] == [2, 2, 1]
