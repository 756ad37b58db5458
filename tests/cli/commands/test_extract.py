import io
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pyoxigraph
import pytest
from pyoxigraph import RdfFormat
from tests.cli.conftest import Gossamer
from tests.slowness import patience
from tests.warcs import Writer
from warcio.statusandheaders import StatusAndHeaders

from gossamer.demo.process import DemoServer
from gossamer.demo.rendering import rendered
from gossamer.demo.truth import truth
from gossamer.demo.world import World
from gossamer.index.graph.query import RDF

WORLD = World(seed=2, pages=40, hosts=4)
PAGE = """<!doctype html><html lang="en"><title>A page</title>
<script type="application/ld+json">{"@context": "https://schema.org", "@type": "Person",
 "name": "Ada",}</script><a href="/x">a link</a>"""


def write_warc(path: Path, world: World) -> int:
    """The pages of a world as another program would archive them; how many quads they hold."""
    quads = 0
    with path.open("wb") as file:
        writer = Writer(file, gzip=True)
        for number in range(world.pages):
            page = world.page(number)
            made = rendered(world, page)
            headers = StatusAndHeaders("200 OK", [("Content-Type", made.content_type)], "HTTP/1.1")
            record = writer.create_warc_record(
                page.url, "response", payload=io.BytesIO(made.body), http_headers=headers
            )
            writer.write_record(record)
            quads += made.quads
    return quads


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "page.html"
    path.write_text(PAGE)
    return path


def test_a_page_becomes_quads_and_its_problems_are_told(gossamer: Gossamer, page: Path) -> None:
    done = gossamer("extract", page.name, "--url", "https://example.org/")
    assert done.returncode == 0
    quads = list(pyoxigraph.parse(done.stdout.encode(), RdfFormat.N_QUADS))
    assert {str(quad.graph_name) for quad in quads} == {"<https://example.org/>"}
    assert done.stderr.splitlines() == [
        "page.html:3: jsonld: Comma too many left out.",
        "1 page, 4 quads, 1 problem",
    ]


@pytest.mark.parametrize("to", RDF)
def test_every_syntax_of_rdf_can_be_written(gossamer: Gossamer, page: Path, to: str) -> None:
    done = gossamer("extract", str(page), "--to", to, "--url", "https://example.org/")
    assert done.returncode == 0
    assert len(list(pyoxigraph.parse(done.stdout.encode(), RDF[to]))) == 4


def test_only_what_is_named_is_read(gossamer: Gossamer, page: Path) -> None:
    done = gossamer("extract", str(page), "--only", "jsonld,rdfa")
    assert "dc/terms" not in done.stdout
    assert "schema.org/name" in done.stdout
    linked = gossamer("extract", str(page), "--links", "--only", "page")
    assert "a link" in linked.stdout


def test_items_are_an_object_for_a_page_and_lines_for_several(
    gossamer: Gossamer, page: Path
) -> None:
    options = ("--to", "items", "--url", "https://example.org/", "--only", "json-ld")
    done = gossamer("extract", page.name, *options)
    item = {"@context": "https://schema.org", "@type": "Person", "name": "Ada"}
    assert json.loads(done.stdout) == {"url": "https://example.org/", "json-ld": [item]}
    assert done.stdout.startswith("{\n")
    assert "Comma too many" in done.stderr
    done = gossamer(
        "extract", page.name, page.name, "--to", "uniform-items", "--only", "mf2,JSON-LD"
    )
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [[*line] for line in lines] == [["url", "json-ld", "microformat"]] * 2


def test_json_ld_is_an_object_for_a_page_and_an_array_for_several(
    gossamer: Gossamer, tmp_path: Path
) -> None:
    (tmp_path / "a.ttl").write_text("<#a> a <http://schema.org/Thing> .")
    one = gossamer("extract", "a.ttl", "--url", "http://a.test/", "--to", "jsonld")
    assert json.loads(one.stdout) == {
        "@context": {"@vocab": "http://schema.org/"},
        "@id": "http://a.test/",
        "@graph": [{"@id": "http://a.test/#a", "@type": "Thing"}],
    }
    two = gossamer("extract", "a.ttl", "a.ttl", "--to", "jsonld")
    assert [graph["@graph"][0]["@type"] for graph in json.loads(two.stdout)] == ["Thing", "Thing"]
    (tmp_path / "b.ttl").write_text("")
    assert json.loads(gossamer("extract", "b.ttl", "--to", "jsonld").stdout) == {}


def test_standard_input_is_a_page_too(page: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "gossamer", "extract", "-", "--url", "http://a.test/"],
        input=page.read_bytes(),
        capture_output=True,
        cwd=tmp_path,
        check=True,
    )
    assert done.stdout.count(b"<http://a.test/> .\n") == 4


def test_a_warc_file_gives_what_its_pages_hold(gossamer: Gossamer, tmp_path: Path) -> None:
    quads = write_warc(tmp_path / "crawl.warc.gz", WORLD)
    done = gossamer("extract", "crawl.warc.gz", "--workers", "2")
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) == quads
    assert done.stderr.splitlines()[-1].startswith(f"40 pages, {quads:,} quads")


def test_an_interrupted_warc_says_where_to_go_on(tmp_path: Path) -> None:
    world = World(seed=2, pages=300, hosts=4)
    write_warc(tmp_path / "crawl.warc.gz", world)
    command = [sys.executable, "-m", "gossamer", "extract", "crawl.warc.gz"]
    # It cannot come to its end while nobody reads: a pipe holds less than these pages say.
    process = subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
    )
    assert process.stdout is not None
    begun = process.stdout.read(1)
    process.send_signal(signal.SIGINT)
    first, said = process.communicate(timeout=patience(60))
    assert process.returncode == 130, said
    assert b"Traceback" not in said
    start = said.decode().partition("--start ")[2].split()[0]
    rest = subprocess.run(
        [*command, "--start", start], cwd=tmp_path, capture_output=True, check=True
    )
    graphs = {line.rsplit(b" ", 2)[1] for line in (begun + first + rest.stdout).splitlines()}
    silent = {
        number for number in range(world.pages) if not rendered(world, world.page(number)).quads
    }
    assert len(graphs) == world.pages - len(silent)


def test_a_context_can_be_given(gossamer: Gossamer, tmp_path: Path) -> None:
    (tmp_path / "page.jsonld").write_text(
        '{"@context": "http://c.test/c", "@id": "x:s", "name": "N"}'
    )
    (tmp_path / "c.jsonld").write_text('{"@context": {"name": "http://v.test/name"}}')
    without = gossamer("extract", "page.jsonld")
    assert without.stdout == ""
    assert "http://c.test/c" in without.stderr
    done = gossamer("extract", "page.jsonld", "--context", "http://c.test/c=c.jsonld")
    assert done.stdout.startswith('<x:s> <http://v.test/name> "N" ')
    for wrong in ("c.jsonld", "http://c.test/c=missing"):
        assert gossamer("extract", "page.jsonld", "--context", wrong).returncode == 2


def test_one_bad_input_costs_no_other(gossamer: Gossamer, page: Path, tmp_path: Path) -> None:
    (tmp_path / "second.html").write_text(PAGE)
    done = gossamer("extract", page.name, "missing.html", "second.html", "http://nowhere.test/")
    assert done.returncode == 1
    assert len(done.stdout.splitlines()) == 8
    assert "missing.html: There is no such file or folder." in done.stderr
    assert "http://nowhere.test/: may not be fetched" in done.stderr
    assert done.stderr.splitlines()[-1] == "2 pages, 8 quads, 4 problems"


def test_a_damaged_warc_gives_all_that_is_before_the_damage(
    gossamer: Gossamer, tmp_path: Path
) -> None:
    write_warc(tmp_path / "crawl.warc.gz", WORLD)
    whole = (tmp_path / "crawl.warc.gz").read_bytes()
    half = len(whole) // 2
    (tmp_path / "crawl.warc.gz").write_bytes(whole[:half] + b"\0" * 40 + whole[half + 40 :])
    done = gossamer("extract", "crawl.warc.gz")
    assert done.returncode == 1
    assert "damaged behind the record at byte" in done.stderr
    assert int(done.stderr.splitlines()[-1].split()[0]) > 10


def test_files_of_a_folder_do_not_speak_of_each_others_blank_nodes(
    gossamer: Gossamer, tmp_path: Path
) -> None:
    for name in ("ada", "rex"):
        thing = f'<p vocab="http://schema.org/" typeof="Thing"><b property="name">{name}</b>'
        (tmp_path / "folder").mkdir(exist_ok=True)
        (tmp_path / "folder" / f"{name}.html").write_text(thing)
    done = gossamer("extract", "folder", "--url", "http://a.test/", "--only", "rdfa")
    named = [line.split()[0] for line in done.stdout.splitlines() if "/name>" in line]
    assert len(set(named)) == 2


def test_a_single_page_that_takes_too_long_is_given_up(gossamer: Gossamer, tmp_path: Path) -> None:
    (tmp_path / "slow.html").write_text("<p>x" * 2_000_000)
    done = gossamer("extract", "slow.html", "--config", "transform.time_limit=0.01")
    assert done.returncode == 0
    assert "took longer than 0.01s" in done.stderr


def test_rdf_xml_leaves_out_what_it_cannot_write(gossamer: Gossamer, tmp_path: Path) -> None:
    (tmp_path / "odd.nt").write_text(
        '<x:s> <http://a.test/123> "n" .\n<x:s> <http://a.test/p> "\\u0001" .\n'
        '<x:s> <http://a.test/p> "good" .\n'
    )
    done = gossamer("extract", "odd.nt", "--to", "rdfxml")
    assert len(list(pyoxigraph.parse(done.stdout.encode(), RdfFormat.RDF_XML))) == 1
    assert done.stderr.count("left out") == 2


def test_a_url_is_fetched_with_manners(gossamer: Gossamer) -> None:
    with DemoServer(WORLD) as demo_web:
        reach = ("--connect-to", demo_web.connect_to, "--agent-contact", "me@example.org")
        done = gossamer("extract", str(WORLD.front(0)), *reach)
        refused = gossamer("extract", f"{WORLD.front(0)}private/1", *reach)
    known = truth(WORLD, [WORLD.front(0)], depth=0).stored_quads(WORLD.front(0))
    assert len(done.stdout.splitlines()) == known
    assert refused.returncode == 1
    assert "may not be fetched: Line 3 of robots.txt" in refused.stderr


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["missing.html"], 1, "There is no such file or folder"),
        (["page.html", "page.html", "--url", "http://a.test/"], 2, "one file or folder at a time"),
        (
            ["page.html", "--only", "rfda"],
            2,
            "'rfda' is no syntax; did you mean 'rdfa'? There are rdfa",
        ),
        (["page.html", "--to", "excel"], 2, "'nquads'"),
        (["page.html", "--url", "example"], 2, "write it in full"),
        ([], 2, "Missing argument"),
    ],
)
def test_what_cannot_be_done_is_a_sentence(
    gossamer: Gossamer, page: Path, arguments: list[str], status: int, words: str
) -> None:
    done = gossamer("extract", *arguments)
    assert (done.returncode, done.stdout) == (status, "")
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_a_reader_who_leaves_early_is_no_error(page: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "gossamer", "extract", str(page)],
        stdout=writing,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(writing)
    assert done.returncode == 0
    assert "Traceback" not in done.stderr
