"""From the word after `-o` to the sink: a file, a pipe, standard output, a sink of another package."""

import os
import stat
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Final

from gossamer.errors import OutputError
from gossamer.sinks.json_lines import JsonLinesFile
from gossamer.sinks.pipe import PageStream
from gossamer.sinks.plugins import GROUP, PluginSink, sink_plugin
from gossamer.sinks.protocol import PageSink

STANDARD_OUTPUT: Final = "-"
PARQUET: Final = EntryPoint("parquet", "gossamer.sinks.parquet:ParquetSink", GROUP)
SHOWN: Final = "standard output"  # its name


def open_sinks(words: Sequence[str], show: Callable[[bytes], None]) -> list[PageSink]:
    """The sinks that these words name; `show` writes to a terminal. Raises `OutputError`."""
    with ExitStack() as life:
        opened = []
        for word in dict.fromkeys(words):
            sink = _open(word, show)
            life.callback(sink.close)
            opened.append(sink)
        life.pop_all()  # all are open, and the caller's to close
        return opened


def _open(word: str, show: Callable[[bytes], None]) -> PageSink:
    if word == STANDARD_OUTPUT:
        fd = sys.stdout.fileno()
        return PageStream(SHOWN, fd, owned=False, show=show if os.isatty(fd) else None)
    if (plugin := sink_plugin(word)) is not None:
        return PluginSink(*plugin)
    path = Path(word)
    if path.suffix == ".parquet":
        return PluginSink(PARQUET, word)
    try:
        mode = path.stat().st_mode
    except OSError:  # to be made; why it cannot be, opening it says
        return JsonLinesFile.open(path)
    if stat.S_ISREG(mode) or stat.S_ISDIR(mode):
        return JsonLinesFile.open(path)
    try:
        fd = os.open(path, os.O_WRONLY | os.O_CLOEXEC)  # of a named pipe: when somebody reads it
    except OSError as error:
        raise OutputError(f"-o {word} cannot be written: {error.strerror}.") from None
    return PageStream(word, fd, owned=True)
