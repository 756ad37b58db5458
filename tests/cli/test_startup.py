"""What the command line loads before it does anything: counted in modules, because seconds vary."""

import os
import subprocess
import sys
from pathlib import Path

import click
from tests.slowness import patience

from gossamer.cli import COMMANDS, commands, program
from gossamer.cli.commands.problems import KINDS
from gossamer.cli.commands.query import FORMATS
from gossamer.frontier.protocol import Trouble
from gossamer.index.graph.query import ROW_FORMATS
from gossamer.index.graph.results import ROWS

from .conftest import Gossamer

FEW = 30  # modules of ours, for what people wait for while they type
TO_READ = 80  # and before the first input is read
# Runs `gossamer` as its script does, and prints the modules of ours that are loaded when a file is
# opened, or at the end.
COUNTING = """
import atexit, sys

def tell(*_):
    ours = sorted(name for name in sys.modules if name.split(".")[0] == "gossamer")
    print(*ours, file=sys.stderr)

def heed(event, details):
    if event == "open" and details[0] == "page.html":
        tell()

if sys.argv[1] == "at-end":
    atexit.register(tell)
else:
    sys.addaudithook(heed)
sys.argv[:2] = ["gossamer"]
from gossamer.__main__ import main
main()
"""
# Imports each command's module as if it were the first, and prints what that takes.
IMPORTING = """
import sys
from importlib import import_module

for name in sys.argv[1:]:
    for ours in [each for each in sys.modules if each.split(".")[0] == "gossamer"]:
        del sys.modules[ours]
    import_module("gossamer.__main__")
    import_module(f"gossamer.cli.commands.{name}")
    print(*(each for each in sys.modules if each.split(".")[0] == "gossamer"))
"""


def loaded(folder: Path, *arguments: str, when: str = "at-end", **variables: str) -> set[str]:
    clean = {name: value for name, value in os.environ.items() if "GOSSAMER" not in name}
    done = subprocess.run(
        [sys.executable, "-c", COUNTING, when, *arguments],
        cwd=folder,
        env={**clean, **variables},
        capture_output=True,
        text=True,
        timeout=patience(60),
        check=True,
    )
    return set(done.stderr.splitlines()[0].split())


def complete(folder: Path, *words: str) -> set[str]:
    asked = {"COMP_WORDS": " ".join(("gossamer", *words)), "COMP_CWORD": str(len(words))}
    return loaded(folder, _GOSSAMER_COMPLETE="bash_complete", **asked)


def test_help_and_the_names_of_commands_load_no_command(tmp_path: Path) -> None:
    for modules in (loaded(tmp_path, "--help"), complete(tmp_path, "c")):
        assert "gossamer.cli" in modules
        assert len(modules) <= FEW, modules
        assert not {each for each in modules if each.startswith("gossamer.cli.commands")}


def test_the_options_of_a_command_load_little(tmp_path: Path) -> None:
    modules = complete(tmp_path, "crawl", "--")
    assert "gossamer.cli.commands.crawl" in modules
    assert len(modules) <= FEW, modules


def test_so_do_those_of_every_command() -> None:
    done = subprocess.run(
        [sys.executable, "-c", IMPORTING, *COMMANDS],
        capture_output=True,
        text=True,
        timeout=patience(60),
        check=True,
    )
    for name, modules in zip(COMMANDS, map(str.split, done.stdout.splitlines()), strict=True):
        assert f"gossamer.cli.commands.{name}" in modules
        assert len(modules) <= FEW, modules


def test_extract_loads_what_it_needs_before_it_reads(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("<title>A page</title>")
    modules = loaded(tmp_path, "extract", "page.html", when="at-open")
    assert "gossamer.cli.run_extract" in modules
    assert len(modules) <= TO_READ, modules


def test_the_table_of_commands_is_complete() -> None:
    (folder,) = commands.__path__
    assert {path.stem for path in Path(folder).glob("[a-z]*.py")} == set(COMMANDS)
    context = click.Context(program)
    for name in COMMANDS:
        command = program.get_command(context, name)
        assert command is not None
        assert (command.name, command.short_help) == (name, COMMANDS[name])


def test_help_lists_every_command_with_its_line(here: Gossamer) -> None:
    done = here("--help")
    lines = {
        line.split()[0]: line.split(maxsplit=1)[1:] for line in done.stdout.splitlines() if line
    }
    assert done.returncode == 0
    assert {name: lines[name] for name in COMMANDS} == {
        name: [line] for name, line in COMMANDS.items()
    }


def test_choices_that_are_written_down_again_are_all_of_them() -> None:
    assert list(KINDS) == [kind.value for kind in Trouble]
    assert list(ROW_FORMATS) == list(ROWS)
    assert set(ROWS) < set(FORMATS)
