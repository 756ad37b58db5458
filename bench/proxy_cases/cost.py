"""What one request costs our proxy: CPU time, and Python calls.

| kind | |
| --- | --- |
| hit | fresh in the cache's memory |
| miss | never kept, ten pages of each host over and over |
| new | never kept, and each page is asked for once |

CPU time is that of all threads of the proxy, best of some rounds, since who else works on the machine
makes it longer and nothing makes it shorter. Calls are counted by cProfile, in a round of its own.
"""

import argparse
import cProfile
import pstats
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import product
from pathlib import Path
from time import sleep
from typing import Final

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from bench.proxy_cases.clients import Line, load
from bench.proxy_cases.origin import BODY_BYTES, Origin
from bench.proxy_cases.proxies import Proxy, names, ours

KINDS: Final = {"hit": "fresh", "miss": "never", "new": "never"}
PROFILE: Final = "--profile-to"
COUNT, TELL = signal.SIGUSR1, signal.SIGUSR2


def line(kind: str, port: int, round_number: int) -> Line:
    """How a request looks."""
    hosts = names()

    def request(client: int, number: int) -> bytes:
        host = f"{hosts[client]}:{port}"
        page = f"{round_number}/{number}" if kind == "new" else f"{number % 10}"
        start = f"GET http://{host}/{KINDS[kind]}/{page} HTTP/1.1\r\nHost: {host}\r\n"
        return f"{start}User-Agent: bench\r\nAccept: */*\r\n\r\n".encode()

    return request


def cpu_us(proxy: Proxy) -> float:
    """CPU time of all its threads so far, in microseconds, to the nanosecond."""
    tasks = Path(f"/proc/{proxy.process.pid}/task").glob("*/schedstat")
    return sum(int(each.read_text().split()[0]) for each in tasks) / 1000


def measure(kinds: list[str], clients: int, each: int, rounds: int) -> None:
    """Least CPU time of some rounds, kind by kind."""
    best = dict.fromkeys(kinds, float("inf"))
    with ExitStack() as life:
        origin = life.enter_context(Origin())
        folder = Path(life.enter_context(tempfile.TemporaryDirectory()))
        proxy = life.enter_context(ours(folder, origin.port))
        for number, kind in product(range(rounds), kinds):
            ask = line(kind, origin.port, number)
            load(proxy.port, ask, clients, 10, BODY_BYTES)
            before = cpu_us(proxy)
            load(proxy.port, ask, clients, each, BODY_BYTES)
            best[kind] = min(best[kind], (cpu_us(proxy) - before) / clients / each)
    for kind, found in best.items():
        print(f"{kind:<5}{clients:>3} client(s) {found:7.1f} us")


@contextmanager
def profiled(folder: Path, origin_port: int) -> Iterator[tuple[Proxy, Path]]:
    """Our proxy, which counts its calls between two signals."""
    found = folder / "profile"
    program = [sys.executable, __file__, PROFILE, str(found)]
    with ours(folder, origin_port, program=program) as proxy:
        yield proxy, found


def count(kind: str, clients: int, each: int, shown: int, by: str) -> None:
    """Calls a request, and where the time goes."""
    with ExitStack() as life:
        origin = life.enter_context(Origin())
        folder = Path(life.enter_context(tempfile.TemporaryDirectory()))
        proxy, found = life.enter_context(profiled(folder, origin.port))
        load(proxy.port, line(kind, origin.port, 0), clients, 10, BODY_BYTES)
        proxy.process.send_signal(COUNT)
        sleep(0.2)
        load(proxy.port, line(kind, origin.port, 1), clients, each, BODY_BYTES)
        sleep(0.3)  # for what is written a moment later
        proxy.process.send_signal(TELL)
        while not found.exists():
            sleep(0.1)
        sleep(0.5)
        stats = pstats.Stats(str(found))
    number = clients * each
    total = stats.total_calls  # type: ignore[attr-defined]  # which the stubs leave out
    print(f"{kind:<5}{clients:>3} client(s) {total / number:7.1f} calls")
    if shown:
        rows = stats.stats.items()  # type: ignore[attr-defined]  # the same
        column = 2 if by == "time" else 0
        for (file, at, name), row in sorted(rows, key=lambda item: -item[1][column])[:shown]:
            place = "/".join(Path(file).parts[-2:]) if file != "~" else ""
            print(f"{row[1] / number:7.2f} x {row[2] / number * 1e6:6.2f} us  {place}:{at} {name}")


def counted(found: str) -> None:
    """Be the proxy, and count calls from one signal to the other."""
    from gossamer.__main__ import main as gossamer

    profile = cProfile.Profile()

    def tell(*_: object) -> None:
        profile.disable()
        profile.dump_stats(found)

    signal.signal(COUNT, lambda *_: profile.enable())
    signal.signal(TELL, tell)
    gossamer()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("kinds", nargs="*", default=list(KINDS), help=" ".join(KINDS))
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--each", type=int, default=400)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--top", type=int, default=0, help="show so many functions")
    parser.add_argument("--by", choices=("time", "calls"), default="time")
    parser.add_argument("--only", choices=("cpu", "calls"))
    given = parser.parse_args()
    if given.only != "calls":
        measure(given.kinds, given.clients, given.each, given.rounds)
    for kind in given.kinds if given.only != "cpu" else ():
        count(kind, given.clients, given.each, given.top, given.by)


if __name__ == "__main__":
    if PROFILE in sys.argv:
        del sys.argv[0]
        counted(sys.argv.pop(1))
    else:
        main()
