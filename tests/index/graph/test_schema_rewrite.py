"""Names of schema.org are rewritten in a graph that was filled before there was one form."""

import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pyoxigraph as ox
import pytest
from tests.index.made_pages import PAGES, V, kept, page, url

from gossamer.index.graph.pages import PageGraphs
from gossamer.index.graph.schema_rewrite import in_one_form, pages_to_rewrite
from gossamer.index.graph.store import GraphStore
from gossamer.index.words.journal import noted

ROOT = Path(__file__).parents[3]
OLD, NEW = b"https://schema.org/", b"http://schema.org/"
# Rewrites a page at a time, and says when it begins with each.
REWRITER = """
import sys
from pathlib import Path
from gossamer.index.graph import store as module
module.PAGES_AT_ONCE = 1
store, left = module.GraphStore.open(Path(sys.argv[1])), 1
while left:
    print("begin", flush=True)
    changed, left = store.unify_schema()
"""


def written(number: int, form: bytes) -> PageGraphs:
    made = page(number)
    assert made.nquads is not None
    return replace(made, nquads=made.nquads.replace(V.encode(), form))


def pages(form: bytes) -> list[PageGraphs]:
    return [written(number, form) for number in range(PAGES)]


def filled(folder: Path, pages: list[PageGraphs]) -> frozenset[str]:
    store = GraphStore.open(folder)
    assert not store.replace(pages)
    del store
    return kept(folder)


def said_by(name: str, quads: frozenset[str]) -> set[str]:
    return {quad for quad in quads if quad.rsplit(" ", 1)[1][1:-1].partition("#")[0] == name}


def unify(store: GraphStore) -> int:
    count, left = 0, 1
    while left:
        changed, left = store.unify_schema()
        count += len(changed)
    return count


def test_a_graph_of_before_holds_what_one_of_today_holds(tmp_path: Path) -> None:
    today = filled(tmp_path / "today", pages(NEW))
    assert filled(tmp_path / "before", pages(OLD)) != today
    store = GraphStore.open(tmp_path / "before")
    counts = store.counts
    assert (unify(store), unify(store)) == (PAGES, 0)
    assert store.counts == counts
    del store
    assert kept(tmp_path / "before") == today


def test_what_follows_the_graph_is_told_whom_it_concerns(tmp_path: Path) -> None:
    store = GraphStore.open(tmp_path)
    store.replace([written(1, OLD), page(2)])
    store.follow("words")
    assert unify(store) == 1
    (segment,) = store.cut().segments
    journal = store._folder.journal
    assert f"{url(1)}#it" in noted(journal, segment).spoken_of
    assert f"{url(2)}#it" not in noted(journal, segment).spoken_of
    assert not list(journal.glob("*.said"))  # so it is read from the graph


def test_statements_that_differ_in_the_form_alone_become_one(tmp_path: Path) -> None:
    name = url(1)
    line = f'<{name}#it> <%sname> "A" <{name}> .\n'
    about = f'<{name}#fetch> <urn:gossamer:quads> "2" <{name}#fetch> .'
    both = (line % OLD.decode() + line % NEW.decode()).encode()
    store = GraphStore.open(tmp_path)
    store.replace([PageGraphs(name, both, about.encode())])
    ((change,), _) = store.unify_schema()
    assert (change.added, change.removed) == (0, 1)
    assert store.counts.quads == 1
    del store
    assert any('gossamer:quads> "1"' in quad for quad in kept(tmp_path))


def test_after_a_kill_nothing_is_lost_and_the_rest_can_be_rewritten(tmp_path: Path) -> None:
    chance = random.Random(3)
    before = filled(tmp_path / "graph", pages(OLD))
    today = filled(tmp_path / "today", pages(NEW))
    for _ in range(3):
        run = [sys.executable, "-c", REWRITER, str(tmp_path / "graph")]
        with subprocess.Popen(run, stdout=subprocess.PIPE, text=True, cwd=ROOT) as rewriter:
            assert rewriter.stdout is not None
            for _ in range(chance.randrange(2, 9)):
                rewriter.stdout.readline()
            rewriter.kill()
        now = kept(tmp_path / "graph")
        assert now <= before | today
        for name in map(url, range(PAGES)):
            assert said_by(name, now) in (said_by(name, today), said_by(name, before))
    store = GraphStore.open(tmp_path / "graph")
    unify(store)
    del store
    assert kept(tmp_path / "graph") == today


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("<https://schema.org/A> <a:> <b:>", "<http://schema.org/A> <a:> <b:>"),
        (
            '<a:> <https://www.schema.org/p> "1"^^<https://schema.org/Date>',
            '<a:> <http://schema.org/p> "1"^^<http://schema.org/Date>',
        ),
        (
            '<a:> <b:> <<( <a:> <https://schema.org/p> "https://schema.org/p" )>>',
            '<a:> <b:> <<( <a:> <http://schema.org/p> "https://schema.org/p" )>>',
        ),
        ('<a:> <b:> "x"@en', '<a:> <b:> "x"@en'),
        ("<a:> <b:> <https://schema.org/docs/x>", "<a:> <b:> <https://schema.org/docs/x>"),
    ],
)
def test_names_are_rewritten_wherever_they_stand(old: str, new: str) -> None:
    (quad,) = ox.parse(f"{old} <http://g.test/> .", ox.RdfFormat.N_QUADS)
    assert str(in_one_form(quad).triple) == new


def test_pages_of_schema_org_itself_stay_as_they_are() -> None:
    text = "<https://schema.org/A> <a:> <b:> <https://schema.org/A> ."
    assert not list(pages_to_rewrite(ox.parse(text, ox.RdfFormat.N_QUADS)))
