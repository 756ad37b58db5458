import csv
import io
import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest
from tests.api.shop import html, make_shop
from tests.cli.conftest import Gossamer
from tests.slowness import patience

from gossamer.folder.data import DataFolder


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> DataFolder:
    return make_shop(tmp_path_factory.mktemp("shop") / "gossamer-data")


@pytest.fixture
def data(shop: DataFolder) -> str:
    return str(shop.path)


def test_things_are_rows_and_what_they_lead_to_are_columns(here: Gossamer, data: str) -> None:
    done = here("table", "Product", "--to", "csv", "--data", data)
    assert done.returncode == 0
    rows = {row["name"]: row for row in csv.DictReader(io.StringIO(done.stdout))}
    assert set(rows) == {"Lamp", "Chair", "Desk <b>"}
    assert rows["Lamp"]["offers.price"] == "19.9"
    assert rows["Lamp"]["brand.name"] == "Northwind"
    assert rows["Chair"]["brand.name"] == "Southwind"
    assert rows["Chair"]["offers.price.count"] == "2"
    assert rows["Lamp"]["sku"] == "007"
    assert rows["Lamp"]["page"] == "http://a.test/lamp"
    assert done.stderr.startswith(
        "3 entities of type Product.\nColumns, and how many have a value: name 100 %"
    )


def test_a_file_is_typed_and_whole(here: Gossamer, data: str, tmp_path: Path) -> None:
    columns = "name,offers.price,offers.priceCurrency,releaseDate"
    done = here("table", "Product", "--columns", columns, "-o", "all.parquet", "--data", data)
    assert (done.returncode, done.stdout) == (0, "")
    frame = pl.read_parquet(tmp_path / "all.parquet")
    assert [str(kind) for kind in frame.dtypes] == [
        "String",
        "String",
        "Float64",
        "Int64",
        "String",
        "Date",
        "String",
        "Int64",
    ]
    assert frame["offers.price"].sum() == pytest.approx(19.9 + 99 + 1299)
    assert not [*tmp_path.glob(".*.tmp")]
    here("table", "Product", "--lists", "-o", "all.jsonl.gz", "--data", data)
    rows = pl.read_ndjson(tmp_path / "all.jsonl.gz")
    assert sorted(len(each) for each in rows["offers.price"]) == [1, 1, 2]


def test_hosts_and_limits_choose_rows(here: Gossamer, data: str) -> None:
    one = here("table", "Product", "--host", "B.test", "--to", "jsonl", "--data", data)
    assert [json.loads(line)["name"] for line in one.stdout.splitlines()] == ["Desk <b>"]
    two = here("table", "Product", "--limit", "2", "--to", "csv", "--data", data)
    assert len(two.stdout.splitlines()) == 3
    assert "2 entities of type Product, and there are more." in two.stderr
    assert "A concert" in here("table", "Event", "--data", data).stdout  # a MusicEvent is one


def test_a_typo_is_told_with_what_was_meant(here: Gossamer, data: str, tmp_path: Path) -> None:
    done = here("table", "Prodct", "-o", "all.csv", "--data", data)
    assert done.returncode == 1
    assert "Nothing that was crawled is of type Prodct. Did you mean Product" in done.stderr
    assert not (tmp_path / "all.csv").exists()
    assert (
        "Did you mean offers.price?"
        in here("table", "Product", "--columns", "offers.prise", "--data", data).stderr
    )
    wrong = here("table", "Product", "-o", "all.doc", "--data", data)
    assert (wrong.returncode, "does not end in one of .csv" in wrong.stderr) == (2, True)
    assert here("table", "Product", "-o", "a.csv", "--to", "csv", "--data", data).returncode == 2
    assert "There is no crawl" in here("table", "Product", "--data", "nosuch").stderr


def test_what_is_not_installed_is_named_before_anything_is_done(
    here: Gossamer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "xlsxwriter", None)
    done = here("table", "Product", "-o", "all.xlsx", "--data", "nosuch")
    assert (done.returncode, done.stderr) == (
        1,
        "gossamer: This needs xlsxwriter: pip install 'gossamer[data]'\n",
    )


def test_files_need_no_crawl(here: Gossamer, tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    said = {
        "@type": "Recipe",
        "name": "Soup",
        "author": "Ada",
        "nutrition": {"@type": "NutritionInformation", "calories": "12"},
    }
    (tmp_path / "pages" / "soup.html").write_bytes(html(said))
    done = here("table", "Recipe", "--from", "pages", "--to", "jsonl")
    (row,) = map(json.loads, done.stdout.splitlines())
    assert (row["name"], row["author.name"]) == ("Soup", "Ada")
    assert not (tmp_path / "gossamer-data").exists()
    assert "Nothing there is of type Product" in here("table", "Product", "--from", "pages").stderr
    assert (
        "There is no file or folder 'nosuch'" in here("table", "Product", "--from", "nosuch").stderr
    )


def test_a_terminal_shows_what_fits_and_says_what_else_there_is(data: str) -> None:
    main, terminal = pty.openpty()
    done = subprocess.run(
        [str(Path(sys.executable).with_name("gossamer")), "table", "Product", "--data", data],
        stdout=terminal,
        stderr=subprocess.PIPE,
        env={**os.environ, "COLUMNS": "60"},
        timeout=patience(60),
        text=True,
        check=True,
    )
    os.close(terminal)
    shown = os.read(main, 100_000).decode().splitlines()
    os.close(main)
    assert all(len(line) <= 60 for line in shown)
    assert shown[0].split()[:2] == ["name", "type"]
    assert shown[1].split()[:2] == ["100", "%"]
    assert len(shown) == 5
    assert "Also there (--columns, or -o FILE for all):" in done.stderr
