"""A crawl that the service was asked to begin: `gossamer crawl`, as a process beside it.

The process owns the folder while it lasts, as any other crawl does, and its words go to a file:
so it outlives a service that is killed, and ends in good order with one that ends.
"""

import asyncio
import json
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Final

from gossamer import values
from gossamer.folder.data import DataFolder
from gossamer.model import Url
from gossamer.moments import now_utc
from gossamer.owner.messages import Record
from gossamer.settings import sources as settings

END_SECONDS: Final = 60.0  # for an end in good order; then it is told once more
LAST_LINES: Final = 20
TAIL_BYTES: Final = 8 * 1024
FILE_NAME: Final = "crawl.txt"  # beside the log


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What a crawl is begun with; without seeds it goes on with what is known."""

    seeds: Sequence[Url] = ()
    options: Mapping[str, object] = field(default_factory=dict)  # by key
    again: bool = False


@dataclass(slots=True)
class Child:
    """A crawl that was begun."""

    process: asyncio.subprocess.Process
    began_at: datetime
    result: IO[bytes]  # what it prints
    ended_at: datetime | None = None
    summary: Record | None = None


class ChildCrawl:
    """The crawl of a folder, as far as the service began it; one at a time."""

    def __init__(self, data: DataFolder, options: Mapping[str, object] | None = None) -> None:
        self._data = data
        self._options = options or {}  # that the service itself was given
        self._child: Child | None = None
        self._waiting: asyncio.Task[None] | None = None

    @property
    def process(self) -> int | None:
        """The process, while it lasts."""
        child = self._child
        return None if child is None or child.ended_at else child.process.pid

    async def start(self, order: Order) -> None:
        """Begin; what comes of it is told by `record`."""
        assert self.process is None
        self._data.log_folder.mkdir(parents=True, exist_ok=True)
        result = TemporaryFile()  # noqa: SIM115 (closed when the process has ended)
        with self._words.open("wb") as words:
            process = await asyncio.create_subprocess_exec(
                *command(self._data, order, self._options),
                stdin=asyncio.subprocess.PIPE,
                stdout=result,
                stderr=words,
                start_new_session=True,  # Ctrl-C at our terminal is ours to pass on
            )
        self._child = Child(process, now_utc(), result)
        self._waiting = asyncio.create_task(self._until_the_end(self._child))
        assert process.stdin is not None
        with suppress(OSError):  # it has ended already, and has said why
            process.stdin.write("".join(f"{seed}\n" for seed in order.seeds).encode())
            await process.stdin.drain()
        process.stdin.close()

    def record(self) -> Record | None:
        """How the last one that was begun stands, or how it ended; None where there was none."""
        child = self._child
        if child is None:
            return None
        return {
            "process": child.process.pid,
            "began_at": child.began_at.isoformat(timespec="milliseconds"),
            "ended_at": child.ended_at and child.ended_at.isoformat(timespec="milliseconds"),
            "status": child.process.returncode if child.ended_at else None,
            "summary": child.summary,
            "lines": last_lines(self._words),
        }

    async def close(self) -> None:
        """End it in good order, if it has not ended; where that takes too long, at once."""
        if self._child is None or self._waiting is None:
            return
        process = self._child.process
        for end in (process.terminate, process.terminate, process.kill):
            if self._waiting.done():
                return
            with suppress(ProcessLookupError):
                end()
            await asyncio.wait([self._waiting], timeout=END_SECONDS)

    @property
    def _words(self) -> Path:
        return self._data.log_folder / FILE_NAME

    async def _until_the_end(self, child: Child) -> None:
        await child.process.wait()
        with child.result as result:
            result.seek(0)
            child.summary = _last_record(result.read())
        child.ended_at = now_utc()


def command(data: DataFolder, order: Order, given: Mapping[str, object]) -> list[str]:
    """The command line that begins such a crawl. Seeds follow on its standard input."""
    options = [
        f"--config={name}={values.written(settings.read_value(name, raw, 'options'))}"
        for name, raw in {**given, **order.options}.items()
        if not settings.keys()[name].secret  # which everybody on the machine could read
    ]
    program = [sys.executable, "-m", "gossamer", "crawl", "--json"]
    again = ["--again"] if order.again else []
    seeds = ["@/dev/stdin"] if order.seeds else []
    return [*program, f"--data={data.path.resolve()}", *options, *again, *seeds]


def last_lines(file: Path, most: int = LAST_LINES) -> list[str]:
    """The end of a file of text."""
    try:
        with file.open("rb") as words:
            words.seek(max(0, file.stat().st_size - TAIL_BYTES))
            return words.read().decode(errors="replace").splitlines()[-most:]
    except OSError:
        return []


def _last_record(printed: bytes) -> Record | None:
    lines = printed.splitlines()
    with suppress(ValueError):
        found = json.loads(lines[-1]) if lines else None
        return found if isinstance(found, dict) else None
    return None
