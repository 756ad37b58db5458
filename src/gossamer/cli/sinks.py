"""Sinks of a crawl as its command line names them (`-o`), opened for as long as it runs."""

import asyncio
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager

from gossamer.cli.errors import given_umask
from gossamer.cli.terminal import emit_bytes
from gossamer.errors import FolderInUseError
from gossamer.folder.data import DataFolder
from gossamer.owner.messages import AnswerError, ask
from gossamer.owner.questions import Who
from gossamer.owner.unix_socket import NoOwnerError, Owner
from gossamer.sinks.json_lines import JsonLinesFile
from gossamer.sinks.opening import open_sinks
from gossamer.sinks.protocol import PageSink


@contextmanager
def given_sinks(words: Sequence[str]) -> Iterator[list[PageSink]]:
    """The sinks that these words name; files are made with the user's own umask."""
    if not words:
        yield []
        return
    with given_umask():
        sinks = open_sinks(words, emit_bytes)
    with ExitStack() as life:
        for sink in sinks:
            life.callback(sink.close)
            if isinstance(sink, JsonLinesFile) and sink.cut_bytes:
                print(  # noqa: T201 (talk of this command)
                    f"{sink.name}: {sink.cut_bytes:,} bytes of a line that was not finished are cut off; "
                    "the page is written again.",
                    file=sys.stderr,
                )
        yield sinks


def refuse_running(data: DataFolder) -> None:
    """Raise where a crawl runs in the folder: its pages go where its own command line says."""
    try:
        who = asyncio.run(ask(Owner(data.socket_file), Who()))
    except (NoOwnerError, AnswerError):
        return
    if who["command"] == "crawl":
        raise FolderInUseError(
            f"A crawl is running in {data.path} (process {who['process']}), and -o has to be given when it "
            "starts. `gossamer stop` ends it; without -o, seeds are added to it."
        )
