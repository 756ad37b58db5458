"""Bulk loads: the statements of columns are those of the store afterwards."""

import gzip
import shutil
import subprocess
from pathlib import Path

import pyoxigraph as ox
import pytest
from tests.columnar.worlds import write_archives
from tests.index.server.virtuoso import virtuoso
from tests.ports import free_port
from tests.slowness import patience

from gossamer.columnar.bulk_load import bulk_load
from gossamer.columnar.duck import ColumnFiles, find_columns
from gossamer.columnar.job import run_job
from gossamer.columnar.rows import ReadOptions
from gossamer.demo.world import World
from gossamer.errors import InputError


@pytest.fixture(scope="module")
def columns(tmp_path_factory: pytest.TempPathFactory) -> ColumnFiles:
    folder = tmp_path_factory.mktemp("load")
    archives = write_archives(folder, World(seed=12, pages=60, hosts=4), files=2)
    run_job(archives.names, folder / "columns", ReadOptions(), workers=2)
    return find_columns([str(folder / "columns")])


def lines_in(folder: Path) -> list[str]:
    parts = sorted(folder.glob("part-*.nq.gz"))
    return [line for part in parts for line in gzip.open(part, "rt", encoding="utf-8")]


def test_oxigraph_has_every_statement_once_however_often_it_is_loaded(
    columns: ColumnFiles, tmp_path: Path
) -> None:
    told: list[int] = []
    for _ in range(2):
        loaded = bulk_load(columns, "oxigraph", tmp_path / "store", told.append)
    bulk_load(columns, "qlever", tmp_path / "files")
    lines = lines_in(tmp_path / "files")
    store = ox.Store.read_only(str(tmp_path / "store"))
    assert len(store) == len(set(lines)) == len(lines) == loaded.quads == told[-1]
    quads = ox.parse("".join(lines).encode(), ox.RdfFormat.N_QUADS)
    assert all(quad in store for quad in quads)


def test_a_store_that_is_open_elsewhere_is_told(columns: ColumnFiles, tmp_path: Path) -> None:
    store = ox.Store(str(tmp_path / "store"))
    with pytest.raises(InputError, match="has to be stopped first"):
        bulk_load(columns, "oxigraph", tmp_path / "store")
    del store


def test_qlever_gets_files_and_what_its_loader_has_to_know(
    columns: ColumnFiles, tmp_path: Path
) -> None:
    loaded = bulk_load(columns, "qlever", tmp_path)
    told = (tmp_path / "Qleverfile").read_text()
    assert "FORMAT          = nq" in told
    assert "zcat ${INPUT_FILES}" in told
    assert "{{" not in told
    assert loaded.next_line is not None


def test_virtuoso_loads_what_was_written_for_it(columns: ColumnFiles, tmp_path: Path) -> None:
    isql = shutil.which("isql-vt")
    if isql is None:
        pytest.skip("needs virtuoso: install it with `make servers`")
    loaded = bulk_load(columns, "virtuoso", tmp_path / "load")
    port = free_port()
    (tmp_path / "server").mkdir()
    with virtuoso(tmp_path / "server", sql=port, reads=tmp_path / "load"):
        script = (tmp_path / "load" / "load.isql").read_text()
        told = _isql(isql, port, script)
        count = _isql(
            isql,
            port,
            "SPARQL SELECT COUNT(*) { GRAPH ?g { ?s ?p ?o } FILTER (STRSTARTS(STR(?g), 'http://') && "
            "CONTAINS(STR(?g), '.test')) };",
        )
    assert "nq.gz" not in told.split("SELECT ll_file")[-1]
    assert str(loaded.quads) in count.split()


def _isql(program: str, port: int, script: str) -> str:
    done = subprocess.run(
        [program, f"localhost:{port}", "dba", "dba"],
        input=script,
        capture_output=True,
        text=True,
        timeout=patience(60),
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
