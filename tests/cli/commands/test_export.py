import gzip
import json
import re
from pathlib import Path

import duckdb
import pandas as pd
import polars as pl
import pyarrow.parquet as pq
import pyoxigraph as ox
import pytest
from tests.api.shop import NOW, make_shop
from tests.cli.conftest import Gossamer

pytestmark = pytest.mark.usefixtures("small_crawl")


def test_everything_goes_to_stdout_with_its_sources(here: Gossamer) -> None:
    done = here("export")
    assert done.returncode == 0
    quads = [*ox.parse(done.stdout.encode(), ox.RdfFormat.N_QUADS)]
    assert "http://a.test/odd" in {quad.graph_name.value for quad in quads if quad.graph_name}
    said = [quad for quad in quads if not str(quad.graph_name).endswith("#fetch>")]
    told = re.fullmatch(
        r"(\d+) statements \((\d+) quads .*, (\d+) about fetches\)\.\n", done.stderr
    )
    assert told is not None
    assert [int(each) for each in told.groups()] == [len(quads), len(said), len(quads) - len(said)]
    status = json.loads(here("status", "--json").stdout)
    assert status["graph"]["quads"] == len(said)


def test_the_name_of_the_file_decides(here: Gossamer, tmp_path: Path) -> None:
    done = here("export", "-o", "all.trig.gz")
    assert (done.returncode, done.stdout) == (0, "")
    assert "all.trig.gz" in done.stderr
    packed = gzip.decompress((tmp_path / "all.trig.gz").read_bytes())
    assert len([*ox.parse(packed, ox.RdfFormat.TRIG)]) > 3
    here("export", "-o", "all.nt")
    assert (tmp_path / "all.nt").read_text().count(" .\n") > 3
    assert not [*tmp_path.glob(".*.tmp")]


def test_one_page_is_named_by_its_url(here: Gossamer) -> None:
    done = here("export", "--graph", "HTTP://A.test:80/odd", "--to", "turtle")
    assert '"three"' in done.stdout
    assert "1 statement." in done.stderr
    fetch = here("export", "--graph", "http://a.test/odd#fetch", "--to", "ntriples")
    assert "A comma too many." in fetch.stdout


def test_things_are_lines_of_json(here: Gossamer, tmp_path: Path) -> None:
    done = here("export", "--to", "entities")
    things = [json.loads(line) for line in done.stdout.splitlines()]
    assert {thing["label"] for thing in things} == {"one", "three"}
    assert {text["text"] for thing in things for text in thing["texts"]} == {"one", "two", "three"}
    assert f"{len(things)} things." in done.stderr
    here("export", "-o", "things.jsonl.gz")
    packed = gzip.decompress((tmp_path / "things.jsonl.gz").read_bytes()).decode()
    assert sorted(packed.splitlines()) == sorted(done.stdout.splitlines())
    both = here("export", "--to", "entities", "--graph", "http://a.test/odd")
    assert (both.returncode, "leave out one" in both.stderr) == (2, True)


def test_what_cannot_be_done_is_a_sentence(here: Gossamer, tmp_path: Path) -> None:
    nothing = here("export", "--graph", "http://a.test/none", "-o", "none.nq")
    assert "No page of the crawl is http://a.test/none" in nothing.stderr
    assert (nothing.returncode, (tmp_path / "none.nq").exists()) == (1, False)
    odd = here("export", "-o", "all.docx")
    assert (odd.returncode, "say the syntax with --to" in odd.stderr) == (2, True)
    assert "Only http and https" in here("export", "--graph", "mailto:a@b.test").stderr
    nowhere = here("export", "-o", "no/such/folder.nq")
    assert (nowhere.returncode, "cannot be written" in nowhere.stderr) == (1, True)
    (tmp_path / "kept.nq").write_text("kept")
    assert here("export", "-o", "kept.nq", "--data", "elsewhere").returncode == 1
    assert (tmp_path / "kept.nq").read_text() == "kept"


def test_one_graph_keeps_its_name_where_a_syntax_has_names(here: Gossamer) -> None:
    for syntax, format_ in (("nquads", ox.RdfFormat.N_QUADS), ("trig", ox.RdfFormat.TRIG)):
        done = here("export", "--graph", "http://a.test/odd", "--to", syntax)
        (quad,) = ox.parse(done.stdout.encode(), format_)
        assert quad.graph_name == ox.NamedNode("http://a.test/odd")


def test_hosts_types_and_fetches_choose_statements(here: Gossamer, tmp_path: Path) -> None:
    data = str(make_shop(tmp_path / "shop").path)

    def exported(*options: str) -> list[ox.Quad]:
        done = here("export", "--data", data, *options)
        return [*ox.parse(done.stdout.encode(), ox.RdfFormat.N_QUADS)]

    everything = exported()
    said = exported("--no-fetches")
    assert {quad for quad in everything if not str(quad.graph_name).endswith("#fetch>")} == {*said}
    there = {str(quad.graph_name) for quad in exported("--host", "B.test")}
    assert {name.split("/")[2] for name in there} == {"b.test"}
    assert any(name.endswith("#fetch>") for name in there)
    offered = exported("--type", "Product", "--host", "a.test")
    prices = {str(quad.object) for quad in offered if "price>" in str(quad.predicate)}
    assert {price.split('"')[1] for price in prices} == {"19.9", "1,249.00", "1299"}
    nothing = here("export", "--data", data, "--type", "Nosuch", "-o", "all.nq")
    assert (nothing.returncode, "Pages say nothing of type Nosuch" in nothing.stderr) == (1, True)
    assert not (tmp_path / "all.nq").exists()
    both = here("export", "--graph", "http://a.test/", "--no-fetches", "--data", data)
    assert (both.returncode, "leave out --graph" in both.stderr) == (2, True)


def test_parquet_has_a_row_a_statement_with_what_is_known_of_its_page(
    here: Gossamer, tmp_path: Path
) -> None:
    data = str(make_shop(tmp_path / "shop").path)
    everything = here("export", "--data", data, "-o", "all.nq").stderr
    done = here("export", "--data", data, "-o", "all.parquet")
    assert done.returncode == 0
    assert done.stderr.partition(":")[0] == everything.partition(":")[0]  # as many statements
    file = tmp_path / "all.parquet"
    quads = [*ox.parse((tmp_path / "all.nq").read_bytes(), ox.RdfFormat.N_QUADS)]
    frame = pd.read_parquet(file)
    assert len(frame) == len(quads)
    assert not [*tmp_path.glob(".*.tmp")]
    assert {str(kind) for kind in pq.read_schema(file).types} == {
        "string",
        "timestamp[us, tz=UTC]",
        "int32",
    }
    names = pl.read_parquet(file).filter(
        (pl.col("page") == "http://a.test/lamp") & (pl.col("predicate") == "http://schema.org/name")
    )
    lamp = names.filter(pl.col("object") == "Lamp").to_dicts()[0]
    assert lamp == {
        "subject": "http://a.test/lamp#it",
        "predicate": "http://schema.org/name",
        "object": "Lamp",
        "kind": "literal",
        "language": None,
        "datatype": "http://www.w3.org/2001/XMLSchema#string",
        "graph": "http://a.test/lamp",
        "page": "http://a.test/lamp",
        "host": "a.test",
        "syntax": "jsonld",
        "fetched": NOW,
        "status": 200,
    }
    asked = "SELECT kind, count(*) FROM 'all.parquet' WHERE syntax IS NOT NULL GROUP BY kind ORDER BY kind"
    with duckdb.connect() as connection:
        kinds = connection.execute(asked.replace("all.parquet", str(file))).fetchall()
    assert [kind for kind, _ in kinds] == ["blank", "iri", "literal"]
    here("export", "--data", data, "--no-fetches", "-o", "said.parquet")
    assert not pd.read_parquet(tmp_path / "said.parquet")["graph"].str.endswith("#fetch").any()
    assert "goes into a file" in here("export", "--data", data, "--to", "parquet").stderr
