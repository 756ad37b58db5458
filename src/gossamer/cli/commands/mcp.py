"""`gossamer mcp`: the folder's answers as tools for language models, on standard input and output."""

from __future__ import annotations

import click

from gossamer.cli.options import data_options
from gossamer.cli.text import example
from gossamer.folder.data import DataFolder


@click.command(
    epilog=example(
        "gossamer mcp --data gossamer-data",
        "GOSSAMER_DATA=/path/to/gossamer-data gossamer mcp",
    ),
)
@data_options
def mcp(data: DataFolder) -> None:
    """Serve the folder to a language model, as MCP tools on standard input and output.

    A host such as an editor or a chat program starts this command. The tools search and query what was
    crawled; they change nothing and send no requests. A running crawl answers them; without one, the
    folder is only in use while questions come. `gossamer serve` has the same tools at /mcp. Needs
    gossamer[mcp]. See docs/mcp.md.
    """
    from gossamer.cli.folder import require_crawl
    from gossamer.mcp.stdio import serve_stdio

    require_crawl(data)
    serve_stdio(data)
