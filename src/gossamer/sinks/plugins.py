"""Sinks of other packages, by entry points in the group `gossamer.sinks`: each in a process of its own.

What is somebody else's code may raise, hang or print: that costs the sink, is told once, and the crawl goes
on without it. Batches go to the process as lines on its standard input; it says of each that it has
it, and only then are the pages settled. See docs/sinks.md.
"""

import asyncio
import json
import os
import re
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from importlib.metadata import EntryPoint, entry_points
from typing import IO, Final

from gossamer.errors import OutputError, SinkLostError
from gossamer.sinks.protocol import StoppableCrawl

GROUP: Final = "gossamer.sinks"
NAMED: Final = re.compile(
    r"([a-z][a-z0-9_-]+):(.*)", re.DOTALL
)  # a letter alone is a drive elsewhere
OPENING_SECONDS: Final = 60.0
BATCH_SECONDS: Final = 60.0  # for a sink to take a batch, or to close
LAST_WORDS_BYTES: Final = 2_000


def sink_plugin(word: str) -> tuple[EntryPoint, str] | None:
    """The sink that a word such as `kafka:localhost:9092` names, and where that is to write; None for a file."""
    named = NAMED.fullmatch(word)
    if named is None:
        return None
    found = sorted(entry_points(group=GROUP, name=named[1]), key=lambda each: each.value)
    if not found:
        known = ", ".join(sorted({each.name for each in entry_points(group=GROUP)})) or "none"
        raise OutputError(
            f"-o {word}: no package has a sink {named[1]!r} (installed: {known}). A file of that name is ./{word}."
        )
    return found[0], named[2]


class PluginSink:
    """A sink in a process, open for pages."""

    def __init__(self, plugin: EntryPoint, where: str) -> None:
        """Start the process and have it open the sink; raises `OutputError`."""
        self.name = plugin.name  # where it writes may hold a password, and is not told
        self._words: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 (closed by `close`)
        self._replies, theirs = os.pipe()
        try:
            self._popen = subprocess.Popen(  # noqa: S603 (our own interpreter, no shell)
                [
                    *(sys.executable, "-P", "-m", "gossamer.sinks.process"),
                    *(plugin.name, plugin.value, where, str(theirs)),
                ],
                pass_fds=[theirs],
                stdin=subprocess.PIPE,
                stdout=self._words,
                stderr=self._words,
                start_new_session=True,  # it closes in good order when we do, not by Ctrl-C
            )
        finally:
            os.close(theirs)
        assert self._popen.stdin is not None
        self._orders = self._popen.stdin.fileno()
        os.set_blocking(self._orders, False)
        try:
            self._reply(time.monotonic() + OPENING_SECONDS)
        except SinkLostError as error:
            self._bury()
            raise OutputError(f"-o {self.name}: {error}") from None

    async def write(self, lines: Sequence[bytes]) -> None:
        """Hand over a batch, and wait until the sink has it; raises `SinkLostError`."""
        data = b"%d\n" % len(lines) + b"".join(lines)
        handing = asyncio.ensure_future(asyncio.to_thread(self._hand, data))
        try:
            await asyncio.shield(handing)
        except asyncio.CancelledError:
            self._popen.kill()  # then nobody waits for it
            await asyncio.gather(handing, return_exceptions=True)
            raise

    async def run(self, stop: StoppableCrawl) -> None:
        """Nothing is to be looked after."""

    def close(self) -> None:
        """Have the sink close, in good time; what it complains of then is said as it is."""
        assert self._popen.stdin is not None
        with suppress(OSError):
            self._popen.stdin.close()
        try:
            if self._popen.poll() is None:
                self._reply(time.monotonic() + BATCH_SECONDS)
        except SinkLostError as error:
            print(f"warning: -o {self.name}: {error}", file=sys.stderr)  # noqa: T201 (talk of the command)
        finally:
            self._bury()

    def _hand(self, data: bytes) -> None:
        deadline, view = time.monotonic() + BATCH_SECONDS, memoryview(data)
        while view:
            _, ready, _ = select.select([], [self._orders], [], _left(deadline))
            if not ready:
                raise self._lost(f"it took nothing for {BATCH_SECONDS:g} seconds")
            try:
                view = view[os.write(self._orders, view) :]
            except OSError:
                break  # its reply says why, or its last words
        self._reply(deadline)

    def _reply(self, deadline: float) -> None:
        """Wait for the process to say that all is well."""
        said = b""
        while not said.endswith(b"\n"):
            if not select.select([self._replies], [], [], _left(deadline))[0]:
                raise self._lost(f"it did not answer for {BATCH_SECONDS:g} seconds")
            more = os.read(self._replies, 4096)
            if not more:
                raise self._lost("its process ended")
            said += more
        if (why := json.loads(said)["error"]) is not None:
            self._popen.kill()
            raise SinkLostError(f"{why}.")

    def _lost(self, why: str) -> SinkLostError:
        size = os.fstat(self._words.fileno()).st_size
        start = max(size - LAST_WORDS_BYTES, 0)
        words = os.pread(self._words.fileno(), LAST_WORDS_BYTES, start).decode(errors="replace")
        last = words.strip().rpartition("\n")[2]
        self._popen.kill()
        return SinkLostError(f"{why}{f' ({last})' if last else ''}.")

    def _bury(self) -> None:
        with suppress(subprocess.TimeoutExpired):
            self._popen.wait(1)
        self._popen.kill()
        self._popen.wait()
        assert self._popen.stdin is not None
        with suppress(OSError):
            self._popen.stdin.close()
        os.close(self._replies)
        self._words.close()


def _left(deadline: float) -> float:
    return max(deadline - time.monotonic(), 0.0)
