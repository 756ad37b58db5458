"""A bench's server in a process of its own: it prints a line of JSON at its start, and another for each line that it gets.

It ends when its standard input does.
"""

import asyncio
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

LOOPBACK: Final = "127.0.0.1"


async def tell_when_asked(first: object, tell: Callable[[], object]) -> None:
    """Print what is to be told first, then what `tell` returns for each line, until standard input ends."""
    loop = asyncio.get_running_loop()
    lines: asyncio.Queue[bytes] = asyncio.Queue()
    loop.add_reader(sys.stdin.fileno(), lambda: lines.put_nowait(sys.stdin.buffer.readline()))
    print(json.dumps(first), flush=True)
    while await lines.get():
        print(json.dumps(tell()), flush=True)


class ServerProcess:
    """Runs a script that ends with `tell_when_asked`, until the block ends."""

    def __init__(self, script: str | Path, argument: object) -> None:
        self._command = [sys.executable, script, json.dumps(argument)]
        self.told_first: Any = None

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self.told_first = self._line()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.communicate()

    @property
    def port(self) -> int:
        """Where it listens, if that is what it tells first."""
        port: int = self.told_first
        return port

    def told(self) -> Any:  # noqa: ANN401 (whatever the script tells)
        """What the server has to tell now."""
        assert self._process.stdin is not None
        self._process.stdin.write(b"\n")
        self._process.stdin.flush()
        return self._line()

    def _line(self) -> Any:  # noqa: ANN401
        assert self._process.stdout is not None
        return json.loads(self._process.stdout.readline())
