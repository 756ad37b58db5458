"""Write the pages that are made from code: `docs/commands.md`, `options.md`, `events.md`, `conformance.md`.

`make docs` runs this; a test fails when a page no longer says what the code says.
"""

import sys
from collections.abc import Iterator
from dataclasses import fields
from datetime import datetime, timedelta
from pathlib import Path
from typing import get_args, get_origin, get_type_hints

import click

from gossamer import values
from gossamer.cli import program
from gossamer.config import Config
from gossamer.events import EVENTS, Event
from gossamer.settings.sources import keys

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
GENERATED = "<!-- Made by `make docs` from {source}; do not edit. -->\n"

OPTIONS_INTRODUCTION = """# Options

Every value that can be configured. The strongest source wins:

1. runtime changes: `gossamer config set politeness.delay=2`
2. the command line: the flag in the table, or `--config politeness.delay=2`; then those of
   earlier crawls of the folder, which keeps them
3. the environment: `GOSSAMER_POLITENESS_DELAY=2`
4. the file `gossamer.toml` in the data folder:

   ```toml
   [politeness]
   delay = 2
   delays = { "*.example.org" = 5, "slow.example.net" = "1min" }
   ```

5. the defaults

`gossamer config` prints the values in force with the source of each. Times are seconds
or have a unit (`500ms`, `2min`, `1h`, `7d`), sizes likewise (`64KiB`, `16MiB`); lists are
written `a, b` or, where an item holds a comma, `["a", "b"]`; tables `NAME=VALUE, NAME=VALUE`.
"""

COMMANDS_INTRODUCTION = """# Commands

Every command with all of its options, as `--help` prints it. [Options](options.md) has the settings
that can also be given in the environment, in `gossamer.toml` and while a crawl runs.
"""
HELP_WIDTH = 100

EVENTS_INTRODUCTION = """# Events

The log of a data folder is `log/NNNNNN.jsonl`: one JSON object a line, oldest first.
Every event has `at` (a moment), `event` (its name) and `level`, beside its own fields.
Moments are ISO 8601 in UTC, times are seconds. A new file begins at `log.rotate_bytes`,
and `log.keep_files` closed ones are kept.
"""


def options_page() -> str:
    """The page of all configuration keys."""
    parts = [GENERATED.format(source="src/gossamer/config.py"), OPTIONS_INTRODUCTION]
    for section, section_type in get_type_hints(Config).items():
        parts.append(f"\n## {section}\n\n{section_type.__doc__}\n")
        parts.append(
            "| key | default | kind | flag | what it does |\n| --- | --- | --- | --- | --- |"
        )
        for key in keys().values():
            if key.name.startswith(f"{section}."):
                default = f"`{key.shown(key.default)}`"
                flag = f"`{key.flag}`" if key.flag else ""
                kind = values.described(key.kind)
                parts.append(f"| `{key.name}` | {default} | {kind} | {flag} | {key.doc} |")
    return "\n".join(parts) + "\n"


def events_page() -> str:
    """The page of all kinds of events."""
    parts = [GENERATED.format(source="src/gossamer/events.py"), EVENTS_INTRODUCTION]
    for kind in EVENTS.values():
        parts.append(f"\n## {kind.name}\n\n{kind.__doc__} Level: {kind.level}.\n")
        parts.append(
            "| field | kind |\n| --- | --- |" if fields(kind) else "It has no fields of its own."
        )
        parts += [f"| `{field.name}` | {kind_of(kind, field.name)} |" for field in fields(kind)]
    return "\n".join(parts) + "\n"


def kind_of(kind: type[Event], field: str) -> str:
    """What JSON holds for a field, in words."""
    words = {str: "text", int: "number", datetime: "moment", timedelta: "seconds"}
    hint = get_type_hints(kind)[field]
    kinds = get_args(hint) if get_origin(hint) else [hint]
    return " or ".join(words.get(each, "null") for each in kinds)


def commands_page() -> str:
    """The page of all commands: what `--help` says of each."""
    parts = [GENERATED.format(source="src/gossamer/cli"), COMMANDS_INTRODUCTION]
    for name, help_text in helps(program, "gossamer", None):
        parts.append(f"\n## {name}\n\n```text\n{help_text}\n```")
    return "\n".join(parts) + "\n"


def helps(
    command: click.Command, name: str, parent: click.Context | None
) -> Iterator[tuple[str, str]]:
    """The help of a command and of those below it, by their names."""
    settings = {**command.context_settings, "terminal_width": HELP_WIDTH}
    context = command.context_class(command, parent, info_name=name, **settings)
    yield context.command_path, command.get_help(context).rstrip()
    if isinstance(command, click.Group):
        for each in command.list_commands(context):
            if below := command.get_command(context, each):
                yield from helps(below, each, context)


def conformance_page() -> str:
    """The page of conformance suites, from the tables in their tests."""
    sys.path.insert(0, str(ROOT))
    from tests import conformance

    return GENERATED.format(source="tests/conformance.py") + conformance.page()


PAGES = {
    "commands.md": commands_page,
    "options.md": options_page,
    "events.md": events_page,
    "conformance.md": conformance_page,
}

if __name__ == "__main__":
    for name, page in PAGES.items():
        (DOCS / name).write_text(page(), encoding="utf-8")
