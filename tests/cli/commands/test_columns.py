import json
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pyoxigraph as ox
import pytest
from tests.cli.conftest import Gossamer
from tests.columnar.worlds import Archives, ask, make_shop, write_archives

from gossamer.demo.world import World


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Archives:
    return write_archives(
        tmp_path_factory.mktemp("archives"), World(seed=6, pages=30, hosts=4), files=2
    )


def test_the_command_tells_what_it_did(
    gossamer: Gossamer, archives: Archives, tmp_path: Path
) -> None:
    pattern = str(archives.paths[0].parent / "part-0[01].warc.gz")
    done = gossamer("extract", pattern, "--to", "parquet", "-o", "out")
    assert done.returncode == 0, done.stderr
    assert "of 2 files in out" in done.stderr
    again = gossamer("extract", pattern, "nowhere.warc.gz", "--to", "parquet", "-o", "out")
    assert again.returncode == 1
    assert "nowhere.warc.gz: There is no such file or folder." in again.stderr
    assert "2 files had been read before." in again.stderr
    assert gossamer("extract", pattern, "--to", "parquet").returncode == 2


def test_statements_about_pages_are_there_when_they_are_asked_for(
    gossamer: Gossamer, archives: Archives, tmp_path: Path
) -> None:
    name = archives.names[0]
    gossamer("extract", name, "--to", "parquet", "-o", "all", "--page")
    lines = gossamer("extract", name).stdout.splitlines()
    ((count,),) = ask(f"SELECT count(*) FROM '{tmp_path}/all/quads/*.parquet'")
    assert count == len(lines)
    without = gossamer("extract", name, "--no-page").stdout.splitlines()
    assert len(without) < len(lines)


def test_the_commands_answer(gossamer: Gossamer, tmp_path: Path) -> None:
    make_shop(tmp_path)
    done = gossamer("query", "--sql", "SELECT count(*) AS n FROM pages", "--from", "columns")
    assert done.stdout.split() == ["n", "4"]
    assert done.stderr.startswith("1 row in ")
    done = gossamer(
        *("query", "--sql", "--example", "syntaxes", "--from", "columns", "--to", "json")
    )
    assert done.stdout == '{"syntax": "microdata", "statements": 5, "pages": 1}\n'
    assert gossamer("query", "--sql", "--example", "types", "--from", "columns").returncode == 2
    assert gossamer("query", "--sql", "SELECT 1").returncode == 2
    bad = gossamer("query", "--sql", "SELECT * FROM nothing", "--from", "columns")
    assert (bad.returncode, bad.stderr.count("\n")) == (1, 1), bad.stderr
    done = gossamer("table", "Product", "--from", "columns/quads/*.parquet", "--to", "csv")
    assert "Mug" in done.stdout
    assert "9" in done.stdout


def test_columns_are_loaded_into_a_store_once(gossamer: Gossamer, tmp_path: Path) -> None:
    make_shop(tmp_path)
    for _ in range(2):
        done = gossamer("load", "columns", "--to", "oxigraph", "-o", "store")
        assert done.stderr.startswith("5 quads in "), done.stderr
    assert len(ox.Store(str(tmp_path / "store"))) == 5
    done = gossamer("load", "columns", "--to", "qlever", "-o", "qlever")
    assert "Next: cd qlever && qlever index" in done.stderr
    again = gossamer("load", "columns", "--to", "qlever", "-o", "qlever")
    assert (again.returncode, "earlier load" in again.stderr) == (1, True)


def test_entities_of_columns_are_lines(gossamer: Gossamer, tmp_path: Path) -> None:
    make_shop(tmp_path)
    done = gossamer("export", "--to", "entities", "--from", "columns")
    assert [json.loads(line)["label"] for line in done.stdout.splitlines()] == ["Mug"]
    assert done.stderr == "1 entity.\n"
    assert gossamer("export", "--to", "nquads", "--from", "columns").returncode == 2


def test_spark_is_named_where_it_is_missing(gossamer: Gossamer, archives: Archives) -> None:
    columns = ("--to", "parquet", "-o", "out")
    done = gossamer("extract", archives.names[0], *columns, "--engine", "spark")
    assert "pip install 'gossamer[spark]'" in done.stderr
    assert "Traceback" not in done.stderr
    assert gossamer("extract", archives.names[0], *columns, "--master", "local").returncode == 2
    assert gossamer("extract", archives.names[0], "--engine", "spark").returncode == 2


def test_an_archive_on_the_web_is_fetched_like_a_page(
    gossamer: Gossamer, archives: Archives, tmp_path: Path
) -> None:
    folder = archives.paths[0].parent
    handler = partial(SimpleHTTPRequestHandler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        port = server.server_address[1]
        done = gossamer(
            *("extract", f"http://archive.test:{port}/{archives.paths[0].name}"),
            *(f"http://archive.test:{port}/nowhere.warc.gz", "--to", "parquet", "-o", "out"),
            *("--connect-to", f"*.test=127.0.0.1:{port}", "--config", "politeness.delay=0"),
        )
        server.shutdown()
    assert done.returncode == 1
    assert "the server answered 404" in done.stderr
    assert [each.name for each in (tmp_path / "out" / "pages").iterdir()] == [
        "part-00-pages.parquet"
    ]
