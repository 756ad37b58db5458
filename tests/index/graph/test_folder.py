import shutil
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pyoxigraph as ox
import pytest
from tests.index.made_pages import page

from gossamer.errors import GraphError
from gossamer.index.graph.folder import FORMAT, GraphFolder, GraphUnusableError, opened
from gossamer.index.graph.page_diff import GraphCounts
from gossamer.index.graph.store import GraphStore


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
    folder.keep_counts(GraphCounts(1, 2, 3))
    assert folder.take_counts() == GraphCounts(1, 2, 3)
    assert folder.take_counts() is None
    for damaged in (b"", b"{", b"[]", b'{"pages": 1, "more": 2}', b"\xff"):
        folder.counts.write_bytes(damaged)
        assert folder.take_counts() is None


def test_a_graph_of_another_version_is_refused_and_left_alone(folder: GraphFolder) -> None:
    folder.format.write_text("gossamer graph 99\n")
    before = files(folder)
    with pytest.raises(GraphUnusableError, match=r"another version \('gossamer graph 99'") as told:
        opened(folder)
    assert "`gossamer rebuild` puts it aside" in str(told.value)
    assert files(folder) == before
    folder.format.write_bytes(b"\xff\xfe")
    with pytest.raises(GraphUnusableError, match="another version"):
        opened(folder)


@pytest.mark.parametrize("missing", ["CURRENT", "MANIFEST-*", "*"])
def test_a_damaged_graph_is_refused_and_never_emptied(folder: GraphFolder, missing: str) -> None:
    for path in list(folder.quads.glob(missing)):
        path.unlink()
    before = {path for path in files(folder) if path.endswith((".sst", ".log", "CURRENT"))}
    with pytest.raises(GraphError, match=r"damaged \(.*\)\. `gossamer rebuild` puts it"):
        opened(folder)
    assert before <= files(folder)


def test_a_graph_whose_files_are_all_gone_is_refused(folder: GraphFolder) -> None:
    shutil.rmtree(folder.quads)
    with pytest.raises(GraphError, match="files are missing"):
        opened(folder)


def test_a_block_that_is_broken_is_no_lock(folder: GraphFolder) -> None:
    ox.Store(folder.quads).flush()
    for table in folder.quads.glob("*.sst"):
        table.write_bytes(b"no table")
    with pytest.raises(GraphUnusableError, match=r"damaged \(Corruption"):
        opened(folder, patience=0)


def test_damage_that_somebody_found_is_remembered(folder: GraphFolder) -> None:
    told = folder.note_damage("a block is broken")
    assert told == (
        f"The graph in {folder.path} is damaged (a block is broken). "
        "`gossamer rebuild` puts it aside and makes it anew from the archive."
    )
    with pytest.raises(GraphUnusableError, match="a block is broken"):
        opened(folder)


def test_damage_is_told_even_where_it_cannot_be_remembered(folder: GraphFolder) -> None:
    folder.damaged.mkdir()  # as good as a disk without room
    assert "damaged (a block is broken)" in folder.note_damage("a block is broken")


def test_a_graph_put_aside_leaves_room_for_another(folder: GraphFolder) -> None:
    before = {path.name for path in folder.path.iterdir()}
    aside = folder.put_aside(datetime(2026, 5, 17, 12, 30, 5, tzinfo=UTC))
    assert aside.name == "graph-20260517-123005"
    assert {path.name for path in aside.iterdir()} == before
    assert not opened(folder)


def test_what_is_being_made_anew_is_for_nobody_else(folder: GraphFolder) -> None:
    folder.begin_anew()
    with pytest.raises(GraphUnusableError, match="making it anew was broken off"):
        opened(folder)
    assert opened(folder, unfinished=True)
    folder.end_anew()
    assert opened(folder)


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
