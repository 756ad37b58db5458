"""`gossamer reindex`: the words anew from the graph."""

import json

import click

from gossamer.cli.folder import ask_folder, there_is_a_crawl
from gossamer.cli.options import data_options
from gossamer.cli.progress import Progress
from gossamer.cli.text import counted, emit, example
from gossamer.data import DataFolder
from gossamer.owner.messages import Answering, Question, Record


@click.command(
    short_help="Make the words that are searched anew from the graph.",
    epilog=example("gossamer reindex", "gossamer reindex --data my-crawl"),
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object at the end.")
@data_options
def reindex(as_json: bool, data: DataFolder) -> None:
    """Make all words anew, from what the graph says now; nothing is fetched.

    For words that are damaged, of another version, or were switched off. The old ones are
    searched until the new ones are complete.
    """
    there_is_a_crawl(data)
    made = ask_folder("reindex", data, words_made)
    if as_json:
        emit(json.dumps(made))
    else:
        emit(f"Words of {counted(made['subjects'], 'subject')}, in {made['seconds']:.1f} s.")


async def words_made(owner: Answering) -> Record:
    """What was made, at the end; where that takes long, a line says how far it is."""
    answer, progress = owner.answer(Question(what="reindex")), Progress()
    try:
        async for part in answer:
            progress.show(f"words of {counted(int(part), 'subject')} made")
    finally:
        progress.clear()
    return answer.end
