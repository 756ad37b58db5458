import json
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from gossamer.cli.options import GIVEN, assignments, setting_option
from gossamer.errors import ConfigError

from .conftest import Gossamer


def test_assignments_are_checked_one_by_one() -> None:
    assert assignments(["politeness.delay=1", "scope.include=a=b"], "--config") == {
        "politeness.delay": "1",
        "scope.include": "a=b",
    }
    with pytest.raises(ConfigError, match="--config: 'nothing' has no value"):
        assignments(["nothing"], "--config")


def test_the_data_folder_comes_from_flag_variable_or_default(
    gossamer: Gossamer, tmp_path: Path
) -> None:
    gossamer("config", "set", "politeness.delay=1")
    gossamer("config", "set", "politeness.delay=2", GOSSAMER_DATA="variable")
    gossamer("config", "set", "politeness.delay=3", "--data", "flag", GOSSAMER_DATA="variable")
    gossamer("config", "--data", "parent", "set", "politeness.delay=4")
    kept = {
        folder.name: json.loads((folder / "runtime.json").read_text())["politeness.delay"]
        for folder in tmp_path.iterdir()
    }
    assert kept == {"gossamer-data": "1", "variable": "2", "flag": "3", "parent": "4"}


@pytest.mark.parametrize(("arguments", "given"), [(["--no-archive"], "false"), ([], None)])
def test_a_flag_that_begins_with_no_is_a_switch(arguments: list[str], given: str | None) -> None:
    @click.command
    @setting_option("archive.keep")
    @click.pass_context
    def command(ctx: click.Context) -> None:
        click.echo(json.dumps(ctx.meta.get(GIVEN, {}).get("archive.keep")))

    done = CliRunner().invoke(command, arguments)
    assert json.loads(done.output) == given
