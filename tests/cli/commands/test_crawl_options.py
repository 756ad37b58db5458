import json
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result
from tests.cli.conftest import Gossamer

from gossamer.cli.commands.crawl import follow_query_option, index_option
from gossamer.cli.options import GIVEN

QUERY = "# links\nSELECT ?page {\n ?thing rdfs:seeAlso ?page\n}\n"


@click.command
@index_option
@follow_query_option
@click.pass_context
def command(ctx: click.Context) -> None:
    click.echo(json.dumps(ctx.meta.get(GIVEN, {})))


def run(*arguments: str, given: str | None = None) -> Result:
    return CliRunner().invoke(command, arguments, input=given)


def test_a_password_in_the_address_is_kept_apart_from_it() -> None:
    assert json.loads(run("--index", "http://me:secret@a.test/ds").output) == {
        "index.url": "http://a.test/ds",
        "index.user": "me",
        "index.password": "secret",
    }
    assert json.loads(run("--index", "http://a.test/").output) == {"index.url": "http://a.test/"}
    assert json.loads(run().output) == {}


@pytest.mark.parametrize("address", ["a.test", "ftp://me:secret@a.test/", "http://me:secret@[a"])
def test_what_is_no_address_is_refused_with_an_example(address: str) -> None:
    done = run("--index", address)
    assert done.exit_code == 2
    assert "--index: " in done.output
    assert "http://localhost:7878/" in done.output
    assert "secret" not in done.output


def test_secrets_are_masked_wherever_configuration_is_shown(here: Gossamer) -> None:
    done = here("config", GOSSAMER_INDEX_PASSWORD="mellon7", GOSSAMER_INDEX_TOKEN="mellon7")
    assert done.returncode == 0
    assert "mellon7" not in done.stdout
    assert "index.password" in done.stdout
    refused = here("config", "set", "index.url=http://me:mellon7@a.test/")
    assert refused.returncode == 2
    assert "mellon7" not in refused.stderr


def test_the_text_of_the_query_is_what_is_remembered(tmp_path: Path) -> None:
    (tmp_path / "links.rq").write_text(QUERY)
    done = run("--follow-query", str(tmp_path / "links.rq"))
    assert json.loads(done.output) == {"crawl.follow_query": QUERY}
    assert json.loads(run("--follow-query", "-", given=QUERY).output) == json.loads(done.output)
    assert json.loads(run().output) == {}


def test_none_takes_it_away() -> None:
    assert json.loads(run("--follow-query", "none").output) == {"crawl.follow_query": "none"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("SELECT ?x {\n  ?x ?y\n}", "This is no SPARQL query: line 3, column 1: “}” cannot"),
        ("SELECT * { ?s ?p ?o }", "a SELECT of one variable is wanted"),
        ("SELECT ?x { SERVICE <http://a.test/> { ?x ?y ?z } }", "SERVICE"),
        (" \n", "is empty"),
        (b"\xff", "it is not UTF-8"),
    ],
)
def test_a_wrong_query_is_refused_with_the_file_and_the_place(
    tmp_path: Path, text: str | bytes, message: str
) -> None:
    file = tmp_path / "links.rq"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    done = run("--follow-query", str(file))
    assert done.exit_code == 2
    said = " ".join(done.output.split())
    assert message in said
    assert "links.rq" in said


def test_a_file_that_is_not_there_is_named() -> None:
    done = run("--follow-query", "nowhere.rq")
    assert done.exit_code == 2
    assert "nowhere.rq cannot be read: No such file" in done.output
