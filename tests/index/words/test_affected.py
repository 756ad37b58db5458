"""Whoever is spoken of otherwise, or linked to otherwise, is touched; nobody else."""

from pathlib import Path

from gossamer.index.graph.folder import GraphFolder
from gossamer.index.graph.pages import PageGraphs
from gossamer.index.graph.store import GraphStore
from gossamer.index.words.journal import noted

A, B = "http://a.test/", "http://b.test/"


def page(*triples: str, url: str = A, drop: bool = False) -> PageGraphs:
    nquads = "".join(f"{triple} <{url}> .\n" for triple in triples)
    fetch = f'<{url}> <http://v.test/fetched> "now" <{url}#fetch> .\n'
    return PageGraphs(url, nquads.encode(), fetch.encode(), drop=drop)


def touched_by(tmp_path: Path, *pages: PageGraphs) -> set[str]:
    """What the last of the pages touches."""
    store = GraphStore.open(tmp_path)
    store.follow("ada")
    store.replace(pages[:-1])
    before = store.cut().segments
    store.replace(pages[-1:])
    path = GraphFolder(tmp_path).journal
    new = [each for each in store.cut().segments if each not in before]
    found = [noted(path, each) for each in new]
    return set().union(*(each.spoken_of | each.linked_to for each in found))


def test_a_new_page_touches_whom_it_speaks_of_and_whom_it_links_to(tmp_path: Path) -> None:
    new = page(
        f'<{A}#i> <http://v.test/name> "i"',
        f"<{A}#i> <http://v.test/knows> <{B}#j>",
    )
    assert touched_by(tmp_path, new) == {f"{A}#i", f"{B}#j"}


def test_a_link_to_a_blank_node_touches_only_who_makes_it(tmp_path: Path) -> None:
    before = page(f"<{A}#i> <http://v.test/name> <{A}>", '_:b <http://v.test/name> "b"')
    after = page(f"<{A}#i> <http://v.test/knows> _:b", '_:b <http://v.test/name> "b"')
    assert touched_by(tmp_path, before, after) == {f"{A}#i", A}


def test_a_page_that_says_the_same_touches_nobody(tmp_path: Path) -> None:
    same = page(f'<{A}#i> <http://v.test/name> "i"')
    assert touched_by(tmp_path, same, same) == set()


def test_a_page_that_changes_touches_those_of_whom_it_speaks_otherwise(tmp_path: Path) -> None:
    stays, goes = f'<{A}#i> <http://v.test/name> "i"', f"<{A}#j> <http://v.test/knows> <{A}#k>"
    comes = f'<{A}#m> <http://v.test/name> "m"'
    assert touched_by(tmp_path, page(stays, goes), page(stays, comes)) == {
        f"{A}#j",
        f"{A}#k",
        f"{A}#m",
    }


def test_a_page_that_falls_silent_touches_all_it_spoke_of(tmp_path: Path) -> None:
    assert touched_by(tmp_path, page(f'<{A}#i> <http://v.test/name> "i"'), page()) == {f"{A}#i"}


def test_a_page_that_is_dropped_touches_all_it_spoke_of(tmp_path: Path) -> None:
    said = f"<{A}#i> <http://v.test/knows> <{B}#j>"
    assert touched_by(tmp_path, page(said), page(drop=True)) == {A, f"{A}#i", f"{B}#j"}


def test_what_is_said_of_a_fetch_touches_nobody(tmp_path: Path) -> None:
    assert touched_by(tmp_path, page()) == set()


def test_a_graph_that_nobody_follows_notes_nothing(tmp_path: Path) -> None:
    store = GraphStore.open(tmp_path)
    store.replace([page(f'<{A}#i> <http://v.test/name> "i"')])
    assert store.cut().follower == ""
    assert not GraphFolder(tmp_path).journal.exists()
    store.follow("ada")
    store.follow("")
    store.replace([page(f'<{A}#i> <http://v.test/name> "j"')])
    assert not any(GraphFolder(tmp_path).journal.iterdir())  # the folder stays
