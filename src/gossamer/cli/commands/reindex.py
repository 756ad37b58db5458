"""`gossamer reindex`: the words anew from the graph."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from gossamer.cli.options import data_options
from gossamer.cli.terminal import ProgressLine, emit
from gossamer.cli.text import counted, example
from gossamer.folder.data import DataFolder

if TYPE_CHECKING:
    from gossamer.owner.messages import Answering, Record


@click.command(
    epilog=example("gossamer reindex", "gossamer reindex --data my-crawl"),
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object at the end.")
@data_options
def reindex(as_json: bool, data: DataFolder) -> None:
    """Rebuild the search index from the graph; nothing is fetched.

    Use it if the index is damaged, of another version, or was switched off. Searches use
    the old index until the new one is complete.
    """
    from gossamer.cli.folder import ask_folder, require_crawl

    require_crawl(data)
    made = ask_folder("reindex", data, make_words)
    if as_json:
        emit(json.dumps(made))
    else:
        emit(f"Words of {counted(made['subjects'], 'subject')}, in {made['seconds']:.1f} s.")


async def make_words(owner: Answering) -> Record:
    """What was made, at the end; where that takes long, a line says how far it is."""
    from gossamer.owner.questions import Reindex

    answer, progress = owner.answer(Reindex()), ProgressLine()
    try:
        async for part in answer:
            progress.show(f"words of {counted(int(part), 'subject')} made")
    finally:
        progress.clear()
    return answer.end
