import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.conftest import Gossamer
from tests.slowness import patience

from gossamer.folder.data import DataFolder

pytestmark = pytest.mark.usefixtures("small_crawl")
SAYS = "SELECT ?page ?o { GRAPH ?page { ?s <http://v.test/says> ?o } } ORDER BY ?o"


def test_rows_are_a_table_and_timing_is_talk(here: Gossamer) -> None:
    done = here("query", SAYS)
    assert done.returncode == 0
    assert [line.split() for line in done.stdout.splitlines()] == [
        ["page", "o"],
        ["http://a.test/good", "one"],
        ["http://a.test/odd", "three"],
        ["http://a.test/good", "two"],
    ]
    assert done.stderr.startswith("3 rows in ")


def test_what_was_probably_meant_is_told_where_nothing_is_found(here: Gossamer) -> None:
    done = here("query", "SELECT * { ?s <http://v.test/sayz> ?o }")
    assert done.returncode == 0
    assert "Did you mean <http://v.test/says>?" in done.stderr.splitlines()[1]


def test_every_format_is_there(here: Gossamer) -> None:
    rows = json.loads(here("query", SAYS, "--to", "json").stdout)["results"]["bindings"]
    assert [row["o"]["value"] for row in rows] == ["one", "three", "two"]
    assert here("query", SAYS, "--to", "csv").stdout.splitlines()[0] == "page,o"
    describe = "CONSTRUCT { ?s ?p ?o } WHERE { GRAPH <http://a.test/odd> { ?s ?p ?o } }"
    done = here("query", describe)
    assert '"three" .' in done.stdout
    assert done.stderr.startswith("1 statement in ")
    assert here("query", describe, "--to", "jsonld").stdout.endswith("]\n")
    assert here("query", describe, "--to", "ntriples").stdout.count("\n") == 1
    assert here("query", "ASK { ?s schema:name ?o }").stdout == "false\n"


def test_the_columns_of_a_star_are_those_of_the_query(here: Gossamer) -> None:
    assert here("query", "SELECT * { ?s ?p ?o }", "--to", "csv").stdout.startswith("s,p,o\r")


def test_a_query_may_name_the_graphs_that_it_is_asked_of(here: Gossamer) -> None:
    counted = "SELECT (COUNT(*) AS ?n) FROM <http://a.test/odd> { ?s ?p ?o }"
    assert here("query", counted, "--to", "tsv").stdout.splitlines()[1].startswith('"1"')
    assert here("query", "ASK FROM <http://nosuch.test/> { ?s ?p ?o }").stdout == "false\n"


def test_what_a_query_costs_is_told_instead_of_its_answer(here: Gossamer) -> None:
    told = dict(
        line.split(maxsplit=1) for line in here("query", SAYS, "--explain").stdout.splitlines()
    )
    assert told["answer"] == "3 rows"
    assert told["graph"] == "3 statements of 2 pages"
    assert told["parsed"].startswith("in 0.")
    record = json.loads(here("query", SAYS, "--explain", "--json").stdout)
    cost = record["cost"]
    assert 0 < cost["first_row"] <= cost["last_row"] <= record["seconds"]
    nothing = json.loads(here("query", "ASK {} VALUES ?x {}", "--explain", "--json").stdout)
    assert nothing["rows"] == 1
    none = json.loads(here("query", "SELECT * { ?s a 7 }", "--explain", "--json").stdout)
    assert none["cost"]["first_row"] is None
    assert here("query", SAYS, "--json").returncode == 2


def test_a_limit_cuts_and_says_so(here: Gossamer) -> None:
    done = here("query", SAYS, "--limit", "2")
    assert len(done.stdout.splitlines()) == 3
    assert "there are more" in done.stderr


def test_a_query_can_stand_in_a_file(here: Gossamer, tmp_path: Path) -> None:
    (tmp_path / "says.rq").write_text(SAYS)
    assert "three" in here("query", "@says.rq").stdout
    done = here("query", "@no-such.rq")
    assert (done.returncode, "no-such.rq cannot be read" in done.stderr) == (1, True)
    (tmp_path / "says.rq").write_bytes(b"\xff")
    assert "not UTF-8" in here("query", "@says.rq").stderr


def test_examples_are_asked_shown_and_listed(here: Gossamer) -> None:
    assert "A comma too many." in here("query", "--example", "problems").stdout
    shown = here("query", "--example", "types", "--show").stdout
    assert shown.startswith("SELECT ?type")
    assert "pages-failed" in here("query", "--help").stdout
    done = here("query")
    assert done.returncode == 2
    assert "--example with one of types" in done.stderr


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("SELECT ?x { ?x }", "line 1, column"),
        ("SELECT * { SERVICE <http://a.test/> { ?s ?p ?o } }", "SERVICE"),
        ("DELETE WHERE { ?s ?p ?o }", "DELETE would change the graph"),
    ],
)
def test_what_cannot_be_asked_is_a_sentence(here: Gossamer, text: str, told: str) -> None:
    done = here("query", text)
    assert (done.returncode, done.stdout) == (1, "")
    assert told in done.stderr
    assert "Traceback" not in done.stderr


def test_a_format_that_does_not_suit_is_a_sentence(here: Gossamer) -> None:
    done = here("query", SAYS, "--to", "turtle")
    assert done.returncode == 1
    assert "gives rows, which come as one of json" in done.stderr


def test_a_query_that_takes_too_long_is_stopped(here: Gossamer) -> None:
    many = " ".join(f"?a{n} ?b{n} ?c{n} ." for n in range(12))
    done = here("query", f"SELECT (COUNT(*) AS ?n) {{ {many} }}", "--timeout", "0.3")
    assert done.returncode == 1
    assert "took longer than" in done.stderr


def test_on_a_terminal_the_table_fits(small_crawl: DataFolder) -> None:
    head, tail = pty.openpty()
    with subprocess.Popen(
        [
            *(sys.executable, "-m", "gossamer", "query", "--example", "problems"),
            *("--data", str(small_crawl.path)),
        ],
        stdout=tail,
        stderr=subprocess.PIPE,
        env={**os.environ, "COLUMNS": "40"},
    ) as process:
        process.wait(timeout=patience(50))
    os.close(tail)
    lines = os.read(head, 10_000).decode().splitlines()
    os.close(head)
    assert max(map(len, lines)) <= 60
    assert lines[0].split() == ["page", "syntax", "line", "message"]
