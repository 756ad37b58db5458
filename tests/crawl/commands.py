"""`gossamer crawl` as people run it: a process group of its own, to be interrupted and killed."""

import json
import os
import re
import resource
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests.slowness import patience

from gossamer.folder.data import DataFolder

PATIENCE = patience(60)  # seconds; whatever takes longer hangs
CLEAN = {name: value for name, value in os.environ.items() if "GOSSAMER" not in name}


class CrawlCommand:
    """`with CrawlCommand(folder, …) as crawl`: the whole group is gone when the block ends."""

    def __init__(
        self,
        data: Path,
        *arguments: str,
        max_file_bytes: int | None = None,
        keep: Sequence[int] = (),
        command: str = "crawl",
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._command = command
        self._keep = keep  # descriptors that it has too
        self.data = data
        self._arguments = arguments
        self._limit = max_file_bytes
        self._environment = CLEAN | dict(environment or {})

    def __enter__(self) -> Self:
        self.data.mkdir(parents=True, exist_ok=True)
        self._words = (self.data.parent / f"{self.data.name}.stderr").open("w+")
        self._said = (self.data.parent / f"{self.data.name}.stdout").open("w+")
        command = [sys.executable, "-m", "gossamer", self._command]
        command += ["--data", str(self.data), "--json"]
        self.process = subprocess.Popen(
            [*command, *self._arguments],
            env=self._environment,
            stdout=self._said,
            stderr=self._words,
            start_new_session=True,
            pass_fds=self._keep,
            preexec_fn=self._limited if self._limit else None,
        )
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.kill()
        self._words.close()
        self._said.close()

    def _limited(self) -> None:
        assert self._limit is not None
        resource.setrlimit(resource.RLIMIT_FSIZE, (self._limit, resource.RLIM_INFINITY))

    @property
    def words(self) -> str:
        """What it said to people so far."""
        return Path(self._words.name).read_text()

    @property
    def family(self) -> list[int]:
        """Its process and those that it started, if they live."""
        parents = _parents()
        # The number of a process that has ended may be another's by now.
        lives = self.process.poll() is None and self.process.pid in parents
        found = [self.process.pid] if lives else []
        for pid in found:
            found += [child for child, parent in parents.items() if parent == pid]
        return found

    def named(self, module: str) -> list[int]:
        """Those of them that run a module of ours."""
        return [pid for pid in self.family if module in _command_line(pid)]

    def kill(self) -> None:
        """kill -9 of all of it at once."""
        family = self.family
        for pid in family:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.process.wait(PATIENCE)
        until(lambda: not _parents().keys() & set(family))

    def interrupt(self, number: int = signal.SIGINT, *, group: bool = True) -> None:
        """Ctrl-C reaches the whole group; TERM mostly one process."""
        if group:
            os.killpg(self.process.pid, number)
        else:
            self.process.send_signal(number)

    def lift_limit(self) -> None:
        """There is room for larger files now."""
        for pid in self.family:
            _, most = resource.prlimit(pid, resource.RLIMIT_FSIZE)  # workers write no files at all
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (most, most))
        self._limit = None

    def ended(self, patience: float = PATIENCE) -> int:
        """Its exit status, when it has ended by itself."""
        return self.process.wait(patience)

    def summary(self, patience: float = PATIENCE) -> dict[str, Any]:
        """The last line of its output, once it has ended."""
        status = self.ended(patience)
        assert status in (0, 130), f"exit status {status}: {self.words}"
        return self.last_line

    @property
    def last_line(self) -> dict[str, Any]:
        """The last line of its output, now."""
        summary: dict[str, Any] = json.loads(Path(self._said.name).read_text().splitlines()[-1])
        return summary

    def says(self, pattern: str) -> None:
        """Wait until it has said something like this."""
        until(lambda: re.search(pattern, self.words) or self.process.poll() is not None)
        assert re.search(pattern, self.words), self.words


def crawl(data: Path, *arguments: str, patience: float = PATIENCE) -> dict[str, Any]:
    """A crawl from beginning to end: its summary."""
    with CrawlCommand(data, *arguments) as command:
        return command.summary(patience)


def states(data: Path) -> dict[str, int]:
    """Every page's state, as it is on the disk."""
    file = data / "frontier.db"
    if not file.exists():
        return {}
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as database:
        try:
            return dict(database.execute("SELECT url, state FROM pages"))
        except sqlite3.OperationalError:  # it was killed before there was a table
            return {}


def has_begun(data: Path) -> bool:
    """Whether a crawl knows its seeds, and answers questions."""
    return bool(states(data)) and DataFolder(data).socket_file.exists()


def until(happened: Callable[[], object]) -> None:
    """Wait until something is so."""
    deadline = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.02)


def _parents() -> dict[int, int]:
    """Who started whom, of all processes that live."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            state, parent = (folder / "stat").read_text().rpartition(")")[2].split()[:2]
        except OSError:
            continue
        if state != "Z":
            found[int(folder.name)] = int(parent)
    return found


def _command_line(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return ""
