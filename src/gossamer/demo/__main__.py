"""`python -m gossamer.demo`: serve a world until standard input closes.

The first line of standard output is JSON with the address. This is the door for tests
and benchmarks; people use `gossamer demo`.
"""

import argparse
import asyncio
import contextlib
import json
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from gossamer.demo.accesslog import Access, to_line
from gossamer.demo.server import serve
from gossamer.demo.world import World


def main() -> int:
    """Run the demo server and return the exit status."""
    options = _parser().parse_args()
    try:
        world = World(
            seed=options.seed,
            pages=options.pages,
            hosts=options.hosts,
            malice=options.malice,
            crawl_delay=options.crawl_delay,
            slow_seconds=options.slow_seconds,
            day=options.day,
            aliases=options.aliases,
        )
    except ValueError as error:
        sys.stderr.write(f"demo: {error}\n")
        return 2
    # Ctrl-C reaches the whole foreground group; whoever started us closes our input.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with _logging(options.log) as log:
        asyncio.run(_serve(world, options.port, log))
    return 0


async def _serve(world: World, port: int, log: Callable[[Access], None]) -> None:
    async with serve(world, port, log) as running:
        sys.stdout.write(json.dumps({"address": running.address}) + "\n")
        sys.stdout.flush()
        await asyncio.to_thread(sys.stdin.read)


@contextlib.contextmanager
def _logging(path: Path | None) -> Iterator[Callable[[Access], None]]:
    if path is None:
        yield lambda access: None
        return
    # Line by line, so that a test can read it while requests go on.
    with path.open("a", encoding="utf-8", buffering=1) as file:

        def write(access: Access) -> None:
            file.write(to_line(access))

        yield write


def _parser() -> argparse.ArgumentParser:
    world = World()
    parser = argparse.ArgumentParser(prog="python -m gossamer.demo", description=__doc__)
    parser.add_argument("--seed", type=int, default=world.seed)
    parser.add_argument("--pages", type=int, default=world.pages)
    parser.add_argument("--hosts", type=int, default=world.hosts)
    parser.add_argument("--malice", action="store_true")
    parser.add_argument("--crawl-delay", type=float, default=world.crawl_delay)
    parser.add_argument("--slow-seconds", type=float, default=world.slow_seconds)
    parser.add_argument(
        "--day", type=int, help="of its schedule of change; left out, it stands still"
    )
    parser.add_argument(
        "--aliases", action="store_true", help="links have parameters that change nothing"
    )
    parser.add_argument("--port", type=int, default=0, help="0: any free one")
    parser.add_argument("--log", type=Path, help="write requests here, as JSON lines")
    return parser


if __name__ == "__main__":
    sys.exit(main())
