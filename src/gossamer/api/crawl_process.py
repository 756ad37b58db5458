"""A `gossamer crawl` in a process of its own, and the pipe by which its pages come.

Nothing is read ahead: a line is taken when somebody wants it, so a slow reader makes the crawl wait and
needs no memory. Asked to stop, the crawl ends as after one Ctrl-C; what is in the pipe is read to its end, so that it
can. If this process dies, the crawl sees that nobody reads, and ends in the same way.
"""

import asyncio
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Final

from gossamer.errors import GossamerError

READ_BYTES: Final = 64 * 1024
STOPPED: Final = 130  # exit status
BAD_USAGE: Final = 2
ENDING_SECONDS: Final = 60.0  # for an end in good order; then it is asked to end at once,
KILLING_SECONDS: Final = 10.0  # and then killed
MARKS: Final = ("gossamer: ", "Error: ")  # before the sentence that says why a command ends


class CrawlProcess:
    """A crawl that runs, or did."""

    def __init__(self, seeds: Sequence[str], words: Sequence[str], folder: Path | None) -> None:
        self._temporary = None if folder else Path(tempfile.mkdtemp(prefix="gossamer-"))
        self.folder = folder or self._temporary or Path()
        self.summary: dict[str, Any] | None = None
        self.is_stopping = False
        self._owner = os.getpid()
        self._lines = LineBuffer()
        self._files: tuple[IO[bytes], IO[bytes]] = (
            tempfile.TemporaryFile(),  # noqa: SIM115 (closed by `end`)
            tempfile.TemporaryFile(),  # noqa: SIM115
        )
        self._ending = threading.Lock()
        self._is_over = False
        self._fd, theirs = os.pipe()
        try:
            self._popen = self._start(seeds, words, theirs)
        except BaseException:
            os.close(self._fd)
            self._let_go()
            raise
        finally:
            os.close(theirs)

    def _start(
        self, seeds: Sequence[str], words: Sequence[str], pipe: int
    ) -> "subprocess.Popen[bytes]":
        own = [f"--data={self.folder}", "--json", f"--output=/dev/fd/{pipe}"]
        out, err = self._files
        return subprocess.Popen(  # noqa: S603 (our own interpreter, no shell)
            # -P: no module of the current folder takes the place of ours.
            [sys.executable, "-P", "-m", "gossamer", "crawl", *own, *words, "--", *seeds],
            pass_fds=[pipe],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            start_new_session=True,  # Ctrl-C in the terminal is ours to hear
        )

    @property
    def is_running(self) -> bool:
        """Whether the process runs."""
        return not self._is_over and self._popen.poll() is None

    @property
    def messages(self) -> str:
        """What the crawl said to people so far."""
        return self._messages if self._is_over else _text_of(self._files[1])

    def next_line(self) -> bytes | None:
        """The line of the next page; None when there are no more."""
        while not self._is_over and (line := self._lines.take()) is None:
            if not self._receive():
                return None
        return None if self._is_over else line

    async def next_line_soon(self) -> bytes | None:
        """The line of the next page, without blocking the loop."""
        while not self._is_over and (line := self._lines.take()) is None:
            await readable(self._fd)
            if not self._receive():
                return None
        return None if self._is_over else line

    def _receive(self) -> bool:
        data = os.read(self._fd, READ_BYTES)
        self._lines.add(data)
        return bool(data)

    def stop(self) -> None:
        """Ask the crawl to end in good order."""
        if not self.is_stopping and self._owner == os.getpid():
            self.is_stopping = True
            self._signal(signal.SIGTERM)

    def finish(self) -> None:
        """Take note of how the crawl ended, after its last line; raises `GossamerError` where it failed."""
        if self._is_over:
            return
        status = self._popen.wait()
        said, words = map(_text_of, self._files)
        with suppress(ValueError, IndexError):
            self.summary = json.loads(said.splitlines()[-1])
        if self.summary is None and not (self.is_stopping and status in (STOPPED, -signal.SIGTERM)):
            failure = ValueError if status == BAD_USAGE else GossamerError
            raise failure(_sentence(status, words, self.folder))

    def end(self) -> None:
        """Stop the crawl, wait until it has ended, and remove a folder that was made for it."""
        if self._owner != os.getpid():
            return
        with self._ending:
            if self._is_over:
                return
            self.stop()
            try:
                self._drain(ENDING_SECONDS)
            finally:  # a second Ctrl-C, or it takes too long
                self._close()

    async def end_soon(self) -> None:
        """As `end`, without blocking the loop."""
        if self._is_over or self._owner != os.getpid():
            return
        self.stop()
        try:
            async with asyncio.timeout(ENDING_SECONDS):
                while not self._is_over:
                    await readable(self._fd)
                    if not os.read(self._fd, READ_BYTES):
                        break
        except TimeoutError:
            pass  # it is ended at once
        finally:
            with self._ending:
                if not self._is_over:
                    self._close()

    def _close(self) -> None:
        try:
            if self._popen.poll() is None:
                self._hurry()
            with suppress(GossamerError, ValueError):  # nobody waits for its pages any more
                self.finish()
        finally:
            self._messages = _text_of(self._files[1])
            self._is_over = True
            os.close(self._fd)
            self._let_go()

    def _hurry(self) -> None:
        """See that the process ends, at the latest by being killed."""
        with suppress(subprocess.TimeoutExpired):
            self._popen.wait(0.5)  # its pipe may have ended just before it
            return
        self._signal(signal.SIGTERM)
        try:
            self._drain(KILLING_SECONDS)
        finally:
            if self._popen.poll() is None:
                self._popen.kill()
                self._popen.wait()

    def _drain(self, seconds: float) -> None:
        """Read to the end, for so long at most."""
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            if select.select([self._fd], [], [], left)[0] and not os.read(self._fd, READ_BYTES):
                with suppress(subprocess.TimeoutExpired):
                    self._popen.wait(max(left, 0.1))
                return

    def _signal(self, number: int) -> None:
        with suppress(ProcessLookupError):
            self._popen.send_signal(number)

    def _let_go(self) -> None:
        for file in self._files:
            file.close()
        if self._temporary is not None:
            shutil.rmtree(self._temporary, ignore_errors=True)


class LineBuffer:
    """Bytes as they come, lines out."""

    def __init__(self) -> None:
        self._held = bytearray()
        self._looked = 0  # how far there is no newline

    def add(self, data: bytes) -> None:
        """Take more bytes."""
        self._held += data

    def take(self) -> bytes | None:
        """The first line, if it is whole."""
        end = self._held.find(b"\n", self._looked)
        if end < 0:
            self._looked = len(self._held)
            return None
        line = bytes(self._held[:end])
        del self._held[: end + 1]
        self._looked = 0
        return line


async def readable(fd: int) -> None:
    """Wait until there is something to read, or the end."""
    loop = asyncio.get_running_loop()
    ready = loop.create_future()

    def tell() -> None:
        if not ready.done():
            ready.set_result(None)

    loop.add_reader(fd, tell)
    try:
        await ready
    finally:
        loop.remove_reader(fd)


def _text_of(file: IO[bytes]) -> str:
    return os.pread(file.fileno(), os.fstat(file.fileno()).st_size, 0).decode(errors="replace")


def _sentence(status: int, words: str, folder: Path) -> str:
    lines = words.splitlines()
    for number in range(len(lines) - 1, -1, -1):
        for mark in MARKS:
            if lines[number].startswith(mark):
                return " ".join([lines[number].removeprefix(mark), *lines[number + 1 :]])
    how = f"was killed (signal {-status})" if status < 0 else f"ended with status {status}"
    return f"The crawl {how}. What it had settled is kept in {folder}: crawl there again to go on."
