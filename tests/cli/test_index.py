import json

import click
import pytest
from click.testing import CliRunner, Result
from tests.cli.conftest import Gossamer

from gossamer.cli.index import index_option
from gossamer.cli.options import GIVEN


@click.command
@index_option
@click.pass_context
def command(ctx: click.Context) -> None:
    click.echo(json.dumps(ctx.meta.get(GIVEN, {})))


def run(*arguments: str) -> Result:
    return CliRunner().invoke(command, arguments)


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
    done = here("config", GOSSAMER_INDEX_PASSWORD="hidden", GOSSAMER_INDEX_TOKEN="hidden")
    assert done.returncode == 0
    assert "hidden" not in done.stdout
    assert "index.password" in done.stdout
    refused = here("config", "set", "index.url=http://me:hidden@a.test/")
    assert refused.returncode == 2
    assert "hidden" not in refused.stderr
