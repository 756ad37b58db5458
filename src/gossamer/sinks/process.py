"""The process of a sink: `python -m gossamer.sinks.process NAME VALUE WHERE DESCRIPTOR`.

Standard input has batches: a line with their number, then as many lines, each a page. A line of JSON goes back to
the descriptor for the opening, for each batch and for the end: `{"error": null}`, or a few words.
"""

import json
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from importlib.metadata import EntryPoint
from typing import IO, Any, Final, Protocol

from gossamer.errors import GossamerError
from gossamer.sinks.plugins import GROUP

MOST_TOLD: Final = 300  # characters of an error


class SinkPlugin(Protocol):
    """What a sink's entry point makes, called with the text after `NAME:`."""

    def write(self, pages: Sequence[Mapping[str, Any]]) -> object:
        """Keep some pages, or raise; when it returns they count as kept."""

    def close(self) -> object:
        """Bring to an end what is open; a sink need not have this."""


def main() -> None:
    """Take batches until there are no more."""
    name, value, where, descriptor = sys.argv[1:]
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with os.fdopen(int(descriptor), "w") as replies:
        try:
            _serve(EntryPoint(name, value, GROUP), where, replies)
        except GossamerError as error:  # a sink of ours, with a sentence of its own
            _reply(replies, str(error).rstrip("."))
        except Exception as error:  # it is somebody else's code
            what = f"{type(error).__name__}: {error}".partition("\n")[0][:MOST_TOLD].rstrip(": .")
            _reply(replies, f"it failed ({what})")


def _serve(plugin: EntryPoint, where: str, replies: IO[str]) -> None:
    sink: SinkPlugin = plugin.load()(where)
    _reply(replies)
    lines = sys.stdin.buffer
    while count := lines.readline():
        sink.write([json.loads(lines.readline()) for _ in range(int(count))])
        _reply(replies)
    if close := getattr(sink, "close", None):
        close()
    _reply(replies)


def _reply(replies: IO[str], error: str | None = None) -> None:
    replies.write(json.dumps({"error": error}) + "\n")
    replies.flush()


if __name__ == "__main__":
    main()
