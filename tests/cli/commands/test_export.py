import gzip
import json
import re
from pathlib import Path

import pyoxigraph as ox
import pytest
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
