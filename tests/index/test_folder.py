import shutil
import subprocess
import sys
from pathlib import Path

import pyoxigraph as ox
import pytest
from tests.index.made_pages import page

from gossamer.index.changes import Counts
from gossamer.index.folder import FORMAT, GraphError, GraphFolder, opened
from gossamer.index.store import GraphStore


@pytest.fixture
def folder(tmp_path: Path) -> GraphFolder:
    """A graph with a page in it, closed."""
    store = GraphStore.open(tmp_path / "graph")
    store.replace([page(1)])
    store.close()
    return GraphFolder(tmp_path / "graph")


def files(folder: GraphFolder) -> set[str]:
    return {str(path) for path in folder.path.rglob("*") if path.name != "LOCK"}


def test_a_graph_is_made_where_there_is_none_and_opened_again(tmp_path: Path) -> None:
    folder = GraphFolder(tmp_path / "deep" / "graph")
    assert not opened(folder)
    assert folder.format.read_text() == FORMAT
    assert not opened(folder)


def test_counts_are_handed_on_once(folder: GraphFolder) -> None:
    folder.keep_counts(Counts(1, 2, 3))
    assert folder.take_counts() == Counts(1, 2, 3)
    assert folder.take_counts() is None
    for damaged in (b"", b"{", b"[]", b'{"pages": 1, "more": 2}', b"\xff"):
        folder.counts.write_bytes(damaged)
        assert folder.take_counts() is None


def test_a_graph_of_another_version_is_refused_and_left_alone(folder: GraphFolder) -> None:
    folder.format.write_text("gossamer graph 99\n")
    before = files(folder)
    with pytest.raises(GraphError, match=r"another version \('gossamer graph 99'"):
        opened(folder)
    assert files(folder) == before


@pytest.mark.parametrize("missing", ["CURRENT", "MANIFEST-*", "*"])
def test_a_damaged_graph_is_refused_and_never_emptied(folder: GraphFolder, missing: str) -> None:
    for path in list(folder.quads.glob(missing)):
        path.unlink()
    before = {path for path in files(folder) if path.endswith((".sst", ".log", "CURRENT"))}
    with pytest.raises(GraphError, match=r"damaged.*made anew from the archive"):
        opened(folder)
    assert before <= files(folder)


def test_a_graph_whose_files_are_all_gone_is_refused(folder: GraphFolder) -> None:
    shutil.rmtree(folder.quads)
    with pytest.raises(GraphError, match="files are missing"):
        opened(folder)


def test_a_store_that_is_not_ours_is_refused(tmp_path: Path) -> None:
    folder = GraphFolder(tmp_path)
    node = ox.NamedNode("http://a.test/")
    ox.Store(folder.quads).add(ox.Quad(node, node, node))
    with pytest.raises(GraphError, match="not of ours"):
        opened(folder)


def test_a_crash_before_the_format_was_written_is_no_damage(tmp_path: Path) -> None:
    folder = GraphFolder(tmp_path)
    assert not ox.Store(folder.quads)
    assert not opened(folder)
    assert folder.format.exists()


def test_a_graph_in_use_is_told_in_one_sentence(folder: GraphFolder) -> None:
    run = f"import pyoxigraph, sys; s = pyoxigraph.Store({str(folder.quads)!r}); print(1, flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", run], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None
        other.stdout.readline()
        with pytest.raises(GraphError, match=r"in use by another process\. Wait until"):
            opened(folder, patience=0)
        other.kill()
    assert opened(folder)


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(GraphError, match="cannot be used"):
        opened(GraphFolder(tmp_path / "file" / "graph"))
