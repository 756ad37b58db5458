"""Columns asked in SQL: what there is, nothing but that, and nothing is changed."""

import shutil
from collections.abc import Iterable
from pathlib import Path

import pyoxigraph as ox
import pytest
from tests.columnar.worlds import make_shop, write_archives

from gossamer import pages
from gossamer.api.things_of_files import things_of_files
from gossamer.columnar.duck import SQL_EXAMPLES, ColumnStore, find_columns, is_columns
from gossamer.columnar.job import run_job
from gossamer.columnar.rows import ReadOptions
from gossamer.columnar.statements import kept_quads, nquads_line, things_of_columns
from gossamer.demo.world import World
from gossamer.errors import InputError


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_shop(tmp_path_factory.mktemp("shop"))


def rows(folder: Path, sql: str) -> list[list[object]]:
    with ColumnStore(find_columns([str(folder)])) as columns:
        return list(columns.ask(sql))


def test_the_last_capture_of_a_page_counts(shop: Path) -> None:
    assert rows(shop, "SELECT DISTINCT page FROM latest") == [["http://shop.test/mug"]]
    assert rows(shop, "SELECT count(DISTINCT fetched) FROM quads") == [[2]]
    # Without the pages nobody knows of the capture that says nothing.
    alone = find_columns([str(shop / "quads" / "*.parquet")])
    with ColumnStore(alone) as columns:
        assert len([*columns.ask("SELECT DISTINCT page, fetched FROM latest")]) == 2


def test_the_examples_answer(shop: Path) -> None:
    told = {name: rows(shop, example.text) for name, example in SQL_EXAMPLES.items()}
    types = "http://schema.org/"
    assert told["types-by-host"] == [
        ["shop.test", f"{types}Offer", 1, 1],
        ["shop.test", f"{types}Product", 1, 1],
    ]
    assert [f"{types}Product", f"{types}name", 1] in told["properties-by-type"]
    prices = [(row[0], row[2], str(row[3])) for row in told["prices-over-time"]]
    assert prices == [
        ("http://shop.test/mug", "Mug", "9.00"),
        ("http://shop.test/tea", "Tea", "3.50"),
        ("http://shop.test/tea", "Tea", "4.25"),
    ]
    assert told["syntaxes"] == [["microdata", 5, 1]]


@pytest.mark.parametrize(
    ("sql", "why"),
    [
        ("COPY quads TO '{folder}/x.csv'", "changes nothing"),
        ("SELECT 1; SELECT 2", "One question"),
        ("DROP VIEW quads", "changes nothing"),
        ("ATTACH '{folder}/x.db'", "changes nothing"),
        ("SELECT * FROM read_csv('/etc/hostname')", "Cannot access file"),
        ("SELECT * FROM '{folder}/other.parquet'", "Cannot access file"),
        ("SELECT * FROM 'http://127.0.0.1:1/x.parquet'", "cannot be answered"),
        ("SELEC", "syntax error"),
        ("", "One question"),
    ],
)
def test_a_question_reads_the_columns_and_nothing_else(shop: Path, sql: str, why: str) -> None:
    shutil.copy(next((shop / "pages").iterdir()), shop.parent / "other.parquet")
    with pytest.raises(InputError, match=why):
        rows(shop, sql.format(folder=shop.parent))
    assert not [*shop.parent.glob("x.*")]


def test_a_question_that_takes_too_long_is_stopped(shop: Path) -> None:
    endless = (
        "SELECT count(*) FROM range(10000000000) a JOIN range(10000000) b ON a.range <> b.range"
    )
    with (
        ColumnStore(find_columns([str(shop)])) as columns,
        pytest.raises(InputError, match="longer"),
    ):
        list(columns.ask(endless, seconds=0.2))


def test_names_mean_columns_or_are_told_in_a_sentence(shop: Path, tmp_path: Path) -> None:
    assert is_columns(str(shop))
    assert is_columns("nowhere/*.parquet")
    assert not is_columns(str(shop.parent / "shop.warc.gz"))
    assert not is_columns(str(tmp_path))
    with pytest.raises(InputError, match="no file or folder"):
        find_columns([str(tmp_path / "x.parquet")])
    with pytest.raises(InputError, match="no statements"):
        find_columns([str(tmp_path)])
    (tmp_path / "bad.parquet").write_bytes(b"PAR1 nonsense")
    with pytest.raises(InputError, match="cannot be read as Parquet"):
        find_columns([str(tmp_path / "bad.parquet")])


def test_rows_are_the_statements_that_they_were_made_of(tmp_path: Path) -> None:
    archives = write_archives(tmp_path, World(seed=8, pages=40, hosts=4), files=2)
    run_job(archives.names, tmp_path / "columns", ReadOptions(), workers=2)
    with ColumnStore(find_columns([str(tmp_path / "columns")])) as columns:
        lines = {
            nquads_line(row)
            for row in columns.ask(
                "SELECT * EXCLUDE (page, host, syntax, fetched, status) FROM latest"
            )
        }
    own = {
        line.decode().replace("https://schema.org/", "http://schema.org/")
        for page in pages(*archives.names)
        for syntax, quads in page.by_syntax.items()
        if syntax != "page"
        for line in _lines(quads)
    }
    assert lines == own


def _lines(quads: Iterable[ox.Quad]) -> list[bytes]:
    written = ox.serialize(quads, format=ox.RdfFormat.N_QUADS)
    assert written is not None
    return list(written.splitlines(keepends=True))


def test_a_table_of_columns_is_that_of_the_pages(tmp_path: Path) -> None:
    archives = write_archives(tmp_path, World(seed=9, pages=40, hosts=4), files=2)
    columns = tmp_path / "columns"
    run_job(archives.names, columns, ReadOptions(page_statements=True), workers=2)
    types = ["Person", "Product", "Event", "Organization", "Article"]
    of_columns = sorted(things_of_columns(find_columns([str(columns)]), types, []))
    assert of_columns == sorted(things_of_files(archives.names, types, []))
    assert of_columns


def test_reserved_names_of_a_page_are_left_out() -> None:
    page = "http://a.test/"
    row = ("gossamer-blank:1", "http://v.test/p", "x", "literal", None, None, page, page)
    good = ("_:b", *row[1:])
    assert len([*kept_quads([row, good])]) == 1
