"""The command line: each command builds its parts and calls one function."""

from collections.abc import Mapping
from importlib import import_module
from typing import Final

import click
from click.shell_completion import CompletionItem

from gossamer import __version__
from gossamer.cli.errors import Commands, debug_option

GROUPS: Final[Mapping[str, Mapping[str, str]]] = {
    "Crawl": {
        "crawl": "Crawl sites and store what they say in a graph.",
        "pause": "Pause the running crawl.",
        "resume": "Resume a paused crawl.",
        "stop": "Stop the running crawl cleanly.",
        "nodes": "Show the nodes of a crawl, and which is in trouble; steer them; invite more.",
        "join": "Join the crawl in a database as one more node.",
        "demo": "Crawl and serve a small demo web on loopback.",
    },
    "See how it goes": {
        "status": "Show the state of the crawl: pages, hosts, failures, quads, disk.",
        "hosts": "Show what each host is doing: ready, waiting, parked, and why.",
        "log": "Print the log of all nodes, and follow it.",
        "problems": "List pages that failed, were refused or contain errors.",
        "duplicates": "List pages that are the same thing, and parameters that change nothing.",
        "explain": "Show every decision about one URL, with its reason.",
        "audit": "Check politeness: smallest gap and violations for each host.",
    },
    "Use the results": {
        "search": "Find entities and pages by words.",
        "query": "Query the graph with SPARQL, or columns with SQL, as a table or in any format.",
        "vocab": "List the classes and properties found, with counts.",
        "table": "Make a table of the entities of one type, as CSV, Parquet, JSON Lines or XLSX.",
        "changes": "Show what pages say otherwise than before, by entity.",
        "archive": "List what was fetched, print it, and package it for other programs.",
        "diff": "Show what one page says otherwise than at another moment, from the archive.",
        "export": "Write the graph in any RDF syntax, or its entities as JSON lines.",
        "mcp": "Serve the graph and the search index to a language model, as MCP tools.",
    },
    "Pages, files and URLs": {
        "extract": "Turn pages, feeds, RDF files, folders and WARC files into quads.",
        "load": "Load columns of archives into another graph store, in bulk.",
        "report": "Check the structured data of pages, files and archives.",
        "check": "Check whether URLs may be fetched now.",
    },
    "Serve": {
        "serve": "Serve web pages, REST and SPARQL, with or without a crawl.",
        "proxy": "Run a polite forward proxy for other programs.",
        "identity": "Make and show the keys that sign requests, so that sites know them for yours.",
        "ca": "Manage the certificate authority with which the proxy intercepts HTTPS.",
        "cache": "Show what caches hold and did, and empty them while they are in use.",
    },
    "Maintain": {
        "forget": "Remove hosts or pages and everything stored about them.",
        "rebuild": "Rebuild the graph from the archive.",
        "reindex": "Rebuild the search index from the graph.",
    },
    "Set up": {
        "config": "Show every setting and where its value comes from.",
        "completion": "Print the completion script for your shell.",
    },
}
"""What `gossamer --help` and completion say of each command: they load none of them."""

COMMANDS: Final = {name: line for group in GROUPS.values() for name, line in group.items()}


class AllCommands(Commands):
    """The commands, each loaded when it runs or when its own options are asked for.

    The command `check` is the function of that name in `gossamer.cli.commands.check`.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order in which people meet them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, if there is one."""
        if cmd_name in COMMANDS and cmd_name not in self.commands:
            module = import_module(f"gossamer.cli.commands.{cmd_name}")
            command: click.Command = getattr(module, cmd_name)
            command.short_help = COMMANDS[cmd_name]
            self.add_command(command)
        return self.commands.get(cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands in their groups, from the table."""
        width = max(map(len, COMMANDS))
        for name, commands in GROUPS.items():
            with formatter.section(name):
                formatter.write_dl([(each.ljust(width), line) for each, line in commands.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete the name of a command, from the table, or an option of `gossamer` itself."""
        named = [
            CompletionItem(name, help=line)
            for name, line in COMMANDS.items()
            if name.startswith(incomplete)
        ]
        return [*named, *super(click.Group, self).shell_complete(ctx, incomplete)]


@click.group(
    cls=AllCommands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Results go to stdout, messages to stderr. Every command has --help with examples.",
)
@click.version_option(__version__, message="gossamer %(version)s")
def program() -> None:
    """A polite spider for the structured web."""


program.params.append(debug_option())
