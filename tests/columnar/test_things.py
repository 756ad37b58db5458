"""Entities over columns are those that an index of the same pages gathers."""

from pathlib import Path

import pyoxigraph as ox
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.columnar.worlds import make_shop, write_archives

from gossamer import pages
from gossamer.columnar.duck import find_columns
from gossamer.columnar.job import run_job
from gossamer.columnar.rows import ReadOptions
from gossamer.columnar.things import gather_in_duck, homes_of_rows, things_of_rows
from gossamer.demo.world import World
from gossamer.index.entities.all_entities import all_entities, entity_line
from gossamer.index.graph.blanks import Blanks
from gossamer.index.graph.names import page_name
from gossamer.model import Url
from gossamer.tables.quads import node_name, object_columns


def store_of(names: list[str], folder: Path) -> ox.Store:
    """The graph that a crawl of the same pages has."""
    store = ox.Store(str(folder))  # on the disk, where a graph has one subject after the other
    for page in pages(*names):
        blanks = Blanks(page_name(Url(page.url)))
        store.extend(blanks.quad(quad) for quad in page.quads)
    return store


def lines_of(store: ox.Store) -> list[str]:
    return sorted(map(entity_line, all_entities(store)))


def test_entities_of_columns_are_those_of_an_index(tmp_path: Path) -> None:
    archives = write_archives(tmp_path, World(seed=21, pages=120, hosts=8), files=3)
    columns = tmp_path / "columns"
    run_job(archives.names, columns, ReadOptions(page_statements=True), workers=2)
    found = sorted(map(entity_line, gather_in_duck(find_columns([str(columns)]))))
    assert found == lines_of(store_of(archives.names, tmp_path / "graph"))
    assert len(found) > 100


def test_the_last_capture_of_a_page_counts(tmp_path: Path) -> None:
    things = list(gather_in_duck(find_columns([str(make_shop(tmp_path))])))
    assert [thing.label for thing in things] == ["Mug"]


SUBJECTS = st.sampled_from(
    [
        *(f"http://{host}.test/{name}" for host in ("a", "b") for name in ("1", "2", "page")),
        *("_:x", "_:y", "https://www.wikidata.org/wiki/Q1", "http://www.wikidata.org/entity/Q1"),
    ]
)
SCHEMA = "http://schema.org/"
STATEMENTS = st.one_of(
    st.tuples(
        SUBJECTS,
        st.just("http://www.w3.org/2002/07/owl#sameAs"),
        SUBJECTS.filter(lambda name: not name.startswith("_")).map(ox.NamedNode),
    ),
    st.tuples(
        SUBJECTS,
        st.sampled_from([f"{SCHEMA}name", f"{SCHEMA}isbn", f"{SCHEMA}email"]),
        st.sampled_from(["Ada", "978-3-16-148410-0", "ada@a.test", "Tea"]).map(ox.Literal),
    ),
    st.tuples(
        SUBJECTS,
        st.just(f"{SCHEMA}knows"),
        SUBJECTS.map(lambda n: ox.BlankNode(n[2:]) if n.startswith("_") else ox.NamedNode(n)),
    ),
)
PAGES = st.sampled_from(["http://a.test/page", "http://b.test/page"])


@given(st.lists(st.tuples(STATEMENTS, PAGES), max_size=14))
@settings(max_examples=150)
def test_homes_and_things_are_those_of_an_index_whatever_pages_say(
    said: list[tuple[tuple[str, str, ox.NamedNode | ox.Literal | ox.BlankNode], str]],
) -> None:
    store, rows = ox.Store(), set()
    for (subject, predicate, value), page in said:

        def own(name: str, page: str = page) -> str:
            return f"{name}{page[7]}" if name.startswith("_:") else name

        node = own(subject)
        if isinstance(value, ox.BlankNode):
            value = ox.BlankNode(own(f"_:{value.value}")[2:])
        term = ox.BlankNode(node[2:]) if node.startswith("_:") else ox.NamedNode(node)
        quad = ox.Quad(term, ox.NamedNode(predicate), value, ox.NamedNode(page))
        store.add(Blanks(page_name(Url(page))).quad(quad))
        rows.add((node_name(term), predicate, *object_columns(value), page, page))
    ordered = sorted(rows, key=repr)
    ordered.sort(key=lambda row: row[0])
    homes = dict(homes_of_rows(ordered))
    by_home = sorted(
        ((homes[row[0]], 0, *row) for row in ordered), key=lambda row: (row[0], row[2])
    )
    found = [entity._replace(links_in=0) for entity in things_of_rows(by_home)]
    assert sorted(found) == sorted({each._replace(links_in=0) for each in all_entities(store)})
